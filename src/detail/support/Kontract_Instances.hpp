// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_INSTANCES_HPP
#define KONTRACT_INSTANCES_HPP

#include <Kokkos_Core.hpp>
#include <vector>

#include "Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// That many instances of an execution space, whose work a device does at the same time. A host
/// finishes a kernel before the launch returns, so there they are all the given one; and so they
/// are where Kokkos (before 3.7) cannot make others, which costs overlap alone.
template <class Space>
std::vector<Space> instancesOf(const Space& space, int count) {
#if KOKKOS_VERSION >= 30700
  if constexpr (!is_host_space<Space>) {
    std::vector<int> weights(static_cast<std::size_t>(count), 1);
    return Kokkos::Experimental::partition_space(space, weights);
  }
#endif
  return std::vector<Space>(static_cast<std::size_t>(count), space);
}

}  // namespace Impl
}  // namespace Kontract

#endif
