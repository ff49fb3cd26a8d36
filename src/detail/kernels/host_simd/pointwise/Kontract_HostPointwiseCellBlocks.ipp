// SPDX-License-Identifier: BSD-3-Clause
//
// Into what blocks a pointwise problem is cut where cells are neighbours in memory.
#ifndef KONTRACT_HOSTPOINTWISECELLBLOCKS_IPP
#define KONTRACT_HOSTPOINTWISECELLBLOCKS_IPP

#include "Kontract_HostPointwiseCellOutputs.ipp"

/// Of a block's left side. Lines that come from the L2 cache are under way in the L1 cache as those
/// from memory are, of which a core has few: a left side that is most of what is read stays in L1.
constexpr std::int64_t left_in_l1_bytes = 24 * 1024, left_in_l2_bytes = 128 * 1024;
constexpr std::int64_t short_row_bytes = 512;   ///< of cells that had better not be a run each
constexpr std::int64_t long_row_bytes = 4096;   ///< of cells that need no neighbours in a run
constexpr std::int64_t short_run_bytes = 1024;  ///< of the cells of all fields

/// A problem whose cells are neighbours in memory, with as few indices as it can have.
template <class Real>
HostPointwise<Real> mergedOverCells(HostPointwise<Real> p) {
  using Strides = typename HostPointwise<Real>::Strides;
  if (p.operation == HostOperation::Copy || isOfMatrix(p)) p.left_of = {1, 0, 0, 0, 0};
  if (p.points > 1 && p.left_of.point == 0) {
    // What holds for all points of a cell holds for all fields.
    if (p.fields == 1) {
      p.out_of.field = p.out_of.point;
      p.right_of.field = p.right_of.point;
    }
    const auto follow = [&](const Strides& of) { return of.point == of.field * p.fields; };
    if (follow(p.out_of) && follow(p.right_of)) {
      p.fields *= p.points;
      p.points = 1;
    }
  }
  const auto follow = [&](const Strides& of) { return of.cell == 1 && of.point == p.cells; };
  if (p.fields == 1 && p.points > 1 && follow(p.out_of) && follow(p.right_of) &&
      follow(p.left_of)) {
    p.cells *= p.points;
    p.points = 1;
  }
  return p;
}

/// How many cells and points a block has, and whether its fields are one run.
template <class S>
struct CellBlocks {
  using Problem = HostPointwise<typename S::Real>;
  std::int64_t cells, points = 1;
  bool fields_follow;  ///< and are one run

  CellBlocks(const Problem& p, const PointwisePlan<S>& plan) : cells(p.cells) {
    const bool has_cells = p.right_of.cell != 0, reads_left = plan.lefts >= plan.rights + plan.outs;
    const std::int64_t room = has_cells && reads_left ? left_in_l1_bytes : left_in_l2_bytes;
    const std::int64_t most = room / (plan.lefts * S::scalar_bytes);
    if (p.cells > most) {
      const std::int64_t blocks = (p.cells + most - 1) / most;
      cells = roundUp((p.cells + blocks - 1) / blocks, 16);
    }
    const std::int64_t row_bytes = p.cells * S::scalar_bytes, of_point = p.cells * p.fields;
    const auto follow = [&](const typename Problem::Strides& of) {
      return p.fields == 1 || of.field == p.cells;
    };
    fields_follow = cells == p.cells && follow(p.out_of) && (!has_cells || follow(p.right_of)) &&
                    // Their left side is copied, so that it goes on from its beginning.
                    (row_bytes < short_row_bytes || (p.stream && p.fields > 3)) &&
                    (row_bytes < long_row_bytes || has_cells);
    const bool points_follow = fields_follow && p.points > 1 && p.out_of.point == of_point &&
                               (!has_cells || p.right_of.point == of_point);
    if (!points_follow || of_point * S::scalar_bytes >= short_run_bytes) return;
    points = cell_chunk_bytes / S::scalar_bytes / of_point;
    if (points > p.points) points = p.points;
  }
};

#endif
