// SPDX-License-Identifier: BSD-3-Clause
//
// Forms against plain loops: every form, coefficient and kind of geometry, matrices, vectors and
// matrix-free products, in all layouts. Outputs begin as NaN where they are overwritten.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>

#include "FormChecker.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Kontract::Pullback;

/// What a call was given, in words.
struct Case {
  std::string name;
  Form form;
  bool left_is_vector, right_is_vector;
  std::string coefficient;  ///< letters, or empty
};

std::vector<Case> casesOf(int d) {
  std::vector<Case> cases;
  const bool has_curls = d > 1;
  for (const std::string c : {"", "CP", "CQ"}) {
    cases.push_back({"mass HGRAD", Form::mass(FunctionSpace::HGRAD), false, false, c});
    cases.push_back({"mass HVOL", Form::mass(FunctionSpace::HVOL), false, false, c});
    cases.push_back({"divDiv", Form::divDiv(), false, false, c});
    cases.push_back({"divergence", Form::divergence(), false, false, c});
    if (has_curls) cases.push_back({"curlCurl", Form::curlCurl(), d == 3, d == 3, c});
  }
  for (const std::string c : {"", "CP", "CQ", "CPD", "CPDE", "CQDE"}) {
    cases.push_back({"mass HCURL", Form::mass(FunctionSpace::HCURL), true, true, c});
    cases.push_back({"mass HDIV", Form::mass(FunctionSpace::HDIV), true, true, c});
    cases.push_back({"gradGrad", Form::gradGrad(), true, true, c});
    cases.push_back({"gradient", Form::gradient(), true, true, c});
  }
  for (const std::string c : {"CPD", "CQD"}) {
    cases.push_back({"advection", Form::advection(), false, true, c});
    cases.push_back({"advectionTransposed", Form::advectionTransposed(), true, false, c});
    cases.push_back({"HDIV and HGRAD", Form::product(Pullback::Contravariant, Pullback::Scalar),
                     true, false, c});
  }
  return cases;
}

/// The two kinds of values: of the reference cell, or of each cell.
std::string lettersOf(char field, bool is_vector, bool of_each_cell) {
  return (of_each_cell ? "C" : "") + std::string(1, field) + "P" + (is_vector ? "D" : "");
}

template <class Checker, class Here>
void checkForms(Checker& checker, bool of_each_cell) {
  for (const Case& given : casesOf(checker.dimension())) {
    const Numbers left = checker.random(lettersOf('L', given.left_is_vector, of_each_cell));
    const Numbers right = checker.random(lettersOf('R', given.right_is_vector, of_each_cell));
    auto left_held = Here::place(left), right_held = Here::place(right);
    FormOracle::Term term{given.form, &left, &right};
    const std::string name = given.name + " " + given.coefficient;
    if (given.coefficient.empty()) {
      checker.matrices(name, {term}, 1, false, [&](const auto& call) {
        call(Kontract::term(given.form, left_held.dynRankView(), right_held.dynRankView()));
      });
    } else {
      const Numbers coefficient = checker.random(given.coefficient);
      auto held = Here::place(coefficient);
      term.coefficient = &coefficient;
      checker.matrices(name, {term}, 1, true, [&](const auto& call) {
        call(Kontract::term(given.form, left_held.dynRankView(), right_held.dynRankView(),
                            held.dynRankView()));
      });
    }
  }
}

/// Left and right values that are one array.
template <class Checker, class Here>
void checkSymmetricForms(Checker& checker) {
  for (const Case& given : casesOf(checker.dimension())) {
    if (given.left_is_vector != given.right_is_vector) continue;
    const Numbers values = checker.random(lettersOf('L', given.left_is_vector, false));
    auto held = Here::place(values);
    FormOracle::Term term{given.form, &values, &values};
    const auto view = held.dynRankView();
    if (given.coefficient.empty()) {
      checker.matrices(given.name + " symmetric", {term}, 1, false,
                       [&](const auto& call) { call(Kontract::term(given.form, view, view)); });
    } else {
      const Numbers coefficient = checker.random(given.coefficient);
      auto coefficient_held = Here::place(coefficient);
      term.coefficient = &coefficient;
      checker.matrices(
          given.name + " symmetric " + given.coefficient, {term}, 1, true, [&](const auto& call) {
            call(Kontract::term(given.form, view, view, coefficient_held.dynRankView()));
          });
    }
  }
}

