// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLLANESKERNEL_HPP
#define KONTRACT_CELLLANESKERNEL_HPP

#include "Kontract_Scalar.hpp"
#include "Kontract_StageRing.hpp"
#include "Kontract_StagedOutput.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// Contractions of arrays in which cells are side by side: a lane of a warp has a cell and a
/// register tile of its sums; operands come from stages in shared memory, in which a row holds the
/// cells of a field and term, so that lanes read side by side without being shuffled.
template <class T, int tile, bool by_engine>
struct CellLanesKernel {
  using Ring = StageRing<T, Rows::OfCells, false, by_engine>;
  static constexpr int cells = Ring::row_elements;  ///< of a block
  static constexpr int tiles_of_warp = 32 / cells;  ///< along left fields

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
    const int cell = lane % cells;
    const int l = (warp / right_warps * tiles_of_warp + lane / cells) * tile;
    const int r = warp % right_warps * tile;
    for (std::int64_t i = blockIdx.x; i < plan.works; i += gridDim.x) {
      T sums[tile][tile];
#pragma unroll
      for (int j = 0; j < tile * tile; ++j) sums[j / tile][j % tile] = T(0);
      for (int part = 0; part < ring.parts(); ++part) {
        const char* stage = ring.take() + cell * static_cast<int>(sizeof(T));
        addStage(sums, stage + l * row_bytes, stage + plan.right_at + r * row_bytes);
        ring.giveBack();
      }
      const StageWork work = ring.workOf(i);
      if (work.cell + cell < out.cells) put(sums, work, work.cell + cell, l, r);
    }
  }

 private:
  __device__ __forceinline__ void addStage(T (&sums)[tile][tile], const char* lefts,
                                           const char* rights) const {
    const int left_step = left.box_fields * row_bytes, right_step = right.box_fields * row_bytes;
#pragma unroll 2
    for (int k = 0; k < plan.terms_each; ++k) {
      T a[tile], b[tile];
#pragma unroll
      for (int i = 0; i < tile; ++i) {
        a[i] = *reinterpret_cast<const T*>(lefts + i * row_bytes);
        b[i] = *reinterpret_cast<const T*>(rights + i * row_bytes);
      }
#pragma unroll
      for (int i = 0; i < tile; ++i) {
#pragma unroll
        for (int j = 0; j < tile; ++j) multiplyAdd(sums[i][j], a[i], b[j]);
      }
      lefts += left_step;
      rights += right_step;
    }
  }

  __device__ __forceinline__ void put(const T (&sums)[tile][tile], const StageWork& work,
                                      std::int64_t cell, int l, int r) const {
    T* to = out.data + cell * out.cell + (work.left + l) * out.left + (work.right + r) * out.right;
#pragma unroll
    for (int i = 0; i < tile; ++i) {
      if (l + i >= left.tile_fields || work.left + l + i >= out.lefts) break;
#pragma unroll
      for (int j = 0; j < tile; ++j) {
        if (r + j >= right.tile_fields || work.right + r + j >= out.rights) break;
        out.put(to[i * out.left + j * out.right], sums[i][j]);
      }
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
