// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_COPYRATE_HPP
#define KONTRACT_TEST_COPYRATE_HPP

#include <Kokkos_Core.hpp>
#include <cstddef>

#include "MedianSeconds.hpp"

namespace KontractTest {

/// Bytes a second that are read and written by copying so many doubles.
template <class Space>
double copyRate(std::size_t count, double least_seconds) {
  const Kokkos::View<double*, Space> from("from", count), to("to", count);
  return 16.0 * double(count) /
         medianSeconds<Space>([&] { Kokkos::deep_copy(Space(), to, from); }, least_seconds);
}

}  // namespace KontractTest

#endif