template <class Checker, class Here>
void checkElasticityAndSums(Checker& checker) {
  const int d = checker.dimension();
  const Numbers gradients = checker.random("LPD"), others = checker.random("RPD"),
                values = checker.random("LP"), right_values = checker.random("RP"),
                lambda = checker.random("CP"), mu = checker.random("CQ"),
                vector = checker.random("CPD");
  auto gradients_held = Here::place(gradients), others_held = Here::place(others),
       values_held = Here::place(values), right_held = Here::place(right_values),
       lambda_held = Here::place(lambda), mu_held = Here::place(mu),
       vector_held = Here::place(vector);
  const auto g = gradients_held.dynRankView(), h = others_held.dynRankView(),
             v = values_held.dynRankView(), w = right_held.dynRankView();
  const auto elasticity = [&](const auto& left, const auto& right) {
    return Kontract::term(Form::elasticity(), left, right, lambda_held.dynRankView(),
                          mu_held.dynRankView());
  };
  const auto mass = Form::mass(FunctionSpace::HGRAD);
  checker.matrices("elasticity", {{Form::elasticity(), &gradients, &gradients, &lambda, &mu}}, d,
                   false, [&](const auto& call) { call(elasticity(g, g)); });
  checker.matrices("elasticity of two bases",
                   {{Form::elasticity(), &gradients, &others, &lambda, &mu}}, d, true,
                   [&](const auto& call) { call(elasticity(g, h)); });
  checker.matrices(
      "elasticity and mass",
      {{Form::elasticity(), &gradients, &gradients, &lambda, &mu}, {mass, &values, &values, &mu}},
      d, false, [&](const auto& call) {
        call(elasticity(g, g), Kontract::term(mass, v, v, mu_held.dynRankView()));
      });
  checker.matrices("three forms",
                   {{Form::gradGrad(), &gradients, &others, &lambda},
                    {Form::advection(), &values, &others, &vector},
                    {mass, &values, &right_values}},
                   1, true, [&](const auto& call) {
                     call(Kontract::term(Form::gradGrad(), g, h, lambda_held.dynRankView()),
                          Kontract::term(Form::advection(), v, h, vector_held.dynRankView()),
                          Kontract::term(mass, v, w));
                   });
}

/// Gradients that are transformed already, whatever the geometry: Jacobians that are there are for
/// the measure alone.
template <class Checker, class Here>
void checkElasticityOfPhysicalValues(Checker& checker) {
  const Numbers left = checker.random("CLPD"), right = checker.random("CRPD"),
                lambda = checker.random("CP"), mu = checker.random("CQ");
  auto left_held = Here::place(left), right_held = Here::place(right),
       lambda_held = Here::place(lambda), mu_held = Here::place(mu);
  const Form form = Form::elasticity().ofPhysicalValues();
  checker.matrices("elasticity of physical values", {{form, &left, &right, &lambda, &mu}},
                   checker.dimension(), false, [&](const auto& call) {
                     call(Kontract::term(form, left_held.dynRankView(), right_held.dynRankView(),
                                         lambda_held.dynRankView(), mu_held.dynRankView()));
                   });
}

/// Signs as a function of cell and field.
template <class View>
struct SignsOfArray {
  View signs;
  KOKKOS_INLINE_FUNCTION FormScalar operator()(std::int64_t c, std::int64_t f) const {
    return signs(c, f);
  }
};

