// SPDX-License-Identifier: BSD-3-Clause
//
// Plans of kernels for NVIDIA devices, on any machine: whether tiles cover all outputs, stages lie
// where the copy engine can put them, and no warp reads beyond what a block has; which launch
// bounds and unroll depths kernels of teams take.

#include <Teuchos_UnitTestHarness.hpp>
#include <string>
#include <vector>

#include "H200.hpp"
#include "detail/algorithms/Kontract_AlgorithmList.hpp"
#include "detail/algorithms/Kontract_CellPiecesPlan.hpp"
#include "detail/algorithms/Kontract_InterleavedCells.hpp"
#include "detail/algorithms/Kontract_TensorPlan.hpp"

namespace KontractTest {
namespace {

using namespace Kontract::Impl;

const std::vector<std::int64_t> sizes = {1,  2,  7,  8,  9,   16,  17,  27,
                                         32, 33, 64, 65, 100, 125, 129, 300};

std::vector<Shape> shapes(bool is_left) {
  std::vector<Shape> all;
  for (const std::int64_t lefts : sizes) {
    for (const std::int64_t rights : sizes) {
      for (const std::int64_t terms : {0, 1, 5, 8, 64, 125, 1944}) {
        for (const std::int64_t cells : {1, 37, 10000}) {
          all.push_back({cells, lefts, rights, terms, is_left});
        }
      }
    }
  }
  return all;
}

/// What is wrong with a plan; empty if nothing is.
std::string faultOf(const TensorPlan& plan, const Work& work) {
  constexpr int row = 128, pattern = 1024;
  const auto& [cells, lefts, rights] = work.box.extents;
  const std::int64_t planes = plan.by_cells ? plan.terms_each : plan.cells_each;
  if (plan.bytes + pattern > h200().block_shared_bytes) return "shared memory";
  if (plan.right_at % pattern != 0 || plan.stage_bytes % pattern != 0) return "alignment";
  if (plan.leftTiles(work) * plan.tileLefts() < lefts) return "left fields";
  if (plan.rightTiles(work) * plan.tileRights() < rights) return "right fields";
  if (plan.works(work) * plan.cells_each < cells) return "cells";
  if (plan.warps() < 1 || plan.warps() > 8) return "warps";
  if (plan.stages < 1 || plan.stages > 8) return "stages";
  if (plan.left_box > 256 || plan.right_box > 256 || planes > 256)
    return "a box of the copy engine";
  // Of odd cells a box has every second field of every second term, and there are four, apart.
  const int fields_apart = plan.odd_cells ? 2 : 1;
  if (fields_apart * plan.left_box < std::min<std::int64_t>(lefts, plan.tileLefts())) {
    return "left rows";
  }
  if (fields_apart * plan.right_box < std::min<std::int64_t>(rights, plan.tileRights())) {
    return "right rows";
  }
  const auto rows_of = [&](std::int64_t box_fields) {
    return plan.odd_cells ? 4 * (planes / 2 * box_fields + 2) : planes * box_fields;
  };
  if (rows_of(plan.left_box) * row > plan.right_at) return "left rows in the right ones' place";
  if (plan.right_at + rows_of(plan.right_box) * row > plan.stage_bytes) {
    return "rows in the next stage";
  }
  if (plan.odd_cells && (plan.left_box % 8 != 0 || plan.right_box % 8 != 0)) return "banks";
  if (plan.by_cells && !plan.odd_cells && (plan.left_box % 8 != 2 || plan.right_box % 8 != 2)) {
    return "banks";
  }
  if (plan.by_cells && plan.terms_each % 8 != 0) return "terms";
  const auto end_of = [&](std::int64_t box_fields, std::int64_t tile_fields) {
    if (plan.odd_cells) return (rows_of(box_fields) - box_fields + tile_fields / 2) * row;
    return ((planes - 1) * box_fields + tile_fields) * row;
  };
  const std::int64_t left_end = end_of(plan.left_box, plan.tileLefts());
  const std::int64_t right_end = end_of(plan.right_box, plan.tileRights());
  const std::int64_t last_stage = (plan.stages - 1) * plan.stage_bytes;
  if (last_stage + std::max(left_end, plan.right_at + right_end) > plan.bytes) {
    return "reads beyond shared memory";
  }
  return {};
}

TEUCHOS_UNIT_TEST(DevicePlans, tensorPlansFitMemoryAndCoverTheProblem) {
  for (const bool is_left : {false, true}) {
    for (const Shape& shape : shapes(is_left)) {
      for (const int scalar_bytes : {4, 8, 16}) {
        if (is_left && scalar_bytes == 4) continue;  // cells side by side are of double precision
        for (const bool is_complex : {false, true}) {
          if (scalar_bytes == (is_complex ? 4 : 16)) continue;
          if (is_left && is_complex && scalar_bytes == 8) continue;
          for (const bool by_engine : {false, true}) {
            Work work = workOf(shape, scalar_bytes, false);
            work.is_complex = is_complex;
            const TensorPlan plan = tensorPlan(work, h200(), {}, by_engine);
            const std::string fault = faultOf(plan, work);
            if (fault.empty()) continue;
            out << fault << ": " << shape.lefts << 'x' << shape.rights << 'x' << shape.terms << ", "
                << shape.cells << " cells, " << scalar_bytes << " bytes\n";
            success = false;
          }
        }
      }
    }
  }
}

/// Stages that a caller gives are taken if they fit whichever way memory is copied.
TEUCHOS_UNIT_TEST(DevicePlans, givenStagesFitWhetherWarpsOrTheEngineCopy) {
  int taken = 0, refused = 0;
  for (const auto& [capability, shared_bytes] :
       {std::pair(80, 166912), {86, 101376}, {90, 232448}}) {
    Machine machine = h200();
    machine.compute_capability = capability;
    machine.block_shared_bytes = shared_bytes;
    for (const bool is_left : {false, true}) {
      for (const Shape& shape : shapes(is_left)) {
        if (shape.cells != 37) continue;
        for (const int tile : {0, 16, 64}) {
          for (const int stages : {0, 3, 6, 8}) {
            const Work work = workOf(shape, 8, false);
            Plan<TensorCore::Settings> plan;
            plan.settings = {tile, stages};
            const bool is_taken = TensorCore::whyNot(work, machine, plan).empty();
            ++(is_taken ? taken : refused);
            if (!is_taken) continue;
            for (const bool by_engine : {false, true}) {
              if (by_engine && !machine.hasCopyEngine()) continue;
              const int of_warps = !by_engine && tile == 64 ? 32 : tile;
              const auto bytes = tensorPlan(work, machine, {of_warps, stages}, by_engine).bytes;
              TEUCHOS_TEST_COMPARE(bytes + 1024, <=, shared_bytes, out, success);
            }
          }
        }
      }
    }
  }
  TEST_COMPARE(taken, >, 1000);
  TEST_COMPARE(refused, >, 1000);
}

/// What is wrong with a plan of whole cells; empty if nothing is.
std::string faultOf(const CellPieces& plan, const WarpTile& tile, const Work& work) {
  const auto& [cells, lefts, rights] = work.box.extents;
  const int reals = work.is_complex ? 2 : 1, scalar_bytes = work.scalar_bytes[0];
  const int alignment = 16 - scalar_bytes / reals;
  if (plan.terms != reals * work.terms || plan.columns != reals * rights) return "reals";
  if (plan.bytes + 1024 > h200().block_shared_bytes) return "shared memory";
  if ((plan.right_at | plan.stage_bytes | plan.sums_at | plan.sums_bytes) % 128 != 0) {
    return "alignment";
  }
  for (const int stages : {plan.stages, plan.sum_stages}) {
    if (stages < 2 || stages > CellPieces::most_stages) return "stages";
  }
  if (plan.stages * plan.stage_bytes > plan.sums_at) return "stages in the place of sums";
  if (plan.sums_at + plan.sum_stages * plan.sums_bytes > plan.bytes) return "sums";
  std::int64_t next_cell = 0, next_left = 0;
  const std::int64_t looked_at = std::min<std::int64_t>(plan.pieces, 1000);
  for (std::int64_t i = 0; i < looked_at; ++i) {
    const CellsOfPiece piece = plan.piece(i);
    if (piece.cell != next_cell || piece.left != next_left) return "a gap between pieces";
    const std::int64_t rows = std::int64_t(piece.cells) * piece.lefts;
    if (rows * work.terms * scalar_bytes + alignment > plan.right_at) return "left fields";
    if (piece.cells * rights * work.terms * scalar_bytes + alignment >
        plan.stage_bytes - plan.right_at) {
      return "right fields";
    }
    if (rows * rights * scalar_bytes + alignment > plan.sums_bytes) return "outputs";
    const int in_tile = plan.cells_of_tile;
    if (in_tile == 2 && std::max(lefts, reals * rights) > 4) return "two cells in a tile";
    if (plan.left_tiles * 8 * tile.lefts < in_tile * piece.lefts) return "tiles of left fields";
    if (plan.right_tiles * 8 * tile.rights < in_tile * reals * rights)
      return "tiles of right fields";
    next_left += piece.lefts;
    if (next_left == lefts) next_left = 0, next_cell += piece.cells;
  }
  return looked_at == plan.pieces && next_cell != cells ? "cells" : "";
}

TEUCHOS_UNIT_TEST(DevicePlans, wholeCellsFitMemoryAndCoverTheProblem) {
  int planned = 0;
  for (const Shape& shape : shapes(false)) {
    if (shape.terms == 0) continue;
    for (const int scalar_bytes : {4, 8, -8, -16}) {  // negative: complex
      for (const WarpTile& tile : {WarpTile{1, 1}, WarpTile{2, 3}, WarpTile{4, 4}}) {
        Work work = workOf(shape, std::abs(scalar_bytes), scalar_bytes == 4 || scalar_bytes == -8);
        work.is_complex = scalar_bytes < 0;
        const CellPiecesPlan plan(work, h200(), tile);
        if (!plan.exists()) continue;
        ++planned;
        const std::string fault = faultOf(plan.pieces(), tile, work);
        if (fault.empty()) continue;
        out << fault << ": " << shape.lefts << 'x' << shape.rights << 'x' << shape.terms << ", "
            << shape.cells << " cells, " << scalar_bytes << " bytes\n";
        success = false;
      }
    }
  }
  TEST_ASSERT(planned > 1000);
}

TEUCHOS_UNIT_TEST(DevicePlans, lanesOfAFieldTakeAllTermsOnce) {
  for (const auto order :
       {TermsOfLanes::side_by_side, TermsOfLanes::in_fours, TermsOfLanes::in_halves}) {
    int taken[16] = {};
    for (int lane = 0; lane < 4; ++lane) {
      for (const int half : {0, 1}) {
        const int first = TermsOfLanes::first(order, lane, half);
        ++taken[first], ++taken[first + 1];
      }
    }
    for (const int count : taken) TEST_EQUALITY_CONST(count, 1);
  }
}

TEUCHOS_UNIT_TEST(DevicePlans, gapsAreTold) {
  const auto has_gaps = [](const ContractionShape& s) {
    return !s.work({8, 8, 8}).cells_without_gaps;
  };
  ContractionShape s;
  s.cells = 7, s.lefts = 3, s.rights = 5;
  s.sum[ContractionShape::sum_levels - 1] = {4, 1, 1};
  s.left_field = s.right_field = 4, s.left_cell = 12, s.right_cell = 20;
  s.out_right = 1, s.out_left = 5, s.out_cell = 15;
  TEST_ASSERT(!has_gaps(s));
  for (std::int64_t ContractionShape::*stride :
       {&ContractionShape::left_field, &ContractionShape::left_cell, &ContractionShape::right_field,
        &ContractionShape::right_cell, &ContractionShape::out_right, &ContractionShape::out_left,
        &ContractionShape::out_cell}) {
    const std::int64_t tight = s.*stride;
    for (const std::int64_t other : {std::int64_t(0), tight + 1, -tight}) {
      ContractionShape changed = s;
      changed.*stride = other;
      TEST_ASSERT(has_gaps(changed));
    }
  }
  ContractionShape reversed = s;
  reversed.sum[ContractionShape::sum_levels - 1] = {4, -1, -1};
  TEST_ASSERT(has_gaps(reversed));
  ContractionShape in_levels = s;
  in_levels.sum[1] = {2, 100, 100};
  TEST_ASSERT(has_gaps(in_levels));
  ContractionShape one_cell = s;
  one_cell.cells = 1;
  one_cell.left_cell = one_cell.right_cell = one_cell.out_cell = 1000;
  TEST_ASSERT(!has_gaps(one_cell));
  ContractionShape empty = s;
  empty.sum[ContractionShape::sum_levels - 1].extent = 0;
  TEST_ASSERT(has_gaps(empty));
}

TEUCHOS_UNIT_TEST(DevicePlans, settingsThatAreNotOfferedAreRefused) {
  const Work work = workOf({1000, 27, 27, 64, false}, 8, false);
  const auto refusal = [&](int tile, int warps) {
    Plan<FewCells::Settings> plan;
    plan.settings = {tile, warps};
    return FewCells::whyNot(work, h200(), plan);
  };
  TEST_EQUALITY_CONST(refusal(0, 0), "");
  TEST_EQUALITY_CONST(refusal(16, 8), "");
  TEST_ASSERT(refusal(32, 0).find("Tile = 32 is not offered: 8 and 16 are") != std::string::npos);
  TEST_ASSERT(refusal(0, 3).find("Warps = 3 is not offered") != std::string::npos);
  Machine old = h200();
  old.compute_capability = 80;
  TEST_ASSERT(FewCells::whyNot(work, old, {}).find("9.0") != std::string::npos);
  TEST_ASSERT(WholeCells::whyNot(work, old, {}).find("9.0") != std::string::npos);
  const Work large = workOf({1000, 125, 125, 500, false}, 8, false);
  TEST_ASSERT(WholeCells::whyNot(large, h200(), {}).find("shared memory of") != std::string::npos);
  const Work left = workOf({1000, 27, 27, 64, true}, 8, false);
  TEST_ASSERT(WholeCells::whyNot(left, h200(), {}).find("has gaps") != std::string::npos);
}

/// What an algorithm says of launch bounds.
template <class Algorithm>
std::string whyNotBounds(const Work& work, int max_threads, int min_blocks, int team_size = 0) {
  Plan<typename Algorithm::Settings> plan;
  plan.launch.max_threads = max_threads, plan.launch.min_blocks = min_blocks;
  plan.launch.team_size = team_size;
  return Algorithm::whyNot(work, h200(), plan);
}

template <class Algorithm>
void testBounds(Teuchos::FancyOStream& out, bool& success) {
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  for (const bool is_left : {false, true}) {
    const Work work = workOf({1000, 27, 27, 64, is_left}, 8, false);
    for (const LaunchBound& bound : launch_bounds) {
      TEST_EQUALITY_CONST(whyNotBounds<Algorithm>(work, bound.threads, bound.blocks), "");
      TEST_EQUALITY_CONST(whyNotBounds<Algorithm>(work, 0, bound.blocks), "");
    }
    TEST_EQUALITY_CONST(whyNotBounds<Algorithm>(work, 128, 0, 128), "");
    TEST_ASSERT(has(whyNotBounds<Algorithm>(work, 128, 0, 160), "at most 128"));
    TEST_ASSERT(has(whyNotBounds<Algorithm>(work, 100, 0),
                    "is not offered: 128 with 6, 128 with 8, 256 with 2 are"));
    TEST_ASSERT(has(whyNotBounds<Algorithm>(work, 256, 8), "is not offered"));
    int bounded = 0;
    for (const auto& plan : Algorithm::candidates(work, h200())) {
      bounded += plan.launch.givesBounds() ? 1 : 0;
      TEST_EQUALITY_CONST(Algorithm::whyNot(work, h200(), plan), "");
    }
    TEST_EQUALITY(bounded, launch_bound_count);
  }
}

TEUCHOS_UNIT_TEST(DevicePlans, launchBoundsThatAreCompiledAreTakenAndTried) {
  testBounds<Slicing>(out, success);
  testBounds<Tiling>(out, success);
  testBounds<TeamReduction>(out, success);
}

TEUCHOS_UNIT_TEST(DevicePlans, tilesSlicesAndGroupsFitScratchMemory) {
  for (const bool is_left : {false, true}) {
    for (const Shape& shape : shapes(is_left)) {
      for (const int scalar_bytes : {4, 8, 16}) {
        const Work work = workOf(shape, scalar_bytes, false);
        const std::string fault = Slicing::whyNot(work, h200(), {}) +
                                  Tiling::whyNot(work, h200(), {}) +
                                  TeamReduction::whyNot(work, h200(), {});
        if (fault.empty()) continue;
        out << fault << ": " << shape.lefts << 'x' << shape.rights << 'x' << shape.terms << '\n';
        success = false;
      }
    }
  }
}

TEUCHOS_UNIT_TEST(DevicePlans, anUnrollDepthAndTheOrderOfIterationAreTried) {
  const Work work = workOf({1000, 27, 27, 64, false}, 8, false);
  bool has_depths[9] = {};
  for (const auto& plan : Tiling::candidates(work, h200())) has_depths[plan.settings.unroll] = true;
  TEST_ASSERT(has_depths[0] && has_depths[1] && has_depths[8]);
  bool has_order = false;
  for (const auto& plan : MDRange::candidates(work, h200())) {
    has_order = has_order || plan.settings.iterate == "Left";
  }
  TEST_ASSERT(has_order);
  Plan<Tiling::Settings> plan;
  plan.settings.unroll = 8, plan.launch.max_threads = 128;
  TEST_ASSERT(Tiling::whyNot(work, h200(), plan).find("with launch bounds") != std::string::npos);
}

TEUCHOS_UNIT_TEST(DevicePlans, stagesThatWereAskedForAreTaken) {
  const Work work = workOf({1000, 27, 27, 64, false}, 8, false);
  for (const int tile : {8, 16, 32}) {
    const TensorPlan plan = tensorPlan(work, h200(), {tile, 2}, true);
    TEST_EQUALITY(plan.stages, 2);
    TEST_EQUALITY(8 * plan.rights, tile);
  }
}

TEUCHOS_UNIT_TEST(DevicePlans, plansOfInterleavedCellsFitMemoryAndCoverTheProblem) {
  for (const Shape& shape : shapes(true)) {
    for (const bool is_complex : {false, true}) {
      const int scalar_bytes = is_complex ? 8 : 4, row = InterleavedCellsPlan::row;
      Work work = workOf(shape, scalar_bytes, true);
      work.is_complex = is_complex;
      const InterleavedCellsPlan plan = interleavedCellsPlan(work, h200());
      const std::int64_t read_lefts =
          std::int64_t(plan.left_warps) * plan.tiles_of_warp * plan.tile;
      const std::int64_t read_rights = std::int64_t(plan.right_warps) * plan.tile;
      const std::int64_t last_row = (plan.terms_each - 1) * plan.tile_rights + read_rights;
      const bool holds =
          plan.bytes + 1024 <= h200().block_shared_bytes &&
          plan.warps() <= InterleavedCellsPlan::most_warps && plan.stages >= 1 &&
          std::int64_t(plan.left_tiles) * plan.tile_lefts >= shape.lefts &&
          std::int64_t(plan.right_tiles) * plan.tile_rights >= shape.rights &&
          read_lefts >= plan.tile_lefts && read_rights >= plan.tile_rights &&
          plan.tile_lefts <= 256 && plan.tile_rights <= 256 && plan.right_at % row == 0 &&
          plan.stage_bytes % row == 0 &&
          (plan.stages - 1) * plan.stage_bytes + plan.right_at + last_row * row <= plan.bytes;
      if (holds) continue;
      out << shape.lefts << 'x' << shape.rights << 'x' << shape.terms << ", " << shape.cells
          << " cells, " << scalar_bytes << " bytes\n";
      success = false;
    }
  }
}

/// Products by gradients of an order on hexahedra.
FactorizationSizes productOfOrder(int order) {
  FormShape shape;
  shape.kind = FormKind::Products;
  shape.cells = 1000;
  shape.dimension = 3;
  shape.points = std::int64_t(order + 2) * (order + 2) * (order + 2);
  const int n = order + 1, q = order + 2;
  BasisFamilies gradients;
  for (int d = 0; d < 3; ++d) {
    gradients.derivative[0][d] = static_cast<signed char>(d);
    gradients.sign[0][d] = 1;
  }
  const BasisExtents basis{3, gradients, {n, n, n}, {0, 0, 0}, {q, q, q}};
  FormTermShape term;
  term.left_is_vector = term.right_is_vector = true;
  FactorizationSizes sizes;
  addFactorization(shape, term, basis, &basis, sizes);
  return sizes;
}

TEUCHOS_UNIT_TEST(DevicePlans, teamsOfSumFactorizationsFitSharedMemory) {
  bool all_fit = true;
  for (int order = 1; order <= 12; ++order) {
    for (const int number_bytes : {4, 8}) {
      const FactorizationPlan plan =
          factorizationPlan(productOfOrder(order), number_bytes, {}, h200());
      all_fit = all_fit && plan.fits;
      if (!plan.fits) {
        TEST_INEQUALITY(whyNotPlan(plan, h200()), "");
        continue;
      }
      TEST_EQUALITY(plan.teams.scratch_level, 0);
      TEST_ASSERT(plan.teams.scratch_bytes <= h200().scratch_bytes[0]);
    }
  }
  TEST_ASSERT(!all_fit);
  Machine host;
  host.is_host = true;
  host.team_size_max = 1;
  host.scratch_bytes[1] = 20 << 20;
  TEST_ASSERT(factorizationPlan(productOfOrder(12), 8, {}, host).fits);
}

/// What a launch may have no registers for is refused before anything is written.
TEUCHOS_UNIT_TEST(DevicePlans, teamsOfSumFactorizationsHaveRegisters) {
  const auto why = [](int team_size) {
    LaunchSettings launch;
    launch.team_size = team_size;
    return whyNotPlan(factorizationPlan(productOfOrder(2), 8, launch, h200()), h200());
  };
  TEST_EQUALITY(why(0), "");
  TEST_EQUALITY(why(256), "");
  TEST_EQUALITY(why(257), "Team Size is 257 but can be at most 256");
  TEST_EQUALITY(why(1024), "Team Size is 1024 but can be at most 256");
}

}  // namespace
}  // namespace KontractTest
