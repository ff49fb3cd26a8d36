// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FadRuns.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "Kontract_FadRows.hpp"
#include "Kontract_StagedFads.hpp"
#include "detail/kernels/cuda/Kontract_FadRunsKernel.hpp"
#include "detail/launch/Kontract_CudaLaunch.hpp"

namespace Kontract {
namespace Impl {
namespace {

/// \return the least even number from there on that leaves that rest
int pitchOf(int least, int rest, int divisor) {
  const int even = (least + 1) / 2 * 2;
  return even + ((rest - even) % divisor + divisor) % divisor;
}

/// How the work of a kernel is cut.
class Cutter {
 public:
  Cutter(const FadRunsWork& work, const Machine& machine) : _work(work), _machine(machine) {
    _plan.are_of_cells = work.are_of_cells;
    _plan.components = static_cast<int>(work.components);
    _plan.rows_are_left =
        leftsAreRows(work.left.fields, work.right.fields, warp_rows, warp_columns);
    _rows = _plan.rows_are_left ? work.left : work.right;
    _columns = _plan.rows_are_left ? work.right : work.left;
    const auto following = [&] {
      if (work.outputs == FadRunsWork::Cells) return FadRunsPlan::OfCells;
      if (work.outputs == FadRunsWork::Nothing) return FadRunsPlan::OfOne;
      const bool are_rows = (work.outputs == FadRunsWork::Lefts) == _plan.rows_are_left;
      return are_rows ? FadRunsPlan::OfRows : FadRunsPlan::OfColumns;
    };
    _plan.outputs = following();
    _plan.warps_of_derivatives =
        evenGroups(work.components - 1, FadRunsPlan::most_derivatives, _plan.derivatives_each);
  }

  /// The tiles of pieces of work that are expected to take least.
  FadRunsPlan plan() {
    FadRunsPlan best;
    const int most = FadRunsPlan::most_warps / _plan.warps_of_derivatives;
    for (int r = 1; r <= most && r <= tilesOf(_rows.fields, warp_rows); ++r) {
      for (int c = 1; r * c <= most && c <= tilesOf(_columns.fields, warp_columns); ++c) {
        if (!cut(r, c)) continue;
        constexpr std::int64_t most_works = std::int64_t(1) << 30;  // counted in 32 bits
        if (_plan.works(_work.cells) > most_works) continue;
        _plan.seconds = seconds();
        if (!best.fits() || _plan.seconds < best.seconds) best = _plan;
      }
    }
    return best;
  }

 private:
  using Side = FadRunsWork::Side;
  static constexpr int warp_rows = FadRunsPlan::warp_rows;
  static constexpr int warp_columns = FadRunsPlan::warp_columns;
  static constexpr int at_a_time = FadRunsPlan::terms_at_a_time;

  /// Pieces of work of so many tiles of a cell, of as many cells as make one round of all
  /// multiprocessors, if there are warps for them, and of as many terms as leave room for three
  /// stages, or two. \return whether they fit
  bool cut(int row_tiles, int column_tiles) {
    _plan.row_groups = evenGroups(_rows.fields, warp_rows * row_tiles, _plan.rows_each);
    _plan.column_groups =
        evenGroups(_columns.fields, warp_columns * column_tiles, _plan.columns_each);
    const std::int64_t of_round =
        tilesOf(_work.cells * _plan.worksOfCell(), std::max(1, _machine.multiprocessors));
    const std::int64_t of_warps = FadRunsPlan::most_warps / _plan.warpsOfCell();
    _plan.cells_each = static_cast<int>(std::min({of_warps, of_round, _work.cells}));
    for (; _plan.cells_each > 0; --_plan.cells_each) {
      for (_plan.terms_each = FadRunsPlan::most_terms; _plan.terms_each > 0;
           _plan.terms_each -= at_a_time) {
        const bool has_fewest = _plan.terms_each == at_a_time;
        if (!has_fewest && _plan.terms_each >= _work.terms + at_a_time) continue;
        if (fitsStages(has_fewest ? 2 : 3)) return true;
      }
    }
    return false;
  }

  bool fitsStages(int least) {
    if (runsOfStage() > 32 * _plan.warps()) return false;
    const int rows_end = place(_plan.rows, _rows, _plan.rows_each, 0);
    const int end = place(_plan.columns, _columns, _plan.columns_each, rows_end);
    // Lanes of derivatives that are not there read some numbers beyond those that are.
    _plan.stage_numbers = (end + FadRunsPlan::most_derivatives + 1) / 2 * 2;
    _plan.stages = 0;
    constexpr int barriers = 1024;
    const std::int64_t left = _machine.block_shared_bytes - barriers - _plan.bytes();
    _plan.stages = static_cast<int>(
        std::min<std::int64_t>(FadRunsPlan::most_stages, left / (8 * _plan.stage_numbers)));
    return _plan.stages >= least;
  }

  int runsOfStage() const {
    return (_plan.rows_each + _plan.columns_each) *
           (_plan.are_of_cells ? _plan.terms_each : _plan.cells_each);
  }

