// SPDX-License-Identifier: BSD-3-Clause
//
// Vectors and matrix-free products of tensor-product bases on hexahedra by chance: orders, points,
// numbers of cells, layouts, ways to know cells, coefficients, signs, unknowns that cells share.
// All algorithms that serve them, on the default execution space, against sums direction by
// direction in long double.

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
#include <type_traits>
#include <vector>

#include "ByChance.hpp"
#include "DrawnArrays.hpp"
#include "KeepLargest.hpp"
#include "Kontract_CellNumbers.hpp"
#include "Kontract_Integration.hpp"
#include "Kontract_TensorBasis.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Space = Kokkos::DefaultExecutionSpace;
using Integration = Kontract::Integration<Space>;
constexpr int D = 3;

/// Functions at points of each direction, (N,Q) each.
using Tables = std::array<Numbers, D>;

/// Sums over one index of an array of three, the first one fastest, with a table.
/// \param to_points  sums over functions, else over points
Numbers summed(const Numbers& from, std::array<int, D>& extents, int direction,
               const Numbers& table, int functions, int points, bool to_points) {
  const int in = to_points ? functions : points, out = to_points ? points : functions;
  std::array<int, D> after = extents;
  after[std::size_t(direction)] = out;
  int step = 1, others = 1;
  for (int d = 0; d < D; ++d) {
    if (d < direction) step *= extents[std::size_t(d)];
    if (d > direction) others *= extents[std::size_t(d)];
  }
  Numbers to(std::size_t(step) * std::size_t(out) * std::size_t(others), 0);
  for (int o = 0; o < others; ++o) {
    for (int j = 0; j < out; ++j) {
      for (int i = 0; i < in; ++i) {
        const int f = to_points ? i : j, p = to_points ? j : i;
        const long double at = table[std::size_t(f * points + p)];
        for (int s = 0; s < step; ++s) {
          to[std::size_t((o * out + j) * step + s)] +=
              at * from[std::size_t((o * in + i) * step + s)];
        }
      }
    }
  }
  extents = after;
  return to;
}

/// What a case is of.
struct Case {
  int functions, cells;
  std::array<int, D> points;
  bool sum_into, has_signs, is_shared, has_other_right, is_affine;
  int all_points() const { return points[0] * points[1] * points[2]; }
  int fields() const { return functions * functions * functions; }
};

template <class Real, class Layout>
struct Drawn : DrawnArrays<Real, Layout> {
  using DrawnArrays<Real, Layout>::draw;

  explicit Drawn(unsigned seed) : DrawnArrays<Real, Layout>(seed) {
    of.functions = draw(0, 4) == 0 ? draw(7, 12) : draw(2, 6);
    // Plain sums of high orders take long.
    const int most = of.functions > 6 ? 1 : of.functions > 4 ? 3 : 5;
    of.cells = std::array<int, 6>{1, 2, 7, 13, 33, 70}[std::size_t(draw(0, most))];
    // Of many cells blocks of devices compute several at a time.
    constexpr int many = 8000;
    if (of.functions <= 4 && draw(0, 3) == 0) of.cells = many / (of.functions * of.functions) + 1;
    for (int& points : of.points) points = of.functions + 1;
    if (draw(0, 2) == 0) {
      for (int& points : of.points) points = draw(draw(0, 9) == 0 ? 0 : 1, of.functions + 3);
    }
    of.sum_into = draw(0, 1) == 0;
    of.has_signs = draw(0, 2) == 0;
    of.is_shared = draw(0, 1) == 0;
    of.has_other_right = draw(0, 3) == 0;
    of.is_affine = draw(0, 3) == 0;
  }

  Case of;
};

/// What a form computes on each cell, in plain sums.
class Oracle {
 public:
  Oracle(const Case& of, const Tables& left, const Tables& right, const Tables& left_slopes,
         const Tables& right_slopes)
      : _of(of),
        _left(left),
        _right(right),
        _left_slopes(left_slopes),
        _right_slopes(right_slopes) {}

