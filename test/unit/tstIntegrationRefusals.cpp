// SPDX-License-Identifier: BSD-3-Clause
//
// Wrong calls of Integration are refused with a text that says what is wrong; the output stays.

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>

#include "Kontract_Integration.hpp"
#include "Marked.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Kontract::geometry;
using Kontract::load;
using Kontract::term;
using Space = Kokkos::DefaultHostExecutionSpace;
using Integration = Kontract::Integration<Space>;

#define EXPECT_REFUSAL(...) KONTRACT_EXPECT_REFUSAL(Integration, __VA_ARGS__)

auto cells() { return geometry(marked(2, 5, 3, 3), marked(5)); }

TEUCHOS_UNIT_TEST(IntegrationRefusals, geometry) {
  const auto term_of = term(Form::gradGrad(), marked(4, 5, 3), marked(4, 5, 3));
  EXPECT_REFUSAL(matrices,
                 "jacobians is (2, 5, 3), of rank 3, but it must have rank 4: (C,P or 1,D,D)",
                 marked(2, 4, 4), geometry(marked(2, 5, 3), marked(5)), term_of);
  EXPECT_REFUSAL(matrices,
                 "weights is (P=6) but jacobians is (C=2, P=5, D=3, D=3): the numbers of points P",
                 marked(2, 4, 4), geometry(marked(2, 5, 3, 3), marked(6)), term_of);
  EXPECT_REFUSAL(matrices, "jacobians is (C=2, P=5, D=2, D=3): the space dimensions D must agree",
                 marked(2, 4, 4), geometry(marked(2, 5, 2, 3), marked(5)), term_of);
  EXPECT_REFUSAL(matrices, "gradients of nodes is (N=7, P=5, D=3) but nodes is (C=2, N=8, D=3)",
                 marked(2, 4, 4), geometry(marked(2, 8, 3), marked(7, 5, 3), marked(5)), term_of);
  EXPECT_REFUSAL(matrices, "the geometry has measures alone", marked(2, 4, 4),
                 geometry(marked(2, 5)), term_of);
  EXPECT_REFUSAL(matrices, "cells have dimension 4", marked(2, 4, 4),
                 geometry(marked(2, 5, 4, 4), marked(5)),
                 term(Form::gradGrad(), marked(4, 5, 4), marked(4, 5, 4)));
}

TEUCHOS_UNIT_TEST(IntegrationRefusals, surfaces) {
  const MarkedArray v = marked(4, 5), g = marked(4, 5, 2);
  const auto surface = geometry(marked(2, 5, 3, 2), marked(5));
  EXPECT_REFUSAL(matrices,
                 "left values of term 1 is (L=4, P=5, D=3) but jacobians is (C=2, P=5, S=3, D=2): "
                 "the space dimensions D must agree",
                 marked(2, 4, 4), surface,
                 term(Form::gradGrad(), marked(4, 5, 3), marked(4, 5, 3)));
  EXPECT_REFUSAL(matrices,
                 "gradients of nodes is (N=7, P=5, D=2) but nodes is (C=2, N=6, S=3): the numbers "
                 "of nodes N",
                 marked(2, 4, 4), geometry(marked(2, 6, 3), marked(7, 5, 2), marked(5)),
                 term(Form::gradGrad(), g, g));
  EXPECT_REFUSAL(matrices,
                 "coefficient of term 1 is (C=2, P=5, S=2) but jacobians is (C=2, P=5, S=3, D=2): "
                 "the dimensions of space S must agree",
                 marked(2, 4, 4), surface, term(Form::gradGrad(), g, g, marked(2, 5, 2)));
  EXPECT_REFUSAL(matrices,
                 "between vectors it must be (C,P or 1) or (C,P or 1,S) or (C,P or 1,S,S)",
                 marked(2, 4, 4), surface, term(Form::gradGrad(), g, g, marked(2)));
  EXPECT_REFUSAL(
      matrices, "elasticity of term 1 on cells that have fewer dimensions than space is not served",
      marked(2, 8, 8), surface, term(Form::elasticity(), g, g, marked(2, 5), marked(2, 5)));
  EXPECT_REFUSAL(matrices,
                 "physical vectors of term 2 on cells that have fewer dimensions than space need "
                 "measures alone",
                 marked(2, 4, 4), surface, term(Form::gradGrad(), g, g),
                 term(Form::gradGrad().ofPhysicalValues(), marked(2, 4, 5, 3), marked(2, 4, 5, 3)));
  EXPECT_REFUSAL(matrices, "curls, which cells of dimension 1 do not have", marked(2, 4, 4),
                 geometry(marked(2, 5, 3, 1), marked(5)), term(Form::curlCurl(), v, v));
  EXPECT_REFUSAL(matrices, "jacobians is (C=2, P=5, D=4, D=2): the space dimensions D must agree",
                 marked(2, 4, 4), geometry(marked(2, 5, 4, 2), marked(5)),
                 term(Form::gradGrad(), g, g));
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", "Register Blocking");
  EXPECT_REFUSAL(matrices,
                 "Register Blocking: on cells that have fewer dimensions than space, coefficients "
                 "must be scalars",
                 marked(2, 4, 4), surface, term(Form::gradGrad(), g, g, marked(2, 5, 3)), list);
}

