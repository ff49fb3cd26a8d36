// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_STAGEBARRIER_HPP
#define KONTRACT_STAGEBARRIER_HPP

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cuda.h>

#include <cstdint>

namespace Kontract {
namespace Impl {

/// An address in shared memory as instructions take it.
__device__ __forceinline__ unsigned sharedAddress(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

/// A barrier in shared memory (mbarrier; compute capability 8.0), whose phases alternate: it waits
/// for a number of arrivals and, where a copy engine fills memory, for a number of bytes. Source:
/// the PTX instruction set, "mbarrier" and "cp.async".
struct StageBarrier {
  std::uint64_t state;

  __device__ __forceinline__ void init(int arrivals) {
#if __CUDA_ARCH__ >= 800
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(sharedAddress(this)), "r"(arrivals)
                 : "memory");
#endif
  }
  __device__ __forceinline__ void arrive() {
#if __CUDA_ARCH__ >= 800
    asm volatile(
        "{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(sharedAddress(this))
        : "memory");
#endif
  }
  /// Arrives once the asynchronous copies that this thread has started are there.
  __device__ __forceinline__ void arriveAfterCopies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(sharedAddress(this))
                 : "memory");
#endif
  }
  /// Arrives, and lets the barrier wait for that many bytes of the copy engine.
  __device__ __forceinline__ void arriveExpecting(unsigned bytes) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(sharedAddress(this)),
                 "r"(bytes)
                 : "memory");
#endif
  }
  /// Lets the barrier wait for that many bytes of the copy engine, too, before somebody arrives.
  __device__ __forceinline__ void expect(unsigned bytes) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.expect_tx.shared.b64 [%0], %1;" ::"r"(sharedAddress(this)), "r"(bytes)
                 : "memory");
#endif
  }
  /// Returns when the phase with that parity is over. Where the device can, it lets the warp sleep
  /// until then: warps that ask again and again keep others from computing.
  __device__ __forceinline__ void wait(unsigned parity) const {
#if __CUDA_ARCH__ >= 800
    unsigned over = 0;
    while (over == 0) {
#if __CUDA_ARCH__ >= 900
      constexpr unsigned nanoseconds = 10000000;
      asm volatile(
          "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2, %3; "
          "selp.u32 %0, 1, 0, p; }"
          : "=r"(over)
          : "r"(sharedAddress(this)), "r"(parity), "r"(nanoseconds)
          : "memory");
#else
      asm volatile(
          "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; "
          "}"
          : "=r"(over)
          : "r"(sharedAddress(this)), "r"(parity)
          : "memory");
#endif
    }
#endif
  }
};

/// A place in a ring of stages, and the parity of the phase in which it is used.
struct StageTurn {
  int stage = 0;
  unsigned parity = 0;

  __device__ __forceinline__ void next(int stages) {
    if (++stage == stages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

/// Lets the copy engine see barriers that this thread has begun.
__device__ __forceinline__ void showBarriersToCopyEngine() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}

/// Counts those who are done with something, and tells the last of them, who then sees what all of
/// them have done before (and begins anew).
struct CountOfDone {
  unsigned count;

  __device__ __forceinline__ bool isLastOf(int all) {
    unsigned before = 0;
#if __CUDA_ARCH__ >= 700
    asm volatile("atom.acq_rel.cta.shared.inc.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "r"(sharedAddress(&count)), "r"(all - 1)
                 : "memory");
#endif
    return before + 1 == static_cast<unsigned>(all);
  }
};

/// Copies a box of an array to shared memory by the copy engine (compute capability 9.0): the
/// calling thread goes on, and the barrier counts the bytes.
__device__ __forceinline__ void copyBox(void* to, const CUtensorMap& map, StageBarrier& barrier,
                                        int x, int y, int z) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3, %4, %5}], [%2];" ::"r"(sharedAddress(to)),
      "l"(&map), "r"(sharedAddress(&barrier)), "r"(x), "r"(y), "r"(z)
      : "memory");
#endif
}

__device__ __forceinline__ void copyBox(void* to, const CUtensorMap& map, StageBarrier& barrier,
                                        int x, int y, int z, int w) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3, %4, %5, %6}], [%2];" ::"r"(sharedAddress(to)),
      "l"(&map), "r"(sharedAddress(&barrier)), "r"(x), "r"(y), "r"(z), "r"(w)
      : "memory");
#endif
}

/// Copies 4, 8 or 16 bytes to shared memory without waiting; those after the first `there` become
/// zero.
template <int width>
__device__ __forceinline__ void copyAsync(void* to, const void* from, int there) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(sharedAddress(to)), "l"(from),
               "n"(width), "r"(there)
               : "memory");
#endif
}

/// Waits for all such copies that this thread asked for.
__device__ __forceinline__ void waitForCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
