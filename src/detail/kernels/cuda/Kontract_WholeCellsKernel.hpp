// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_WHOLECELLSKERNEL_HPP
#define KONTRACT_WHOLECELLSKERNEL_HPP

#include "Kontract_BulkCopy.hpp"
#include "Kontract_CellPieces.hpp"
#include "Kontract_TensorTile.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// Contractions of cells as a whole. The copy engine moves runs of memory, whatever the lengths of
/// their rows: one thread asks for inputs, one has sums written, and all other warps of the block
/// take tiles of sums in turn, each by matrix instructions.
///
/// Complex numbers are pairs of reals. A right field has two columns of sums then: the terms of the
/// first, which is real, are (re, -im), those of the second (im, re).
/// \tparam reals  of a number: 2 if it is complex
/// \tparam lefts, rights  blocks of eight left fields, and of columns, in the tile of a warp
/// \tparam pairs  whether two reals are read at a time: rows have an even number of them, and so
///   are they aligned; sums of complex numbers too
template <class Real, int reals, int lefts, int rights, bool pairs>
struct WholeCellsKernel {
  static constexpr int consumers = CellPieces::consumers(lefts * rights, sizeof(Real));
  static constexpr int threads = 32 * (consumers + 2);

  const Real* left;
  const Real* right;
  Real* out;
  CellPieces plan;
  bool sum_into;

  __device__ void operator()() const {
    extern __shared__ __align__(128) char stages_and_sums[];
    __shared__ Barriers barriers;
    if (threadIdx.x == 0) begin(barriers);
    __syncthreads();
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const bool is_first_lane = threadIdx.x % 32 == 0;
    if (warp < consumers) {
      compute(stages_and_sums, barriers, warp);
    } else if (is_first_lane && warp == consumers) {
      readInputs(stages_and_sums, barriers);
    } else if (is_first_lane) {
      writeSums(stages_and_sums, barriers);
    }
  }

 private:
  using Tile = TensorTile<lefts, rights>;

  struct Barriers {
    StageBarrier full[CellPieces::most_stages], empty[CellPieces::most_stages];
    StageBarrier summed[CellPieces::most_stages], written[CellPieces::most_stages];
  };

  __device__ void begin(Barriers& barriers) const {
    for (int s = 0; s < plan.stages; ++s) {
      barriers.full[s].init(1);
      barriers.empty[s].init(consumers);
    }
    for (int s = 0; s < plan.sum_stages; ++s) {
      barriers.summed[s].init(consumers);
      barriers.written[s].init(1);
    }
    showBarriersToCopyEngine();
  }

  __device__ __forceinline__ BulkRun<const Real> runOfLefts(const CellsOfPiece& piece) const {
    return {left, (piece.cell * plan.lefts + piece.left) * plan.terms,
            piece.cells * piece.lefts * plan.terms};
  }
  __device__ __forceinline__ BulkRun<const Real> runOfRights(const CellsOfPiece& piece) const {
    return {right, piece.cell * plan.rights * plan.terms, piece.cells * plan.rights * plan.terms};
  }
  __device__ __forceinline__ BulkRun<Real> runOfSums(const CellsOfPiece& piece) const {
    return {out, (piece.cell * plan.lefts + piece.left) * plan.columns,
            piece.cells * piece.lefts * plan.columns};
  }

  __device__ void readInputs(char* memory, Barriers& barriers) const {
    StageTurn turn;
    for (std::int64_t i = blockIdx.x; i < plan.pieces; i += gridDim.x) {
      barriers.empty[turn.stage].wait(turn.parity ^ 1);
      const CellsOfPiece piece = plan.piece(i);
      const auto of_lefts = runOfLefts(piece), of_rights = runOfRights(piece);
      StageBarrier& full = barriers.full[turn.stage];
      char* stage = memory + turn.stage * plan.stage_bytes;
      full.expect(of_lefts.bytesToRead() + of_rights.bytesToRead());
      of_lefts.read(reinterpret_cast<Real*>(stage), full);
      of_rights.read(reinterpret_cast<Real*>(stage + plan.right_at), full);
      full.arrive();
      turn.next(plan.stages);
    }
  }

  __device__ void writeSums(char* memory, Barriers& barriers) const {
    StageTurn turn;
    for (std::int64_t i = blockIdx.x; i < plan.pieces; i += gridDim.x) {
      barriers.summed[turn.stage].wait(turn.parity);
      const BulkRun<Real> sums = runOfSums(plan.piece(i));
      if (sum_into) {
        sums.template write<true>(sumsAt(memory, turn.stage));
      } else {
        sums.template write<false>(sumsAt(memory, turn.stage));
      }
      waitForRunsRead();
      barriers.written[turn.stage].arrive();
      turn.next(plan.sum_stages);
    }
    waitForRuns();
  }

