// SPDX-License-Identifier: BSD-3-Clause
//
// FunctionSpaceTools and Integration on Fads: geometry, coefficients and unknowns carry
// derivatives, values of bases are double. Compiled once for each Fad type.

#include "FadMirrors.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

// Kontract after Sacado.
#include <Teuchos_UnitTestHarness.hpp>

#include "FormOracle.hpp"
#include "Kontract_FunctionSpaceTools.hpp"
#include "Kontract_Integration.hpp"
#include "Refusal.hpp"

namespace KontractTest {
namespace {

using Fad = KONTRACT_TEST_FAD;
using Space = Kokkos::DefaultExecutionSpace;
using Kontract::Form;
using Kontract::FunctionSpace;
constexpr int cells = 3, fields = 4, points = 5, dims = 2, derivatives = 3;

double number(int i) { return 0.25 + 0.5 * ((i * 7) % 11) / 11; }

template <class View>
void fill(const View& view) {
  writeOnHost(view, [](const auto& here) {
    for (std::size_t i = 0; i < here.size(); ++i) here.data()[i] = number(static_cast<int>(i));
  });
}

/// Numbers, how each moves with each unknown, and views of Fads that carry both.
class MovingArray {
 public:
  MovingArray(const std::string& letters, const std::vector<std::size_t>& extents, int seed)
      : _array(letters, extents) {
    for (double& value : _array.values()) value = number(seed++);
    for (std::vector<double>& slopes : _slopes) {
      for (std::size_t i = 0; i < _array.size(); ++i) slopes.push_back(number(seed++) - 0.5);
    }
  }

  Numbers& numbers() { return _array; }
  std::size_t extent(std::size_t i) const { return _array.extents()[i]; }

  /// The numbers when an unknown has moved by so much.
  Numbers moved(int unknown, double by) const {
    Numbers moved = _array;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      moved.values()[i] += by * _slopes[static_cast<std::size_t>(unknown)][i];
    }
    return moved;
  }

  Fad at(std::size_t i) const {
    Fad fad(derivatives, _array.values()[i]);
    for (int d = 0; d < derivatives; ++d) {
      fad.fastAccessDx(d) = _slopes[static_cast<std::size_t>(d)][i];
    }
    return fad;
  }

 private:
  Numbers _array;
  std::array<std::vector<double>, derivatives> _slopes;
};

Kokkos::View<Fad**, Space> matrixOf(const MovingArray& from, int rows, int columns) {
  Kokkos::View<Fad**, Space> view("matrix", rows, columns, derivatives + 1);
  writeOnHost(view, [&](const auto& here) {
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) {
        here(i, j) = from.at(static_cast<std::size_t>(i * columns + j));
      }
    }
  });
  return view;
}

Kokkos::View<Fad****, Space> jacobiansOf(const MovingArray& from) {
  const int rows = int(from.extent(2));
  Kokkos::View<Fad****, Space> view("jacobians", cells, points, rows, dims, derivatives + 1);
  writeOnHost(view, [&](const auto& here) {
    for (int i = 0; i < cells * points * rows * dims; ++i) {
      const int a = i / dims % rows, p = i / (dims * rows) % points, c = i / (dims * rows * points);
      here(c, p, a, i % dims) = from.at(static_cast<std::size_t>(i));
    }
  });
  return view;
}

/// A form whose geometry, coefficient and vector all move with the unknowns, by the oracle.
struct MovingForm {
  int space;
  MovingArray jacobians{"CPDE", {cells, points, std::size_t(space), dims}, 1},
      coefficient{"CP", {cells, points}, 2}, unknowns{"CF", {cells, fields}, 3};
  Numbers weights{"P", {points}}, values{"FP", {fields, points}},
      gradients{"FPD", {fields, points, dims}};

  /// \param space_dimension  more than dims: cells are surfaces
  explicit MovingForm(int space_dimension) : space(space_dimension) {
    for (Numbers* numbers : {&weights, &values, &gradients}) {
      for (std::size_t i = 0; i < numbers->size(); ++i) {
        numbers->values()[i] = number(static_cast<int>(i));
      }
    }
    // Cells that are not turned inside out.
    forEachPlace(jacobians.numbers(), [&](const Place& at) {
      if (at.d == at.e) jacobians.numbers().at(at) += 2;
    });
  }

