// SPDX-License-Identifier: BSD-3-Clause
//
// Pointwise operations where cells are neighbours in memory: runs through cells, through the cells
// of all fields, or of all fields and some points.
#ifndef KONTRACT_HOSTPOINTWISECELLS_IPP
#define KONTRACT_HOSTPOINTWISECELLS_IPP

#include "Kontract_HostPointwiseCellBlocks.ipp"
#include "Kontract_HostPointwiseLeftFetch.ipp"

/// The operation on some cells of a problem, block by block.
template <class S>
class InterleavedPointwise {
 public:
  using Real = typename S::Real;
  using Problem = HostPointwise<Real>;
  using Strides = typename Problem::Strides;
  static constexpr int real = sizeof(Real);
  static constexpr std::int64_t planes_bytes = most_components * cell_plane_bytes;
  static constexpr std::int64_t left_bytes =
      left_in_l2_bytes + most_components * (vector_bytes + 64);
  static constexpr std::int64_t bytes = left_bytes + 2 * planes_bytes + CellOutputs<S>::bytes;

  InterleavedPointwise(const Problem& problem, const PointwisePlan<S>& how, Real* workspace)
      : p(mergedOverCells(problem)),
        plan(how),
        blocks(p, how),
        has_cells(p.right_of.cell != 0),
        by_rows(!has_cells &&
                (!blocks.fields_follow || blocks.cells * S::scalar_bytes >= cell_chunk_bytes)),
        is_left_there(!blocks.fields_follow || (p.fields == 1 && p.points == 1)),
        left_plane(blocks.points > 1 ? cell_plane_bytes / real
                                     : roundUp(blocks.cells * S::reals + S::vector_reals, line)),
        left_space(workspace),
        rows_space(left_space + left_bytes / real),
        right_space(rows_space + planes_bytes / real),
        outputs(plan, p.stream,
                has_cells || plan.outs > few_outputs ? short_cell_chunk_bytes : cell_chunk_bytes,
                right_space + planes_bytes / real) {
    run.period = no_period;
    run.phase = 0;
    run.stream = false;
    run.right_step = by_rows ? 0 : 1;
    const bool is_row_next = !blocks.fields_follow && p.fields > 1;
    const std::int64_t ahead = is_row_next ? p.right_of.field * S::reals : bytes_ahead / real;
    run.prefetch_distance = has_cells && p.stream ? ahead : 0;
    for (int i = 0; i < plan.lefts; ++i) {
      left_at[i] = plan.left_at[i] * S::reals;
      run.left_at[i] = is_left_there ? left_at[i] : i * left_plane;
    }
    const std::int64_t right_plane = by_rows ? S::vector_reals : plane;
    for (int i = 0; i < plan.rights; ++i) {
      run.right_at[i] = has_cells ? plan.right_at[i] * S::reals : i * right_plane;
    }
    outputs.placeComponents(run);
  }

  void multiply() {
    const std::int64_t rows = plan.by_element ? p.rows : 1;
    const std::int64_t columns = plan.by_element ? p.columns : 1;
    for (std::int64_t cell = 0; cell < p.cells; cell += blocks.cells) {
      cells = p.cells - cell < blocks.cells ? p.cells - cell : blocks.cells;
      for (std::int64_t point = 0; point < p.points; point += blocks.points) {
        points = p.points - point < blocks.points ? p.points - point : blocks.points;
        for (std::int64_t i = 0; i < rows; ++i) {
          for (std::int64_t j = 0; j < columns; ++j) {
            const auto start = [&](const Strides& of) KONTRACT_INLINE_LAMBDA {
              return (cell * of.cell + point * of.point + i * of.row + j * of.column) * S::reals;
            };
            multiplyBlock(p.left + start(p.left_of), p.right + start(p.right_of),
                          p.out + start(p.out_of));
          }
        }
      }
    }
    outputs.finish();
  }

 private:
  static constexpr int line = 64 / real, plane = cell_plane_bytes / real;
  static constexpr int bytes_ahead = 2048;
  static constexpr int few_outputs = 4;  ///< components whose long chunks stay in the L1 cache

  void multiplyBlock(const Real* left, const Real* right, Real* out) {
    if (plan.has_left) {
      prepareLeft(left);
      fetch.start(left + points * p.left_of.point * S::reals, left_at, plan.lefts,
                  cells * points * S::reals, cells * points * p.fields);
    }
    if (blocks.fields_follow) {
      multiplyRun(right, out, cells * p.fields * points);
      return;
    }
    for (std::int64_t field = 0; field < p.fields; ++field) {
      const Real* const row = right + field * p.right_of.field * S::reals;
      Real* const to = out + field * p.out_of.field * S::reals;
      if (p.stream) {
        outputs.fetchEnds(to + p.out_of.field * S::reals, cells);
        multiplyRun(row, to, cells);
      } else {
        multiplyRow(row, to);
      }
    }
  }

