// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_TableVectorPlan.hpp"

#include <algorithm>

#include "Kontract_FormTilePlan.hpp"

namespace Kontract {
namespace Impl {

int TableVectorPlan::rows() const {
  const int of_left = 8 * FormVectorSizes::eights(leftRows());
  return std::max(of_left, rightAt() + 8 * FormVectorSizes::eights(rightRows()));
}

int TableVectorPlan::rowStep() const {
  // An odd multiple of four keeps the threads of a warp apart in banks of memory.
  return std::max(left_blocks, right_blocks) * cells + 4;
}

int TableVectorPlan::sumStep() const {
  const int of_cell = left_fields * left_blocks;
  return outputs == VectorOutputs::Whole ? of_cell : of_cell | 1;
}

std::int64_t TableVectorPlan::vectorsSize() const {
  const std::int64_t vectors = 8 * std::int64_t(FormVectorSizes::eights(right_fields)) * rowStep();
  // With room for runs that begin within a multiple of 16 bytes.
  const std::int64_t sums =
      outputs == VectorOutputs::Cells ? 0 : std::int64_t(cells) * sumStep() + 2;
  return std::max(vectors, sums);
}

std::int64_t TableVectorPlan::sharedBytes() const {
  const std::int64_t values = std::int64_t(rows()) * rowStep();
  return 8 * (arrays.numbers(cells, part_points) + values + vectorsSize());
}

std::int64_t TableVectorPlan::bytes() const {
  const auto pairs = [](int summed, int entries) {
    return FormVectorSizes::pairs(summed, entries);
  };
  // Lanes read a step of eight ahead, past the end of a table.
  const std::int64_t right = pairs(right_fields, rightRows()), right_step = pairs(8, rightRows());
  const std::int64_t left = pairs(leftRows() + 8, left_fields);
  return 16 * (right + std::max(right_step, left));
}

namespace {

/// Sets how many points have their inputs in shared memory at a time, of parts of about the same
/// size.
bool setParts(int most_parts, std::int64_t bytes, TableVectorPlan& plan) {
  const int points = std::max(1, plan.launch_points);
  for (int parts = 1; parts <= std::min(points, most_parts); ++parts) {
    plan.part_points = static_cast<int>(partsOf(points, parts));
    if (plan.sharedBytes() <= bytes) return true;
  }
  return false;
}

/// Sets how many cells a block has: many, unless that leaves multiprocessors idle.
bool setCells(const FormShape& s, const Machine& machine, std::int64_t bytes, int most_parts,
              int fewest, TableVectorPlan& plan) {
  constexpr int most = 256;
  const std::int64_t few_blocks = 2 * std::int64_t(machine.multiprocessors);
  for (plan.cells = most; plan.cells >= fewest; plan.cells /= 2) {
    if (plan.cells > fewest && partsOf(s.cells, plan.cells) < few_blocks) continue;
    if (setParts(most_parts, bytes, plan)) return true;
  }
  return false;
}

/// Tiles of eight entries that a warp has at a time, about the same number each time.
int tilesAtOnce(int entries) {
  const std::int64_t tiles = std::max(1, FormVectorSizes::eights(entries));
  return static_cast<int>(partsOf(tiles, partsOf(tiles, FormVectorSizes::most_tiles)));
}

/// The plan of all terms at once, with as many inputs as they may have. \param right_at  in all
TableVectorPlan planOfAll(const Work& work, int right_at, const Machine& machine) {
  const FormShape& s = work.form.shape;
  FormArrays arrays = arraysOfForm(s, work.scalar_bytes[0]);
  // A load of several components has one for each.
  arrays.of_point += std::max(s.point_components, s.dimension * s.term_count);
  return tableVectorPlan(s, {s.left_components, s.right_components, right_at}, arrays,
                         s.term_count == 1, machine);
}

}  // namespace

TableVectorPlan tableVectorPlan(const FormShape& s, const VectorComponents& components,
                                const FormArrays& arrays, bool are_known, const Machine& machine) {
  TableVectorPlan plan;
  plan.arrays = arrays;
  plan.components = components;
  plan.left_fields = static_cast<int>(s.lefts);
  plan.is_load = s.kind == FormKind::Vectors;
  plan.right_fields = plan.is_load ? 0 : static_cast<int>(s.rights);
  plan.left_blocks = s.left_blocks;
  plan.right_blocks = s.right_blocks;
  plan.points = s.points;
  plan.outputs = s.is_scattered              ? VectorOutputs::Any
                 : arrays.have_whole_outputs ? VectorOutputs::Whole
                 : s.cell_fastest            ? VectorOutputs::Cells
                                             : VectorOutputs::Any;
  // As many blocks of a multiprocessor as have registers, or fewer, or as many points as one has
  // room for.
  const std::int64_t all = machine.block_shared_bytes, half = sharedMemoryOf(machine, 2);
  const std::int64_t some = sharedMemoryOf(machine, FormVectorSizes::blocksOf(are_known));
  constexpr int few_parts = 2, some_parts = 8, any_parts = 1 << 20, few = 32, fewest = 16;
  for (std::int64_t parts = 1; !plan.fits && parts <= std::max<std::int64_t>(1, s.points);
       ++parts) {
    plan.launch_points = static_cast<int>(partsOf(s.points, parts));
    plan.fits = setCells(s, machine, some, few_parts, few, plan) ||
                setCells(s, machine, half, few_parts, few, plan) ||
                setCells(s, machine, half, some_parts, fewest, plan) ||
                setCells(s, machine, all, any_parts, fewest, plan);
  }
  return plan;
}

FormVectorSizes formVectorSizes(const TableVectorPlan& plan, std::int64_t first_point) {
  FormVectorSizes sizes;
  TableVectorPlan part = plan;
  part.launch_points =
      static_cast<int>(std::min<std::int64_t>(plan.launch_points, plan.points - first_point));
  sizes.inputs = pointInputSizes(plan.arrays, plan.cells, plan.part_points);
  sizes.first_point = first_point;
  sizes.points = part.launch_points;
  sizes.left_rows = part.leftRows();
  sizes.right_rows = part.rightRows();
  sizes.right_at = part.rightAt();
  sizes.row_step = plan.rowStep();
  sizes.left_fields = plan.left_fields;
  sizes.right_fields = plan.right_fields;
  sizes.left_blocks = plan.left_blocks;
  sizes.right_blocks = plan.right_blocks;
  sizes.right_tiles = tilesAtOnce(sizes.right_rows);
  sizes.left_tiles = tilesAtOnce(sizes.left_fields);
  sizes.sum_step = plan.sumStep();
  sizes.outputs = plan.outputs;
  sizes.rows_at = static_cast<int>(plan.arrays.numbers(plan.cells, plan.part_points));
  sizes.vectors_at = sizes.rows_at + plan.rows() * plan.rowStep();
  return sizes;
}

std::string whyNotTableVectors(const Work& work, const Machine& machine) {
  const FormShape& s = work.form.shape;
  const std::string why = whyNotFormOfReference(s);
  if (!why.empty()) return why;
  // It fits if all others do.
  const TableVectorPlan plan = planOfAll(work, s.left_components, machine);
  if (plan.fits) return {};
  return "a block takes " + std::to_string(plan.sharedBytes()) +
         " bytes of shared memory, which has " + std::to_string(machine.block_shared_bytes);
}

double secondsOfTableVectors(const Work& work, const Machine& machine) {
  const FormShape& s = work.form.shape;
  const TableVectorPlan plan = planOfAll(work, 0, machine);
  // Nanoseconds of an H200, fitted to 600 loads and products by chance (Kontract_measureRandomForms
  // 200 1e9 0.003 1 vectors): of a cell, a component at a point, a node there, a number that is
  // read, and a product with a table. Kernels of any terms ask for each at points; what that takes
  // was estimated by their instructions.
  constexpr double cell = 0.02, component = 0.0012, of_any = 0.0025, node = 0.00135, input = 0.0026,
                   product = 8.3e-5;
  const double points = double(s.points);
  const double blocks = double(std::max(s.left_blocks, s.right_blocks));
  const bool are_any = s.term_count > 2 || blocks > 1;
  const double components = points * blocks * std::max(s.left_components, s.right_components);
  const double nodes = double(s.nodes) * (s.nodes > s.dimension + 1 ? points : 1);
  const double scalars = work.bytes / work.scalar_bytes[0] - double(s.outputs());
  const double inputs = std::max(0.0, scalars) / double(std::max<std::int64_t>(1, s.cells));
  const auto eights = [](int count) { return 8. * FormVectorSizes::eights(count); };
  const double launches = double(partsOf(s.points, std::max(1, plan.launch_points)));
  const double products = eights(plan.leftRows()) * eights(plan.left_fields) * s.left_blocks +
                          eights(plan.rightRows()) * eights(plan.right_fields) * s.right_blocks;
  const double of_cell = cell + components * (are_any ? of_any : component) + nodes * node +
                         inputs * input + launches * products * product;
  return secondsOfDeviceForm(work, machine, of_cell);
}

}  // namespace Impl
}  // namespace Kontract
