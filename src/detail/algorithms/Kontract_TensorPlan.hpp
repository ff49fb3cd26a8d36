// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORPLAN_HPP
#define KONTRACT_TENSORPLAN_HPP

#include <algorithm>
#include <cstdint>

#include "detail/problem/Kontract_Work.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// How blocks of a device share contractions by matrix instructions, and how much shared memory
/// they need.
struct TensorPlan {
  bool by_cells = false;      ///< a row of 128 bytes holds cells, otherwise terms
  bool by_engine = true;      ///< whether the copy engine fills shared memory
  bool odd_cells = false;     ///< see Rows::OfOddCells
  int lefts = 1, rights = 1;  ///< blocks of eight fields in the tile of a warp
  int left_warps = 1, right_warps = 1, cell_warps = 1;
  int cells_each = 1, terms_each = 1;  ///< of a stage
  int left_box = 1, right_box = 1;     ///< rows of a stage for each cell, or term
  int stages = 1;
  std::int64_t right_at = 0, stage_bytes = 0, sums_at = 0, bytes = 0;

  int tileLefts() const { return 8 * lefts * left_warps; }
  int tileRights() const { return 8 * rights * right_warps; }
  int warps() const { return left_warps * right_warps * cell_warps; }
  std::int64_t leftTiles(const Work& work) const {
    return (work.box.extents[1] + tileLefts() - 1) / tileLefts();
  }
  std::int64_t rightTiles(const Work& work) const {
    return (work.box.extents[2] + tileRights() - 1) / tileRights();
  }
  std::int64_t works(const Work& work) const {
    const std::int64_t blocks = (work.box.extents[0] + cells_each - 1) / cells_each;
    return blocks * leftTiles(work) * rightTiles(work);
  }

  /// Blocks of right fields in a tile of 32 left fields where warps copy, which take registers.
  static constexpr int rightsByWarps(bool is_complex) { return is_complex ? 2 : 4; }

  /// Warps that copy, where the engine does not.
  int producers() const { return by_engine ? 0 : 4; }
};

/// What a caller may set: 0 chooses.
struct TensorWish {
  int tile = 0;  ///< fields of a warp's tile: 8, 16, 32, or 64 (by 32)
  int stages = 0;
};

/// Gives a plan its tiles: those of a warp, and how the warps of a block lie.
inline void setTiles(TensorPlan& plan, const Work& work, int tile, int warps) {
  constexpr int row = 128;
  const auto& [cells, lefts, rights] = work.box.extents;
  plan.lefts = tile / 8;
  plan.rights = std::min(tile, 32) / 8;
  if (tile == 32 && !plan.by_engine) {
    plan.rights = TensorPlan::rightsByWarps(work.is_complex);
  }
  if (plan.by_cells) {
    // Each warp has the cells of a chunk of 16 bytes.
    plan.cells_each = row / work.scalar_bytes[0] - (plan.odd_cells ? 1 : 0);
    plan.cell_warps = warps;
    const std::int64_t terms = (work.terms + 7) / 8 * 8;
    plan.terms_each = static_cast<int>(std::clamp<std::int64_t>(terms, 8, tile <= 16 ? 16 : 8));
    return;
  }
  const auto along = [](std::int64_t fields, int blocks, int most) {
    const std::int64_t wanted = (fields + 8 * blocks - 1) / (8 * blocks);
    int along_it = 1;
    while (along_it < wanted && along_it < most) along_it *= 2;
    return along_it;
  };
  const int most_right = lefts > 8 * plan.lefts ? std::max(1, warps / 2) : warps;
  plan.right_warps = along(rights, plan.rights, most_right);
  plan.left_warps = along(lefts, plan.lefts, warps / plan.right_warps);
  plan.cell_warps = warps / (plan.left_warps * plan.right_warps);
  plan.cells_each = plan.cell_warps;
  plan.terms_each = row / work.scalar_bytes[0];
}

