// SPDX-License-Identifier: BSD-3-Clause
//
// Forms whose coefficients are a law of the unknowns at a point: residuals against plain sums in
// long double, Jacobians against complex steps through those sums, products against Jacobians.

#ifdef KONTRACT_TEST_SACADO
#include <Sacado.hpp>

// Kontract after Sacado.
#endif
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "EndWhereNoDeviceIs.hpp"
#include "Kontract_NonlinearForm.hpp"
#include "Refusal.hpp"
#include "TeamOfThreads.hpp"

#ifndef KONTRACT_TEST_SACADO
#include "ForwardNumber.hpp"
#endif

namespace KontractTest {
namespace {

using Kontract::Coupling;
using Kontract::PointResult;
using Kontract::PointState;
using Space = Kokkos::DefaultExecutionSpace;
using Wide = long double;
using Complex = std::complex<long double>;

/// -div((1 + u^2) grad u) + u^3 - f: a flux of both, a source of the value.
template <int D>
struct Diffusion {
  static constexpr unsigned couplings =
      Kontract::couplings(Coupling::SourceOfValue, Coupling::FluxOfValue, Coupling::FluxOfGradient);
  template <class Scalar>
  KOKKOS_FUNCTION void operator()(const PointState<Scalar, 1, D>& u,
                                  PointResult<Scalar, 1, D>& r) const {
    const Scalar square = u.value[0] * u.value[0];
    for (int d = 0; d < D; ++d) r.flux[0][d] = (1 + square) * u.gradient[0][d];
    r.source[0] = square * u.value[0] - 0.5;
    if (u.point == 2 && u.cell == 1) r.source[0] = r.source[0] - 3;
  }
};

/// Two species that react, are carried along by one another's gradients, and diffuse: all
/// couplings.
struct Reaction {
  template <class Scalar>
  KOKKOS_FUNCTION void operator()(const PointState<Scalar, 2, 2>& u,
                                  PointResult<Scalar, 2, 2>& r) const {
    r.source[0] = u.value[0] * u.value[1] + u.gradient[1][0] * u.value[0];
    r.source[1] = u.value[1] * u.value[1] - u.gradient[0][1] * u.gradient[1][0] + u.value[0];
    for (int d = 0; d < 2; ++d) {
      r.flux[0][d] = u.gradient[0][d] * (2 + u.value[1]) + 0.25 * u.gradient[1][1 - d];
      r.flux[1][d] = u.gradient[1][d] * u.value[0] + u.value[0] * u.value[1];
    }
  }
};

/// A neo-Hookean solid: P = mu (F - F^-T) + lambda log(det F) F^-T, F = 1 + grad u.
struct NeoHooke {
  static constexpr unsigned couplings = Kontract::couplings(Coupling::FluxOfGradient);
  double lambda, mu;
  template <class Scalar>
  KOKKOS_FUNCTION void operator()(const PointState<Scalar, 3, 3>& u,
                                  PointResult<Scalar, 3, 3>& r) const {
    using std::log;
    Scalar f[3][3], cofactor[3][3];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) f[i][j] = u.gradient[i][j] + (i == j ? 1.0 : 0.0);
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
        cofactor[i][j] = f[a][c] * f[b][d] - f[a][d] * f[b][c];
      }
    }
    const Scalar det =
        f[0][0] * cofactor[0][0] + f[0][1] * cofactor[0][1] + f[0][2] * cofactor[0][2];
    const Scalar pressure = lambda * log(det) - mu;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) r.flux[i][j] = mu * f[i][j] + pressure * cofactor[i][j] / det;
    }
  }
};

std::mt19937& engine() {
  static std::mt19937 random(4711);
  return random;
}
double drawn(double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(engine());
}
template <class View>
auto onHost(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}
template <class View>
void fill(const View& view, double from, double to) {
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < host.span(); ++i) {
    host.data()[i] = static_cast<typename View::value_type>(drawn(from, to));
  }
  Kokkos::deep_copy(view, host);
}

/// Cells with Jacobians, weights and a basis by chance.
template <class Real, class Layout, int K, int D>
struct Cells {
  int cells, fields, points;
  Kokkos::View<Real****, Layout, Space> jacobians;
  Kokkos::View<Real*, Layout, Space> weights;
  Kokkos::View<Real**, Layout, Space> values;
  Kokkos::View<Real***, Layout, Space> gradients;
  Kokkos::View<Real**, Layout, Space> unknowns;

