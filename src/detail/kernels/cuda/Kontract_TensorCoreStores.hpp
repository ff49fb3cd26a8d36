// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORCORESTORES_HPP
#define KONTRACT_TENSORCORESTORES_HPP

#include "Kontract_StagedOutput.hpp"
#include "Kontract_TensorCoreOperands.hpp"
#include "Kontract_TensorTile.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// How warps write sums, by way of shared memory.
template <class T, Rows rows, int lefts, int rights>
struct TensorCoreStores {
  using Operands = TensorCoreOperands<T, rows>;
  using Real = typename Operands::Real;
  using Tile = TensorTile<lefts, rights>;
  static constexpr bool is_complex = Operands::is_complex;
  static constexpr int sums = Operands::sums;
  static constexpr int tile_lefts = 8 * lefts, tile_rights = 8 * rights;  ///< fields of a warp
  /// A row of sums in shared memory, on their way out, and what keeps rows in different banks.
  static constexpr int staged_row = tile_rights + (sizeof(T) == 8 ? 1 : rights % 2 == 0 ? 8 : 0);
  /// Blocks of eight right fields whose sums of cells side by side are in shared memory at a time.
  static constexpr int staged_rights = (rights + 1) / 2;

  const StagedOutput<T>& out;
  const StagePlan& plan;
  const TensorWarps& warps;

  /// Eight rows of sums at a time go through shared memory, so that a warp writes whole lines.
  __device__ __forceinline__ void storeCell(const Tile (&tiles)[sums], const StageWork& work,
                                            const ThreadCoordinates& thread, char* memory) const {
    T* staged = reinterpret_cast<T*>(memory) + (threadIdx.x / 32) * 8 * staged_row;
    const int lane = threadIdx.x % 32;
    const std::int64_t cell = work.cell + thread.cell;
    const std::int64_t first_left = work.left + thread.left * tile_lefts;
    const std::int64_t first_right = work.right + thread.right * tile_rights;
    const std::int64_t left_over = out.rights - first_right;
    const int columns = left_over < tile_rights ? static_cast<int>(left_over) : tile_rights;
    if (cell >= out.cells || columns <= 0) return;
    const bool is_one_run = out.right == 1 && out.left == columns;
    const bool is_by_rows = tile_rights == 32 && columns > 16 && !is_one_run;
    T* to = out.data + cell * out.cell + first_left * out.left + first_right * out.right;
#pragma unroll
    for (int i = 0; i < lefts; ++i, to += 8 * out.left) {
      const std::int64_t rows_over = out.lefts - first_left - 8 * i;
      if (rows_over <= 0) break;
      const int rows_there = rows_over < 8 ? static_cast<int>(rows_over) : 8;
      __syncwarp();
#pragma unroll
      for (int j = 0; j < rights; ++j) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          staged[Operands::rowOf(thread.g) * staged_row + 8 * j +
                 Operands::rowOf(2 * thread.q + h)] = sumOf(tiles, i, j, h);
        }
      }
      __syncwarp();
      if (is_by_rows) {
        putRows(staged + lane, to + lane * out.right, lane < columns ? rows_there : 0);
      } else {
        putRun(staged, to, rows_there * columns, columns, is_one_run);
      }
    }
  }

  /// All warps of a block bring their cells together in shared memory, so that whole lines of cells
  /// are written.
  __device__ __forceinline__ void storeCells(const Tile (&tiles)[sums], const StageWork& work,
                                             const ThreadCoordinates& thread, char* memory) const {
    constexpr int cells = row_bytes / static_cast<int>(sizeof(T)), in_tile = 8 * staged_rights;
    const int threads = 32 * plan.consumers, columns = warps.rights * in_tile;
    // A thread writes one cell and column of lines of columns, for which no division is needed.
    const int cell_at = threadIdx.x % cells, row_at = threadIdx.x / cells;
    const int line_at = row_at / columns, lines = threads / cells / columns;
    const int column_at = row_at % columns;
    const std::int64_t cell = work.cell + cell_at;
    const bool is_there = cell < out.cells && cell_at < plan.cells_each;
    const std::int64_t r_at = work.right + column_at / in_tile * tile_rights + column_at % in_tile;
    T* to = out.data + cell * out.cell + r_at * out.right;
    if constexpr (rows == Rows::OfComponents) to += work.component * out.component;
    const auto addressOf = [&](int line, int column, int bytes) {
      return memory + (line * columns + column) * row_bytes + (bytes ^ ((column ^ line) & 7) << 4);
    };
#pragma unroll
    for (int i = 0; i < lefts; ++i) {
#pragma unroll
      for (int first = 0; first < rights; first += staged_rights) {
#pragma unroll
        for (int j = first; j < first + staged_rights; ++j) {
#pragma unroll
          for (int h = 0; h < 2; ++h) {
            Chunk chunk;
            if constexpr (is_complex) {
              chunk =
                  *reinterpret_cast<const Chunk*>(&static_cast<const T&>(sumOf(tiles, i, j, h)));
            } else {
              chunk.reals[0] = Real(tiles[0].sums[i][j][h]);
              chunk.reals[1] = Real(tiles[sums - 1].sums[i][j][h]);
            }
            const int column = thread.right * in_tile + 8 * (j - first) + 2 * thread.q + h;
            *reinterpret_cast<Chunk*>(
                addressOf(thread.left * 8 + thread.g, column, thread.cell * 16)) = chunk;
          }
        }
        asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
        if (is_there && r_at + 8 * first < out.rights) {
#pragma unroll 4
          for (int line = line_at; line < 8 * warps.lefts; line += lines) {
            const std::int64_t l = work.left + line / 8 * tile_lefts + 8 * i + line % 8;
            if (l >= out.lefts) continue;
            out.put(to[l * out.left + 8 * first * out.right],
                    *reinterpret_cast<const T*>(
                        addressOf(line, column_at, cell_at * static_cast<int>(sizeof(T)))));
          }
        }
        asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
      }
    }
  }

 private:
  struct alignas(16) Chunk {
    Real reals[16 / sizeof(Real)];
  };

  /// The sum of a lane, in the output's precision.
  __device__ __forceinline__ static T sumOf(const Tile (&tiles)[sums], int i, int j, int h) {
    if constexpr (is_complex) {
      return T(Real(tiles[0].sums[i][j][h]), Real(tiles[sums - 1].sums[i][j][h]));
    } else {
      return T(tiles[0].sums[i][j][h]);
    }
  }

  /// Writes a row of sums at a time, one by each lane.
  __device__ __forceinline__ void putRows(const T* staged, T* to, int count) const {
    T sum[8];
#pragma unroll
    for (int row = 0; row < 8; ++row) sum[row] = staged[row * staged_row];
#pragma unroll
    for (int row = 0; row < 8; ++row, to += out.left) {
      if (row < count) out.put(*to, sum[row]);
    }
  }

  /// Writes short rows of sums on end.
  __device__ __forceinline__ void putRun(const T* staged, T* to, int count, int columns,
                                         bool is_one_run) const {
    const unsigned reciprocal = 65536u / columns + 1;  // exact for sums of eight rows
    for (int at = threadIdx.x % 32; at < count; at += 32) {
      const int row = static_cast<int>(at * reciprocal >> 16), column = at - row * columns;
      T& element = is_one_run ? to[at] : to[row * out.left + column * out.right];
      out.put(element, staged[row * staged_row + column]);
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
