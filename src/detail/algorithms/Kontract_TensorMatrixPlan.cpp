// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_TensorMatrixPlan.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {
namespace {

/// Of pairs of families: gradients of both sides have functions of the first direction in four
/// ways.
int groupsOf(const ColumnSizes& columns) { return std::min(columns.couplings, 4); }

/// Whether a form may have a kernel that knows its sizes. Coefficients are not asked for.
bool hasKnownSizes(const Work& work, const TensorMatrixPlan& plan) {
  const FormShape& s = work.form.shape;
  const int N = plan.layout.functions(), Q = plan.layout.points(0);
  return s.is_symmetric && s.left_blocks == 1 && !work.form.columns.has_families &&
         (Q == N || Q == N + 1) && plan.layout.areOfGradients(N, Q, s.cell_fastest);
}

/// How many times longer matrices take where neighbours in memory are cells: blocks have few of
/// them, and of many functions one or two.
double slowerByCells(int functions) {
  return functions <= 5 ? 1.6 : functions == 6 ? 2.8 : functions == 7 ? 3.5 : 9;
}

}  // namespace

TensorMatrixPlan tensorMatrixPlan(const Work& work, const Machine& machine) {
  TensorMatrixPlan plan;
  const FormShape& s = work.form.shape;
  const ColumnSizes& columns = work.form.columns;
  if (machine.is_host || columns.functions < 2 || columns.dimension != 3 ||
      s.kind != FormKind::Matrices) {
    return plan;
  }
  constexpr std::int64_t most_points = 1 << 15;  // more have no room, and sizes are ints
  if (std::int64_t(columns.points[0]) * columns.points[1] * columns.points[2] > most_points) {
    return plan;
  }
  TensorMatrixLayout<AnyMatrixSizes>& layout = plan.layout;
  layout.functions_in = columns.functions;
  for (int d = 0; d < 3; ++d) layout.points_in[d] = columns.points[d];
  layout.sides_in = columns.sides;
  layout.tables_in = columns.tables + 1;
  layout.numbers_in = columns.point_numbers;
  layout.couplings_in = columns.couplings;
  layout.groups_in = groupsOf(columns);
  layout.nodes_in = columns.nodes;
  if (s.is_scattered && !s.has_operators) {
    layout.starts_in = static_cast<int>(s.lefts) * s.left_blocks;
  }
  TensorMatrixBlock& block = layout.block;
  block = TensorMatrixBlock::usual(columns.functions, s.is_symmetric, s.cell_fastest);
  const auto fits = [&] {
    plan.shared_bytes = layout.bytes(work.scalar_bytes[0]);
    return plan.shared_bytes <= machine.block_shared_bytes;
  };
  while (!fits() && block.cells > 1) block.cells /= 2;
  while (!fits() && block.slots > 1) --block.slots;
  plan.fits = fits();
  layout.divide();
  return plan;
}

bool hasTensorMatrices(const Work& work, const Machine& machine) {
  return tensorMatrixPlan(work, machine).fits;
}

double secondsOfTensorMatrices(const Work& work, const Machine& machine) {
  // As measured on an H100: sums, steps of a cell, the geometry of points, entries where sizes are
  // not known when compiling, and those that are added to the matrix of a mesh.
  constexpr double of_copying = 0.5, rate = 8e12, point = 3e-11, entry = 5e-12, added = 1.2e-11,
                   cell = 6e-10, start = 2e-6, multiprocessors_of_h100 = 132;
  const FormShape& s = work.form.shape;
  const int capability = machine.compute_capability;
  const double slower = capability >= 90 ? 1 : capability == 80 ? 2 : 100;
  const bool is_known = hasKnownSizes(work, tensorMatrixPlan(work, machine));
  const double terms = double(s.term_count), outputs = double(s.outputs());
  const double of_entries =
      terms * outputs * ((s.is_scattered ? added : 0) + (is_known ? 0 : entry));
  const bool has_cells = s.cell_fastest && !s.has_operators;  // those go through a buffer
  const double apart = has_cells ? slowerByCells(work.form.columns.functions) : 1;
  const double seconds = slower * work.form.sizes.flops / rate + of_entries +
                         terms * double(s.cells) * (cell + point * double(s.points));
  // Each term reads again what those before it have stored.
  const double bytes = work.bytes + 2 * (terms - 1) * outputs * work.scalar_bytes[0];
  return terms * (machine.launch_seconds + start) +
         apart * std::max(bytes / (of_copying * machine.bytes_per_second),
                          seconds * multiprocessors_of_h100 / std::max(1, machine.multiprocessors));
}

}  // namespace Impl
}  // namespace Kontract