  /// The left side of a run: where it is, or once for all fields, or for each item.
  void prepareLeft(const Real* left) {
    run.left = is_left_there ? left : left_space;
    if (is_left_there) return;
    const std::int64_t row = cells * S::reals;
    if (blocks.points == 1) run.period = row;
    for (int i = 0; i < plan.lefts; ++i) {
      Real* const to = left_space + i * left_plane;
      if (blocks.points == 1) {
        copyRow(left + left_at[i], row, to);
        // A vector may begin with any cell, and goes on with the first ones.
        for (int k = 0; k < S::vector_reals; ++k) to[row + k] = to[k];
      } else {
        Real* const rows = rows_space + i * plane;
        for (std::int64_t q = 0; q < points; ++q) {
          copyRow(left + left_at[i] + q * p.left_of.point * S::reals, row, rows + q * row);
        }
        replicateRows<S>(rows, points, row, p.fields, to);
      }
    }
  }
  static KONTRACT_INLINE void copyRow(const Real* from, std::int64_t reals, Real* to) {
    __builtin_memcpy(to, from, std::size_t(reals) * sizeof(Real));
  }

  /// One field's row of cells, through the caches.
  KONTRACT_INLINE void multiplyRow(const Real* right, Real* out) {
    run.out = out;
    if (!has_cells) {
      computeRows(right, 0, cells);
      return;
    }
    run.items = cells;
    run.right = right;
    plan.kernel(run);
  }

  void multiplyRun(const Real* right, Real* out, std::int64_t items) {
    const auto compute = [&](std::int64_t first, std::int64_t count) KONTRACT_INLINE_LAMBDA {
      fetch.advance(count);
      if (by_rows) {
        computeRows(right, first, count);
        return;
      }
      run.items = count;
      run.phase = first * S::reals;
      if (run.period != no_period) run.phase %= run.period;
      if (has_cells) {
        run.right = right + first * S::reals;
      } else {
        expandRight(right, first, count);
      }
      plan.kernel(run);
    };
    outputs.write(run, out, items, !has_cells && !by_rows, by_rows && items > cells, compute);
  }

  /// Of a right side without cells: a vector of each component serves a row.
  void computeRows(const Real* right, std::int64_t first, std::int64_t count) {
    run.right = right_space;
    std::int64_t field = first / cells, cell = first % cells;
    for (; count > 0; ++field, cell = 0) {
      run.items = cells - cell < count ? cells - cell : count;
      run.phase = cell * S::reals;
      for (int i = 0; i < plan.rights; ++i) {
        fillScalar(right + (plan.right_at[i] + field * p.right_of.field) * S::reals,
                   S::vector_reals, right_space + run.right_at[i]);
      }
      plan.kernel(run);
      run.out += run.items * S::reals;
      count -= run.items;
    }
  }

  /// A right side without cells, for each item.
  void expandRight(const Real* right, std::int64_t first, std::int64_t count) {
    run.right = right_space;
    for (int i = 0; i < plan.rights; ++i) {
      const Real* const from = right + plan.right_at[i] * S::reals;
      Real* to = right_space + run.right_at[i];
      std::int64_t cell = first % cells, field = first / cells % p.fields;
      std::int64_t point = first / cells / p.fields;
      for (std::int64_t rest = count; rest > 0; cell = 0) {
        const std::int64_t here = cells - cell < rest ? cells - cell : rest;
        fillScalar(from + (field * p.right_of.field + point * p.right_of.point) * S::reals,
                   here * S::reals, to);
        to += here * S::reals;
        rest -= here;
        if (++field < p.fields) continue;
        field = 0;
        ++point;
      }
    }
  }

  /// Writes up to a vector more.
  static KONTRACT_INLINE void fillScalar(const Real* scalar, std::int64_t reals, Real* to) {
    typename S::Vec v;
#pragma GCC unroll 16
    for (int i = 0; i < S::vector_reals; ++i) v[i] = scalar[i % S::reals];
    for (std::int64_t k = 0; k < reals; k += S::vector_reals) store<S::width>(to + k, v);
  }

  const Problem p;
  const PointwisePlan<S>& plan;
  const CellBlocks<S> blocks;
  const bool has_cells;      ///< on the right side
  const bool by_rows;        ///< a row of cells is computed with one right tensor
  const bool is_left_there;  ///< where runs read it: not in a copy
  const std::int64_t left_plane;
  Real *left_space, *rows_space, *right_space;
  CellOutputs<S> outputs;
  LeftFetch<Real> fetch;
  PointwiseRun<Real> run;
  std::int64_t left_at[most_components];  ///< reals
  std::int64_t cells = 0, points = 0;     ///< of this block
};

#endif
