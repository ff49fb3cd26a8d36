// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SHUFFLE_HPP
#define KONTRACT_SHUFFLE_HPP

#include <Kokkos_Core.hpp>
#include <cstring>
#include <type_traits>

namespace Kontract {
namespace Impl {

/// Neighbouring threads of a team that may exchange registers, all of them together; 1 where that
/// is not offered here, and scratch memory has to do.
#ifdef KOKKOS_ENABLE_CUDA
template <class Space>
inline constexpr int lanes_of_warp = std::is_same_v<Space, Kokkos::Cuda> ? 32 : 1;
#else
template <class Space>
inline constexpr int lanes_of_warp = 1;
#endif

/// The value of the lane whose number differs in that bit. All lanes of a warp must call it.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T shuffleXor(const T& value, int bit) {
#ifdef __CUDA_ARCH__
  static_assert(sizeof(T) % sizeof(unsigned) == 0, "a lane passes on whole registers");
  constexpr int words = static_cast<int>(sizeof(T) / sizeof(unsigned));
  unsigned word[words];
  memcpy(word, &value, sizeof(T));
  for (int i = 0; i < words; ++i) word[i] = __shfl_xor_sync(0xffffffffu, word[i], bit);
  T other;
  memcpy(static_cast<void*>(&other), word, sizeof(T));
  return other;
#else
  (void)bit;
  return value;
#endif
}

}  // namespace Impl
}  // namespace Kontract

#endif