  /// \param flux  called with a point, right values, or gradients on the reference cell, and what
  ///   they become
  /// \param vector  of the cell; empty: of a load
  template <class Flux>
  Numbers ofCell(bool is_gradient, const Numbers& vector, const Flux& flux) const {
    const int components = is_gradient ? D : 1;
    std::vector<Numbers> values(std::size_t(components), Numbers(std::size_t(_of.all_points()), 1));
    for (int a = 0; a < components && !vector.empty(); ++a) {
      values[std::size_t(a)] = along(vector, a, is_gradient, _right, _right_slopes, true);
    }
    for (int p = 0; p < _of.all_points(); ++p) {
      std::array<long double, D> u{}, f{};
      for (int a = 0; a < components; ++a)
        u[std::size_t(a)] = values[std::size_t(a)][std::size_t(p)];
      flux(p, u, f);
      for (int a = 0; a < components; ++a)
        values[std::size_t(a)][std::size_t(p)] = f[std::size_t(a)];
    }
    Numbers sums(std::size_t(_of.fields()), 0);
    for (int a = 0; a < components; ++a) {
      const Numbers part =
          along(values[std::size_t(a)], a, is_gradient, _left, _left_slopes, false);
      for (std::size_t f = 0; f < sums.size(); ++f) sums[f] += part[f];
    }
    return sums;
  }

 private:
  Numbers along(Numbers numbers, int component, bool is_gradient, const Tables& values,
                const Tables& slopes, bool to_points) const {
    const int n = _of.functions;
    std::array<int, D> extents = to_points ? std::array<int, D>{n, n, n} : _of.points;
    for (int d = 0; d < D; ++d) {
      const Tables& tables = is_gradient && d == component ? slopes : values;
      numbers = summed(numbers, extents, d, tables[std::size_t(d)], n, _of.points[std::size_t(d)],
                       to_points);
    }
    return numbers;
  }

  const Case& _of;
  const Tables &_left, &_right, &_left_slopes, &_right_slopes;
};

template <class Real, class Layout>
class Check {
 public:
  using Source = Drawn<Real, Layout>;
  template <class T>
  using Array = typename Source::template Array<T>;

  Check(unsigned seed, Teuchos::FancyOStream& out, bool& success)
      : _drawn(seed), _of(_drawn.of), _seed(seed), _out(out), _success(success) {
    for (std::size_t d = 0; d < D; ++d) {
      for (int side = 0; side < 2; ++side) {
        const int sign = _drawn.draw(-1, 1);
        const auto values = table(_of.functions, _of.points[d], sign),
                   slopes = table(_of.functions, _of.points[d], -sign);
        _values[side][d] = values.view;
        _slopes[side][d] = slopes.view;
        _value_numbers[side][d] = values.numbers;
        _slope_numbers[side][d] = slopes.numbers;
      }
    }
    _signs = _drawn.template drawn<Real**>({_of.cells, _of.fields()});
    _jacobians =
        _drawn.template drawn<Real****>({_of.cells, _of.is_affine ? 1 : _of.all_points(), D, D},
                                        [](const Indices& i) { return i[2] == i[3] ? 4. : 0.; });
    _weights = _drawn.template drawn<Real*>({_of.all_points()});
    _scalar = _drawn.template drawn<Real**>({_of.cells, _of.all_points()});
    _measures = _drawn.template drawn<Real**>({_of.cells, _of.all_points()});
    _vector = _drawn.template drawn<Real***>({_of.cells, _of.all_points(), D});
    _tensor = _drawn.template drawn<Real****>({_of.cells, _of.all_points(), D, D});
    _half = _drawn.template drawn<Real***>({_of.cells, 6, _of.all_points()});
    _full = _drawn.template drawn<Real***>({_of.cells, 9, _of.all_points()});
    _drawn.drawNodes(_of.cells, _of.points);
  }

