// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FadPairs.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "Kontract_StagedFads.hpp"
#include "detail/kernels/cuda/Kontract_FadPairsKernel.hpp"
#include "detail/launch/Kontract_CudaLaunch.hpp"

namespace Kontract {
namespace Impl {
namespace {

FadPairsPlan planOf(const Work& work, int most_cells = FadPairsPlan::most_cells) {
  const auto& [cells, lefts, rights] = work.box.extents;
  return fadPairsPlan(lefts, rights, work.components, most_cells);
}

}  // namespace

FadPairsPlan fadPairsPlan(std::int64_t lefts, std::int64_t rights, std::int64_t components,
                          int most_cells) {
  FadPairsPlan plan;
  if (std::min(lefts, rights) < 1 || components < 2) return plan;
  if (std::max({lefts, rights, components}) > most_staged_extent) return plan;
  constexpr int row = FadPairsPlan::warp_rows, column = FadPairsPlan::warp_columns;
  plan.rows_are_left = leftsAreRows(lefts, rights, row, column);
  const auto [rows, columns] =
      plan.rows_are_left ? std::make_pair(lefts, rights) : std::make_pair(rights, lefts);
  // As square as there are fields for it.
  constexpr std::int64_t most = FadPairsPlan::most_warps;
  const std::int64_t few_columns = std::min<std::int64_t>(tilesOf(columns, column), most / 2);
  const std::int64_t row_tiles = std::min(tilesOf(rows, row), most / few_columns);
  const std::int64_t column_tiles = std::min(tilesOf(columns, column), most / row_tiles);
  plan.row_groups = evenGroups(rows, row * row_tiles, plan.rows_each);
  plan.column_groups = evenGroups(columns, column * column_tiles, plan.columns_each);
  plan.derivative_groups =
      evenGroups(components - 1, FadPairsPlan::most_derivatives, plan.derivatives_each);
  const int of_cell = plan.tilesOfCell();
  plan.cells_each = std::max(1, std::min(most_cells, FadPairsPlan::least_warps / of_cell));
  plan.warps = std::max(FadPairsPlan::least_warps, plan.cells_each * of_cell);
  // Stages, and outputs on their way to memory.
  const int stage = plan.cells_each * (plan.stageOf(plan.rows_each, 0).cell() +
                                       plan.stageOf(plan.columns_each, 0).cell());
  plan.stage_numbers = std::max(stage, plan.warps * FadPairsPlan::outputs_of_warp);
  plan.fits = plan.worksOfCell() <= std::numeric_limits<int>::max();
  return plan;
}

std::string whyNoFadPairs(const Work& work, const Machine& machine) {
  const std::string why = whyNotListed(work, FadPairsPlan::terms_each);
  if (!why.empty()) return why;
  const FadPairsPlan plan = planOf(work);
  return plan.fits && plan.bytes() <= machine.block_shared_bytes
             ? ""
             : "fields and derivatives are too many";
}

double secondsOfFadPairs(const Work& work, const Machine& machine) {
  const auto& [all_cells, lefts, rights] = work.box.extents;
  const FadPairsPlan plan = planOf(work);
  const double cells = std::max(1.0, double(all_cells)), numbers = work.bytes / 8 / cells;
  const double stages = double(tilesOf(work.terms, FadPairsPlan::terms_each));
  const double groups = double(plan.worksOfCell()), works = groups / plan.cells_each;
  const double copied = groups * stages * FadPairsPlan::terms_each *
                        (plan.rows_each + plan.columns_each) * (plan.derivatives_each + 1);
  const double products = groups * stages * plan.tilesOfCell() * (2 * plan.derivatives_each + 1);
  const double outputs = double(lefts) * double(rights) * double(work.components);
  const double of_cell =
      work.cell_fastest
          ? 1.14e-12 * numbers + 1.28e-12 * copied + 3.7e-11 * products + 7.6e-12 * outputs +
                1.9e-9 * works + 3.6e-10 * works * stages
          : 1.79e-12 * copied + 4.2e-11 * products + 4.8e-12 * outputs + 3.9e-9 * works;
  const double places =  // for pieces of work at a time
      double(FadPairsPlan::warps_at_a_time) / plan.warps * machine.multiprocessors;
  return secondsOfStages(work, machine, of_cell, works, places, 4e-6);
}

#ifdef KOKKOS_ENABLE_CUDA
namespace {

template <int derivatives>
void startFadPairs(const Kokkos::Cuda& space, const FadProblem<ContractionShape, double>& problem,
                   const FadPairsPlan& plan, const std::string& label) {
  using Kernel = FadPairsKernel<derivatives>;
  const ContractionShape& s = problem.shape;
  const std::int64_t n = problem.out.count;
  const int threads = 32 * plan.warps;
  const auto sideOf = [&](const FadArray<const double>& array, bool is_left, int fields_each) {
    return stagedSide(s, is_left, array.derivatives,
                      {plan.cells_each, FadPairsPlan::terms_each, fields_each},
                      {1, n, plan.derivatives_each + 1}, threads, n);
  };
  const bool left = plan.rows_are_left;
  Kernel kernel;
  kernel.side[Kernel::rows] = sideOf(left ? problem.left : problem.right, left, plan.rows_each);
  kernel.side[Kernel::columns] =
      sideOf(left ? problem.right : problem.left, !left, plan.columns_each);
  kernel.stage[Kernel::rows] = plan.stageOf(plan.rows_each, 0);
  kernel.stage[Kernel::columns] =
      plan.stageOf(plan.columns_each, plan.cells_each * kernel.stage[Kernel::rows].cell());
  kernel.out = problem.out.derivatives;
  kernel.out_cell = s.out_cell;
  kernel.out_row = left ? s.out_left : s.out_right;
  kernel.out_column = left ? s.out_right : s.out_left;
  kernel.has_column_neighbours = kernel.out_column < kernel.out_row;
  kernel.sum_into = s.sum_into;
  kernel.works = plan.works(s.cells);
  kernel.value = n;
  kernel.plan = plan;
  const CudaBlocks grid{kernel.works, threads, int(plan.bytes())};
  launchBlocks<Kernel::threads, 2>(space, label, grid, kernel);
}

}  // namespace

void runFadPairs(const Kokkos::Cuda& space, const FadProblem<ContractionShape, double>& problem,
                 const std::string& label) {
  const FadPairsPlan plan =
      planOf(wholeWorkOf(problem), cellsWithinReach(problem.shape, FadPairsPlan::most_cells));
  if (plan.derivatives_each <= 2) return startFadPairs<2>(space, problem, plan, label);
  startFadPairs<FadPairsPlan::most_derivatives>(space, problem, plan, label);
}
#endif

}  // namespace Impl
}  // namespace Kontract