TEUCHOS_UNIT_TEST(IntegrationRefusals, sides) {
  const MarkedArray v = marked(4, 5), g = marked(4, 5, 3), jacobians = marked(2, 5, 3, 3);
  const auto flux = term(Form::advection(), v, g);
  const auto with = [&](const MarkedArray& weights, const MarkedArray& normals) {
    return Kontract::sideGeometry(jacobians, weights, normals);
  };
  EXPECT_REFUSAL(matrices, "weights is (2, 5), of rank 2, but it must have rank 1: (P)",
                 marked(2, 4, 4), with(marked(2, 5), marked(5, 3)), flux);
  EXPECT_REFUSAL(matrices, "normals is (3), of rank 1, but it must have rank 2: (P or 1,D)",
                 marked(2, 4, 4), with(marked(5), marked(3)), flux);
  EXPECT_REFUSAL(matrices, "normals is (P=5, D=2) but jacobians is (C=2, P=5, D=3, D=3)",
                 marked(2, 4, 4), with(marked(5), marked(5, 2)), flux);
  EXPECT_REFUSAL(matrices, "normals is (P=4, D=3) but jacobians is (C=2, P=5, D=3, D=3)",
                 marked(2, 4, 4), with(marked(5), marked(4, 3)), flux);
  EXPECT_REFUSAL(matrices, "normals is (), of rank 0", marked(2, 4, 4),
                 with(marked(5), MarkedArray()), flux);
  EXPECT_REFUSAL(matrices, "between a scalar and a vector it must be (C,P or 1,D) or (C,P or 1)",
                 marked(2, 4, 4), with(marked(5), marked(1, 3)),
                 term(Form::advection(), v, g, marked(2)));
}

TEUCHOS_UNIT_TEST(IntegrationRefusals, values) {
  EXPECT_REFUSAL(
      matrices, "left values of term 1 is (4, 5), of rank 2, but it must have rank 3 or 4: (L,P,D)",
      marked(2, 4, 4), cells(), term(Form::gradGrad(), marked(4, 5), marked(4, 5, 3)));
  EXPECT_REFUSAL(matrices, "right values of term 2 is (R=4, P=6)", marked(2, 4, 4), cells(),
                 term(Form::mass(FunctionSpace::HGRAD), marked(4, 5), marked(4, 5)),
                 term(Form::mass(FunctionSpace::HGRAD), marked(4, 5), marked(4, 6)));
  EXPECT_REFUSAL(matrices, "left values of term 2 is (L=3, P=5) but left values of term 1",
                 marked(2, 4, 4), cells(),
                 term(Form::mass(FunctionSpace::HGRAD), marked(4, 5), marked(4, 5)),
                 term(Form::mass(FunctionSpace::HGRAD), marked(3, 5), marked(4, 5)));
  EXPECT_REFUSAL(matrices, "curls, which cells of dimension 1 do not have", marked(2, 4, 4),
                 geometry(marked(2, 5, 1, 1), marked(5)),
                 term(Form::curlCurl(), marked(4, 5), marked(4, 5)));
}

