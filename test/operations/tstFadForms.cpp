// SPDX-License-Identifier: BSD-3-Clause
//
// FunctionSpaceTools and Integration on Fads: a nonlinear coefficient carries derivatives with
// respect to a cell's unknowns, everything else is double, as in Panzer. Matrices are linear in it.

#include "FadViews.hpp"

// Kontract after Sacado.
#include <Teuchos_UnitTestHarness.hpp>

#include "Kontract_FunctionSpaceTools.hpp"
#include "Kontract_Integration.hpp"
#include "Refusal.hpp"

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

/// Derivatives that an array has more, or fewer, than the output are neither cut nor made up.
template <class Fad>
void checkNumbersOfDerivatives(Teuchos::FancyOStream& out, bool& success) {
  using View2 = Kokkos::View<Fad**, Space>;
  using View3 = Kokkos::View<Fad***, Space>;
  using Integration = Kontract::Integration<Space>;
  Kokkos::View<double**, Space> measures("measures", cells, points);
  Kokkos::View<double**, Space> values("values", fields, points);
  fill(measures), fill(values);
  const auto geometry = Kontract::geometry(measures);
  const Form mass = Form::mass(FunctionSpace::HGRAD);
  const View3 matrices("matrices", cells, fields, fields, derivatives + 1);
  const View2 vectors("vectors", cells, fields, derivatives + 1);
  for (const int given : {derivatives - 1, derivatives + 1, 0, derivatives}) {
    const View2 coefficient("coefficient", cells, points, given + 1);
    const View2 unknowns("unknowns", cells, fields, given + 1);
    const bool is_right = given == 0 || given == derivatives;
    const auto require = [&](const std::string& name, const Refusal& refusal) {
      out << "\n" << refusal.text;
      const std::string text =
          name + " with " + std::to_string(given) + " derivatives but output is";
      TEST_EQUALITY(refusal.says(text), !is_right);
      if (is_right) TEST_EQUALITY_CONST(refusal.text, "no exception");
    };
    const auto term = Kontract::term(mass, values, values, coefficient);
    require("coefficient of term 1 is (C=3, P=5)",
            refusalOf([&] { Integration::matrices(matrices, geometry, term); }));
    require("measures is (C=3, P=5)", refusalOf([&] {
              Integration::matrices(matrices, Kontract::geometry(coefficient),
                                    Kontract::term(mass, values, values));
            }));
    require("source of term 1 is (C=3, P=5)", refusalOf([&] {
              Integration::vectors(
                  vectors, geometry,
                  Kontract::load(Form::source(FunctionSpace::HGRAD), values, coefficient));
            }));
    require("vector is (3, 4)", refusalOf([&] {
              Integration::apply(vectors, unknowns, geometry, Kontract::term(mass, values, values));
            }));
  }
}

TEUCHOS_UNIT_TEST(FadForms, numbersOfDerivativesAgree) {
  checkNumbersOfDerivatives<Sacado::Fad::DFad<double>>(out, success);
  checkNumbersOfDerivatives<Sacado::Fad::SLFad<double, 2 * derivatives>>(out, success);
}

