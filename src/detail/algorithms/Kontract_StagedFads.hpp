// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_STAGEDFADS_HPP
#define KONTRACT_STAGEDFADS_HPP

#include <algorithm>
#include <cstdint>
#include <string>

#include "detail/kernels/cuda/Kontract_StagedSide.hpp"
#include "detail/problem/Kontract_Contraction.hpp"
#include "detail/problem/Kontract_Work.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// Cuts an extent into as few even groups of at most so many as there can be.
/// \return the number of groups
inline int evenGroups(std::int64_t extent, std::int64_t most, int& each) {
  const std::int64_t groups = (extent + most - 1) / most;
  each = static_cast<int>((extent + groups - 1) / groups);
  return static_cast<int>((extent + each - 1) / each);
}

/// Terms of a sum that kernels count in 32 bits, with those of a stage beyond the last one.
constexpr std::int64_t most_staged_terms = std::int64_t(1) << 30;

/// Whether an index leads no farther than lists of what is copied can say.
inline bool isWithinReach(std::int64_t step, std::int64_t count) {
  return step >= 0 && step <= StagedSide::reach_of_index / std::max<std::int64_t>(1, count);
}
/// Cells of a piece of work: those that are far apart one at a time.
inline int cellsWithinReach(const ContractionShape& s, int most) {
  return isWithinReach(s.left_cell, 1) && isWithinReach(s.right_cell, 1) ? most : 1;
}

/// Fields and components, of whose groups products are counted in 64 bits.
constexpr std::int64_t most_staged_extent = 1 << 20;

/// Pieces that it takes to cover an extent.
inline std::int64_t tilesOf(std::int64_t extent, int each) { return (extent + each - 1) / each; }

/// Whether the left fields are the rows of tiles of so many rows by columns: with which there are
/// fewer tiles. The order in which a derivative's two products are added depends on it.
inline bool leftsAreRows(std::int64_t lefts, std::int64_t rights, int rows, int columns) {
  return tilesOf(lefts, rows) * tilesOf(rights, columns) <=
         tilesOf(rights, rows) * tilesOf(lefts, columns);
}

/// \return why there are no stages of a contraction of Fads, whatever its extents and strides; else
///   empty
inline std::string whyNotStaged(const Work& work) {
  const CellMatrices& m = work.matrices;
  if (!work.has_component_rows) return "derivatives of a Fad are not side by side";
  if (!m.has_one_step) return "the terms of the sum have no single stride";
  if (work.terms == 0) return "the sum has no terms";
  return work.terms > most_staged_terms ? "the sum has too many terms" : "";
}

/// \param terms  of a stage
/// \return why there are no stages that are copied by lists; empty if there are
inline std::string whyNotListed(const Work& work, int terms) {
  const CellMatrices& m = work.matrices;
  const std::string why = whyNotStaged(work);
  if (!why.empty()) return why;
  const bool is_near = isWithinReach(m.left_field, m.lefts) &&
                       isWithinReach(m.right_field, m.rights) &&
                       isWithinReach(m.left_term, terms) && isWithinReach(m.right_term, terms);
  return is_near ? "" : "fields or terms are too far apart in memory";
}

/// Bytes a second of an H200's memory, on which estimates are measured.
constexpr double h200_bytes_per_second = 4.2e12;

/// Expected seconds; devices are taken to differ from an H200 as the bandwidths of their memories
/// do.
/// \param of_cell  seconds of a cell with all of an H200 busy
/// \param works   pieces of work of a cell
/// \param places  for pieces of work at a time: as long as there are fewer, a device waits for one
/// \param start   seconds
inline double secondsOfStages(const Work& work, const Machine& machine, double of_cell,
                              double works, double places, double start) {
  const double cells = std::max(1.0, double(work.box.extents[0]));
  const double waiting = std::max(1.0, places / std::max(1.0, works * cells));
  return machine.launch_seconds + start +
         waiting * of_cell * cells * h200_bytes_per_second / machine.bytes_per_second;
}

/// How many of each a piece of work has, and of terms a stage.
struct StagedExtents {
  int cells, terms, fields;
};
/// A side of a contraction as stages have it.
/// \param threads, value_at  see StagedSide
inline StagedSide stagedSide(const ContractionShape& s, bool is_left, const double* data,
                             const StagedExtents& each, const StagedIndex& components, int threads,
                             std::int64_t value_at = -1) {
  const SumLevel& sum = s.sum[ContractionShape::sum_levels - 1];
  return StagedSide(
      data,
      {{is_left ? s.left_cell : s.right_cell, s.cells, each.cells},
       {is_left ? sum.left : sum.right, sum.extent, each.terms},
       {is_left ? s.left_field : s.right_field, is_left ? s.lefts : s.rights, each.fields},
       components},
      threads, value_at);
}

}  // namespace Impl
}  // namespace Kontract

#endif
