// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SHUFFLE_HPP
#define KONTRACT_SHUFFLE_HPP

#include <Kokkos_Core.hpp>
#include <cstring>

#include "detail/support/Kontract_DeviceApi.hpp"

namespace Kontract {
namespace Impl {

/// Neighbouring threads that may exchange registers, all of them together; 1 where that is not
/// offered here, and scratch memory has to do. The first of them has a number that is a multiple of
/// this: they are a warp of NVIDIA's devices, and of AMD's a half of a wavefront of 64 threads, or
/// one of 32.
template <class Space>
inline constexpr int lanes_of_exchange = has_device_api<Space> ? 32 : 1;

/// The value of the lane whose number differs in that bit, which is below 32. All lanes of a warp
/// or wavefront must call it.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T shuffleXor(const T& value, int bit) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  constexpr int words =
      static_cast<int>((sizeof(T) + sizeof(unsigned) - 1) / sizeof(unsigned));  // whole registers
  unsigned word[words] = {};
  memcpy(word, &value, sizeof(T));
  for (int i = 0; i < words; ++i) {
#ifdef __CUDA_ARCH__
    word[i] = __shfl_xor_sync(0xffffffffu, word[i], bit);
#else
    word[i] = __shfl_xor(word[i], bit, 32);  // 32 neighbours, whatever a wavefront has
#endif
  }
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
