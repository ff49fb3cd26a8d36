// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_INTERLEAVEDCELLSKERNEL_HPP
#define KONTRACT_INTERLEAVEDCELLSKERNEL_HPP

#include "Kontract_InterleavedCellsPlan.hpp"
#include "detail/kernels/cuda/Kontract_StageRing.hpp"
#include "detail/kernels/cuda/Kontract_StagedOutput.hpp"
#include "detail/support/Kontract_Scalar.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// Contractions of arrays in which cells are side by side: a lane of a warp has two cells and a
/// register tile of their sums; operands come from stages in shared memory, in which a row holds
/// the cells of a field and term, so that lanes read side by side without being shuffled. Half a
/// warp has the cells of a row; the others have other left fields and read the same right ones,
/// which saves shared memory a quarter of its work.
template <class T, int tile, bool by_engine>
struct InterleavedCellsKernel {
  using Ring = StageRing<T, Rows::OfCells, false, by_engine>;
  static constexpr int cells = Ring::row_elements;  ///< of a block
  static constexpr int cells_of_lane = InterleavedCellsPlan::cells_of_lane;
  static constexpr int lanes_of_row = cells / cells_of_lane;
  static constexpr int tiles_of_warp = 32 / lanes_of_row;  ///< along left fields

  StagedInput<T> left, right;
  StagedOutput<T> out;
  StagePlan plan;
  int right_warps;

  __device__ void operator()() const {
    extern __shared__ __align__(1024) char memory[];
    __shared__ typename Ring::Barriers barriers;
    Ring ring(plan, left, right, memory, barriers);
    if (ring.isProducer()) {
      ring.produce();
      return;
    }
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const int cell = lane % lanes_of_row * cells_of_lane;
    const int l = (warp / right_warps * tiles_of_warp + lane / lanes_of_row) * tile;
    const int r = warp % right_warps * tile;
    for (std::int64_t i = blockIdx.x; i < plan.works; i += gridDim.x) {
      Cells sums[tile][tile];
#pragma unroll
      for (int j = 0; j < tile * tile * cells_of_lane; ++j) {
        sums[j / cells_of_lane / tile][j / cells_of_lane % tile].of[j % cells_of_lane] = T(0);
      }
      for (int part = 0; part < ring.partsOf({}); ++part) {
        const char* stage = ring.take() + cell * static_cast<int>(sizeof(T));
        addStage(sums, stage + l * row_bytes, stage + plan.right_at + r * row_bytes);
        ring.giveBack();
      }
      const StageWork work = ring.workOf(i);
      put(sums, work, work.cell + cell, l, r);
    }
  }

 private:
  struct alignas(cells_of_lane * sizeof(T)) Cells {
    T of[cells_of_lane];
  };

  __device__ __forceinline__ void addStage(Cells (&sums)[tile][tile], const char* lefts,
                                           const char* rights) const {
    const int left_step = left.box_fields * row_bytes, right_step = right.box_fields * row_bytes;
#pragma unroll 2
    for (int k = 0; k < plan.terms_each; ++k) {
      Cells a[tile], b[tile];
#pragma unroll
      for (int i = 0; i < tile; ++i) {
        a[i] = *reinterpret_cast<const Cells*>(lefts + i * row_bytes);
        b[i] = *reinterpret_cast<const Cells*>(rights + i * row_bytes);
      }
#pragma unroll
      for (int i = 0; i < tile; ++i) {
#pragma unroll
        for (int j = 0; j < tile; ++j) {
#pragma unroll
          for (int c = 0; c < cells_of_lane; ++c) {
            multiplyAdd(sums[i][j].of[c], a[i].of[c], b[j].of[c]);
          }
        }
      }
      lefts += left_step;
      rights += right_step;
    }
  }

  __device__ __forceinline__ void put(const Cells (&sums)[tile][tile], const StageWork& work,
                                      std::int64_t cell, int l, int r) const {
    T* to = out.data + cell * out.cell + (work.left + l) * out.left + (work.right + r) * out.right;
    const std::int64_t cells_there = out.cells - cell;
    if (cells_there <= 0) return;
    const bool is_pair = cells_there >= cells_of_lane && out.cell == 1 && !out.sum_into;
#pragma unroll
    for (int i = 0; i < tile; ++i) {
      if (l + i >= left.tile_fields || work.left + l + i >= out.lefts) break;
#pragma unroll
      for (int j = 0; j < tile; ++j) {
        if (r + j >= right.tile_fields || work.right + r + j >= out.rights) break;
        T* const element = to + i * out.left + j * out.right;
        if (is_pair && reinterpret_cast<std::uintptr_t>(element) % sizeof(Cells) == 0) {
          *reinterpret_cast<Cells*>(element) = sums[i][j];
          continue;
        }
#pragma unroll
        for (int c = 0; c < cells_of_lane; ++c) {
          if (c < cells_there) out.put(element[c * out.cell], sums[i][j].of[c]);
        }
      }
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
