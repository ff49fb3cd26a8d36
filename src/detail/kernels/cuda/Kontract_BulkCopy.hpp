// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BULKCOPY_HPP
#define KONTRACT_BULKCOPY_HPP

#include <type_traits>

#include "Kontract_StageBarrier.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// The sum of a number of each lane of a warp (compute capability 8.0).
__device__ __forceinline__ int sumOfWarp([[maybe_unused]] int number) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(0xffffffffu, number);
#else
  return 0;
#endif
}

/// Copies multiples of 16 bytes to shared memory: the calling thread goes on, and the barrier
/// counts the bytes.
__device__ __forceinline__ void readRun(void* to, const void* from, int bytes,
                                        StageBarrier& barrier) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
      "[%3];" ::"r"(sharedAddress(to)),
      "l"(from), "r"(bytes), "r"(sharedAddress(&barrier))
      : "memory");
#endif
}

/// Elements of an array side by side. The copy engine moves multiples of 16 bytes from and to
/// multiples of 16 bytes (compute capability 9.0): in shared memory a run begins as far behind such
/// a place as it does in the array. Source: the PTX instruction set, "cp.async.bulk" and
/// "cp.reduce.async.bulk".
template <class T>
struct BulkRun {
  static constexpr int unit = 16 / static_cast<int>(sizeof(T));  ///< elements of 16 bytes
  T* array;
  std::int64_t first;
  int count;
  std::int64_t extent = 0;  ///< of the array, if it is known

  /// Elements from the last multiple of 16 bytes to the first of the run.
  __device__ __forceinline__ int shift() const {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(array + first) / sizeof(T)) &
           (unit - 1);
  }

  /// Where the engine begins to read, counted from the last multiple of 16 bytes: there, so that no
  /// thread has to wait for the elements before the next one, but not before the array.
  __device__ __forceinline__ int readFrom() const { return first == 0 && shift() != 0 ? unit : 0; }

  /// How far beyond the run it may read, for the same reason.
  __device__ __forceinline__ int spare() const {
    const std::int64_t left = extent - first - count;
    return left >= unit - 1 ? unit - 1 : left > 0 ? static_cast<int>(left) : 0;
  }

  __device__ __forceinline__ int bytesToRead() const {
    const int whole = (shift() + count + spare()) / unit * unit - readFrom();
    return whole > 0 ? whole * static_cast<int>(sizeof(T)) : 0;
  }

  using Scalar = std::remove_const_t<T>;

  /// Copies to shared memory: the calling thread goes on, and the barrier counts bytesToRead().
  /// What is left at the ends this thread copies itself, before it arrives.
  __device__ __forceinline__ void read(Scalar* to, StageBarrier& barrier) const {
#if __CUDA_ARCH__ >= 900
    const T* from = array + first - shift();
    const int bytes = bytesToRead(), end = shift() + count, start = readFrom();
    if (bytes > 0) readRun(to + start, from + start, bytes, barrier);
#pragma unroll 1
    for (int i = shift(); i < start && i < end; ++i) to[i] = from[i];
    const int rest = start + bytes / static_cast<int>(sizeof(T));
#pragma unroll 1
    for (int i = rest < shift() ? shift() : rest; i < end; ++i) to[i] = from[i];
#endif
  }

  /// Writes from shared memory, or adds to what is there; nobody else may write there.
  template <bool add>
  __device__ __forceinline__ void write(const T* from) const {
#if __CUDA_ARCH__ >= 900
    T* to = array + first - shift();
    const int end = shift() + count, start = (shift() + unit - 1) / unit * unit;
    const int whole = end / unit * unit - start;
    if (whole > 0) putWhole<add>(to + start, from + start, whole * int(sizeof(T)));
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    const auto put = [&](int i) { to[i] = add ? to[i] + from[i] : from[i]; };
#pragma unroll 1
    for (int i = shift(); i < start && i < end; ++i) put(i);
#pragma unroll 1
    for (int i = whole > 0 ? start + whole : start; i < end; ++i) put(i);
#endif
  }

 private:
  template <bool add>
  __device__ __forceinline__ static void putWhole(T* to, const T* from, int bytes) {
#if __CUDA_ARCH__ >= 900
    if constexpr (!add) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                   "r"(sharedAddress(from)), "r"(bytes)
                   : "memory");
    } else if constexpr (sizeof(T) == 8) {
      asm volatile(
          "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [%0], [%1], %2;" ::"l"(to),
          "r"(sharedAddress(from)), "r"(bytes)
          : "memory");
    } else {
      asm volatile(
          "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(to),
          "r"(sharedAddress(from)), "r"(bytes)
          : "memory");
    }
#endif
  }
};

/// Lets the copy engine see what this thread has written to shared memory.
__device__ __forceinline__ void showToCopyEngine() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/// Waits until the runs that this thread writes have been read from shared memory.
__device__ __forceinline__ void waitForRunsRead() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
#endif
}

/// Waits until the runs that this thread writes are written.
__device__ __forceinline__ void waitForRuns() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#endif
}

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
