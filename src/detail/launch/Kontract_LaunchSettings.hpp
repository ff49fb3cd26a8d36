// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_LAUNCHSETTINGS_HPP
#define KONTRACT_LAUNCHSETTINGS_HPP

#include "detail/support/Kontract_Setting.hpp"

namespace Kontract {
namespace Impl {

/// How teams and blocks are sized; 0 leaves the choice to the algorithm.
struct LaunchSettings {
  int team_size = 0, vector_length = 0, cells_per_team = 0, max_threads = 0, min_blocks = 0;

  /// Which of them an algorithm honours, in the order of visit(): bits of its launch_knobs.
  enum Knob : unsigned {
    none = 0,
    team_size_knob = 1,
    vector_length_knob = 2,
    cells_per_team_knob = 4,
    max_threads_knob = 8,
    min_blocks_knob = 16
  };

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor("Team Size", team_size, "threads per team (0 = choose)");
    visitor("Vector Length", vector_length, "lanes per thread (0 = choose)");
    visitor("Cells Per Team", cells_per_team, "cells that a team works on (0 = choose)");
    visitor("Max Threads", max_threads, "launch bound: threads per block (0 = choose)");
    visitor("Min Blocks", min_blocks, "launch bound: blocks per multiprocessor (0 = choose)");
  }
};

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

}  // namespace Impl
}  // namespace Kontract

#endif