  Cells(int c, int f, int p, bool are_affine)
      : cells(c),
        fields(f),
        points(p),
        jacobians("jacobians", c, are_affine ? 1 : p, D, D),
        weights("weights", p),
        values("values", f, p),
        gradients("gradients", f, p, D),
        unknowns("unknowns", c, f * K) {
    fill(weights, 0.1, 1);
    fill(values, -1, 1);
    fill(gradients, -1, 1);
    fill(unknowns, -0.2 / f, 0.2 / f);
    fill(jacobians, -0.2, 0.2);
    const auto host = onHost(jacobians);
    for (int i = 0; i < c; ++i) {
      for (int q = 0; q < int(host.extent(1)); ++q) {
        for (int d = 0; d < D; ++d) host(i, q, d, d) += d == 0 && i % 2 == 1 ? Real(-1) : Real(1);
      }
    }
    Kokkos::deep_copy(jacobians, host);
  }

  auto geometry() const { return Kontract::geometry(jacobians, weights); }
};

/// Residuals of a cell by plain sums in a scalar type.
template <class Scalar, int K, int D, class Drawn, class Law>
std::vector<Scalar> residualOf(const Drawn& drawn, const Law& law, int c,
                               const std::vector<Scalar>& unknowns) {
  const auto jacobians = onHost(drawn.jacobians);
  const auto values = onHost(drawn.values);
  const auto gradients = onHost(drawn.gradients);
  const auto weights = onHost(drawn.weights);
  std::vector<Scalar> residual(std::size_t(drawn.fields * K), Scalar(0));
  for (int p = 0; p < drawn.points; ++p) {
    // The inverse and the determinant of the Jacobian, by elimination.
    Wide rows[D][2 * D] = {}, det = 1;
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) rows[i][j] = jacobians(c, jacobians.extent(1) == 1 ? 0 : p, i, j);
      rows[i][D + i] = 1;
    }
    for (int i = 0; i < D; ++i) {
      const Wide pivot = rows[i][i];
      det *= pivot;
      for (int j = 0; j < 2 * D; ++j) rows[i][j] /= pivot;
      for (int k = 0; k < D; ++k) {
        const Wide factor = rows[k][i];
        for (int j = 0; k != i && j < 2 * D; ++j) rows[k][j] -= factor * rows[i][j];
      }
    }
    std::vector<Wide> physical(std::size_t(drawn.fields * D), 0);
    for (int f = 0; f < drawn.fields; ++f) {
      for (int d = 0; d < D; ++d) {
        for (int e = 0; e < D; ++e) {
          physical[std::size_t(f * D + d)] += rows[e][D + d] * gradients(f, p, e);
        }
      }
    }
    PointState<Scalar, K, D> state;
    PointResult<Scalar, K, D> result;
    state.cell = c;
    state.point = p;
    for (int k = 0; k < K; ++k) {
      state.value[k] = result.source[k] = Scalar(0);
      for (int d = 0; d < D; ++d) state.gradient[k][d] = result.flux[k][d] = Scalar(0);
      for (int f = 0; f < drawn.fields; ++f) {
        const Scalar u = unknowns[std::size_t(f * K + k)];
        state.value[k] += u * Wide(values(f, p));
        for (int d = 0; d < D; ++d) state.gradient[k][d] += u * physical[std::size_t(f * D + d)];
      }
    }
    law(state, result);
    const Wide measure = weights(p) * std::abs(det);
    for (int f = 0; f < drawn.fields; ++f) {
      for (int k = 0; k < K; ++k) {
        Scalar& to = residual[std::size_t(f * K + k)];
        to += measure * Wide(values(f, p)) * result.source[k];
        for (int d = 0; d < D; ++d)
          to += measure * physical[std::size_t(f * D + d)] * result.flux[k][d];
      }
    }
  }
  return residual;
}

/// A complex number whose constants may be of any type.
struct Step {
  Complex x;
  Step() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Step(T constant) : x(Wide(constant)) {}  // NOLINT: a constant
  explicit Step(const Complex& y) : x(y) {}
  Step& operator+=(const Step& y) { return x += y.x, *this; }
  friend Step operator+(const Step& a, const Step& b) { return Step(a.x + b.x); }
  friend Step operator-(const Step& a, const Step& b) { return Step(a.x - b.x); }
  friend Step operator*(const Step& a, const Step& b) { return Step(a.x * b.x); }
  friend Step operator/(const Step& a, const Step& b) { return Step(a.x / b.x); }
  friend Step log(const Step& a) { return Step(std::log(a.x)); }
};

