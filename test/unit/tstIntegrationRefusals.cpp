// SPDX-License-Identifier: BSD-3-Clause
//
// Wrong calls of Integration are refused with a text that says what is wrong; the output stays.

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>

#include "Kontract_Integration.hpp"
#include "Refusal.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Kontract::geometry;
using Kontract::load;
using Kontract::term;
using Space = Kokkos::DefaultHostExecutionSpace;
using Integration = Kontract::Integration<Space>;
using View = Kokkos::DynRankView<double, Kokkos::LayoutRight, Space>;

constexpr double mark = 12345;

template <class... Extents>
View array(Extents... extents) {
  View view("array", extents...);
  Kokkos::deep_copy(view, mark);
  return view;
}

bool isMarked(const View& view) {
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (view.data()[i] != mark) return false;
  }
  return true;
}

#define EXPECT_REFUSAL(FUNCTION, TEXT, OUT, ...)                                            \
  {                                                                                         \
    const View output = OUT;                                                                \
    const Refusal refusal = refusalOf([&] { Integration::FUNCTION(output, __VA_ARGS__); }); \
    out << "\n" << refusal.text;                                                            \
    TEST_ASSERT(refusal.says("Kontract::" #FUNCTION ": "));                                 \
    TEST_ASSERT(refusal.says(TEXT));                                                        \
    TEST_ASSERT(isMarked(output));                                                          \
  }

auto cells() { return geometry(array(2, 5, 3, 3), array(5)); }

TEUCHOS_UNIT_TEST(IntegrationRefusals, geometry) {
  const auto term_of = term(Form::gradGrad(), array(4, 5, 3), array(4, 5, 3));
  EXPECT_REFUSAL(matrices, "jacobians is (2, 5, 3), of rank 3, but it must be (C,P or 1,D,D)",
                 array(2, 4, 4), geometry(array(2, 5, 3), array(5)), term_of);
  EXPECT_REFUSAL(matrices,
                 "weights is (6) as (P) but jacobians is (2, 5, 3, 3): the numbers of points P",
                 array(2, 4, 4), geometry(array(2, 5, 3, 3), array(6)), term_of);
  EXPECT_REFUSAL(matrices, "jacobians is (2, 5, 3, 2) but it must be (C,P or 1,D,D)",
                 array(2, 4, 4), geometry(array(2, 5, 3, 2), array(5)), term_of);
  EXPECT_REFUSAL(matrices, "gradients of nodes is (7, 5, 3) as (N,P,D) but nodes is (2, 8, 3)",
                 array(2, 4, 4), geometry(array(2, 8, 3), array(7, 5, 3), array(5)), term_of);
  EXPECT_REFUSAL(matrices, "the geometry has measures alone", array(2, 4, 4), geometry(array(2, 5)),
                 term_of);
  EXPECT_REFUSAL(matrices, "cells have dimension 4", array(2, 4, 4),
                 geometry(array(2, 5, 4, 4), array(5)),
                 term(Form::gradGrad(), array(4, 5, 4), array(4, 5, 4)));
}

TEUCHOS_UNIT_TEST(IntegrationRefusals, values) {
  EXPECT_REFUSAL(matrices, "left values of term 1 is (4, 5), of rank 2, but it must be (L,P,D)",
                 array(2, 4, 4), cells(), term(Form::gradGrad(), array(4, 5), array(4, 5, 3)));
  EXPECT_REFUSAL(matrices, "right values of term 2 is (4, 6) as (R,P)", array(2, 4, 4), cells(),
                 term(Form::mass(FunctionSpace::HGRAD), array(4, 5), array(4, 5)),
                 term(Form::mass(FunctionSpace::HGRAD), array(4, 5), array(4, 6)));
  EXPECT_REFUSAL(matrices, "left values of term 2 is (3, 5) as (L,P)", array(2, 4, 4), cells(),
                 term(Form::mass(FunctionSpace::HGRAD), array(4, 5), array(4, 5)),
                 term(Form::mass(FunctionSpace::HGRAD), array(3, 5), array(4, 5)));
  EXPECT_REFUSAL(matrices, "curls, which cells of dimension 1 do not have", array(2, 4, 4),
                 geometry(array(2, 5, 1, 1), array(5)),
                 term(Form::curlCurl(), array(4, 5), array(4, 5)));
}

TEUCHOS_UNIT_TEST(IntegrationRefusals, coefficients) {
  const View v = array(4, 5), g = array(4, 5, 3);
  EXPECT_REFUSAL(matrices, "between a scalar and a vector it must be (C,P or 1,D)", array(2, 4, 4),
                 cells(), term(Form::advection(), v, g));
  EXPECT_REFUSAL(matrices, "between scalars it must be (C,P or 1)", array(2, 4, 4), cells(),
                 term(Form::mass(FunctionSpace::HGRAD), v, v, array(2, 5, 3)));
  EXPECT_REFUSAL(matrices, "coefficient of term 1 is (2, 4) as (C,P or 1)", array(2, 4, 4), cells(),
                 term(Form::mass(FunctionSpace::HGRAD), v, v, array(2, 4)));
  EXPECT_REFUSAL(matrices, "elasticity, and nothing else, has two coefficients", array(2, 12, 12),
                 cells(), term(Form::elasticity(), g, g, array(2, 5)));
  EXPECT_REFUSAL(matrices, "elasticity needs lambda and mu", array(2, 12, 12), cells(),
                 term(Form::elasticity(), g, g, array(2, 5, 3), array(2, 5)));
  EXPECT_REFUSAL(vectors, "a source of vectors must be (C,P or 1,D)", array(2, 4), cells(),
                 load(Form::source(FunctionSpace::HCURL), g, array(2, 5)));
  EXPECT_REFUSAL(vectors, "loads of D components and of one", array(2, 12), cells(),
                 load(Form::source(FunctionSpace::HGRAD), v, array(2, 5, 3)),
                 load(Form::source(FunctionSpace::HGRAD), v, array(2, 5)));
}

TEUCHOS_UNIT_TEST(IntegrationRefusals, outputsAndVectors) {
  const View v = array(4, 5), g = array(4, 5, 3);
  const auto mass = term(Form::mass(FunctionSpace::HGRAD), v, v);
  EXPECT_REFUSAL(matrices, "output is (2, 4, 3) but it must be (2, 4, 4)", array(2, 4, 3), cells(),
                 mass);
  EXPECT_REFUSAL(matrices, "output is (2, 4) but it must be (2, 4, 4)", array(2, 4), cells(), mass);
  EXPECT_REFUSAL(matrices, "output is (2, 4, 4) but it must be (2, 12, 12)", array(2, 4, 4),
                 cells(), term(Form::elasticity(), g, g, array(2, 5), array(2, 1)));
  EXPECT_REFUSAL(apply, "vector is (2, 5) but it must be (2, 4)", array(2, 4), array(2, 5), cells(),
                 mass);
  EXPECT_REFUSAL(apply, "output is (3, 4) but it must be (2, 4)", array(3, 4), array(2, 4), cells(),
                 mass);
  const View both = array(2, 4);
  EXPECT_REFUSAL(apply, "overlaps vector", both, both, cells(), mass);
  EXPECT_REFUSAL(vectors, "overlaps source of term 1", both, geometry(array(2, 4, 3, 3), array(4)),
                 load(Form::source(FunctionSpace::HGRAD), array(4, 4), both));
}

TEUCHOS_UNIT_TEST(IntegrationRefusals, algorithms) {
  const View v = array(4, 5);
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", "Tiling");
  EXPECT_REFUSAL(matrices, "the algorithm 'Tiling' was asked for, but forms have Flat",
                 array(2, 4, 4), cells(), term(Form::mass(FunctionSpace::HGRAD), v, v), list);
  list.set("Algorithm", "Register Blocking");
  EXPECT_REFUSAL(apply, "the algorithm 'Register Blocking'", array(2, 4), array(2, 4), cells(),
                 term(Form::mass(FunctionSpace::HGRAD), v, v), list);
}

}  // namespace
}  // namespace KontractTest
