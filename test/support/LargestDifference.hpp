// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_LARGESTDIFFERENCE_HPP
#define KONTRACT_TEST_LARGESTDIFFERENCE_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>

#include "KeepLargest.hpp"

namespace KontractTest {

/// The largest difference of two rows of numbers in the memory of Space, relative where they are
/// large; 1e300 where one is NaN, of which a reduction would keep the other.
template <class Space>
double largestDifference(const double* a, const double* b, std::int64_t size) {
  double most = 0;
  Kokkos::parallel_reduce(
      "compare", Kokkos::RangePolicy<Space>(0, size),
      KOKKOS_LAMBDA(std::int64_t i, double& largest) {
        const double apart = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
        const double difference = apart / (1 + (b[i] > 0 ? b[i] : -b[i]));
        keepLargest(largest, difference == difference ? difference : 1e300);
      },
      Kokkos::Max<double>(most));
  return most;
}

}  // namespace KontractTest

#endif