/// All of a form against the sums above.
/// \tparam Layout  of all arrays
template <class Real, class Layout, int K, int D, class Law, class Form, class Drawn>
void compare(Form& form, const Drawn& drawn, const Law& law, const Teuchos::ParameterList& options,
             Teuchos::FancyOStream& out, bool& success) {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const int unknowns = drawn.fields * K;
  const Kokkos::View<Real**, Layout, Space> residuals("residuals", drawn.cells, unknowns),
      directions("directions", drawn.cells, unknowns), products("products", drawn.cells, unknowns);
  const Kokkos::View<Real***, Layout, Space> matrices("matrices", drawn.cells, unknowns, unknowns);
  for (const auto& output : {residuals, products}) Kokkos::deep_copy(output, nan);
  Kokkos::deep_copy(matrices, nan);
  fill(directions, -1, 1);
  form.residual(residuals, drawn.unknowns);
  form.linearize(drawn.unknowns);
  form.matrices(matrices, false, options);
  form.apply(products, directions);
  form.residual(residuals, drawn.unknowns, true);
  form.matrices(matrices, true);
  form.apply(products, directions, true);
  const auto found = onHost(residuals), of_products = onHost(products);
  const auto direction = onHost(directions), u = onHost(drawn.unknowns);
  const auto matrix = onHost(matrices);
  const Wide tolerance = 400 * Wide(std::numeric_limits<Real>::epsilon()) * drawn.points;
  int wrong = 0;
  const auto expect = [&](Wide x, Wide expected) {
    if (!(std::abs(x - 2 * expected) <= tolerance * (1 + std::abs(expected)))) ++wrong;
  };
  for (int c = 0; c < drawn.cells; ++c) {
    std::vector<Step> at(std::size_t(unknowns), Step(0));
    for (int n = 0; n < unknowns; ++n) at[std::size_t(n)] = Step(Wide(u(c, n)));
    const auto expected = residualOf<Step, K, D>(drawn, law, c, at);
    std::vector<Wide> product(std::size_t(unknowns), 0);
    for (int n = 0; n < unknowns; ++n) {
      expect(found(c, n), expected[std::size_t(n)].x.real());
      const Wide small = 1e-30L;
      at[std::size_t(n)] = Step(Complex(u(c, n), small));
      const auto moved = residualOf<Step, K, D>(drawn, law, c, at);
      at[std::size_t(n)] = Step(Wide(u(c, n)));
      for (int m = 0; m < unknowns; ++m) {
        const Wide slope = moved[std::size_t(m)].x.imag() / small;
        expect(matrix(c, m, n), slope);
        product[std::size_t(m)] += slope * direction(c, n);
      }
    }
    for (int n = 0; n < unknowns; ++n) expect(of_products(c, n), product[std::size_t(n)]);
  }
  TEST_EQUALITY_CONST(wrong, 0);
}

template <class Real, class Layout, int K, int D, class Law>
void testLaw(const Law& law, Teuchos::FancyOStream& out, bool& success) {
  for (int repeat = 0; repeat < 4; ++repeat) {
    const int sizes[] = {1, 2, 3, 5};
    const Cells<Real, Layout, K, D> drawn(sizes[repeat], 2 + repeat * 2, 3 + repeat,
                                          repeat % 2 == 1);
    auto form = Kontract::nonlinearForm<Space, K, D>(drawn.cells + repeat % 2, drawn.geometry(),
                                                     law, drawn.values, drawn.gradients);
    Teuchos::ParameterList options("Kontract");
    if (repeat == 2) options.set("Algorithm", "Flat");
    compare<Real, Layout, K, D>(form, drawn, law, options, out, success);
  }
}

TEUCHOS_UNIT_TEST(NonlinearForms, diffusion) {
  testLaw<double, Kokkos::LayoutRight, 1, 3>(Diffusion<3>(), out, success);
  testLaw<double, Kokkos::LayoutLeft, 1, 3>(Diffusion<3>(), out, success);
  testLaw<float, Kokkos::LayoutRight, 1, 3>(Diffusion<3>(), out, success);
  testLaw<double, Kokkos::LayoutLeft, 1, 2>(Diffusion<2>(), out, success);
  testLaw<double, Kokkos::LayoutRight, 1, 1>(Diffusion<1>(), out, success);
}

