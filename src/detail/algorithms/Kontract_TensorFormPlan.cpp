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
}

/// Cuts entries into slices of about the same size, and those into parts of warps.
void setSlices(TensorFormPlan& plan) {
  FormProducts& products = plan.products;
  constexpr int many_warps = 4;
  const std::int64_t tiles = std::max<std::int64_t>(1, partsOf(products.entries, 8));
  while (plan.entry_warps < many_warps && plan.entry_warps * FormTableSizes::most_tiles < tiles) {
    plan.entry_warps *= 2;
  }
  const std::int64_t slices = partsOf(tiles, FormTableSizes::most_tiles * plan.entry_warps);
  const std::int64_t slice_tiles = partsOf(tiles, slices);
  products.slice_entries = static_cast<int>(8 * slice_tiles);
  plan.warp_tiles = static_cast<int>(partsOf(slice_tiles, plan.entry_warps));
  plan.cells = FormTableSizes::warp_cells * FormTableSizes::warps / plan.entry_warps;
}

/// Sets how far apart sums of cells are in shared memory: threads that read those of one cell, or
/// of neighbouring ones, find them in different banks, or two of them in one.
void setEntryStep(bool cell_fastest, TensorFormPlan& plan) {
  const int entries = plan.products.slice_entries;
  plan.entry_step = cell_fastest ? entries + (22 - entries % 16) % 16 : 8 * (entries / 8 | 1);
}

/// Sets how much is in shared memory together, for two blocks of a multiprocessor of compute
/// capability 9.0.
void setStages(TensorFormPlan& plan) {
  constexpr std::int64_t stage_bytes = 25 << 10, sums_bytes = 37 << 10;
  plan.stage_steps = static_cast<int>(std::clamp<std::int64_t>(
      stage_bytes / (8 * plan.stepSize()), 1, std::max<std::int64_t>(1, plan.products.steps())));
  plan.pass_cells = plan.cells;
  while (plan.pass_cells > FormTableSizes::warp_cells && 8 * plan.sumsSize() > sums_bytes) {
    plan.pass_cells /= 2;
  }
}

constexpr std::int64_t tables_bytes = 32 << 20, matrices_bytes = 128 << 20;

/// Sets how much is in the workspace at a time: enough of matrices of points for all
/// multiprocessors to have several blocks.
void setWorkspace(const FormShape& s, TensorFormPlan& plan) {
  plan.blocks = partsOf(s.cells, plan.cells);
  plan.slices_at_once = std::clamp<std::int64_t>(tables_bytes / plan.sliceBytes(), 1,
                                                 std::max<std::int64_t>(1, plan.products.slices()));
  const std::int64_t block = std::max<std::int64_t>(1, plan.blockBytes());
  plan.blocks_at_once =
      std::clamp<std::int64_t>(matrices_bytes / block, 1, std::max<std::int64_t>(1, plan.blocks));
}

}  // namespace

TensorFormPlan tensorFormPlan(const FormShape& s, int left_components, int point_components) {
  TensorFormPlan plan;
  setProducts(s, left_components, point_components, plan.products);
  plan.pairs = s.is_symmetric ? s.left_blocks * (s.left_blocks + 1) / 2
                              : std::int64_t(s.left_blocks) * s.right_blocks;
  setSlices(plan);
  setEntryStep(s.cell_fastest, plan);
  setStages(plan);
  setWorkspace(s, plan);
  return plan;
}

TensorFormPlan tensorFormPlan(const FormShape& shape) {
  return tensorFormPlan(shape, shape.left_components, shape.point_components);
}

FormTableSizes formTableSizes(const TensorFormPlan& plan) {
  FormTableSizes sizes;
  sizes.cells = plan.cells;
  while (1 << sizes.cell_bits < plan.cells) ++sizes.cell_bits;
  sizes.entry_warps = plan.entry_warps;
  sizes.warp_tiles = plan.warp_tiles;
  sizes.cell_step = plan.cellStep();
  sizes.entry_step = plan.entry_step;
  sizes.sums_at = static_cast<int>(plan.stagesSize());
  sizes.pass_cells = plan.pass_cells;
  sizes.stage_steps = plan.stage_steps;
  sizes.stage_numbers = static_cast<int>(plan.stage_steps * plan.stepSize());
  sizes.outputs_step = plan.outputsStep();
  sizes.table_step = plan.tableStep();
  sizes.pairs = static_cast<int>(plan.pairs);
  return sizes;
}

