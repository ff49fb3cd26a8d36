// SPDX-License-Identifier: BSD-3-Clause
//
// What pointwise operations compute at vectors of places. Part of Kontract_HostKernelSet.ipp.

/// A sum of products of scalars, place by place.
template <class S>
struct PlaceSum {
  using Vec = typename S::Vec;
  Vec sum[S::reals] = {};

  KONTRACT_INLINE void add(Vec a, Vec b) {
    if constexpr (S::is_complex) {
      using Real = typename S::Real;
      sum[0] += shuffled<RepeatEach<Real, 0>>(a, a) * b;
      sum[1] += shuffled<RepeatEach<Real, 1>>(a, a) * b;
    } else {
      sum[0] += a * b;
    }
  }
  KONTRACT_INLINE Vec value() const {
    if constexpr (S::is_complex) {
      Vec sign;
      for (int i = 0; i < S::vector_reals; ++i) sign[i] = i % 2 == 0 ? -1 : 1;
      return sum[0] + sign * shuffled<SwapPairs<typename S::Real>>(sum[1], sum[1]);
    } else {
      return sum[0];
    }
  }
};

// A formula says how many components its left, right and output tensors have, in the order of their
// memory, and computes a vector of places.

/// out(i,j) = sum over m of left(i,m) * right(m,j): all products of small tensors.
template <int rows, int terms, int columns>
struct MatrixProduct {
  static constexpr int lefts = rows * terms, rights = terms * columns, outs = rows * columns;
  template <class S>
  static KONTRACT_INLINE void compute(const typename S::Vec (&left)[lefts],
                                      const typename S::Vec (&right)[rights],
                                      typename S::Vec (&out)[outs]) {
#pragma GCC unroll 3
    for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 3
      for (int j = 0; j < columns; ++j) {
        PlaceSum<S> sum;
#pragma GCC unroll 9
        for (int m = 0; m < terms; ++m) sum.add(left[i * terms + m], right[m * columns + j]);
        out[i * columns + j] = sum.value();
      }
    }
  }
};

/// left(a) * right(b) - left(b) * right(a)
template <class S, int n>
KONTRACT_INLINE typename S::Vec crossAt(const typename S::Vec (&left)[n],
                                        const typename S::Vec (&right)[n], int a, int b) {
  PlaceSum<S> sum;
  sum.add(left[a], right[b]);
  sum.add(-left[b], right[a]);
  return sum.value();
}
struct CrossInPlane {
  static constexpr int lefts = 2, rights = 2, outs = 1;
  template <class S>
  static KONTRACT_INLINE void compute(const typename S::Vec (&left)[2],
                                      const typename S::Vec (&right)[2],
                                      typename S::Vec (&out)[1]) {
    out[0] = crossAt<S>(left, right, 0, 1);
  }
};
struct CrossInSpace {
  static constexpr int lefts = 3, rights = 3, outs = 3;
  template <class S>
  static KONTRACT_INLINE void compute(const typename S::Vec (&left)[3],
                                      const typename S::Vec (&right)[3],
                                      typename S::Vec (&out)[3]) {
    out[0] = crossAt<S>(left, right, 1, 2);
    out[1] = crossAt<S>(left, right, 2, 0);
    out[2] = crossAt<S>(left, right, 0, 1);
  }
};

struct QuotientOfReals {
  static constexpr int lefts = 1, rights = 1, outs = 1;
  template <class S>
  static KONTRACT_INLINE void compute(const typename S::Vec (&left)[1],
                                      const typename S::Vec (&right)[1],
                                      typename S::Vec (&out)[1]) {
    out[0] = right[0] / left[0];
  }
};
struct CopyOfRight {
  static constexpr int lefts = 0, rights = 1, outs = 1;
};

constexpr int most_components = 9;

/// Runs of places with the tensors of one formula, all with the same left side. Components of the
/// left side, and in planes those of all arrays, are each a run of memory that starts at its
/// offset; a step of 0 says that the run is one vector long and serves all places.
template <class Real>
struct RunOfPoints {
  Real* out;
  const Real* left;
  const Real* right;
  std::int64_t places;                 ///< of a run
  std::int64_t runs;                   ///< how many
  std::int64_t out_run, right_run;     ///< reals from one to the next
  std::int64_t left_step, right_step;  ///< 1 or 0
  std::int64_t ahead;  ///< reals from what is read of the right side to what will be
  bool stream;         ///< write past the caches; outputs are aligned
  std::int64_t out_at[most_components], left_at[most_components], right_at[most_components];
};

template <class S, class F, bool in_planes>
KONTRACT_INLINE void computePlaces(const RunOfPoints<typename S::Real>& run, std::int64_t at,
                                   typename S::Vec (&out)[F::outs]) {
  using Vec = typename S::Vec;
  Vec right[F::rights];
  const typename S::Real* const from = run.right + at * (in_planes ? run.right_step : F::rights);
#pragma GCC unroll 9
  for (int i = 0; i < F::rights; ++i) {
    const typename S::Real* const vector =
        from + (in_planes ? run.right_at[i] : i * S::vector_reals);
    right[i] = load<S::width>(vector);
    if (S::width == vector_bytes) fetchAhead(vector + run.ahead);
  }
  if constexpr (!in_planes) split<S>(right);
  if constexpr (F::lefts == 0) {
    out[0] = right[0];
  } else {
    Vec left[F::lefts];
#pragma GCC unroll 9
    for (int i = 0; i < F::lefts; ++i) {
      left[i] = load<S::width>(run.left + run.left_at[i] + at * run.left_step);
    }
    F::template compute<S>(left, right, out);
  }
  if constexpr (!in_planes) join<S>(out);
}

