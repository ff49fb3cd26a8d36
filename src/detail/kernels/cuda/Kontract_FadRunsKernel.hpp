// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADRUNSKERNEL_HPP
#define KONTRACT_FADRUNSKERNEL_HPP

#include "Kontract_BulkCopy.hpp"
#include "Kontract_FadRunsPlan.hpp"
#include "Kontract_FadTile.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// A side of a contraction of Fads whose terms, or cells, follow each other.
struct FadRunsSide {
  const double* data;              ///< the lowest number in memory
  std::int64_t begin;              ///< from there to the first one of the first cell
  std::int64_t cell, field, term;  ///< strides
  std::int64_t extent;             ///< from the lowest number to behind the highest
  int fields;                      ///< that there are
  int components;                  ///< derivatives, and the value; numbers have that alone
};

/// Outputs of contractions of Fads, whose components are side by side.
struct FadOutputs {
  double* data;
  std::int64_t cell, row, column;  ///< strides
  bool sum_into;
};

/// Contractions of Fads by matrix instructions and the copy engine: see FadRunsPlan.
/// \tparam derivatives  of a warp, at most
/// \tparam rows_have, columns_have  derivatives: else they are numbers
template <int derivatives, bool rows_have, bool columns_have>
struct FadRunsKernel {
  static constexpr int threads = 32 * FadRunsPlan::most_warps;

  FadRunsSide rows, columns;
  FadOutputs out;
  std::int64_t cells;
  int works;
  int terms;
  FadRunsPlan plan;

  __device__ void operator()() const {
    extern __shared__ __align__(16) double stages_and_outputs[];
    double* const memory = stages_and_outputs;
    __shared__ Ring ring;
    if (threadIdx.x == 0) begin(ring);
    __syncthreads();
    const Lane lane = laneOf();
    const Source source = sourceOf();
    Next next{static_cast<int>(blockIdx.x)};
    beginWork(next, source);
    for (int s = plan.lag(); s < plan.stages; ++s) fill(ring, next, source, memory);
    Tile tile;
    Turn turn;
    for (int i = static_cast<int>(blockIdx.x); i < works; i += static_cast<int>(gridDim.x)) {
      const Place place = placeOf(i);
      const OperandsAt at = operandsAt(lane, place);
      tile.clear();
      for (int term = 0; term < terms; term += plan.terms_each) {
        fill(ring, next, source, memory);
        ring.full[turn.stage].wait(turn.parity);
        const double* const stage = memory + turn.stage * plan.stage_numbers;
        add(tile, stage, at, lane.derivative, min(terms - term, plan.terms_each));
        __syncwarp();
        if (laneNumber() == 0) ring.empty[turn.stage].arrive();
        turn.next(plan.stages);
      }
      store(tile, place, lane, memory + plan.outputsAt());
    }
    waitForRuns();
  }

 private:
  using Tile = FadTile<derivatives, rows_have, columns_have>;

  /// Stages that are filled in turn: each warp copies a part, once all are done with what was
  /// there.
  struct Ring {
    StageBarrier full[FadRunsPlan::most_stages], empty[FadRunsPlan::most_stages];
  };

  /// A place in the ring, and the parity of the phase in which it is used.
  struct Turn {
    int stage = 0;
    unsigned parity = 0;

    __device__ __forceinline__ void next(int stages) {
      if (++stage == stages) {
        stage = 0;
        parity ^= 1;
      }
    }
  };

  /// What a piece of work begins with.
  struct Place {
    std::int64_t cell;
    int row, column;
  };

  /// The run that a thread copies of each piece of work, if that has it: there are no more of them
  /// than threads.
  struct Source {
    const double* data;     ///< of the side
    int cell, field, term;  ///< the first of a piece of work; a negative field: none
    int at;                 ///< in a stage
    bool is_row;
  };

  /// What a thread copies next: some terms of a piece of work.
  struct Next {
    int work;
    int term = 0;
    std::int64_t first = 0;  ///< number of the run, from that term on
    int count = 0;           ///< of a run of cells
    int shift = 0;           ///< from the last multiple of 16 bytes to the run
    bool is_there = false;
    bool is_at_end = false;  ///< of the array, or at its beginning
    Turn turn{};
  };

  /// A tile of a warp, among those of a piece of work, and its first derivative.
  struct Lane {
    int cell, row, column, derivative;
  };
  /// Where a lane finds the first of its terms in a stage: of two rows, and of a column.
  struct OperandsAt {
    int of[3];
  };

  __device__ __forceinline__ static int laneNumber() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ __forceinline__ static int warpNumber() { return static_cast<int>(threadIdx.x) / 32; }

  __device__ __forceinline__ void begin(Ring& ring) const {
    for (int s = 0; s < plan.stages; ++s) {
      ring.full[s].init(plan.warps());
      ring.empty[s].init(plan.warps());
    }
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
  }

