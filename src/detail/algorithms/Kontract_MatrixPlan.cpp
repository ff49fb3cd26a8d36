// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_MatrixPlan.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {
namespace {

constexpr int warp = 32;

/// Threads of a team that computes all tiles of its cells at a time.
std::int64_t tilesOf(const MatrixPlan& plan) {
  return std::int64_t(plan.layout.tiles()) * plan.layout.columns * plan.cells;
}

std::int64_t scratchBytesOf(const MatrixPlan& plan, int number_bytes) {
  const MatrixLayout& layout = plan.layout;
  const std::int64_t of_cell = layout.ofPoints() + layout.ofColumns() + layout.ofNodes();
  const std::int64_t functions = std::int64_t(layout.sizes.sides) * layout.functionsOfSide();
  const std::int64_t numbers = 2 * functions + plan.cells * of_cell;
  return scratchBytes(numbers, number_bytes) +
         scratchBytes(layout.startsOf(plan.cells), static_cast<std::int64_t>(sizeof(std::int64_t)));
}

}  // namespace

MatrixPlan matrixPlan(const FormWork& form, int number_bytes, const LaunchSettings& launch,
                      const Machine& machine) {
  MatrixPlan plan;
  const ColumnSizes& sizes = form.columns;
  if (machine.is_host || sizes.functions == 0 || form.shape.kind != FormKind::Matrices) return plan;
  MatrixLayout& layout = plan.layout;
  layout.sizes = sizes;
  layout.numbers = sizes.point_numbers;
  if (form.shape.is_scattered && !form.shape.has_operators) {
    layout.starts = static_cast<int>(form.shape.lefts) * form.shape.left_blocks;
  }
  // Rows of two functions are shorter than what memory moves at a time.
  constexpr int fewest_staged = 3, most_cells = 16;
  constexpr std::int64_t reserve = 16;  // to align it
  const std::int64_t most_threads = launch.team_size > 0 ? launch.team_size : max_matrix_threads;
  const auto fits = [&] {
    return scratchBytesOf(plan, number_bytes) + reserve <= machine.scratch_bytes[0];
  };
  if (launch.cells_per_team > 0) plan.cells = launch.cells_per_team;
  // Each takes more than a byte; numbers of more cells may be beyond an int.
  if (plan.cells > machine.scratch_bytes[0]) return plan;
  for (const bool is_staged : {true, false}) {
    if (is_staged && sizes.functions < fewest_staged) continue;
    layout.is_staged = is_staged;
    for (layout.columns = sizes.functions; layout.columns > 0 && !plan.fits;) {
      plan.fits = fits() && (!is_staged || tilesOf(plan) <= most_threads);
      if (!plan.fits) --layout.columns;
    }
    if (plan.fits) break;
  }
  if (!plan.fits) return plan;
  while (launch.cells_per_team == 0 && plan.cells < most_cells &&
         2 * tilesOf(plan) <= most_threads) {
    plan.cells *= 2;
    if (fits()) continue;
    plan.cells /= 2;
    break;
  }
  const std::int64_t useful = std::min(most_threads, tilesOf(plan));
  plan.teams.threads =
      launch.team_size > 0 ? launch.team_size : static_cast<int>((useful + warp - 1) / warp * warp);
  plan.many_teams = manyTeams(machine);
  plan.teams.scratch_bytes = scratchBytesOf(plan, number_bytes);
  return plan;
}

}  // namespace Impl
}  // namespace Kontract