TEUCHOS_UNIT_TEST(NonlinearForms, systemOfAllCouplings) {
  testLaw<double, Kokkos::LayoutRight, 2, 2>(Reaction(), out, success);
  testLaw<double, Kokkos::LayoutLeft, 2, 2>(Reaction(), out, success);
  testLaw<float, Kokkos::LayoutLeft, 2, 2>(Reaction(), out, success);
}

TEUCHOS_UNIT_TEST(NonlinearForms, hyperelasticity) {
  testLaw<double, Kokkos::LayoutRight, 3, 3>(NeoHooke{1.5, 0.75}, out, success);
  testLaw<double, Kokkos::LayoutLeft, 3, 3>(NeoHooke{1.5, 0.75}, out, success);
}

/// What a law says at all points, and its derivatives.
template <class Layout, int K, int D>
struct Said {
  Kontract::Impl::LawArrays<double, K, D, Layout> arrays;
  std::vector<double> numbers;

  Said(int cells, int points) : arrays{}, numbers(std::size_t(all * cells * points), nan()) {
    const int size = cells * points, numbers_of[4] = {1, D, D, D * D};
    arrays.points = points;
    arrays.cells = cells;
    arrays.sources = numbers.data();
    double* next = arrays.fluxes = arrays.sources + K * size;
    next += K * D * size;
    for (int n = 0; n < 4; ++n) {
      arrays.derivatives[n] = next;
      next += K * K * numbers_of[n] * size;
    }
  }
  static constexpr int all = K * (1 + D) + K * K * (1 + D) * (1 + D);
  static double nan() { return std::numeric_limits<double>::quiet_NaN(); }

  template <class Number, class Drawn, class Law, class Launch>
  void ask(const Drawn& drawn, const Law& law, const Launch& launch) {
    const Kokkos::View<double**, Space> unwritten("unwritten", drawn.cells, drawn.fields);
    Kontract::Impl::integrateForm<Space, Kontract::Impl::FormKind::Products>(
        Kontract::Impl::Operation::apply,
        Kontract::Impl::AskLaw<Law, Number, double, K, D, Layout, Launch>{
            law, arrays, drawn.cells, Kontract::Impl::componentStep(drawn.unknowns), launch},
        Space(), unwritten, Kontract::Impl::componentOf<K>(drawn.unknowns, 0, "unknowns"),
        drawn.geometry(), term(Kontract::Form::gradGrad(), drawn.gradients, drawn.gradients),
        term(Kontract::Form::mass(Kontract::FunctionSpace::HGRAD), drawn.values, drawn.values));
  }

  /// In an order that is the same in all layouts. Arrays are read as forms read them.
  std::vector<double> inOrder() const {
    using Unmanaged = Kokkos::MemoryUnmanaged;
    const auto c = std::size_t(arrays.cells), p = std::size_t(arrays.points);
    std::vector<double> order;
    const auto keep = [&](const double* from, std::size_t rows, std::size_t columns) {
      const Kokkos::View<const double****, Layout, Kokkos::HostSpace, Unmanaged> view(
          from, c, p, rows, columns);
      for (std::size_t i = 0; i < view.size(); ++i) {
        const std::size_t entry = i % (rows * columns), point = i / (rows * columns);
        order.push_back(view(point / p, point % p, entry / columns, entry % columns));
      }
      return from + view.size();
    };
    const double *sources = arrays.sources, *fluxes = arrays.fluxes;
    for (int k = 0; k < K; ++k) {
      sources = keep(sources, 1, 1);
      fluxes = keep(fluxes, D, 1);
    }
    for (int n = 0; n < 4; ++n) {
      const double* derivatives = arrays.derivatives[n];
      for (int pair = 0; pair < K * K && derivatives != nullptr; ++pair) {
        derivatives = keep(derivatives, n < 1 ? 1 : D, n < 3 ? 1 : D);
      }
    }
    return order;
  }
};

/// What devices do, by threads of the host.
struct LawByThreads {
  std::int64_t scratch_bytes, multiprocessors;
  int threads;
  bool is_backwards;
  template <class Law>
  void operator()(const Space&, const Law& law) const {
    const auto kernel = Kontract::Impl::lawOfSeveralCells(law, scratch_bytes, multiprocessors);
    TeamOfThreads(threads, is_backwards).run(kernel, kernel.pieces(), kernel.scratchExtent() * 8);
  }
};

