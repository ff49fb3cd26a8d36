// SPDX-License-Identifier: BSD-3-Clause
//
// Tensor-product bases whose tables are symmetric, or the opposite, as those of functions and
// points that lie symmetrically on a line: products, loads and diagonals against those by arrays of
// all values. Tables that are symmetric but for rounding, in part, and nearly.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "KeepLargest.hpp"
#include "Kontract_Integration.hpp"
#include "Kontract_TensorBasis.hpp"

namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Space = Kokkos::DefaultHostExecutionSpace;
using Integration = Kontract::Integration<Space>;
constexpr int cells = 11;  // a vector of cells, and some

/// What tables of values and of derivatives are.
enum class Symmetry {
  Usual,     ///< values symmetric, derivatives the opposite
  Opposite,  ///< the other way
  Rounded,   ///< as usual but for the last bits
  Values,    ///< values only
  Nearly,    ///< as usual but for one number, by a millionth
};

template <class Real>
class Tables {
 public:
  template <class T>
  using Array = Kokkos::View<T, Space>;

  Tables(int functions, int points, Symmetry symmetry, std::mt19937& random) {
    const int s = symmetry == Symmetry::Opposite ? -1 : 1;
    values = table(functions, points, s, random);
    derivatives = table(functions, points, symmetry == Symmetry::Values ? 0 : -s, random);
    const Real epsilon = std::numeric_limits<Real>::epsilon();
    if (symmetry == Symmetry::Rounded) {
      for (int f = 0; f < functions; ++f) {
        for (int p = 0; p < points; ++p) {
          values(f, p) *= 1 + Real((f + p) % 3) * epsilon;
          derivatives(f, p) *= 1 - Real((f + 2 * p) % 3) * epsilon;
        }
      }
    }
    if (symmetry == Symmetry::Nearly) {
      const Real by = Real(sizeof(Real) == 8 ? 1e-6 : 1e-3);
      values(functions - 1, points - 1) += by;
      derivatives(0, 0) += by;
    }
  }

  Array<Real**> values, derivatives;

 private:
  /// \param s  table(n-1-f,q-1-p) is s table(f,p); 0: any numbers
  static Array<Real**> table(int functions, int points, int s, std::mt19937& random) {
    const Array<Real**> table("table", functions, points);
    std::uniform_real_distribution<double> any(-1, 1);
    for (int f = 0; f < functions; ++f) {
      for (int p = 0; p < points; ++p) {
        const int g = functions - 1 - f, q = points - 1 - p;
        table(f, p) = Real(any(random));
        if (s != 0) table(g, q) = Real(s) * table(f, p);
        if (s < 0 && g == f && q == p) table(f, p) = 0;
      }
    }
    return table;
  }
};

template <class View>
View drawn(const View& view, std::mt19937& random) {
  using Real = typename View::non_const_value_type;
  std::uniform_real_distribution<double> any(-1, 1);
  for (std::size_t i = 0; i < view.size(); ++i) view.data()[i] = Real(any(random));
  return view;
}

template <class View>
double difference(const View& a, const View& b) {
  double largest = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    KontractTest::keepLargest(largest, std::abs(double(a.data()[i]) - double(b.data()[i])));
    size = std::max(size, std::abs(double(b.data()[i])));
  }
  return largest / size;
}

/// Compares what a basis gives with what arrays of all its values give.
template <class Real, int D>
class Comparison {
 public:
  template <class T>
  using Array = typename Tables<Real>::template Array<T>;

  Comparison(const std::array<int, D>& functions, const std::array<int, D>& points,
             Symmetry symmetry, std::mt19937& random) {
    for (int d = 0; d < D; ++d) {
      _tables.emplace_back(functions[std::size_t(d)], points[std::size_t(d)], symmetry, random);
      _fields *= functions[std::size_t(d)];
      _points *= points[std::size_t(d)];
    }
    _values = Array<Real**>("values", _fields, _points);
    _gradients = Array<Real***>("gradients", _fields, _points, D);
    for (int f = 0; f < _fields; ++f) {
      for (int p = 0; p < _points; ++p) {
        _values(f, p) = product(f, p, -1);
        for (int d = 0; d < D; ++d) _gradients(f, p, d) = product(f, p, d);
      }
    }
    _coefficient = drawn(Array<Real**>("coefficient", cells, _points), random);
    _tensor = drawn(Array<Real****>("tensor", cells, _points, D, D), random);
    _vector = drawn(Array<Real**>("vector", cells, _fields), random);
    _jacobians = drawn(Array<Real****>("jacobians", cells, _points, D, D), random);
    for (int c = 0; c < cells; ++c) {
      for (int p = 0; p < _points; ++p) {
        for (int d = 0; d < D; ++d) _jacobians(c, p, d, d) += 4;
      }
    }
    _weights = Array<Real*>("weights", _points);
    Kokkos::deep_copy(_weights, Real(0.5));
  }