PointMatrixSizes pointMatrixSizes(const FormShape& s, const TensorFormPlan& plan) {
  PointMatrixSizes sizes;
  // On simplices, where all nodes' functions are linear, the geometry of a cell is computed once.
  const bool is_simplex = s.nodes == s.dimension + 1;
  const std::int64_t points = plan.products.points;
  sizes.cells = is_simplex || (points == 1 && s.nodes == 0)
                    ? std::min(plan.cells, TensorFormPlan::point_threads)
                    : FormTableSizes::warp_cells;
  sizes.block_cells = plan.cells;
  sizes.pairs = static_cast<int>(plan.pairs);
  sizes.keeps_jacobians = s.has_mapping && !s.cell_fastest_mapping && s.nodes == 0 && points > 1 &&
                          s.space_dimension == s.dimension;
  if (sizes.keeps_jacobians) {
    constexpr std::int64_t kept_points = 8;
    sizes.parts = static_cast<int>(partsOf(points, kept_points));
    sizes.points = static_cast<int>(partsOf(points, sizes.parts));
    return sizes;
  }
  const int workers_of_cell = TensorFormPlan::point_threads / sizes.cells;
  constexpr int points_of_worker = 4;
  sizes.parts =
      static_cast<int>(std::max<std::int64_t>(1, points / (points_of_worker * workers_of_cell)));
  sizes.points = static_cast<int>(partsOf(points, sizes.parts));
  return sizes;
}

Teams teamsOfPointMatrices(const FormShape& s, const PointMatrixSizes& sizes) {
  Teams teams;
  teams.pieces = partsOf(sizes.end_cell - sizes.first_cell, sizes.cells) * sizes.parts;
  teams.threads = TensorFormPlan::point_threads;
  const std::int64_t kept =
      sizes.keeps_jacobians ? std::int64_t(sizes.cells) * sizes.jacobianStep(s.dimension) : 0;
  teams.scratch_bytes =
      scratchBytes(s.nodes * s.dimension * (sizes.cells + sizes.points) + kept, sizeof(double));
  return teams;
}

std::string whyNotTensorForms(const Work& work, const Machine& machine) {
  const FormShape& s = work.form.shape;
  if (s.kind != FormKind::Matrices) {
    return "of forms it is for matrices, and for vectors and products of tensor-product bases";
  }
  const std::string why = whyNotFormOfReference(s);
  if (!why.empty()) return why;
  const TensorFormPlan plan = tensorFormPlan(s);
  if (plan.sharedBytes() > machine.block_shared_bytes) {
    return "a block takes " + std::to_string(plan.sharedBytes()) +
           " bytes of shared memory, which has " + std::to_string(machine.block_shared_bytes);
  }
  const std::int64_t scratch = teamsOfPointMatrices(s, pointMatrixSizes(s, plan)).scratch_bytes;
  if (scratch > machine.scratch_bytes[0]) {
    return "the nodes or Jacobians of a block of cells take " + std::to_string(scratch) +
           " bytes of scratch memory, which has " + std::to_string(machine.scratch_bytes[0]);
  }
  constexpr std::int64_t most_bytes = tables_bytes + matrices_bytes;
  if (plan.bytes() > most_bytes) {
    return "its tables would take " + std::to_string(plan.bytes()) + " bytes, more than " +
           std::to_string(most_bytes);
  }
  return {};
}

double secondsOfTensorForms(const Work& work, const Machine& machine) {
  const FormShape& s = work.form.shape;
  const TensorFormPlan plan = tensorFormPlan(s);
  const FormProducts& products = plan.products;
  const double rounds = double(partsOf(plan.blocks, plan.blocks_at_once));
  const double groups = double(partsOf(products.slices(), plan.slices_at_once));
  const double fills = groups > 1 ? rounds : 1;  // of all tables
  const double launches = rounds * (1 + groups) + fills * 2 * groups;
  const double rows = 8. * double(products.steps());
  const double table = rows * double(products.slices()) * products.slice_entries;
  const double products_of_cell = table * double(plan.pairs);
  const double cells = double(plan.blocks) * plan.cells;
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
