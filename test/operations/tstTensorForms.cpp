// SPDX-License-Identifier: BSD-3-Clause
//
// Forms of tensor-product bases against plain loops over all their values: what tensorBasis()
// stands for, with few functions in each direction and with many, the same on both sides and not.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <array>
#include <cmath>

#include "DrawnBasis.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;

/// Functions of each direction on both sides, and points.
struct Grid {
  std::array<std::size_t, 3> lefts, rights, points;
};

template <class Here, class Checker>
void checkTensorForms(Checker& checker, const Grid& grid) {
  const int d = checker.dimension();
  DrawnBasis<Here> left(d, grid.lefts, grid.points, 'L'), right(d, grid.rights, grid.points, 'R');
  const auto l = left.basis(), r = right.basis();
  const Numbers scalar = checker.random("CP"), other = checker.random("CQ"),
                vector = checker.random("CPD"), tensor = checker.random("CPDE"),
                left_signs = checker.random("CL"), right_signs = checker.random("CR");
  auto scalar_held = Here::place(scalar), other_held = Here::place(other),
       vector_held = Here::place(vector), tensor_held = Here::place(tensor),
       left_signs_held = Here::place(left_signs), right_signs_held = Here::place(right_signs);
  const auto a = scalar_held.dynRankView(), b = other_held.dynRankView(),
             v = vector_held.dynRankView(), t = tensor_held.dynRankView();
  const Form mass = Form::mass(FunctionSpace::HGRAD), stiffness = Form::gradGrad();
  const Numbers *lv = &left.values, *lg = &left.gradients, *rv = &right.values,
                *rg = &right.gradients;

  const Form source = Form::source(FunctionSpace::HGRAD);
  checker.setTensorBases(true);
  checker.matrices(
      "gradGrad with tensors and signs",
      {{stiffness, lg, rg, &tensor, nullptr, &left_signs, &right_signs}}, 1, true,
      [&](const auto& call) {
        call(Kontract::term(stiffness, l, r, t)
                 .withSigns(left_signs_held.dynRankView(), right_signs_held.dynRankView()));
      });
  checker.matrices(
      "elasticity and mass", {{Form::elasticity(), lg, rg, &scalar, &other}, {mass, lv, rv}}, d,
      true, [&](const auto& call) {
        call(Kontract::term(Form::elasticity(), l, r, a, b), Kontract::term(mass, l, r));
      });
  checker.vectors("source", {source, lv, nullptr, &scalar}, 1,
                  [&](const auto& call) { call(Kontract::load(source, l, a)); });
  checker.vectors("source of D components", {source, lv, nullptr, &vector}, d,
                  [&](const auto& call) { call(Kontract::load(source, l, v)); });
  // Compilers for devices take a minute for each of these.
  if constexpr (Checker::is_on_host) {
    checker.matrices("mass", {{mass, lv, rv}}, 1, false,
                     [&](const auto& call) { call(Kontract::term(mass, l, r)); });
    checker.matrices(
        "mass of HVOL", {{Form::mass(FunctionSpace::HVOL), lv, rv, &scalar}}, 1, true,
        [&](const auto& call) { call(Kontract::term(Form::mass(FunctionSpace::HVOL), l, r, a)); });
    checker.matrices("gradGrad", {{stiffness, lg, rg, &scalar}}, 1, false,
                     [&](const auto& call) { call(Kontract::term(stiffness, l, r, a)); });
    checker.matrices("advection, its transpose and mass",
                     {{Form::advection(), lv, rg, &vector},
                      {Form::advectionTransposed(), lg, rv, &vector},
                      {mass, lv, rv, &other}},
                     1, false, [&](const auto& call) {
                       call(Kontract::term(Form::advection(), l, r, v),
                            Kontract::term(Form::advectionTransposed(), l, r, v),
                            Kontract::term(mass, l, r, b));
                     });
    // One basis on both sides: symmetric matrices.
    checker.matrices("symmetric gradGrad and mass", {{stiffness, lg, lg, &vector}, {mass, lv, lv}},
                     1, false, [&](const auto& call) {
                       call(Kontract::term(stiffness, l, l, v), Kontract::term(mass, l, l));
                     });
    checker.matrices(
        "symmetric elasticity", {{Form::elasticity(), lg, lg, &scalar, &other}}, d, false,
        [&](const auto& call) { call(Kontract::term(Form::elasticity(), l, l, a, b)); });
    // A tensor-product basis against an array, and two that are made of other functions.
    auto array = Here::place(right.gradients);
    checker.setTensorBases(false);
    checker.matrices(
        "gradGrad of a basis and an array", {{stiffness, lg, rg}}, 1, false,
        [&](const auto& call) { call(Kontract::term(stiffness, l, array.dynRankView())); });
    checker.setTensorBases(true);
    DrawnBasis<Here> another(d, grid.lefts, grid.points, 'L');
    const auto n = another.basis();
    checker.matrices("two bases", {{stiffness, lg, lg}, {mass, &another.values, lv}}, 1, false,
                     [&](const auto& call) {
                       call(Kontract::term(stiffness, l, l), Kontract::term(mass, n, l));
                     });
    checker.vectors("flux", {stiffness, lg, nullptr, &vector}, 1,
                    [&](const auto& call) { call(Kontract::load(stiffness, l, v)); });
  }
}