  __device__ __forceinline__ Place placeOf(int work) const {
    const int each = plan.column_groups * plan.row_groups;
    if (each == 1) return {std::int64_t(work) * plan.cells_each, 0, 0};
    const int cell = work / each, its = work - cell * each;
    const int row = its / plan.column_groups, column = its - row * plan.column_groups;
    return {std::int64_t(cell) * plan.cells_each, row * plan.rows_each, column * plan.columns_each};
  }

  __device__ __forceinline__ int cellsFrom(std::int64_t first) const {
    return static_cast<int>(min(cells - first, std::int64_t(plan.cells_each)));
  }

  // How stages are filled.

  /// Neighbouring runs are copied by different warps.
  __device__ __forceinline__ Source sourceOf() const {
    const int i = warpNumber() + plan.warps() * laneNumber();
    // Runs of a field are of its terms, or of its cells.
    const int each = plan.are_of_cells ? plan.terms_each : plan.cells_each;
    const int all_rows = each * plan.rows_each;
    const bool is_row = i < all_rows;
    const int its = is_row ? i : i - all_rows;
    const int field = its / each, rest = its - field * each;
    const bool is_there = field < (is_row ? plan.rows_each : plan.columns_each);
    const int cell = plan.are_of_cells ? 0 : rest, term = plan.are_of_cells ? rest : 0;
    return {is_row ? rows.data : columns.data,
            cell,
            is_there ? field : -1,
            term,
            (is_row ? plan.rows : plan.columns).place(cell, field, term),
            is_row};
  }

  __device__ __forceinline__ void beginWork(Next& next, const Source& source) const {
    next.is_there = next.is_at_end = false;
    if (next.work >= works || source.field < 0) return;
    const Place place = placeOf(next.work);
    const FadRunsSide& side = source.is_row ? rows : columns;
    const std::int64_t cell = place.cell + source.cell;
    const int field = (source.is_row ? place.row : place.column) + source.field;
    if (cell >= cells || field >= side.fields) return;
    next.is_there = true;
    next.first = side.begin + cell * side.cell + field * side.field + source.term * side.term;
    // Numbers that all cells share are a run of their own for each field and term.
    const int fads = !plan.are_of_cells ? terms : side.cell == 0 ? 1 : cellsFrom(cell);
    const std::int64_t count = std::int64_t(fads) * side.components;
    next.count = static_cast<int>(count);
    const BulkRun<const double> run{side.data, next.first, next.count};
    next.shift = run.shift();
    // Runs of cells go on to later terms.
    const std::int64_t rest = plan.are_of_cells ? (terms - 1 - source.term) * side.term : 0;
    next.is_at_end = run.readFrom() != 0 || next.first + rest + count >= side.extent;
  }

  /// Asks for the warp's part of what comes next, if there is anything left.
  __device__ __forceinline__ void fill(Ring& ring, Next& next, const Source& source,
                                       double* memory) const {
    if (next.work >= works) return;
    const int stage = next.turn.stage;
    ring.empty[stage].wait(next.turn.parity ^ 1);
    StageBarrier& full = ring.full[stage];
    double* const to = memory + stage * plan.stage_numbers + source.at;
    const FadRunsSide& side = source.is_row ? rows : columns;
    const int count =
        plan.are_of_cells ? next.count : min(terms - next.term, plan.terms_each) * side.components;
    const bool is_there = next.is_there && next.term + source.term < terms;
    if (__any_sync(0xffffffffu, next.is_at_end)) {
      const BulkRun<const double> run{source.data, next.first, count, side.extent};
      const int bytes = __reduce_add_sync(0xffffffffu, is_there ? run.bytesToRead() : 0);
      if (laneNumber() == 0) full.expect(bytes);
      __syncwarp();
      if (is_there) run.read(to, full);
      __syncwarp();
      if (laneNumber() == 0) full.arrive();
    } else {
      // A number more at either end, that others have there, does no harm.
      const int bytes = is_there ? (next.shift + count + 1) / 2 * 16 : 0;
      const int all = __reduce_add_sync(0xffffffffu, bytes);
      if (laneNumber() == 0) full.arriveExpecting(all);
      __syncwarp();
      if (is_there) readRun(to, source.data + next.first - next.shift, bytes, full);
    }
    next.turn.next(plan.stages);
    next.term += plan.terms_each;
    next.first += plan.terms_each * side.term;
    if (next.term >= terms) {
      next.term = 0;
      next.work += static_cast<int>(gridDim.x);
      beginWork(next, source);
    }
  }

  // How they are multiplied.

  /// Of two rows, and of a column.
  __device__ __forceinline__ const FadRunsStage& stageOf(int operand) const {
    return operand == 2 ? plan.columns : plan.rows;
  }