template <class Layout, int K, int D, class Law>
void testSeveralCells(const Law& law, Teuchos::FancyOStream& out, bool& success) {
  if constexpr (Kontract::Impl::is_host_space<Space>) {
    for (int repeat = 0; repeat < 6; ++repeat) {
      // The last one has several teams for the points of a cell.
      const int cells = 1 + 13 * repeat, points = repeat == 5 ? 40 : repeat;
      const Cells<double, Layout, K, D> drawn(cells, 2 + repeat, points, repeat % 2 == 1);
      Said<Kokkos::LayoutRight, K, D> expected(cells, points);
      Said<Kokkos::LayoutLeft, K, D> found(cells, points);
      const LawByThreads by_threads{repeat == 3 ? 1024 : 40000, repeat == 4 ? 10 : 1, 2 + repeat,
                                    repeat % 4 == 1};
      const auto askBoth = [&](auto number) {
        using Number = decltype(number);
        expected.template ask<Number>(drawn, law, Kontract::Impl::LaunchLaw());
        found.template ask<Number>(drawn, law, by_threads);
      };
      askBoth(Kontract::Impl::PlainNumber<double>());
      askBoth(Kontract::Impl::MovingNumber<double, K*(1 + D)>());
      const auto numbers = found.inOrder(), others = expected.inOrder();
      TEST_EQUALITY(numbers.size(), others.size());
      int wrong = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (!(std::abs(numbers[i] - others[i]) <= 1e-12 * (1 + std::abs(others[i])))) ++wrong;
      }
      TEST_EQUALITY_CONST(wrong, 0);
    }
  }
}

TEUCHOS_UNIT_TEST(NonlinearForms, teamsOfSeveralCells) {
  testSeveralCells<Kokkos::LayoutRight, 2, 2>(Reaction(), out, success);
  testSeveralCells<Kokkos::LayoutLeft, 2, 2>(Reaction(), out, success);
}

TEUCHOS_UNIT_TEST(NonlinearForms, noPoints) {
  const Cells<double, Kokkos::LayoutRight, 1, 3> drawn(3, 4, 0, true);
  auto form = Kontract::nonlinearForm<Space, 1, 3>(3, drawn.geometry(), Diffusion<3>(),
                                                   drawn.values, drawn.gradients);
  const Kokkos::View<double**, Space> residuals("residuals", 3, 4);
  const Kokkos::View<double***, Space> matrices("matrices", 3, 4, 4);
  Kokkos::deep_copy(residuals, 1);
  Kokkos::deep_copy(matrices, 1);
  form.residual(residuals, drawn.unknowns);
  form.linearize(drawn.unknowns);
  form.matrices(matrices);
  const auto residual = onHost(residuals);
  const auto matrix = onHost(matrices);
  for (std::size_t i = 0; i < residual.size(); ++i) TEST_EQUALITY_CONST(residual.data()[i], 0);
  for (std::size_t i = 0; i < matrix.size(); ++i) TEST_EQUALITY_CONST(matrix.data()[i], 0);
}

/// Sums direction by direction are those of the products of the functions.
TEUCHOS_UNIT_TEST(NonlinearForms, tensorProductBases) {
  for (const int repeat : {0, 1, 2}) {
    const int functions = 2 + repeat, of_points = 3;
    const int fields = functions * functions * functions, points = 27;
    const Kokkos::View<double**, Space> values("values", functions, of_points),
        slopes("slopes", functions, of_points);
    fill(values, -1, 1);
    fill(slopes, -1, 1);
    const Cells<double, Kokkos::LayoutRight, 1, 3> drawn(3, fields, points, repeat == 1);
    const auto line = onHost(values), of_line = onHost(slopes);
    const auto all = onHost(drawn.values);
    const auto gradients = onHost(drawn.gradients);
    for (int f = 0; f < fields; ++f) {
      for (int p = 0; p < points; ++p) {
        for (int i = -1; i < 3; ++i) {
          double product = 1;
          for (int d = 0, g = f, q = p; d < 3; ++d, g /= functions, q /= of_points) {
            product *= (d == i ? of_line : line)(g % functions, q % of_points);
          }
          (i < 0 ? all(f, p) : gradients(f, p, i)) = product;
        }
      }
    }
    Kokkos::deep_copy(drawn.values, all);
    Kokkos::deep_copy(drawn.gradients, gradients);
    auto form = Kontract::nonlinearForm<Space, 1, 3>(3, drawn.geometry(), Diffusion<3>(),
                                                     Kontract::tensorBasis<3>(values, slopes));
    compare<double, Kokkos::LayoutRight, 1, 3>(form, drawn, Diffusion<3>(),
                                               Teuchos::ParameterList("Kontract"), out, success);
  }
}

