// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORBLOCK_HPP
#define KONTRACT_TENSORBLOCK_HPP

#include "Kontract_BulkCopy.hpp"
#include "Kontract_TensorTile.hpp"
#include "detail/kernels/portable/Kontract_TablePair.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include <cuda_pipeline_primitives.h>

namespace Kontract {
namespace Impl {

/// Sums of a warp by matrix instructions: some cells, a multiple of 16, by up to 32 entries of
/// forms.
template <int cells_of_warp, int most_tiles>
class TensorFormSums {
 public:
  __device__ __forceinline__ void clear() { _tile.clear(); }

  /// Adds some steps of eight rows. What lanes give of the table is read a step ahead, and past its
  /// end.
  /// \param cells  of the first row, so far from those of the next
  /// \param table  of the first eight entries, by eight entries and lane, so far from the next step
  __device__ __forceinline__ void add(const double* cells, int cell_step, const TablePair* table,
                                      int table_step, int steps, int tiles) {
    const int lane = threadIdx.x % 32, four = 4 * cell_step;
    const double* a = cells + lane % 4 * cell_step + lane / 4;
    const double2* b = reinterpret_cast<const double2*>(table) + lane;
    double2 of_table[most_tiles];
#pragma unroll
    for (int j = 0; j < most_tiles; ++j) {
      if (j < tiles) of_table[j] = __ldg(b + 32 * j);
    }
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      b += table_step;
#pragma unroll
      for (int i = 0; i < blocks; i += 2) {
        const TensorPair first{a[8 * i], a[four + 8 * i]};
        const TensorPair second{a[8 * i + 8], a[four + 8 * i + 8]};
#pragma unroll
        for (int j = 0; j < most_tiles; ++j) {
          if (j >= tiles) continue;
          Tile::multiply16(_tile.sums[i][j], _tile.sums[i + 1][j], first, second,
                           {of_table[j].x, of_table[j].y});
          if (i + 2 == blocks) of_table[j] = __ldg(b + 32 * j);
        }
      }
      a += 8 * cell_step;
    }
  }

  /// Of cell 8 i + lane / 4 and entry 8 j + 2 (lane % 4) + k.
  __device__ __forceinline__ double at(int i, int j, int k) const { return _tile.sums[i][j][k]; }

 private:
  static constexpr int blocks = cells_of_warp / 8;
  using Tile = TensorTile<blocks, most_tiles>;
  Tile _tile;
};

/// A block of threads of a device of NVIDIA's, whose warps have matrix instructions.
struct TensorBlock {
  template <int cells, int tiles>
  using SumsOf = TensorFormSums<cells, tiles>;

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
  /// The same of one number.
  template <class T>
  __device__ __forceinline__ static void copyNumber(T* to, const T* from) {
    __pipeline_memcpy_async(to, from, sizeof(T));
  }
  /// How far the first of some elements is behind a multiple of 16 bytes; so is what a run is
  /// written from.
  template <class T>
  __device__ __forceinline__ static int shiftOf(const T* first) {
    return BulkRun<const T>{first, 0, 0}.shift();
  }
  /// After which all threads wait, before one of them writes a run from shared memory.
  __device__ __forceinline__ static void endRun() { showToCopyEngine(); }
  /// Begins to write a run, or to add it.
  template <class T>
  __device__ __forceinline__ static void writeRun(T* array, std::int64_t first, int count,
                                                  const T* from, bool adds) {
#if __CUDA_ARCH__ >= 900
    if (threadIdx.x > 0) return;
    const BulkRun<T> run{array, first, count};
    if (adds) {
      run.template write<true>(from - run.shift());
    } else {
      run.template write<false>(from - run.shift());
    }
#else
    for (int n = threadIdx.x; n < count; n += blockDim.x) {
      T& to = array[first + n];
      to = adds ? to + from[n] : from[n];
    }
#endif
  }
  /// Until the runs that this thread has begun are written from shared memory.
  __device__ __forceinline__ static void waitForRuns() { waitForRunsRead(); }
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
