// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_TensorFormPlan.hpp"

#include <algorithm>

#include "Kontract_FormTilePlan.hpp"

namespace Kontract {
namespace Impl {
namespace {

/// Sets what is computed.
void setProducts(const FormShape& s, int left_components, int point_components,
                 FormProducts& products) {
  products.is_half = s.is_symmetric && s.left_blocks == 1;
  products.rights = static_cast<int>(s.rights);
  products.entries = products.is_half ? s.lefts * (s.lefts + 1) / 2 : s.lefts * products.rights;
  // Where both sides have the same components, (a,b) and (b,a) are one.
  products.components =
      products.is_half ? (point_components + left_components) / 2 : point_components;
  const bool has_sums = s.is_affine && s.points > 1;
  products.points = has_sums ? 1 : s.points;
  products.summed_points = has_sums ? s.points : 1;
  products.has_weights = has_sums && !s.weights_are_measures;
}

/// Cuts entries into slices of about the same size, and those into parts of warps.
void setSlices(int entry_warps, TensorFormPlan& plan) {
  FormProducts& products = plan.products;
  const std::int64_t tiles = std::max<std::int64_t>(1, partsOf(products.entries, 8));
  plan.entry_warps = entry_warps;
  const std::int64_t slices = partsOf(tiles, FormTableSizes::most_tiles * plan.entry_warps);
  const std::int64_t slice_tiles = partsOf(tiles, slices);
  products.slice_entries = static_cast<int>(8 * slice_tiles);
  plan.warp_tiles = static_cast<int>(partsOf(slice_tiles, plan.entry_warps));
  plan.cells = FormTableSizes::cellsOf(plan.entry_warps);
}

/// Sets how sums become outputs.
void setOutputs(const FormShape& s, TensorFormPlan& plan) {
  const FormProducts& products = plan.products;
  const bool are_whole =
      plan.arrays.have_whole_outputs && products.slices() == 1 && plan.pairs == 1;
  plan.outputs = s.is_scattered   ? TableOutputs::Shared
                 : s.cell_fastest ? TableOutputs::Cells
                 : are_whole      ? TableOutputs::Whole
                                  : TableOutputs::Entries;
  // Otherwise threads that read the sums of one cell find them in different banks, or two of them
  // in one.
  plan.entry_step =
      are_whole ? static_cast<int>(s.lefts * s.rights) : 8 * (products.slice_entries / 8 | 1);
}

/// Sets how many points have their inputs in shared memory at a time, of parts of about the same
/// size, and then how many cells have their sums there: as many as fit.
bool setParts(int most_parts, std::int64_t bytes, TensorFormPlan& plan) {
  const std::int64_t points = std::max<std::int64_t>(1, plan.products.points);
  constexpr int fewest_cells = 8;
  plan.part_points = 1, plan.pass_cells = fewest_cells;
  if (plan.sharedBytes() > bytes) return false;
  for (std::int64_t parts = 1; parts <= std::min<std::int64_t>(points, most_parts); ++parts) {
    plan.part_points = static_cast<int>(partsOf(points, parts));
    for (plan.pass_cells = plan.cells; plan.pass_cells >= fewest_cells; plan.pass_cells /= 2) {
      if (plan.sharedBytes() <= bytes) return true;
    }
  }
  return false;
}

/// Sets how cells and entries are shared, for blocks that have so much memory.
/// \param few_blocks  fewer leave multiprocessors idle
/// \param most_parts  of points
bool setBlocks(const FormShape& s, std::int64_t few_blocks, std::int64_t bytes, int most_parts,
               TensorFormPlan& plan) {
  const FormProducts& products = plan.products;
  const auto fits = [&](int entry_warps) {
    setSlices(entry_warps, plan);
    const bool has_few = partsOf(s.cells, plan.cells) * plan.pairs < few_blocks;
    plan.slices_together = has_few ? 1 : static_cast<int>(products.slices());
    setOutputs(s, plan);
    return setParts(most_parts, bytes, plan);
  };
  constexpr int warps = FormTableSizes::warps;
  // All entries in one slice, of as many cells as possible.
  for (int entry_warps = 1; entry_warps <= warps; entry_warps *= 2) {
    const std::int64_t blocks = partsOf(s.cells, FormTableSizes::cellsOf(entry_warps));
    if (blocks * plan.pairs < few_blocks && entry_warps < warps) continue;
    if (fits(entry_warps) && products.slices() == 1) return true;
  }
  return fits(warps) || fits(warps / 2);
}

constexpr std::int64_t tables_bytes = 32 << 20;

}  // namespace

TensorFormPlan tensorFormPlan(const FormShape& s, int left_components, int point_components,
                              const FormArrays& arrays, const Machine& machine) {
  TensorFormPlan plan;
  plan.arrays = arrays;
  setProducts(s, left_components, point_components, plan.products);
  plan.points = plan.products.points;
  plan.pairs = s.is_symmetric ? s.left_blocks * (s.left_blocks + 1) / 2
                              : std::int64_t(s.left_blocks) * s.right_blocks;
  // Two blocks of a multiprocessor, or one, or as many points as one has room for.
  const std::int64_t few_blocks = 2 * std::int64_t(machine.multiprocessors);
  const std::int64_t all = machine.block_shared_bytes, half = sharedMemoryOf(machine, 2);
  constexpr int few_parts = 8, any_parts = 1 << 20;
  for (int most_parts = 2; !plan.fits && most_parts <= few_parts; most_parts *= 2) {
    plan.fits = setBlocks(s, few_blocks, half, most_parts, plan);
  }
  for (const int most_parts : {few_parts, any_parts}) {
    plan.fits = plan.fits || setBlocks(s, few_blocks, all, most_parts, plan);
  }
  for (std::int64_t parts = 2; !plan.fits && parts <= plan.points; ++parts) {
    plan.products.points = partsOf(plan.points, parts);
    plan.fits = setBlocks(s, few_blocks, all, any_parts, plan);
  }
  plan.slices_at_once = std::clamp<std::int64_t>(tables_bytes / plan.sliceBytes(), 1,
                                                 std::max<std::int64_t>(1, plan.products.slices()));
  return plan;
}

TensorFormPlan tensorFormPlan(const FormShape& s, int scalar_bytes, const Machine& machine) {
  FormArrays arrays = arraysOfForm(s, scalar_bytes);
  arrays.of_point += s.point_components;
  const auto planOf = [&](bool have_whole_outputs) {
    arrays.have_whole_outputs = have_whole_outputs;
    return tensorFormPlan(s, s.left_components, s.point_components, arrays, machine);
  };
  const TensorFormPlan plan = planOf(false);
  const bool may_be_whole = !s.cell_fastest && !s.is_scattered;
  return plan.fits && may_be_whole ? planOf(true) : plan;
}

TensorFormPlan partOf(TensorFormPlan plan, std::int64_t first_point) {
  plan.products.first_point = first_point;
  plan.products.points = std::min(plan.products.points, plan.points - first_point);
  return plan;
}

FormTableSizes formTableSizes(const TensorFormPlan& plan) {
  FormTableSizes sizes;
  PointMatrixSizes& points = sizes.points;
  static_cast<PointInputSizes&>(points) =
      pointInputSizes(plan.arrays, plan.cells, plan.part_points);
  points.row_step = plan.rowStep();
  sizes.cells = plan.cells;
  sizes.entry_warps = plan.entry_warps;
  sizes.warp_tiles = plan.warp_tiles;
  sizes.entry_step = plan.entry_step;
  sizes.pass_cells = plan.pass_cells;
  sizes.outputs_step = plan.outputsStep();
  sizes.matrices_at = static_cast<int>(plan.inputsSize());
  sizes.sums_at = static_cast<int>(plan.sumsAt());
  sizes.table_step = plan.tableStep();
  sizes.slices_together = plan.slices_together;
  sizes.pairs = static_cast<int>(plan.pairs);
  return sizes;
}

std::string whyNotTensorForms(const Work& work, const Machine& machine) {
  const FormShape& s = work.form.shape;
  const std::string why = whyNotFormOfReference(s);
  if (!why.empty()) return why;
  const TensorFormPlan plan = tensorFormPlan(s, work.scalar_bytes[0], machine);
  if (!plan.fits) {
    return "a block takes " + std::to_string(plan.sharedBytes()) +
           " bytes of shared memory, which has " + std::to_string(machine.block_shared_bytes);
  }
  return {};
}

double secondsOfTensorForms(const Work& work, const Machine& machine) {
  const FormShape& s = work.form.shape;
  const TensorFormPlan plan = tensorFormPlan(s, work.scalar_bytes[0], machine);
  const FormProducts& products = plan.products;
  // Nanoseconds of an H200, as measured: of a cell, a term at a point, a node there, a number that
  // is read, a product with the table, and an output. Where a multiprocessor has one block nothing
  // else happens while it waits. What cells share was measured in other kernels.
  constexpr double cell = 0.024, point = 0.0066, node = 0.001, input = 0.0034, product = 4.1e-5;
  const double alone = plan.sharedBytes() > sharedMemoryOf(machine, 2) ? 1.85 : 1;
  const double output = plan.outputs == TableOutputs::Cells    ? 0.004
                        : plan.outputs == TableOutputs::Whole  ? 0.003
                        : plan.outputs == TableOutputs::Shared ? 0.012
                        : products.is_half                     ? 0.0077
                                                               : 0.0029;
  const double points = double(plan.points), pairs = double(plan.pairs);
  const double parts = double(partsOf(plan.points, std::max<std::int64_t>(1, products.points)));
  const bool has_nodes_at_points = s.nodes > s.dimension + 1;
  const double scalars = work.bytes / work.scalar_bytes[0] - double(s.outputs());
  const double inputs = std::max(0.0, scalars) / double(std::max<std::int64_t>(1, s.cells));
  const double entries = 8. * plan.warp_tiles * plan.entry_warps * double(products.slices());
  const double rows = 8. * double(products.steps()) * parts;
  const double outputs = double(s.lefts * products.rights) * s.left_blocks * s.right_blocks;
  const double of_cell = cell +
                         pairs * (points * s.term_count * point +
                                  (has_nodes_at_points ? points * double(s.nodes) * node : 0) +
                                  inputs * input + rows * entries * product * alone) +
                         parts * outputs * output;
  constexpr double element = 2e-11;  // of the table, not measured
  const double elements = rows * entries * double(products.summed_points);
  constexpr double filling = 1e-5;  // a launch and memory for the table
  return filling + elements * element + secondsOfDeviceForm(work, machine, of_cell);
}

}  // namespace Impl
}  // namespace Kontract
