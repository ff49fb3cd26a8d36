// SPDX-License-Identifier: BSD-3-Clause
//
// Contractions of Fads by matrix instructions, of arrays as Sacado lays them out, with gaps, in
// which inputs are no numbers, against a thread for each output.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "Chance.hpp"
#include "detail/algorithms/Kontract_TensorCore.hpp"
#include "detail/kernels/fad/Kontract_FadComponents.hpp"
#include "detail/launch/Kontract_Launch.hpp"

namespace KontractTest {
namespace {

using namespace Kontract::Impl;
using std::int64_t;
using Space = Kokkos::DefaultExecutionSpace;
using Scalars = Kokkos::View<double*, Space>;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// What is closest in memory: components, in either layout of the elements; or cells.
enum class Memory { Right, Left, FarApart };

/// An array of Fads; with no derivatives, of numbers.
struct Fads {
  Fads(const std::vector<int64_t>& extents, int64_t derivatives, Memory memory, Chance& chance)
      : count(derivatives), steps(extents.size()) {
    const int n = int(extents.size());
    int64_t size = 1;
    const auto takeComponents = [&] {
      stride = size;
      size *= count + 1;
    };
    if (memory != Memory::FarApart) takeComponents();
    for (int i = 0; i < n; ++i) {
      const auto at = std::size_t(memory == Memory::Right ? n - 1 - i : i);
      // One index of four has a gap after its elements.
      steps[at] = size;
      size *= extents[at] + chance.draw(0, 3) / 3;
    }
    if (memory == Memory::FarApart) takeComponents();
    offset = chance.draw(0, 1);
    scalars = Scalars("scalars", std::size_t(size + 2));
    Kokkos::deep_copy(scalars, nothing);
    places = extents;
    if (chance.draw(0, 7) == 0) {
      offset += (extents[0] - 1) * steps[0];
      steps[0] = -steps[0];
    }
  }

  FadArray<double> output() const {
    return {scalars.data() + offset, count * stride, count, stride};
  }
  FadArray<const double> input() const {
    return {scalars.data() + offset, count * stride, count, stride};
  }

  /// Gives all elements numbers.
  void fill(unsigned seed) const {
    const auto numbers = scalars;
    const int64_t c = places[0], f = places[1], p = places[2], n = count + 1, step = stride;
    const int64_t by_c = steps[0], by_f = steps[1], by_p = steps[2], begin = offset;
    Kokkos::parallel_for(
        "fill", Kokkos::RangePolicy<Space>(0, c * f * p * n), KOKKOS_LAMBDA(int64_t i) {
          const int64_t k = i % n, of_p = i / n, of_f = of_p / p, of_c = of_f / f;
          const unsigned mixed = (unsigned(i) + seed) * 2654435761u;
          numbers(begin + of_c * by_c + of_f % f * by_f + of_p % p * by_p + k * step) =
              0.5 - double(mixed >> 8) / double(1 << 24);
        });
  }