const std::vector<Grid> grids{{{2, 2, 2}, {2, 2, 2}, {3, 3, 3}},  // a plain sum is shorter
                              {{4, 4, 4}, {4, 4, 4}, {5, 5, 5}},  // a tile, a strip and more
                              {{3, 5, 4}, {4, 3, 5}, {5, 4, 3}},
                              {{9, 1, 2}, {1, 7, 3}, {1, 9, 2}},
                              {{3, 3, 3}, {3, 3, 3}, {4, 0, 4}}};

TEUCHOS_UNIT_TEST(TensorForms, matricesProductsAndVectorsOfAllGrids) {
  Tally tally(out);
  for (const Grid& grid : grids) {
    for (int dimension = 1; dimension <= 3; ++dimension) {
      const std::size_t cells = dimension == 3 ? 3 : 19;
      const FormSizes s{cells, product(grid.lefts, dimension), product(grid.rights, dimension),
                        product(grid.points, dimension), 4};
      forEachChecker(
          {dimension}, {s}, {Cells::Jacobians, Cells::AffineNodes}, tally,
          [&](auto& checker, auto memory) { checkTensorForms<decltype(memory)>(checker, grid); });
    }
  }
  TEST_ASSERT(tally.checks() >= 800);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// Loads of displacements, where measures are all that is known of cells: their sources tell the
/// dimensions of space, and the basis those of cells.
TEUCHOS_UNIT_TEST(TensorForms, displacementsWithMeasuresAlone) {
  using Here = Memory<Kokkos::DefaultExecutionSpace, Kokkos::LayoutRight>;
  const Grid grid{{3, 2, 4}, {}, {4, 3, 3}};
  Tally tally(out);
  for (const int dimension : {1, 2, 3}) {
    for (int space = dimension; space <= 3; ++space) {
      const FormSizes s{5, product(grid.lefts, dimension), 0, product(grid.points, dimension), 0};
      DrawnBasis<Here> drawn(dimension, grid.lefts, grid.points, 'L');
      const Numbers measures = numbers("CP", s, dimension),
                    source = numbers("CPS", s, dimension, space);
      std::vector<Wide> expected(s.c * s.l * std::size_t(space), 0);
      forEachPlace(numbers("CLPS", s, dimension, space), [&](const Place& at) {
        expected[(at.c * s.l + at.f) * std::size_t(space) + at.d] +=
            Wide(measures.at(at)) * drawn.values.at(at) * source.at(at);
      });
      auto of_measures = Here::place(measures), of_source = Here::place(source);
      for (const NamedOptions& algorithm : algorithmsOfTensorBases()) {
        typename Here::Held result({s.c, s.l * std::size_t(space)},
                                   std::vector<FormScalar>(expected.size(), FormScalar(NAN)));
        Kontract::Integration<typename Here::Device>::vectors(
            result.dynRankView(), Kontract::geometry(of_measures.dynRankView()),
            Kontract::load(Form::source(FunctionSpace::HGRAD), drawn.basis(),
                           of_source.dynRankView()),
            algorithm.options);
        tally.add(
            algorithm.name + ", D=" + std::to_string(dimension) + " in " + std::to_string(space),
            differenceOf(result.values(), expected,
                         sizeof(FormScalar) == sizeof(double) ? 1e-12 : 1e-4));
      }
    }
  }
  TEST_ASSERT(tally.checks() >= 18);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// Values of the basis of two linear functions, in all ways to name them.
TEUCHOS_UNIT_TEST(TensorForms, sameFunctionsInEachDirection) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Integration = Kontract::Integration<Space>;
  // On the reference interval [-1,1], at the two points of Gauss' rule.
  const double x = 1 / std::sqrt(3.);
  Kokkos::View<double**, Space> values("values", 2, 2);
  Kokkos::View<double***, Space> derivatives("derivatives", 2, 2, 1);
  for (int p = 0; p < 2; ++p) {
    for (int f = 0; f < 2; ++f) {
      values(f, p) = 0.5 * (1 + (f == p ? x : -x));
      derivatives(f, p, 0) = f == 0 ? -0.5 : 0.5;
    }
  }
  Kokkos::View<double****, Space> jacobians("jacobians", 2, 1, 3, 3);
  Kokkos::View<double*, Space> weights("weights", 8);
  Kokkos::View<double***, Space> matrices("matrices", 2, 8, 8);
  Kokkos::deep_copy(weights, 1.);
  for (int c = 0; c < 2; ++c) {
    for (int d = 0; d < 3; ++d) jacobians(c, 0, d, d) = 0.5;  // a cube of side 1
  }
  const auto basis = Kontract::tensorBasis<3>(values, derivatives);
  Integration::matrices(matrices, Kontract::geometry(jacobians, weights),
                        Kontract::term(Form::gradGrad(), basis, basis));
  const Kontract::Explanation explanation = Kontract::explain();
  TEST_EQUALITY(explanation.operation, "matrices");
  TEST_EQUALITY(explanation.algorithm, "Register Blocking");
  TEST_ASSERT(explanation.settings == "Kernel = Per Cell" ||
              explanation.settings == "Kernel = Interleaved Cells");  // if two cells fill vectors
  TEST_EQUALITY(explanation.flops, 2. * 2 * 8 * (8 * 8 * 3 / 2 + 8 * 3 * 3));
  // Jacobians, weights, the tables of three directions on two sides, matrices.
  TEST_EQUALITY(explanation.bytes, 8. * (2 * 9 + 8 + 2 * 3 * (4 + 4) + 2 * 8 * 8));
  TEST_FLOATING_EQUALITY(matrices(1, 0, 0), 1. / 3, 1e-14);
  TEST_ASSERT(std::abs(matrices(1, 0, 1)) < 1e-15);
  TEST_FLOATING_EQUALITY(matrices(1, 0, 7), -1. / 12, 1e-14);
  Integration::matrices(matrices, Kontract::geometry(jacobians, weights),
                        Kontract::term(Form::mass(FunctionSpace::HGRAD), basis, basis));
  TEST_FLOATING_EQUALITY(matrices(1, 0, 0), 1. / 27, 1e-14);
  TEST_FLOATING_EQUALITY(matrices(1, 0, 7), 1. / 216, 1e-14);
}

/// Teams for vectors: their settings are honoured, and what they cannot compute is refused.
TEUCHOS_UNIT_TEST(TensorForms, teams) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Integration = Kontract::Integration<Space>;
  Kokkos::View<double**, Space> values("values", 2, 2), derivatives("derivatives", 2, 2);
  Kokkos::View<double***, Space> matrices("matrices", 7, 4, 4);
  Kokkos::View<double****, Space> jacobians("jacobians", 7, 1, 2, 2);
  Kokkos::View<double*, Space> weights("weights", 4);
  Kokkos::View<double**, Space> x("x", 7, 4), y("y", 7, 4);
  Kokkos::deep_copy(weights, 0.25);
  Kokkos::deep_copy(values, 0.5);
  Kokkos::deep_copy(x, 1.);
  for (int c = 0; c < 7; ++c) jacobians(c, 0, 0, 0) = jacobians(c, 0, 1, 1) = c + 1;
  const auto geometry = Kontract::geometry(jacobians, weights);
  const auto basis = Kontract::tensorBasis<2>(values, derivatives);
  const auto mass = Kontract::term(Form::mass(FunctionSpace::HGRAD), basis, basis);
  Teuchos::ParameterList list;
  list.set("Algorithm", "Team Reduction").sublist("Launch").set("Cells Per Team", 3);
  Integration::apply(y, x, geometry, mass, list);
  TEST_EQUALITY(Kontract::explain().algorithm, "Team Reduction");
  TEST_EQUALITY(Kontract::explain().settings, "Cells Per Team = 3");
  // All functions are 1/4 and all values of x 1: area / 4.
  for (int c = 0; c < 7; ++c) TEST_FLOATING_EQUALITY(y(c, 3), (c + 1) * (c + 1) / 4., 1e-14);
  TEST_THROW(Integration::matrices(matrices, geometry, mass, list), std::invalid_argument);
  const Kokkos::View<double**, Space> all("all", 4, 4);
  TEST_THROW(Integration::apply(y, x, geometry,
                                Kontract::term(Form::mass(FunctionSpace::HGRAD), all, all), list),
             std::invalid_argument);
  list.sublist("Launch").set("Team Size", 1 << 20);
  TEST_THROW(Integration::apply(y, x, geometry, mass, list), std::invalid_argument);
}

}  // namespace
}  // namespace KontractTest