  /// Places a side of a stage so that 16 lanes, which read four terms of four fields at a time, ask
  /// a bank of shared memory, of 16 numbers, for as few as can be.
  /// \return its end
  int place(FadRunsStage& stage, const Side& side, int fields, int at) {
    const int components = static_cast<int>(side.components);
    if (_work.are_of_cells) {
      const int fads = side.has_same_cells ? 1 : _plan.cells_each;
      const int term = pitchOf(fads * components + 2, 4, 8);
      const int field = pitchOf(_plan.terms_each * term, 2, 4);
      stage = {at, side.has_same_cells ? 0 : components, field, term, false};
      return at + fields * field;
    }
    const int there = static_cast<int>(std::min<std::int64_t>(_work.terms, _plan.terms_each));
    const int numbers = there * components + 2;
    const int field = components % 4 == 2 ? pitchOf(numbers, 8, 16) : pitchOf(numbers, 2, 4);
    // A run begins at an even place or one behind it; every second field at one or the other.
    stage = {at, fields * field, field, components, components % 2 != 0};
    return at + _plan.cells_each * stage.cell;
  }

  /// Seconds that a multiprocessor of an H200 takes for a piece of work: a fit of 300 random shapes
  /// with 1 to 32 derivatives in either layout, within 0.15 for eight of ten.
  double secondsOfWork() const {
    const double cells = _plan.cells_each, terms = double(_work.terms);
    const double share = cells / double(_plan.worksOfCell());  // of what a cell has
    const double inputs =
        share * terms *
        double(_rows.fields * _rows.components + _columns.fields * _columns.components);
    const double outputs =
        share * double(_rows.fields) * double(_columns.fields) * double(_work.components);
    const double copied =
        cells * terms *
        double(_plan.rows_each * _rows.components + _plan.columns_each * _columns.components);
    const double stages = double(tilesOf(_work.terms, _plan.terms_each));
    const double runs = runsOfStage() * (_plan.are_of_cells ? terms / _plan.terms_each : stages);
    const double steps =
        cells * _plan.rowTiles() * _plan.columnTiles() * double(tilesOf(_work.terms, at_a_time));
    const int row_sides = _rows.components > 1, column_sides = _columns.components > 1;
    const double derivatives = _plan.warps_of_derivatives * _plan.derivatives_each;
    const double products = steps * (derivatives * (row_sides + column_sides) + 1);
    const double loads =
        steps * (6 * _plan.warps_of_derivatives + derivatives * (4 * row_sides + 2 * column_sides));
    const double out_runs = _plan.runs();
    return _plan.are_of_cells
               ? 6.0e-11 * inputs + 2.4e-10 * outputs + 8.7e-11 * copied + 2.6e-9 * runs +
                     2.5e-9 * products + 4.4e-10 * loads + 1.2e-6 + 8.7e-9 * out_runs
               : 7.6e-11 * inputs + 2.8e-10 * outputs + 3.9e-11 * copied + 2.7e-9 * runs +
                     2.7e-9 * products + 6.7e-10 * loads + 9.1e-7 + 1.6e-7 * stages +
                     4.2e-9 * out_runs;
  }

  /// Of a device that differs from an H200 in the bandwidth of its memory, and in how many
  /// multiprocessors share it.
  double seconds() const {
    constexpr double h200 = h200_bytes_per_second / 132;  // of a multiprocessor
    constexpr double start = 4e-6;
    const int multiprocessors = std::max(1, _machine.multiprocessors);
    const double rounds = double(tilesOf(_plan.works(_work.cells), multiprocessors));
    return _machine.launch_seconds + start +
           rounds * secondsOfWork() * h200 * multiprocessors / _machine.bytes_per_second;
  }

