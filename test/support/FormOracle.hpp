// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_FORMORACLE_HPP
#define KONTRACT_TEST_FORMORACLE_HPP

#include <array>
#include <cmath>
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

  FormOracle() = default;
  explicit FormOracle(const CellArrays& cells) : CellArrays(cells) {}

  /// A cell's matrix, row by row.
  /// \param blocks  components of each field, of displacements D
  WideVector matrix(const Term& term, std::size_t c, std::size_t points, int blocks = 1) const {
    const Fields left = fields(term.form.left, *term.left, c, points);
    const Fields right = fluxes(term, c, fields(term.form.right, *term.right, c, points));
    WideVector matrix;
    for (std::size_t l = 0; l < left.size(); ++l) {
      for (int i = 0; i < blocks; ++i) {
        for (std::size_t r = 0; r < right.size(); ++r) {
          const Wide signs = sign(term.left_signs, c, l) * sign(term.right_signs, c, r);
          for (int j = 0; j < blocks; ++j) {
            const bool is_zero = i != j && !term.form.is_elastic;
            matrix.push_back(is_zero ? 0 : signs * entry(term, c, left[l], right[r], i, j));
          }
        }
      }
    }
    return matrix;
  }

  /// A cell's load.
  /// \param blocks  components of each field, with sources of D components for scalar fields D
  WideVector load(const Term& term, std::size_t c, std::size_t points, int blocks = 1) const {
    const Fields left = fields(term.form.left, *term.left, c, points);
    WideVector load;
    for (std::size_t l = 0; l < left.size(); ++l) {
      for (int i = 0; i < blocks; ++i) {
        Wide sum = 0;
        for (std::size_t p = 0; p < points; ++p) {
          const WideVector& v = left[l][p];
          Wide integrand = 0;
          for (std::size_t a = 0; a < v.size(); ++a) {
            const std::size_t d = v.size() > 1 || term.coefficient->rank() == 2 ? a : i;
            integrand += v[a] * term.coefficient->at({c, 0, 0, p, d, 0});
          }
          sum += measure(c, p) * integrand;
        }
        load.push_back(sum * sign(term.left_signs, c, l));
      }
    }
    return load;
  }

 private:
  using Matrix = std::array<std::array<Wide, 3>, 3>;
  using Field = std::vector<WideVector>;  ///< of each point
  using Fields = std::vector<Field>;

  /// Values in the cell.
  Fields fields(Kontract::Pullback pullback, const Numbers& values, std::size_t c,
                std::size_t points) const {
    Fields fields(values.extent(&Place::f));
    for (std::size_t p = 0; p < points; ++p) {
      const Matrix jacobian = jacobianAt(c, p);
      for (std::size_t f = 0; f < fields.size(); ++f) {
        fields[f].push_back(value(pullback, values, jacobian, c, f, p));
      }
    }
    return fields;
  }

  /// Right fields as they enter integrals: times measures and, without elasticity, coefficients.
  Fields fluxes(const Term& term, std::size_t c, Fields fields) const {
    const std::size_t rows = term.left->dimensions() == 0 ? 1 : dimension;
    for (std::size_t p = 0; !fields.empty() && p < fields[0].size(); ++p) {
      const Wide measure_here = measure(c, p);
      for (Field& field : fields) {
        WideVector& u = field[p];
        for (Wide& x : u) x *= measure_here;
        if (!term.form.is_elastic) u = timesCoefficient(term, c, p, rows, u);
      }
    }
    return fields;
  }

  WideVector timesCoefficient(const Term& term, std::size_t c, std::size_t p, std::size_t rows,
                              const WideVector& u) const {
    WideVector product(rows, 0);
    for (std::size_t a = 0; a < rows; ++a) {
      for (std::size_t b = 0; b < u.size(); ++b) {
        product[a] += coefficient(term, c, p, a, b, rows, u.size()) * u[b];
      }
    }
    return product;
  }

  Wide entry(const Term& term, std::size_t c, const Field& v, const Field& u, int i, int j) const {
    Wide sum = 0;
    for (std::size_t p = 0; p < u.size(); ++p) {
      if (term.form.is_elastic) {
        const Wide lambda = scalar(*term.coefficient, c, p), mu = scalar(*term.second, c, p);
        sum += elastic(u[p], v[p], j, i, lambda, mu);
      } else {
        for (std::size_t a = 0; a < v[p].size(); ++a) sum += v[p][a] * u[p][a];
      }
    }
    return sum;
  }

  Matrix jacobianAt(std::size_t c, std::size_t p) const {
    Matrix jacobian = {};
    if (nodes == nullptr && jacobians == nullptr) return jacobian;
    for (int i = 0; i < dimension; ++i) {
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

  Wide determinant(const Matrix& m) const {
    switch (dimension) {
      case 1: return m[0][0];
      case 2: return m[0][0] * m[1][1] - m[0][1] * m[1][0];
      default:
        return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    }
  }

  Wide measure(std::size_t c, std::size_t p) const {
    if (weights->rank() == 2) return weights->at({c, 0, 0, p, 0, 0});
    return weights->at({0, 0, 0, p, 0, 0}) * std::abs(determinant(jacobianAt(c, p)));
  }

  /// Solves J^T x = b by Cramer's rule.
  WideVector solveTransposed(const Matrix& jacobian, const WideVector& b) const {
    WideVector x(dimension);
    for (int n = 0; n < dimension; ++n) {
      Matrix replaced = {};
      for (int i = 0; i < dimension; ++i) {
        for (int k = 0; k < dimension; ++k) replaced[i][k] = k == n ? b[i] : jacobian[k][i];
      }
      x[n] = determinant(replaced) / determinant(jacobian);
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
        WideVector image(dimension, 0);
        for (int i = 0; i < dimension; ++i) {
          for (int k = 0; k < dimension; ++k) image[i] += jacobian[i][k] * reference[k];
          image[i] /= determinant(jacobian);
        }
        return image;
      }
      default: throw std::logic_error("the oracle does not know this pullback");
    }
  }

  /// lambda (div u)(div v) + 2 mu e(u) : e(v) for displacements u e_j and v e_i.
  Wide elastic(const WideVector& grad_u, const WideVector& grad_v, int j, int i, Wide lambda,
               Wide mu) const {
    Wide sum = lambda * grad_u[j] * grad_v[i];
    for (int a = 0; a < dimension; ++a) {
      for (int b = 0; b < dimension; ++b) {
        const Wide strain_u = ((a == j ? grad_u[b] : 0) + (b == j ? grad_u[a] : 0)) / 2;
        const Wide strain_v = ((a == i ? grad_v[b] : 0) + (b == i ? grad_v[a] : 0)) / 2;
        sum += 2 * mu * strain_u * strain_v;
      }
    }
    return sum;
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

}  // namespace KontractTest

#endif
