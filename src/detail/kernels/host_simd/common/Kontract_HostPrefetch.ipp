// SPDX-License-Identifier: BSD-3-Clause
//
// Software prefetches of what tiles read.
#ifndef KONTRACT_HOSTPREFETCH_IPP
#define KONTRACT_HOSTPREFETCH_IPP

#include "Kontract_HostSimd.ipp"

/// Fetches a line into the second cache. A core has few lines of its first cache under way; where
/// what is read is too short for the hardware to foresee, they limit it.
KONTRACT_INLINE void fetchLine(const void* at) { __builtin_prefetch(at, 0, 2); }
/// The same into the first cache, for what is read soon.
KONTRACT_INLINE void fetchLineNear(const void* at) { __builtin_prefetch(at, 0, 3); }

constexpr int units_per_prefetch = 4;

/// Software prefetches, line by line while tiles are computed. Tiles read many rows at once, which
/// hardware prefetchers do not follow; a burst of requests would stall them.
struct PrefetchNear {
  const char* line = nullptr;   ///< next to be fetched
  const char* until = nullptr;  ///< where that should be by now
  std::int64_t step = 0;        ///< bytes for each unit that is computed

  /// Will fetch so many bytes while so many units are computed.
  KONTRACT_INLINE void start(const void* from, std::int64_t bytes, std::int64_t units) {
    line = until = static_cast<const char*>(from);
    step = (bytes + units - 1) / (units > 0 ? units : 1);
  }
  KONTRACT_INLINE void advance(std::int64_t units) {
    until += units * step;
    for (; line < until; line += 64) fetchLineNear(line);
  }
};

#endif
