// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_FORMORACLE_HPP
#define KONTRACT_TEST_FORMORACLE_HPP

#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "Array.hpp"
#include "Kontract_Form.hpp"

namespace KontractTest {

using Numbers = Array<double>;
using Wide = long double;
using WideVector = std::vector<Wide>;

/// Cells as geometry() takes them.
struct CellArrays {
  int dimension = 1;
  const Numbers* jacobians = nullptr;  ///< (C,P|1,D,D), or
  const Numbers* nodes = nullptr;      ///< (C,F,D) with
  const Numbers* gradients = nullptr;  ///< (F,P|1,D)
  const Numbers* weights = nullptr;    ///< (P), or measures (C,P|1)
  const Numbers* normals = nullptr;    ///< (P|1,D) of a side of the reference cell
  int space = 0;                       ///< dimensions of space, if cells have fewer

  int spaceDimension() const { return space > dimension ? space : dimension; }
};

/// Forms in plain loops, written from their definitions: values are transformed one after another,
/// and the integrand is what the form says.
class FormOracle : public CellArrays {
 public:
  /// The arrays of a term; those that it lacks are null.
  struct Term {
    Kontract::Form form;
    const Numbers *left = nullptr, *right = nullptr, *coefficient = nullptr, *second = nullptr;
    const Numbers *left_signs = nullptr, *right_signs = nullptr;
  };

  using Fields = std::vector<WideVector>;

  FormOracle() = default;
  explicit FormOracle(const CellArrays& cells) : CellArrays(cells) {}

