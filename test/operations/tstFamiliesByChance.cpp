// SPDX-License-Identifier: BSD-3-Clause
//
// Products and vectors of the exact sequence on hexahedra, of advection and of elasticity by
// chance: functions of each direction, points, numbers of cells, families in any order and with any
// signs, layouts, ways to know cells, signs of fields. All algorithms that serve them, on the
// default execution space, against plain sums in long double.

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "ByChance.hpp"
#include "DrawnArrays.hpp"
#include "KeepLargest.hpp"
#include "Kontract_Integration.hpp"
#include "Kontract_TensorBasis.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Kontract::Pullback;
using Space = Kokkos::DefaultExecutionSpace;
using Integration = Kontract::Integration<Space>;
using Counts = std::array<int, 3>;
using Vector = std::array<long double, 3>;

/// Values of all fields of a side at all points.
struct Side {
  Pullback pullback;
  int components = 1;
  std::vector<std::vector<Vector>> at;  ///< by field and point
};

/// A value on the cell of one on the reference cell.
Vector pulledBack(Pullback pullback, const Jacobian& j, const Vector& v) {
  Vector to{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t a = 0; a < 3; ++a) {
      if (pullback == Pullback::Covariant) to[i] += j.inverse[a][i] * v[a];
      if (pullback == Pullback::Contravariant || pullback == Pullback::Curl) {
        to[i] += j.at[i][a] * v[a] / j.determinant;
      }
    }
  }
  if (pullback == Pullback::Scalar) to[0] = v[0];
  if (pullback == Pullback::Density) to[0] = v[0] / j.determinant;
  return to;
}

template <class Real, class Layout>
class Check : DrawnArrays<Real, Layout> {
  using Source = DrawnArrays<Real, Layout>;
  template <class T>
  using Array = typename Source::template Array<T>;
  using Table = Held<Array<Real**>>;
  using Source::draw;

 public:
  Check(unsigned seed, Teuchos::FancyOStream& out, bool& success)
      : Source(seed), _seed(seed), _out(out), _success(success) {
    const bool are_like = draw(0, 3) > 0;
    const int closed = draw(0, 4) == 0 ? draw(6, 10) : draw(1, 5);
    for (std::size_t d = 0; d < 3; ++d) {
      _closed[d] = are_like ? closed : draw(1, closed);
      _open[d] = are_like ? std::max(1, closed - 1) : draw(1, closed);
      _points[d] = closed + 1;
    }
    if (draw(0, 2) == 0) {
      for (int& points : _points) points = draw(1, closed + 3);
    }
    _all_points = _points[0] * _points[1] * _points[2];
    const int few = std::array<int, 5>{1, 2, 3, 7, 33}[std::size_t(draw(0, closed > 5 ? 1 : 4))];
    // Of many cells blocks of devices compute several at a time.
    const bool are_many = closed <= 4 && draw(0, 2) == 0;
    _cells = are_many ? 8000 / (closed * closed) + 1 : few;
    for (std::size_t d = 0; d < 3; ++d) {
      _values[d] = table(_closed[d], d);
      _slopes[d] = table(_closed[d], d);
      _open_values[d] = table(_open[d], d);
    }
    _from_nodes = draw(0, 2) == 0;
    _is_affine = draw(0, 2) == 0;
    _jacobians =
        this->template drawn<Real****>({_cells, _is_affine ? 1 : _all_points, 3, 3},
                                       [](const Indices& i) { return i[2] == i[3] ? 4. : 0.; });
    this->drawNodes(_cells, _points);
    _weights = this->template drawn<Real*>({_all_points});
    _scalar = this->template drawn<Real**>({_cells, _all_points});
    _other = this->template drawn<Real**>({_cells, _all_points});
    _vector = this->template drawn<Real***>({_cells, _all_points, 3});
    _tensor = this->template drawn<Real****>({_cells, _all_points, 3, 3});
  }