  /// The largest difference of all results, relative to the largest number of each.
  double largest() const {
    std::array<Array<Real**>, D> of_values, of_derivatives;
    for (std::size_t d = 0; d < D; ++d) {
      of_values[d] = _tables[d].values;
      of_derivatives[d] = _tables[d].derivatives;
    }
    const auto basis = Kontract::tensorBasis(of_values, of_derivatives);
    const auto geometry = Kontract::geometry(_jacobians, _weights);
    const Form stiffness = Form::gradGrad(), mass = Form::mass(FunctionSpace::HGRAD);
    double largest = 0;
    const auto compare = [&](const auto& call) {
      const Array<Real**> by_basis("by basis", cells, _fields), wanted("wanted", cells, _fields);
      for (const auto& output : {by_basis, wanted}) {
        Kokkos::deep_copy(output, std::numeric_limits<Real>::quiet_NaN());
      }
      call(by_basis, basis, basis);
      call(wanted, _values, _gradients);
      KontractTest::keepLargest(largest, difference(by_basis, wanted));
    };
    compare([&](const auto& y, const auto& values, const auto& gradients) {
      Integration::apply(y, _vector, geometry,
                         Kontract::term(stiffness, gradients, gradients, _tensor),
                         Kontract::term(mass, values, values, _coefficient));
    });
    compare([&](const auto& y, const auto& values, const auto&) {
      Integration::apply(y, _vector, geometry, Kontract::term(mass, values, values));
    });
    compare([&](const auto& y, const auto&, const auto& gradients) {
      Integration::diagonals(y, geometry,
                             Kontract::term(stiffness, gradients, gradients, _coefficient));
    });
    compare([&](const auto& y, const auto& values, const auto&) {
      Integration::vectors(
          y, geometry, Kontract::load(Form::source(FunctionSpace::HGRAD), values, _coefficient));
    });
    return largest;
  }

 private:
  Real product(int f, int p, int derivative) const {
    double product = 1;
    for (int d = 0; d < D; ++d) {
      const Tables<Real>& of = _tables[std::size_t(d)];
      const auto& table = d == derivative ? of.derivatives : of.values;
      const int functions = int(table.extent(0)), points = int(table.extent(1));
      product *= double(table(f % functions, p % points));
      f /= functions;
      p /= points;
    }
    return Real(product);
  }

  std::vector<Tables<Real>> _tables;
  int _fields = 1, _points = 1;
  Array<Real**> _values, _coefficient, _vector;
  Array<Real***> _gradients;
  Array<Real****> _tensor, _jacobians;
  Array<Real*> _weights;
};

template <class Real, int D>
void check(const std::array<int, D>& functions, const std::array<int, D>& points,
           std::mt19937& random, Teuchos::FancyOStream& out, bool& success) {
  const double tolerance = 500 * double(std::numeric_limits<Real>::epsilon());
  for (const Symmetry symmetry : {Symmetry::Usual, Symmetry::Opposite, Symmetry::Rounded,
                                  Symmetry::Values, Symmetry::Nearly}) {
    const double largest = Comparison<Real, D>(functions, points, symmetry, random).largest();
    if (largest <= tolerance) continue;
    success = false;
    out << "symmetry " << int(symmetry) << ", " << D << " D, functions";
    for (const int n : functions) out << " " << n;
    out << ", points";
    for (const int n : points) out << " " << n;
    out << ": " << largest << "\n";
  }
}

TEUCHOS_UNIT_TEST(MirroredTables, inThePlane) {
  std::mt19937 random(1);
  for (int functions = 3; functions <= 15; ++functions) {
    for (const int more : {-2, 0, 1, 2, 5}) {
      const int points = functions + more, others = functions + 1;
      check<double, 2>({functions, functions}, {points, points}, random, out, success);
      check<float, 2>({functions, others}, {points, others + more}, random, out, success);
    }
  }
}

TEUCHOS_UNIT_TEST(MirroredTables, inSpace) {
  std::mt19937 random(2);
  check<double, 3>({8, 8, 8}, {9, 9, 9}, random, out, success);
  check<double, 3>({9, 2, 8}, {10, 3, 8}, random, out, success);
  check<double, 3>({3, 10, 2}, {2, 11, 3}, random, out, success);
  check<float, 3>({2, 3, 14}, {3, 3, 16}, random, out, success);
}

/// What is no number stays with the fields that have it.
TEUCHOS_UNIT_TEST(MirroredTables, fieldsWithoutNumbers) {
  std::mt19937 random(3);
  const int n = 9;
  for (const double bad :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    const Tables<double> tables(n, n, Symmetry::Usual, random);
    const auto basis = Kontract::tensorBasis<2>(tables.values, tables.derivatives);
    const Kokkos::View<double**, Space> measures("measures", cells, n * n);
    Kokkos::deep_copy(measures, 0.5);
    const auto geometry = Kontract::geometry(measures);
    const auto coefficient =
        drawn(Kokkos::View<double**, Space>("coefficient", cells, n * n), random);
    const Kokkos::View<double**, Space> wanted("wanted", cells, n * n),
        found("found", cells, n * n);
    const auto compute = [&](const auto& y) {
      Integration::vectors(y, geometry,
                           Kontract::load(Form::source(FunctionSpace::HGRAD), basis, coefficient));
    };
    compute(wanted);
    tables.values(0, 0) = bad;
    compute(found);
    for (int c = 0; c < cells; ++c) {
      for (int f = 0; f < n * n; ++f) {
        const bool has_it = f % n == 0 || f / n == 0;
        TEST_EQUALITY(std::isfinite(found(c, f)), !has_it);
        if (!has_it) TEST_ASSERT(std::abs(found(c, f) - wanted(c, f)) < 1e-12);
      }
    }
  }
}

}  // namespace
