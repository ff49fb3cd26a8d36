// SPDX-License-Identifier: BSD-3-Clause
//
// What devices have for Fads, run by threads of the host, and what every algorithm falls back to,
// against the product rule in long double.

#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "FadsByChance.hpp"
#include "H200.hpp"
#include "detail/algorithms/Kontract_DeviceFads.hpp"
#include "detail/algorithms/Kontract_FadPairs.hpp"
#include "detail/algorithms/Kontract_FadRows.hpp"
#include "detail/algorithms/Kontract_FadRuns.hpp"
#include "detail/algorithms/Kontract_Flat.hpp"
#include "detail/algorithms/Kontract_MDRange.hpp"
#include "detail/algorithms/Kontract_StagedFads.hpp"
#include "detail/kernels/portable/Kontract_Piece.hpp"

namespace KontractTest {
namespace {

using namespace Kontract::Impl;

template <class S, std::size_t place>
void checkTile(unsigned seed, Teuchos::FancyOStream& out, bool& success) {
  constexpr CellTiles::Tile tile = DeviceFads::tiles[place];
  FadContractionByChance<S> drawn(seed, tile.lefts, 2 * tile.lefts + 1, tile.rights,
                                  2 * tile.rights + 1);
  const FadTileOfCell<S, tile.lefts, tile.rights, 32> threads(drawn.problem());
  for (int64_t i = threads.threads(); i-- > 0;) threads(i);
  const int64_t wrong = drawn.wrong();
  TEST_EQUALITY(wrong, 0);
  if (wrong > 0) {
    out << "seed " << seed << ", tile " << tile.lefts << 'x' << tile.rights << ", " << drawn.text();
  }
}

template <class S, std::size_t... place>
void checkTiles(std::index_sequence<place...>, Teuchos::FancyOStream& out, bool& success) {
  for (unsigned seed = 0; seed < 8 && success; ++seed) {
    (checkTile<S, place>(seed, out, success), ...);
  }
}
using AllTiles = std::make_index_sequence<std::size(DeviceFads::tiles)>;

TEUCHOS_UNIT_TEST(DeviceFads, contractionsByChance) {
  checkTiles<double>(AllTiles(), out, success);
  checkTiles<float>(AllTiles(), out, success);
}

template <class S>
void checkElements(unsigned seed, Teuchos::FancyOStream& out, bool& success) {
  FadElementsByChance<S> drawn(seed, 3);
  TEST_ASSERT(runFadElements(Kokkos::DefaultHostExecutionSpace(), drawn.problem(), "elements"));
  const int64_t wrong = drawn.wrong();
  TEST_EQUALITY(wrong, 0);
  if (wrong > 0) out << "seed " << seed << ", " << drawn.text();
}

TEUCHOS_UNIT_TEST(DeviceFads, elementsByChance) {
  for (unsigned seed = 0; seed < 150 && success; ++seed) {
    checkElements<double>(seed, out, success);
    checkElements<float>(seed, out, success);
  }
}

/// All pieces of a problem, one after the other.
template <class Problem>
void computeAll(const Problem& problem) {
  const Box box = problem.shape.box();
  forEachPlace({box.extents[0], box.extents[1], box.extents[2]},
               [&](const std::vector<int64_t>& at) { compute(problem, at[0], at[1], at[2]); });
}
template <class S>
void checkPieces(unsigned seed, Teuchos::FancyOStream& out, bool& success) {
  FadContractionByChance<S> contraction(seed, 1, 6, 1, 6);
  computeAll(contraction.problem());
  TEST_EQUALITY_CONST(contraction.wrong(), 0);
  FadElementsByChance<S> elements(seed, 5);
  computeAll(elements.problem());
  TEST_EQUALITY_CONST(elements.wrong(), 0);
  if (!success) out << "seed " << seed << ", " << contraction.text() << elements.text();
}

TEUCHOS_UNIT_TEST(DeviceFads, piecesByChance) {
  for (unsigned seed = 0; seed < 100 && success; ++seed) {
    checkPieces<double>(seed, out, success);
    checkPieces<float>(seed, out, success);
  }
}

/// By a constant that is zero: derivatives are infinite, as the value is, and not what zero times
/// infinity gives.
TEUCHOS_UNIT_TEST(DeviceFads, quotientsByZero) {
  const double zero = 0, ones[3] = {1, 1, 1};
  PointwiseShape s;
  s.kind = PointwiseKind::Quotient;
  for (const bool by_pieces : {false, true}) {
    double quotient[3] = {-1, -1, -1};
    const FadProblem<PointwiseShape, double> problem{
        s, {quotient, 2, 2, 1}, {&zero, 0, 0, 0}, {ones, 2, 2, 1}};
    if (by_pieces) {
      compute(problem, 0, 0, 0);
    } else {
      TEST_ASSERT(runFadElements(Kokkos::DefaultHostExecutionSpace(), problem, "quotient"));
    }
    for (const double x : quotient) TEST_EQUALITY(x, std::numeric_limits<double>::infinity());
  }
}

/// A thread would read the value that another one has replaced; other kinds have no such elements.
TEUCHOS_UNIT_TEST(DeviceFads, leavesOthersAside) {
  std::mt19937 random(1);
  Fads<double> x({2, 3}, 3, false, true, random), y({2, 3}, 3, false, true, random);
  PointwiseShape s;
  s.cells = 2, s.fields = 3;
  s.out = s.left = s.right = {x.step(0), x.step(1), 0, 0, 0};
  const Kokkos::DefaultHostExecutionSpace space;
  using Problem = FadProblem<PointwiseShape, double>;
  const auto runs = [&](const FadArray<double>& to, const FadArray<const double>& left,
                        const FadArray<const double>& right) {
    return runFadElements(space, Problem{s, to, left, right}, "elements");
  };
  TEST_ASSERT(runs(y.output(), x.input(), x.input()));
  TEST_ASSERT(!runs(x.output(), x.input(), y.input()));
  TEST_ASSERT(!runs(x.output(), y.input(), x.input()));
  s.kind = PointwiseKind::Cross2;
  TEST_ASSERT(!runs(y.output(), x.input(), x.input()));
  s.kind = PointwiseKind::Product;
  s.cells = int64_t(1) << 35;
  TEST_ASSERT(!runs(y.output(), x.input(), x.input()));
}

/// Derivatives of what has none of its own, into an output that keeps none.
TEUCHOS_UNIT_TEST(DeviceFads, outputsWithoutDerivatives) {
  std::mt19937 random(1);
  const Fads<double> left({2, 2}, 3, false, true, random), right({2, 2}, 3, false, true, random);
  Fads<double> output({2, 2, 2}, 0, false, true, random);
  ContractionShape s;
  s.cells = s.lefts = s.rights = 2;
  s.out_cell = 4, s.out_left = 2, s.out_right = 1;
  s.left_cell = left.step(0), s.left_field = left.step(1);
  s.right_cell = right.step(0), s.right_field = right.step(1);
  const FadTileOfCell<double, 1, 1, 32> threads(
      FadProblem<ContractionShape, double>{s, output.output(), left.input(), right.input()});
  for (int64_t i = 0; i < threads.threads(); ++i) threads(i);
  forEachPlace({2, 2, 2}, [&](const std::vector<int64_t>& at) {
    const double wanted =
        static_cast<double>(left.component(left.elements.at({at[0], at[1]}), 3, 3) *
                            right.component(right.elements.at({at[0], at[2]}), 3, 3));
    TEST_EQUALITY(output.scalars[std::size_t(output.elements.at(at))], wanted);
  });
}

/// They are expected to be faster than a thread for each output with all its components, as they
/// were measured to be.
TEUCHOS_UNIT_TEST(DeviceFads, areChosen) {
  const Machine machine = h200();
  Chance chance(1);
  double scalar = 0;
  for (int i = 0; i < 200; ++i) {
    ContractionShape s;
    s.cells = 100000, s.lefts = chance.draw(1, 40), s.rights = chance.draw(1, 40);
    s.sum[2] = {chance.draw(1, 80), 1, 1};
    const int64_t n = chance.draw(1, 30);
    const bool is_left = chance.flip();
    (is_left ? s.out_cell : s.out_right) = 1;
    const Work work = workOf(FadProblem<ContractionShape, double>{
        s, {&scalar, n, n, 1}, {&scalar, n, n, 1}, {&scalar, 0, 0, 0}});
    const double together = DeviceFads::seconds(work, machine);
    TEST_COMPARE(together, <, Flat::estimate(work, machine));
    TEST_COMPARE(together, <, MDRange::estimate(work, machine));
  }
}

/// Tiles are those that fields fill, and large ones where fields are many.
TEUCHOS_UNIT_TEST(DeviceFads, choosesTiles) {
  const Machine machine = h200();
  Work work;
  work.is_contraction = work.is_fad = true;
  work.components = work.products = 9;
  work.scalar_bytes[0] = work.scalar_bytes[1] = 72, work.scalar_bytes[2] = 8;
  work.terms = 64;
  const auto tileFor = [&](int64_t lefts, int64_t rights) {
    work.box = {{100000, lefts, rights}};
    return DeviceFads::tiles[DeviceFads::choose(work, machine).place];
  };
  TEST_EQUALITY(tileFor(1, 1).lefts, 1);
  TEST_EQUALITY(tileFor(1, 27).lefts, 1);
  TEST_EQUALITY(tileFor(27, 1).rights, 1);
  TEST_COMPARE(tileFor(27, 27).lefts, >=, 4);
  TEST_COMPARE(tileFor(3, 3).lefts, <=, 3);
}

/// Blocks of a device have all rows and columns, in the shared memory and in the bits that there
/// are for them.
TEUCHOS_UNIT_TEST(DeviceFads, rowsAreCut) {
  const Machine machine = h200();
  Chance chance(1);
  for (int i = 0; i < 5000; ++i) {
    const int64_t most = i % 3 == 0 ? 9 : 150;
    const int64_t fields = chance.draw(1, most), reals = chance.draw(1, most);
    const int64_t components = chance.draw(2, i % 10 == 0 ? 600 : 60);
    const int most_cells = 1 << chance.draw(0, 2);
    const FadRowsPlan plan = fadRowsPlan(fields, reals, components, machine, most_cells);
    TEST_ASSERT(plan.fits);
    const auto cuts = [&](int64_t extent, int64_t groups, int64_t each) {
      TEST_COMPARE(groups * each, >=, extent);
      TEST_COMPARE((groups - 1) * each, <, extent);
    };
    cuts(fields, plan.field_groups, plan.fields_each);
    cuts(components, plan.component_groups, plan.components_each);
    cuts(reals, plan.real_groups, plan.reals_each);
    TEST_COMPARE(plan.cells_each, <=, most_cells);
    TEST_COMPARE(8 * plan.blocks * plan.warpsOfCell(), >=, plan.rows());
    TEST_COMPARE(8 * plan.columns, >=, plan.reals_each);
    TEST_ASSERT(FadRowsPlan::hasKernel(plan.blocks, plan.columns));
    TEST_ASSERT(plan.blocks <= 4 || plan.blocks == 6 || plan.blocks == 8);
    TEST_COMPARE(plan.bytes(), <=, machine.block_shared_bytes);
    TEST_COMPARE(plan.stageNumbers(), <, 1 << StagedNumber::to_bits);
    TEST_COMPARE(plan.cells_each, <=, 1 << StagedNumber::cell_bits);
    TEST_COMPARE(plan.rows(), <=, 1 << StagedNumber::row_bits);
    if (!success) return;
  }
}

/// Numbers of a side of a stage that are where another one is, or outside. Takes their places.
int placesTakenTwice(const FadPairsStage& stage, int cells, std::vector<bool>& is_taken) {
  int twice = 0;
  for (int c = 0; c < cells; ++c) {
    for (int f = 0; f < stage.fields; ++f) {
      for (int k = 0; k < stage.components; ++k) {
        for (int t = 0; t < FadPairsStage::terms; ++t) {
          const int place = stage.place(c, f, k, t);
          const bool is_inside = 0 <= place && place < int(is_taken.size());
          if (!is_inside || is_taken[std::size_t(place)]) ++twice;
          if (is_inside) is_taken[std::size_t(place)] = true;
        }
      }
    }
  }
  return twice;
}

/// The same of Fads with Fads.
TEUCHOS_UNIT_TEST(DeviceFads, pairsAreCut) {
  const Machine machine = h200();
  Chance chance(2);
  for (int i = 0; i < 5000; ++i) {
    const int64_t most = i % 3 == 0 ? 9 : i % 50 == 1 ? 5000 : 150;
    const int64_t lefts = chance.draw(1, most), rights = chance.draw(1, most);
    const int64_t components = chance.draw(2, i % 10 == 0 ? 600 : 60);
    const int most_cells = chance.draw(1, FadPairsPlan::most_cells);
    const FadPairsPlan plan = fadPairsPlan(lefts, rights, components, most_cells);
    TEST_ASSERT(plan.fits);
    const auto cuts = [&](int64_t extent, int64_t groups, int64_t each) {
      TEST_COMPARE(groups * each, >=, extent);
      TEST_COMPARE((groups - 1) * each, <, extent);
    };
    cuts(plan.rows_are_left ? lefts : rights, plan.row_groups, plan.rows_each);
    cuts(plan.rows_are_left ? rights : lefts, plan.column_groups, plan.columns_each);
    cuts(components - 1, plan.derivative_groups, plan.derivatives_each);
    TEST_COMPARE(plan.derivatives_each, <=, FadPairsPlan::most_derivatives);
    TEST_COMPARE(plan.cells_each, <=, most_cells);
    TEST_COMPARE(plan.cells_each * plan.tilesOfCell(), <=, plan.warps);
    TEST_COMPARE(plan.warps, <=, FadPairsPlan::most_warps);
    TEST_COMPARE(plan.bytes(), <=, machine.block_shared_bytes);
    TEST_COMPARE(plan.numbersOfThread(plan.rows_each), <=, StagedSide::most_numbers);
    TEST_COMPARE(plan.numbersOfThread(plan.columns_each), <=, StagedSide::most_numbers);
    TEST_COMPARE(plan.stage_numbers, <, 1 << StagedNumber::to_bits);
    TEST_COMPARE(plan.cells_each, <=, 1 << StagedNumber::cell_bits);
    const int rows = std::max(plan.rows_each, plan.columns_each) * (plan.derivatives_each + 1);
    TEST_COMPARE(rows, <=, 1 << StagedNumber::row_bits);
    TEST_COMPARE(plan.warps * FadPairsPlan::outputs_of_warp, <=, plan.stage_numbers);
    // Sides do not overlap, and no number of a side is where another one is.
    const int cells = plan.cells_each;
    const FadPairsStage first = plan.stageOf(plan.rows_each, 0);
    const FadPairsStage second = plan.stageOf(plan.columns_each, cells * first.cell());
    TEST_COMPARE(first.place(cells - 1, first.fields - 1, first.components - 1, 7), <, second.at);
    TEST_COMPARE(second.place(cells - 1, second.fields - 1, second.components - 1, 7), <,
                 plan.stage_numbers);
    std::vector<bool> is_taken(std::size_t(plan.stage_numbers), false);
    const int twice =
        placesTakenTwice(first, cells, is_taken) + placesTakenTwice(second, cells, is_taken);
    TEST_EQUALITY(twice, 0);
    if (!success) return;
  }
  TEST_ASSERT(!fadPairsPlan(8, 8, 1, 1).fits);
  TEST_ASSERT(!fadPairsPlan(0, 8, 9, 1).fits);
  TEST_ASSERT(!fadPairsPlan(int64_t(1) << 30, 8, 9, 1).fits);
}

/// Runs of a side of a stage in even places, each with room for one number more at either end, none
/// of which is another one's, or outside. Takes their places.
int runsAstray(const FadRunsPlan& plan, const FadRunsStage& stage, int fields, int components,
               bool has_same_cells, int64_t terms, std::vector<bool>& is_taken) {
  const int cells = plan.are_of_cells ? 1 : plan.cells_each;
  const int all_terms = plan.are_of_cells ? plan.terms_each : 1;
  const int64_t fads = !plan.are_of_cells ? std::min<int64_t>(terms, plan.terms_each)
                       : has_same_cells   ? 1
                                          : plan.cells_each;
  int astray = 0;
  for (int c = 0; c < cells; ++c) {
    for (int f = 0; f < fields; ++f) {
      for (int t = 0; t < all_terms; ++t) {
        const int first = stage.place(c, f, t);
        const int64_t end = first + (fads * components + 2) / 2 * 2;
        if (first < 0 || first % 2 != 0 || end > int64_t(is_taken.size())) return astray + 1;
        for (int64_t i = first; i < end; ++i) {
          if (is_taken[std::size_t(i)]) ++astray;
          is_taken[std::size_t(i)] = true;
        }
      }
    }
  }
  return astray;
}

/// For how many numbers 16 lanes, of four terms of four fields each, ask a bank at most.
int mostOfBank(const FadRunsStage& stage, bool are_odd) {
  int most = 0;
  for (int first = 0; first < 32; first += 16) {
    int asked[16] = {};
    for (int lane = first; lane < first + 16; ++lane) {
      const int field = stage.fieldOf(lane / 4), shift = are_odd ? field % 2 : 0;
      most = std::max(most, ++asked[(stage.place(0, field, lane % 4) + shift) % 16]);
    }
  }
  return most;
}

/// Of Fads as runs: all that there is, in the shared memory and for the threads that there are.
TEUCHOS_UNIT_TEST(DeviceFads, runsAreCut) {
  const Machine machine = h200();
  Chance chance(3);
  int of_terms = 0, of_cells = 0;
  for (int i = 0; i < 5000; ++i) {
    const int64_t most = i % 3 == 0 ? 9 : i % 50 == 1 ? 5000 : 60;
    const int64_t components = chance.draw(2, i % 10 == 0 ? 80 : 33);
    const int sides = int(chance.draw(0, 2));  // which have derivatives
    FadRunsWork work;
    const int64_t many = i % 7 == 0 ? 3 : chance.flip() || most == 5000 ? 300 : 100000;
    work.cells = chance.draw(1, many);
    work.terms = chance.draw(1, chance.flip() ? 12 : 200);
    work.components = components;
    work.are_of_cells = chance.flip();
    work.left = {chance.draw(1, most), sides == 1 ? 1 : components, chance.draw(0, 7) == 0};
    work.right = {chance.draw(1, most), sides == 0 ? 1 : components, chance.draw(0, 7) == 0};
    work.outputs = FadRunsWork::Following(chance.draw(0, 3));
    const FadRunsPlan plan = fadRunsPlan(work, machine);
    // Few cells have too few threads for their runs.
    const bool may_fail = work.are_of_cells
                              ? components > 9 || work.cells < 16 * machine.multiprocessors
                              : components > 20;
    TEST_COMPARE(int(!plan.fits()), <=, int(may_fail));
    if (!plan.fits()) continue;
    ++(work.are_of_cells ? of_cells : of_terms);
    const FadRunsWork::Side& rows = plan.rows_are_left ? work.left : work.right;
    const FadRunsWork::Side& columns = plan.rows_are_left ? work.right : work.left;
    const auto cuts = [&](int64_t extent, int64_t groups, int64_t each) {
      TEST_COMPARE(groups * each, >=, extent);
      TEST_COMPARE((groups - 1) * each, <, extent);
    };
    cuts(rows.fields, plan.row_groups, plan.rows_each);
    cuts(columns.fields, plan.column_groups, plan.columns_each);
    cuts(components - 1, plan.warps_of_derivatives, plan.derivatives_each);
    TEST_COMPARE(plan.derivatives_each, <=, FadRunsPlan::most_derivatives);
    TEST_COMPARE(plan.warps(), <=, FadRunsPlan::most_warps);
    TEST_COMPARE(plan.cells_each, >=, 1);
    TEST_COMPARE(plan.cells_each, <=, work.cells);
    TEST_EQUALITY(plan.terms_each % FadRunsPlan::terms_at_a_time, 0);
    TEST_COMPARE(plan.stages, >, plan.lag());
    TEST_COMPARE(plan.stages, <=, FadRunsPlan::most_stages);
    constexpr int64_t barriers = sizeof(int64_t) * 2 * FadRunsPlan::most_stages;
    TEST_COMPARE(plan.bytes() + barriers, <=, machine.block_shared_bytes);
    const int each = plan.are_of_cells ? plan.terms_each : plan.cells_each;
    TEST_COMPARE((plan.rows_each + plan.columns_each) * each, <=, 32 * plan.warps());
    TEST_ASSERT(std::isfinite(plan.seconds) && plan.seconds > 0);
    std::vector<bool> is_taken(std::size_t(plan.stage_numbers), false);
    const auto astray = [&](const FadRunsStage& stage, const FadRunsWork::Side& side, int fields) {
      return runsAstray(plan, stage, fields, int(side.components), side.has_same_cells, work.terms,
                        is_taken);
    };
    const int all_astray =
        astray(plan.rows, rows, plan.rows_each) + astray(plan.columns, columns, plan.columns_each);
    TEST_EQUALITY(all_astray, 0);
    for (const auto& [stage, side] :
         {std::make_pair(plan.rows, rows), std::make_pair(plan.columns, columns)}) {
      const bool is_odd = side.components % 2 != 0;
      const int expected = plan.are_of_cells ? 2 : is_odd ? 1 : side.components % 16 == 0 ? 4 : 2;
      TEST_COMPARE(mostOfBank(stage, is_odd && work.terms % 2 != 0), <=, expected);
    }
    if (!success) return;
  }
  TEST_COMPARE(of_terms, >, 2000);
  TEST_COMPARE(of_cells, >, 2000);
  FadRunsWork work;
  work.cells = 1000, work.terms = 27, work.components = 9;
  work.left = work.right = {8, 9, false};
  TEST_ASSERT(fadRunsPlan(work, machine).fits());
  const auto fitsWith = [&](const auto& change) {
    FadRunsWork changed = work;
    change(changed);
    return fadRunsPlan(changed, machine).fits();
  };
  TEST_ASSERT(!fitsWith([](FadRunsWork& its) { its.components = 1; }));
  const auto haveDerivatives = [](int64_t count) {
    return [count](FadRunsWork& its) {
      its.components = its.left.components = its.right.components = count + 1;
    };
  };
  TEST_ASSERT(fitsWith(haveDerivatives(64)));
  TEST_ASSERT(!fitsWith(haveDerivatives(65)));
  TEST_ASSERT(!fitsWith([](FadRunsWork& its) { its.left.fields = 0; }));
  TEST_ASSERT(!fitsWith([](FadRunsWork& its) { its.left.fields = int64_t(1) << 30; }));
  TEST_ASSERT(!fitsWith([](FadRunsWork& its) { its.cells = int64_t(1) << 40; }));
  TEST_ASSERT(!fitsWith([](FadRunsWork& its) { its.are_runs = false; }));
}

/// In LayoutRight runs are of terms, in LayoutLeft of cells; else there are none.
TEUCHOS_UNIT_TEST(DeviceFads, runsAreOfTermsOrCells) {
  Machine machine = h200();
  double scalar = 0;
  const double* const input = &scalar;
  ContractionShape s;
  s.cells = 10000, s.lefts = s.rights = 8;
  const auto workWith = [&](int64_t left, int64_t right) {
    return workOf(FadProblem<ContractionShape, double>{
        s, {&scalar, 8, 8, 1}, {input, left, left, 1}, {input, right, right, 1}});
  };
  const auto serves = [&](int64_t left, int64_t right) {
    return std::isfinite(secondsOfFadRuns(workWith(left, right), machine));
  };
  const auto layRight = [&](int64_t left, int64_t right) {
    s.sum[2] = {27, left + 1, right + 1};
    s.left_field = 27 * (left + 1), s.left_cell = 8 * s.left_field;
    s.right_field = 27 * (right + 1), s.right_cell = 8 * s.right_field;
    s.out_right = 9, s.out_left = 8 * 9, s.out_cell = 64 * 9;
  };
  const auto layLeft = [&](int64_t left, int64_t right) {
    s.left_cell = left + 1, s.left_field = s.cells * s.left_cell;
    s.right_cell = right + 1, s.right_field = s.cells * s.right_cell;
    s.sum[2] = {27, 8 * s.left_field, 8 * s.right_field};
    s.out_cell = 9, s.out_left = s.cells * 9, s.out_right = 8 * s.out_left;
  };
  for (const auto& [left, right] : {std::make_pair(8, 8), {8, 0}, {0, 8}}) {
    layRight(left, right);
    TEST_ASSERT(serves(left, right));
    TEST_ASSERT(!fadRunsWork(workWith(left, right)).are_of_cells);
    TEST_EQUALITY(fadRunsWork(workWith(left, right)).outputs, FadRunsWork::Rights);
    layLeft(left, right);
    TEST_ASSERT(serves(left, right));
    TEST_ASSERT(fadRunsWork(workWith(left, right)).are_of_cells);
    TEST_EQUALITY(fadRunsWork(workWith(left, right)).outputs, FadRunsWork::Cells);
  }
  layRight(8, 8);
  TEST_ASSERT(!serves(8, 4));
  TEST_ASSERT(!serves(0, 0));
  TEST_COMPARE(secondsOfFadRuns(workWith(8, 8), machine), <,
               DeviceFads::seconds(workWith(8, 8), machine));
  machine.compute_capability = 80;
  TEST_ASSERT(!serves(8, 8));
  machine = h200();
  s.sum[2].left = 18;  // neither terms nor cells
  TEST_ASSERT(!serves(8, 8));
  layRight(8, 8);
  s.sum[1] = {3, 7, 5};
  TEST_ASSERT(!serves(8, 8));
  s.sum[1] = {};
  s.left_field = -s.left_field;
  TEST_ASSERT(!serves(8, 8));
  s.left_field = -s.left_field;
  s.left_cell = -s.left_cell;
  TEST_ASSERT(serves(8, 8));
  // One term is a run whatever its stride, and what all cells share one of each field and term.
  s.sum[2] = {1, 1000, 1};
  TEST_ASSERT(serves(8, 8));
  layLeft(8, 0);
  s.right_cell = 0;
  TEST_ASSERT(serves(8, 0));
  TEST_ASSERT(fadRunsWork(workWith(8, 0)).right.has_same_cells);
  // Too far apart for lists.
  layLeft(8, 8);
  s.sum[2].left = s.sum[2].right = int64_t(1) << 31;
  TEST_INEQUALITY(whyNoFadPairs(workWith(8, 8), machine), "");
  TEST_ASSERT(serves(8, 8));
}

/// What is closest in memory is copied by neighbouring threads, in either layout, of one derivative
/// and a value, too.
TEUCHOS_UNIT_TEST(DeviceFads, sidesAreInTheOrderOfMemory) {
  using Name = StagedSide::Name;
  const double data[2] = {};
  ContractionShape s;
  s.cells = 70, s.lefts = 12, s.rights = 5;
  const auto orderOf = [&](bool is_left, int64_t derivatives, int64_t value) {
    const StagedSide side =
        stagedSide(s, is_left, data, {2, 8, 4}, {1, derivatives, 2}, 128, value);
    TEST_EQUALITY(side.numbers, 1);
    TEST_EQUALITY(side.index[Name::fields].extent, is_left ? 12 : 5);
    TEST_EQUALITY(side.index[Name::terms].extent, 30);
    TEST_EQUALITY(side.index[Name::cells].step, is_left ? s.left_cell : s.right_cell);
    return std::vector<int>(side.order, side.order + StagedSide::indices);
  };
  const std::vector<int> right{Name::components, Name::terms, Name::fields, Name::cells};
  const std::vector<int> left{Name::components, Name::cells, Name::fields, Name::terms};
  const std::vector<int> without{Name::terms, Name::fields, Name::cells, Name::components};
  for (const int64_t n : {1, 8}) {
    s.sum[2] = {30, n + 1, n + 1};
    s.left_field = s.right_field = 30 * (n + 1);
    s.left_cell = 12 * s.left_field, s.right_cell = 5 * s.right_field;
    TEST_ASSERT(orderOf(true, n, n) == right);
    TEST_ASSERT(orderOf(false, n, n) == right);
  }
  TEST_ASSERT(orderOf(true, 1, -1) == without);
  s.left_cell = 9, s.left_field = 70 * 9, s.sum[2] = {30, 12 * 70 * 9, 9};
  TEST_ASSERT(orderOf(true, 8, 8) == left);
}

TEUCHOS_UNIT_TEST(DeviceFads, rowsAreOfFadsAndNumbers) {
  const Machine machine = h200();
  double scalar = 0;
  ContractionShape s;
  s.cells = 10000, s.lefts = s.rights = 27;
  s.sum[2] = {64, 9, 1};
  s.out_right = 9, s.out_left = 27 * 9, s.out_cell = 27 * 27 * 9;
  const auto whyNot = [&](int64_t left, int64_t right, int64_t stride) {
    const auto fads = [&](auto* data, int64_t n) {
      using T = std::remove_pointer_t<decltype(data)>;
      return FadArray<T>{data, n * stride, n, stride};
    };
    const double* const input = &scalar;
    const Work work = workOf(FadProblem<ContractionShape, double>{
        s, fads(&scalar, 8), fads(input, left), fads(input, right)});
    if (haveDerivatives(work, 2, 2)) {
      TEST_INEQUALITY(whyNoFadRows(work, machine), "");
      const std::string why = whyNoFadPairs(work, machine);
      if (why.empty()) {
        TEST_COMPARE(secondsOfFadPairs(work, machine), <, DeviceFads::seconds(work, machine));
      }
      return why;
    }
    if (whyNoFadRows(work, machine).empty()) {
      TEST_COMPARE(secondsOfFadRows(work, machine), <, DeviceFads::seconds(work, machine));
    }
    return whyNoFadRows(work, machine);
  };
  TEST_EQUALITY(whyNot(8, 0, 1), "");
  TEST_EQUALITY(whyNot(0, 8, 1), "");
  TEST_EQUALITY(whyNot(8, 8, 1), "");
  TEST_INEQUALITY(whyNot(4, 4, 1), "");
  TEST_INEQUALITY(whyNot(4, 0, 1), "");
  TEST_INEQUALITY(whyNot(0, 0, 1), "");
  TEST_INEQUALITY(whyNot(8, 0, 1000), "");
  TEST_INEQUALITY(whyNot(8, 8, 1000), "");
  s.sum[1] = {3, 7, 5};
  TEST_INEQUALITY(whyNot(8, 0, 1), "");
  TEST_INEQUALITY(whyNot(8, 8, 1), "");
  s.sum[1] = {};
  s.sum[2].extent = 0;
  TEST_INEQUALITY(whyNot(8, 0, 1), "");
  TEST_INEQUALITY(whyNot(8, 8, 1), "");
  // Counted in 32 bits.
  s.sum[2] = {int64_t(1) << 31, 0, 1};
  TEST_INEQUALITY(whyNot(8, 0, 1), "");
  TEST_INEQUALITY(whyNot(8, 8, 1), "");
  s.sum[2] = {64, int64_t(1) << 40, 1};
  TEST_INEQUALITY(whyNot(8, 0, 1), "");
  TEST_INEQUALITY(whyNot(8, 8, 1), "");
}

}  // namespace
}  // namespace KontractTest
