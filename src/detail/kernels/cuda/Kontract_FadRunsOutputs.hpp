// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADRUNSOUTPUTS_HPP
#define KONTRACT_FADRUNSOUTPUTS_HPP

#include "Kontract_BulkCopy.hpp"
#include "Kontract_FadRunsProblem.hpp"
#include "Kontract_FadTile.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// A tile of a warp, among those of a piece of work, and its first derivative.
struct FadRunsLane {
  int cell, row, column, derivative;
};

/// How sums go to memory.
class FadRunsOutputs {
 public:
  __device__ __forceinline__ explicit FadRunsOutputs(const FadRunsProblem& problem)
      : _problem(problem) {}

  /// Whole Fads come together in shared memory, from where the copy engine takes them.
  template <class Tile>
  __device__ __forceinline__ void store(const Tile& tile, const FadRunsPlace& place,
                                        const FadRunsLane& lane, double* outputs) const {
    constexpr int derivatives = Tile::components - 1;
    const int its_rows = min(_problem.rows.fields - place.row, _problem.plan.rows_each);
    const int its_columns = min(_problem.columns.fields - place.column, _problem.plan.columns_each);
    const int its_cells = _problem.cellsFrom(place.cell);
    const bool of_cells = _problem.plan.outputs == FadRunsPlan::OfCells;
    const bool of_rows = _problem.plan.outputs == FadRunsPlan::OfRows;
    const bool of_columns = _problem.plan.outputs == FadRunsPlan::OfColumns;
    // Those before have been read.
    waitForRunsRead();
    __syncthreads();
    if (lane.cell < its_cells) {
      const int count =
          min(_problem.plan.derivatives_each, _problem.plan.components - 1 - lane.derivative);
      tile.forFads(
          _problem.plan.rows, _problem.plan.columns,
          [&](int tile_row, int tile_column, const auto& sum) {
            const int row = lane.row + tile_row, column = lane.column + tile_column;
            if (row >= its_rows || column >= its_columns) return;
            // The run, and where its neighbours are.
            const int c = of_cells ? 0 : lane.cell, r = of_rows ? 0 : row;
            const int s = of_columns ? 0 : column;
            const int neighbour = of_cells ? lane.cell : of_rows ? row : of_columns ? column : 0;
            double* const to = outputs + placeOfRun(c, r, s) + shiftOfRun(place, c, r, s) +
                               neighbour * _problem.plan.components;
#pragma unroll
            for (int n = 0; n < derivatives; ++n) {
              if (n < count) to[lane.derivative + n] = sum(n);
            }
            if (lane.derivative == 0) to[_problem.plan.components - 1] = sum(derivatives);
          });
    }
    showToCopyEngine();
    __syncthreads();
    const int fads = of_cells ? its_cells : of_rows ? its_rows : of_columns ? its_columns : 1;
    const int all = _problem.plan.runs();
    for (int i = warpNumber() + _problem.plan.warps() * laneNumber(); i < all;
         i += 32 * _problem.plan.warps()) {
      std::uint32_t rest = static_cast<std::uint32_t>(i);
      const int column = static_cast<int>(_problem.by_run_columns.takeFrom(rest));
      const int row = static_cast<int>(_problem.by_run_rows.takeFrom(rest));
      const int cell = static_cast<int>(rest);
      if (cell >= its_cells || row >= its_rows || column >= its_columns) continue;
      const BulkRun<double> run = runOf(place, cell, row, column, fads);
      const double* const from = outputs + placeOfRun(cell, row, column);
      if (_problem.out.sum_into) {
        run.template write<true>(from);
      } else {
        run.template write<false>(from);
      }
    }
  }

 private:
  /// Outputs of a piece of work that lie together, from these on.
  __device__ __forceinline__ BulkRun<double> runOf(const FadRunsPlace& place, int cell, int row,
                                                   int column, int fads) const {
    return {_problem.out.data,
            (place.cell + cell) * _problem.out.cell + (place.row + row) * _problem.out.row +
                (place.column + column) * _problem.out.column,
            fads * _problem.plan.components};
  }
  /// Where they are in shared memory, but for their shift: neighbours of a run have its place.
  __device__ __forceinline__ int placeOfRun(int cell, int row, int column) const {
    return ((cell * _problem.run_rows + row) * _problem.run_columns + column) * _problem.run_pitch;
  }

  /// From the last multiple of 16 bytes to their first.
  __device__ __forceinline__ int shiftOfRun(const FadRunsPlace& place, int cell, int row,
                                            int column) const {
    return shiftOf(_problem.out.data,
                   (static_cast<unsigned>(place.cell) + cell) * lowBits(_problem.out.cell) +
                       (place.row + row) * lowBits(_problem.out.row) +
                       (place.column + column) * lowBits(_problem.out.column));
  }

  const FadRunsProblem& _problem;
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