TEUCHOS_UNIT_TEST(IntegrationRefusals, coefficients) {
  const MarkedArray v = marked(4, 5), g = marked(4, 5, 3);
  EXPECT_REFUSAL(matrices, "between a scalar and a vector it must be (C,P or 1,D)", marked(2, 4, 4),
                 cells(), term(Form::advection(), v, g));
  EXPECT_REFUSAL(matrices, "between scalars it must be (C,P or 1)", marked(2, 4, 4), cells(),
                 term(Form::mass(FunctionSpace::HGRAD), v, v, marked(2, 5, 3)));
  EXPECT_REFUSAL(matrices, "coefficient of term 1 is (C=2, P=4)", marked(2, 4, 4), cells(),
                 term(Form::mass(FunctionSpace::HGRAD), v, v, marked(2, 4)));
  EXPECT_REFUSAL(matrices, "elasticity, and nothing else, has two coefficients", marked(2, 12, 12),
                 cells(), term(Form::elasticity(), g, g, marked(2, 5)));
  EXPECT_REFUSAL(matrices, "as lambda of elasticity it must be (C,P or 1)", marked(2, 12, 12),
                 cells(), term(Form::elasticity(), g, g, marked(2, 5, 3), marked(2, 5)));
  EXPECT_REFUSAL(vectors, "for values of vectors it must be (C,P or 1,D)", marked(2, 4), cells(),
                 load(Form::source(FunctionSpace::HCURL), g, marked(2, 5)));
  EXPECT_REFUSAL(vectors, "loads of D components and of one", marked(2, 12), cells(),
                 load(Form::source(FunctionSpace::HGRAD), v, marked(2, 5, 3)),
                 load(Form::source(FunctionSpace::HGRAD), v, marked(2, 5)));
}

/// An array may have the rank 0, or no elements: it is there all the same.
TEUCHOS_UNIT_TEST(IntegrationRefusals, coefficientsOfRankZeroAreNotAbsentOnes) {
  const MarkedArray v = marked(4, 5), g = marked(4, 5, 3), empty;
  const Kokkos::View<double, Space> number("number");
  const Form mass = Form::mass(FunctionSpace::HGRAD);
  EXPECT_REFUSAL(matrices, "coefficient of term 1 is (), of rank 0, but between scalars it must be",
                 marked(2, 4, 4), cells(), term(mass, v, v, empty));
  EXPECT_REFUSAL(matrices, "coefficient of term 1 is (), of rank 0, but between scalars it must be",
                 marked(2, 4, 4), cells(), term(mass, v, v, number));
  EXPECT_REFUSAL(apply, "coefficient of term 1 is (), of rank 0, but between vectors it must be",
                 marked(2, 4), marked(2, 4), cells(), term(Form::gradGrad(), g, g, empty));
  EXPECT_REFUSAL(matrices, "coefficient of term 1 is (), of rank 0", marked(2, 12, 12), cells(),
                 term(Form::elasticity(), g, g, empty, empty));
  EXPECT_REFUSAL(matrices, "second coefficient of term 1 is (), of rank 0", marked(2, 12, 12),
                 cells(), term(Form::elasticity(), g, g, marked(2, 5), empty));
  EXPECT_REFUSAL(vectors, "source of term 1 is (), of rank 0", marked(2, 4), cells(),
                 load(Form::source(FunctionSpace::HGRAD), v, empty));
  EXPECT_REFUSAL(matrices, "left signs of term 1 is (), of rank 0", marked(2, 4, 4), cells(),
                 term(mass, v, v).withSigns(empty, empty));
  EXPECT_REFUSAL(matrices, "left values of term 1 is (), of rank 0", marked(2, 4, 4), cells(),
                 term(mass, empty, empty));
  EXPECT_REFUSAL(matrices, "jacobians is (), of rank 0", marked(2, 4, 4),
                 geometry(empty, marked(5)), term(mass, v, v));
}

TEUCHOS_UNIT_TEST(IntegrationRefusals, arraysWithoutMemory) {
  const char* const nothing = "but its data() is null: it needs memory";
  const MarkedArray v = marked(4, 5);
  const Kokkos::View<double**, Space> null(nullptr, 4, 5), null_vector(nullptr, 2, 4);
  const Form mass = Form::mass(FunctionSpace::HGRAD);
  EXPECT_REFUSAL(matrices, nothing, marked(2, 4, 4), cells(), term(mass, null, v));
  EXPECT_REFUSAL(apply, nothing, marked(2, 4), null_vector, cells(), term(mass, v, v));
  EXPECT_REFUSAL(matrices, "in direction 1 values are (4, 5) but its data() is null",
                 marked(2, 4, 4), geometry(marked(2, 5, 1, 1), marked(5)),
                 term(mass, Kontract::tensorBasis<1>(null, null), v));
  TEST_ASSERT(refusalOf([&] {
                Integration::vectors(null_vector, cells(),
                                     load(Form::source(FunctionSpace::HGRAD), v, marked(2, 5)));
              }).says("output is (2, 4) but its data() is null"));
}

