// SPDX-License-Identifier: BSD-3-Clause
//
// What a run of points reads on its left and where its outputs go. Part of
// Kontract_HostKernelSet.ipp.
#ifndef KONTRACT_HOSTNONTEMPORALSTORES_IPP
#define KONTRACT_HOSTNONTEMPORALSTORES_IPP

#include "Kontract_HostPointwisePlan.ipp"

/// Where rows of outputs go: to their place, or collected on their way past the caches. What is
/// collected goes in whole lines and soon: a few of them leave the processor while it computes the
/// next ones, but many at once would keep it waiting.
template <class Real>
struct WriteBuffer {
  static constexpr std::int64_t in_line = 64 / int(sizeof(Real));
  Real* memory;  ///< aligned to lines
  bool stream;
  Real* start = nullptr;  ///< of the line that memory begins with
  std::int64_t head = 0;  ///< reals of that line that are not ours
  std::int64_t end = 0;   ///< of what is in memory

  /// \return where to write n reals that are to be at `out`
  KONTRACT_INLINE Real* row(Real* out, std::int64_t n) {
    if (!stream) return out;
    if (out != start + end) {
      flush();
      head = end = std::int64_t(reinterpret_cast<std::uintptr_t>(out) % 64 / sizeof(Real));
      start = out - head;
    }
    Real* const at = memory + end;
    end += n;
    return at;
  }
  /// To be called when rows have been written.
  KONTRACT_INLINE void flushLines() {
    if (end < write_buffer_bytes / int(sizeof(Real))) return;
    const std::int64_t whole = end / in_line * in_line;
    copyNonTemporal(start + head, memory + head, whole - head);
    for (std::int64_t i = whole; i < end; ++i) memory[i - whole] = memory[i];
    start += whole;
    end -= whole;
    head = 0;
  }
  void flush() {
    copyNonTemporal(start + head, memory + head, end - head);
    end = head = 0;
  }
};

/// The left side of a run of points: as it is, or expanded, or component by component in
/// `space`.
template <class S>
struct LeftSide {
  using Real = typename S::Real;
  const HostPointwise<Real>& p;
  const PointwisePlan<S>& memory;
  Real* space;
  bool as_it_is, is_in_tensors, is_one_point;
  std::int64_t expanded;  ///< elements for each point

  LeftSide(const HostPointwise<Real>& problem, const PointwisePlan<S>& arrangements, Real* to)
      : p(problem), memory(arrangements), space(to) {
    expanded = memory.loop_order == LoopOrder::Elements ? p.rows * p.columns : 1;
    if (memory.loop_order == LoopOrder::Elements) {
      as_it_is = (p.points == 1 || p.left_of.point == expanded) &&
                 (p.columns == 1 || p.left_of.column == 1) &&
                 (p.rows == 1 || p.left_of.row == p.columns);
    } else {
      as_it_is = memory.lefts == 1 && p.left_of.point == 1;
    }
    is_one_point = p.left_of.point == 0 && (memory.loop_order == LoopOrder::Tensors ||
                                            (p.left_of.row == 0 && p.left_of.column == 0));
    unsigned found = 0;
    for (int i = 0; i < memory.lefts; ++i) {
      if (memory.left_at[i] >= 0 && memory.left_at[i] < memory.lefts) {
        found |= 1u << memory.left_at[i];
      }
    }
    is_in_tensors =
        p.left_of.point == memory.lefts && found == (1u << memory.lefts) - 1 && memory.lefts > 1;
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
      for (int i = 0; i < memory.lefts; ++i) {
        for (int k = 0; k < 2; ++k) {
          repeat(left + memory.left_at[i] * S::reals, space + i * plane + k * S::vector_reals);
        }
      }
      return;
    } else if (memory.loop_order == LoopOrder::Elements) {
      expand(left, points);
    } else {
      copyTensors(left, points);
    }
    if (!wraps) return;
    for (int i = 0; i < memory.lefts; ++i) {
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

  void copyTensors(const Real* left, std::int64_t points) const {
    if (is_in_tensors) {
      switch (memory.lefts) {
        case 2: splitTensors<2>(left, points); return;
        case 3: splitTensors<3>(left, points); return;
        case 4: splitTensors<4>(left, points); return;
        default: splitTensors<9>(left, points); return;
      }
    }
    for (int i = 0; i < memory.lefts; ++i) {
      const Real* from = left + memory.left_at[i] * S::reals;
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
    for (int i = 0; i < n; ++i) planes[memory.left_at[i]] = space + i * plane;
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