/// Cells that share unknowns and outputs: the same numbers, added up.
TEUCHOS_UNIT_TEST(NonlinearForms, cellsShareUnknowns) {
  const Cells<double, Kokkos::LayoutRight, 1, 2> drawn(5, 4, 4, false);
  const int count = 9;
  const Kokkos::View<int**, Kokkos::LayoutRight, Space> numbers("numbers", 5, 4);
  const auto host = Kokkos::create_mirror_view(numbers);
  for (int c = 0; c < 5; ++c) {
    for (int f = 0; f < 4; ++f) host(c, f) = c == 2 && f == 1 ? -1 : (c * 2 + f * 3) % count;
  }
  Kokkos::deep_copy(numbers, host);
  const Kontract::CellNumbers<Space> unknowns(numbers, count);
  const Kokkos::View<double*, Space> global("global", count), residual("residual", count);
  fill(global, -0.1, 0.1);
  const auto u = onHost(global);
  auto form = Kontract::nonlinearForm<Space, 1, 2>(5, drawn.geometry(), Diffusion<2>(),
                                                   drawn.values, drawn.gradients);
  form.residual(Kontract::scattered(residual, unknowns), Kontract::gathered(global, unknowns));
  std::vector<Wide> expected(std::size_t(count), 0);
  for (int c = 0; c < 5; ++c) {
    std::vector<Wide> at;
    for (int f = 0; f < 4; ++f) at.push_back(host(c, f) < 0 ? 0 : u(host(c, f)));
    const auto of_cell = residualOf<Wide, 1, 2>(drawn, Diffusion<2>(), c, at);
    for (int f = 0; f < 4; ++f) {
      if (host(c, f) >= 0) expected[std::size_t(host(c, f))] += of_cell[std::size_t(f)];
    }
  }
  const auto found = onHost(residual);
  for (int n = 0; n < count; ++n) {
    TEST_FLOATING_EQUALITY(found(n), double(expected[std::size_t(n)]), 1e-12);
  }
}

TEUCHOS_UNIT_TEST(NonlinearForms, wrongInput) {
  const Cells<double, Kokkos::LayoutRight, 1, 3> drawn(3, 4, 5, false);
  const auto make = [&](int cells) {
    return Kontract::nonlinearForm<Space, 1, 3>(cells, drawn.geometry(), Diffusion<3>(),
                                                drawn.values, drawn.gradients);
  };
  auto form = make(3), small = make(2);
  const Kokkos::View<double**, Space> residuals("residuals", 3, 4), wide("wide", 3, 5);
  const Kokkos::View<double***, Space> matrices("matrices", 3, 4, 4);
  Kokkos::deep_copy(residuals, 7);
  const auto isRefused = [&](const std::string& part, const auto& call) {
    const Refusal refusal = refusalOf(call);
    out << refusal.text << "\n";
    TEST_ASSERT(refusal.says(part));
  };
  const std::string before = "linearize() has not been called";
  isRefused(before, [&] { form.matrices(matrices); });
  isRefused(before, [&] { form.apply(residuals, drawn.unknowns); });
  isRefused("5", [&] { form.residual(residuals, wide); });
  isRefused("5", [&] { form.residual(wide, drawn.unknowns); });
  isRefused("there are 3 cells of 5 points, but arrays are for 2 of 5",
            [&] { small.residual(residuals, drawn.unknowns); });
  isRefused("there are 3 cells", [&] { small.linearize(drawn.unknowns); });
  auto of_three = Kontract::nonlinearForm<Space, 3, 3>(3, drawn.geometry(), NeoHooke{1, 1},
                                                       drawn.values, drawn.gradients);
  isRefused("must be (C,F K) with K = 3 components",
            [&] { of_three.residual(residuals, drawn.unknowns); });
  const Kokkos::View<double**, Space> normals("normals", 1, 3);
  auto of_side = Kontract::nonlinearForm<Space, 1, 3>(
      3, Kontract::sideGeometry(drawn.jacobians, drawn.weights, normals), Diffusion<3>(),
      drawn.values, drawn.gradients);
  isRefused("points are on sides of cells", [&] { of_side.residual(residuals, drawn.unknowns); });
  // An index more than there should be.
  const Kokkos::View<double***, Space> deep("deep", 3, 12, 1);
  const Kokkos::View<double**, Space> flat("flat", 3, 12);
  isRefused("the output must be (C,F K)", [&] { of_three.residual(deep, flat); });
  isRefused("unknowns must be (C,F K)", [&] { of_three.linearize(deep); });
  of_three.linearize(flat);
  isRefused("the output must be (C,F K,F K)", [&] { of_three.matrices(flat); });
  isRefused("the direction must be (C,F K)", [&] { of_three.apply(flat, deep); });
  // Derivatives are those of the cells and the law that they were made for.
  form.linearize(drawn.unknowns);
  form.matrices(matrices);
  form.setGeometry(drawn.geometry());
  isRefused(before, [&] { form.matrices(matrices); });
  form.linearize(drawn.unknowns);
  form.setLaw(Diffusion<3>());
  isRefused(before, [&] { form.matrices(matrices); });
  isRefused("it is for -1 cells", [&] { make(-1); });
  const auto host = onHost(residuals);
  for (std::size_t i = 0; i < host.size(); ++i) TEST_EQUALITY_CONST(host.data()[i], 7);
}

