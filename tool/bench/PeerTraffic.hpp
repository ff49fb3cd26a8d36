// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_PEERTRAFFIC_HPP
#define KONTRACT_BENCH_PEERTRAFFIC_HPP

#include <cstdint>
#include <vector>

#include "Peers.hpp"
#include "Placement.hpp"

namespace KontractBench {

/// Where the arrays of one copy begin.
struct MovedCopy {
  void* out;
  const void *left, *right;
};

/// Reads both sides and writes zeros to the output, some cells of all arrays at a time, as whoever
/// computes must, too, and nothing else: a roof for the order in which a case moves its memory. For
/// hosts; on devices copying is that.
Offer traffic(const Case& one, const Placement& out, const Placement& left, const Placement& right,
              std::int64_t scalar_bytes, const std::vector<MovedCopy>& copies);

}  // namespace KontractBench

#endif
