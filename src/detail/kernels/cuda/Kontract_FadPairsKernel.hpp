// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADPAIRSKERNEL_HPP
#define KONTRACT_FADPAIRSKERNEL_HPP

#include "Kontract_FadPairsPlan.hpp"
#include "Kontract_FadTile.hpp"
#include "Kontract_StagedSide.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// Contractions of Fads with Fads by matrix instructions: see FadPairsPlan.
/// \tparam derivatives  of a group, at most
template <int derivatives>
struct FadPairsKernel {
  static constexpr int threads = 32 * FadPairsPlan::most_warps;
  static constexpr int components = derivatives + 1;  ///< the last is the value

  enum Side { rows, columns };
  StagedSide side[2];
  FadPairsStage stage[2];

  double* out;
  std::int64_t out_cell, out_row, out_column;  ///< strides; components are side by side
  bool has_column_neighbours;                  ///< of outputs: else rows are
  bool sum_into;
  std::int64_t works;
  std::int64_t value;  ///< the number of the component that is the value
  FadPairsPlan plan;

  __device__ void operator()() const {
    extern __shared__ __align__(16) double stages_and_lists[];
    double* const memory = stages_and_lists;
    double* const lists = memory + plan.listsAt();
    Copies copies[] = {
        copiesOf(rows, lists),
        copiesOf(columns, lists + static_cast<int>(blockDim.x) * side[rows].numbers)};
    Next next{blockIdx.x, 0, 0};
    beginWork(next, copies);
    fill(next, copies, memory);
    const Lane lane = this->lane();
    Tile tile;
    int which = 0;
    for (std::int64_t i = blockIdx.x; i < works; i += gridDim.x) {
      const Place place = placeOf(i);
      tile.clear();
      const int parts = this->parts();
      for (int part = 0; part < parts; ++part) {
        waitForCopies();
        __syncthreads();
        fill(next, copies, memory);
        if (lane.is_busy) {
          add(tile, place.derivative == 0, lane, memory + which * plan.stage_numbers);
        }
        which ^= 1;
      }
      __syncthreads();
      // What has been added last is read no more.
      store(tile, place, lane, memory + (which ^ 1) * plan.stage_numbers);
    }
  }

 private:
  using Tile = FadTile<derivatives, true, true>;
  using Copies = StagedCopies<FadPairsPlan::terms_each, 0, true>;

  /// What a piece of work begins with.
  struct Place {
    std::int64_t cell;
    int row, column, derivative;
  };
  /// What is copied next.
  struct Next {
    std::int64_t work;
    int term, stage;
  };

  __device__ __forceinline__ Copies copiesOf(Side which, double* list) const {
    return Copies(side[which], list, [&](int cell, int field, int component, int term) {
      return stage[which].place(cell, field, component, term);
    });
  }

  __device__ __forceinline__ Place placeOf(std::int64_t work) const {
    const int each = plan.derivative_groups * plan.column_groups * plan.row_groups;
    const std::int64_t cell = each == 1 ? work : work / each;
    const unsigned its = static_cast<unsigned>(work - cell * each);
    const unsigned of_columns = its / plan.derivative_groups;
    const unsigned derivative = its - of_columns * plan.derivative_groups;
    const unsigned row = of_columns / plan.column_groups;
    const unsigned column = of_columns - row * plan.column_groups;
    return {cell * plan.cells_each, int(row) * plan.rows_each, int(column) * plan.columns_each,
            int(derivative) * plan.derivatives_each};
  }
  /// Stages of a piece of work.
  __device__ __forceinline__ int parts() const {
    return (terms() + FadPairsPlan::terms_each - 1) / FadPairsPlan::terms_each;
  }
  __device__ __forceinline__ int terms() const {
    return static_cast<int>(side[rows].index[StagedSide::terms].extent);
  }

  __device__ __forceinline__ void beginWork(const Next& next, Copies (&copies)[2]) const {
    if (next.work >= works) return;
    const Place place = placeOf(next.work);
    copies[rows].begin(side[rows], place.cell, place.row, place.derivative);
    copies[columns].begin(side[columns], place.cell, place.column, place.derivative);
  }

  /// Asks for the next stage, if there is one, and goes on to the one after it.
  __device__ __forceinline__ void fill(Next& next, Copies (&copies)[2], double* memory) const {
    if (next.work >= works) return;
#pragma unroll
    for (int n = 0; n < 2; ++n) {
      copies[n].copy(side[n], memory + next.stage * plan.stage_numbers, terms() - next.term);
    }
    next.stage ^= 1;
    next.term += FadPairsPlan::terms_each;
    if (next.term >= terms()) {
      next.term = 0;
      next.work += gridDim.x;
      beginWork(next, copies);
    }
  }

