// SPDX-License-Identifier: BSD-3-Clause
//
// What runs of pointwise operations read on their left side.
#ifndef KONTRACT_HOSTPOINTWISELEFT_IPP
#define KONTRACT_HOSTPOINTWISELEFT_IPP

#include "Kontract_HostPointwisePlan.ipp"

/// What a cell has on its left side: points, or one that holds for all, and elements of each.
struct CellRow {
  std::int64_t points, elements;
  std::int64_t point;  ///< from one point to the next
};

/// The left side of a run of points: where it is, or in `space` expanded to the elements of the
/// output, or component by component.
template <class S>
struct LeftSide {
  using Real = typename S::Real;
  const HostPointwise<Real>& p;
  const PointwisePlan<S>& plan;
  Real *space, *rows_space;
  bool as_it_is, is_in_tensors, is_one_point;
  bool is_uniform;        ///< one element for all of a point
  std::int64_t expanded;  ///< elements for each point

  /// \param to  lefts_bytes, twice
  LeftSide(const HostPointwise<Real>& problem, const PointwisePlan<S>& how, Real* to)
      : p(problem),
        plan(how),
        space(to),
        rows_space(to + lefts_bytes / int(sizeof(Real))),
        expanded(plan.tensor) {
    if (plan.loop_order == LoopOrder::Elements) {
      as_it_is = (p.points == 1 || p.left_of.point == expanded) &&
                 (p.columns == 1 || p.left_of.column == 1) &&
                 (p.rows == 1 || p.left_of.row == p.columns);
    } else {
      as_it_is = plan.lefts == 1 && p.left_of.point == 1;
    }
    is_one_point = p.left_of.point == 0 && (plan.loop_order == LoopOrder::Tensors ||
                                            (p.left_of.row == 0 && p.left_of.column == 0));
    is_uniform = (p.rows == 1 || p.left_of.row == 0) && (p.columns == 1 || p.left_of.column == 0);
    is_in_tensors = areComponentsDense() && plan.lefts > 1;
  }

  /// A vector of one scalar.
  static KONTRACT_INLINE void repeat(const Real* scalar, Real* to) {
    for (int i = 0; i < S::vector_reals; ++i) to[i] = scalar[i % S::reals];
  }

  /// \param expands  whether to hold an element for each of the output
  CellRow cellRow(bool expands) const {
    const bool is_one = p.left_of.point == 0 || p.points == 1;
    return {is_one ? 1 : p.points, expands ? expanded : 1, is_one ? 0 : p.left_of.point};
  }