  /// Matrices of diffusion and mass, then loads, then products of all cells.
  WideVector results(int unknown, double by) const {
    const Numbers j = jacobians.moved(unknown, by), k = coefficient.moved(unknown, by),
                  u = unknowns.moved(unknown, by);
    CellArrays arrays;
    arrays.dimension = dims;
    arrays.space = space;
    arrays.jacobians = &j;
    arrays.weights = &weights;
    const FormOracle oracle(arrays);
    const FormOracle::Term diffusion{Form::gradGrad(), &gradients, &gradients, &k},
        mass{Form::mass(FunctionSpace::HGRAD), &values, &values},
        source{Form::source(FunctionSpace::HGRAD), &values, nullptr, &k};
    WideVector matrices, loads, products;
    for (std::size_t c = 0; c < cells; ++c) {
      WideVector matrix = oracle.matrix(diffusion, c, points);
      const WideVector of_mass = oracle.matrix(mass, c, points);
      for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] += of_mass[i];
      for (std::size_t l = 0; l < fields; ++l) {
        Wide product = 0;
        for (std::size_t r = 0; r < fields; ++r) {
          product += matrix[l * fields + r] * u.at({c, r, 0, 0, 0, 0});
        }
        products.push_back(product);
      }
      const WideVector load = oracle.load(source, c, points);
      matrices.insert(matrices.end(), matrix.begin(), matrix.end());
      loads.insert(loads.end(), load.begin(), load.end());
    }
    for (const WideVector* part : {&loads, &products}) {
      matrices.insert(matrices.end(), part->begin(), part->end());
    }
    return matrices;
  }

  /// Derivatives of the results, by differences that err by the fifth derivative times 4e-12.
  WideVector derivativesOf(int unknown) const {
    const double step = 1e-3;
    const WideVector a = results(unknown, -2 * step), b = results(unknown, -step),
                     c = results(unknown, step), d = results(unknown, 2 * step);
    WideVector slopes;
    for (std::size_t i = 0; i < a.size(); ++i) {
      slopes.push_back((a[i] - 8 * b[i] + 8 * c[i] - d[i]) / (12 * step));
    }
    return slopes;
  }
};

template <class Numbers>
auto viewOf(const Numbers& numbers) {
  const auto& extents = numbers.extents();
  Kokkos::DynRankView<double, Kokkos::LayoutRight, Space> view(
      "numbers", extents[0], numbers.rank() > 1 ? extents[1] : KOKKOS_INVALID_INDEX,
      numbers.rank() > 2 ? extents[2] : KOKKOS_INVALID_INDEX);
  writeOnHost(view, [&](const auto& here) {
    std::copy(numbers.values().begin(), numbers.values().end(), here.data());
  });
  return view;
}

/// Matrices, loads and products of Fads against the oracle and its differences.
void checkForms(Teuchos::FancyOStream& out, bool& success, int space = dims) {
  using Integration = Kontract::Integration<Space>;
  const MovingForm form(space);
  const auto k = matrixOf(form.coefficient, cells, points);
  const auto values = viewOf(form.values), gradients = viewOf(form.gradients);
  const auto geometry = Kontract::geometry(jacobiansOf(form.jacobians), viewOf(form.weights));
  const auto diffusion = Kontract::term(Form::gradGrad(), gradients, gradients, k);
  const auto mass = Kontract::term(Form::mass(FunctionSpace::HGRAD), values, values);
  const Kokkos::View<Fad***, Space> matrices("matrices", cells, fields, fields, derivatives + 1);
  const Kokkos::View<Fad**, Space> loads("loads", cells, fields, derivatives + 1),
      products("products", cells, fields, derivatives + 1);
  Integration::matrices(matrices, geometry, diffusion, mass);
  Integration::vectors(loads, geometry,
                       Kontract::load(Form::source(FunctionSpace::HGRAD), values, k));
  Integration::apply(products, matrixOf(form.unknowns, cells, fields), geometry, diffusion, mass);

  std::vector<Fad> found;
  const auto of_cells = readOnHost(matrices);
  for (int i = 0; i < cells * fields * fields; ++i) {
    found.push_back(of_cells(i / (fields * fields), i / fields % fields, i % fields));
  }
  for (const auto& view : {loads, products}) {
    const auto here = readOnHost(view);
    for (int i = 0; i < cells * fields; ++i) found.push_back(here(i / fields, i % fields));
  }
  for (int d = -1; d < derivatives; ++d) {
    const WideVector expected = d < 0 ? form.results(0, 0) : form.derivativesOf(d);
    TEST_EQUALITY(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double value = d < 0 ? found[i].val() : found[i].dx(d);
      const double error = std::abs(value - static_cast<double>(expected[i]));
      TEST_COMPARE(error, <, (d < 0 ? 1e-13 : 1e-9) * (1 + std::abs(value)));
    }
  }
}

