// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_ROOFLINEPARTS_HPP
#define KONTRACT_BENCH_ROOFLINEPARTS_HPP

#include <algorithm>

#include "Roofline.hpp"

namespace KontractBench {

/// Memory of the default execution space that is copied and read.
using Buffer = Kokkos::View<double*, Device>;

/// The best rate of several goes; a go is long enough for the clock.
/// \param go  does so many rounds, and tells how much that was
template <class Go>
double bestRate(double seconds, Go&& go) {
  double best = 0;
  long rounds = 1;
  Kokkos::Timer total;
  for (int times = 0; times < 3 || total.seconds() < seconds; ++times) {
    Space().fence();
    Kokkos::Timer timer;
    const double amount = go(rounds);
    Space().fence();
    const double taken = timer.seconds();
    if (taken < seconds / 20) {
      rounds *= 2;
      times = 0;
      if (total.seconds() < 4 * seconds) continue;
    }
    best = std::max(best, amount / taken);
  }
  return best;
}

/// Fills in the roofline of the default execution space: there is one definition for hosts and one
/// for devices.
void measureRates(double seconds, const Buffer& to, const Buffer& from, Roofline& roofline);

}  // namespace KontractBench

#endif