  const FadRunsWork& _work;
  const Machine& _machine;
  FadRunsPlan _plan;
  Side _rows{}, _columns{};
};

/// Fits where a kernel serves the work.
FadRunsPlan runsPlanOf(const Work& work, const Machine& machine) {
  const CellMatrices& m = work.matrices;
  const bool go_forwards = std::min({m.left_field, m.right_field, m.left_term, m.right_term}) >= 0;
  const bool serves = machine.hasCopyEngine() && haveDerivatives(work, 1, 2) && go_forwards &&
                      whyNotStaged(work).empty();
  return serves ? fadRunsPlan(fadRunsWork(work), machine) : FadRunsPlan{};
}

}  // namespace

FadRunsWork fadRunsWork(const Work& work) {
  const auto& [cells, lefts, rights] = work.box.extents;
  const CellMatrices& m = work.matrices;
  FadRunsWork its;
  its.cells = cells;
  its.terms = work.terms;
  its.components = work.components;
  constexpr std::int64_t number = sizeof(double);
  its.left = {lefts, work.scalar_bytes[1] / number, m.left_cell == 0};
  its.right = {rights, work.scalar_bytes[2] / number, m.right_cell == 0};
  const auto follow = [](const FadRunsWork::Side& side, std::int64_t step) {
    return step == side.components;
  };
  const auto haveRuns = [&](const FadRunsWork::Side& side, std::int64_t cell) {
    return side.has_same_cells || follow(side, cell);
  };
  its.are_of_cells =
      work.terms > 1 && !(follow(its.left, m.left_term) && follow(its.right, m.right_term));
  its.are_runs =
      !its.are_of_cells || (haveRuns(its.left, m.left_cell) && haveRuns(its.right, m.right_cell));
  const auto outputsFollow = [&](std::int64_t extent, std::int64_t step) {
    return extent > 1 && step == work.components;
  };
  its.outputs = outputsFollow(rights, m.out_right) ? FadRunsWork::Rights
                : outputsFollow(lefts, m.out_left) ? FadRunsWork::Lefts
                : outputsFollow(cells, m.out_cell) ? FadRunsWork::Cells
                                                   : FadRunsWork::Nothing;
  return its;
}

FadRunsPlan fadRunsPlan(const FadRunsWork& work, const Machine& machine) {
  constexpr std::int64_t most_components =
      1 + FadRunsPlan::most_warps * FadRunsPlan::most_derivatives;
  const std::int64_t lefts = work.left.fields, rights = work.right.fields;
  const bool are_there = std::min({work.cells, lefts, rights, work.terms}) >= 1;
  if (!are_there || !work.are_runs || work.components < 2) return {};
  if (std::max(lefts, rights) > most_staged_extent || work.components > most_components) return {};
  return Cutter(work, machine).plan();
}

double secondsOfFadRuns(const Work& work, const Machine& machine) {
  const FadRunsPlan plan = runsPlanOf(work, machine);
  return plan.fits() ? plan.seconds : std::numeric_limits<double>::infinity();
}

#ifdef KOKKOS_ENABLE_CUDA
namespace {

FadRunsSide sideOf(const FadProblem<ContractionShape, double>& problem, bool is_left) {
  const ContractionShape& s = problem.shape;
  const SumLevel& sum = s.sum[ContractionShape::sum_levels - 1];
  const FadArray<const double>& fads = is_left ? problem.left : problem.right;
  FadRunsSide side;
  side.cell = is_left ? s.left_cell : s.right_cell;
  side.field = is_left ? s.left_field : s.right_field;
  side.term = is_left ? sum.left : sum.right;
  side.fields = static_cast<int>(is_left ? s.lefts : s.rights);
  side.components = static_cast<int>(fads.count) + 1;
  const std::int64_t last_cell = (s.cells - 1) * side.cell;
  side.begin = std::max<std::int64_t>(0, -last_cell);
  side.data = fads.value() - fads.count - side.begin;
  side.extent = std::abs(last_cell) + (side.fields - 1) * side.field +
                (sum.extent - 1) * side.term + side.components;
  return side;
}

template <int derivatives, bool rows_have, bool columns_have>
void startFadRuns(const Kokkos::Cuda& space, const FadProblem<ContractionShape, double>& problem,
                  const FadRunsPlan& plan, const std::string& label) {
  using Kernel = FadRunsKernel<derivatives, rows_have, columns_have>;
  const ContractionShape& s = problem.shape;
  const bool left = plan.rows_are_left;
  const auto terms = static_cast<int>(s.sum[ContractionShape::sum_levels - 1].extent);
  Kernel kernel{FadRunsProblem(plan, s.cells, terms)};
  kernel.problem.rows = sideOf(problem, left);
  kernel.problem.columns = sideOf(problem, !left);
  kernel.problem.out = {problem.out.derivatives, s.out_cell, left ? s.out_left : s.out_right,
                        left ? s.out_right : s.out_left, s.sum_into};
  const CudaBlocks grid{kernel.problem.works, 32 * plan.warps(), int(plan.bytes())};
  launchBlocks<Kernel::threads, 1>(space, label, grid, kernel);
}

template <int derivatives>
void startFadRuns(const Kokkos::Cuda& space, const FadProblem<ContractionShape, double>& problem,
                  const FadRunsPlan& plan, const std::string& label) {
  const auto& rows = plan.rows_are_left ? problem.left : problem.right;
  const auto& columns = plan.rows_are_left ? problem.right : problem.left;
  if (rows.count == 0) return startFadRuns<derivatives, false, true>(space, problem, plan, label);
  if (columns.count == 0) {
    return startFadRuns<derivatives, true, false>(space, problem, plan, label);
  }
  startFadRuns<derivatives, true, true>(space, problem, plan, label);
}

}  // namespace

void runFadRuns(const Kokkos::Cuda& space, const FadProblem<ContractionShape, double>& problem,
                const std::string& label) {
  const FadRunsPlan plan = runsPlanOf(wholeWorkOf(problem), machineOf(space));
  if (plan.derivatives_each <= 2) return startFadRuns<2>(space, problem, plan, label);
  startFadRuns<FadRunsPlan::most_derivatives>(space, problem, plan, label);
}
#endif

}  // namespace Impl
}  // namespace Kontract
