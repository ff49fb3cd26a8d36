// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_CellFormPlan.hpp"

#include <algorithm>

#include "Kontract_ColumnPlan.hpp"
#include "Kontract_FormTilePlan.hpp"

namespace Kontract {
namespace Impl {
namespace {

constexpr std::int64_t most_fields = 8;

std::int64_t fieldsOf(const FormShape& s) { return std::max(s.lefts, s.rights); }

}  // namespace

CellFormPlan cellFormPlan(const FormShape& s, int number_bytes, const Machine& machine) {
  CellFormPlan plan;
  if (machine.is_host || fieldsOf(s) > most_fields) return plan;
  CellFormLayout& layout = plan.layout;
  layout.fields = fieldsOf(s) <= 4 ? 4 : fieldsOf(s) <= 6 ? 6 : 8;
  layout.dimension = s.dimension;
  layout.terms = std::min(s.term_count, most_cell_terms);
  layout.has_same_values = s.is_symmetric;
  constexpr std::int64_t reserve = 16, many = 1 << 12;  // beyond which nothing fits
  if (s.points > many || s.nodes > layout.fields) return plan;
  layout.points = static_cast<int>(s.points);
  layout.nodes = static_cast<int>(s.nodes);
  constexpr int fewest_cells = 32;
  for (layout.cells = max_cell_threads; layout.cells >= fewest_cells; layout.cells /= 2) {
    plan.teams.scratch_bytes = scratchBytes(layout.numbers(), number_bytes);
    plan.fits = plan.teams.scratch_bytes + reserve <= machine.scratch_bytes[0];
    if (plan.fits) break;
  }
  plan.teams.threads = layout.cells;
  plan.many_teams = manyTeams(machine);
  plan.pairs = s.is_symmetric ? s.left_blocks * (s.left_blocks + 1) / 2
                              : std::int64_t(s.left_blocks) * s.right_blocks;
  return plan;
}

std::string whyNotFormCells(const Work& work, const Machine& machine) {
  const FormShape& s = work.form.shape;
  if (s.kind != FormKind::Matrices) return "of forms on devices it is for matrices";
  const std::string why = whyNotFormOfReference(s);
  if (!why.empty()) return why;
  if (fieldsOf(s) > most_fields) {
    return "of forms on devices it is for matrices of at most " + std::to_string(most_fields) +
           " fields on either side";
  }
  const CellFormPlan plan = cellFormPlan(s, work.scalar_bytes[0], machine);
  if (plan.fits) return {};
  if (s.nodes > plan.layout.fields) {
    return "cells have " + std::to_string(s.nodes) + " nodes, but of cells with so few fields " +
           std::to_string(plan.layout.fields) + " are possible";
  }
  return "values at " + std::to_string(s.points) + " points do not fit scratch memory of " +
         std::to_string(machine.scratch_bytes[0]) + " bytes";
}

double secondsOfFormCells(const Work& work, const Machine& machine) {
  const FormShape& s = work.form.shape;
  // Nanoseconds of an H200: of a point, of an entry there, and of an entry that is stored or added.
  // Jacobians of a cell come from memory point by point, while its thread waits.
  const double point = s.nodes > 0 || !s.has_mapping ? 0.014
                       : s.cell_fastest_mapping      ? 0.05
                                                     : 0.035;
  constexpr double entry = 0.0009;
  const double left_over = s.cell_fastest ? 0.0066 : 0.0114;
  const double entries = double(fieldsOf(s)) * double(fieldsOf(s));
  const double computed = s.is_symmetric && s.left_blocks == 1 ? entries / 2 : entries;
  // Less than a team for each multiprocessor takes as long.
  const double busy = double(machine.multiprocessors) * max_cell_threads;
  const double idle = std::max(1.0, busy / double(std::max<std::int64_t>(1, s.cells)));
  // Terms that are computed together share what is at a point.
  const double terms = double(std::clamp(s.term_count, 1, most_cell_terms));
  return secondsOfFormPoints(
      work, machine,
      idle * (point / terms + entry * computed + nanosecondsOfOutputs(s, left_over)));
}

}  // namespace Impl
}  // namespace Kontract