/// Components of several unknowns are refused before the first of them is written.
TEUCHOS_UNIT_TEST(NonlinearForms, wrongInputOfSeveralUnknowns) {
  constexpr int cells = 3, fields = 4;
  const Cells<double, Kokkos::LayoutRight, 2, 2> drawn(cells, fields, 5, false);
  auto form = Kontract::nonlinearForm<Space, 2, 2>(cells, drawn.geometry(), Reaction(),
                                                   drawn.values, drawn.gradients);
  form.linearize(drawn.unknowns);
  const auto isRefused = [&](const std::string& part, const auto& call) {
    const Refusal refusal = refusalOf(call);
    out << refusal.text << "\n";
    TEST_ASSERT(refusal.says(part));
  };
  using Array = Kokkos::View<double**, Kokkos::LayoutRight, Space>;
  const Array both("output and direction", cells, 2 * fields + 1);
  Kokkos::deep_copy(both, 7);
  // A component's output is where the other one's direction is.
  const auto columns = [&](int first) {
    return Kokkos::subview(both, Kokkos::ALL, std::make_pair(first, first + 2 * fields));
  };
  isRefused("overlaps", [&] { form.apply(columns(1), columns(0)); });
  // Component 0 of a field is where component 1 of another is; and all are at one place.
  using Strided = Kokkos::View<double**, Kokkos::LayoutStride, Space, Kokkos::MemoryUnmanaged>;
  using Blocks = Kokkos::View<double***, Kokkos::LayoutStride, Space, Kokkos::MemoryUnmanaged>;
  const Strided shifted(both.data(), Kokkos::LayoutStride(cells, 1, 2 * fields, 2));
  const Strided columnless(both.data(), Kokkos::LayoutStride(cells, 2, 2 * fields, 0));
  const Blocks blocks(both.data(),
                      Kokkos::LayoutStride(cells, 1, 2 * fields, 0, 2 * fields, cells));
  isRefused("output coincide", [&] { form.residual(shifted, drawn.unknowns); });
  isRefused("output coincide", [&] { form.apply(shifted, drawn.unknowns); });
  isRefused("distinct", [&] { form.residual(columnless, drawn.unknowns); });
  isRefused("distinct", [&] { form.matrices(blocks); });
  const auto host = onHost(both);
  for (std::size_t i = 0; i < host.size(); ++i) TEST_EQUALITY_CONST(host.data()[i], 7);
}