  /// Checks one form.
  void run() {
    constexpr auto edges = FunctionSpace::HCURL, faces = FunctionSpace::HDIV;
    const auto e = vectors(edges), f = vectors(faces), others = vectors(edges);
    const auto nodes = Kontract::tensorBasis(views(_values), views(_slopes));
    const auto cells = Kontract::tensorBasis(views(_open_values), views(_open_values));
    const Side gradients = sideOf(Pullback::Covariant, [](int a) { return a; });
    const Side values = sideOf(Pullback::Scalar, [](int) { return -1; });
    const Side of_edges = valuesOf(e), curls = curlsOf(e), of_faces = valuesOf(f);
    const Form curl = Form::product(Pullback::Contravariant, Pullback::Curl);
    const Form slopes = Form::product(Pullback::Density, Pullback::Scalar);
    switch (_seed % 20) {  // each form, whatever else is drawn
      case 0: return scalar(Form::mass(edges), e, e, of_edges, of_edges);
      case 1: return scalar(Form::mass(edges), e, others, of_edges, valuesOf(others));
      case 2: return scalar(Form::curlCurl(), e, e, curls, curls);
      case 3: return tensor(Form::curlCurl(), e, others, curls, curlsOf(others));
      case 4: return scalar(Form::mass(faces), f, f, of_faces, of_faces);
      case 5: return tensor(Form::mass(faces), f, f, of_faces, of_faces);
      case 6: return scalar(Form::divDiv(), f, f, divergencesOf(f), divergencesOf(f));
      case 7: return vector(Form::advection(), nodes, nodes, values, gradients);
      case 8: return vector(Form::advectionTransposed(), nodes, nodes, gradients, values);
      case 9: return tensor(Form::gradient(), e, nodes, of_edges, gradients);
      case 10: return scalar(Form::divergence(), cells, f, valuesOfCells(), divergencesOf(f));
      case 11: return tensor(curl, f, e, of_faces, curls);
      case 12: return load(Form::source(edges), e, of_edges, _vector);
      case 13: return load(Form::source(faces), f, of_faces, _vector);
      case 14: return load(slopes, f, divergencesOf(f), _scalar);
      case 15: return load(Form::source(FunctionSpace::HVOL), cells, valuesOfCells(), _scalar);
      case 16: return load(Form::gradGrad(), nodes, gradients, _vector);
      case 17: return scalar(Form::gradGrad(), nodes, nodes, gradients, gradients);
      case 18: return scalar(Form::mass(FunctionSpace::HGRAD), nodes, nodes, values, values);
      default: return elastic(nodes, gradients);
    }
  }

  std::map<std::string, int> served;  ///< calls of each algorithm

 private:
  Table table(int functions, std::size_t direction) {
    return this->template drawn<Real**>({functions, _points[direction]});
  }
  static std::array<Array<Real**>, 3> views(const std::array<Table, 3>& tables) {
    return {tables[0].view, tables[1].view, tables[2].view};
  }
  /// A basis of vectors, with families in some order and with some signs.
  auto vectors(FunctionSpace space) {
    Counts components{0, 1, 2}, signs;
    std::swap(components[0], components[std::size_t(draw(0, 2))]);
    std::swap(components[1], components[std::size_t(draw(1, 2))]);
    for (int& sign : signs) sign = draw(0, 1) == 0 ? 1 : -1;
    return Kontract::tensorBasis(space, Kontract::tensorBasis(views(_values), views(_slopes)),
                                 views(_open_values))
        .withFamilies(components, signs);
  }