  /// Rows of some cells, one after another; in planes where there are components.
  void compact(const Real* left, std::int64_t cells, const CellRow& row, Real* to) const {
    if (row.points == 1 || p.left_of.cell == row.point * row.points) {
      const std::int64_t step = row.points == 1 ? p.left_of.cell : row.point;
      copyPoints(left, cells * row.points, step, row.elements, to);
      return;
    }
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      copyPoints(left + cell * p.left_of.cell * S::reals, row.points, row.point, row.elements,
                 to + cell * row.points * row.elements * S::reals);
    }
  }

  /// For a block that begins there. Several fields of one cell go through the points again and
  /// again.
  void prepare(const Real* left, const PointwiseBlock& block, PointwiseRun<Real>& run) const {
    if (block.cells > 1) {
      prepareCells(left, block.cells, run);
    } else {
      prepareCell(left, block.points, block.fields > 1, run);
    }
  }

 private:
  void prepareCell(const Real* left, std::int64_t points, bool wraps,
                   PointwiseRun<Real>& run) const {
    run.left = left;
    run.left_at[0] = 0;
    run.period = wraps ? points * expanded * S::reals : no_period;
    if (!plan.has_left || (as_it_is && !wraps)) return;
    run.left = space;
    if (as_it_is) {
      __builtin_memcpy(space, left, std::size_t(run.period) * sizeof(Real));
    } else if (is_one_point) {
      // A vector of each component, and again as a vector may start anywhere in it.
      run.period = S::vector_reals;
      for (int i = 0; i < plan.lefts; ++i) {
        for (int k = 0; k < 2; ++k) {
          repeat(left + plan.left_at[i] * S::reals, space + i * plane + k * S::vector_reals);
        }
      }
      return;
    } else {
      copyPoints(left, points, p.left_of.point, expanded, space);
    }
    if (!wraps) return;
    for (int i = 0; i < plan.lefts; ++i) {
      Real* const end = space + i * plane + run.period;
      if (run.period >= S::vector_reals) {
        store<S::width>(end, load<S::width>(end - run.period));
      } else {
        for (int k = 0; k < S::vector_reals; ++k) end[k] = end[k - run.period];
      }
    }
  }

  /// For all items of some cells, one after another.
  void prepareCells(const Real* left, std::int64_t cells, PointwiseRun<Real>& run) const {
    run.left = space;
    run.left_at[0] = 0;
    run.period = no_period;
    if (!plan.has_left) return;
    const bool is_one = p.left_of.point == 0 || p.points == 1;
    const CellRow one = cellRow(!is_one || !is_uniform);
    const std::int64_t row = one.points * one.elements;
    const std::int64_t times = p.fields * p.points * expanded / row;
    Real* const rows = times == 1 ? space : rows_space;
    compact(left, cells, one, rows);
    if (times == 1) return;
    for (int i = 0; i < plan.lefts; ++i) {
      replicateRows<S>(rows + i * plane, cells, row * S::reals, times, space + i * plane);
    }
  }

  static constexpr int plane = plane_bytes / int(sizeof(Real));

  /// Whether the offsets of components are 0, 1, 2 and so on, in any order.
  bool areComponentsDense() const {
    unsigned found = 0;
    for (int i = 0; i < plan.lefts; ++i) {
      if (plan.left_at[i] >= 0 && plan.left_at[i] < plan.lefts) found |= 1u << plan.left_at[i];
    }
    return found == (1u << plan.lefts) - 1;
  }

  /// Points that are `step` apart: their elements, or their components in planes.
  void copyPoints(const Real* left, std::int64_t points, std::int64_t step, std::int64_t elements,
                  Real* to) const {
    if (plan.loop_order == LoopOrder::Elements) {
      expand(left, points, step, elements, to);
    } else {
      copyTensors(left, points, step, to);
    }
  }

  void copyTensors(const Real* left, std::int64_t points, std::int64_t step, Real* space) const {
    if (is_in_tensors && step == plan.lefts) {
      switch (plan.lefts) {
        case 2: splitTensors<2>(left, points, space); return;
        case 3: splitTensors<3>(left, points, space); return;
        case 4: splitTensors<4>(left, points, space); return;
        default: splitTensors<9>(left, points, space); return;
      }
    }
    for (int i = 0; i < plan.lefts; ++i) {
      const Real* from = left + plan.left_at[i] * S::reals;
      Real* to = space + i * plane;
      for (std::int64_t q = 0; q < points; ++q, from += step * S::reals) {
        for (int part = 0; part < S::reals; ++part) *to++ = from[part];
      }
    }
  }

  /// An element of the left side for each of the output.
  void expand(const Real* left, std::int64_t points, std::int64_t step, std::int64_t elements,
              Real* to) const {
    std::int64_t q = 0;
    const bool is_scalar = elements == 1 || (p.left_of.row == 0 && p.left_of.column == 0);
    if (step == 1 && is_scalar) {
      switch (elements) {
        case 1: copyReals(left, points * S::reals, to); return;
        case 2: q = repeatEach<2>(left, points, to); break;
        case 3: q = repeatEach<3>(left, points, to); break;
        case 4: q = repeatEach<4>(left, points, to); break;
        case 9: q = repeatEach<9>(left, points, to); break;
        default: break;
      }
    }
    to += q * elements * S::reals;
    const std::int64_t rows = elements == 1 ? 1 : p.rows, columns = elements == 1 ? 1 : p.columns;
    for (; q < points; ++q) {
      for (std::int64_t i = 0; i < rows; ++i) {
        const Real* from = left + (q * step + i * p.left_of.row) * S::reals;
        for (std::int64_t j = 0; j < columns; ++j, from += p.left_of.column * S::reals) {
          for (int part = 0; part < S::reals; ++part) *to++ = from[part];
        }
      }
    }
  }

  static void copyReals(const Real* from, std::int64_t reals, Real* to) {
    __builtin_memcpy(to, from, std::size_t(reals) * sizeof(Real));
  }

  /// Each scalar n times, for whole vectors of points.
  /// \return how many points that were
  template <int n>
  static std::int64_t repeatEach(const Real* left, std::int64_t points, Real* to) {
    std::int64_t q = 0;
    for (; q + S::simd_width <= points; q += S::simd_width) {
      typename S::Vec v[n];
#pragma GCC unroll 9
      for (int i = 0; i < n; ++i) v[i] = load<S::width>(left + q * S::reals);
      join<S>(v);
#pragma GCC unroll 9
      for (int i = 0; i < n; ++i) {
        store<S::width>(to + q * n * S::reals + i * S::vector_reals, v[i]);
      }
    }
    return q;
  }

  template <int n>
  void splitTensors(const Real* left, std::int64_t points, Real* to) const {
    Real* planes[n];  // of the components in the order of memory
    for (int i = 0; i < n; ++i) planes[plan.left_at[i]] = to + i * plane;
    std::int64_t q = 0;
    for (; q + S::simd_width <= points; q += S::simd_width) {
      const Real* const from = left + q * n * S::reals;
      typename S::Vec v[n];
#pragma GCC unroll 9
      for (int i = 0; i < n; ++i) {
        v[i] = keptInRegister(load<S::width>(from + i * S::vector_reals));
        prefetchLine(from + i * S::vector_reals + prefetch_bytes / int(sizeof(Real)));
      }
      split<S>(v);
#pragma GCC unroll 9
      for (int i = 0; i < n; ++i) store<S::width>(planes[i] + q * S::reals, v[i]);
    }
    for (; q < points; ++q) {
      for (int i = 0; i < n; ++i) {
        for (int part = 0; part < S::reals; ++part) {
          planes[i][q * S::reals + part] = left[(q * n + i) * S::reals + part];
        }
      }
    }
  }
};

#endif
