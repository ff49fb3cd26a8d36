// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_OPERATORS_PEERSPACE_HPP
#define KONTRACT_OPERATORS_PEERSPACE_HPP

#include <Kokkos_Core.hpp>

namespace KontractOperators {

/// Where peers are to compute: where Kontract does.
inline constexpr bool on_host =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                               Kokkos::DefaultExecutionSpace::memory_space>::accessible;

}  // namespace KontractOperators

#endif
