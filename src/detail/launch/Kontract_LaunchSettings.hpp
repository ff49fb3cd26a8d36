// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_LAUNCHSETTINGS_HPP
#define KONTRACT_LAUNCHSETTINGS_HPP

#include <vector>

#include "detail/support/Kontract_Setting.hpp"

namespace Kontract {
namespace Impl {

/// How teams and blocks are sized, and how cells add to what they share; 0 and Auto leave the
/// choice to the algorithm.
struct LaunchSettings {
  int team_size = 0, vector_length = 0, cells_per_team = 0, max_threads = 0, min_blocks = 0;
  static constexpr const char* scatter_ways[] = {"Auto", "Atomic", "Colored"};
  Word scatter{scatter_ways};  ///< in the order of ScatterWay

  /// Which of them an algorithm honours, in the order of visit(): bits of its launch_knobs.
  enum Knob : unsigned {
    none = 0,
    team_size_knob = 1,
    vector_length_knob = 2,
    cells_per_team_knob = 4,
    max_threads_knob = 8,
    min_blocks_knob = 16,
    bound_knobs = max_threads_knob | min_blocks_knob,
    scatter_knob = 32
  };

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor("Team Size", team_size, "threads per team (0 = choose)");
    visitor("Vector Length", vector_length, "lanes per thread (0 = choose)");
    visitor("Cells Per Team", cells_per_team, "cells that a team works on (0 = choose)");
    visitor("Max Threads", max_threads,
            "launch bound on devices: threads per block, 128 or 256 (0 = choose)");
    visitor("Min Blocks", min_blocks,
            "launch bound on devices: blocks per multiprocessor, 6 or 8 of 128 threads, 2 of 256 "
            "(0 = choose)");
    visitor("Scatter", scatter,
            "of outputs that cells share: Atomic adds in any order; Colored computes cells that "
            "share nothing at the same time, and gives the same bits with any number of threads "
            "(Auto: Colored on several threads of a host, Atomic on devices)");
  }

  bool givesBounds() const { return max_threads != 0 || min_blocks != 0; }
};

/// What a compiler is promised of a launch, so that it knows how many registers a thread may have.
struct LaunchBound {
  int threads, blocks;  ///< of a block, at most; of a multiprocessor, at least
};

/// The launch bounds that kernels of teams are compiled with, besides none.
inline constexpr LaunchBound launch_bounds[] = {{128, 6}, {128, 8}, {256, 2}};
inline constexpr int launch_bound_count = sizeof launch_bounds / sizeof *launch_bounds;

/// Which launch bounds are asked for: the first that fit what is given.
/// \return their place, or launch_bound_count if there are none
inline int launchBoundOf(const LaunchSettings& settings) {
  const auto agrees = [](int given, int bound) { return given == 0 || given == bound; };
  int place = 0;
  while (place < launch_bound_count &&
         !(agrees(settings.max_threads, launch_bounds[place].threads) &&
           agrees(settings.min_blocks, launch_bounds[place].blocks))) {
    ++place;
  }
  return place;
}

/// Settings of algorithms that have none.
struct NoSettings {
  template <class Visitor>
  void visit(Visitor&&) {}
};

/// All that an algorithm is told about how to run.
template <class Settings>
struct Plan {
  Settings settings;
  LaunchSettings launch;
};

/// Adds the first of some plans with each of the launch bounds, for the tuner.
template <class Settings>
void addBounds(std::vector<Plan<Settings>>& plans) {
  for (const LaunchBound& bound : launch_bounds) {
    plans.push_back(plans[0]);
    plans.back().launch.max_threads = bound.threads;
    plans.back().launch.min_blocks = bound.blocks;
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
