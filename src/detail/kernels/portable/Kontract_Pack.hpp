// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_PACK_HPP
#define KONTRACT_PACK_HPP

#include <Kokkos_Macros.hpp>
#include <cstddef>
#include <cstdint>

namespace Kontract {
namespace Impl {

/// Neighbours in memory that a thread of a device moves at once.
template <class T, int n>
struct alignas(sizeof(T) * n) Pack {
  T scalars[n];
};
template <class T>
struct Pack<T, 1> {
  T scalars[1];
};

/// Scalars of the widest load that devices have.
template <class T>
inline constexpr int pack_size = sizeof(T) < 16 ? static_cast<int>(16 / sizeof(T)) : 1;

/// Reads neighbours in memory; or one scalar for all of them where they have it in common.
template <int n, class T>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, n> loadPack(const T* at, bool in_common = false) {
  if constexpr (n > 1) {
    if (!in_common) return *reinterpret_cast<const Pack<T, n>*>(at);
  }
  Pack<T, n> pack;
  const T scalar = *at;
  for (int i = 0; i < n; ++i) pack.scalars[i] = scalar;
  return pack;
}

template <int n, class T>
KOKKOS_FORCEINLINE_FUNCTION void storePack(T* at, const Pack<T, n>& pack) {
  *reinterpret_cast<Pack<T, n>*>(at) = pack;
}

/// Whether packs of n may be read and written from there on.
template <class T>
bool isAlignedForPacks(const T* data, int n) {
  return reinterpret_cast<std::uintptr_t>(data) % (sizeof(T) * static_cast<std::size_t>(n)) == 0;
}

}  // namespace Impl
}  // namespace Kontract

#endif
