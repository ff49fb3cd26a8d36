// SPDX-License-Identifier: BSD-3-Clause
//
// What Auto takes on an AMD device, on any machine: the choice is a function of the work and the
// machine. doc/performance.md has the table and says why.

#include <Teuchos_UnitTestHarness.hpp>

#include "ChoiceOf.hpp"
#include "H200.hpp"
#include "MI250X.hpp"
#include "detail/dispatch/Kontract_CompiledProblems.hpp"
#include "detail/launch/Kontract_TeamSize.hpp"
#include "detail/problem/Kontract_Pointwise.hpp"

namespace KontractTest {
namespace {

using namespace Kontract::Impl;

#ifdef KOKKOS_ENABLE_HIP
/// Whether the list below is what HIP is served by.
template <class Problem>
inline constexpr bool is_list_of_hip =
    RegisterBlocking::serves<Kokkos::HIP, Problem>&& MDRange::serves<Kokkos::HIP, Problem>&&
        Flat::serves<Kokkos::HIP, Problem> &&
    !TensorCore::serves<Kokkos::HIP, Problem>;
static_assert(is_list_of_hip<PlainContraction<double>> && is_list_of_hip<PlainPointwise<double>>);
static_assert(Tiling::serves<Kokkos::HIP, PlainContraction<double>>);
#endif

std::string chosen(const Work& work) {
  return chosenOf(
      {"Register Blocking", "MDRange", "Flat", "Team Reduction", "Slicing", "Tiling", "Split K"},
      work, mi250x());
}

/// A field of vectors at points times data, as in scalarMultiplyDataField.
Work scalingOf(std::int64_t cells, bool is_left) {
  constexpr std::int64_t fields = 8, points = 8, rows = 3;
  PointwiseShape s;
  s.cells = cells, s.fields = fields, s.points = points, s.rows = rows;
  s.sum[0].extent = s.sum[1].extent = 1;
  if (is_left) {
    s.out = s.right = {1, cells, cells * fields, cells * fields * points, 0};
    s.left = {1, 0, cells, 0, 0};
  } else {
    s.out = s.right = {fields * points * rows, points * rows, rows, 1, 0};
    s.left = {points, 0, 1, 0, 0};
  }
  return s.work({8, 8, 8});
}

constexpr bool left = true, right = false;

// LayoutLeft is what arrays on HIP have unless they ask for another layout.
TEUCHOS_UNIT_TEST(HipChoice, cellsSideBySideAreRegisterTiles) {
  for (const Shape& shape : {Shape{1000000, 4, 4, 4, left}, Shape{600000, 8, 8, 8, left},
                             Shape{60000, 10, 10, 64, left}, Shape{30000, 27, 27, 64, left},
                             Shape{12000, 64, 64, 125, left}, Shape{1800, 125, 125, 216, left}}) {
    for (const int scalar_bytes : {4, 8, 16}) {
      Work work = workOf(shape, scalar_bytes, scalar_bytes == 4);
      work.is_complex = scalar_bytes == 16;
      TEST_EQUALITY(chosen(work), std::string("Register Blocking"));
    }
  }
}

TEUCHOS_UNIT_TEST(HipChoice, termsSideBySideAreTiles) {
  for (const Shape& shape : {Shape{60000, 10, 10, 64, right}, Shape{30000, 27, 27, 64, right},
                             Shape{12000, 64, 64, 125, right}, Shape{1800, 125, 125, 216, right}}) {
    TEST_EQUALITY(chosen(workOf(shape, 8, false)), std::string("Tiling"));
    TEST_EQUALITY(chosen(workOf(shape, 4, true)), std::string("Tiling"));
  }
  TEST_EQUALITY(chosen(workOf({600000, 8, 8, 8, right}, 8, false)), std::string("Tiling"));
  // A tile's panels cost more than they save where there are few fields and terms.
  TEST_EQUALITY(chosen(workOf({1000000, 4, 4, 4, right}, 8, false)), std::string("Flat"));
}

TEUCHOS_UNIT_TEST(HipChoice, dataAndPointsGoAtTheSpeedOfMemory) {
  for (const bool is_left : {left, right}) {
    TEST_EQUALITY(chosen(workOf({100000, 1, 27, 81, is_left}, 8, false)),
                  std::string("Register Blocking"));
    TEST_EQUALITY(chosen(workOf({400000, 1, 1, 243, is_left}, 8, false)),
                  std::string("Register Blocking"));
    TEST_EQUALITY(chosen(workOf({64, 1, 1, 2000000, is_left}, 8, false)), std::string("Split K"));
    TEST_EQUALITY(chosen(scalingOf(100000, is_left)), std::string("Register Blocking"));
  }
}

TEUCHOS_UNIT_TEST(HipChoice, teamsAreWholeWavefronts) {
  for (const std::int64_t useful : {1, 40, 64, 65, 1000}) {
    const TeamSize team = teamSizeFor(mi250x(), {}, 1000, useful);
    TEST_EQUALITY(team.workers() % 64, 0);
  }
}

}  // namespace
}  // namespace KontractTest