  __device__ __forceinline__ Real* sumsAt(char* memory, int stage) const {
    return reinterpret_cast<Real*>(memory + plan.sums_at + stage * plan.sums_bytes);
  }

  /// A lane's field of eight, which of four it is, and its terms of sixteen.
  struct Lane {
    int g, q, even, odd;
  };
  __device__ __forceinline__ Lane laneOf(int lane) const {
    const int q = lane % 4;
    return {lane / 4, q, TermsOfLanes::first(plan.order, q, 0),
            TermsOfLanes::first(plan.order, q, 1)};
  }

  /// Which tile of a piece: of a cell, or two.
  struct TileOfPiece {
    int group, row, column;
  };
  __device__ __forceinline__ TileOfPiece tileOf(int i) const {
    const int row = i / plan.right_tiles, group = row / plan.left_tiles;
    return {group, row - group * plan.left_tiles, i - row * plan.right_tiles};
  }
  __device__ __forceinline__ void advance(TileOfPiece& tile, const TileOfPiece& by) const {
    tile.group += by.group;
    tile.row += by.row;
    tile.column += by.column;
    if (tile.column >= plan.right_tiles) {
      tile.column -= plan.right_tiles;
      ++tile.row;
    }
    if (tile.row >= plan.left_tiles) {
      tile.row -= plan.left_tiles;
      ++tile.group;
    }
  }

  /// Fields of a tile: of a cell, or of two cells side by side.
  struct RowsOfTile {
    const Real* left;
    const Real* right;
    Real* sums;  ///< of the first of these fields
    int left_rows, columns;
    bool is_pair;
  };

  __device__ void compute(char* memory, Barriers& barriers, int warp) const {
    const Lane lane = laneOf(static_cast<int>(threadIdx.x) % 32);
    const int tiles_of_group = plan.left_tiles * plan.right_tiles;
    const TileOfPiece all_warps = tileOf(consumers);
    int dealt = 0;  // tiles of pieces before, which warps have taken in turn
    StageTurn turn, sums_turn;
    for (std::int64_t i = blockIdx.x; i < plan.pieces; i += gridDim.x) {
      const CellsOfPiece piece = plan.piece(i);
      barriers.full[turn.stage].wait(turn.parity);
      barriers.written[sums_turn.stage].wait(sums_turn.parity ^ 1);
      const char* stage = memory + turn.stage * plan.stage_bytes;
      const Real* of_lefts = reinterpret_cast<const Real*>(stage) + runOfLefts(piece).shift();
      const Real* of_rights =
          reinterpret_cast<const Real*>(stage + plan.right_at) + runOfRights(piece).shift();
      Real* sums = sumsAt(memory, sums_turn.stage) + runOfSums(piece).shift();
      const int groups = (piece.cells + plan.cells_of_tile - 1) / plan.cells_of_tile;
      int first = warp - dealt;
      if (first < 0) first += consumers;
      for (TileOfPiece tile = tileOf(first); tile.group < groups; advance(tile, all_warps)) {
        const int cell = tile.group * plan.cells_of_tile;
        const int l = 8 * lefts * tile.row, r = 8 * rights * tile.column;
        const int cells = plan.cells_of_tile == 2 && cell + 1 < piece.cells ? 2 : 1;
        const int left_row = cell * piece.lefts + l, left_rows = cells * piece.lefts - l;
        if (left_rows > 0) {
          computeTile(
              {of_lefts + left_row * plan.terms,
               of_rights + (cell * plan.rights + r / reals) * plan.terms,
               sums + left_row * plan.columns + r, left_rows, cells * plan.columns - r, cells == 2},
              piece.lefts, lane);
        }
      }
      dealt = (dealt + groups * tiles_of_group) % consumers;
      showToCopyEngine();
      __syncwarp();
      if (lane.g + lane.q == 0) {
        barriers.empty[turn.stage].arrive();
        barriers.summed[sums_turn.stage].arrive();
      }
      turn.next(plan.stages);
      sums_turn.next(plan.sum_stages);
    }
  }

  struct Operands {
    PairOfTerms<Real, pairs> left[lefts], right[rights];
  };

