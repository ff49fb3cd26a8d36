// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_ColumnPlan.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {
namespace {

std::int64_t scratchBytesOf(const ColumnLayout& layout, std::int64_t cells, int number_bytes) {
  const std::int64_t functions = std::int64_t(layout.sizes.sides) * layout.functionsOfSide();
  return scratchBytes(2 * functions + cells * layout.ofCell(), number_bytes);
}

}  // namespace

std::int64_t manyTeams(const Machine& machine) {
  constexpr int teams_of_multiprocessor = 32;
  return teams_of_multiprocessor * std::int64_t(std::max(1, machine.multiprocessors));
}

std::int64_t piecesOf(std::int64_t batches, std::int64_t many_teams) {
  constexpr std::int64_t most_batches = 64;
  const std::int64_t each = std::clamp<std::int64_t>(batches / many_teams, 1, most_batches);
  return (batches + each - 1) / each;
}

Teams ColumnPlan::teamsOf(std::int64_t form_cells) const {
  Teams of_cells = teams;
  of_cells.pieces = piecesOf((form_cells + cells - 1) / cells, many_teams);
  return of_cells;
}

ColumnPlan columnPlan(const ColumnSizes& sizes, int number_bytes, const LaunchSettings& launch,
                      const Machine& machine) {
  ColumnPlan plan;
  plan.layout.sizes = sizes;
  if (machine.is_host || sizes.functions == 0 || sizes.functions > max_column_functions ||
      sizes.is_coupled) {
    return plan;
  }
  constexpr std::int64_t reserve = 16;  // to align it
  // Columns take most of the registers that a thread can have, so teams are small, and a thread has
  // two columns one after the other. With several cells neighbours read neighbouring cells.
  constexpr int columns_of_team = 160, most_cells = 16, warp = 32;
  const int columns = std::max(1, plan.layout.columns());
  const auto fits = [&](std::int64_t cells) {
    return scratchBytesOf(plan.layout, cells, number_bytes) + reserve <= machine.scratch_bytes[0];
  };
  const bool is_given = launch.cells_per_team > 0;
  if (is_given) plan.cells = launch.cells_per_team;
  plan.fits = fits(plan.cells);
  if (!plan.fits) return plan;
  while (!is_given && 2 * plan.cells <= most_cells && 2 * plan.cells * columns <= columns_of_team &&
         fits(2 * plan.cells)) {
    plan.cells *= 2;
  }
  const auto rounded = [&](int threads) { return (columns + threads - 1) / threads * threads; };
  const int useful = plan.cells == 1 && rounded(warp) < rounded(2 * warp) ? warp : 2 * warp;
  plan.teams.threads = launch.team_size > 0 ? launch.team_size : useful;
  plan.teams.scratch_bytes = scratchBytesOf(plan.layout, plan.cells, number_bytes);
  plan.many_teams = manyTeams(machine);
  return plan;
}

double secondsOfColumns(const Work& work, const Machine& machine, double of_copying,
                        double flops_per_second, double of_node) {
  constexpr double start = 2e-6, multiprocessors_of_h100 = 132;  // as measured
  const FormShape& s = work.form.shape;
  const double points =
      double(s.cells) * double(s.points) * s.term_count * s.left_blocks * double(s.vectors);
  const double computing =
      std::max(work.form.sizes.flops / flops_per_second, of_node * double(s.nodes) * points);
  return machine.launch_seconds + start +
         std::max(work.bytes / (of_copying * machine.bytes_per_second),
                  computing * multiprocessors_of_h100 / std::max(1, machine.multiprocessors));
}

}  // namespace Impl
}  // namespace Kontract
