// SPDX-License-Identifier: BSD-3-Clause
//
// Wrong calls of FunctionSpaceTools are refused in the caller's words, and leave the output alone.

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>

#include "Kontract_FunctionSpaceTools.hpp"
#include "Marked.hpp"

namespace KontractTest {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Tools = Kontract::FunctionSpaceTools<Space::device_type>;

#define EXPECT_REFUSAL(...) KONTRACT_EXPECT_REFUSAL(Tools, __VA_ARGS__)

TEUCHOS_UNIT_TEST(FunctionSpaceRefusals, wrongRanksOfOutputsAreRefused) {
  EXPECT_REFUSAL(integrate, "outputValues is (2, 2, 2, 2), of rank 4", marked(2, 2, 2, 2),
                 marked(2, 2, 3), marked(2, 2, 3));
  EXPECT_REFUSAL(integrate, "do not fit together", marked(2, 2, 2), marked(2, 3), marked(2, 2, 3));
  EXPECT_REFUSAL(integrate, "leftValues", marked(2), marked(2), marked(2));
  EXPECT_REFUSAL(vectorMultiplyDataField, "outputFields", marked(2, 3), marked(2, 3, 3),
                 marked(2, 3, 3, 3));
  EXPECT_REFUSAL(vectorMultiplyDataData, "outputData", marked(2), marked(2, 3, 3), marked(2, 3, 3));
  EXPECT_REFUSAL(tensorMultiplyDataField, "outputFields", marked(2, 3, 3), marked(2, 3),
                 marked(2, 3, 3, 3));
  EXPECT_REFUSAL(tensorMultiplyDataData, "outputData", marked(2, 3), marked(2, 3), marked(2, 3, 3));
  EXPECT_REFUSAL(HGRADtransformVALUE, "output", marked(2), marked(2, 3));
  EXPECT_REFUSAL(evaluate, "outputPointVals", marked(2), marked(2, 3), marked(2, 3, 4));
  EXPECT_REFUSAL(applyFieldSigns, "inoutFunction", marked(2), marked(2, 3));
  EXPECT_REFUSAL(applyLeftFieldSigns, "inoutOperator", marked(2, 2), marked(2, 2));
  EXPECT_REFUSAL(applyRightFieldSigns, "fieldSigns", marked(2, 2, 2), marked(2));
}

TEUCHOS_UNIT_TEST(FunctionSpaceRefusals, wrongExtentsAreRefused) {
  EXPECT_REFUSAL(integrate, "rightValues is (C=2, R=4, P=6) but leftValues is (C=2, L=3, P=5)",
                 marked(2, 3, 4), marked(2, 3, 5), marked(2, 4, 6));
  EXPECT_REFUSAL(HGRADtransformGRAD, "inputVals is (F=4, P=6, D2=3) but jacobianInverse",
                 marked(2, 4, 5, 3), marked(2, 5, 3, 3), marked(4, 6, 3));
  EXPECT_REFUSAL(HDIVtransformVALUE, "outputVals is (C=2, F=4, P=5, D=3) but jacobianDet",
                 marked(2, 4, 5, 3), marked(2, 5, 3, 3), marked(3, 5), marked(4, 5, 3));
  EXPECT_REFUSAL(HCURLtransformCURL, "jacobianDet", marked(2, 4, 5, 3), marked(2, 5, 3, 3),
                 marked(2, 4), marked(4, 5, 3));
  EXPECT_REFUSAL(HGRADtransformCURL, "the space dimension D must be 2", marked(2, 4, 5, 3),
                 marked(2, 5, 3, 3), marked(2, 5), marked(4, 5, 3));
  EXPECT_REFUSAL(multiplyMeasure, "inputMeasure", marked(2, 4, 5), marked(2, 6), marked(4, 5));
  EXPECT_REFUSAL(computeCellMeasure, "inputWeights is (P=4)", marked(2, 5), marked(2, 5),
                 marked(4));
  EXPECT_REFUSAL(applyLeftFieldSigns, "fieldSigns is (C=2, L=4)", marked(2, 3, 4), marked(2, 4));
  EXPECT_REFUSAL(applyRightFieldSigns, "fieldSigns is (C=2, R=3)", marked(2, 3, 4), marked(2, 3));
  EXPECT_REFUSAL(applyFieldSigns, "fieldSigns is (C=3, F=3)", marked(2, 3, 4), marked(3, 3));
  EXPECT_REFUSAL(evaluate, "the numbers of fields F", marked(2, 4), marked(2, 3), marked(2, 5, 4));
}

TEUCHOS_UNIT_TEST(FunctionSpaceRefusals, overlapAndWrongLettersAreRefused) {
  const MarkedArray field = marked(2, 4, 5, 3);
  const Refusal overlap =
      refusalOf([&] { Tools::HDIVtransformVALUE(field, marked(2, 5, 3, 3), marked(2, 5), field); });
  TEST_ASSERT(overlap.says("overlaps inputVals"));
  TEST_ASSERT(isMarked(field));
  EXPECT_REFUSAL(tensorMultiplyDataField, "transpose is 'X'", marked(2, 4, 5, 3),
                 marked(2, 5, 3, 3), marked(4, 5, 3), 'X');
}

/// Vectors in space need Jacobians, which are 3 x 3.
TEUCHOS_UNIT_TEST(FunctionSpaceRefusals, wrongCurlsInSpaceAreRefused) {
  const auto refuse = [&](const std::string& text, const MarkedArray& output, const auto&... rest) {
    const Refusal refusal = refusalOf([&] { Tools::HCURLtransformCURL(output, rest...); });
    out << "\n" << refusal.text;
    TEST_ASSERT(refusal.says("Kontract::HCURLtransformCURL: "));
    TEST_ASSERT(refusal.says(text));
    TEST_ASSERT(isMarked(output));
  };
  const MarkedArray determinant = marked(2, 5), field = marked(4, 5, 3);
  // Missing in every way, also where the array of curls has cells.
  const std::string missing =
      "jacobian is missing but outputVals is (2, 4, 5, 3): it must be (C,P or 1,D,D2)";
  refuse(missing, marked(2, 4, 5, 3), MarkedArray(), determinant, field);
  refuse(missing, marked(2, 4, 5, 3), Kokkos::View<double****, Space>(), determinant, field);
  refuse(missing, marked(2, 4, 5, 3), Kokkos::View<const double**, Kokkos::LayoutStride, Space>(),
         determinant, marked(2, 4, 5, 3));
  refuse(missing, marked(2, 4, 5, 3), determinant, field);
  refuse("jacobian is missing", marked(0, 4, 5, 3), MarkedArray(), marked(0, 5), field);
  refuse("jacobian is missing", marked(2, 4, 0, 3), MarkedArray(), marked(2, 0), marked(4, 0, 3));
  // Not missing, but of no cells, and wrong.
  refuse("the numbers of points P", marked(0, 4, 5, 3), marked(0, 6, 3, 3), marked(0, 5), field);
  refuse("the space dimension D must be 3", marked(0, 4, 5, 2), marked(0, 5, 2, 2), marked(0, 5),
         marked(4, 5, 2));
  // A scalar is no matrix.
  refuse("jacobian is (), of rank 0, but it must have rank", marked(2, 4, 5, 3), marked(),
         determinant, field);
  // Vectors of other dimensions have no curls that are vectors, and Jacobians are square.
  refuse("the space dimension D must be 3 for a vector-valued output", marked(2, 4, 5, 2),
         marked(2, 5, 2, 2), determinant, marked(4, 5, 2));
  refuse("the space dimension D must be 3 for a vector-valued output", marked(2, 4, 5, 1),
         marked(2, 5, 1, 1), determinant, marked(4, 5, 1));
  refuse("the space dimension D must be 3 for a vector-valued output", marked(2, 4, 5, 2),
         determinant, determinant, marked(4, 5, 2));
  refuse("the space dimension D2 must be 3 for a vector-valued output", marked(2, 4, 5, 3),
         marked(2, 5, 3, 2), determinant, marked(4, 5, 2));
  EXPECT_REFUSAL(HGRADtransformCURL, "the space dimension D2 must be 2", marked(2, 4, 5, 2),
                 marked(2, 5, 2, 3), marked(2, 5), marked(4, 5, 3));
  // Tensors have none at all.
  refuse("outputVals is (2, 4, 5, 3, 3), of rank 5, but it must have rank 4 or 3",
         marked(2, 4, 5, 3, 3), MarkedArray(), determinant, marked(4, 5, 3, 3));
  refuse("outputVals is (2, 4, 5, 3, 3), of rank 5", marked(2, 4, 5, 3, 3), determinant,
         marked(4, 5, 3, 3));
}

/// Scalars in the plane need none, but a wrong one is not passed over.
TEUCHOS_UNIT_TEST(FunctionSpaceRefusals, wrongCurlsInThePlaneAreRefused) {
  const auto refuse = [&](const std::string& text, const auto& jacobian) {
    for (const MarkedArray& field : {marked(4, 5), marked(2, 4, 5)}) {
      EXPECT_REFUSAL(HCURLtransformCURL, text, marked(2, 4, 5), jacobian, marked(2, 5), field);
    }
  };
  refuse("jacobian is (C=3, P=5, D=2, D2=2): the numbers of cells C must agree",
         marked(3, 5, 2, 2));
  refuse("jacobian is (C=0, P=5, D=2, D2=2): the numbers of cells C", marked(0, 5, 2, 2));
  refuse(
      "jacobian is (C=2, P=6, D=2, D2=2): the numbers of points P must agree (jacobian may "
      "also have one point for all)",
      marked(2, 6, 2, 2));
  refuse("jacobian is (C=2, P=0, D=2, D2=2): the numbers of points P", marked(2, 0, 2, 2));
  refuse("the space dimension D must be 3 for a vector-valued output and 2 for a scalar-valued",
         marked(2, 5, 3, 3));
  refuse("the space dimension D must be", marked(2, 5, 3, 2));
  refuse("the space dimension D2 must be", marked(2, 5, 2, 3));
  refuse("the space dimension D2 must be", Kokkos::View<double****, Space>("empty", 2, 5, 2, 0));
  refuse("do not fit together", marked(2, 5, 2));
  refuse("do not fit together", marked(2, 5));
  refuse("jacobian is (), of rank 0", marked());
  refuse("jacobian is (), of rank 0, but it must have rank", Kokkos::View<double, Space>("one"));
  refuse("jacobian is (2), of rank 1", marked(2));
  EXPECT_REFUSAL(HCURLtransformCURL, "outputVals is (C=2, F=4, P=5) but jacobianDet is (C=3, P=5)",
                 marked(2, 4, 5), MarkedArray(), marked(3, 5), marked(4, 5));
  EXPECT_REFUSAL(HCURLtransformCURL, "outputVals is (C=2, F=4, P=5) but inputVals is (F=4, P=6)",
                 marked(2, 4, 5), MarkedArray(), marked(2, 5), marked(4, 6));
  const MarkedArray jacobian = marked(2, 5, 2, 2), over(jacobian.data(), 2, 1, 5);
  TEST_ASSERT(refusalOf([&] {
                Tools::HCURLtransformCURL(over, jacobian, marked(2, 5), marked(1, 5));
              }).says("overlaps jacobian"));
  TEST_ASSERT(isMarked(jacobian));
}

/// Determinants are read when the output has been written already.
TEUCHOS_UNIT_TEST(FunctionSpaceRefusals, outputsOverDeterminantsAreRefused) {
  const MarkedArray determinant = marked(2, 5), over(determinant.data(), 2, 1, 5, 1);
  for (const MarkedArray& field : {marked(1, 5, 1), over}) {
    const Refusal refusal =
        refusalOf([&] { Tools::HDIVtransformVALUE(over, marked(2, 5, 1, 1), determinant, field); });
    out << "\n" << refusal.text;
    TEST_ASSERT(refusal.says("overlaps jacobianDet: the output of this operation must not"));
    TEST_ASSERT(isMarked(determinant));
  }
  // With a single division, every element is read where it is written.
  Tools::HVOLtransformVALUE(MarkedArray(determinant.data(), 2, 1, 5), determinant, marked(1, 5));
  TEST_EQUALITY(determinant(1, 4), 1.);
}

/// What refuses the second of two operations is known before the first one runs.
TEUCHOS_UNIT_TEST(FunctionSpaceRefusals, wrongOptionsOfTheSecondOperationAreRefused) {
  Teuchos::ParameterList list("Kontract");
  list.sublist("scalarMultiplyDataField").set("Algorithm", "Team Reduction");
  const MarkedArray result = marked(2, 4, 5, 3);
  const Refusal refusal = refusalOf([&] {
    Tools::HDIVtransformVALUE(result, marked(2, 5, 3, 3), marked(2, 5), marked(4, 5, 3), list);
  });
  out << "\n" << refusal.text;
  TEST_ASSERT(refusal.says("Team Reduction"));
  TEST_ASSERT(isMarked(result));
}

TEUCHOS_UNIT_TEST(FunctionSpaceRefusals, outputsWhoseElementsCoincideAreRefused) {
  const MarkedArray memory = marked(50);
  const auto strided = [&](std::size_t cell, std::size_t other) {
    return Kokkos::View<double**, Kokkos::LayoutStride, Space>(
        memory.data(), Kokkos::LayoutStride(2, cell, 5, other));
  };
  const auto require = [&](const Refusal& refusal, const std::string& begin) {
    out << "\n" << refusal.text;
    TEST_EQUALITY(refusal.text,
                  begin + " some of its elements coincide: its elements must be distinct");
    TEST_ASSERT(isMarked(memory));
  };
  require(refusalOf([&] { Tools::computeCellMeasure(strided(3, 1), marked(2, 5), marked(5)); }),
          "Kontract::computeCellMeasure: outputVals is (C=2, P=5) but with strides (3, 1)");
  require(refusalOf([&] { Tools::applyFieldSigns(strided(4, 2), marked(2, 5)); }),
          "Kontract::applyFieldSigns: inoutFunction is (C=2, F=5) but with strides (4, 2)");
  require(refusalOf([&] { Tools::evaluate(strided(1, 1), marked(2, 3), marked(2, 3, 5)); }),
          "Kontract::evaluate: outputPointVals is (C=2, P=5) but with strides (1, 1)");
  TEST_NOTHROW(Tools::computeCellMeasure(strided(1, 2), marked(2, 5), marked(5)));
}

}  // namespace
}  // namespace KontractTest
