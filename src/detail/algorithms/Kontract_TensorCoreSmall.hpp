// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORCORESMALL_HPP
#define KONTRACT_TENSORCORESMALL_HPP

#include "Kontract_TensorCoreKernel.hpp"
#include "detail/launch/Kontract_CudaLaunch.hpp"
#include "detail/problem/Kontract_Contraction.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// Contractions of at most eight by eight fields and few terms, by matrix instructions: a warp
/// reads the fields of a few cells, side by side in memory, straight into the registers of the
/// instruction.
template <class T>
struct SmallCellsKernel {
  static constexpr int cells_of_warp = 4, warps = 4;

  const T* left;
  const T* right;
  StagedOutput<T> out;
  std::int64_t left_cell, left_field, right_cell, right_field;
  int terms;

  struct alignas(2 * sizeof(T)) Two {
    T first, second;
  };

  __device__ void operator()() const {
    const int lane = threadIdx.x % 32, g = lane / 4, q = lane % 4;
    const std::int64_t step = std::int64_t(gridDim.x) * warps * cells_of_warp;
    for (std::int64_t first = (std::int64_t(blockIdx.x) * warps + threadIdx.x / 32) * cells_of_warp;
         first < out.cells; first += step) {
      TensorTile<1, 1> tiles[cells_of_warp];
#pragma unroll
      for (int i = 0; i < cells_of_warp; ++i) tiles[i].clear();
      const int l = g < out.lefts ? g : 0, r = g < out.rights ? g : 0;
      for (int k = 2 * q; k < terms + 2 * q; k += 8) {
        Two a[cells_of_warp], b[cells_of_warp];
#pragma unroll
        for (int i = 0; i < cells_of_warp; ++i) {
          const std::int64_t cell = first + i < out.cells ? first + i : first;
          a[i] = b[i] = Two{T(0), T(0)};
          if (k < terms) {
            a[i] = *reinterpret_cast<const Two*>(left + cell * left_cell + l * left_field + k);
            b[i] = *reinterpret_cast<const Two*>(right + cell * right_cell + r * right_field + k);
          }
        }
#pragma unroll
        for (int i = 0; i < cells_of_warp; ++i) {
          using Pair = TensorTile<1, 1>::Pair;
          tiles[i].template add<0, 1, 0, 1>(
              [&](int) {
                return Pair{double(a[i].first), double(a[i].second)};
              },
              [&](int) {
                return Pair{double(b[i].first), double(b[i].second)};
              });
        }
      }
#pragma unroll
      for (int i = 0; i < cells_of_warp; ++i) {
        if (first + i < out.cells && g < out.lefts) put(tiles[i], first + i, g, 2 * q);
      }
    }
  }

 private:
  __device__ __forceinline__ void put(const TensorTile<1, 1>& tile, std::int64_t cell, int l,
                                      int r) const {
    const T sums[2] = {T(tile.sums[0][0][0]), T(tile.sums[0][0][1])};
    T* to = out.data + cell * out.cell + l * out.left + r * out.right;
    const bool is_pair = out.right == 1 && r + 1 < out.rights && !out.sum_into &&
                         reinterpret_cast<std::uintptr_t>(to) % sizeof(Two) == 0;
    if (is_pair) {
      *reinterpret_cast<Two*>(to) = Two{sums[0], sums[1]};
      return;
    }
    for (int h = 0; h < 2; ++h) {
      if (r + h < out.rights) out.put(to[h * out.right], sums[h]);
    }
  }
};

/// \return whether the problem was small enough, and strides and addresses suited it
template <class T>
bool runSmallCells(const Kokkos::Cuda& space, const ContractionShape& s, T* out, const T* left,
                   const T* right, const std::string& label) {
  constexpr std::int64_t few_terms = 16;
  const SumLevel& sum = s.sum[ContractionShape::sum_levels - 1];
  const auto are_even = [](auto... strides) { return (... && (strides % 2 == 0)); };
  const auto is_aligned = [](const T* p) {
    return reinterpret_cast<std::uintptr_t>(p) % (2 * sizeof(T)) == 0;
  };
  using Kernel = SmallCellsKernel<T>;
  const bool suits = s.lefts <= 8 && s.rights <= 8 && s.terms() <= few_terms && sum.left == 1 &&
                     sum.right == 1 && sum.extent == s.terms() &&
                     are_even(s.terms(), s.left_cell, s.left_field, s.right_cell, s.right_field) &&
                     is_aligned(left) && is_aligned(right);
  if (!suits) return false;
  const Kernel kernel{
      left,
      right,
      {out, s.cells, s.lefts, s.rights, s.out_cell, s.out_left, s.out_right, s.sum_into},
      s.left_cell,
      s.left_field,
      s.right_cell,
      s.right_field,
      static_cast<int>(s.terms())};
  constexpr int cells_of_block = Kernel::warps * Kernel::cells_of_warp;
  launchBlocks<32 * Kernel::warps, 1>(
      space, label, {(s.cells + cells_of_block - 1) / cells_of_block, 32 * Kernel::warps, 0},
      kernel);
  return true;
}

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
