// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADRUNSFEED_HPP
#define KONTRACT_FADRUNSFEED_HPP

#include "Kontract_BulkCopy.hpp"
#include "Kontract_FadRunsProblem.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// Stages that are filled in turn: each warp copies a part, once all are done with what was there.
struct FadRunsRing {
  StageBarrier full[FadRunsPlan::most_stages], empty[FadRunsPlan::most_stages];

  /// One thread calls it, before any other uses the ring.
  __device__ __forceinline__ void begin(int stages, int warps) {
    for (int s = 0; s < stages; ++s) {
      full[s].init(warps);
      empty[s].init(warps);
    }
    showBarriersToCopyEngine();
  }
};

/// What fills the stages of a block, a part by each of its threads.
class FadRunsFeed {
 public:
  __device__ __forceinline__ FadRunsFeed(const FadRunsProblem& problem, FadRunsRing& ring,
                                         double* memory)
      : _problem(problem), _ring(ring), _memory(memory), _source(sourceOf(problem)) {
    beginWork();
    for (int s = problem.plan.lag(); s < problem.plan.stages; ++s) fill();
  }

  /// Asks for the warp's part of what comes next, if there is anything left.
  __device__ __forceinline__ void fill() {
    if (_next.work >= _problem.works) return;
    const int stage = _next.turn.stage;
    _ring.empty[stage].wait(_next.turn.parity ^ 1);
    StageBarrier& full = _ring.full[stage];
    double* const to = _memory + stage * _problem.plan.stage_numbers + _source.at;
    const FadRunsSide& side = _source.is_row ? _problem.rows : _problem.columns;
    const int count =
        _problem.plan.are_of_cells
            ? _next.count
            : min(_problem.terms - _next.term, _problem.plan.terms_each) * side.components;
    const bool is_there = _next.is_there && _next.term + _source.term < _problem.terms;
    if (__any_sync(0xffffffffu, _next.is_at_end)) {
      const BulkRun<const double> run{_source.data, _next.first, count, side.extent};
      const int bytes = sumOfWarp(is_there ? run.bytesToRead() : 0);
      if (laneNumber() == 0) full.expect(bytes);
      __syncwarp();
      if (is_there) run.read(to, full);
      // The engine overwrites what threads wrote when the stage is filled again.
      showToCopyEngine();
      __syncwarp();
      if (laneNumber() == 0) full.arrive();
    } else {
      // At either end it may copy a number that is not of the run, which nobody uses.
      const int bytes = is_there ? (_next.shift + count + 1) / 2 * 16 : 0;
      const int all = sumOfWarp(bytes);
      if (laneNumber() == 0) full.arriveExpecting(all);
      __syncwarp();
      if (is_there) readRun(to, _source.data + _next.first - _next.shift, bytes, full);
    }
    _next.turn.next(_problem.plan.stages);
    _next.term += _problem.plan.terms_each;
    _next.first += _problem.plan.terms_each * side.term;
    if (_next.term >= _problem.terms) {
      _next.term = 0;
      _next.work += static_cast<int>(gridDim.x);
      beginWork();
    }
  }

 private:
  /// The run that a thread copies of each piece of work, if that has it: there are no more of them
  /// than threads.
  struct Source {
    const double* data;     ///< of the side
    int cell, field, term;  ///< the first of a piece of work; a negative field: none
    int at;                 ///< in a stage
    bool is_row;
  };

  /// What it copies next: some terms of a piece of work.
  struct Next {
    int work = static_cast<int>(blockIdx.x);
    int term = 0;
    std::int64_t first = 0;  ///< its first number, from that term on
    int count = 0;           ///< of a run of cells
    int shift = 0;           ///< from the last multiple of 16 bytes to the run
    bool is_there = false;
    bool is_at_end = false;  ///< of the array, or at its beginning
    StageTurn turn{};
  };

  /// Neighbouring runs are copied by different warps.
  __device__ __forceinline__ static Source sourceOf(const FadRunsProblem& problem) {
    const int i = warpNumber() + problem.plan.warps() * laneNumber();
    // Runs of a field are of its terms, or of its cells.
    const int each = problem.plan.are_of_cells ? problem.plan.terms_each : problem.plan.cells_each;
    const int all_rows = each * problem.plan.rows_each;
    const bool is_row = i < all_rows;
    const int its = is_row ? i : i - all_rows;
    const int field = its / each, rest = its - field * each;
    const bool is_there = field < (is_row ? problem.plan.rows_each : problem.plan.columns_each);
    const int cell = problem.plan.are_of_cells ? 0 : rest,
              term = problem.plan.are_of_cells ? rest : 0;
    return {is_row ? problem.rows.data : problem.columns.data,
            cell,
            is_there ? field : -1,
            term,
            (is_row ? problem.plan.rows : problem.plan.columns).place(cell, field, term),
            is_row};
  }

  __device__ __forceinline__ void beginWork() {
    _next.is_there = _next.is_at_end = false;
    if (_next.work >= _problem.works || _source.field < 0) return;
    const FadRunsPlace place = _problem.placeOf(_next.work);
    const FadRunsSide& side = _source.is_row ? _problem.rows : _problem.columns;
    const std::int64_t cell = place.cell + _source.cell;
    const int field = (_source.is_row ? place.row : place.column) + _source.field;
    if (cell >= _problem.cells || field >= side.fields) return;
    _next.is_there = true;
    _next.first = side.begin + cell * side.cell + field * side.field + _source.term * side.term;
    // Numbers that all cells share are a run of their own for each field and term.
    const int fads = !_problem.plan.are_of_cells ? _problem.terms
                     : side.cell == 0            ? 1
                                                 : _problem.cellsFrom(cell);
    const std::int64_t count = std::int64_t(fads) * side.components;
    _next.count = static_cast<int>(count);
    const BulkRun<const double> run{side.data, _next.first, _next.count};
    _next.shift = run.shift();
    // Runs of cells go on to later terms.
    const std::int64_t rest =
        _problem.plan.are_of_cells ? (_problem.terms - 1 - _source.term) * side.term : 0;
    _next.is_at_end = run.readFrom() != 0 || _next.first + rest + count >= side.extent;
  }

  const FadRunsProblem& _problem;
  FadRunsRing& _ring;
  double* const _memory;
  const Source _source;
  Next _next;
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
