// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FadRows.hpp"

#include <algorithm>
#include <type_traits>

#include "Kontract_StagedFads.hpp"
#include "detail/kernels/cuda/Kontract_FadRowsKernel.hpp"
#include "detail/launch/Kontract_CudaLaunch.hpp"

namespace Kontract {
namespace Impl {
namespace {

/// The sides of a contraction of Fads with real numbers.
struct FadRowsSides {
  bool are_left;  ///< the Fads
  std::int64_t fields, reals;
};
FadRowsSides fadRowsSides(const Work& work) {
  const auto& [cells, lefts, rights] = work.box.extents;
  const bool are_left = work.scalar_bytes[1] > work.scalar_bytes[2];
  return are_left ? FadRowsSides{true, lefts, rights} : FadRowsSides{false, rights, lefts};
}

FadRowsPlan planOf(const Work& work, const Machine& machine, int most_cells = FadRowsPlan::warps) {
  const FadRowsSides sides = fadRowsSides(work);
  return fadRowsPlan(sides.fields, sides.reals, work.components, machine, most_cells);
}

}  // namespace

FadRowsPlan fadRowsPlan(std::int64_t fields, std::int64_t reals, std::int64_t components,
                        const Machine& machine, int most_cells) {
  FadRowsPlan plan;
  if (std::min({fields, reals, components}) < 1) return plan;
  if (std::max({fields, reals, components}) > most_staged_extent) return plan;
  plan.real_groups = evenGroups(reals, 8 * FadRowsPlan::most_columns, plan.reals_each);
  plan.columns = (plan.reals_each + 7) / 8;
  plan.reals_cell = FadRowsPlan::numbersOfRows(plan.reals_each);
  const int most = std::min(FadRowsPlan::most_blocks, FadRowsPlan::most_sums / plan.columns);
  const auto lay = [&](int cells_each, int most_rows) {
    plan.cells_each = cells_each;
    plan.component_groups = evenGroups(components, most_rows, plan.components_each);
    plan.field_groups =
        evenGroups(fields, std::max(1, most_rows / plan.components_each), plan.fields_each);
    plan.blocks = (plan.blocksOfCell() + plan.warpsOfCell() - 1) / plan.warpsOfCell();
    if (plan.blocks > 4) plan.blocks = (plan.blocks + 1) / 2 * 2;
    plan.fads_cell = FadRowsPlan::numbersOfRows(plan.rows());
  };
  // Several cells of few rows; and so many that four blocks share a multiprocessor.
  const auto mostRows = [&](int cells_each) { return 8 * most * FadRowsPlan::warps / cells_each; };
  int cells_each = most_cells;
  while (cells_each > 1 && fields * components > mostRows(cells_each)) cells_each /= 2;
  int rows = mostRows(cells_each);
  lay(cells_each, rows);
  const std::int64_t room = (machine.block_shared_bytes + 1024) / 4 - 1024;
  while (plan.bytes() > room && rows > 8) {
    if (cells_each > 1) {
      cells_each /= 2;
    } else {
      rows = (std::min(rows, plan.rows()) + 1) / 2;
    }
    lay(cells_each, rows);
  }
  plan.fits = plan.bytes() <= machine.block_shared_bytes &&
              std::max(plan.fadNumbers(), plan.realNumbers()) <= StagedSide::most_numbers;
  return plan;
}

bool haveDerivatives(const Work& work, int least, int most) {
  int count = 0;
  for (const int array : {1, 2}) {
    const bool has_all = work.scalar_bytes[array] == work.scalar_bytes[0];
    if (!has_all && work.scalar_bytes[array] != int(sizeof(double))) return false;
    if (has_all) ++count;
  }
  return work.components > 1 && least <= count && count <= most;
}

std::string whyNoFadRows(const Work& work, const Machine& machine) {
  if (!haveDerivatives(work, 1, 1)) {
    return "no input alone has the derivatives of the output";
  }
  const std::string why = whyNotListed(work, FadRowsPlan::terms_each);
  if (!why.empty()) return why;
  return planOf(work, machine).fits ? "" : "fields and derivatives are too many";
}

double secondsOfFadRows(const Work& work, const Machine& machine) {
  const FadRowsSides sides = fadRowsSides(work);
  const FadRowsPlan plan = planOf(work, machine);
  const double fields = double(sides.fields), reals = double(sides.reals);
  const double components = double(work.components);
  const double cells = std::max(1.0, double(work.box.extents[0])), numbers = work.bytes / 8 / cells;
  const double stages =
      double((work.terms + FadRowsPlan::terms_each - 1) / FadRowsPlan::terms_each);
  const double works = double(plan.worksOfCell()) / plan.cells_each;
  const double copied = FadRowsPlan::terms_each * stages *
                        (fields * components * plan.real_groups +
                         reals * double(plan.field_groups) * plan.component_groups);
  const double blocks = stages * plan.blocks * plan.columns * FadRowsPlan::warps * works;
  const double outputs = fields * reals * components;
  const double of_cell =
      work.cell_fastest ? 2.57e-12 * numbers + 5.5e-12 * blocks + 4.1e-12 * outputs + 6e-10 * works
                        : 1.34e-12 * numbers + 6.2e-13 * copied + 1.1e-11 * blocks +
                              1.6e-12 * outputs + 2e-9 * works + 1.16e-10 * works * stages;
  const double places = 4.0 * machine.multiprocessors;  // for pieces of work at a time
  return secondsOfStages(work, machine, of_cell, works, places, 3e-6);
}

#ifdef KOKKOS_ENABLE_CUDA
namespace {

template <int blocks, int columns>
void startFadRows(const Kokkos::Cuda& space, const FadProblem<ContractionShape, double>& problem,
                  const FadRowsPlan& plan, const std::string& label) {
  using Kernel = FadRowsKernel<blocks, columns>;
  const ContractionShape& s = problem.shape;
  const bool are_left = problem.left.count > 0;
  const auto& of_fads = are_left ? problem.left : problem.right;
  const std::int64_t components = problem.out.count + 1;
  Kernel kernel;
  kernel.fads = stagedSide(s, are_left, of_fads.derivatives,
                           {plan.cells_each, FadRowsPlan::terms_each, plan.fields_each},
                           {1, components, plan.components_each}, Kernel::threads);
  kernel.reals = stagedSide(s, !are_left, are_left ? problem.right.value() : problem.left.value(),
                            {plan.cells_each, FadRowsPlan::terms_each, plan.reals_each}, {0, 1, 1},
                            Kernel::threads);
  kernel.out = problem.out.derivatives;
  kernel.out_cell = s.out_cell;
  kernel.out_field = are_left ? s.out_left : s.out_right;
  kernel.out_real = are_left ? s.out_right : s.out_left;
  kernel.sum_into = s.sum_into;
  kernel.works = plan.works(s.cells);
  kernel.plan = plan;
  const CudaBlocks grid{kernel.works, Kernel::threads, int(plan.bytes())};
  launchBlocks<Kernel::threads, 4>(space, label, grid, kernel);
}

}  // namespace

void runFadRows(const Kokkos::Cuda& space, const FadProblem<ContractionShape, double>& problem,
                const std::string& label) {
  const FadRowsPlan plan = planOf(wholeWorkOf(problem), machineOf(space),
                                  cellsWithinReach(problem.shape, FadRowsPlan::warps));
  const auto start = [&](auto blocks, auto columns) {
    constexpr int b = decltype(blocks)::value, c = decltype(columns)::value;
    if constexpr (FadRowsPlan::hasKernel(b, c)) {
      startFadRows<b, c>(space, problem, plan, label);
    }
  };
  const auto with_columns = [&](auto blocks) {
    switch (plan.columns) {
      case 1: return start(blocks, std::integral_constant<int, 1>());
      case 2: return start(blocks, std::integral_constant<int, 2>());
      case 3: return start(blocks, std::integral_constant<int, 3>());
      default: return start(blocks, std::integral_constant<int, 4>());
    }
  };
  switch (plan.blocks) {
    case 1: return with_columns(std::integral_constant<int, 1>());
    case 2: return with_columns(std::integral_constant<int, 2>());
    case 3: return with_columns(std::integral_constant<int, 3>());
    case 4: return with_columns(std::integral_constant<int, 4>());
    case 6: return with_columns(std::integral_constant<int, 6>());
    default: return with_columns(std::integral_constant<int, 8>());
  }
}
#endif

}  // namespace Impl
}  // namespace Kontract
