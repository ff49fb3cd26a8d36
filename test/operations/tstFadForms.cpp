// SPDX-License-Identifier: BSD-3-Clause
//
// FunctionSpaceTools and Integration on Fads: a nonlinear coefficient carries derivatives with
// respect to a cell's unknowns, everything else is double, as in Panzer. Matrices are linear in it.

#include <Sacado.hpp>

// Views of Fad types before those of plain ones, and both before Kontract.
#include <Kokkos_DynRankView_Fad.hpp>

#include <Teuchos_UnitTestHarness.hpp>

#include "Kontract_FunctionSpaceTools.hpp"
#include "Kontract_Integration.hpp"

namespace KontractTest {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Kontract::Form;
using Kontract::FunctionSpace;
constexpr int cells = 3, fields = 4, points = 5, dims = 2, derivatives = 3;

double number(int i) { return 0.25 + 0.5 * ((i * 7) % 11) / 11; }

template <class View>
void fill(const View& view) {
  for (std::size_t i = 0; i < view.size(); ++i) view.data()[i] = number(static_cast<int>(i));
}

/// Element matrices of Fads against those of each derivative by itself.
template <class Fad>
void checkMatrices(Teuchos::FancyOStream& out, bool& success) {
  Kokkos::View<double****, Space> jacobians("jacobians", cells, points, dims, dims);
  Kokkos::View<double*, Space> weights("weights", points);
  Kokkos::View<double***, Space> gradients("gradients", fields, points, dims);
  Kokkos::View<double**, Space> part("part", cells, points);
  Kokkos::View<double***, Space> expected("expected", cells, fields, fields);
  Kokkos::View<Fad**, Space> coefficient("coefficient", cells, points, derivatives + 1);
  Kokkos::View<Fad***, Space> matrices("matrices", cells, fields, fields, derivatives + 1);
  fill(jacobians), fill(weights), fill(gradients);
  for (int c = 0; c < cells; ++c) {
    for (int p = 0; p < points; ++p) {
      jacobians(c, p, 0, 0) += 2;
      jacobians(c, p, 1, 1) += 2;
      Fad value(derivatives, number(c + p));
      for (int d = 0; d < derivatives; ++d) value.fastAccessDx(d) = number(3 * c + 5 * p + d);
      coefficient(c, p) = value;
    }
  }
  const auto geometry = Kontract::geometry(jacobians, weights);
  Kontract::Integration<Space>::matrices(
      matrices, geometry, Kontract::term(Form::gradGrad(), gradients, gradients, coefficient));
  for (int d = -1; d < derivatives; ++d) {
    for (int c = 0; c < cells; ++c) {
      for (int p = 0; p < points; ++p) {
        const Fad value = coefficient(c, p);
        part(c, p) = d < 0 ? value.val() : value.dx(d);
      }
    }
    Kontract::Integration<Space>::matrices(
        expected, geometry, Kontract::term(Form::gradGrad(), gradients, gradients, part));
    for (int c = 0; c < cells; ++c) {
      for (int l = 0; l < fields; ++l) {
        for (int r = 0; r < fields; ++r) {
          const Fad entry = matrices(c, l, r);
          const double found = d < 0 ? entry.val() : entry.dx(d);
          TEST_FLOATING_EQUALITY(found, expected(c, l, r), 1e-13);
        }
      }
    }
  }
}

TEUCHOS_UNIT_TEST(FadForms, matricesOfSFad) {
  checkMatrices<Sacado::Fad::SFad<double, derivatives>>(out, success);
}
TEUCHOS_UNIT_TEST(FadForms, matricesOfDFad) {
  checkMatrices<Sacado::Fad::DFad<double>>(out, success);
}

/// Residuals of Fads: integrate, evaluate and signs.
TEUCHOS_UNIT_TEST(FadForms, functionSpaceTools) {
  using Fad = Sacado::Fad::DFad<double>;
  using Tools = Kontract::FunctionSpaceTools<Space>;
  Kokkos::DynRankView<double, Space> basis("basis", cells, fields, points);
  Kokkos::DynRankView<Fad, Space> coefficients("coefficients", cells, fields, derivatives + 1);
  Kokkos::DynRankView<Fad, Space> values("values", cells, points, derivatives + 1);
  Kokkos::DynRankView<Fad, Space> residual("residual", cells, fields, derivatives + 1);
  Kokkos::View<double**, Space> signs("signs", cells, fields);
  Kokkos::deep_copy(signs, -1.);
  fill(basis);
  for (int c = 0; c < cells; ++c) {
    for (int f = 0; f < fields; ++f) {
      Fad value(derivatives, number(c + f));
      for (int d = 0; d < derivatives; ++d) value.fastAccessDx(d) = number(c + 3 * f + d);
      coefficients(c, f) = value;
    }
    for (int p = 0; p < points; ++p) values(c, p) = Fad(derivatives, 0.);
  }
  Tools::evaluate(values, coefficients, basis);
  Tools::integrate(residual, values, basis);
  Tools::applyFieldSigns(residual, signs);
  for (int c = 0; c < cells; ++c) {
    for (int f = 0; f < fields; ++f) {
      Fad sum(derivatives, 0.);
      for (int p = 0; p < points; ++p) {
        Fad value(derivatives, 0.);
        for (int g = 0; g < fields; ++g) value += Fad(coefficients(c, g)) * basis(c, g, p);
        sum -= value * basis(c, f, p);
      }
      const Fad found = residual(c, f);
      TEST_FLOATING_EQUALITY(found.val(), sum.val(), 1e-13);
      for (int d = 0; d < derivatives; ++d) TEST_FLOATING_EQUALITY(found.dx(d), sum.dx(d), 1e-13);
    }
  }
}

}  // namespace
}  // namespace KontractTest
