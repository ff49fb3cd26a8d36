// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORCOREOPERANDS_HPP
#define KONTRACT_TENSORCOREOPERANDS_HPP

#include "Kontract_StageRing.hpp"
#include "detail/support/Kontract_Scalar.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// Warps of a block: along left and right fields, and over cells (pairs of cells where cells are
/// side by side and real).
struct TensorWarps {
  int lefts, rights;
};

/// Where a thread of a block is.
struct ThreadCoordinates {
  int cell;         ///< which of a block's cells, or pairs of them, its warp has
  int left, right;  ///< which tile
  int g, q;         ///< lane

  __device__ __forceinline__ static ThreadCoordinates here(const TensorWarps& warps) {
    const int warp = static_cast<int>(threadIdx.x) / 32, of_cell = warps.lefts * warps.rights;
    return {warp / of_cell, warp / warps.rights % warps.lefts, warp % warps.rights,
            static_cast<int>(threadIdx.x) % 32 / 4, static_cast<int>(threadIdx.x) % 4};
  }
};

/// How lanes read the operands of matrix instructions from a stage.
template <class T, Rows rows>
struct TensorCoreOperands {
  static constexpr bool is_complex = IsComplex<T>::value;
  static constexpr bool by_cells = rows != Rows::OfTerms;
  static constexpr bool pairs_cells = by_cells && !is_complex;
  static constexpr int sums = pairs_cells || is_complex ? 2 : 1;
  using Real = typename RealOf<T>::type;

  /// What is read at a time: a real, be it of one of two cells side by side, or both of a complex
  /// of single precision.
  static constexpr bool reads_complex = is_complex && sizeof(Real) == 4;
  static constexpr int reads = sums == 2 && !reads_complex ? 2 : 1;
  struct alignas(reads_complex ? 8 : sizeof(Real)) Element {
    Real reals[reads_complex ? 2 : 1];
  };
  /// Of blocks of eight fields: terms q and q + 4 of eight.
  template <int count>
  struct Operands {
    Element at[count][2][reads];

    __device__ __forceinline__ double real(int i, int half, int part) const {
      return double(reads_complex ? at[i][half][0].reals[part % (reads_complex ? 2 : 1)]
                                  : at[i][half][part % reads].reals[0]);
    }
  };

  /// Which of eight neighbouring rows of shared memory a lane reads: rows of terms in an order that
  /// keeps those that are read together in different banks.
  __device__ __forceinline__ static int rowOf(int g) {
    return by_cells ? g : g < 4 ? 2 * g : 2 * g - 7;
  }

  /// Where a lane's operands are, in bytes from a block of eight fields: term q of eight. Those of
  /// term q + 4 are `four` bytes from there.
  struct Lane {
    int at[reads], four;
  };
  /// Rows of a block, in bytes. Of odd cells a region has every second field, and the chunks of
  /// every second block are permuted in another way.
  static constexpr int block_bytes = (rows == Rows::OfOddCells ? 4 : 8) * row_bytes;

  template <int count>
  __device__ __forceinline__ static void loadBlock(Operands<count>& operands, int i, int block,
                                                   const char* from, const Lane& lane) {
    const int flip = rows == Rows::OfOddCells && block % 2 == 1 ? 64 : 0;
#pragma unroll
    for (int part = 0; part < reads; ++part) {
      const char* at = from + block * block_bytes + (lane.at[part] ^ flip);
      operands.at[i][0][part] = *reinterpret_cast<const Element*>(at);
      operands.at[i][1][part] = *reinterpret_cast<const Element*>(at + lane.four);
    }
  }

  /// Where lanes find their operands in rows of cells: row and byte of a field and term.
  __device__ __forceinline__ static Lane laneOfCells(const StagedInput<T>& input, int terms_each,
                                                     const ThreadCoordinates& thread,
                                                     std::int64_t first_cell) {
    int row = thread.q * input.box_fields + thread.g, cell = thread.cell * (pairs_cells ? 2 : 1);
    Lane lane{{}, 4 * input.box_fields * row_bytes};
    if constexpr (rows == Rows::OfOddCells) {
      const int region = thread.q % 2 * 2 + thread.g % 2;
      row = region * input.regionRows(input.box_fields, terms_each) +
            thread.q / 2 * input.box_fields + thread.g / 2;
      cell += static_cast<int>((input.isOdd(region) + first_cell) & 1);
      lane.four /= 2;
    }
#pragma unroll
    for (int part = 0; part < reads; ++part) {
      const int byte = pairs_cells ? (cell + part) * 8 : cell * 16 + part * 8;
      // What is beyond the row belongs to a cell that is not computed.
      lane.at[part] = row * row_bytes + (byte % row_bytes ^ (row & 7) << 4);
    }
    return lane;
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
