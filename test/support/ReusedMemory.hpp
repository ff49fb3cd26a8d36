// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_REUSEDMEMORY_HPP
#define KONTRACT_TEST_REUSEDMEMORY_HPP

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "EveryNth.hpp"

namespace KontractTest {

/// Memory for an array of that size. On a device, where to allocate takes longer than most calls of
/// the tests, it is memory that an array had that is gone; unless cases are left out, as they are
/// for tools that check accesses to memory and have to see each array's own.
template <class T, class Device>
Kokkos::View<T*, Device> memoryFor(std::size_t size) {
  using Memory = Kokkos::View<T*, Device>;
  const auto make = [](std::size_t n) {
    return Memory(Kokkos::view_alloc("placed", Kokkos::WithoutInitializing), n);
  };
  constexpr bool is_host =
      Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Device::memory_space>::accessible;
  if (is_host || everyNth() > 1) return make(size);
  static std::vector<Memory> all;
  if (all.empty()) Kokkos::push_finalize_hook([] { all.clear(); });
  const auto is_free = [size](const Memory& memory) {
    return memory.use_count() == 1 && memory.extent(0) >= size;
  };
  auto found = std::find_if(all.begin(), all.end(), is_free);
  if (found == all.end()) {
    constexpr std::size_t least = 10000;
    found = all.insert(all.end(), make(std::max(least, 2 * size)));
  }
  return Kokkos::subview(*found, std::make_pair(std::size_t(0), size));
}

}  // namespace KontractTest

#endif