  /// What a lane has, and where it finds the operands of its components and values in a stage.
  struct Lane {
    bool is_busy;
    int cell, row, column;  ///< of the warp's tile, among those of the piece of work
    int g, q;
    int at[2], values[2];
    int second_row;  ///< from the first to the other one of those that it reads
  };
  __device__ __forceinline__ Lane lane() const {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int number = static_cast<int>(threadIdx.x) % 32;
    const int tiles = plan.tilesOfCell();
    Lane lane;
    lane.cell = warp / tiles;
    lane.is_busy = lane.cell < plan.cells_each;
    const int tile = warp - lane.cell * tiles;
    lane.row = tile / plan.columnTiles();
    lane.column = tile - lane.row * plan.columnTiles();
    lane.row *= FadPairsPlan::warp_rows;
    lane.column *= FadPairsPlan::warp_columns;
    lane.g = number / 4;
    lane.q = number % 4;
    // Lanes of fields that are not there have the last one, and are forgotten.
    const int row = min(lane.row + lane.g, plan.rows_each - 1);
    const int column = min(lane.column + lane.g, plan.columns_each - 1);
    lane.second_row =
        FadPairsStage::half_terms * (min(lane.row + 8 + lane.g, plan.rows_each - 1) - row);
    const int fields[2] = {row, column};
#pragma unroll
    for (int n = 0; n < 2; ++n) {
      lane.at[n] = stage[n].place(lane.cell, fields[n], 0, lane.q);
      lane.values[n] = stage[n].place(lane.cell, fields[n], plan.derivatives_each, lane.q);
    }
    return lane;
  }

  /// Adds a stage.
  __device__ __forceinline__ void add(Tile& tile, bool has_value, const Lane& lane,
                                      const double* from) const {
    const int row_half = stage[rows].half(), column_half = stage[columns].half();
    const auto at = [&](Side side, int component) {
      return from + (component == derivatives
                         ? lane.values[side]
                         : lane.at[side] + component * stage[side].component());
    };
    tile.add(
        has_value,
        [&](int component) -> typename Tile::Rows {
          const double* const row = at(rows, component);
          const double* const second = row + lane.second_row;
          return {{{row[0], row[row_half]}, {second[0], second[row_half]}}};
        },
        [&](int component) -> TensorPair {
          const double* const column = at(columns, component);
          return {column[0], column[column_half]};
        });
  }

  /// Stores sums by way of shared memory, so that neighbouring lanes have neighbouring components.
  __device__ __forceinline__ void store(const Tile& tile, const Place& place, const Lane& lane,
                                        double* memory) const {
    if (!lane.is_busy || place.cell + lane.cell >= side[rows].index[StagedSide::cells].extent) {
      return;
    }
    constexpr int numbers = 64 * components;
    double* const mine = memory + threadIdx.x / 32 * numbers;
    const int first_column = place.column + lane.column;
    const int its_columns = min(plan.columns_each - lane.column,
                                int(side[columns].index[StagedSide::fields].extent) - first_column);
    double* const to = out + (place.cell + lane.cell) * out_cell + first_column * out_column;
    const int count = min(plan.derivatives_each, int(value) - place.derivative);
    const bool has_value = place.derivative == 0;
    const int row_step = has_column_neighbours ? 8 : 1, column_step = has_column_neighbours ? 1 : 8;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = lane.row + 8 * half, first_row = place.row + row;
      const int its_rows =
          min(plan.rows_each - row, int(side[rows].index[StagedSide::fields].extent) - first_row);
      if (its_rows <= 0) break;
      __syncwarp();
#pragma unroll
      for (int n = 0; n < components; ++n) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          mine[(lane.g * row_step + (2 * lane.q + h) * column_step) * components + n] =
              tile.sum(n, half, h);
        }
      }
      __syncwarp();
      double* const to_rows = to + first_row * out_row;
#pragma unroll 4
      for (int i = static_cast<int>(threadIdx.x) % 32; i < numbers; i += 32) {
        const int place_of = i / components, component = i - place_of * components;
        const int outer = place_of / 8, inner = place_of % 8;
        const int its_row = has_column_neighbours ? outer : inner;
        const int its_column = has_column_neighbours ? inner : outer;
        const bool is_value = component == derivatives;
        if ((is_value ? has_value : component < count) && its_row < its_rows &&
            its_column < its_columns) {
          double& element = to_rows[its_row * out_row + its_column * out_column +
                                    (is_value ? value : place.derivative + component)];
          element = sum_into ? element + mine[i] : mine[i];
        }
      }
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