/// Gives a plan its shared memory.
/// \param stages 0 for as many as are of use and fit
inline void setMemory(TensorPlan& plan, const Work& work, const Machine& machine, int stages) {
  constexpr int row = 128;
  const auto& [cells, lefts, rights] = work.box.extents;
  const auto box = [&](std::int64_t fields, int tile_fields) {
    if (plan.odd_cells) return std::max(8, tile_fields / 2);  // of every second field
    int rows = static_cast<int>(std::min<std::int64_t>(fields, tile_fields));
    // Four rows of terms and two of fields then lie in different banks.
    while (plan.by_cells && rows % 8 != 2) ++rows;
    return rows;
  };
  plan.left_box = box(lefts, plan.tileLefts());
  plan.right_box = box(rights, plan.tileRights());
  const auto whole = [](std::int64_t bytes) { return (bytes + 1023) / 1024 * 1024; };
  const int planes = plan.by_cells ? plan.terms_each : plan.cells_each;
  // Of odd cells: four regions with two rows more each.
  const auto rows = [&](int box_fields) {
    return std::int64_t(plan.odd_cells ? 2 : 1) * planes * box_fields + (plan.odd_cells ? 8 : 0);
  };
  plan.right_at = whole(rows(plan.left_box) * row);
  plan.stage_bytes = plan.right_at + whole(rows(plan.right_box) * row);
  const std::int64_t sums =
      plan.by_cells ? std::int64_t(8) * plan.right_warps * 8 * ((plan.rights + 1) / 2) * row
                    : std::int64_t(plan.warps()) * 8 * (8 * plan.rights + 8) * work.scalar_bytes[0];
  // Warps with tiles beyond the last field read, and forget, as many rows more, be they sums.
  const auto end = [&](int box_fields, int tile_fields) {
    if (plan.odd_cells) return std::int64_t(0);  // boxes are as large as tiles
    return (std::int64_t(planes - 1) * box_fields + tile_fields) * row;
  };
  const std::int64_t read_to = std::max(end(plan.left_box, plan.tileLefts()),
                                        plan.right_at + end(plan.right_box, plan.tileRights()));
  const std::int64_t beyond = std::max(sums, read_to - plan.stage_bytes), barriers = 1024;
  const std::int64_t room = machine.block_shared_bytes - barriers - beyond;
  const std::int64_t parts = (work.terms + plan.terms_each - 1) / plan.terms_each;
  const std::int64_t rounds = plan.works(work) / machine.multiprocessors + 1;
  const std::int64_t of_use = std::max<std::int64_t>(1, parts * rounds);
  // Small tiles are done sooner with several blocks at a time; copies by warps like the cache that
  // shares memory with stages.
  const std::int64_t half = room / 2 / plan.stage_bytes;
  const std::int64_t fit = !plan.by_engine && half >= 3 ? half : room / plan.stage_bytes;
  const int most = plan.lefts <= 2 ? 4 : 8;
  plan.stages = stages != 0
                    ? stages
                    : static_cast<int>(std::clamp<std::int64_t>(std::min(fit, of_use), 1, most));
  plan.sums_at = plan.stages * plan.stage_bytes;
  plan.bytes = plan.sums_at + beyond;
}

/// The plan for a problem. Where a request for more stages than fit is given, the plan's bytes
/// exceed the machine's.
inline TensorPlan tensorPlan(const Work& work, const Machine& machine, const TensorWish& request,
                             bool by_engine) {
  TensorPlan plan;
  plan.by_cells = work.neighbour_cells;
  plan.by_engine = by_engine;
  const CellMatrices& m = work.matrices;
  plan.odd_cells = plan.by_cells && by_engine && work.scalar_bytes[0] == 8 && !work.is_complex &&
                   ((m.left_field | m.left_term | m.right_field | m.right_term) & 1) != 0;
  const std::int64_t narrow = std::min(work.box.extents[1], work.box.extents[2]);
  const bool holds_two_sums = work.is_complex || plan.by_cells;
  const bool is_large = narrow > 64 && !holds_two_sums && by_engine;
  int tile = request.tile != 0 ? request.tile
             : narrow <= 8     ? 8
             : narrow <= 16    ? 16
             : is_large        ? 64
                               : 32;
  int warps = 8;
  setTiles(plan, work, tile, warps);
  // Few pieces of work are cut into more, as long as that keeps more multiprocessors busy.
  while (2 * plan.works(work) <= machine.multiprocessors) {
    if (warps > 1 && !plan.by_cells) {
      warps /= 2;
    } else if (tile > 16 && request.tile == 0) {
      tile /= 2;
    } else {
      break;
    }
    setTiles(plan, work, tile, warps);
  }
  setMemory(plan, work, machine, request.stages);
  return plan;
}

}  // namespace Impl
}  // namespace Kontract

#endif
