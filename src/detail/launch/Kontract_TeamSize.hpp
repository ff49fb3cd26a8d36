// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEAMSIZE_HPP
#define KONTRACT_TEAMSIZE_HPP

#include <algorithm>
#include <string>

#include "Kontract_Estimate.hpp"
#include "Kontract_LaunchSettings.hpp"
#include "detail/kernels/portable/Kontract_Workers.hpp"

namespace Kontract {
namespace Impl {

/// Threads of a team, and the vector length of each.
struct TeamSize {
  int threads = 1, vector_length = 1;
  int workers() const { return threads * vector_length; }
};

/// The team that was asked for. What was left open becomes, on a device, as many threads as are of
/// use, up to a block that leaves room for several of them on a multiprocessor; on a host, one
/// thread where there are teams for every core, else cores are shared among the teams there are.
inline TeamSize teamSizeFor(const Machine& machine, const LaunchSettings& launch,
                            std::int64_t teams, std::int64_t useful_workers) {
  constexpr std::int64_t ordinary_block = 128;
  const std::int64_t warp = std::max(1, machine.vector_length_max);  // lanes that go together
  TeamSize size;
  size.vector_length = launch.vector_length == 0 ? 1 : launch.vector_length;
  if (launch.team_size != 0) {
    size.threads = launch.team_size;
  } else if (machine.is_host) {
    const std::int64_t spare = machine.concurrency / std::max<std::int64_t>(1, teams);
    size.threads = static_cast<int>(
        std::clamp<std::int64_t>(std::min(spare, useful_workers), 1, machine.team_size_max));
  } else {
    const std::int64_t whole_warps = (useful_workers + warp - 1) / warp * warp;
    const std::int64_t most = std::min<std::int64_t>(ordinary_block, machine.team_size_max);
    size.threads = static_cast<int>(std::max<std::int64_t>(
        1, std::clamp<std::int64_t>(whole_warps, 1, most) / size.vector_length));
  }
  return size;
}

/// Why there are no kernels with such launch bounds; empty if there are.
inline std::string whyNotBounds(const Machine& machine, const LaunchSettings& launch) {
  if (!launch.givesBounds()) return {};
  const std::string given = "Max Threads = " + std::to_string(launch.max_threads) +
                            " with Min Blocks = " + std::to_string(launch.min_blocks);
  if (machine.is_host) return given + " does not fit: launch bounds are for devices";
  const int place = launchBoundOf(launch);
  if (place < launch_bound_count) {
    const int most = launch_bounds[place].threads / std::max(1, launch.vector_length);
    if (launch.team_size <= most) return {};
    return "Team Size = " + std::to_string(launch.team_size) + " does not fit: at most " +
           std::to_string(most) + " with these launch bounds";
  }
  std::string offered;
  for (const LaunchBound& bound : launch_bounds) {
    offered += (offered.empty() ? "" : ", ") + std::to_string(bound.threads) + " with " +
               std::to_string(bound.blocks);
  }
  return given + " is not offered: " + offered + " are";
}

/// Why there are no such teams on a machine; empty if there are.
inline std::string whyNotTeams(const Machine& machine, const LaunchSettings& launch) {
  const auto given = [](const char* name, int value) {
    return std::string(name) + " = " + std::to_string(value) + " does not fit: ";
  };
  const int length = std::max(1, launch.vector_length);
  if (length > machine.vector_length_max) {
    return given("Vector Length", length) + "at most " + std::to_string(machine.vector_length_max);
  }
  if (!machine.is_host && (length & (length - 1)) != 0) {
    return given("Vector Length", length) + "a power of two up to " +
           std::to_string(machine.vector_length_max);
  }
  const int most = machine.is_host ? machine.team_size_max : machine.team_size_max / length;
  if (launch.team_size > most) {
    return given("Team Size", launch.team_size) + "at most " + std::to_string(most) +
           (machine.is_host ? "" : " with that Vector Length");
  }
  return whyNotBounds(machine, launch);
}

/// Whether scratch memory holds that many bytes. Some are kept to align it.
inline bool fitsScratch(const Machine& machine, int level, std::int64_t bytes) {
  return bytes + 16 <= machine.scratch_bytes[level];
}

/// Bytes of a sum: those of its scalar, or of the widest one where types are mixed.
inline int accumulatorBytes(const Work& work) {
  const auto& [out, left, right] = work.scalar_bytes;
  return out == left && out == right ? out : 16;
}

/// Workers that share an output: as many as leave each a few terms, all of a team at most.
inline int groupFor(const TeamSize& team, std::int64_t terms, std::int64_t terms_each) {
  std::int64_t group = 1;
  while (group < team.workers() && group * 2 * terms_each <= terms) group *= 2;
  return static_cast<int>(std::min<std::int64_t>(group, team.workers()));
}

/// Why a team cannot keep a partial sum for each worker; empty if it can.
inline std::string whyNotPartialSums(const Machine& machine, const TeamSize& team, int sum_bytes) {
  if (fitsScratch(machine, 0, scratchBytes(team.workers(), sum_bytes))) return {};
  return "the partial sums of teams of " + std::to_string(team.threads) + " x " +
         std::to_string(team.vector_length) +
         " do not fit: Team Size times Vector Length can be at most " +
         std::to_string((machine.scratch_bytes[0] - 16) / sum_bytes);
}

/// A block of about so many outputs that are neighbours in memory.
inline Box neighbours(const Box& box, bool cell_fastest, std::int64_t outputs) {
  Box block;
  for (int i = 0; i < 3; ++i) {
    const int index = cell_fastest ? i : 2 - i;
    block.extents[index] = std::min(box.extents[index], std::max<std::int64_t>(1, outputs));
    outputs /= block.extents[index];
  }
  return block;
}

/// Seconds that secondsOnTeams() is never below, in a moment: for the smallest calls it matters how
/// long a choice takes.
inline double leastSecondsOnTeams(const Work& work, const Machine& machine) {
  const double one_start = machine.is_host ? 1e-8 : 0;
  return machine.launch_seconds + one_start / machine.concurrency +
         std::max(work.flops / (machine.concurrency * machine.flops_per_second),
                  work.bytes / machine.bytes_per_second);
}

/// Expected seconds of work that keeps `busy` threads busy, with some of their own for each piece.
inline double secondsOnTeams(const Work& work, const Machine& machine, double busy, double pieces,
                             double seconds_each) {
  busy = std::clamp<double>(busy, 1, machine.concurrency);
  const double share = machine.is_host && busy < 2 && machine.concurrency > 1 ? 0.5 : 1.0;
  const double threads_at_full_bandwidth = machine.is_host ? busy : machine.concurrency / 8.0;
  const double bandwidth =
      machine.bytes_per_second * share * std::min(1.0, busy / threads_at_full_bandwidth);
  return machine.launch_seconds + pieces * seconds_each / busy +
         std::max(work.flops / (busy * machine.flops_per_second), work.bytes / bandwidth);
}

}  // namespace Impl
}  // namespace Kontract

#endif