TEUCHOS_UNIT_TEST(IntegrationRefusals, elasticityIsOfGradients) {
  const char* const needed = "elasticity of term 1 needs gradients of HGRAD on both sides";
  const MarkedArray lambda = marked(2, 5), mu = marked(2, 1), g = marked(4, 5, 3), v = marked(4, 5),
                    of_cells = marked(2, 4, 5, 3), scalars = marked(2, 4, 5);
  const Form physical = Form::elasticity().ofPhysicalValues();
  EXPECT_REFUSAL(matrices, needed, marked(2, 12, 12), cells(),
                 term(physical, scalars, scalars, lambda, mu));
  EXPECT_REFUSAL(matrices, needed, marked(2, 12, 12), cells(),
                 term(physical, of_cells, scalars, lambda, mu));
  using Kontract::Pullback;
  for (const Pullback pullback : {Pullback::Scalar, Pullback::Density}) {
    EXPECT_REFUSAL(matrices, needed, marked(2, 12, 12), cells(),
                   term(Form{pullback, pullback, true}, v, v, lambda, mu));
  }
  EXPECT_REFUSAL(
      matrices, needed, marked(2, 12, 12), cells(),
      term(Form{Pullback::Contravariant, Pullback::Contravariant, true}, g, g, lambda, mu));
  EXPECT_REFUSAL(
      apply, needed, marked(2, 12), marked(2, 12), cells(),
      term(Form{Pullback::Covariant, Pullback::Physical, true}, g, of_cells, lambda, mu));
}

TEUCHOS_UNIT_TEST(IntegrationRefusals, outputsAndVectors) {
  const MarkedArray v = marked(4, 5), g = marked(4, 5, 3);
  const auto mass = term(Form::mass(FunctionSpace::HGRAD), v, v);
  EXPECT_REFUSAL(matrices, "output is (2, 4, 3) but it must be (2, 4, 4)", marked(2, 4, 3), cells(),
                 mass);
  EXPECT_REFUSAL(matrices, "output is (2, 4) but it must be (2, 4, 4)", marked(2, 4), cells(),
                 mass);
  EXPECT_REFUSAL(matrices, "output is (2, 4, 4) but it must be (2, 12, 12)", marked(2, 4, 4),
                 cells(), term(Form::elasticity(), g, g, marked(2, 5), marked(2, 1)));
  EXPECT_REFUSAL(apply, "vector is (2, 5) but it must be (2, 4)", marked(2, 4), marked(2, 5),
                 cells(), mass);
  EXPECT_REFUSAL(apply, "output is (3, 4) but it must be (2, 4)", marked(3, 4), marked(2, 4),
                 cells(), mass);
  const MarkedArray both = marked(2, 4);
  EXPECT_REFUSAL(apply, "overlaps vector", both, both, cells(), mass);
  EXPECT_REFUSAL(vectors, "overlaps source of term 1", both,
                 geometry(marked(2, 4, 3, 3), marked(4)),
                 load(Form::source(FunctionSpace::HGRAD), marked(4, 4), both));
}

TEUCHOS_UNIT_TEST(IntegrationRefusals, outputsWhoseElementsCoincide) {
  const MarkedArray v = marked(4, 5), memory = marked(100);
  const auto mass = term(Form::mass(FunctionSpace::HGRAD), v, v);
  const auto source = load(Form::source(FunctionSpace::HGRAD), v, marked(2, 5));
  const auto require = [&](const Refusal& refusal, const std::string& text) {
    out << "\n" << refusal.text;
    TEST_ASSERT(refusal.happened);
    TEST_EQUALITY(refusal.text, text);
    TEST_ASSERT(isMarked(memory));
  };
  const auto matrices = [&](std::size_t cell, std::size_t row, std::size_t column) {
    return Kokkos::View<double***, Kokkos::LayoutStride, Space>(
        memory.data(), Kokkos::LayoutStride(2, cell, 4, row, 4, column));
  };
  const auto vectors = [&](std::size_t cell, std::size_t row) {
    return Kokkos::View<double**, Kokkos::LayoutStride, Space>(
        memory.data(), Kokkos::LayoutStride(2, cell, 4, row));
  };
  require(refusalOf([&] { Integration::matrices(matrices(8, 4, 1), cells(), mass); }),
          "Kontract::matrices: output is (2, 4, 4) but with strides (8, 4, 1) some of its elements "
          "coincide: its elements must be distinct");
  require(refusalOf([&] { Integration::vectors(vectors(3, 1), cells(), source); }),
          "Kontract::vectors: output is (2, 4) but with strides (3, 1) some of its elements "
          "coincide: its elements must be distinct");
  require(refusalOf([&] { Integration::apply(vectors(2, 2), marked(2, 4), cells(), mass); }),
          "Kontract::apply: output is (2, 4) but with strides (2, 2) some of its elements "
          "coincide: its elements must be distinct");
  require(refusalOf([&] { Integration::vectors(vectors(0, 1), cells(), source); }),
          "Kontract::vectors: output is (2, 4) but has stride 0: its elements must be distinct");
  TEST_NOTHROW(Integration::vectors(vectors(1, 2), cells(), source));
  TEST_NOTHROW(Integration::matrices(matrices(1, 2, 8), cells(), mass));
}

