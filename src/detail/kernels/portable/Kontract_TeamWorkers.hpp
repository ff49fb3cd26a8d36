// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEAMWORKERS_HPP
#define KONTRACT_TEAMWORKERS_HPP

#include <type_traits>

#include "Kontract_Workers.hpp"

namespace Kontract {
namespace team {

/// The calling thread alone. There is no member: such calls are for any kernel.
struct Serial {};
/// All threads of a team; of a thread with vector lanes the first one.
struct Team {};
/// All threads of a team and all their vector lanes.
struct TeamVector {};

}  // namespace team

namespace Impl {

/// One worker, with the interface of Workers.
struct OneWorker {
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int count() { return 1; }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void each(const F& f) const {
    f(0);
  }
  template <class Int, class F>
  KOKKOS_FORCEINLINE_FUNCTION void share(Int n, const F& f) const {
    for (Int i = 0; i < n; ++i) f(i);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void wait() {}
};

/// Vector lanes of each thread of the kernel that this is called in: Kokkos tells kernels the size
/// of a team alone.
KOKKOS_FORCEINLINE_FUNCTION int lanesOfThread() {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return static_cast<int>(blockDim.x);
#else
  return 1;
#endif
}

/// Those that compute in a mode.
template <class Mode, class Member>
KOKKOS_FORCEINLINE_FUNCTION Workers<Member> workersOf(const Member& member) {
  static_assert(std::is_same_v<Mode, team::Team> || std::is_same_v<Mode, team::TeamVector>,
                "Kontract::team: a mode is Serial, without a member, Team or TeamVector");
  return {member, std::is_same_v<Mode, team::TeamVector> ? lanesOfThread() : 1, nullptr};
}

}  // namespace Impl
}  // namespace Kontract

#endif
