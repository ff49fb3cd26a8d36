// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_ChunkPlan.hpp"

#include <algorithm>

#include "Kontract_Error.hpp"

namespace Kontract {
namespace Impl {
namespace {

/// The most cells, up to some number, for which f(cells) is no more than a limit; 0 if there are
/// none. f does not decrease.
template <class F>
std::int64_t mostCells(std::int64_t cells, std::int64_t limit, const F& f) {
  std::int64_t least = 0, most = cells;
  while (least < most) {
    const std::int64_t middle = most - (most - least) / 2;
    if (f(middle) <= limit) {
      least = middle;
    } else {
      most = middle - 1;
    }
  }
  return least;
}

/// Cells that move at full speed: chunks long enough that the start of a copy and of a kernel do
/// not count, but many of them, because the first copy in and the last copy out hide behind
/// nothing. Copy engines also want rows that are not too short.
std::int64_t goodCells(const StreamedArray (&arrays)[3], std::int64_t all_cells) {
  constexpr std::int64_t least = 8 << 20, most = 64 << 20, good_row = 4096;
  const auto moved = [&](std::int64_t cells) {
    std::int64_t bytes = 0;
    for (const StreamedArray& array : arrays) {
      if (array.isMovedByChunks()) bytes += array.packed.elementBytes(cells);
    }
    return bytes;
  };
  std::int64_t cells = mostCells(all_cells, std::clamp(moved(all_cells) / 64, least, most), moved);
  for (const StreamedArray& array : arrays) {
    if (!array.isMovedByChunks()) continue;
    while (cells < all_cells && array.packed.rowBytes(cells) < good_row &&
           array.packed.rowBytes(2 * cells) > array.packed.rowBytes(cells)) {
      cells *= 2;
    }
  }
  return std::clamp<std::int64_t>(cells, 1, all_cells);
}

}  // namespace

std::int64_t ChunkPlan::instanceBytes(const StreamedArray (&arrays)[3], std::int64_t cells) {
  std::int64_t bytes = 0;
  for (const StreamedArray& array : arrays) {
    if (array.isMovedByChunks()) bytes += aligned(array.packed.bufferBytes(cells));
  }
  return bytes;
}

std::int64_t ChunkPlan::sharedBytes(const StreamedArray (&arrays)[3]) {
  std::int64_t bytes = 0;
  for (const StreamedArray& array : arrays) {
    if (array.isMovedOnce()) bytes += aligned(array.packed.bufferBytes(1));
  }
  return bytes;
}

bool ChunkPlan::halve() {
  const std::int64_t half = std::max<std::int64_t>(1, (cells + 1) / 2 / grain) * grain;
  if (half >= cells) return false;
  cells = half;
  return true;
}

ChunkPlan chunkPlanFor(const std::string& function, const StreamSettings& settings,
                       const StreamedArray (&arrays)[3], std::int64_t all_cells,
                       std::int64_t grain) {
  const auto require = [&](bool holds, const char* name, std::int64_t value,
                           const std::string& what) {
    if (!holds) refuse(function, std::string(name) + " is " + std::to_string(value) + what);
  };
  require(settings.memory_limit >= 0, "memory_limit", settings.memory_limit,
          " but must be a number of bytes, or 0");
  require(settings.cells_per_chunk >= 0, "cells_per_chunk", settings.cells_per_chunk,
          " but must be a number of cells, or 0");
  require(settings.instances >= 1, "instances", settings.instances, " but must be at least 1");
  bool moves = false;
  for (const StreamedArray& array : arrays) moves = moves || array.isMovedByChunks();

  ChunkPlan plan;
  plan.grain = std::min(grain, all_cells);
  const std::int64_t wanted = settings.cells_per_chunk > 0 ? settings.cells_per_chunk
                              : moves                      ? goodCells(arrays, all_cells)
                                                           : all_cells;
  plan.cells = std::min(all_cells, std::max<std::int64_t>(1, wanted / plan.grain) * plan.grain);
  if (wanted >= all_cells) plan.cells = all_cells;
  plan.instances = moves ? settings.instances : 1;
  if (settings.memory_limit == 0) return plan;

  // What a chunk takes of the limit: its buffers, or where nothing is moved, its arrays.
  const auto bytes = [&](std::int64_t cells) {
    if (moves) {
      return ChunkPlan::sharedBytes(arrays) +
             plan.instances * ChunkPlan::instanceBytes(arrays, cells);
    }
    std::int64_t sum = 0;
    for (const StreamedArray& array : arrays) {
      if (array.is_there) sum += array.packed.elementBytes(cells);
    }
    return sum;
  };
  const auto cells_within = [&] {
    const std::int64_t cells = mostCells(plan.cells, settings.memory_limit, bytes);
    return cells == all_cells ? cells : cells / plan.grain * plan.grain;
  };
  std::int64_t cells = cells_within();
  // Fewer instances overlap less, but anything is better than an error.
  while (cells == 0 && plan.instances > 1) {
    --plan.instances;
    cells = cells_within();
  }
  const std::string least =
      plan.grain == 1 ? "one cell" : "a chunk of " + std::to_string(plan.grain) + " cells";
  require(cells > 0, "memory_limit", settings.memory_limit,
          " bytes but " + least + " at a time needs " + std::to_string(bytes(plan.grain)));
  plan.cells = cells;
  return plan;
}

}  // namespace Impl
}  // namespace Kontract