template <class S, class F, bool in_planes, bool stream>
KONTRACT_INLINE void storePlaces(const RunOfPoints<typename S::Real>& run, std::int64_t at,
                                 const typename S::Vec (&out)[F::outs]) {
  typename S::Real* const to = run.out + at * (in_planes ? 1 : F::outs);
#pragma GCC unroll 9
  for (int i = 0; i < F::outs; ++i) {
    typename S::Real* const vector = to + (in_planes ? run.out_at[i] : i * S::vector_reals);
    if constexpr (stream) {
      storeStreaming<S::width>(vector, out[i]);
    } else {
      store<S::width>(vector, out[i]);
    }
  }
}

template <class S, class F, bool in_planes, bool stream>
KONTRACT_INLINE void computeWhole(const RunOfPoints<typename S::Real>& run, std::int64_t whole) {
  for (std::int64_t at = 0; at < whole; at += S::vector_reals) {
    typename S::Vec out[F::outs];
    computePlaces<S, F, in_planes>(run, at, out);
    storePlaces<S, F, in_planes, stream>(run, at, out);
  }
}

/// Computes some runs. The last vector of each overlaps the one before; as the output may be an
/// input where tensors are scalars, it is then computed before anything is stored.
template <class S, class F, bool in_planes>
void computeRuns(const RunOfPoints<typename S::Real>& given) {
  // A copy, because outputs could be the numbers of this run for all that the compiler knows.
  RunOfPoints<typename S::Real> run = given;
  constexpr bool is_scalar = F::outs == 1 && F::rights == 1;
  constexpr bool can_stream = in_planes && S::width == vector_bytes;
  const std::int64_t reals = run.places * S::reals;
  if (run.places < S::lanes) {
    if constexpr (S::lanes > 1) {
      // Planes are long: what is left of them is not worth the code of each width.
      constexpr int bytes = in_planes && !is_scalar ? S::scalar_bytes : S::half_bytes;
      computeRuns<PointScheme<typename S::Real, S::is_complex, bytes>, F, in_planes>(run);
    }
    return;
  }
  const std::int64_t last = reals - S::vector_reals;
  const std::int64_t whole = reals / S::vector_reals * S::vector_reals;
  for (std::int64_t i = 0; i < run.runs; ++i) {
    typename S::Vec out[F::outs];
    if (is_scalar && whole < reals) computePlaces<S, F, in_planes>(run, last, out);
    if (can_stream && run.stream) {
      computeWhole<S, F, in_planes, can_stream>(run, whole);
    } else {
      computeWhole<S, F, in_planes, false>(run, whole);
    }
    if (whole < reals) {
      if (!is_scalar) computePlaces<S, F, in_planes>(run, last, out);
      storePlaces<S, F, in_planes, false>(run, last, out);
    }
    run.out += run.out_run;
    run.right += run.right_run;
  }
}

template <class Real>
using RunKernel = void (*)(const RunOfPoints<Real>&);

/// What a problem asks of a formula.
struct FormulaWanted {
  HostOperation operation;
  std::int64_t rows, terms, columns;
};

template <class S, bool in_planes, int rows, int terms, int columns>
KONTRACT_INLINE void offerProduct(const FormulaWanted& wanted, RunKernel<typename S::Real>& found) {
  if (wanted.rows == rows && wanted.terms == terms && wanted.columns == columns) {
    found = &computeRuns<S, MatrixProduct<rows, terms, columns>, in_planes>;
  }
}

/// \return nullptr if there is none
template <class S, bool in_planes>
RunKernel<typename S::Real> formulaFor(const FormulaWanted& wanted) {
  RunKernel<typename S::Real> found = nullptr;
  const bool is_scalar = wanted.rows == 1 && wanted.terms == 1 && wanted.columns == 1;
  switch (wanted.operation) {
    case HostOperation::Copy:
      if constexpr (in_planes) return is_scalar ? &computeRuns<S, CopyOfRight, true> : nullptr;
      return nullptr;
    case HostOperation::Quotient:
      if constexpr (in_planes && !S::is_complex) {
        return is_scalar ? &computeRuns<S, QuotientOfReals, true> : nullptr;
      }
      return nullptr;
    case HostOperation::Cross2: return &computeRuns<S, CrossInPlane, in_planes>;
    case HostOperation::Cross3: return &computeRuns<S, CrossInSpace, in_planes>;
    default: break;
  }
  if constexpr (in_planes) offerProduct<S, in_planes, 1, 1, 1>(wanted, found);
  offerProduct<S, in_planes, 1, 2, 1>(wanted, found);
  offerProduct<S, in_planes, 1, 3, 1>(wanted, found);
  offerProduct<S, in_planes, 1, 4, 1>(wanted, found);
  offerProduct<S, in_planes, 1, 9, 1>(wanted, found);
  offerProduct<S, in_planes, 2, 2, 1>(wanted, found);
  offerProduct<S, in_planes, 3, 3, 1>(wanted, found);
  offerProduct<S, in_planes, 2, 1, 2>(wanted, found);
  offerProduct<S, in_planes, 3, 1, 3>(wanted, found);
  offerProduct<S, in_planes, 2, 2, 2>(wanted, found);
  offerProduct<S, in_planes, 3, 3, 3>(wanted, found);
  return found;
}