  /// The product of functions of each direction at a point. \param slope  a direction, or none
  long double productAt(const std::array<bool, 3>& is_open, int f, int p, int slope) const {
    long double product = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      const auto& tables = int(d) == slope ? _slopes : is_open[d] ? _open_values : _values;
      const int count = is_open[d] ? _open[d] : _closed[d], points = _points[d];
      product *= tables[d].numbers[std::size_t((f % count) * points + p % points)];
      f /= count;
      p /= points;
    }
    return product;
  }
  int countOf(const std::array<bool, 3>& is_open) const {
    int count = 1;
    for (std::size_t d = 0; d < 3; ++d) count *= is_open[d] ? _open[d] : _closed[d];
    return count;
  }
  /// Adds the fields of a family, whose values are value(field, point).
  template <class Value>
  void addFamily(Side& side, int count, const Value& value) const {
    for (int f = 0; f < count; ++f) {
      side.at.emplace_back();
      for (int p = 0; p < _all_points; ++p) side.at.back().push_back(value(f, p));
    }
  }
  /// Values of HGRAD, or gradients: component a has the derivative in a direction, or in none.
  template <class Slope>
  Side sideOf(Pullback pullback, const Slope& slope) const {
    Side side{pullback, pullback == Pullback::Scalar ? 1 : 3, {}};
    const std::array<bool, 3> is_open{false, false, false};
    addFamily(side, countOf(is_open), [&](int f, int p) {
      Vector v{};
      for (int a = 0; a < side.components; ++a) {
        v[std::size_t(a)] = productAt(is_open, f, p, slope(a));
      }
      return v;
    });
    return side;
  }
  Side valuesOfCells() const {
    Side side{Pullback::Density, 1, {}};
    const std::array<bool, 3> is_open{true, true, true};
    addFamily(side, countOf(is_open), [&](int f, int p) {
      return Vector{productAt(is_open, f, p, -1), 0, 0};
    });
    return side;
  }
  /// Values of a basis of vectors, v = (0, .., field, .., 0), and what follows from them.
  template <class Basis, class Value>
  Side vectorSide(const Basis& basis, Pullback pullback, const Value& value) const {
    Side side{pullback, pullback == Pullback::Density ? 1 : 3, {}};
    for (int m = 0; m < 3; ++m) {
      const int axis = basis.components[m];
      std::array<bool, 3> is_open;
      for (int d = 0; d < 3; ++d) {
        is_open[std::size_t(d)] = (basis.space == FunctionSpace::HCURL) == (d == axis);
      }
      addFamily(side, countOf(is_open), [&](int f, int p) {
        Vector v = value(axis, [&](int slope) { return productAt(is_open, f, p, slope); });
        for (long double& x : v) x *= basis.signs[m];
        return v;
      });
    }
    return side;
  }
  template <class Basis>
  Side valuesOf(const Basis& basis) const {
    const bool is_edges = basis.space == FunctionSpace::HCURL;
    return vectorSide(basis, is_edges ? Pullback::Covariant : Pullback::Contravariant,
                      [](int axis, const auto& field) {
                        Vector v{};
                        v[std::size_t(axis)] = field(-1);
                        return v;
                      });
  }
  template <class Basis>
  Side curlsOf(const Basis& basis) const {
    return vectorSide(basis, Pullback::Curl, [](int axis, const auto& field) {
      const int next = (axis + 1) % 3, last = (axis + 2) % 3;
      Vector v{};
      v[std::size_t(next)] = field(last);
      v[std::size_t(last)] = -field(next);
      return v;
    });
  }
  template <class Basis>
  Side divergencesOf(const Basis& basis) const {
    return vectorSide(basis, Pullback::Density, [](int axis, const auto& field) {
      return Vector{field(axis), 0, 0};
    });
  }

  std::size_t pointOf(int c, int p) const { return std::size_t(c * _all_points + p); }
  Jacobian jacobian(int c, int p) const {
    if (!_from_nodes) {
      return Jacobian(&_jacobians.numbers[9 * (_is_affine ? std::size_t(c) : pointOf(c, p))]);
    }
    long double of[9] = {};
    this->addNodes(c, p, of);
    return Jacobian(of);
  }
  /// Calls f with the geometry that was drawn.
  template <class F>
  void withGeometry(const F& f) {
    if (_from_nodes) {
      f(Kontract::geometry(this->nodes(), this->gradients(), _weights.view));
    } else {
      f(Kontract::geometry(_jacobians.view, _weights.view));
    }
  }

  template <class Left, class Right>
  void scalar(const Form& form, const Left& l, const Right& r, const Side& left,
              const Side& right) {
    product(Kontract::term(form, l, r, _scalar.view), left, right, [&](int c, int p, int i, int j) {
      return i == j ? _scalar.numbers[pointOf(c, p)] : 0;
    });
  }
  template <class Left, class Right>
  void tensor(const Form& form, const Left& l, const Right& r, const Side& left,
              const Side& right) {
    product(Kontract::term(form, l, r, _tensor.view), left, right, [&](int c, int p, int i, int j) {
      return _tensor.numbers[9 * pointOf(c, p) + std::size_t(3 * i + j)];
    });
  }
  template <class Left, class Right>
  void vector(const Form& form, const Left& l, const Right& r, const Side& left,
              const Side& right) {
    product(Kontract::term(form, l, r, _vector.view), left, right, [&](int c, int p, int i, int j) {
      return _vector.numbers[3 * pointOf(c, p) + std::size_t(i + j)];
    });
  }

  /// \param coefficient  of a cell, a point, a left component and a right one
  template <class Term, class Coefficient>
  void product(const Term& term, const Side& left, const Side& right,
               const Coefficient& coefficient) {
    const int lefts = int(left.at.size()), rights = int(right.at.size());
    const auto x = this->template drawn<Real**>({_cells, rights});
    const auto signs = this->template drawn<Real**>({_cells, std::max(lefts, rights)});
    const bool has_signs = lefts == rights && draw(0, 2) == 0;
    const auto signOf = [&](int c, int f) {
      return has_signs ? signs.numbers[std::size_t(c * lefts + f)] : 1.0L;
    };
    Numbers wanted;
    for (int c = 0; c < _cells; ++c) {
      const auto fluxAt = [&](int p) {
        const Jacobian j = jacobian(c, p);
        Vector u{}, flux{};
        for (int r = 0; r < rights; ++r) {
          const Vector& v = right.at[std::size_t(r)][std::size_t(p)];
          const long double x_of = signOf(c, r) * x.numbers[std::size_t(c * rights + r)];
          for (std::size_t a = 0; a < 3; ++a) u[a] += x_of * v[a];
        }
        u = pulledBack(right.pullback, j, u);
        for (int i = 0; i < left.components; ++i) {
          for (int k = 0; k < right.components; ++k) {
            flux[std::size_t(i)] += measure(c, p) * coefficient(c, p, i, k) * u[std::size_t(k)];
          }
        }
        return flux;
      };
      addSums(
          left, c, fluxAt, [&](int l) { return signOf(c, l); }, wanted);
    }
    withGeometry([&](const auto& geometry) {
      compare("", wanted, lefts, [&](const auto& y, const auto& options) {
        if (has_signs) {
          Integration::apply(y, x.view, geometry, term.withSigns(signs.view, signs.view), options);
        } else {
          Integration::apply(y, x.view, geometry, term, options);
        }
      });
      const Array<Real***> factors("factors", std::size_t(_cells),
                                   std::size_t(left.components * right.components),
                                   std::size_t(_all_points));
      Integration::factors(factors, geometry, term);
      const auto by_factors = Kontract::factored(term, factors);
      compare("by factors, ", wanted, lefts, [&](const auto& y, const auto& options) {
        if (has_signs) {
          Integration::apply(y, x.view, Kontract::geometry(),
                             by_factors.withSigns(signs.view, signs.view), options);
        } else {
          Integration::apply(y, x.view, Kontract::geometry(), by_factors, options);
        }
      });
      compareMatrices(wanted, x.numbers, lefts, rights, [&](const auto& out, const auto& options) {
        if (has_signs) {
          Integration::matrices(out, geometry, term.withSigns(signs.view, signs.view), options);
        } else {
          Integration::matrices(out, geometry, term, options);
        }
      });
    });
  }
  long double measure(int c, int p) const {
    return std::abs(jacobian(c, p).determinant) * _weights.numbers[std::size_t(p)];
  }
  /// Adds sums over points of left values times fluxes.
  template <class FluxAt, class Sign>
  void addSums(const Side& left, int c, const FluxAt& fluxAt, const Sign& sign,
               Numbers& wanted) const {
    std::vector<Vector> fluxes;  // on the reference cell
    for (int p = 0; p < _all_points; ++p) {
      const Vector flux = fluxAt(p);
      fluxes.emplace_back();
      for (std::size_t a = 0; a < std::size_t(left.components); ++a) {
        Vector unit{};
        unit[a] = 1;
        const Vector column = pulledBack(left.pullback, jacobian(c, p), unit);
        for (std::size_t i = 0; i < 3; ++i) fluxes.back()[a] += column[i] * flux[i];
      }
    }
    for (std::size_t l = 0; l < left.at.size(); ++l) {
      long double sum = 0;
      for (std::size_t p = 0; p < fluxes.size(); ++p) {
        for (std::size_t a = 0; a < 3; ++a) sum += left.at[l][p][a] * fluxes[p][a];
      }
      wanted.push_back(sign(int(l)) * sum);
    }
  }

  template <class Basis, class Source>
  void load(const Form& form, const Basis& basis, const Side& left, const Source& source) {
    const std::size_t components = std::size_t(left.components);
    Numbers wanted;
    for (int c = 0; c < _cells; ++c) {
      const auto fluxAt = [&](int p) {
        Vector flux{};
        for (std::size_t a = 0; a < components; ++a) {
          flux[a] = measure(c, p) * source.numbers[components * pointOf(c, p) + a];
        }
        return flux;
      };
      addSums(
          left, c, fluxAt, [](int) { return 1.0L; }, wanted);
    }
    withGeometry([&](const auto& geometry) {
      compare("", wanted, int(left.at.size()), [&](const auto& y, const auto& options) {
        Integration::vectors(y, geometry, Kontract::load(form, basis, source.view), options);
      });
    });
  }

  template <class Nodes>
  void elastic(const Nodes& nodes, const Side& gradients) {
    const int fields = int(gradients.at.size());
    const auto x = this->template drawn<Real**>({_cells, 3 * fields});
    Numbers wanted;
    for (int c = 0; c < _cells; ++c) {
      std::vector<std::array<Vector, 3>> stresses;  // rows, on the cell
      for (int p = 0; p < _all_points; ++p) {
        std::array<Vector, 3> slope{}, stress{};
        for (int r = 0; r < fields; ++r) {
          for (std::size_t i = 0; i < 3; ++i) {
            const long double x_of = x.numbers[std::size_t((c * fields + r) * 3) + i];
            const Vector& v = gradients.at[std::size_t(r)][std::size_t(p)];
            for (std::size_t a = 0; a < 3; ++a) slope[i][a] += x_of * v[a];
          }
        }
        for (Vector& of : slope) of = pulledBack(Pullback::Covariant, jacobian(c, p), of);
        const long double lambda = _scalar.numbers[pointOf(c, p)],
                          mu = _other.numbers[pointOf(c, p)];
        for (std::size_t i = 0; i < 3; ++i) {
          for (std::size_t k = 0; k < 3; ++k) {
            stress[i][k] = mu * (slope[i][k] + slope[k][i]);
            if (i == k) stress[i][k] += lambda * (slope[0][0] + slope[1][1] + slope[2][2]);
            stress[i][k] *= measure(c, p);
          }
        }
        stresses.push_back(stress);
      }
      Numbers of_component[3];
      for (std::size_t i = 0; i < 3; ++i) {
        addSums(
            gradients, c, [&](int p) { return stresses[std::size_t(p)][i]; },
            [](int) { return 1.0L; }, of_component[i]);
      }
      for (std::size_t f = 0; f < std::size_t(fields); ++f) {
        for (const Numbers& of : of_component) wanted.push_back(of[f]);
      }
    }
    withGeometry([&](const auto& geometry) {
      const auto term = Kontract::term(Form::elasticity(), nodes, nodes, _scalar.view, _other.view);
      compare("", wanted, 3 * fields, [&](const auto& y, const auto& options) {
        Integration::apply(y, x.view, geometry, term, options);
      });
      compareMatrices(wanted, x.numbers, 3 * fields, 3 * fields,
                      [&](const auto& out, const auto& options) {
                        Integration::matrices(out, geometry, term, options);
                      });
    });
  }

  /// \param how  of messages: what is computed in which way
  template <class Call>
  void compare(const std::string& how, const Numbers& wanted, int fields, const Call& call) {
    const Array<Real**> y("y", std::size_t(_cells), std::size_t(fields));
    forEachAlgorithm(fields, [&](const std::string& algorithm, const auto& options) {
      Kokkos::deep_copy(y, std::numeric_limits<Real>::quiet_NaN());
      call(y, options);
      const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
      check(how + algorithm, wanted, fields, [&](int c, int f) { return found(c, f); });
    });
  }

  /// Matrices times the vector are the product.
  template <class Call>
  void compareMatrices(const Numbers& wanted, const Numbers& x, int lefts, int rights,
                       const Call& call) {
    constexpr int most_entries = 600000;
    if (_cells > most_entries / (lefts * rights)) return;
    const Array<Real***> out("out", std::size_t(_cells), std::size_t(lefts), std::size_t(rights));
    forEachAlgorithm(
        std::max(lefts, rights), [&](const std::string& algorithm, const auto& options) {
          Kokkos::deep_copy(out, std::numeric_limits<Real>::quiet_NaN());
          call(out, options);
          const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
          check("matrices, " + algorithm, wanted, lefts, [&](int c, int l) {
            long double sum = 0;
            for (int r = 0; r < rights; ++r) sum += found(c, l, r) * x[std::size_t(c * rights + r)];
            return sum;
          });
        });
  }

  /// Calls f(algorithm, options) for algorithms that may serve a call; it throws where they do not.
  template <class F>
  void forEachAlgorithm(int fields, const F& f) {
    for (const std::string algorithm :
         {"Auto", "Flat", "Team Reduction", "Tensor Core", "Register Blocking"}) {
      constexpr int most_of_plain_sums = 300;
      if (algorithm == "Flat" && fields > most_of_plain_sums) continue;
      Teuchos::ParameterList list;
      list.set("Algorithm", algorithm);
      try {
        f(algorithm, Kontract::Options(list));
      } catch (const std::invalid_argument&) {
        if (algorithm == "Auto" || algorithm == "Flat") throw;
        continue;  // it does not serve this
      }
      ++served[algorithm];
    }
  }

  template <class Found>
  void check(const std::string& what, const Numbers& wanted, int fields, const Found& found) {
    long double largest = 0, size = 1;
    for (std::size_t n = 0; n < wanted.size(); ++n) {
      const int place = int(n);
      keepLargest(largest, std::abs(found(place / fields, place % fields) - wanted[n]));
      size = std::max(size, std::abs(wanted[n]));
    }
    const long double tolerance = 400 * (long double)(std::numeric_limits<Real>::epsilon());
    if (largest <= tolerance * size) return;
    _success = false;
    _out << "seed " << _seed << ", " << what << ": " << double(largest) << " of " << double(size)
         << ", " << _closed[0] << " " << _closed[1] << " " << _closed[2] << " functions, "
         << _points[0] << " " << _points[1] << " " << _points[2] << " points, " << _cells
         << " cells, " << fields << " fields\n";
  }

  unsigned _seed;
  Teuchos::FancyOStream& _out;
  bool& _success;
  Counts _closed, _open, _points;
  int _all_points, _cells;
  bool _from_nodes, _is_affine;
  std::array<Table, 3> _values, _slopes, _open_values;
  Held<Array<Real****>> _jacobians, _tensor;
  Held<Array<Real***>> _vector;
  Held<Array<Real*>> _weights;
  Table _scalar, _other;
};

template <class Real, class Layout>
void checkAll(unsigned first, Teuchos::FancyOStream& out, bool& success) {
  constexpr unsigned count = 40;  // two of each form
  checkByChance<Check<Real, Layout>>("FamiliesByChance", first, count, out, success);
}

TEUCHOS_UNIT_TEST(FamiliesByChance, layoutRight) {
  checkAll<double, Kokkos::LayoutRight>(0, out, success);
}
TEUCHOS_UNIT_TEST(FamiliesByChance, layoutLeft) {
  checkAll<double, Kokkos::LayoutLeft>(1000, out, success);
}
TEUCHOS_UNIT_TEST(FamiliesByChance, singlePrecision) {
  checkAll<float, Kokkos::LayoutRight>(2000, out, success);
}

}  // namespace
}  // namespace KontractTest