  __device__ __forceinline__ Lane laneOf() const {
    const int of_tile = warpNumber() / plan.warps_of_derivatives;
    const int of_row = of_tile / plan.columnTiles(), cell = of_row / plan.rowTiles();
    return {cell, FadRunsPlan::warp_rows * (of_row - cell * plan.rowTiles()),
            FadRunsPlan::warp_columns * (of_tile - of_row * plan.columnTiles()),
            (warpNumber() - of_tile * plan.warps_of_derivatives) * plan.derivatives_each};
  }

  __device__ __forceinline__ OperandsAt operandsAt(const Lane& lane, const Place& place) const {
    const int g = laneNumber() / 4, q = laneNumber() % 4;
    const int row = plan.rows.fieldOf(g), column = plan.columns.fieldOf(g);
    // Lanes of fields that are not there have the last one, and are forgotten.
    const int fields[3] = {min(lane.row + row, plan.rows_each - 1),
                           min(lane.row + 8 + row, plan.rows_each - 1),
                           min(lane.column + column, plan.columns_each - 1)};
    OperandsAt at;
#pragma unroll
    for (int n = 0; n < 3; ++n) {
      const FadRunsSide& side = n == 2 ? columns : rows;
      const std::int64_t field = (n == 2 ? place.column : place.row) + fields[n];
      const std::int64_t cell = place.cell + (plan.are_of_cells ? 0 : lane.cell);
      const std::int64_t first = side.begin + cell * side.cell + field * side.field +
                                 (plan.are_of_cells ? q * side.term : 0);
      at.of[n] = stageOf(n).place(lane.cell, fields[n], q) +
                 BulkRun<const double>{side.data, first, 0}.shift();
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
    const auto pair = [&](int of, int component) -> TensorPair {
      const bool is_value = component == derivatives;
      const double* const its =
          stage + at.of[of] +
          (is_value ? (of == 2 ? columns : rows).components - 1 : derivative + component);
      const int half = 4 * stageOf(of).term;
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

  // How sums go to memory.

  /// Outputs of a piece of work that lie together, from these on.
  __device__ __forceinline__ BulkRun<double> runOf(const Place& place, int cell, int row,
                                                   int column, int fads) const {
    return {out.data,
            (place.cell + cell) * out.cell + (place.row + row) * out.row +
                (place.column + column) * out.column,
            fads * plan.components};
  }
  /// Where they are in shared memory, but for their shift: neighbours of a run have its place.
  __device__ __forceinline__ int placeOfRun(int cell, int row, int column) const {
    return ((cell * plan.runRows() + row) * plan.runColumns() + column) * plan.runPitch();
  }

  /// Whole Fads come together in shared memory, from where the copy engine takes them.
  __device__ __forceinline__ void store(const Tile& tile, const Place& place, const Lane& lane,
                                        double* outputs) const {
    const int its_rows = min(rows.fields - place.row, plan.rows_each);
    const int its_columns = min(columns.fields - place.column, plan.columns_each);
    const int its_cells = cellsFrom(place.cell);
    const bool of_cells = plan.outputs == plan.OfCells;
    const bool of_rows = plan.outputs == plan.OfRows;
    const bool of_columns = plan.outputs == plan.OfColumns;
    // Those before have been read.
    waitForRunsRead();
    __syncthreads();
    if (lane.cell < its_cells) {
      const int count = min(plan.derivatives_each, plan.components - 1 - lane.derivative);
      tile.forFads(plan.rows, plan.columns, [&](int tile_row, int tile_column, const auto& sum) {
        const int row = lane.row + tile_row, column = lane.column + tile_column;
        if (row >= its_rows || column >= its_columns) return;
        const int c = of_cells ? 0 : lane.cell, r = of_rows ? 0 : row, s = of_columns ? 0 : column;
        const int neighbour = of_cells ? lane.cell : of_rows ? row : of_columns ? column : 0;
        double* const to = outputs + placeOfRun(c, r, s) + runOf(place, c, r, s, 0).shift() +
                           neighbour * plan.components;
#pragma unroll
        for (int n = 0; n < derivatives; ++n) {
          if (n < count) to[lane.derivative + n] = sum(n);
        }
        if (lane.derivative == 0) to[plan.components - 1] = sum(derivatives);
      });
    }
    showToCopyEngine();
    __syncthreads();
    const int fads = of_cells ? its_cells : of_rows ? its_rows : of_columns ? its_columns : 1;
    const int all = plan.runs(), of_cell = plan.runRows() * plan.runColumns();
    for (int i = warpNumber() + plan.warps() * laneNumber(); i < all; i += 32 * plan.warps()) {
      const int cell = i / of_cell, its = i - cell * of_cell;
      const int row = its / plan.runColumns(), column = its - row * plan.runColumns();
      if (cell >= its_cells || row >= its_rows || column >= its_columns) continue;
      const BulkRun<double> run = runOf(place, cell, row, column, fads);
      const double* const from = outputs + placeOfRun(cell, row, column);
      if (out.sum_into) {
        run.template write<true>(from);
      } else {
        run.template write<false>(from);
      }
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
