// SPDX-License-Identifier: BSD-3-Clause
#include "Roofline.hpp"

#include <algorithm>

#include "RooflineParts.hpp"

namespace KontractBench {

double Roofline::leastSeconds(ScalarKind kind, double flops, double bytes) const {
  return std::max(flops / peak(kind), bytes / copy_bytes);
}

Roofline measureRoofline(double seconds, double bytes) {
  Roofline roofline;
  const long n = std::max<long>(128, long(bytes / sizeof(double)));
  const Buffer to("to", n), from("from", n);
  Kokkos::deep_copy(from, 1.0);
  Space().fence();
  measureRates(seconds, to, from, roofline);
  return roofline;
}

}  // namespace KontractBench
