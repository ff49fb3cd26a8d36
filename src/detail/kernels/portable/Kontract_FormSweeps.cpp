// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FormSweeps.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {

namespace {

std::int64_t scratchBytesOf(const SweepNumbers& numbers, std::int64_t cells, int number_bytes) {
  const std::int64_t of_cell =
      std::int64_t(numbers.buffers[0]) + numbers.buffers[1] + numbers.fluxes;
  return scratchBytes(2 * std::int64_t(numbers.tables) + cells * of_cell, number_bytes);
}

}  // namespace

SweepPlan sweepPlan(const SweepNumbers& numbers, int number_bytes, const LaunchSettings& launch,
                    const Machine& machine) {
  SweepPlan plan;
  plan.numbers = numbers;
  constexpr std::int64_t reserve = 256;
  // Enough points that each thread of a team has some, and that neighbours are neighbouring cells
  // where these lie side by side in memory.
  constexpr int points_of_team = 512, many_points = 600, most_cells = 32;
  // Threads without work cost as much as others: a phase has fewer instructions than its frame.
  const int threads_of_device = numbers.points > many_points ? 128 : 64;
  const auto fits = [&](std::int64_t cells, int level) {
    return scratchBytesOf(numbers, cells, number_bytes) + reserve <= machine.scratch_bytes[level];
  };
  const bool is_given = launch.cells_per_team > 0;
  if (is_given) plan.cells = launch.cells_per_team;
  const int level = fits(plan.cells, 0) ? 0 : 1;
  plan.fits = fits(plan.cells, level);
  if (!plan.fits) return plan;
  while (!is_given && 2 * plan.cells <= most_cells &&
         plan.cells * numbers.points < points_of_team && fits(2 * plan.cells, level)) {
    plan.cells *= 2;
  }
  plan.by_cells = FastDivisor(plan.cells);
  plan.teams.pieces = (numbers.cells + plan.cells - 1) / plan.cells;
  plan.teams.threads = launch.team_size > 0 ? launch.team_size
                       : machine.is_host    ? 1
                                            : threads_of_device;
  plan.teams.scratch_level = level;
  plan.teams.scratch_bytes = scratchBytesOf(numbers, plan.cells, number_bytes);
  return plan;
}

}  // namespace Impl
}  // namespace Kontract
