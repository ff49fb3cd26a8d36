// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_WORKERS_HPP
#define KONTRACT_WORKERS_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace Kontract {
namespace Impl {

/// Calls f(lane) in each lane of a thread. Tests have threads of their own, with an overload.
template <class Member, class F>
KOKKOS_FORCEINLINE_FUNCTION void forEachLane(const Member& member, int lanes, const F& f) {
  Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, lanes), f);
}

/// The threads of a team and their vector lanes as one row of workers, and the scratch memory they
/// share. Work is given to workers by number, so that who adds what, and in which order, depends on
/// the size of the team alone. On hosts a thread is all of its lanes, one after the other.
template <class Member>
struct Workers {
  const Member& member;
  int vector_length;  ///< of a thread, as launched
  void* scratch;      ///< aligned for every plain scalar

  KOKKOS_FORCEINLINE_FUNCTION int count() const { return member.team_size() * vector_length; }

  /// Calls f(worker) in each of them.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void each(const F& f) const {
    const int first = member.team_rank() * vector_length;
    forEachLane(member, vector_length, [&](const int lane) { f(first + lane); });
  }

  /// Calls f(i) for i from 0 to n, neighbours in neighbouring workers.
  template <class Int, class F>
  KOKKOS_FORCEINLINE_FUNCTION void share(Int n, const F& f) const {
    const int step = count();
    each([&](const int worker) {
      for (Int i = worker; i < n; i += step) f(i);
    });
  }

  /// What any of them wrote before is there for all after.
  KOKKOS_FORCEINLINE_FUNCTION void wait() const { member.team_barrier(); }
};

/// Bytes of an array in scratch memory, such that another array may follow it.
inline std::int64_t scratchBytes(std::int64_t elements, std::int64_t element_bytes) {
  return (elements * element_bytes + 15) / 16 * 16;
}

}  // namespace Impl
}  // namespace Kontract

#endif
