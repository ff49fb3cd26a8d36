// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_TensorColumnPlan.hpp"

#include <algorithm>

#include "Kontract_ColumnPlan.hpp"

namespace Kontract {
namespace Impl {
namespace {

int stepsOf(int numbers) { return (numbers + 3) / 4; }

bool mayBeTrilinear(const ColumnSizes& columns) { return columns.nodes == TrilinearCells::nodes; }

TensorColumnSteps stepsOf(const TensorColumnSizes& sizes) {
  const int points = std::max({sizes.points[0], sizes.points[1], sizes.points[2]});
  TensorColumnSteps steps{stepsOf(sizes.functions), stepsOf(points)};
  // Fewer points than functions are padded, and few functions at many points.
  steps.points = std::max(steps.points, steps.functions);
  steps.functions = std::max(steps.functions, steps.points - 1);
  return steps;
}

std::int64_t sharedBytesOf(const TensorColumnPlan& plan, const ColumnSizes& columns, bool is_load,
                           int number_bytes) {
  constexpr int D = 3, lanes = 32;
  const TensorColumnSizes& sizes = plan.sizes;
  const TensorColumnSteps& steps = plan.steps;
  const int to_points = steps.functions * ((steps.points + 1) / 2);
  const int to_functions = steps.points * ((steps.functions + 1) / 2);
  const int tables_of_direction = columns.has_families ? 3
                                  : columns.is_coupled ? 2
                                                       : columns.first_arrays;
  const std::int64_t tables =
      std::int64_t(D) * lanes * tables_of_direction * (to_functions + (is_load ? 0 : to_points));
  const int functions = sizes.functions, first = sizes.points[0];
  const ColumnArray one = ColumnArray::one(sizes.first_arrays, functions, first),
                    two = ColumnArray::two(sizes.second_arrays, functions, first, sizes.points[1]);
  const std::int64_t of_cell = one.cell + two.cell;
  return 8 * (tables + sizes.rowNumbers() + sizes.starts() + of_cell * sizes.cells) +
         std::int64_t(number_bytes) * sizes.nodeNumbers();
}

/// What a block can have, and rows can tell places in.
std::int64_t mostBytes(const Machine& machine) {
  constexpr std::int64_t of_rows = 8 * ColumnRow::most_places;
  return std::min(machine.block_shared_bytes, of_rows);
}

/// How many blocks a multiprocessor has shared memory for; what it keeps of each for itself counts.
int blocksOf(std::int64_t shared_bytes, const Machine& machine) {
  constexpr std::int64_t kept = 1024;
  return static_cast<int>((machine.block_shared_bytes + kept) / (shared_bytes + kept));
}

/// What part of so many warps has a tile, on average over the directions; the last one takes twice
/// as long as others.
double busyPart(const TensorColumnSizes& sizes, int warps) {
  const int N = sizes.functions, first = sizes.points[0], last = first * sizes.points[1];
  const auto part = [&](int rows) {
    const int tiles = std::max(1, (rows * sizes.cells + 15) / 16);
    return double(tiles) / ((tiles + warps - 1) / warps * warps);
  };
  const int families = sizes.families;
  return (part(families * N * N) + part(families * N * first) + 2 * part(last)) / 4;
}

/// Warps of a block, so that as many as have registers are there and are busy.
/// \param is_read_whole  neighbours in memory are cells, many of which are read for each number:
///                       where one block or two have room, they share all registers
/// \param batches        of cells; few of them are fewer blocks
int warpsOf(const TensorColumnPlan& plan, bool has_families, bool is_read_whole,
            std::int64_t batches, const Machine& machine) {
  constexpr int warp = 32, fewest = 2, few_blocks = 2;
  const int most =
      TensorColumnSteps::mostThreads(plan.steps.functions, has_families, plan.sizes.second_arrays) /
      warp;
  const std::int64_t of_batches =
      (batches + machine.multiprocessors - 1) / std::max(1, machine.multiprocessors);
  const int blocks = static_cast<int>(std::clamp<std::int64_t>(
      std::min<std::int64_t>(blocksOf(plan.shared_bytes, machine), of_batches), 1, most));
  if (is_read_whole && blocks <= few_blocks) return most / blocks;
  int best = fewest;
  double most_busy = 0;
  for (int warps = fewest; warps <= most; ++warps) {
    const double busy = std::min(blocks, most / warps) * warps * busyPart(plan.sizes, warps);
    if (busy > most_busy) best = warps, most_busy = busy;
  }
  return best;
}

}  // namespace

TensorColumnPlan tensorColumnPlan(const ColumnSizes& columns, bool is_load, std::int64_t form_cells,
                                  int number_bytes, bool cells_first, const Machine& machine) {
  TensorColumnPlan plan;
  TensorColumnSizes& sizes = plan.sizes;
  if (columns.functions == 0 || columns.dimension != 3) return plan;
  sizes.functions = columns.functions;
  std::copy(columns.points, columns.points + 3, sizes.points);
  sizes.first_arrays = columns.has_families ? columns.second_arrays : columns.first_arrays;
  sizes.second_arrays = columns.second_arrays;
  sizes.families = columns.families;
  if (columns.has_families) {
    sizes.row_families = columns.families;
    sizes.sides = is_load ? 1 : 2;
  }
  sizes.nodes = columns.nodes;
  sizes.cells_first = cells_first;
  plan.steps = stepsOf(sizes);
  if (plan.steps.functions > TensorColumnSteps::most_functions ||
      plan.steps.points > TensorColumnSteps::most_functions + 1) {
    return plan;
  }
  // Few cells leave room for more blocks, which hide what each waits for; where neighbours in
  // memory are cells, many are read whole. Of trilinear cells little is read.
  const bool is_read_whole = cells_first && !mayBeTrilinear(columns);
  const int useful_columns = mayBeTrilinear(columns)    ? 170
                             : is_read_whole            ? 400
                             : plan.steps.functions > 2 ? 110
                                                        : 80;
  constexpr int most_cells = ColumnRow::most_cells, warp = 32;
  const int of_cell = std::max(1, sizes.points[0] * sizes.points[1]);
  const auto setCells = [&](int cells) {
    sizes.cells = cells;
    plan.shared_bytes = sharedBytesOf(plan, columns, is_load, number_bytes);
    plan.fits = plan.shared_bytes <= mostBytes(machine);
  };
  const auto areFew = [&](int cells) { return form_cells / cells < machine.multiprocessors; };
  for (int cells = most_cells; cells >= 1; cells /= 2) {
    if (cells > 1 && (areFew(cells) || cells / 2 * of_cell >= useful_columns)) continue;
    setCells(cells);
    if (plan.fits) break;
  }
  // Of curls and coupled components several blocks of half the cells are faster than one that is
  // alone on its multiprocessor; others get what it leaves of the memory.
  const int cells = sizes.cells;
  const auto isAlone = [&] { return plan.fits && blocksOf(plan.shared_bytes, machine) == 1; };
  const auto tryCells = [&](int others, int fewest_blocks) {
    setCells(others);
    if (!plan.fits || blocksOf(plan.shared_bytes, machine) < fewest_blocks) setCells(cells);
  };
  constexpr int few_paths = 3, several = 3;
  const bool may_be_halved =
      sizes.second_arrays > few_paths && !cells_first && !mayBeTrilinear(columns);
  if (isAlone() && cells > 1 && may_be_halved) tryCells(cells / 2, several);
  if (isAlone() && 2 * cells <= most_cells && !areFew(2 * cells)) tryCells(2 * cells, 1);
  sizes.threads = warp * warpsOf(plan, columns.has_families || columns.is_coupled, is_read_whole,
                                 (form_cells + sizes.cells - 1) / sizes.cells, machine);
  return plan;
}

TensorColumnPlan tensorColumnPlan(const Work& work, const Machine& machine) {
  const FormShape& s = work.form.shape;
  return tensorColumnPlan(work.form.columns, s.kind == FormKind::Vectors, s.cells,
                          work.scalar_bytes[0], work.cell_fastest, machine);
}

bool hasTensorColumns(const Work& work, const Machine& machine) {
  const FormKind kind = work.form.shape.kind;
  return (kind == FormKind::Products || kind == FormKind::Vectors) &&
         tensorColumnPlan(work, machine).fits;
}

double secondsOfTensorColumns(const Work& work, const Machine& machine) {
  // As measured on an H100; half of that where instructions are half as fast. Other devices have
  // them for completeness.
  constexpr double of_copying = 0.7, rate = 7e12, rate_of_8 = 3.5e12, rate_of_others = 1e11,
                   of_node = 5.6e-12, of_trilinear_node = 3.5e-12;
  const int capability = machine.compute_capability;
  return secondsOfColumns(work, machine, of_copying,
                          capability >= 90   ? rate
                          : capability == 80 ? rate_of_8
                                             : rate_of_others,
                          mayBeTrilinear(work.form.columns) ? of_trilinear_node : of_node);
}

}  // namespace Impl
}  // namespace Kontract
