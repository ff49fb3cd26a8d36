// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_ESTIMATE_HPP
#define KONTRACT_ESTIMATE_HPP

#include <algorithm>

#include "detail/problem/Kontract_Work.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// Expected seconds of work whose pieces are spread over threads, each piece with that many seconds
/// of its own: the start, the pieces, and whichever of arithmetic and memory takes longer.
inline double secondsOnThreads(const Work& work, const Machine& machine, int threads,
                               double seconds_each) {
  const double pieces = static_cast<double>(work.box.size());
  const double busy = std::max(1.0, std::min<double>(threads, pieces));
  // Two threads of a host are enough to use up its memory.
  const double share = machine.is_host && busy < 2 && machine.concurrency > 1 ? 0.5 : 1.0;
  // A core that walks along k where cells are side by side uses one scalar of a line at a time.
  // Threads of a device with an output each were measured at half of its bandwidth at best.
  const double wasted = !machine.is_host ? 2 : work.is_contraction && work.cell_fastest ? 6 : 1;
  // Of Fads pieces find each product anew.
  const double slower = machine.is_host && work.is_fad ? 6 : 1;
  return machine.launch_seconds + pieces * seconds_each / busy +
         std::max(slower * work.flops / (busy * machine.flops_per_second),
                  wasted * work.bytes / (share * machine.bytes_per_second));
}

/// What sums of products cost a device whose threads read their operands through its caches.
struct DeviceGemvCosts {
  double product;  ///< seconds for each, with all threads busy
  double term;     ///< seconds for each that a thread adds after another
  double start;    ///< seconds before the first
};

/// Expected seconds of contractions on a device. The costs are those of an H200; those of others
/// are taken to differ as the bandwidths of their memories do.
/// \param chain terms that a thread adds one after the other
/// \param output  seconds for each output, with all threads busy
inline double secondsOfDeviceSums(const Work& work, const Machine& machine,
                                  const DeviceGemvCosts& costs, double chain, double output = 0) {
  constexpr double h200 = 4.2e12;
  const double outputs = static_cast<double>(work.box.size());
  const double products = outputs * static_cast<double>(work.terms) *
                          static_cast<double>(work.products) * (work.is_complex ? 2 : 1);
  // Threads that have all components of a Fad were measured to take that many times as long as
  // threads that have one, in the median.
  const double of_fads = work.is_fad ? 4 : 1;
  return machine.launch_seconds + costs.start +
         of_fads * std::max({products * costs.product * h200 / machine.bytes_per_second,
                             chain * costs.term, outputs * output * h200 / machine.bytes_per_second,
                             1.1 * work.bytes / machine.bytes_per_second});
}

}  // namespace Impl
}  // namespace Kontract

#endif
