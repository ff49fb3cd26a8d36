// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_MEASURE_HPP
#define KONTRACT_BENCH_MEASURE_HPP

#include <cstdint>
#include <vector>

#include "Peers.hpp"

namespace KontractBench {

struct Timing {
  double seconds = 0;  ///< median over repetitions of the time of a call
  double spread = 0;   ///< of the repetitions: half their range, the fastest and slowest left out
                       ///< where there are more than four, over the median
  std::int64_t calls = 0;  ///< in all repetitions
  double latency = 0;      ///< median time of a call that is waited for; on a host, of any call
  double replay = 0;       ///< time of a call in a graph that is replayed; 0 if not measured
};

/// How long and often to measure.
struct Patience {
  double seconds = 0.05;  ///< least for each repetition
  int repetitions = 5;
  double once = 0;  ///< a first call that takes more seconds than this stays the only one; 0: none
  bool replays = false;  ///< whether to measure calls in graphs too
};

/// Seconds of one call that is waited for.
double secondsOf(const Runner& runner, int copy);

/// Times calls on copies used in turn, with Google Benchmark: it finds how many calls fill the
/// time, which warms up, and repeats that. Repetitions of different calls are mixed, so that a
/// machine that slows down does so for all of them. Fences are within the time; on a device calls
/// of some milliseconds share one, so that it works on one call while the host starts the next.
std::vector<Timing> measure(const std::vector<Runner>& runners, int copies,
                            const Patience& patience);

}  // namespace KontractBench

#endif
