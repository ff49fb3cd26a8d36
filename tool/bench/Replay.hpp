// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_REPLAY_HPP
#define KONTRACT_BENCH_REPLAY_HPP

#include "Peers.hpp"

namespace KontractBench {

/// Whether calls on the default execution space can be recorded in a graph.
bool canReplay();

/// Seconds of a call within a graph that calls were recorded in and that is replayed as a whole; 0
/// if one of them does what cannot be recorded, as waiting.
double replayOf(const Runner& runner, int copies);

}  // namespace KontractBench

#endif