/// Lame's parameters of which the second alone has derivatives.
TEUCHOS_UNIT_TEST(FadForms, secondCoefficientOfFads) {
  using Fad = Sacado::Fad::SFad<double, derivatives>;
  Kokkos::View<double****, Space> jacobians("jacobians", cells, 1, 1, 1);
  Kokkos::View<double*, Space> weights("weights", points);
  Kokkos::View<double***, Space> gradients("gradients", fields, points, 1);
  Kokkos::View<double**, Space> lambda("lambda", cells, 1);
  Kokkos::View<Fad**, Space> mu("mu", cells, 1, derivatives + 1);
  Kokkos::View<Fad***, Space> matrices("matrices", cells, fields, fields, derivatives + 1);
  Kokkos::deep_copy(jacobians, 1.);
  Kokkos::deep_copy(lambda, 7.);
  fill(weights), fill(gradients);
  for (int c = 0; c < cells; ++c) mu(c, 0) = Fad(derivatives, c % derivatives, 2. + c);
  Kontract::Integration<Space>::matrices(
      matrices, Kontract::geometry(jacobians, weights),
      Kontract::term(Form::elasticity(), gradients, gradients, lambda, mu));
  for (int c = 0; c < cells; ++c) {
    for (int l = 0; l < fields; ++l) {
      for (int r = 0; r < fields; ++r) {
        double sum = 0;
        for (int p = 0; p < points; ++p)
          sum += weights(p) * gradients(l, p, 0) * gradients(r, p, 0);
        const Fad entry = matrices(c, l, r);
        TEST_FLOATING_EQUALITY(entry.val(), (7 + 2 * (2. + c)) * sum, 1e-13);
        for (int d = 0; d < derivatives; ++d) {
          TEST_FLOATING_EQUALITY(1 + entry.dx(d), 1 + (d == c % derivatives ? 2 * sum : 0), 1e-13);
        }
      }
    }
  }
}

bool isNear(const Kokkos::complex<double>& a, const Kokkos::complex<double>& b) {
  return Kokkos::abs(a - b) < 1e-12;
}
bool isNear(const Sacado::Fad::DFad<double>& a, const Sacado::Fad::DFad<double>& b) {
  bool is_near = std::abs(a.val() - b.val()) < 1e-12 && a.size() == b.size();
  for (int d = 0; is_near && d < a.size(); ++d) is_near = std::abs(a.dx(d) - b.dx(d)) < 1e-12;
  return is_near;
}

/// Signs may be the only Fads among the inputs, or the only complex numbers.
template <class Number>
void checkSigns(Teuchos::FancyOStream& out, bool& success, const Number& sign,
                const std::vector<int>& more) {
  using Integration = Kontract::Integration<Space>;
  const auto array = [&](const std::string& name, int rows, int columns) {
    return more.empty() ? Kokkos::View<Number**, Space>(name, rows, columns)
                        : Kokkos::View<Number**, Space>(name, rows, columns, more[0]);
  };
  Kokkos::View<double**, Space> measures("measures", cells, points);
  Kokkos::View<double**, Space> values("values", fields, points);
  Kokkos::View<double**, Space> vector("vector", cells, fields);
  Kokkos::View<double***, Space> plain("plain", cells, fields, fields);
  fill(measures), fill(values), fill(vector);
  const auto signs = array("signs", cells, fields), product = array("product", cells, fields),
             load = array("load", cells, fields);
  for (int c = 0; c < cells; ++c) {
    for (int f = 0; f < fields; ++f) signs(c, f) = sign;
  }
  const auto geometry = Kontract::geometry(measures);
  const auto mass = Kontract::term(Form::mass(FunctionSpace::HGRAD), values, values);
  Integration::matrices(plain, geometry, mass);
  Integration::apply(product, vector, geometry, mass.withSigns(signs, signs));
  Integration::vectors(
      load, geometry,
      Kontract::load(Form::source(FunctionSpace::HGRAD), values, measures).withSigns(signs));
  const Number square = sign * sign;
  for (int c = 0; c < cells; ++c) {
    for (int l = 0; l < fields; ++l) {
      double sum = 0, source = 0;
      for (int r = 0; r < fields; ++r) sum += plain(c, l, r) * vector(c, r);
      for (int p = 0; p < points; ++p) source += measures(c, p) * measures(c, p) * values(l, p);
      const Number found = product(c, l), expected = square * sum;
      const Number found_load = load(c, l), expected_load = sign * source;
      TEST_ASSERT(isNear(found, expected));
      TEST_ASSERT(isNear(found_load, expected_load));
    }
  }
}

TEUCHOS_UNIT_TEST(FadForms, signsOfTheirOwnType) {
  checkSigns(out, success, Kokkos::complex<double>(0.5, 2), {});
  Sacado::Fad::DFad<double> sign(derivatives, 0.75);
  for (int d = 0; d < derivatives; ++d) sign.fastAccessDx(d) = 1 + d;
  checkSigns(out, success, sign, {derivatives + 1});
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
