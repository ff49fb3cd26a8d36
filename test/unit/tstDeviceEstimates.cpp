// SPDX-License-Identifier: BSD-3-Clause
//
// What Auto expects of devices, on any machine: estimates are functions of the work and the
// machine. Times are those of an NVIDIA H200 (doc/performance.md says how they were measured).

#include <Teuchos_UnitTestHarness.hpp>
#include <cmath>

#include "Kontract_Choice.hpp"
#include "Kontract_Contraction.hpp"

namespace KontractTest {
namespace {

using namespace Kontract::Impl;

Machine h200() {
  Machine machine;
  machine.is_host = false;
  machine.concurrency = 270336;
  machine.flops_per_second = 5e8;
  machine.bytes_per_second = 4.2e12;
  machine.launch_seconds = 4e-6;
  machine.team_size_max = 1024;
  machine.vector_length_max = 32;
  machine.scratch_bytes[0] = 40936;
  machine.scratch_bytes[1] = 20 << 20;
  machine.compute_capability = 90;
  machine.multiprocessors = 132;
  machine.matrix_flops_per_second = 66.9e12;
  machine.block_shared_bytes = 232448;
  return machine;
}

struct Shape {
  std::int64_t cells, lefts, rights, terms;
  bool is_left;
};

/// Fields with fields, contiguous.
Work workOf(const Shape& n, int scalar_bytes, bool is_single) {
  ContractionShape s;
  s.cells = n.cells;
  s.lefts = n.lefts;
  s.rights = n.rights;
  SumLevel& sum = s.sum[ContractionShape::sum_levels - 1];
  if (n.is_left) {
    s.out_cell = s.left_cell = s.right_cell = 1;
    s.out_left = s.left_field = s.right_field = n.cells;
    s.out_right = n.cells * n.lefts;
    sum = {n.terms, n.cells * n.lefts, n.cells * n.rights};
  } else {
    s.out_right = 1;
    s.out_left = n.rights;
    s.out_cell = n.lefts * n.rights;
    s.left_field = s.right_field = n.terms;
    s.left_cell = n.lefts * n.terms;
    s.right_cell = n.rights * n.terms;
    sum = {n.terms, 1, 1};
  }
  Work work = s.work({scalar_bytes, scalar_bytes, scalar_bytes});
  work.is_single = is_single;
  return work;
}

int placeOf(const std::string& name) {
  int place = -1;
  forEachAlgorithm([&](auto algorithm, auto index) {
    if (decltype(algorithm)::name == name) place = index;
  });
  return place;
}

std::string nameOf(int place) {
  std::string name;
  forEachAlgorithm([&](auto algorithm, auto index) {
    if (place == index) name = decltype(algorithm)::name;
  });
  return name;
}

/// What Auto takes, of the algorithms that run on CUDA.
std::string chosen(const Work& work) {
  Served served{};
  for (const char* name : {"Register Blocking", "Tensor Core", "MDRange", "Flat", "Team Reduction",
                           "Slicing", "Tiling", "Split K"}) {
    served[placeOf(name)] = true;
  }
  const Kontract::Options options;
  const Operation operation = Operation::contractFieldFieldScalar;
  return nameOf(choose(operation, options.of(operation), work, h200(), served).algorithm);
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
      {"Slicing", {29853, 27, 27, 64, false}, 6.3e-3},
      {"Tiling", {29853, 27, 27, 64, true}, 2.5e-3},
      {"Team Reduction", {29853, 27, 27, 64, false}, 3.9e-2},
      {"Split K", {29853, 27, 27, 64, false}, 3.2e-2},
      {"Flat", {1795, 125, 125, 216, false}, 1.6e-2},
      {"MDRange", {1795, 125, 125, 216, true}, 8.0e-3},
      {"Tiling", {1795, 125, 125, 216, false}, 5.9e-3},
      {"Team Reduction", {1795, 125, 125, 216, false}, 1.0e-1},
      {"Flat", {1, 125, 125, 216, false}, 1.7e-5},
      {"Flat", {1, 8, 8, 8, false}, 5.1e-6},
      {"Flat", {100, 125, 125, 216, false}, 9.1e-4},
  };
  for (const auto& row : measured) {
    const Work work = workOf(row.shape, 8, false);
    const double ratio = estimate(placeOf(row.algorithm), work, h200()) / row.seconds;
    out << row.algorithm << ' ' << row.shape.lefts << 'x' << row.shape.terms << ' '
        << row.shape.cells << " cells: " << ratio << '\n';
    TEST_ASSERT(ratio > 1.0 / 3 && ratio < 3);
  }
}

TEUCHOS_UNIT_TEST(DeviceEstimates, chooseMatrixInstructionsForFields) {
  for (const bool is_left : {false, true}) {
    for (const Shape& shape :
         {Shape{100000, 8, 8, 8, is_left}, Shape{100000, 10, 10, 64, is_left},
          Shape{30000, 27, 27, 64, is_left}, Shape{5000, 64, 64, 125, is_left},
          Shape{100, 64, 64, 125, is_left}, Shape{2000, 125, 125, 216, is_left}}) {
      TEST_EQUALITY(chosen(workOf(shape, 8, false)), std::string("Tensor Core"));
      TEST_EQUALITY(chosen(workOf(shape, 4, true)),
                    std::string(is_left ? "Register Blocking" : "Tensor Core"));
    }
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