  /// Checks one form.
  void run() {
    const auto left = basis(0), right = basis(rightSide());
    const Form stiffness = Form::gradGrad(), mass = Form::mass(FunctionSpace::HGRAD);
    const auto jacobians = Kontract::geometry(_jacobians.view, _weights.view);
    const auto nodes = Kontract::geometry(_drawn.nodes(), _drawn.gradients(), _weights.view);
    switch (_drawn.draw(0, 9)) {
      case 0:
        return product(Kontract::geometry(),
                       Kontract::factored(Kontract::term(stiffness, left, left), _half.view), true,
                       0, [&](int c, int p, const auto& u, auto& f) { timesHalf(c, p, u, f); });
      case 1:
        return product(
            Kontract::geometry(),
            Kontract::factored(Kontract::term(stiffness, left, right, _tensor.view), _full.view),
            true, rightSide(), [&](int c, int p, const auto& u, auto& f) {
              for (int i = 0; i < 9; ++i) f[i / 3] += factor(_full, 9, c, i, p) * u[i % 3];
            });
      case 2:
        return product(jacobians, Kontract::term(stiffness, left, right, _scalar.view), true,
                       rightSide(), gradients(false, [&](int c, int p, int i, int j) {
                         return i == j ? at(_scalar, c, p) : 0;
                       }));
      case 3:
        return product(
            jacobians, Kontract::term(stiffness, left, right, _tensor.view), true, rightSide(),
            gradients(false, [&](int c, int p, int i, int j) {
              return _tensor.numbers[std::size_t((c * _of.all_points() + p) * 9 + 3 * i + j)];
            }));
      case 4:
        return product(nodes, Kontract::term(stiffness, left, right, _scalar.view), true,
                       rightSide(), gradients(true, [&](int c, int p, int i, int j) {
                         return i == j ? at(_scalar, c, p) : 0;
                       }));
      case 5:
        return product(Kontract::geometry(_measures.view), Kontract::term(mass, left, right), false,
                       rightSide(), [&](int c, int p, const auto& u, auto& f) {
                         f[0] = at(_measures, c, p) * u[0];
                       });
      case 6:
        return product(nodes, Kontract::term(mass, left, right, _scalar.view), false, rightSide(),
                       [&](int c, int p, const auto& u, auto& f) {
                         f[0] = measure(true, c, p) * at(_scalar, c, p) * u[0];
                       });
      case 7:
        return load(jacobians,
                    Kontract::load(Form::source(FunctionSpace::HGRAD), left, _scalar.view), false,
                    [&](int c, int p, const auto&, auto& f) {
                      f[0] = measure(false, c, p) * at(_scalar, c, p);
                    });
      case 8:
        return load(Kontract::geometry(_measures.view),
                    Kontract::load(Form::source(FunctionSpace::HGRAD), left, _scalar.view), false,
                    [&](int c, int p, const auto&, auto& f) {
                      f[0] = at(_measures, c, p) * at(_scalar, c, p);
                    });
      default:
        return load(jacobians, Kontract::load(stiffness, left, _vector.view), true,
                    [&](int c, int p, const auto&, auto& f) {
                      const Jacobian j = jacobian(false, c, p);
                      for (int a = 0; a < D; ++a) {
                        for (int i = 0; i < D; ++i) {
                          f[a] += measure(false, c, p) * j.inverse[a][i] *
                                  _vector.numbers[std::size_t((c * _of.all_points() + p) * D + i)];
                        }
                      }
                    });
    }
  }

  std::map<std::string, int> served;  ///< calls of each algorithm

 private:
  /// A table (N,Q) that read backwards is itself or its opposite, or has any numbers.
  /// \param sign  1, -1, or 0
  Held<Array<Real**>> table(int functions, int points, int sign) {
    const auto any = _drawn.template drawn<Real**>({functions, points});
    if (sign == 0) return any;
    return _drawn.template held<Real**>({functions, points}, [&](const Indices& i) {
      const std::size_t here = i[0] * std::size_t(points) + i[1];
      const std::size_t there = any.numbers.size() - 1 - here;
      const long double x = any.numbers[std::min(here, there)];
      return here < there || (here == there && sign > 0) ? x : here > there ? sign * x : 0;
    });
  }

  int rightSide() const { return _of.has_other_right ? 1 : 0; }
  auto basis(int side) const { return Kontract::tensorBasis(_values[side], _slopes[side]); }
  long double at(const Held<Array<Real**>>& array, int c, int p) const {
    return array.numbers[std::size_t(c * _of.all_points() + p)];
  }
  long double factor(const Held<Array<Real***>>& array, int count, int c, int i, int p) const {
    return array.numbers[std::size_t((c * count + i) * _of.all_points() + p)];
  }
  template <class U, class F>
  void timesHalf(int c, int p, const U& u, F& f) const {
    int place = 0;
    for (int i = 0; i < D; ++i) {
      for (int j = i; j < D; ++j, ++place) {
        const long double k = factor(_half, 6, c, place, p);
        f[std::size_t(i)] += k * u[std::size_t(j)];
        if (i != j) f[std::size_t(j)] += k * u[std::size_t(i)];
      }
    }
  }
  Jacobian jacobian(bool from_nodes, int c, int p) const {
    if (!from_nodes) {
      const int place = _of.is_affine ? c : c * _of.all_points() + p;
      return Jacobian(&_jacobians.numbers[std::size_t(place * 9)]);
    }
    long double of[9] = {};
    _drawn.addNodes(c, p, of);
    return Jacobian(of);
  }
  long double measure(bool from_nodes, int c, int p) const {
    return std::abs(jacobian(from_nodes, c, p).determinant) * _weights.numbers[std::size_t(p)];
  }
  /// The flux of gradients whose coefficient is coefficient(cell, point, row, column).
  template <class Coefficient>
  auto gradients(bool from_nodes, const Coefficient& coefficient) const {
    return [=, this_ = this](int c, int p, const auto& u, auto& f) {
      const Jacobian j = this_->jacobian(from_nodes, c, p);
      const long double w = this_->measure(from_nodes, c, p);
      for (int a = 0; a < D; ++a) {
        for (int b = 0; b < D; ++b) {
          for (int i = 0; i < D; ++i) {
            for (int k = 0; k < D; ++k) {
              f[std::size_t(a)] += w * j.inverse[a][i] * coefficient(c, p, i, k) * j.inverse[b][k] *
                                   u[std::size_t(b)];
            }
          }
        }
      }
    };
  }

