// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FactorizationPlan.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {
namespace {

/// The most threads of a team on devices: so many have registers for whatever kernel there is, of
/// which each thread has 255 at most. More may be refused, but by a launch alone, when an output
/// that cells share has been cleared, or other terms of the form have added to it.
constexpr int max_device_threads = 256;

std::int64_t scratchBytesOf(const FactorizationSizes& sizes, std::int64_t cells, int number_bytes) {
  const std::int64_t of_cell = std::int64_t(sizes.buffers[0]) + sizes.buffers[1] + sizes.values + sizes.fluxes;
  return scratchBytes(2 * std::int64_t(sizes.tables) + cells * of_cell, number_bytes);
}

}  // namespace

FactorizationPlan factorizationPlan(const FactorizationSizes& sizes, int number_bytes,
                                    const LaunchSettings& launch, const Machine& machine) {
  FactorizationPlan plan;
  constexpr std::int64_t reserve = 256;
  // Enough points that each thread of a team has some, and that neighbours are neighbouring cells
  // where these lie side by side in memory.
  constexpr int points_of_team = 512, many_points = 600, most_cells = 32;
  // Threads without work cost as much as others: a phase has fewer instructions than its frame.
  const int threads_of_device = sizes.points > many_points ? 128 : 64;
  const auto fits = [&](std::int64_t cells, int level) {
    return scratchBytesOf(sizes, cells, number_bytes) + reserve <= machine.scratch_bytes[level];
  };
  const bool is_given = launch.cells_per_team > 0;
  if (is_given) plan.cells = launch.cells_per_team;
  const int level = fits(plan.cells, 0) ? 0 : 1;
  plan.fits = fits(plan.cells, level);
  if (!plan.fits) return plan;
  while (!is_given && 2 * plan.cells <= most_cells && plan.cells * sizes.points < points_of_team &&
         fits(2 * plan.cells, level)) {
    plan.cells *= 2;
  }
  plan.by_cells = FastDivisor(plan.cells);
  plan.teams.pieces = (sizes.cells + plan.cells - 1) / plan.cells;
  plan.teams.threads = launch.team_size > 0 ? launch.team_size
                       : machine.is_host    ? 1
                                            : threads_of_device;
  plan.teams.scratch_level = level;
  plan.teams.scratch_bytes = scratchBytesOf(sizes, plan.cells, number_bytes);
  return plan;
}

std::string whyNotPlan(const FactorizationPlan& plan, const Machine& machine) {
  if (!plan.fits) return whyNoScratch(plan.cells);
  return whyNotTeamSize(plan.teams.threads,
                        machine.is_host ? machine.team_size_max : max_device_threads);
}

std::string whyNoScratch(int cells) {
  return "teams of " + std::to_string(cells) + (cells == 1 ? " cell" : " cells") +
         " do not fit: no scratch memory holds what they sum";
}

std::string whyNotTeamSize(int threads, int most) {
  if (threads <= most) return {};
  return "Team Size is " + std::to_string(threads) + " but can be at most " + std::to_string(most);
}

}  // namespace Impl
}  // namespace Kontract
