// SPDX-License-Identifier: BSD-3-Clause
//
// What runs of pointwise operations read on their left side.
#ifndef KONTRACT_HOSTPOINTWISELEFT_IPP
#define KONTRACT_HOSTPOINTWISELEFT_IPP

#include "Kontract_HostPointwisePlan.ipp"

/// The left side of a run of points: where it is, or in `space` expanded to the elements of the
/// output, or component by component.
template <class S>
struct LeftSide {
  using Real = typename S::Real;
  const HostPointwise<Real>& p;
  const PointwisePlan<S>& plan;
  Real* space;
  bool as_it_is, is_in_tensors, is_one_point;
  std::int64_t expanded;  ///< elements for each point

  LeftSide(const HostPointwise<Real>& problem, const PointwisePlan<S>& how, Real* to)
      : p(problem), plan(how), space(to) {
    expanded = plan.loop_order == LoopOrder::Elements ? p.rows * p.columns : 1;
    if (plan.loop_order == LoopOrder::Elements) {
      as_it_is = (p.points == 1 || p.left_of.point == expanded) &&
                 (p.columns == 1 || p.left_of.column == 1) &&
                 (p.rows == 1 || p.left_of.row == p.columns);
    } else {
      as_it_is = plan.lefts == 1 && p.left_of.point == 1;
    }
    is_one_point = p.left_of.point == 0 && (plan.loop_order == LoopOrder::Tensors ||
                                            (p.left_of.row == 0 && p.left_of.column == 0));
    is_in_tensors = p.left_of.point == plan.lefts && areComponentsDense() && plan.lefts > 1;
  }

  /// \param wraps  points are all there are, and the run may go through them several times
  void prepare(const Real* left, std::int64_t points, bool wraps, PointwiseRun<Real>& run) const {
    run.left = left;
    run.left_at[0] = 0;
    run.period = wraps ? points * expanded * S::reals : no_period;
    if (p.operation == HostOperation::Copy || (as_it_is && !wraps)) return;
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
    } else if (plan.loop_order == LoopOrder::Elements) {
      expand(left, points);
    } else {
      copyTensors(left, points);
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

  /// A vector of one scalar.
  static KONTRACT_INLINE void repeat(const Real* scalar, Real* to) {
    for (int i = 0; i < S::vector_reals; ++i) to[i] = scalar[i % S::reals];
  }

 private:
  static constexpr int plane = plane_bytes / int(sizeof(Real));

  /// Whether the offsets of components are 0, 1, 2 and so on, in any order.
  bool areComponentsDense() const {
    unsigned found = 0;
    for (int i = 0; i < plan.lefts; ++i) {
      if (plan.left_at[i] >= 0 && plan.left_at[i] < plan.lefts) found |= 1u << plan.left_at[i];
    }
    return found == (1u << plan.lefts) - 1;
  }

  void copyTensors(const Real* left, std::int64_t points) const {
    if (is_in_tensors) {
      switch (plan.lefts) {
        case 2: splitTensors<2>(left, points); return;
        case 3: splitTensors<3>(left, points); return;
        case 4: splitTensors<4>(left, points); return;
        default: splitTensors<9>(left, points); return;
      }
    }
    for (int i = 0; i < plan.lefts; ++i) {
      const Real* from = left + plan.left_at[i] * S::reals;
      Real* to = space + i * plane;
      for (std::int64_t q = 0; q < points; ++q, from += p.left_of.point * S::reals) {
        for (int part = 0; part < S::reals; ++part) *to++ = from[part];
      }
    }
  }

  /// An element of the left side for each of the output.
  void expand(const Real* left, std::int64_t points) const {
    std::int64_t q = 0;
    if (p.left_of.point == 1 && p.left_of.row == 0 && p.left_of.column == 0) {
      switch (expanded) {
        case 2: q = repeatEach<2>(left, points); break;
        case 3: q = repeatEach<3>(left, points); break;
        case 4: q = repeatEach<4>(left, points); break;
        case 9: q = repeatEach<9>(left, points); break;
        default: break;
      }
    }
    Real* to = space + q * expanded * S::reals;
    for (; q < points; ++q) {
      for (std::int64_t i = 0; i < p.rows; ++i) {
        const Real* from = left + (q * p.left_of.point + i * p.left_of.row) * S::reals;
        for (std::int64_t j = 0; j < p.columns; ++j, from += p.left_of.column * S::reals) {
          for (int part = 0; part < S::reals; ++part) *to++ = from[part];
        }
      }
    }
  }

  /// Each scalar n times, for whole vectors of points.
  /// \return how many points that were
  template <int n>
  std::int64_t repeatEach(const Real* left, std::int64_t points) const {
    std::int64_t q = 0;
    for (; q + S::simd_width <= points; q += S::simd_width) {
      typename S::Vec v[n];
#pragma GCC unroll 9
      for (int i = 0; i < n; ++i) v[i] = load<S::width>(left + q * S::reals);
      join<S>(v);
#pragma GCC unroll 9
      for (int i = 0; i < n; ++i) {
        store<S::width>(space + q * n * S::reals + i * S::vector_reals, v[i]);
      }
    }
    return q;
  }

  template <int n>
  void splitTensors(const Real* left, std::int64_t points) const {
    Real* planes[n];  // of the components in the order of memory
    for (int i = 0; i < n; ++i) planes[plan.left_at[i]] = space + i * plane;
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
