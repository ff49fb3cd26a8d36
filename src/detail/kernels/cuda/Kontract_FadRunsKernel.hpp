// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADRUNSKERNEL_HPP
#define KONTRACT_FADRUNSKERNEL_HPP

#include "Kontract_FadRunsFeed.hpp"
#include "Kontract_FadRunsOutputs.hpp"
#include "Kontract_FadTile.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// Contractions of Fads by matrix instructions and the copy engine: see FadRunsPlan.
/// \tparam derivatives  of a warp, at most
/// \tparam rows_have, columns_have  derivatives: else they are numbers
template <int derivatives, bool rows_have, bool columns_have>
struct FadRunsKernel {
  static constexpr int threads = 32 * FadRunsPlan::most_warps;

  FadRunsProblem problem;

  __device__ void operator()() const {
    extern __shared__ __align__(16) double stages_and_outputs[];
    double* const memory = stages_and_outputs;
    __shared__ FadRunsRing ring;
    if (threadIdx.x == 0) ring.begin(problem.plan.stages, problem.plan.warps());
    __syncthreads();
    const FadRunsLane lane = laneOf();
    FadRunsFeed feed(problem, ring, memory);
    Tile tile;
    StageTurn turn;
    for (int i = static_cast<int>(blockIdx.x); i < problem.works;
         i += static_cast<int>(gridDim.x)) {
      const FadRunsPlace place = problem.placeOf(i);
      const OperandsAt at = operandsAt(lane, place);
      tile.clear();
      for (int term = 0; term < problem.terms; term += problem.plan.terms_each) {
        feed.fill();
        ring.full[turn.stage].wait(turn.parity);
        const double* const stage = memory + turn.stage * problem.plan.stage_numbers;
        add(tile, stage, at, lane.derivative, min(problem.terms - term, problem.plan.terms_each));
        __syncwarp();
        if (laneNumber() == 0) ring.empty[turn.stage].arrive();
        turn.next(problem.plan.stages);
      }
      FadRunsOutputs(problem).store(tile, place, lane, memory + problem.plan.outputsAt());
    }
    waitForRuns();
  }

 private:
  using Tile = FadTile<derivatives, rows_have, columns_have>;

  /// Where a lane finds the first of its terms in a stage: of two rows, and of a column.
  struct OperandsAt {
    int of[3];
  };

  /// The side of an operand: of two rows, or of a column.
  __device__ __forceinline__ const FadRunsStage& stageOf(int operand) const {
    return operand == 2 ? problem.plan.columns : problem.plan.rows;
  }

  __device__ __forceinline__ FadRunsLane laneOf() const {
    const int of_tile = warpNumber() / problem.plan.warps_of_derivatives;
    const int of_row = of_tile / problem.plan.columnTiles();
    const int cell = of_row / problem.plan.rowTiles();
    return {cell, FadRunsPlan::warp_rows * (of_row - cell * problem.plan.rowTiles()),
            FadRunsPlan::warp_columns * (of_tile - of_row * problem.plan.columnTiles()),
            (warpNumber() - of_tile * problem.plan.warps_of_derivatives) *
                problem.plan.derivatives_each};
  }

  __device__ __forceinline__ OperandsAt operandsAt(const FadRunsLane& lane,
                                                   const FadRunsPlace& place) const {
    const int g = laneNumber() / 4, q = laneNumber() % 4;
    const int row = problem.plan.rows.fieldOf(g), column = problem.plan.columns.fieldOf(g);
    // Lanes of fields that are not there have the last one, and are forgotten.
    const int fields[3] = {min(lane.row + row, problem.plan.rows_each - 1),
                           min(lane.row + 8 + row, problem.plan.rows_each - 1),
                           min(lane.column + column, problem.plan.columns_each - 1)};
    OperandsAt at;
#pragma unroll
    for (int n = 0; n < 3; ++n) {
      const FadRunsSide& side = n == 2 ? problem.columns : problem.rows;
      const int field = (n == 2 ? place.column : place.row) + fields[n];
      // Whether it is odd is all that counts.
      const unsigned cell =
          static_cast<unsigned>(place.cell) + (problem.plan.are_of_cells ? 0 : lane.cell);
      const unsigned first = lowBits(side.begin) + cell * lowBits(side.cell) +
                             field * lowBits(side.field) +
                             (problem.plan.are_of_cells ? q * lowBits(side.term) : 0);
      at.of[n] = stageOf(n).place(lane.cell, fields[n], q) + shiftOf(side.data, first);
    }
    return at;
  }

  /// Adds a stage, of which there are so many terms.
  __device__ __forceinline__ void add(Tile& tile, const double* stage, OperandsAt at,
                                      int derivative, int there) const {
    constexpr int at_a_time = FadRunsPlan::terms_at_a_time;
#pragma unroll 1
    for (; there >= at_a_time; there -= at_a_time) {
      addTerms<true>(tile, stage, at, derivative, at_a_time);
#pragma unroll
      for (int n = 0; n < 3; ++n) at.of[n] += at_a_time * stageOf(n).term;
    }
    if (there > 0) addTerms<false>(tile, stage, at, derivative, there);
  }

  /// Adds eight terms, of which there are all, or so many.
  template <bool are_all>
  __device__ __forceinline__ void addTerms(Tile& tile, const double* stage, const OperandsAt& at,
                                           int derivative, int there) const {
    const int q = laneNumber() % 4;
    const auto pair = [&](int operand, int component) -> TensorPair {
      const bool is_value = component == derivatives;
      const double* const its =
          stage + at.of[operand] +
          (is_value ? (operand == 2 ? problem.columns : problem.rows).components - 1
                    : derivative + component);
      const int half = 4 * stageOf(operand).term;
      if constexpr (are_all) return {its[0], its[half]};
      return {q < there ? its[0] : 0, q + 4 < there ? its[half] : 0};
    };
    tile.add(
        derivative == 0,
        [&](int component) -> typename Tile::Rows {
          return {{pair(0, component), pair(1, component)}};
        },
        [&](int component) { return pair(2, component); });
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
