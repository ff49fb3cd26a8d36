// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_ChunkPlan.hpp"

#include <algorithm>
#include <limits>

#include "detail/support/Kontract_Error.hpp"

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

/// Bytes of the shortest rows in which chunks of so many cells are copied; a chunk that is one run
/// of memory does not count.
std::int64_t shortestRow(const StreamedArray (&arrays)[3], std::int64_t cells) {
  std::int64_t bytes = std::numeric_limits<std::int64_t>::max();
  for (const StreamedArray& array : arrays) {
    const PackedArray& packed = array.packed;
    const bool is_one_run = packed.rowBytes(2) == packed.elementBytes(2);
    if (array.isMovedByChunks() && !is_one_run) bytes = std::min(bytes, packed.rowBytes(cells));
  }
  return bytes;
}

/// Cells that move at full speed: chunks long enough that the start of a copy and of a kernel do
/// not count, but many of them, because the first copy in and the last copy out hide behind
/// nothing. Where cells are neighbours in memory, a chunk is a set of rows, which want to be long
/// as well; where that would take too much memory, short ones will do for a kernel that copies.
/// \param limit  bytes of a chunk
std::int64_t goodCells(const StreamedArray (&arrays)[3], std::int64_t all_cells,
                       std::int64_t limit) {
  constexpr std::int64_t least = 8 << 20, most = 64 << 20, least_chunks = 24;
  constexpr std::int64_t enough_for_kernel = 2048, long_row = 64 << 10;
  const auto moved = [&](std::int64_t cells) {
    std::int64_t bytes = 0;
    for (const StreamedArray& array : arrays) {
      if (array.isMovedByChunks()) bytes += array.packed.elementBytes(cells);
    }
    return bytes;
  };
  const auto with_rows = [&](std::int64_t bytes, std::int64_t most_cells) {
    const std::int64_t each = shortestRow(arrays, 2) - shortestRow(arrays, 1);
    return std::min(most_cells, each > 0 ? bytes / each : 1);
  };
  const std::int64_t ordinary =
      mostCells(all_cells, std::clamp(moved(all_cells) / 64, least, most), moved);
  const std::int64_t large = std::min(all_cells / least_chunks, mostCells(all_cells, limit, moved));
  const std::int64_t cells = with_rows(long_row, large);
  const bool are_long = shortestRow(arrays, cells) >= StreamedArray::short_row;
  return std::clamp<std::int64_t>(
      std::max(ordinary, are_long ? cells : with_rows(enough_for_kernel, all_cells)), 1, all_cells);
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
  const std::int64_t half =
      std::max<std::int64_t>(1, (cells + 1) / 2 / cell_granularity) * cell_granularity;
  if (half >= cells) return false;
  cells = half;
  return true;
}

namespace {

void requireSetting(const std::string& function, bool holds, const char* name, std::int64_t value,
                    const std::string& what) {
  if (!holds) refuse(function, std::string(name) + " is " + std::to_string(value) + what);
}

void requireSettings(const std::string& function, const StreamSettings& settings) {
  requireSetting(function, settings.memory_limit >= 0, "memory_limit", settings.memory_limit,
                 " but must be a number of bytes, or 0");
  requireSetting(function, settings.cells_per_chunk >= 0, "cells_per_chunk",
                 settings.cells_per_chunk, " but must be a number of cells, or 0");
  requireSetting(function, settings.instances >= 1, "instances", settings.instances,
                 " but must be at least 1");
}

/// The plan without a limit of memory.
/// \param moves  there are arrays that are moved by chunks
ChunkPlan wantedPlan(const StreamSettings& settings, const StreamedArray (&arrays)[3],
                     std::int64_t all_cells, std::int64_t cell_granularity, bool moves) {
  const std::int64_t large_chunk =
      settings.memory_limit > 0 ? settings.memory_limit / settings.instances : 512 << 20;
  ChunkPlan plan;
  plan.all_cells = all_cells;
  plan.cell_granularity = std::min(cell_granularity, all_cells);
  const std::int64_t wanted = settings.cells_per_chunk > 0 ? settings.cells_per_chunk
                              : moves ? goodCells(arrays, all_cells, large_chunk)
                                      : all_cells;
  plan.cells = std::min(
      all_cells, std::max<std::int64_t>(1, wanted / plan.cell_granularity) * plan.cell_granularity);
  if (wanted >= all_cells) plan.cells = all_cells;
  plan.most_instances =
      moves ? static_cast<int>(std::min<std::int64_t>(settings.instances, all_cells)) : 1;
  return plan;
}

/// What a chunk takes of the limit: its buffers, or where nothing is moved, its arrays.
std::int64_t limitedBytes(const ChunkPlan& plan, const StreamedArray (&arrays)[3],
                          std::int64_t cells, bool moves) {
  if (moves) {
    return ChunkPlan::sharedBytes(arrays) +
           plan.most_instances * ChunkPlan::instanceBytes(arrays, cells);
  }
  std::int64_t sum = 0;
  for (const StreamedArray& array : arrays) {
    if (array.is_there) sum += array.packed.elementBytes(cells);
  }
  return sum;
}

}  // namespace

ChunkPlan chunkPlanFor(const std::string& function, const StreamSettings& settings,
                       const StreamedArray (&arrays)[3], std::int64_t all_cells,
                       std::int64_t cell_granularity) {
  requireSettings(function, settings);
  const bool moves = movesByChunks(arrays);
  ChunkPlan plan = wantedPlan(settings, arrays, all_cells, cell_granularity, moves);
  if (settings.memory_limit == 0) return plan;
  const bool fits_in_one_chunk =
      moves && plan.chunks() == 1 && plan.bytes(arrays) <= settings.memory_limit;
  if (fits_in_one_chunk) return plan;

  const auto bytes = [&](std::int64_t cells) { return limitedBytes(plan, arrays, cells, moves); };
  const auto cells_within = [&] {
    const std::int64_t cells = mostCells(plan.cells, settings.memory_limit, bytes);
    return cells == all_cells ? cells : cells / plan.cell_granularity * plan.cell_granularity;
  };
  std::int64_t cells = cells_within();
  // Fewer instances overlap less, but anything is better than an error.
  while (cells == 0 && plan.most_instances > 1) {
    --plan.most_instances;
    cells = cells_within();
  }
  const std::string least = plan.cell_granularity == 1
                                ? "one cell"
                                : "a chunk of " + std::to_string(plan.cell_granularity) + " cells";
  requireSetting(
      function, cells > 0, "memory_limit", settings.memory_limit,
      " bytes but " + least + " at a time needs " + std::to_string(bytes(plan.cell_granularity)));
  plan.cells = cells;
  return plan;
}

}  // namespace Impl
}  // namespace Kontract