template <class Checker, class Here>
void checkSigns(Checker& checker) {
  const Numbers left = checker.random("LPD"), right = checker.random("RPD"),
                of_left = checker.random("CL"), of_right = checker.random("CR"),
                source = checker.random("CPD");
  auto left_held = Here::place(left), right_held = Here::place(right),
       left_signs = Here::place(of_left), right_signs = Here::place(of_right),
       source_held = Here::place(source);
  const Form form = Form::mass(FunctionSpace::HDIV);
  checker.matrices("mass HDIV with signs",
                   {{form, &left, &right, nullptr, nullptr, &of_left, &of_right}}, 1, false,
                   [&](const auto& call) {
                     call(Kontract::term(form, left_held.dynRankView(), right_held.dynRankView())
                              .withSigns(left_signs.dynRankView(), right_signs.dynRankView()));
                   });
  checker.matrices("mass HDIV with signs on the left",
                   {{form, &left, &right, nullptr, nullptr, &of_left}}, 1, false,
                   [&](const auto& call) {
                     call(Kontract::term(form, left_held.dynRankView(), right_held.dynRankView())
                              .withSigns(left_signs.dynRankView(), Kontract::no_signs));
                   });
  using Signs = SignsOfArray<typename Here::View>;
  checker.matrices(
      "mass HDIV with signs by functions",
      {{form, &left, &right, nullptr, nullptr, &of_left, &of_right}}, 1, true,
      [&](const auto& call) {
        call(Kontract::term(form, left_held.dynRankView(), right_held.dynRankView())
                 .withSigns(Signs{left_signs.dynRankView()}, Signs{right_signs.dynRankView()}));
      });
  checker.vectors("source HDIV with signs", {form, &left, nullptr, &source, nullptr, &of_left}, 1,
                  [&](const auto& call) {
                    call(Kontract::load(Form::source(FunctionSpace::HDIV), left_held.dynRankView(),
                                        source_held.dynRankView())
                             .withSigns(left_signs.dynRankView()));
                  });
}

template <class Checker, class Here>
void checkLoads(Checker& checker) {
  for (const FunctionSpace space :
       {FunctionSpace::HGRAD, FunctionSpace::HCURL, FunctionSpace::HDIV, FunctionSpace::HVOL}) {
    const bool is_vector = space == FunctionSpace::HCURL || space == FunctionSpace::HDIV;
    const Numbers values = checker.random(is_vector ? "LPD" : "LP");
    auto held = Here::place(values);
    for (const std::string letters : {"CP", "CQ", "CPD", "CQD"}) {
      const bool of_vectors = letters.size() == 3;
      if (is_vector && !of_vectors) continue;
      const Numbers source = checker.random(letters);
      auto source_held = Here::place(source);
      const int blocks = of_vectors && !is_vector ? checker.dimension() : 1;
      const Form form = Form::source(space);
      checker.vectors("source " + std::to_string(int(space)) + " " + letters,
                      {form, &values, nullptr, &source}, blocks, [&](const auto& call) {
                        call(Kontract::load(form, held.dynRankView(), source_held.dynRankView()));
                      });
    }
  }
}

const std::vector<FormSizes> sizes = {{3, 4, 6, 5, 4},  {1, 1, 1, 1, 3}, {19, 5, 8, 7, 4},
                                      {2, 19, 9, 6, 4}, {0, 2, 3, 4, 3}, {2, 0, 3, 4, 3},
                                      {2, 3, 0, 4, 3},  {2, 3, 2, 0, 3}};