/// Integrands are divided by determinants of Jacobians; integers hold no quotients.
TEUCHOS_UNIT_TEST(IntegrationRefusals, outputsOfIntegers) {
  using Integers = Kokkos::DynRankView<int, Kokkos::LayoutRight, Space>;
  const Integers vectors("vectors", 2, 4), values("values", 4, 5), source("source", 2, 5);
  const Integers jacobians("jacobians", 2, 5, 3, 3), weights("weights", 5);
  const Integers measures("measures", 2, 5);
  Kokkos::deep_copy(vectors, 7);
  const auto of_source = load(Form::source(FunctionSpace::HGRAD), values, source);
  const Refusal refusal =
      refusalOf([&] { Integration::vectors(vectors, geometry(jacobians, weights), of_source); });
  out << "\n" << refusal.text;
  TEST_EQUALITY(refusal.text,
                "Kontract::vectors: output has elements of an integer type, but integrals on cells "
                "with jacobians divide by determinants: it needs a floating-point type");
  TEST_EQUALITY_CONST(vectors(1, 3), 7);
  // Measures alone divide nothing.
  Kokkos::deep_copy(values, 2);
  Kokkos::deep_copy(source, 3);
  Kokkos::deep_copy(measures, -1);
  TEST_NOTHROW(Integration::vectors(vectors, geometry(measures), of_source));
  TEST_EQUALITY_CONST(vectors(1, 3), -30);
}

TEUCHOS_UNIT_TEST(IntegrationRefusals, algorithms) {
  const MarkedArray v = marked(4, 5);
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", "Split K");
  EXPECT_REFUSAL(matrices, "the algorithm Split K was asked for by name but cannot run this",
                 marked(2, 4, 4), cells(), term(Form::mass(FunctionSpace::HGRAD), v, v), list);
  list.set("Algorithm", "Register Blocking");
  const MarkedArray of_cells = marked(2, 4, 5);
  EXPECT_REFUSAL(apply,
                 "Register Blocking: for products, values must be those of the reference cell",
                 marked(2, 4), marked(2, 4), cells(),
                 term(Form::mass(FunctionSpace::HGRAD), of_cells, v), list);
}

TEUCHOS_UNIT_TEST(IntegrationRefusals, settingsThatDoNotApply) {
  const MarkedArray v = marked(4, 5), table = marked(2, 3);
  const auto mass = term(Form::mass(FunctionSpace::HGRAD), v, v);
  const auto with = [](const char* algorithm, const char* group, const char* setting, auto value) {
    Teuchos::ParameterList list("Kontract");
    list.set("Algorithm", algorithm).sublist(group).set(setting, value);
    return list;
  };
  EXPECT_REFUSAL(matrices, "the algorithm Flat has no launch setting 'Team Size' (given 7)",
                 marked(2, 4, 4), cells(), mass, with("Flat", "Launch", "Team Size", 7));
  EXPECT_REFUSAL(apply, "the algorithm Flat has no launch setting 'Cells Per Team'", marked(2, 4),
                 marked(2, 4), cells(), mass, with("Flat", "Launch", "Cells Per Team", 3));
  EXPECT_REFUSAL(matrices, "the algorithm Register Blocking has no launch setting 'Vector Length'",
                 marked(2, 4, 4), cells(), mass,
                 with("Register Blocking", "Launch", "Vector Length", 2));
  const auto basis = Kontract::tensorBasis<1>(table, table);
  const auto source = load(Form::source(FunctionSpace::HGRAD), basis, marked(2, 3));
  const auto lines = geometry(marked(2, 3, 1, 1), marked(3));
  EXPECT_REFUSAL(vectors, "Team Reduction: forms have no setting 'Vector Length'", marked(2, 2),
                 lines, source, with("Team Reduction", "Launch", "Vector Length", 2));
  EXPECT_REFUSAL(vectors, "Team Reduction: forms have no setting 'Depth'", marked(2, 2), lines,
                 source, with("Team Reduction", "Team Reduction", "Depth", 2));
  EXPECT_REFUSAL(vectors, "Team Size is 100000 but can be at most", marked(2, 2), lines, source,
                 with("Team Reduction", "Launch", "Team Size", 100000));
  EXPECT_REFUSAL(vectors, "do not fit: no scratch memory holds what they sum", marked(2, 2), lines,
                 source, with("Team Reduction", "Launch", "Cells Per Team", 2000000000));
  const MarkedArray nowhere = marked(12, 0);  // without points, too
  EXPECT_REFUSAL(matrices, "Tiling: teams of 2000000000 cells do not fit", marked(2, 12, 12),
                 geometry(marked(2, 0, 2, 2), marked(0)),
                 term(Form::mass(FunctionSpace::HGRAD), nowhere, nowhere),
                 with("Tiling", "Launch", "Cells Per Team", 2000000000));
}

