// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_COMMANDLINE_HPP
#define KONTRACT_BENCH_COMMANDLINE_HPP

#include <string>
#include <vector>

#include "Cases.hpp"
#include "Contestants.hpp"
#include "Measure.hpp"
#include "Peers.hpp"

namespace KontractBench {

/// What the user wants to have measured.
struct Wishes {
  std::vector<Case> cases;
  std::vector<Contestant> contestants;
  std::vector<Peer> peers;
  std::vector<ScalarKind> scalars;  ///< empty: what each case is about, or double
  std::vector<LayoutKind> layouts;
  Patience patience;
  double case_bytes = 16e6;  ///< of the arrays of a case whose cells are open
  double rotate_bytes = -1;  ///< of all copies; negative: four times the largest cache
  double most_bytes = 0;     ///< cases that need more are left out; 0: no limit
  double roofline_seconds = 0.3;
  std::string csv_file, json_file;
  Draw draw;              ///< of the suite random
  bool is_drawn = false;  ///< there are cases of it
  bool has_help = false;  ///< help was printed, nothing is to be done
};

/// \throws UsageError for what cannot be understood
Wishes wishesFrom(int argc, char* argv[]);

}  // namespace KontractBench

#endif