  int64_t count, stride = 1;
  int64_t offset;  ///< of the first Fad: not all begin at a multiple of 16 bytes
  std::vector<int64_t> steps, places;
  Scalars scalars;
};

/// A thread for each output.
struct EachOutput {
  FadProblem<ContractionShape, double> problem;
  KOKKOS_FUNCTION void operator()(int64_t i) const {
    const ContractionShape& shape = problem.shape;
    const int64_t r = i % shape.rights, rest = i / shape.rights;
    contractFad(problem, rest / shape.lefts, rest % shape.lefts, r);
  }
};

/// Numbers that differ, be they within the outputs or between them.
int64_t different(const Scalars& a, const Scalars& b, double tolerance) {
  int64_t wrong = 0;
  Kokkos::parallel_reduce(
      "compare", Kokkos::RangePolicy<Space>(0, int64_t(a.extent(0))),
      KOKKOS_LAMBDA(int64_t i, int64_t & sum) {
        const bool is_nothing = a(i) != a(i) && b(i) != b(i);
        const double apart = a(i) > b(i) ? a(i) - b(i) : b(i) - a(i);
        if (!is_nothing && !(apart <= tolerance)) ++sum;
      },
      wrong);
  return wrong;
}

/// How many contractions have been served, by which way.
struct Served {
  int all = 0;                 ///< by what Tensor Core takes
  int pairs_side_by_side = 0;  ///< Fads with Fads of these
  int far_apart = 0;
  int runs_of_terms = 0, runs_of_cells = 0;
  int lists_of_pairs = 0, lists_of_rows = 0;  ///< of Fads with Fads, and with numbers
};

void compare(unsigned seed, Served& served, Teuchos::FancyOStream& out, bool& success) {
  Chance chance(seed);
  const auto memory = Memory(chance.draw(0, 2));
  const int64_t most = chance.flip() ? 9 : 75;
  // Now and then so much that stages are filled again and again.
  const bool is_long = most == 9 && chance.draw(0, 4) == 0;
  const int64_t cells = chance.draw(1, is_long ? 3000 : 70), lefts = chance.draw(1, most);
  const int64_t rights = chance.draw(1, most), terms = chance.draw(1, is_long ? 300 : 40);
  const int64_t n = chance.draw(1, chance.flip() ? 9 : 40), factors = chance.draw(0, 2);
  const bool are_left = factors != 1, are_right = factors != 0;
  // One array of all cells; of numbers more often.
  const bool is_left_shared = chance.draw(0, are_left ? 15 : 3) == 0;
  const bool is_right_shared = chance.draw(0, are_right ? 15 : 3) == 0;
  const Fads left({is_left_shared ? 1 : cells, lefts, terms}, are_left ? n : 0, memory, chance);
  const Fads right({is_right_shared ? 1 : cells, rights, terms}, are_right ? n : 0, memory, chance);
  unsigned state = seed;
  const auto outputs = [&] {
    Chance same(state);
    return Fads({cells, lefts, rights}, n, memory, same);
  };
  const Fads computed = outputs(), wanted = outputs();
  left.fill(1), right.fill(2);
  ContractionShape s;
  s.cells = cells, s.lefts = lefts, s.rights = rights;
  s.sum_into = chance.flip();
  if (s.sum_into) wanted.fill(3);
  s.sum[2] = {terms, left.steps[2], right.steps[2]};
  s.out_cell = computed.steps[0], s.out_left = computed.steps[1], s.out_right = computed.steps[2];
  s.left_cell = is_left_shared ? 0 : left.steps[0], s.left_field = left.steps[1];
  s.right_cell = is_right_shared ? 0 : right.steps[0], s.right_field = right.steps[1];
  // One element for all terms of the left side, or for all fields of the right one.
  if (chance.draw(0, 15) == 0) s.sum[2].left = 0;
  if (chance.draw(0, 15) == 0) s.right_field = 0;
  const FadProblem<ContractionShape, double> problem{s, computed.output(), left.input(),
                                                     right.input()};
  launch(Space(), "each output", cells * lefts * rights,
         EachOutput{{s, wanted.output(), left.input(), right.input()}});
  const auto check = [&](const char* way, int& count, const auto& run) {
    ++count;
    Kokkos::deep_copy(computed.scalars, nothing);
    if (s.sum_into) computed.fill(3);
    run();
    const double tolerance = 1e-14 * double(2 * terms + 2);
    const int64_t wrong = different(computed.scalars, wanted.scalars, tolerance);
    if (wrong == 0) return;
    out << "seed " << seed << ", " << way << ": " << wrong << " numbers of " << cells << " cells, "
        << lefts << "x" << rights << "x" << terms << ", " << n << " derivatives, memory "
        << int(memory) << ", factors " << factors << (s.sum_into ? ", added" : "")
        << (is_left_shared ? ", left shared" : "") << (is_right_shared ? ", right shared" : "")
        << "\n";
    success = false;
  };
  const Work work = workOf(problem);
  const Machine machine = machineOf(Space());
  const Plan<TensorCore::Settings> plan;
  if (TensorCore::whyNot(work, machine, plan).empty()) {
    check("Tensor Core", served.all,
          [&] { TensorCore::run(Space(), problem, plan, "by matrix instructions"); });
    if (memory == Memory::FarApart) ++served.far_apart;
    if (are_left && are_right && memory != Memory::FarApart) ++served.pairs_side_by_side;
  }
  if (memory == Memory::FarApart) return;
  if (std::isfinite(secondsOfFadRuns(work, machine))) {
    const bool are_of_cells = fadRunsWork(work).are_of_cells;
    check("runs", are_of_cells ? served.runs_of_cells : served.runs_of_terms,
          [&] { runFadRuns(Space(), problem, "runs"); });
  }
  if (are_left && are_right) {
    if (!whyNoFadPairs(work, machine).empty()) return;
    check("lists", served.lists_of_pairs, [&] { runFadPairs(Space(), problem, "lists"); });
  } else {
    if (!whyNoFadRows(work, machine).empty()) return;
    check("lists", served.lists_of_rows, [&] { runFadRows(Space(), problem, "lists"); });
  }
}

TEUCHOS_UNIT_TEST(TensorFads, contractionsByChance) {
  if (machineOf(Space()).compute_capability < 80) {
    out << "skipped: no matrix instructions\n";
    return;
  }
  Served served;
  for (unsigned seed = 0; seed < 2500; ++seed) compare(seed, served, out, success);
  out << served.all << " served, " << served.pairs_side_by_side
      << " of them Fads with Fads side by side, " << served.far_apart
      << " far apart; runs: " << served.runs_of_terms << " of terms, " << served.runs_of_cells
      << " of cells, lists: " << served.lists_of_pairs << " of Fads with Fads, "
      << served.lists_of_rows << " with numbers\n";
  TEST_COMPARE(served.all, >, 500);
  TEST_COMPARE(served.pairs_side_by_side, >, 250);
  TEST_COMPARE(served.far_apart, >, 100);
  TEST_COMPARE(served.lists_of_pairs, >, 250);
  TEST_COMPARE(served.lists_of_rows, >, 400);
  if (machineOf(Space()).hasCopyEngine()) {
    TEST_COMPARE(served.runs_of_terms, >, 400);
    TEST_COMPARE(served.runs_of_cells, >, 400);
  }
}

}  // namespace
}  // namespace KontractTest
