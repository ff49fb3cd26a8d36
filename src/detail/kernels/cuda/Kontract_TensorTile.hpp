// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORTILE_HPP
#define KONTRACT_TENSORTILE_HPP

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// Operands that a lane gives for eight terms.
struct TensorPair {
  double first, second;
};

/// Adds the products of eight rows of four terms with eight columns.
__device__ __forceinline__ void multiply8(double (&d)[2], double a, double b) {
#if __CUDA_ARCH__ >= 800
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(d[0]), "+d"(d[1])
               : "d"(a), "d"(b));
#endif
}

/// Sums of a warp, 8 * lefts left fields by 8 * rights right fields, by the double-precision matrix
/// instructions. Lane 4 * g + q holds, of each 8 x 8 block, row g and columns 2 * q and 2 * q + 1,
/// and gives the operands of row (column) g for terms q and q + 4 of eight. Source: the PTX
/// instruction set, "mma.sync" for .f64; from compute capability 9.0 on the larger shape runs at
/// twice the rate of the smaller one.
template <int lefts, int rights>
struct TensorTile {
  double sums[lefts][rights][2];

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int i = 0; i < lefts; ++i) {
#pragma unroll
      for (int j = 0; j < rights; ++j) sums[i][j][0] = sums[i][j][1] = 0;
    }
  }

  /// Adds eight terms to `count` blocks of left fields and `rights_count` of right ones: operands
  /// a(block of those) and b(block) give terms q and q + 4, as the first and second of a pair.
  template <int first, int count, int first_right, int rights_count, class A, class B>
  __device__ __forceinline__ void add(const A& a, const B& b) {
#pragma unroll
    for (int i = 0; i < count; i += 2) {
#pragma unroll
      for (int j = first_right; j < first_right + rights_count; ++j) {
        if (i + 1 < count) {
          multiply16(sums[first + i][j], sums[first + i + 1][j], a(i), a(i + 1), b(j));
        } else {
          multiplyLast(sums[first + i][j], a(i), b(j));
        }
      }
    }
  }

  using Pair = TensorPair;

  /// Adds eight terms to two blocks of left fields.
  __device__ __forceinline__ static void multiply16(double (&d)[2], double (&e)[2], const Pair& a,
                                                    const Pair& a8, const Pair& b) {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(e[0]), "+d"(e[1])
        : "d"(a.first), "d"(a8.first), "d"(a.second), "d"(a8.second), "d"(b.first), "d"(b.second));
#else
    multiply8(d, a.first, b.first);
    multiply8(e, a8.first, b.first);
    multiply8(d, a.second, b.second);
    multiply8(e, a8.second, b.second);
#endif
  }

 private:
  /// One block alone: half of the larger shape takes as long as two of the smaller one.
  __device__ __forceinline__ static void multiplyLast(double (&d)[2], const Pair& a,
                                                      const Pair& b) {
#if __CUDA_ARCH__ >= 900
    double nothing[2] = {0, 0};
    multiply16(d, nothing, a, Pair{0, 0}, b);
#else
    multiply8(d, a.first, b.first);
    multiply8(d, a.second, b.second);
#endif
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
