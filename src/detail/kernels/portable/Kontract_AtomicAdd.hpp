// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_ATOMICADD_HPP
#define KONTRACT_ATOMICADD_HPP

#include "detail/support/Kontract_Scalar.hpp"

namespace Kontract {
namespace Impl {

/// Adds to an element that others add to at the same time. Real and imaginary parts are added one
/// after the other: only their sums matter, and a number of 16 bytes would need a lock.
template <class Out, class Acc>
KOKKOS_FORCEINLINE_FUNCTION void atomicAdd(Out& out, const Acc& acc) {
  if constexpr (IsComplex<Out>::value) {
    using Real = typename RealOf<Out>::type;
    Real* parts = reinterpret_cast<Real*>(&out);
    Kokkos::atomic_add(parts, static_cast<Real>(acc.real()));
    Kokkos::atomic_add(parts + 1, static_cast<Real>(acc.imag()));
  } else {
    Kokkos::atomic_add(&out, static_cast<Out>(acc));
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