  __device__ __forceinline__ void computeTile(const RowsOfTile& rows, int cell_lefts,
                                              const Lane& lane) const {
    // Rows beyond the last field are those of the last one, and forgotten.
    const auto rowOf = [&lane](int block, int there) {
      const int row = 8 * block + lane.g;
      return row < there ? row : there - 1;
    };
    const Real* lefts_at[lefts];
    const Real* rights_at[rights];
#pragma unroll
    for (int i = 0; i < lefts; ++i) lefts_at[i] = rows.left + rowOf(i, rows.left_rows) * plan.terms;
#pragma unroll
    for (int j = 0; j < rights; ++j) {
      rights_at[j] = rows.right + rowOf(j, rows.columns) / reals * plan.terms;
    }
    Tile tile;
    tile.clear();
    addTerms(tile, lefts_at, rights_at, lane);
    if (lefts * rights == 1 && rows.is_pair) {
      storePair(tile, rows, cell_lefts, lane.g, 2 * lane.q);
    } else {
      store(tile, rows, lane.g, 2 * lane.q);
    }
  }

  /// Adds sixteen terms at a time, in the order that suits the banks, and what is left over side by
  /// side. Other warps compute while one reads.
  __device__ __forceinline__ void addTerms(Tile& tile, const Real* const (&lefts_at)[lefts],
                                           const Real* const (&rights_at)[rights],
                                           const Lane& lane) const {
    const auto load = [&](Operands& operands, int at) {
#pragma unroll
      for (int i = 0; i < lefts; ++i) operands.left[i].load(lefts_at[i] + at);
#pragma unroll
      for (int j = 0; j < rights; ++j) operands.right[j].load(rights_at[j] + at);
    };
    const auto load_rest = [&](Operands& operands, int at) {
#pragma unroll
      for (int i = 0; i < lefts; ++i) operands.left[i].load(lefts_at[i], at, plan.terms);
#pragma unroll
      for (int j = 0; j < rights; ++j) operands.right[j].load(rights_at[j], at, plan.terms);
    };
    const auto multiply = [&](const Operands& operands) {
      using Pair = typename Tile::Pair;
      tile.template add<0, lefts, 0, rights>(
          [&](int i) { return operands.left[i].template inDouble<Pair>(); },
          [&](int j) { return termsOfColumn<Pair>(operands.right[j], lane); });
    };
    const int end = plan.terms / 16 * 16;
#pragma unroll 1
    for (int k = 0; k < end; k += 16) {
      Operands first, second;
      load(first, k + lane.even);
      load(second, k + lane.odd);
      multiply(first);
      multiply(second);
    }
#pragma unroll 1
    for (int k = end; k < plan.terms; k += 8) {
      Operands rest;
      load_rest(rest, k + 2 * lane.q);
      multiply(rest);
    }
  }

  /// Two terms of a lane's column.
  template <class Pair>
  __device__ __forceinline__ static Pair termsOfColumn(const PairOfTerms<Real, pairs>& pair,
                                                       const Lane& lane) {
    const Pair terms = pair.template inDouble<Pair>();
    if constexpr (reals == 1) return terms;
    return lane.g % 2 == 0 ? Pair{terms.first, -terms.second} : Pair{terms.second, terms.first};
  }

  __device__ __forceinline__ void store(const Tile& tile, const RowsOfTile& rows, int g,
                                        int column) const {
#pragma unroll
    for (int i = 0; i < lefts; ++i) {
      const int l = 8 * i + g;
      if (l >= rows.left_rows) continue;
      Real* to = rows.sums + l * plan.columns;
#pragma unroll
      for (int j = 0; j < rights; ++j) {
        const int r = 8 * j + column;
        const Real first = Real(tile.sums[i][j][0]), second = Real(tile.sums[i][j][1]);
        if constexpr (reals == 2 && pairs) {
          using Two = typename PairOfTerms<Real, pairs>::Two;
          if (r < rows.columns) *reinterpret_cast<Two*>(to + r) = Two{first, second};
        } else {
          if (r < rows.columns) to[r] = first;
          if (r + 1 < rows.columns) to[r + 1] = second;
        }
      }
    }
  }

  /// Of two cells: what one of them has on either side.
  __device__ __forceinline__ void storePair(const Tile& tile, const RowsOfTile& rows,
                                            int cell_lefts, int l, int column) const {
    if (l >= rows.left_rows) return;
    const int first = l < cell_lefts ? 0 : plan.columns;
    Real* to = rows.sums + l * plan.columns;
    for (int h = 0; h < 2; ++h) {
      const int r = column + h - first;
      if (r >= 0 && r < plan.columns) to[r] = Real(tile.sums[0][0][h]);
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
