// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_COLUMNPLAN_HPP
#define KONTRACT_COLUMNPLAN_HPP

#include <cstdint>

#include "detail/kernels/portable/Kontract_FormColumns.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/problem/Kontract_Work.hpp"

namespace Kontract {
namespace Impl {

/// Threads of a team that have registers for columns.
inline constexpr int max_column_threads = 256;

/// How teams of a device divide a sum factorization with columns in registers.
struct ColumnPlan {
  ColumnLayout layout;
  int cells = 1;                ///< that a team computes at a time
  std::int64_t many_teams = 1;  ///< that keep a device busy
  Teams teams;
  bool fits = false;  ///< columns are for the form, and scratch memory holds the cells of a team

  /// The teams of some cells.
  Teams teamsOf(std::int64_t form_cells) const;
};

/// How many teams a device is kept busy with, some of which run at a time.
std::int64_t manyTeams(const Machine& machine);

/// Pieces of work for so many batches of cells. Each has several batches if there are many, because
/// filling tables takes as long as a part of a batch.
std::int64_t piecesOf(std::int64_t batches, std::int64_t many_teams);

/// \param number_bytes  of a scalar
/// \param launch        Team Size and Cells Per Team are honoured
ColumnPlan columnPlan(const ColumnSizes& sizes, int number_bytes, const LaunchSettings& launch,
                      const Machine& machine);

/// Expected seconds of vectors or products that go through columns of points on a device.
/// \param of_copying        the part of the rate of copying that is left
/// \param flops_per_second  of sums, on an H100
/// \param of_node           of a node at a point whose geometry comes from nodes, there
double secondsOfColumns(const Work& work, const Machine& machine, double of_copying,
                        double flops_per_second, double of_node);

}  // namespace Impl
}  // namespace Kontract

#endif