#define CHECK_ALL(FUNCTION, GEOMETRIES, AT_LEAST, ...)                                   \
  Tally tally(out);                                                                      \
  forEachChecker({1, 2, 3}, sizes, GEOMETRIES, tally, [&](auto& checker, auto memory) {  \
    FUNCTION<std::decay_t<decltype(checker)>, decltype(memory)>(checker, ##__VA_ARGS__); \
  });                                                                                    \
  TEST_ASSERT(tally.checks() >= AT_LEAST);                                               \
  TEST_EQUALITY_CONST(tally.failures(), 0)

const std::vector<Cells> all_geometries{Cells::Jacobians, Cells::AffineJacobians,
                                        Cells::JacobiansAndMeasures, Cells::Nodes,
                                        Cells::AffineNodes};
const std::vector<Cells> jacobians{Cells::Jacobians};
const std::vector<Cells> some_geometries{Cells::Jacobians, Cells::AffineJacobians};

TEUCHOS_UNIT_TEST(Integration, formsOfReferenceValues) {
  CHECK_ALL(checkForms, all_geometries, 10000, false);
}
TEUCHOS_UNIT_TEST(Integration, formsOfValuesOfEachCell) {
  CHECK_ALL(checkForms, jacobians, 2000, true);
}
TEUCHOS_UNIT_TEST(Integration, symmetricForms) {
  CHECK_ALL(checkSymmetricForms, some_geometries, 2000);
}
TEUCHOS_UNIT_TEST(Integration, elasticityAndSums) {
  CHECK_ALL(checkElasticityAndSums, all_geometries, 1000);
}
TEUCHOS_UNIT_TEST(Integration, elasticityOfPhysicalValues) {
  CHECK_ALL(checkElasticityOfPhysicalValues, all_geometries, 200);
}
TEUCHOS_UNIT_TEST(Integration, signs) { CHECK_ALL(checkSigns, all_geometries, 500); }
TEUCHOS_UNIT_TEST(Integration, loads) { CHECK_ALL(checkLoads, all_geometries, 1000); }

/// Values that are transformed already need measures alone.
TEUCHOS_UNIT_TEST(Integration, physicalValues) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Integration = Kontract::Integration<Space>;
  Kokkos::View<double****, Space> fields("fields", 3, 4, 5, 2);
  Kokkos::View<double***, Space> scalars("scalars", 3, 4, 5), matrices("matrices", 3, 4, 4);
  Kokkos::View<double**, Space> measures("measures", 3, 5), coefficient("coefficient", 3, 1);
  Kokkos::deep_copy(fields, 2.);
  Kokkos::deep_copy(scalars, 3.);
  Kokkos::deep_copy(measures, 0.5);
  Kokkos::deep_copy(coefficient, 10.);
  const auto cells = Kontract::geometry(measures);
  Integration::matrices(matrices, cells,
                        Kontract::term(Form::gradGrad().ofPhysicalValues(), fields, fields),
                        Kontract::term(Form::mass(FunctionSpace::HVOL).ofPhysicalValues(), scalars,
                                       scalars, coefficient));
  TEST_FLOATING_EQUALITY(matrices(2, 3, 1), 5 * 0.5 * 8 + 5 * 0.5 * 90, 1e-14);
}

/// Coefficients of other scalars than the geometry.
TEUCHOS_UNIT_TEST(Integration, mixedScalars) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Integration = Kontract::Integration<Space>;
  using Complex = Kokkos::complex<double>;
  Kokkos::View<float**, Space> values("values", 4, 5);
  Kokkos::View<double****, Space> jacobians("jacobians", 3, 1, 2, 2);
  Kokkos::View<double*, Space> weights("weights", 5);
  Kokkos::View<Complex**, Space> coefficient("coefficient", 3, 5);
  Kokkos::View<Complex***, Space> matrices("matrices", 3, 4, 4);
  Kokkos::deep_copy(values, 2.f);
  Kokkos::deep_copy(weights, 0.25);
  Kokkos::deep_copy(coefficient, Complex(1, 3));
  for (int c = 0; c < 3; ++c) jacobians(c, 0, 0, 0) = jacobians(c, 0, 1, 1) = 2;
  Integration::matrices(
      matrices, Kontract::geometry(jacobians, weights),
      Kontract::term(Form::mass(FunctionSpace::HGRAD), values, values, coefficient));
  TEST_FLOATING_EQUALITY(matrices(2, 3, 1).real(), 20., 1e-14);
  TEST_FLOATING_EQUALITY(matrices(2, 3, 1).imag(), 60., 1e-14);
}

}  // namespace
}  // namespace KontractTest
