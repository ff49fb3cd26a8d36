// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FEWCELLSKERNEL_HPP
#define KONTRACT_FEWCELLSKERNEL_HPP

#include "Kontract_StagedOutput.hpp"
#include "Kontract_TensorTile.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// An input of a contraction with any strides.
template <class T>
struct StridedInput {
  const T* data;
  std::int64_t cell, field, term;  ///< strides
};

/// Contractions of few cells, which a device is done with before much of it is busy: a block has
/// one tile of sums, and its warps have a part of the terms each, read straight into the registers
/// of matrix instructions. Parts are added up in the order of warps, so bits repeat.
/// \tparam blocks  of eight fields, on either side of a tile
/// \tparam pairs   whether two terms side by side are read at a time
template <class T, int blocks, bool pairs>
struct FewCellsKernel {
  static constexpr bool is_complex = IsComplex<T>::value;
  static constexpr int parts = is_complex ? 2 : 1, most_warps = 8, fields = 8 * blocks;
  static constexpr int threads = 32 * most_warps;
  static constexpr int sums_of_tile = fields * fields * parts;
  static constexpr int bytes_of_warp = sums_of_tile * int(sizeof(double));

  StridedInput<T> left, right;
  StagedOutput<T> out;
  int terms, left_tiles, right_tiles;

  __device__ void operator()() const {
    extern __shared__ double sums_of_warps[];
    const int warps = static_cast<int>(blockDim.x) / 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int tiles_of_cell = left_tiles * right_tiles;
    const std::int64_t works = out.cells * tiles_of_cell;
    for (std::int64_t work = blockIdx.x; work < works; work += gridDim.x) {
      const std::int64_t cell = work / tiles_of_cell;
      const int tile = static_cast<int>(work - cell * tiles_of_cell), row = tile / right_tiles;
      const int first_left = fields * row, first_right = fields * (tile - row * right_tiles);
      sumPart(sums_of_warps + warp * sums_of_tile, cell, first_left, first_right, warp, warps);
      __syncthreads();
      for (int i = static_cast<int>(threadIdx.x); i < fields * fields; i += 32 * warps) {
        const int l = first_left + i / fields, r = first_right + i % fields;
        if (l < out.lefts && r < out.rights) {
          out.put(out.data[cell * out.cell + l * out.left + r * out.right],
                  sumOfParts(sums_of_warps + i, warps));
        }
      }
      __syncthreads();
    }
  }

 private:
  using Tile = TensorTile<blocks, blocks>;
  using Pair = typename Tile::Pair;

  /// Two terms of fields, zero beyond the last one.
  struct alignas(pairs ? 2 * sizeof(T) : alignof(T)) Operand {
    T first, second;

    __device__ __forceinline__ Pair real(int part, double sign) const {
      if constexpr (is_complex) {
        if (part == 1) return Pair{sign * double(first.imag()), sign * double(second.imag())};
        return Pair{sign * double(first.real()), sign * double(second.real())};
      } else {
        return Pair{double(first), double(second)};
      }
    }
  };
  struct Operands {
    Operand left[blocks], right[blocks];
  };

  __device__ __forceinline__ T sumOfParts(const double* sums, int warps) const {
    double sum[parts] = {};
    for (int warp = 0; warp < warps; ++warp, sums += sums_of_tile) {
#pragma unroll
      for (int part = 0; part < parts; ++part) sum[part] += sums[part * fields * fields];
    }
    if constexpr (is_complex) {
      using Real = typename RealOf<T>::type;
      return T(Real(sum[0]), Real(sum[1]));
    } else {
      return T(sum[0]);
    }
  }

  /// The sums of every `warps`-th eight terms.
  __device__ __forceinline__ void sumPart(double* sums, std::int64_t cell, int first_left,
                                          int first_right, int warp, int warps) const {
    const int lane = static_cast<int>(threadIdx.x) % 32, g = lane / 4, q = lane % 4;
    const T* lefts_at[blocks];
    const T* rights_at[blocks];
    const auto rowOf = [g](int first, int block, std::int64_t there) {
      const int row = first + 8 * block + g;
      return row < there ? row : static_cast<int>(there) - 1;
    };
#pragma unroll
    for (int i = 0; i < blocks; ++i) {
      lefts_at[i] = left.data + cell * left.cell + rowOf(first_left, i, out.lefts) * left.field;
      rights_at[i] =
          right.data + cell * right.cell + rowOf(first_right, i, out.rights) * right.field;
    }
    const auto load = [&](const T* row, std::int64_t term, int k) {
      Operand two{T(0), T(0)};
      if constexpr (pairs) {
        if (k + 2 * q < terms) two = *reinterpret_cast<const Operand*>(row + k + 2 * q);
      } else {
        if (k + q < terms) two.first = row[(k + q) * term];
        if (k + q + 4 < terms) two.second = row[(k + q + 4) * term];
      }
      return two;
    };
    Tile tiles[parts];
#pragma unroll
    for (int part = 0; part < parts; ++part) tiles[part].clear();
    // All reads of a round are under way at a time.
    constexpr int round = blocks * parts >= 4 ? 2 : 4;
    for (int k = 8 * warp; k < terms; k += 8 * warps * round) {
      Operands operands[round];
#pragma unroll
      for (int step = 0; step < round; ++step) {
#pragma unroll
        for (int i = 0; i < blocks; ++i) {
          operands[step].left[i] = load(lefts_at[i], left.term, k + 8 * warps * step);
          operands[step].right[i] = load(rights_at[i], right.term, k + 8 * warps * step);
        }
      }
#pragma unroll
      for (int step = 0; step < round; ++step) multiply(tiles, operands[step]);
    }
#pragma unroll
    for (int part = 0; part < parts; ++part) {
#pragma unroll
      for (int i = 0; i < blocks; ++i) {
#pragma unroll
        for (int j = 0; j < blocks; ++j) {
          double* to = sums + part * fields * fields + (8 * i + g) * fields + 8 * j + 2 * q;
          to[0] = tiles[part].sums[i][j][0];
          to[1] = tiles[part].sums[i][j][1];
        }
      }
    }
  }

  __device__ __forceinline__ static void multiply(Tile (&tiles)[parts], const Operands& x) {
    const auto add = [&x](Tile& tile, int left_part, int right_part, double sign) {
      tile.template add<0, blocks, 0, blocks>(
          [&](int i) { return x.left[i].real(left_part, sign); },
          [&](int j) { return x.right[j].real(right_part, 1); });
    };
    add(tiles[0], 0, 0, 1);
    if constexpr (is_complex) {
      add(tiles[1], 0, 1, 1);
      add(tiles[0], 1, 1, -1);
      add(tiles[1], 1, 0, 1);
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
