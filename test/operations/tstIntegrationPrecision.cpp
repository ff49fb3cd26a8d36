// SPDX-License-Identifier: BSD-3-Clause
//
// Sums of forms are kept in the widest type of a call, whichever of its arrays has it, and rounded
// once.

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "Kontract_Integration.hpp"
#include "Refusal.hpp"
#include "Runner.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;

/// Many points and fields, so that sums in single precision would lose digits.
constexpr int cells = 3, points = 2000, fields = 45;

template <class T>
T number(int i, int n) {
  return T(0.25 + 0.5 * ((i * 7 + n * 13) % 101) / 101);
}

template <class T, class Space>
Kokkos::View<T**, Space> filled(const std::string& name, int rows, int columns) {
  const Kokkos::View<T**, Space> view(name, rows, columns);
  const auto host = Kokkos::create_mirror_view(view);
  for (int i = 0; i < rows; ++i) {
    for (int n = 0; n < columns; ++n) host(i, n) = number<T>(i, n);
  }
  Kokkos::deep_copy(view, host);
  return view;
}

/// A matrix-free product with a mass matrix whose arrays have those types, into floats.
template <class Space, class Values, class Measures, class Vector>
void checkProduct(Teuchos::FancyOStream& out, bool& success, bool sum_into) {
  const auto values = filled<Values, Space>("values", fields, points);
  const auto measures = filled<Measures, Space>("measures", cells, points);
  const auto vector = filled<Vector, Space>("vector", cells, fields);
  const Kokkos::View<float**, Space> result("result", cells, fields);
  Kokkos::deep_copy(result, sum_into ? 3.f : std::numeric_limits<float>::quiet_NaN());
  Kontract::Integration<Space>::apply(
      result, vector, Kontract::geometry(measures),
      Kontract::term(Form::mass(FunctionSpace::HGRAD), values, values), sum_into);
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result);
  for (int c = 0; c < cells; ++c) {
    std::vector<double> flux(points);
    for (int p = 0; p < points; ++p) {
      double u = 0;
      for (int r = 0; r < fields; ++r) {
        u += double(number<Values>(r, p)) * double(number<Vector>(c, r));
      }
      flux[p] = double(number<Measures>(c, p)) * u;
    }
    for (int l = 0; l < fields; ++l) {
      double sum = sum_into ? 3 : 0;
      for (int p = 0; p < points; ++p) sum += double(number<Values>(l, p)) * flux[p];
      // Half a unit of the last place is what one rounding costs.
      TEST_ASSERT(std::abs(found(c, l) - sum) <=
                  0.51 * std::numeric_limits<float>::epsilon() * sum);
    }
  }
}

TEUCHOS_UNIT_TEST(IntegrationPrecision, productsIntoANarrowOutput) {
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    for (const bool sum_into : {false, true}) {
      checkProduct<Space, double, double, double>(out, success, sum_into);
      checkProduct<Space, double, float, float>(out, success, sum_into);
      checkProduct<Space, float, double, float>(out, success, sum_into);
      checkProduct<Space, float, float, double>(out, success, sum_into);
    }
  });
}

/// Two terms whose sum cancels: what is rounded between them would show.
TEUCHOS_UNIT_TEST(IntegrationPrecision, termsThatCancel) {
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    constexpr int q = 3;
    const Kokkos::View<double**, Space> table("table", 1, q);
    Kokkos::deep_copy(table, 1.);
    const Kokkos::View<double****, Space> jacobians("jacobians", cells, 1, 1, 1);
    const Kokkos::View<double*, Space> weights("weights", q);
    const Kokkos::View<double**, Space> large("large", cells, 1), less("less", cells, 1);
    Kokkos::deep_copy(jacobians, 1.);
    Kokkos::deep_copy(weights, 1.);
    const double big = 1e6 + 1. / 64;
    Kokkos::deep_copy(large, big);
    Kokkos::deep_copy(less, -1e6);
    const auto basis = Kontract::tensorBasis<1>(table, table);
    const Form form = Form::source(FunctionSpace::HGRAD);
    const Kokkos::View<float**, Space> result("result", cells, 1);
    Kontract::Integration<Space>::vectors(result, Kontract::geometry(jacobians, weights),
                                          Kontract::load(form, basis, large),
                                          Kontract::load(form, basis, less));
    const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result);
    for (int c = 0; c < cells; ++c) TEST_EQUALITY_CONST(found(c, 0), 3.f / 64);
    // Teams add term by term to the output: to a narrow one a single term alone.
    Teuchos::ParameterList teams("Kontract");
    teams.set("Algorithm", "Team Reduction");
    const auto refusal = refusalOf([&] {
      Kontract::Integration<Space>::vectors(result, Kontract::geometry(jacobians, weights),
                                            Kontract::load(form, basis, large),
                                            Kontract::load(form, basis, less), teams);
    });
    TEST_ASSERT(
        refusal.says("the algorithm Team Reduction was asked for by name but cannot run this"));
    Kontract::Integration<Space>::vectors(result, Kontract::geometry(jacobians, weights),
                                          Kontract::load(form, basis, less), teams);
    Kokkos::deep_copy(found, result);
    for (int c = 0; c < cells; ++c) TEST_EQUALITY_CONST(found(c, 0), -3e6f);
  });
}

