// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_OPERATORS_TIMING_HPP
#define KONTRACT_OPERATORS_TIMING_HPP

#include <vector>

#include "Contestant.hpp"

namespace KontractOperators {

struct Timing {
  double seconds = 0;  ///< median of the time of a call
  double spread = 0;   ///< half of what lies between the quarter and three quarters of the times,
                       ///< over the median
};

/// How long to measure.
struct Patience {
  double seconds = 0.2;  ///< at least for each contestant, but for five times
  double once = 1;       ///< who takes more seconds for a call is not called again
};

/// Seconds of a call, of some in a row, that are waited for.
double secondsOf(Contestant& contestant, int calls = 1);

/// Times calls; fences are within the time, short calls share one. Contestants take turns, so that
/// a machine that slows down does so for all of them.
std::vector<Timing> measure(const std::vector<Contestant*>& contestants, const Patience& patience);

/// Bytes a second that are read and written by copying arrays larger than caches.
double copyRate(const Patience& patience);

}  // namespace KontractOperators

#endif
