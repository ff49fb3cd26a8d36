// SPDX-License-Identifier: BSD-3-Clause
//
// What Auto expects of devices, on any machine: estimates are functions of the work and the
// machine. Times are those of an NVIDIA H200 (doc/performance.md says how they were measured).

#include <Teuchos_UnitTestHarness.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "ChoiceOf.hpp"
#include "H200.hpp"

namespace KontractTest {
namespace {

using namespace Kontract::Impl;

/// What Auto takes, of the algorithms that run on CUDA.
std::string chosen(const Work& work) {
  std::vector<std::string> names = {
      "Register Blocking", "Tensor Core", "Few Cells", "MDRange", "Flat",
      "Team Reduction",    "Slicing",     "Tiling",    "Split K", "Whole Cells"};
  return chosenOf(names, work, h200());
}

Work complexWorkOf(const Shape& shape, bool is_single = false) {
  Work work = workOf(shape, is_single ? 8 : 16, is_single);
  work.is_complex = true;
  return work;
}

TEUCHOS_UNIT_TEST(DeviceEstimates, areNearMeasuredTimes) {
  const struct {
    const char* algorithm;
    Shape shape;
    double seconds;
  } measured[] = {
      {"Flat", {651041, 8, 8, 8, false}, 5.2e-4},
      {"MDRange", {651041, 8, 8, 8, true}, 8.1e-4},
      {"Flat", {29853, 27, 27, 64, true}, 3.7e-3},
      {"MDRange", {29853, 27, 27, 64, false}, 4.3e-3},
      {"Slicing", {59712, 27, 27, 64, false}, 2.6e-3},
      {"Tiling", {59712, 27, 27, 64, true}, 1.7e-3},
      {"Team Reduction", {59712, 27, 27, 64, false}, 1.1e-2},
      {"Split K", {3584, 125, 125, 216, false}, 7.2e-2},
      {"Flat", {1795, 125, 125, 216, false}, 1.6e-2},
      {"MDRange", {1795, 125, 125, 216, true}, 8.0e-3},
      {"Slicing", {3584, 125, 125, 216, false}, 4.7e-3},
      {"Tiling", {1302080, 8, 8, 8, false}, 9.4e-4},
      {"Tiling", {3584, 125, 125, 216, false}, 3.7e-3},
      {"Team Reduction", {3584, 125, 125, 216, false}, 3.7e-2},
      {"Flat", {1, 125, 125, 216, false}, 1.7e-5},
      {"Flat", {1, 8, 8, 8, false}, 5.1e-6},
      {"Flat", {100, 125, 125, 216, false}, 9.1e-4},
      {"Tensor Core", {1302083, 8, 8, 8, false}, 5.1e-04},
      {"Tensor Core", {1302083, 8, 8, 8, true}, 1.2e-03},
      {"Tensor Core", {59737, 27, 27, 64, false}, 5.1e-04},
      {"Tensor Core", {59737, 27, 27, 64, true}, 7.4e-04},
      {"Tensor Core", {12440, 64, 64, 125, false}, 5.5e-04},
      {"Tensor Core", {12440, 64, 64, 125, true}, 7.9e-04},
      {"Tensor Core", {3590, 125, 125, 216, false}, 6.1e-04},
      {"Tensor Core", {3590, 125, 125, 216, true}, 1.4e-03},
      {"Whole Cells", {111607, 16, 16, 27, false}, 2.4e-4},
      {"Whole Cells", {39345, 36, 35, 27, false}, 2.5e-4},
      {"Whole Cells", {5853, 60, 60, 148, false}, 3.7e-4},
      {"Whole Cells", {203253, 45, 10, 3, false}, 2.7e-4},
      {"Whole Cells", {5251, 54, 54, 192, false}, 4.4e-4},
      {"Whole Cells", {12416, 64, 64, 125, false}, 4.9e-4},
      {"Few Cells", {1, 27, 27, 64, false}, 5.0e-6},
      {"Few Cells", {1, 125, 125, 216, false}, 5.8e-6},
      {"Few Cells", {10, 125, 125, 216, false}, 1.1e-5},
      {"Few Cells", {100, 27, 27, 64, true}, 1.1e-5},
      {"Register Blocking", {710208, 4, 4, 9, true}, 1.28e-4},
      {"Register Blocking", {185984, 12, 12, 8, true}, 1.52e-4},
      {"Register Blocking", {64288, 36, 6, 18, true}, 1.42e-4},
      {"Register Blocking", {24384, 16, 16, 72, true}, 1.53e-4},
      {"MDRange", {297569, 3, 6, 12, true}, 1.8e-4},
      {"MDRange", {260410, 6, 6, 9, true}, 2.2e-4},
      {"Tiling", {68918, 16, 16, 9, true}, 2.0e-4},
      {"Tiling", {50377, 24, 16, 9, true}, 2.9e-4},
      {"Tiling", {12356, 36, 36, 24, true}, 3.7e-4},
      {"Tiling", {260410, 6, 6, 9, true}, 2.1e-4},
      {"Tiling", {10, 64, 64, 125, true}, 7.3e-5},
      {"Tiling", {1, 27, 27, 64, false}, 2.9e-5},
      {"Team Reduction", {1, 8, 8, 8, false}, 6.2e-6},
      {"Team Reduction", {10, 1, 1, 243, false}, 8.7e-6},
      {"Register Blocking", {10, 1, 1, 243, false}, 5.3e-6},
      {"Register Blocking", {64, 1, 1, 2000000, false}, 3.2e-2},
      {"Split K", {64, 1, 1, 2000000, false}, 5.4e-4},
  };
  for (const auto& row : measured) {
    const Work work = workOf(row.shape, 8, false);
    const double ratio = estimate(placeOf(row.algorithm), work, h200()) / row.seconds;
    out << row.algorithm << ' ' << row.shape.lefts << 'x' << row.shape.terms << ' '
        << row.shape.cells << " cells: " << ratio << '\n';
    TEST_ASSERT(ratio > 1.0 / 3 && ratio < 3);
  }
}

/// The same for complex numbers of double precision.
TEUCHOS_UNIT_TEST(DeviceEstimates, areNearMeasuredTimesOfComplexNumbers) {
  const struct {
    const char* algorithm;
    Shape shape;
    double seconds;
  } measured[] = {
      {"Register Blocking", {34454, 16, 16, 9, true}, 1.29e-4},
      {"Register Blocking", {25161, 24, 16, 9, true}, 1.36e-4},
      {"MDRange", {148769, 3, 6, 12, true}, 1.59e-4},
      {"MDRange", {130202, 6, 6, 9, true}, 1.93e-4},
      {"Tiling", {34454, 16, 16, 9, true}, 2.07e-4},
      {"Tiling", {25161, 24, 16, 9, true}, 2.69e-4},
      {"Tiling", {6148, 36, 36, 24, true}, 4.47e-4},
      {"Tensor Core", {68483, 12, 12, 32, true}, 2.63e-4},
      {"Tensor Core", {428037, 8, 6, 7, false}, 3.78e-4},
      {"Tensor Core", {10696, 35, 20, 93, false}, 3.99e-4},
      {"Few Cells", {68483, 12, 12, 32, false}, 2.51e-4},
      {"Few Cells", {105558, 4, 4, 72, false}, 3.17e-4},
      {"Few Cells", {428037, 8, 6, 7, false}, 5.08e-4},
      {"Few Cells", {2528, 69, 69, 144, false}, 6.23e-4},
  };
  for (const auto& row : measured) {
    const double ratio =
        estimate(placeOf(row.algorithm), complexWorkOf(row.shape), h200()) / row.seconds;
    out << row.algorithm << ' ' << row.shape.lefts << 'x' << row.shape.terms << ": " << ratio
        << '\n';
    TEST_ASSERT(ratio > 0.5 && ratio < 2);
  }
}

TEUCHOS_UNIT_TEST(DeviceEstimates, chooseByFieldsAndTermsOfComplexNumbers) {
  const struct {
    const char* fastest;
    Shape shape;
  } measured[] = {
      {"Register Blocking", {148769, 3, 6, 12, true}},
      {"Register Blocking", {130202, 6, 6, 9, true}},
      {"Tensor Core", {68483, 12, 12, 32, true}},
      {"Tensor Core", {68483, 12, 12, 32, false}},
      {"Whole Cells", {34522, 20, 45, 14, false}},
      {"Whole Cells", {105558, 4, 4, 72, false}},
      {"Whole Cells", {192871, 6, 6, 24, false}},
      {"Few Cells", {2528, 69, 69, 144, false}},
  };
  for (const auto& row : measured) {
    TEST_EQUALITY(chosen(complexWorkOf(row.shape)), std::string(row.fastest));
  }
  // In single precision the least fields and terms leave matrix instructions idle.
  for (const Shape& shape : {Shape{1736083, 3, 6, 6, false}, Shape{5952326, 3, 3, 2, false},
                             Shape{2604146, 4, 4, 4, false}}) {
    TEST_EQUALITY(chosen(complexWorkOf(shape, true)), std::string("Flat"));
  }
  for (const Shape& shape : {Shape{856133, 8, 6, 7, false}, Shape{211126, 4, 4, 72, false},
                             Shape{385767, 6, 6, 24, false}}) {
    TEST_EQUALITY(chosen(complexWorkOf(shape, true)), std::string("Whole Cells"));
  }
  TEST_EQUALITY(chosen(complexWorkOf({58869, 5, 14, 108, false}, true)),
                std::string("Tensor Core"));
}

TEUCHOS_UNIT_TEST(DeviceEstimates, chooseMatrixInstructionsForFields) {
  const auto is_of_matrices = [](const std::string& name) {
    return name == "Tensor Core" || name == "Whole Cells" || name == "Few Cells";
  };
  for (const Shape& shape : {Shape{100000, 8, 8, 8, false}, Shape{100000, 10, 10, 64, false},
                             Shape{30000, 27, 27, 64, false}, Shape{5000, 64, 64, 125, false},
                             Shape{100, 64, 64, 125, false}, Shape{2000, 125, 125, 216, false}}) {
    TEST_ASSERT(is_of_matrices(chosen(workOf(shape, 8, false))));
    TEST_ASSERT(is_of_matrices(chosen(workOf(shape, 4, true))));
  }
  for (const Shape& shape : {Shape{30000, 27, 27, 64, true}, Shape{5000, 64, 64, 125, true},
                             Shape{181152, 10, 10, 64, true}, Shape{21448, 35, 20, 93, true},
                             Shape{100, 64, 64, 125, true}, Shape{2000, 125, 125, 216, true}}) {
    TEST_ASSERT(is_of_matrices(chosen(workOf(shape, 8, false))));
  }
}

TEUCHOS_UNIT_TEST(DeviceEstimates, chooseRegisterTilesForCellsSideBySide) {
  // In double precision those of small fields; matrix instructions have others.
  for (const Shape& shape : {Shape{1000000, 4, 4, 9, true}, Shape{500001, 3, 3, 24, true},
                             Shape{455707, 8, 8, 8, true}, Shape{100000, 10, 10, 24, true},
                             Shape{111999, 6, 21, 16, true}, Shape{57415, 20, 4, 42, true}}) {
    TEST_EQUALITY(chosen(workOf(shape, 8, false)), std::string("Register Blocking"));
  }
  for (const Shape& shape : {Shape{100000, 8, 8, 8, true}, Shape{100000, 10, 10, 64, true},
                             Shape{30000, 27, 27, 64, true}, Shape{5000, 64, 64, 125, true},
                             Shape{100, 64, 64, 125, true}, Shape{2000, 125, 125, 216, true}}) {
    TEST_EQUALITY(chosen(workOf(shape, 4, true)), std::string("Register Blocking"));
  }
}

TEUCHOS_UNIT_TEST(DeviceEstimates, chooseWholeCellsWhereFieldsFillNoTileAndFewCellsForFew) {
  for (const Shape& shape : {Shape{20000, 35, 35, 7, false}, Shape{20000, 36, 36, 45, false},
                             Shape{14589, 84, 84, 9, false}, Shape{80000, 10, 45, 3, false}}) {
    TEST_EQUALITY(chosen(workOf(shape, 8, false)), std::string("Whole Cells"));
    TEST_EQUALITY(chosen(workOf(shape, 4, true)), std::string("Whole Cells"));
  }
  for (const Shape& shape : {Shape{257168, 9, 9, 9, false}, Shape{14464, 36, 36, 42, false},
                             Shape{400613, 8, 3, 12, false}}) {
    TEST_EQUALITY(chosen(complexWorkOf(shape)), std::string("Whole Cells"));
    TEST_EQUALITY(chosen(complexWorkOf(shape, true)), std::string("Whole Cells"));
  }
  for (const Shape& shape : {Shape{1, 27, 27, 64, false}, Shape{1, 125, 125, 216, false},
                             Shape{1, 125, 125, 216, true}, Shape{1, 27, 27, 64, true}}) {
    TEST_EQUALITY(chosen(workOf(shape, 8, false)), std::string("Few Cells"));
  }
}

TEUCHOS_UNIT_TEST(DeviceEstimates, chooseBatchedGemvOrSplitKForData) {
  for (const bool is_left : {false, true}) {
    TEST_EQUALITY(chosen(workOf({10, 1, 1, 243, is_left}, 8, false)),
                  std::string("Register Blocking"));
    TEST_EQUALITY(chosen(workOf({64, 1, 1, 2000000, is_left}, 8, false)), std::string("Split K"));
  }
}

TEUCHOS_UNIT_TEST(DeviceEstimates, neverTakeAnAlgorithmThatWasMeasuredAsFarSlower) {
  for (const bool is_left : {false, true}) {
    for (const Shape& shape : {Shape{1, 8, 8, 8, is_left}, Shape{10, 27, 27, 64, is_left},
                               Shape{1, 125, 125, 216, is_left}}) {
      const std::string name = chosen(workOf(shape, 8, false));
      out << shape.cells << " cells " << shape.lefts << 'x' << shape.terms << ": " << name << '\n';
      TEST_ASSERT(name != "Team Reduction" && name != "Split K");
    }
  }
}

}  // namespace
}  // namespace KontractTest