/// Values of a tensor-product basis with gradients in an array, whose basis needs memory, too.
TEUCHOS_UNIT_TEST(NonlinearForms, valuesAndGradientsOfDifferentKinds) {
  constexpr int cells = 3, functions = 30, line_points = 2;
  constexpr int fields = functions * functions, points = line_points * line_points;
  using Table = Kokkos::View<double**, Kokkos::LayoutRight, Space>;
  const Table line("line", functions, line_points), array("values", fields, points);
  const Kokkos::View<double***, Kokkos::LayoutRight, Space> gradients("gradients", fields, points,
                                                                      2);
  const auto of_line = Kokkos::create_mirror_view(line);
  const auto of_array = Kokkos::create_mirror_view(array);
  const auto of_gradients = Kokkos::create_mirror_view(gradients);
  for (int n = 0; n < functions; ++n) {
    for (int q = 0; q < line_points; ++q) of_line(n, q) = 0.3 + 0.01 * n - 0.2 * q;
  }
  for (int f = 0; f < fields; ++f) {
    for (int p = 0; p < points; ++p) {
      of_array(f, p) =
          of_line(f % functions, p % line_points) * of_line(f / functions, p / line_points);
      for (int d = 0; d < 2; ++d) of_gradients(f, p, d) = 0.1 * d - 0.001 * f + 0.02 * p;
    }
  }
  Kokkos::deep_copy(line, of_line);
  Kokkos::deep_copy(array, of_array);
  Kokkos::deep_copy(gradients, of_gradients);
  const Cells<double, Kokkos::LayoutRight, 1, 2> drawn(cells, 4, points, false);
  const Table unknowns("unknowns", cells, fields), found("found", cells, fields),
      expected("expected", cells, fields);
  Kokkos::deep_copy(unknowns, 0.01);
  auto mixed = Kontract::nonlinearForm<Space, 1, 2>(
      cells, drawn.geometry(), Diffusion<2>(), Kontract::tensorBasis<2>(line, line), gradients);
  auto of_arrays = Kontract::nonlinearForm<Space, 1, 2>(cells, drawn.geometry(), Diffusion<2>(),
                                                        array, gradients);
  mixed.residual(found, unknowns);
  of_arrays.residual(expected, unknowns);
  const auto got = onHost(found), wanted = onHost(expected);
  for (std::size_t i = 0; i < got.size(); ++i) {
    TEST_COMPARE(std::abs(got.data()[i] - wanted.data()[i]), <=,
                 1e-11 * (1 + std::abs(wanted.data()[i])));
  }
}

#ifndef KONTRACT_TEST_SACADO
/// A law that looks at how many own an array while it is asked, and that throws.
struct Watching {
  const Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>* values;
  int* most_owners;
  bool throws;
  template <class Scalar>
  void operator()(const PointState<Scalar, 1, 2>& u, PointResult<Scalar, 1, 2>& r) const {
    *most_owners = std::max(*most_owners, int(values->use_count()));
    if (throws) throw std::invalid_argument("density is negative");
    r.source[0] = u.value[0];
  }
};

/// Where Serial is all that there is, Kokkos counts owners without atomic operations: threads that
/// have forms of the same arrays must not change the count.
TEUCHOS_UNIT_TEST(NonlinearForms, callsOwnNothing) {
#ifdef KOKKOS_ENABLE_SERIAL
  using Host = Kokkos::Serial;
  constexpr int cells = 2, fields = 3, points = 4;
  using Array = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  const Array values("values", fields, points), unknowns("unknowns", cells, fields),
      residuals("residuals", cells, fields);
  const Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace> gradients(
      "gradients", fields, points, 2);
  const Kokkos::View<double****, Kokkos::LayoutRight, Kokkos::HostSpace> jacobians(
      "jacobians", cells, points, 2, 2);
  const Kokkos::View<double*, Kokkos::LayoutRight, Kokkos::HostSpace> weights("weights", points);
  for (int c = 0; c < cells; ++c) {
    for (int p = 0; p < points; ++p) jacobians(c, p, 0, 0) = jacobians(c, p, 1, 1) = 1;
  }
  const auto geometry = Kontract::geometry(jacobians, weights);
  int most_owners = 0;
  auto form = Kontract::nonlinearForm<Host, 1, 2>(
      cells, geometry, Watching{&values, &most_owners, false}, values, gradients);
  const int owners = int(values.use_count());
  form.residual(residuals, unknowns);
  TEST_EQUALITY(most_owners, owners);
  // What a law throws comes out as it is.
  form.setLaw({&values, &most_owners, true});
  const Refusal refusal = refusalOf([&] { form.residual(residuals, unknowns); });
  TEST_EQUALITY(refusal.text, "density is negative");
#endif
}
#endif

}  // namespace
}  // namespace KontractTest