  template <class Geometry, class Term, class Flux>
  void product(const Geometry& geometry, const Term& term, bool is_gradient, int right,
               const Flux& flux) {
    if (_of.has_signs) {
      productOf(geometry, term.withSigns(_signs.view, _signs.view), is_gradient, right, flux);
    } else {
      productOf(geometry, term, is_gradient, right, flux);
    }
  }
  template <class Geometry, class Term, class Flux>
  void productOf(const Geometry& geometry, const Term& term, bool is_gradient, int right,
                 const Flux& flux) {
    const Oracle oracle = oracleWith(right);
    const auto of_cells = [&](const auto& vectorOf) {
      return [&, vectorOf](int c) {
        Numbers vector(std::size_t(_of.fields()));
        for (int f = 0; f < _of.fields(); ++f) vector[std::size_t(f)] = sign(c, f) * vectorOf(c, f);
        return oracle.ofCell(is_gradient, vector,
                             [&](int p, const auto& u, auto& f) { flux(c, p, u, f); });
      };
    };
    if (_of.is_shared) {
      const auto x = _drawn.template drawn<Real*>({unknowns()});
      shared(of_cells([&](int c, int f) {
               return number(c, f) < 0 ? 0.0L : x.numbers[std::size_t(number(c, f))];
             }),
             [&](const auto& y, const auto& numbers, const auto& options) {
               Integration::apply(Kontract::scattered(y, numbers),
                                  Kontract::gathered(x.view, numbers), geometry, term, _of.sum_into,
                                  options);
             });
    } else {
      const auto x = _drawn.template drawn<Real**>({_of.cells, _of.fields()});
      cells(of_cells([&](int c, int f) { return x.numbers[std::size_t(c * _of.fields() + f)]; }),
            [&](const auto& y, const auto& options) {
              Integration::apply(y, x.view, geometry, term, _of.sum_into, options);
            });
    }
  }
  template <class Geometry, class Load, class Flux>
  void load(const Geometry& geometry, const Load& load, bool is_gradient, const Flux& flux) {
    const Oracle oracle = oracleWith(0);
    _of.has_signs = false;
    const auto of_cell = [&](int c) {
      return oracle.ofCell(is_gradient, {},
                           [&](int p, const auto& u, auto& f) { flux(c, p, u, f); });
    };
    if (_of.is_shared) {
      shared(of_cell, [&](const auto& y, const auto& numbers, const auto& options) {
        Integration::vectors(Kontract::scattered(y, numbers), geometry, load, _of.sum_into,
                             options);
      });
    } else {
      cells(of_cell, [&](const auto& y, const auto& options) {
        Integration::vectors(y, geometry, load, _of.sum_into, options);
      });
    }
  }
  Oracle oracleWith(int right) const {
    return Oracle(_of, _value_numbers[0], _value_numbers[std::size_t(right)], _slope_numbers[0],
                  _slope_numbers[std::size_t(right)]);
  }
  long double sign(int c, int f) const {
    return _of.has_signs ? _signs.numbers[std::size_t(c * _of.fields() + f)] : 1;
  }
  int unknowns() const { return 2 * _of.cells + _of.fields(); }
  /// That of a field; some are left out.
  int number(int c, int f) const {
    return (c + 3 * f) % 13 == 0 ? -1 : (2 * c + 7 * f) % unknowns();
  }