TEUCHOS_UNIT_TEST(FadForms, derivatives) { checkForms(out, success); }
TEUCHOS_UNIT_TEST(FadForms, derivativesOnSurfaces) { checkForms(out, success, dims + 1); }

#ifndef KONTRACT_TEST_FAD_IS_STATIC
/// Derivatives that an array has more, or fewer, than the output are neither cut nor made up.
TEUCHOS_UNIT_TEST(FadForms, numbersOfDerivativesAgree) {
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
#endif

/// Factors of a coefficient that has derivatives, and matrices by them.
TEUCHOS_UNIT_TEST(FadForms, factors) {
  Kokkos::View<double****, Space> jacobians("jacobians", cells, points, dims, dims);
  Kokkos::View<double*, Space> weights("weights", points);
  Kokkos::View<double***, Space> gradients("gradients", fields, points, dims);
  Kokkos::View<Fad**, Space> coefficient("coefficient", cells, points, derivatives + 1);
  Kokkos::View<Fad***, Space> factors("factors", cells, 3, points, derivatives + 1);
  const Kokkos::View<Fad***, Space> should_be("matrices", cells, fields, fields, derivatives + 1),
      is("matrices by factors", cells, fields, fields, derivatives + 1);
  fill(jacobians), fill(weights), fill(gradients);
  const auto to_cells = readOnHost(jacobians);
  writeOnHost(coefficient, [&](const auto& here) {
    for (int c = 0; c < cells; ++c) {
      for (int p = 0; p < points; ++p) {
        for (int d = 0; d < dims; ++d) to_cells(c, p, d, d) += 3;
        here(c, p) = Fad(derivatives, (c + p) % derivatives, 1. + c + p);
      }
    }
  });
  Kokkos::deep_copy(jacobians, to_cells);
  const auto term = Kontract::term(Form::gradGrad(), gradients, gradients, coefficient);
  const auto geometry = Kontract::geometry(jacobians, weights);
  // All else may be double.
  Kontract::Integration<Space>::factors(factors, geometry,
                                        Kontract::term(Form::gradGrad(), gradients, gradients));
  const Fad factor = readOnHost(factors)(0, 0, 0);
  for (int d = 0; d < derivatives; ++d) TEST_EQUALITY_CONST(factor.dx(d), 0);
  using Integration = Kontract::Integration<Space>;
  Integration::matrices(should_be, geometry, term);
  Integration::factors(factors, geometry, term);
  Integration::matrices(is, Kontract::geometry(), Kontract::factored(term, factors));
  const auto found = readOnHost(is), expected = readOnHost(should_be);
  for (int c = 0; c < cells; ++c) {
    for (int l = 0; l < fields; ++l) {
      for (int r = 0; r < fields; ++r) {
        const Fad one = found(c, l, r), other = expected(c, l, r);
        TEST_FLOATING_EQUALITY(one.val(), other.val(), 1e-13);
        for (int d = 0; d < derivatives; ++d) {
          TEST_FLOATING_EQUALITY(1 + one.dx(d), 1 + other.dx(d), 1e-13);
        }
      }
    }
  }
}

/// Lame's parameters of which the second alone has derivatives.
TEUCHOS_UNIT_TEST(FadForms, secondCoefficientOfFads) {
  Kokkos::View<double****, Space> jacobians("jacobians", cells, 1, 1, 1);
  Kokkos::View<double*, Space> weights("weights", points);
  Kokkos::View<double***, Space> gradients("gradients", fields, points, 1);
  Kokkos::View<double**, Space> lambda("lambda", cells, 1);
  Kokkos::View<Fad**, Space> mu("mu", cells, 1, derivatives + 1);
  Kokkos::View<Fad***, Space> matrices("matrices", cells, fields, fields, derivatives + 1);
  Kokkos::deep_copy(jacobians, 1.);
  Kokkos::deep_copy(lambda, 7.);
  fill(weights), fill(gradients);
  writeOnHost(mu, [](const auto& here) {
    for (int c = 0; c < cells; ++c) here(c, 0) = Fad(derivatives, c % derivatives, 2. + c);
  });
  Kontract::Integration<Space>::matrices(
      matrices, Kontract::geometry(jacobians, weights),
      Kontract::term(Form::elasticity(), gradients, gradients, lambda, mu));
  const auto found = readOnHost(matrices);
  const auto w = readOnHost(weights);
  const auto slopes = readOnHost(gradients);
  for (int c = 0; c < cells; ++c) {
    for (int l = 0; l < fields; ++l) {
      for (int r = 0; r < fields; ++r) {
        double sum = 0;
        for (int p = 0; p < points; ++p) sum += w(p) * slopes(l, p, 0) * slopes(r, p, 0);
        const Fad entry = found(c, l, r);
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
bool isNear(const Fad& a, const Fad& b) {
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
  writeOnHost(signs, [&](const auto& here) {
    for (int c = 0; c < cells; ++c) {
      for (int f = 0; f < fields; ++f) here(c, f) = sign;
    }
  });
  const auto geometry = Kontract::geometry(measures);
  const auto mass = Kontract::term(Form::mass(FunctionSpace::HGRAD), values, values);
  Integration::matrices(plain, geometry, mass);
  Integration::apply(product, vector, geometry, mass.withSigns(signs, signs));
  Integration::vectors(
      load, geometry,
      Kontract::load(Form::source(FunctionSpace::HGRAD), values, measures).withSigns(signs));
  const Number square = sign * sign;
  const auto of_product = readOnHost(product), of_load = readOnHost(load);
  const auto matrix = readOnHost(plain);
  const auto m = readOnHost(measures), v = readOnHost(values), x = readOnHost(vector);
  for (int c = 0; c < cells; ++c) {
    for (int l = 0; l < fields; ++l) {
      double sum = 0, source = 0;
      for (int r = 0; r < fields; ++r) sum += matrix(c, l, r) * x(c, r);
      for (int p = 0; p < points; ++p) source += m(c, p) * m(c, p) * v(l, p);
      const Number found = of_product(c, l), expected = square * sum;
      const Number found_load = of_load(c, l), expected_load = sign * source;
      TEST_ASSERT(isNear(found, expected));
      TEST_ASSERT(isNear(found_load, expected_load));
    }
  }
}

TEUCHOS_UNIT_TEST(FadForms, signsOfTheirOwnType) {
  checkSigns(out, success, Kokkos::complex<double>(0.5, 2), {});
  Fad sign(derivatives, 0.75);
  for (int d = 0; d < derivatives; ++d) sign.fastAccessDx(d) = 1 + d;
  checkSigns(out, success, sign, {derivatives + 1});
}

/// Residuals of Fads: integrate, evaluate and signs.
TEUCHOS_UNIT_TEST(FadForms, functionSpaceTools) {
  using Tools = Kontract::FunctionSpaceTools<Space>;
  Kokkos::DynRankView<double, Space> basis("basis", cells, fields, points);
  Kokkos::DynRankView<Fad, Space> coefficients("coefficients", cells, fields, derivatives + 1);
  Kokkos::DynRankView<Fad, Space> values("values", cells, points, derivatives + 1);
  Kokkos::DynRankView<Fad, Space> residual("residual", cells, fields, derivatives + 1);
  Kokkos::View<double**, Space> signs("signs", cells, fields);
  Kokkos::deep_copy(signs, -1.);
  fill(basis);
  writeOnHost(coefficients, [](const auto& here) {
    for (int c = 0; c < cells; ++c) {
      for (int f = 0; f < fields; ++f) {
        Fad value(derivatives, number(c + f));
        for (int d = 0; d < derivatives; ++d) value.fastAccessDx(d) = number(c + 3 * f + d);
        here(c, f) = value;
      }
    }
  });
  Tools::evaluate(values, coefficients, basis);
  Tools::integrate(residual, values, basis);
  Tools::applyFieldSigns(residual, signs);
  const auto found_residual = readOnHost(residual), unknowns = readOnHost(coefficients);
  const auto b = readOnHost(basis);
  for (int c = 0; c < cells; ++c) {
    for (int f = 0; f < fields; ++f) {
      Fad sum(derivatives, 0.);
      for (int p = 0; p < points; ++p) {
        Fad value(derivatives, 0.);
        for (int g = 0; g < fields; ++g) value += Fad(unknowns(c, g)) * b(c, g, p);
        sum -= value * b(c, f, p);
      }
      const Fad found = found_residual(c, f);
      TEST_FLOATING_EQUALITY(found.val(), sum.val(), 1e-13);
      for (int d = 0; d < derivatives; ++d) TEST_FLOATING_EQUALITY(found.dx(d), sum.dx(d), 1e-13);
    }
  }
}

}  // namespace
}  // namespace KontractTest
