// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_MEDIANSECONDS_HPP
#define KONTRACT_TEST_MEDIANSECONDS_HPP

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <vector>

namespace KontractTest {

/// Median seconds of a call on an execution space, after one to warm up.
/// \param least_seconds  that it is measured for, but for five calls at least
template <class Space, class Call>
double medianSeconds(const Call& call, double least_seconds) {
  call();
  Space().fence();
  std::vector<double> times;
  const Kokkos::Timer total;
  while (times.size() < 5 || (total.seconds() < least_seconds && times.size() < 200)) {
    const Kokkos::Timer timer;
    call();
    Space().fence();
    times.push_back(timer.seconds());
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

}  // namespace KontractTest

#endif