  /// Arrays of cells.
  template <class OfCell, class Call>
  void cells(const OfCell& of_cell, const Call& call) {
    Numbers wanted;
    for (int c = 0; c < _of.cells; ++c) {
      const Numbers sums = of_cell(c);
      for (int f = 0; f < _of.fields(); ++f) {
        wanted.push_back((_of.sum_into ? 2 : 0) + sign(c, f) * sums[std::size_t(f)]);
      }
    }
    const Array<Real**> y("y", std::size_t(_of.cells), std::size_t(_of.fields()));
    compare(
        wanted, y, [&](const auto& options) { call(y, options); },
        [&](const auto& host, std::size_t n) {
          return host(n / std::size_t(_of.fields()), n % std::size_t(_of.fields()));
        });
  }
  /// Unknowns that cells share.
  template <class OfCell, class Call>
  void shared(const OfCell& of_cell, const Call& call) {
    Numbers wanted(std::size_t(unknowns()), _of.sum_into ? 2 : 0);
    const Array<int**> table("numbers", std::size_t(_of.cells), std::size_t(_of.fields()));
    const auto host = Kokkos::create_mirror_view(table);
    for (int c = 0; c < _of.cells; ++c) {
      const Numbers sums = of_cell(c);
      for (int f = 0; f < _of.fields(); ++f) {
        host(c, f) = number(c, f);
        if (number(c, f) >= 0) {
          wanted[std::size_t(number(c, f))] += sign(c, f) * sums[std::size_t(f)];
        }
      }
    }
    Kokkos::deep_copy(table, host);
    const Kontract::CellNumbers<Space> numbers(table, unknowns());
    const Array<Real*> y("y", std::size_t(unknowns()));
    compare(
        wanted, y, [&](const auto& options) { call(y, numbers, options); },
        [](const auto& all, std::size_t n) { return all(n); });
  }

  template <class View, class Call, class At>
  void compare(const Numbers& wanted, const View& y, const Call& call, const At& atOf) {
    for (const std::string algorithm :
         {"Auto", "Flat", "Team Reduction", "Tensor Core", "Register Blocking"}) {
      constexpr int most_of_plain_sums = 6;
      if (algorithm == "Flat" && _of.functions > most_of_plain_sums) continue;
      Teuchos::ParameterList list;
      list.set("Algorithm", algorithm);
      Kokkos::deep_copy(y, _of.sum_into ? Real(2) : std::numeric_limits<Real>::quiet_NaN());
      try {
        call(Kontract::Options(list));
      } catch (const std::invalid_argument&) {
        if (algorithm == "Auto" || algorithm == "Flat") throw;
        continue;  // it does not serve this
      }
      ++served[algorithm];
      const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
      long double largest = 0, size = 1;
      for (std::size_t n = 0; n < wanted.size(); ++n) {
        const long double difference = std::abs(atOf(found, n) - wanted[n]);
        keepLargest(largest, difference);
        size = std::max(size, std::abs(wanted[n]));
      }
      const long double tolerance = 200 * (long double)(std::numeric_limits<Real>::epsilon());
      if (!(largest <= tolerance * size)) {
        _success = false;
        _out << "seed " << _seed << ", " << algorithm << ": " << double(largest) << " of "
             << double(size) << ", " << _of.functions << " functions, " << _of.points[0] << " "
             << _of.points[1] << " " << _of.points[2] << " points, " << _of.cells << " cells\n";
      }
    }
  }

  Source _drawn;
  Case _of;
  unsigned _seed;
  Teuchos::FancyOStream& _out;
  bool& _success;
  std::array<Array<Real**>, D> _values[2], _slopes[2];
  Tables _value_numbers[2], _slope_numbers[2];
  Held<Array<Real**>> _signs, _scalar, _measures;
  Held<Array<Real****>> _jacobians, _tensor;
  Held<Array<Real*>> _weights;
  Held<Array<Real***>> _vector, _half, _full;
};

template <class Real, class Layout>
void checkAll(unsigned first, Teuchos::FancyOStream& out, bool& success) {
  constexpr unsigned count = 60;
  checkByChance<Check<Real, Layout>>("ProductsByChance", first, count, out, success);
}

TEUCHOS_UNIT_TEST(ProductsByChance, layoutRight) {
  checkAll<double, Kokkos::LayoutRight>(0, out, success);
}
TEUCHOS_UNIT_TEST(ProductsByChance, layoutLeft) {
  checkAll<double, Kokkos::LayoutLeft>(1000, out, success);
}
TEUCHOS_UNIT_TEST(ProductsByChance, singlePrecision) {
  checkAll<float, Kokkos::LayoutLeft>(2000, out, success);
}
TEUCHOS_UNIT_TEST(ProductsByChance, singlePrecisionLayoutRight) {
  checkAll<float, Kokkos::LayoutRight>(3000, out, success);
}

}  // namespace
}  // namespace KontractTest