TEUCHOS_UNIT_TEST(IntegrationRefusals, tensorBases) {
  const MarkedArray table = marked(2, 3);
  const auto basis = Kontract::tensorBasis<3>(table, table);
  const auto cells_of_27 = geometry(marked(2, 27, 3, 3), marked(27));
  const Form mass = Form::mass(FunctionSpace::HGRAD);
  EXPECT_REFUSAL(matrices,
                 "left values of term 1 is (L=8, P=27) but jacobians is (C=2, P=5, D=3, D=3)",
                 marked(2, 8, 8), cells(), term(mass, basis, basis));
  EXPECT_REFUSAL(matrices, "output is (2, 9, 9) but it must be (2, 8, 8)", marked(2, 9, 9),
                 cells_of_27, term(Form::gradGrad(), basis, basis));
  EXPECT_REFUSAL(
      matrices,
      "directions of right values of term 1 is (D=2) but jacobians is (C=2, P=27, D=3, D=3)",
      marked(2, 8, 8), cells_of_27, term(mass, basis, Kontract::tensorBasis<2>(table, table)));
  EXPECT_REFUSAL(matrices,
                 "left values of term 1, a tensor-product basis: in direction 2 derivatives are "
                 "(3, 2), but values are (2, 3)",
                 marked(2, 8, 8), cells_of_27,
                 term(mass,
                      Kontract::tensorBasis(std::array<MarkedArray, 3>{table, table, table},
                                            std::array<MarkedArray, 3>{table, marked(3, 2), table}),
                      basis));
  EXPECT_REFUSAL(matrices, "in direction 1 values are (2), but they must be (N,Q)", marked(2, 8, 8),
                 cells_of_27, term(mass, Kontract::tensorBasis<3>(marked(2), table), basis));
  EXPECT_REFUSAL(matrices, "in direction 1 values are (), but they must be (N,Q)", marked(2, 8, 8),
                 cells_of_27,
                 term(mass, Kontract::tensorBasis<3>(MarkedArray(), MarkedArray()), basis));
  EXPECT_REFUSAL(matrices, "a tensor-product basis has values and gradients of HGRAD",
                 marked(2, 8, 8), cells_of_27, term(Form::mass(FunctionSpace::HDIV), basis, basis));
  const auto source = load(Form::source(FunctionSpace::HGRAD), basis, marked(2, 27, 2));
  EXPECT_REFUSAL(vectors,
                 "source of term 1 is (C=2, P=27, S=2), but on cells of dimension 3 displacements "
                 "have 3 components",
                 marked(2, 16), geometry(marked(2, 27)), source);
  EXPECT_REFUSAL(vectors,
                 "source of term 1 is (C=2, P=9, S=4), but on cells of dimension 2 displacements "
                 "have 2 to 3 components",
                 marked(2, 16), geometry(marked(2, 9)),
                 load(Form::source(FunctionSpace::HGRAD), Kontract::tensorBasis<2>(table, table),
                      marked(2, 9, 4)));
  const MarkedArray square = marked(3, 3);
  const auto overlapping = Kontract::tensorBasis<1>(square, square);
  EXPECT_REFUSAL(vectors, "overlaps left values of term 1", square,
                 geometry(marked(3, 3, 1, 1), marked(3)),
                 load(Form::source(FunctionSpace::HGRAD), overlapping, marked(3, 3)));
}

}  // namespace
}  // namespace KontractTest
