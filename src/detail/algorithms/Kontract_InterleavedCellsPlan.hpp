// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_INTERLEAVEDCELLSPLAN_HPP
#define KONTRACT_INTERLEAVEDCELLSPLAN_HPP

#include <algorithm>
#include <cstdint>

#include "detail/problem/Kontract_Work.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// How blocks of a device share contractions of arrays in which cells are side by side.
struct InterleavedCellsPlan {
  static constexpr int row = 128, cells_of_lane = 2, most_warps = 8;
  int tile = 4;                         ///< left and right fields of a thread
  int left_tiles = 1, right_tiles = 1;  ///< pieces of a cell's fields
  int tile_lefts = 1, tile_rights = 1;  ///< fields of a piece
  int left_warps = 1, right_warps = 1;
  int tiles_of_warp = 1;  ///< along left fields
  int terms_each = 1, stages = 1;
  std::int64_t right_at = 0, stage_bytes = 0, bytes = 0, works = 0;

  int warps() const { return left_warps * right_warps; }
};

inline InterleavedCellsPlan interleavedCellsPlan(const Work& work, const Machine& machine) {
  constexpr int least_stages = 2, wanted_stages = 3, most_stages = 6;
  const auto& [cells, lefts, rights] = work.box.extents;
  const int cells_each = InterleavedCellsPlan::row / work.scalar_bytes[0];
  const int tiles_of_warp = 32 * InterleavedCellsPlan::cells_of_lane / cells_each;
  const auto up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  InterleavedCellsPlan best;
  double least = 0;
  for (const int tile : {4, 5, 7, 8}) {
    if (tile > 4 && work.is_complex) continue;
    InterleavedCellsPlan plan;
    plan.tile = tile;
    plan.tiles_of_warp = tiles_of_warp;
    // Pieces of even size, so that the last one is not nearly empty.
    const std::int64_t most_rights = 4 * tile, most_lefts = std::int64_t(2) * tile * tiles_of_warp;
    plan.left_tiles = static_cast<int>(up(lefts, most_lefts));
    plan.right_tiles = static_cast<int>(up(rights, most_rights));
    plan.tile_lefts = static_cast<int>(up(lefts, plan.left_tiles));
    plan.tile_rights = static_cast<int>(up(rights, plan.right_tiles));
    plan.left_warps = static_cast<int>(up(plan.tile_lefts, tile * tiles_of_warp));
    plan.right_warps = static_cast<int>(up(plan.tile_rights, tile));
    const double sums =
        double(plan.left_tiles) * plan.right_tiles * plan.warps() * 32 * tile * tile;
    const double reads = sums / tile;  // of shared memory
    const double cost = sums + 4 * reads;
    if (plan.warps() <= InterleavedCellsPlan::most_warps && (least == 0 || cost < least)) {
      least = cost;
      best = plan;
    }
  }
  // Lanes of tiles beyond the last field read, and forget, as many rows more.
  const int rows_beyond = std::max(best.left_warps * tiles_of_warp * best.tile - best.tile_lefts,
                                   best.right_warps * best.tile - best.tile_rights);
  const std::int64_t beyond = std::int64_t(rows_beyond) * InterleavedCellsPlan::row,
                     barriers = 1024;
  // Blocks of a multiprocessor, whose warps registers allow for.
  const int blocks = std::min(InterleavedCellsPlan::most_warps / best.warps(), 4);
  const std::int64_t room = machine.block_shared_bytes / blocks - barriers - beyond;
  const std::int64_t term_bytes =
      std::int64_t(best.tile_lefts + best.tile_rights) * InterleavedCellsPlan::row;
  constexpr std::int64_t most_terms = 8;
  best.terms_each = static_cast<int>(std::clamp<std::int64_t>(
      std::min(work.terms, room / wanted_stages / term_bytes), 1, most_terms));
  best.right_at = std::int64_t(best.terms_each) * best.tile_lefts * InterleavedCellsPlan::row;
  best.stage_bytes = best.terms_each * term_bytes;
  best.stages = static_cast<int>(
      std::clamp<std::int64_t>(room / best.stage_bytes, least_stages, most_stages));
  best.bytes = best.stages * best.stage_bytes + beyond;
  best.works = up(cells, cells_each) * best.left_tiles * best.right_tiles;
  return best;
}

}  // namespace Impl
}  // namespace Kontract

#endif