/// Lame's second parameter, or signs, may be the only ones in double precision.
TEUCHOS_UNIT_TEST(IntegrationPrecision, oneWideArray) {
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    const Kokkos::View<float***, Space> gradients("gradients", 1, 1, 1);
    const Kokkos::View<float**, Space> measures("measures", cells, 1), lambda("lambda", cells, 1),
        values("values", 1, 1);
    const Kokkos::View<float****, Space> jacobians("jacobians", cells, 1, 1, 1);
    const Kokkos::View<double**, Space> mu("mu", cells, 1), signs("signs", cells, 1);
    const Kokkos::View<float***, Space> matrices("matrices", cells, 1, 1);
    for (const auto& ones : {measures, values}) Kokkos::deep_copy(ones, 1.f);
    Kokkos::deep_copy(gradients, 1.f);
    Kokkos::deep_copy(jacobians, 1.f);
    // lambda + 2 mu = 1/64, of which single precision keeps nothing in mu alone
    Kokkos::deep_copy(lambda, -2e6f);
    Kokkos::deep_copy(mu, 1e6 + 1. / 128);
    const auto geometry = Kontract::geometry(jacobians, measures);
    Kontract::Integration<Space>::matrices(
        matrices, geometry, Kontract::term(Form::elasticity(), gradients, gradients, lambda, mu));
    const auto found = Kokkos::create_mirror_view(matrices);
    Kokkos::deep_copy(found, matrices);
    for (int c = 0; c < cells; ++c) TEST_EQUALITY_CONST(found(c, 0, 0), 1.f / 64);

    // 3 times a third, in double precision
    Kokkos::deep_copy(signs, 1. / 3);
    Kokkos::deep_copy(values, 3.f);
    Kontract::Integration<Space>::matrices(
        matrices, geometry,
        Kontract::term(Form::mass(FunctionSpace::HGRAD), values, values).withSigns(signs, signs));
    Kokkos::deep_copy(found, matrices);
    for (int c = 0; c < cells; ++c) TEST_EQUALITY_CONST(found(c, 0, 0), 1.f);
  });
}

/// Sums without terms are zero, whatever the array that has no elements, and no address.
TEUCHOS_UNIT_TEST(IntegrationPrecision, sumsWithoutTermsAreZero) {
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    using View = Kokkos::View<double**, Space>;
    const auto array = [](int rows, int columns) {
      return rows * columns == 0 ? View(nullptr, rows, columns) : View("array", rows, columns);
    };
    const auto check = [&](const std::string& algorithm, int rights, int q) {
      Teuchos::ParameterList list("Kontract");
      list.set("Algorithm", algorithm);
      const View result("result", cells, 2);
      Kokkos::deep_copy(result, std::numeric_limits<double>::quiet_NaN());
      Kontract::Integration<Space>::apply(
          result, array(cells, rights), Kontract::geometry(array(cells, q)),
          Kontract::term(Form::mass(FunctionSpace::HGRAD), array(2, q), array(rights, q),
                         array(cells, q)),
          list);
      const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result);
      for (int c = 0; c < cells; ++c) {
        for (int l = 0; l < 2; ++l) TEST_EQUALITY_CONST(found(c, l), 0.);
      }
    };
    for (const std::string algorithm : {"Auto", "Flat"}) {
      check(algorithm, 0, 5);
      check(algorithm, 3, 0);
      check(algorithm, 0, 0);
    }
  });
}

}  // namespace
}  // namespace KontractTest