  /// A cell's matrix, row by row.
  /// \param blocks  components of each field, of displacements D
  WideVector matrix(const Term& term, std::size_t c, std::size_t points, int blocks = 1) const {
    Fields left = fields(term.form.left, *term.left, c, points),
           right = fields(term.form.right, *term.right, c, points);
    if (term.form.is_elastic) left = strains(left), right = strains(right);
    toFluxes(right, term, c, points);
    const std::size_t fields_of_block = term.form.is_elastic ? 1 : blocks;
    const std::size_t rows = left.size() * fields_of_block,
                      columns = right.size() * fields_of_block;
    WideVector matrix;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t l = row / fields_of_block, r = column / fields_of_block;
        const bool is_zero = row % fields_of_block != column % fields_of_block;
        const Wide signs =
            sign(term.left_signs, c, row / blocks) * sign(term.right_signs, c, column / blocks);
        matrix.push_back(is_zero ? 0
                                 : signs * std::inner_product(left[l].begin(), left[l].end(),
                                                              right[r].begin(), Wide(0)));
      }
    }
    return matrix;
  }

  /// A cell's load.
  /// \param blocks  components of each field, with sources of D components for scalar fields D
  WideVector load(const Term& term, std::size_t c, std::size_t points, int blocks = 1) const {
    const Fields left = fields(term.form.left, *term.left, c, points);
    const WideVector measures_here = measures(c, points);
    const bool has_vectors = term.left->dimensions() == 1;
    const bool is_along_normal = has_vectors && term.coefficient->rank() == 2;
    const std::size_t components = spaceDimension();
    WideVector load;
    for (std::size_t l = 0; l < left.size(); ++l) {
      for (int i = 0; i < blocks; ++i) {
        Wide sum = 0;
        for (std::size_t p = 0; p < points; ++p) {
          for (std::size_t a = 0; a < (has_vectors ? components : 1); ++a) {
            const std::size_t d = has_vectors ? a : i;
            sum += measures_here[p] * left[l][has_vectors ? p * components + a : p] *
                   term.coefficient->at({c, 0, 0, p, d, 0}) *
                   (is_along_normal ? normal(c, p)[a] : 1);
          }
        }
        load.push_back(sum * sign(term.left_signs, c, l));
      }
    }
    return load;
  }

  /// Values in a cell, of each field its components at the first point, the second and so on.
  Fields fields(Kontract::Pullback pullback, const Numbers& values, std::size_t c,
                std::size_t points) const {
    Fields fields(values.extent(&Place::f));
    for (std::size_t p = 0; p < points; ++p) {
      const Matrix jacobian = jacobianAt(c, p);
      for (std::size_t f = 0; f < fields.size(); ++f) {
        const WideVector here = value(pullback, values, jacobian, c, f, p);
        fields[f].insert(fields[f].end(), here.begin(), here.end());
      }
    }
    return fields;
  }

  /// Weights times |det J|, or what is given in their place.
  WideVector measures(std::size_t c, std::size_t points) const {
    WideVector measures;
    for (std::size_t p = 0; p < points; ++p) {
      const Wide given = weights->at({c, 0, 0, p, 0, 0});
      const bool is_measure = weights->rank() == 2;
      Wide size = is_measure ? 1 : std::abs(determinant(jacobianAt(c, p)));
      if (normals != nullptr) size *= lengthOf(imageOfNormal(c, p));
      measures.push_back(given * size);
    }
    return measures;
  }

 private:
  using Matrix = std::array<std::array<Wide, 3>, 3>;

  /// Strains of displacements, for each field and each component i those of the field times e_i.
  Fields strains(const Fields& gradients) const {
    Fields strains;
    for (const WideVector& gradient : gradients) {
      for (int i = 0; i < dimension; ++i) {
        WideVector strain;
        for (std::size_t p = 0; p < gradient.size(); p += dimension) {
          for (int a = 0; a < dimension; ++a) {
            for (int b = 0; b < dimension; ++b) {
              strain.push_back(((a == i ? gradient[p + b] : 0) + (b == i ? gradient[p + a] : 0)) /
                               2);
            }
          }
        }
        strains.push_back(strain);
      }
    }
    return strains;
  }

  /// Makes what integrals multiply with left fields: coefficients times right ones, or stresses of
  /// strains, times measures.
  void toFluxes(Fields& fields, const Term& term, std::size_t c, std::size_t points) const {
    const WideVector measures_here = measures(c, points);
    for (WideVector& field : fields) {
      WideVector fluxes;
      for (std::size_t p = 0; p < points; ++p) {
        const auto begin = field.begin() + p * (field.size() / points);
        const WideVector here(begin, begin + field.size() / points);
        const WideVector flux =
            term.form.is_elastic ? stress(term, c, p, here) : timesCoefficient(term, c, p, here);
        for (const Wide x : flux) fluxes.push_back(measures_here[p] * x);
      }
      field = fluxes;
    }
  }

  WideVector timesCoefficient(const Term& term, std::size_t c, std::size_t p,
                              const WideVector& u) const {
    const std::size_t rows = term.left->dimensions() == 0 ? 1 : spaceDimension();
    const bool is_along_normal = normals != nullptr &&
                                 term.left->dimensions() != term.right->dimensions() &&
                                 (term.coefficient == nullptr || term.coefficient->rank() == 2);
    if (is_along_normal) return timesNormal(term, c, p, u);
    WideVector product(rows, 0);
    for (std::size_t a = 0; a < rows; ++a) {
      for (std::size_t b = 0; b < u.size(); ++b) {
        product[a] += coefficient(term, c, p, a, b, rows, u.size()) * u[b];
      }
    }
    return product;
  }

  /// A vector's normal component, or a scalar times the normal.
  WideVector timesNormal(const Term& term, std::size_t c, std::size_t p,
                         const WideVector& u) const {
    WideVector product = normal(c, p);
    if (term.right->dimensions() == 1) {
      product = {std::inner_product(u.begin(), u.end(), product.begin(), Wide(0))};
    } else {
      for (Wide& x : product) x *= u[0];
    }
    for (Wide& x : product) x *= term.coefficient == nullptr ? 1 : scalar(*term.coefficient, c, p);
    return product;
  }

  /// The unit normal of the side, a covariant image.
  WideVector normal(std::size_t c, std::size_t p) const {
    WideVector normal = imageOfNormal(c, p);
    const Wide length = lengthOf(normal);
    for (Wide& x : normal) x /= length;
    return normal;
  }
  WideVector imageOfNormal(std::size_t c, std::size_t p) const {
    WideVector reference;
    for (int a = 0; a < dimension; ++a)
      reference.push_back(normals->at({0, 0, 0, p, std::size_t(a), 0}));
    return solveTransposed(jacobianAt(c, p), reference);
  }
  static Wide lengthOf(const WideVector& v) {
    return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), Wide(0)));
  }

  /// lambda tr(e) I + 2 mu e
  WideVector stress(const Term& term, std::size_t c, std::size_t p,
                    const WideVector& strain) const {
    WideVector stress(strain);
    for (Wide& x : stress) x *= 2 * scalar(*term.second, c, p);
    for (int a = 0; a < dimension; ++a) {
      for (int b = 0; b < dimension; ++b) {
        stress[a * (dimension + 1)] +=
            scalar(*term.coefficient, c, p) * strain[b * (dimension + 1)];
      }
    }
    return stress;
  }

  Matrix jacobianAt(std::size_t c, std::size_t p) const {
    Matrix jacobian = {};
    if (nodes == nullptr && jacobians == nullptr) return jacobian;
    for (int i = 0; i < spaceDimension(); ++i) {
      for (int k = 0; k < dimension; ++k) {
        if (nodes == nullptr) {
          jacobian[i][k] = jacobians->at({c, 0, 0, p, std::size_t(i), std::size_t(k)});
          continue;
        }
        for (std::size_t n = 0; n < nodes->extents()[1]; ++n) {
          jacobian[i][k] += Wide(nodes->at({c, n, 0, 0, std::size_t(i), 0})) *
                            gradients->at({0, n, 0, p, std::size_t(k), 0});
        }
      }
    }
    return jacobian;
  }

  /// J^T J
  Matrix metric(const Matrix& jacobian) const {
    Matrix metric = {};
    for (int a = 0; a < dimension; ++a) {
      for (int b = 0; b < dimension; ++b) {
        for (int i = 0; i < spaceDimension(); ++i) metric[a][b] += jacobian[i][a] * jacobian[i][b];
      }
    }
    return metric;
  }

  /// det J, of surfaces and curves the root of det J^T J.
  Wide determinant(const Matrix& m) const {
    return space > dimension ? std::sqrt(squareDeterminant(metric(m))) : squareDeterminant(m);
  }
  Wide squareDeterminant(const Matrix& m) const {
    switch (dimension) {
      case 1: return m[0][0];
      case 2: return m[0][0] * m[1][1] - m[0][1] * m[1][0];
      default:
        return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    }
  }

  /// Solves J^T x = b; of surfaces and curves x is tangential: J y with J^T J y = b.
  WideVector solveTransposed(const Matrix& jacobian, const WideVector& b) const {
    if (space <= dimension) return solveSquare(jacobian, b);
    const WideVector y = solveSquare(metric(jacobian), b);
    WideVector x(space, 0);
    for (int i = 0; i < space; ++i) {
      for (int a = 0; a < dimension; ++a) x[i] += jacobian[i][a] * y[a];
    }
    return x;
  }
  /// Solves A^T x = b by Cramer's rule.
  WideVector solveSquare(const Matrix& jacobian, const WideVector& b) const {
    WideVector x(dimension);
    for (int n = 0; n < dimension; ++n) {
      Matrix replaced = {};
      for (int i = 0; i < dimension; ++i) {
        for (int k = 0; k < dimension; ++k) replaced[i][k] = k == n ? b[i] : jacobian[k][i];
      }
      x[n] = squareDeterminant(replaced) / squareDeterminant(jacobian);
    }
    return x;
  }

  WideVector value(Kontract::Pullback pullback, const Numbers& values, const Matrix& jacobian,
                   std::size_t c, std::size_t f, std::size_t p) const {
    using Kontract::Pullback;
    if (pullback == Pullback::Curl) {
      pullback = dimension == 2 ? Pullback::Density : Pullback::Contravariant;
    }
    WideVector reference(values.dimensions() == 0 ? 1 : dimension);
    for (std::size_t a = 0; a < reference.size(); ++a) reference[a] = values.at({c, f, 0, p, a, 0});
    if (pullback == Pullback::Scalar || pullback == Pullback::Physical) return reference;
    switch (pullback) {
      case Pullback::Density: return {reference[0] / determinant(jacobian)};
      case Pullback::Covariant: return solveTransposed(jacobian, reference);
      case Pullback::Contravariant: {
        WideVector image(spaceDimension(), 0);
        for (int i = 0; i < spaceDimension(); ++i) {
          for (int k = 0; k < dimension; ++k) image[i] += jacobian[i][k] * reference[k];
          image[i] /= determinant(jacobian);
        }
        return image;
      }
      default: throw std::logic_error("the oracle does not know this pullback");
    }
  }

  static Wide scalar(const Numbers& numbers, std::size_t c, std::size_t p) {
    return numbers.at({c, 0, 0, p, 0, 0});
  }

  static Wide coefficient(const Term& term, std::size_t c, std::size_t p, std::size_t a,
                          std::size_t b, std::size_t rows, std::size_t columns) {
    if (term.coefficient == nullptr) return a == b ? 1 : 0;
    const Numbers& numbers = *term.coefficient;
    switch (numbers.rank()) {
      case 2: return a == b ? scalar(numbers, c, p) : 0;
      case 3:
        if (rows != columns) return numbers.at({c, 0, 0, p, a + b, 0});
        return a == b ? numbers.at({c, 0, 0, p, a, 0}) : 0;
      default: return numbers.at({c, 0, 0, p, a, b});
    }
  }

  static Wide sign(const Numbers* signs, std::size_t c, std::size_t f) {
    return signs == nullptr ? 1 : signs->at({c, f, 0, 0, 0, 0});
  }
};

/// Components of each field of a term alone: D of displacements, else one.
inline int blocksOf(const FormOracle::Term& term, int dimension) {
  const bool is_load = term.right == nullptr;
  const bool is_load_of_vectors =
      is_load && term.left->dimensions() == 0 && term.coefficient->dimensions() == 1;
  return term.form.is_elastic || is_load_of_vectors ? dimension : 1;
}

}  // namespace KontractTest

#endif
