// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORPLAN_HPP
#define KONTRACT_TENSORPLAN_HPP

#include <algorithm>
#include <cstdint>

#include "Kontract_Machine.hpp"
#include "Kontract_Work.hpp"

namespace Kontract {
namespace Impl {

/// How blocks of a device share contractions by matrix instructions, and how much shared memory
/// they need.
struct TensorPlan {
  bool by_cells = false;      ///< a row of 128 bytes holds cells, otherwise terms
  bool by_engine = true;      ///< whether the copy engine fills shared memory
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

  /// Warps that copy, where the engine does not.
  int producers() const { return by_engine ? 0 : 4; }
};

/// What a caller may set: 0 chooses.
struct TensorWish {
  int tile = 0;  ///< fields of a warp's tile: 8, 16, 32, or 64 (by 32)
  int stages = 0;
};

/// The plan for a problem. Where a wish for more stages than fit is given, the plan's bytes exceed
/// the machine's.
inline TensorPlan tensorPlan(const Work& work, const Machine& machine, const TensorWish& wish,
                             bool by_engine) {
  constexpr int warps_of_block = 8, most_stages = 8, row = 128;
  const int scalar_bytes = work.scalar_bytes[0];
  const auto& [cells, lefts, rights] = work.box.extents;
  TensorPlan plan;
  plan.by_cells = work.neighbour_cells;
  plan.by_engine = by_engine;
  const std::int64_t narrow = std::min(lefts, rights);
  const bool holds_two_sums = work.is_complex || plan.by_cells;
  const bool is_large = narrow > 64 && !holds_two_sums && by_engine;
  const int tile = wish.tile != 0 ? wish.tile
                   : narrow <= 8  ? 8
                   : narrow <= 16 ? 16
                   : is_large     ? 64
                                  : 32;
  plan.lefts = tile / 8;
  plan.rights = std::min(tile, 32) / 8;
  if (plan.by_cells) {
    // Each warp has the cells of a chunk of 16 bytes.
    plan.cells_each = row / scalar_bytes;
    plan.cell_warps = warps_of_block;
    const std::int64_t terms = (work.terms + 7) / 8 * 8;
    plan.terms_each = static_cast<int>(std::clamp<std::int64_t>(terms, 8, narrow <= 16 ? 16 : 8));
  } else {
    const auto along = [](std::int64_t fields, int blocks, int most) {
      const std::int64_t wanted = (fields + 8 * blocks - 1) / (8 * blocks);
      int warps = 1;
      while (warps < wanted && warps < most) warps *= 2;
      return warps;
    };
    const int most_right = lefts > 8 * plan.lefts ? warps_of_block / 2 : warps_of_block;
    plan.right_warps = along(rights, plan.rights, most_right);
    plan.left_warps = along(lefts, plan.lefts, warps_of_block / plan.right_warps);
    plan.cell_warps = warps_of_block / (plan.left_warps * plan.right_warps);
    plan.cells_each = plan.cell_warps;
    plan.terms_each = row / scalar_bytes;
  }
  const auto box = [&](std::int64_t fields, int tile_fields) {
    int rows = static_cast<int>(std::min<std::int64_t>(fields, tile_fields));
    // Four rows of terms and two of fields then lie in different banks.
    while (plan.by_cells && rows % 8 != 2) ++rows;
    return rows;
  };
  plan.left_box = box(lefts, plan.tileLefts());
  plan.right_box = box(rights, plan.tileRights());
  const auto whole = [](std::int64_t bytes) { return (bytes + 1023) / 1024 * 1024; };
  const int planes = plan.by_cells ? plan.terms_each : plan.cells_each;
  plan.right_at = whole(std::int64_t(planes) * plan.left_box * row);
  plan.stage_bytes = plan.right_at + whole(std::int64_t(planes) * plan.right_box * row);
  const std::int64_t sums =
      plan.by_cells ? std::int64_t(8) * plan.right_warps * 8 * ((plan.rights + 1) / 2) * row
                    : std::int64_t(plan.warps()) * 8 * (8 * plan.rights + 8) * scalar_bytes;
  // Warps with tiles beyond the last field read, and forget, as many rows more, be they sums.
  const std::int64_t beyond = std::max<std::int64_t>(sums, 64 * row), least = 1024;
  const std::int64_t room = machine.block_shared_bytes - least - beyond;
  const std::int64_t parts = (work.terms + plan.terms_each - 1) / plan.terms_each;
  const std::int64_t of_use = std::max<std::int64_t>(1, parts * ((plan.works(work) + 131) / 132));
  plan.stages =
      wish.stages != 0
          ? wish.stages
          : static_cast<int>(std::clamp<std::int64_t>(std::min(room / plan.stage_bytes, of_use), 1,
                                                      narrow <= 16 ? 4 : most_stages));
  plan.sums_at = plan.stages * plan.stage_bytes;
  plan.bytes = plan.sums_at + beyond;
  return plan;
}

}  // namespace Impl
}  // namespace Kontract

#endif
