// SPDX-License-Identifier: BSD-3-Clause
//
// Wrong calls of FunctionSpaceTools are refused in the caller's words, and leave the output alone.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>

#include "Kontract_FunctionSpaceTools.hpp"
#include "Marked.hpp"

namespace KontractTest {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Tools = Kontract::FunctionSpaceTools<Space::device_type>;

#define EXPECT_REFUSAL(...) KONTRACT_EXPECT_REFUSAL(Tools, __VA_ARGS__)

TEUCHOS_UNIT_TEST(FunctionSpaceRefusals, ranksOfOutputs) {
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

TEUCHOS_UNIT_TEST(FunctionSpaceRefusals, extents) {
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

TEUCHOS_UNIT_TEST(FunctionSpaceRefusals, overlapAndLetters) {
  const MarkedArray field = marked(2, 4, 5, 3);
  const Refusal overlap =
      refusalOf([&] { Tools::HDIVtransformVALUE(field, marked(2, 5, 3, 3), marked(2, 5), field); });
  TEST_ASSERT(overlap.says("overlaps inputVals"));
  TEST_ASSERT(isMarked(field));
  EXPECT_REFUSAL(tensorMultiplyDataField, "transpose is 'X'", marked(2, 4, 5, 3),
                 marked(2, 5, 3, 3), marked(4, 5, 3), 'X');
}

}  // namespace
}  // namespace KontractTest
