// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORBLOCK_HPP
#define KONTRACT_TENSORBLOCK_HPP

#include "Kontract_TensorTile.hpp"
#include "detail/kernels/portable/Kontract_FormTableProduct.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include <cuda_pipeline_primitives.h>

namespace Kontract {
namespace Impl {

/// Sums of a warp by matrix instructions: 32 cells by up to 32 entries of forms.
class TensorFormSums {
 public:
  __device__ __forceinline__ void clear() { _tile.clear(); }

  /// Adds eight rows.
  /// \param cells  of the first row, so far from those of the next
  /// \param table  of the first eight entries, by eight entries and lane
  __device__ __forceinline__ void add(const double* cells, int cell_step, const TablePair* table,
                                      int tiles) {
    const int lane = threadIdx.x % 32, four = 4 * cell_step;
    const double* a = cells + lane % 4 * cell_step + lane / 4;
    TensorPair of_cells[blocks];
#pragma unroll
    for (int i = 0; i < blocks; ++i) of_cells[i] = {a[8 * i], a[four + 8 * i]};
    const auto addTile = [&](auto j) {
      constexpr int tile = decltype(j)::value;
      if (tile >= tiles) return;
      const TablePair b = table[tile * 32 + lane];
      _tile.template add<0, blocks, tile, 1>([&](int i) { return of_cells[i]; },
                                             [&](int) {
                                               return TensorPair{b.first, b.second};
                                             });
    };
    addTile(std::integral_constant<int, 0>());
    addTile(std::integral_constant<int, 1>());
    addTile(std::integral_constant<int, 2>());
    addTile(std::integral_constant<int, 3>());
  }

  /// Of cell 8 i + lane / 4 and entry 8 j + 2 (lane % 4) + k.
  __device__ __forceinline__ double at(int i, int j, int k) const { return _tile.sums[i][j][k]; }

 private:
  static constexpr int blocks = FormTableSizes::warp_cells / 8;
  TensorTile<blocks, FormTableSizes::most_tiles> _tile;
};

/// A block of threads of a device of NVIDIA's, whose warps have matrix instructions.
struct TensorBlock {
  using Sums = TensorFormSums;

  /// Adds the products of sixteen rows of four numbers with a table of four by eight. Lane 4 g + q
  /// gives number q of rows g and g + 8, and of the table row q of column g; it has sums 2 q and
  /// 2 q + 1 of row g, then of row g + 8.
  __device__ __forceinline__ static void multiply(double (&sums)[4], double first, double second,
                                                  double of_table) {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
        "{%0, %1, %2, %3};"
        : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3])
        : "d"(first), "d"(second), "d"(of_table));
#else
    double of_first[2] = {sums[0], sums[1]}, of_second[2] = {sums[2], sums[3]};
    multiply8(of_first, first, of_table);
    multiply8(of_second, second, of_table);
    for (int i = 0; i < 2; ++i) sums[i] = of_first[i], sums[2 + i] = of_second[i];
#endif
  }
  /// Asks memory for a line, which is there sooner then.
  __device__ __forceinline__ static void prefetch(const void* from) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
  }
  /// After code that some lanes of a warp do not run.
  __device__ __forceinline__ static void joinWarp() { __syncwarp(); }

  __device__ __forceinline__ static int thread() { return static_cast<int>(threadIdx.x); }
  /// Which warp this is: the same number for all lanes, which compilers see.
  __device__ __forceinline__ static int warp() {
    return __shfl_sync(0xffffffff, static_cast<int>(threadIdx.x) / 32, 0);
  }
  __device__ __forceinline__ static std::int64_t rank() { return blockIdx.x; }
  __device__ __forceinline__ static std::int64_t count() { return gridDim.x; }
  __device__ __forceinline__ static void wait() { __syncthreads(); }
  __device__ __forceinline__ static double* memory() {
    extern __shared__ double2 shared_memory_of_forms[];
    return reinterpret_cast<double*>(shared_memory_of_forms);
  }
  /// Begins to copy 16 bytes to shared memory.
  __device__ __forceinline__ static void copy(void* to, const void* from) {
    __pipeline_memcpy_async(to, from, 16);
  }
  __device__ __forceinline__ static void endCopies() { __pipeline_commit(); }
  /// Waits for all copies of this thread but those that ended last.
  template <int last>
  __device__ __forceinline__ static void waitForCopies() {
    __pipeline_wait_prior(last);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
