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

/// Sets whose sums are in shared memory at a time: those of several cells or, besides matrices of
/// points, of a few.
void setPass(const FormShape& s, TensorFormPlan& plan) {
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
  constexpr int fewest_cells = 8;
  constexpr std::int64_t most_bytes = 18 << 10;
  const std::int64_t bytes =
      plan.slices_together > 1 ? most_bytes : std::max(most_bytes, 8 * plan.matricesSize());
  plan.pass_cells = plan.cells;
  while (plan.pass_cells > fewest_cells && 8 * plan.sumsSize() > bytes) plan.pass_cells /= 2;
}

/// Sets whose inputs are in shared memory at a time: those of all points, or of so many that they
/// fit, in parts of about the same size.
bool setParts(std::int64_t bytes, TensorFormPlan& plan) {
  const std::int64_t points = std::max<std::int64_t>(1, plan.products.points);
  for (std::int64_t parts = 1; parts <= points; ++parts) {
    plan.part_points = static_cast<int>(partsOf(points, parts));
    if (plan.sharedBytes() <= bytes) return true;
  }
  return false;
}

/// Sets how cells and entries are shared, for blocks that have so much memory.
bool setBlocks(const FormShape& s, std::int64_t bytes, TensorFormPlan& plan) {
  const FormProducts& products = plan.products;
  constexpr std::int64_t few_blocks = 2 * 132;
  const auto fits = [&](int entry_warps) {
    setSlices(entry_warps, plan);
    const bool has_few = partsOf(s.cells, plan.cells) * plan.pairs < few_blocks;
    plan.slices_together = has_few ? 1 : static_cast<int>(products.slices());
    setPass(s, plan);
    return setParts(bytes, plan);
  };
  constexpr int warps = FormTableSizes::warps;
  // All entries in one slice, of as many cells as possible.
  for (int entry_warps = 1; entry_warps <= warps; entry_warps *= 2) {
    const bool has_few = partsOf(s.cells, FormTableSizes::cellsOf(entry_warps)) < few_blocks;
    if (has_few && entry_warps < warps) continue;
    if (fits(entry_warps) && products.slices() == 1) return true;
  }
  return fits(warps / 2) || fits(warps);
}

constexpr std::int64_t tables_bytes = 32 << 20;

}  // namespace

FormArrays arraysOfForm(const FormShape& s, int scalar_bytes) {
  FormArrays arrays;
  arrays.scalar_bytes = scalar_bytes;
  arrays.have_whole_outputs = !s.cell_fastest && !s.is_scattered;
  const int jacobian = s.dimension * s.dimension;
  arrays.shared = 1 + static_cast<int>(s.nodes) * s.dimension;
  if (s.nodes > 0) {
    arrays.of_cell = static_cast<int>(s.nodes) * s.dimension;
  } else if (s.has_mapping) {
    (s.has_one_jacobian ? arrays.of_cell : arrays.of_point) = jacobian;
  }
  return arrays;
}

TensorFormPlan tensorFormPlan(const FormShape& s, int left_components, int point_components,
                              const FormArrays& arrays, const Machine& machine) {
  TensorFormPlan plan;
  plan.arrays = arrays;
  setProducts(s, left_components, point_components, plan.products);
  plan.points = plan.products.points;
  plan.pairs = s.is_symmetric ? s.left_blocks * (s.left_blocks + 1) / 2
                              : std::int64_t(s.left_blocks) * s.right_blocks;
  // Two blocks of a multiprocessor, or one, or as many points as one has room for.
  constexpr std::int64_t reserve = 1 << 10;
  const std::int64_t all = machine.block_shared_bytes, half = (all + reserve) / 2 - reserve;
  plan.fits = setBlocks(s, half, plan);
  for (std::int64_t parts = 1; !plan.fits && parts <= plan.points; ++parts) {
    plan.products.points = partsOf(plan.points, parts);
    plan.fits = setBlocks(s, all, plan);
  }
  plan.slices_at_once = std::clamp<std::int64_t>(tables_bytes / plan.sliceBytes(), 1,
                                                 std::max<std::int64_t>(1, plan.products.slices()));
  return plan;
}

TensorFormPlan tensorFormPlan(const FormShape& s, int scalar_bytes, const Machine& machine) {
  FormArrays arrays = arraysOfForm(s, scalar_bytes);
  arrays.of_point += s.point_components;
  return tensorFormPlan(s, s.left_components, s.point_components, arrays, machine);
}

TensorFormPlan partOf(TensorFormPlan plan, std::int64_t first_point) {
  plan.products.first_point = first_point;
  plan.products.points = std::min(plan.products.points, plan.points - first_point);
  return plan;
}

FormTableSizes formTableSizes(const TensorFormPlan& plan) {
  FormTableSizes sizes;
  PointMatrixSizes& points = sizes.points;
  points.cells = plan.cells;
  while (1 << points.cell_bits < plan.cells) ++points.cell_bits;
  points.threads = FormTableSizes::threads;
  points.points = plan.part_points;
  points.cells_at = plan.sharedInputs();
  points.input_step = plan.inputStep();
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
  if (s.kind != FormKind::Matrices) {
    return "of forms it is for matrices, and for vectors and products of tensor-product bases";
  }
  const std::string why = whyNotFormOfReference(s);
  if (!why.empty()) return why;
  const TensorFormPlan plan = tensorFormPlan(s, work.scalar_bytes[0], machine);
  if (!plan.fits) {
    return "a block takes " + std::to_string(plan.sharedBytes()) +
           " bytes of shared memory, which has " + std::to_string(machine.block_shared_bytes);
  }
  if (plan.bytes() > tables_bytes) {
    return "its table would take " + std::to_string(plan.bytes()) + " bytes, more than " +
           std::to_string(tables_bytes);
  }
  return {};
}

double secondsOfTensorForms(const Work& work, const Machine& machine) {
  const FormShape& s = work.form.shape;
  const TensorFormPlan plan = tensorFormPlan(s, work.scalar_bytes[0], machine);
  const FormProducts& products = plan.products;
  const double parts = double(partsOf(plan.points, std::max<std::int64_t>(1, products.points)));
  const double groups = double(partsOf(products.slices(), plan.slices_at_once));
  const double launches = parts * 3 * groups, fills = 1;
  const double rows = 8. * double(products.steps());
  const double table = rows * double(products.slices()) * products.slice_entries;
  const double products_of_cell = table * double(plan.pairs);
  const double cells = double(partsOf(s.cells, plan.cells)) * plan.cells;
  // As measured on an H200: what matrix instructions reach of their peak; seconds of a point, of
  // an output that is stored, or added, and of a cell besides. Scattered outputs have no layout.
  const double of_peak = s.cell_fastest ? 0.35 : 0.48;
  constexpr double point = 42e-12, other = 1e-10;
  const double stored = s.cell_fastest ? 6.3e-12 : 4.1e-12;
  const double output = s.is_scattered ? 12e-12 : stored;
  constexpr double element = 2e-11;  // of a table, not measured
  constexpr double multiprocessors_of_h200 = 132;
  const double outputs = double(s.lefts * products.rights) * s.left_blocks * s.right_blocks;
  const double cell =
      2 * products_of_cell / (of_peak * machine.matrix_flops_per_second) +
      (double(products.points) * double(plan.pairs) * point + outputs * output + other) *
          multiprocessors_of_h200 / machine.multiprocessors;
  return launches * machine.launch_seconds + 1e-5 +
         fills * table * double(products.summed_points) * element +
         std::max(work.bytes / machine.bytes_per_second, cells * cell);
}

}  // namespace Impl
}  // namespace Kontract
