// SPDX-License-Identifier: BSD-3-Clause
//
// The kernels of pointwise operations: runs of points or cells with one formula.
#ifndef KONTRACT_HOSTPOINTWISEKERNELS_IPP
#define KONTRACT_HOSTPOINTWISEKERNELS_IPP

#include "Kontract_HostPoints.ipp"

/// Sums of products, one in each scalar of a vector.
template <class S>
struct SumOfProducts {
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
// memory, and computes them for a vector of points or cells.

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
        SumOfProducts<S> sum;
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
  SumOfProducts<S> sum;
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
  template <class S>
  static KONTRACT_INLINE void compute(const typename S::Vec (&right)[1],
                                      typename S::Vec (&out)[1]) {
    out[0] = right[0];
  }
};

/// The cofactor (i,j) of a matrix of reals; indices are known when loops are unrolled.
template <int D, class V>
KONTRACT_INLINE V cofactorAt(const V (&a)[D * D], int i, int j) {
  if constexpr (D == 1) {
    return a[0] * 0 + 1;
  } else if constexpr (D == 2) {
    const V other = a[2 * (1 - i) + 1 - j];
    return i == j ? other : -other;
  } else {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    return a[3 * i1 + j1] * a[3 * i2 + j2] - a[3 * i1 + j2] * a[3 * i2 + j1];
  }
}
template <int D, class V>
KONTRACT_INLINE V determinantAt(const V (&a)[D * D]) {
  if constexpr (D == 1) {
    return a[0];
  } else {
    V sum = a[0] * cofactorAt<D>(a, 0, 0);
#pragma GCC unroll 3
    for (int j = 1; j < D; ++j) sum += a[j] * cofactorAt<D>(a, 0, j);
    return sum;
  }
}
template <int D>
struct DeterminantOf {
  static constexpr int lefts = 0, rights = D * D, outs = 1;
  template <class S>
  static KONTRACT_INLINE void compute(const typename S::Vec (&right)[rights],
                                      typename S::Vec (&out)[1]) {
    out[0] = determinantAt<D>(right);
  }
};
template <int D>
struct InverseOf {
  static constexpr int lefts = 0, rights = D * D, outs = D * D;
  template <class S>
  static KONTRACT_INLINE void compute(const typename S::Vec (&right)[rights],
                                      typename S::Vec (&out)[outs]) {
    const typename S::Vec factor = typename S::Real(1) / determinantAt<D>(right);
    if constexpr (D == 1) {
      out[0] = factor;
    } else {
#pragma GCC unroll 3
      for (int i = 0; i < D; ++i) {
#pragma GCC unroll 3
        for (int j = 0; j < D; ++j) out[i * D + j] = cofactorAt<D>(right, j, i) * factor;
      }
    }
  }
};

constexpr int most_components = 9;

/// From one component of a copied left side to the next: known when compiling, so that they need no
/// registers for their addresses, and no power of two, so that they do not meet in the cache.
constexpr int plane_bytes = 2048 + 64;

/// Which scalars of a row, in the L1 cache, a vector takes: each lane its own.
template <class Real>
struct LeftLanes {
  static constexpr int lanes = vector_bytes / int(sizeof(Real));
  typedef typename IntegerOf<Real>::type Integer;
  std::int64_t right;          ///< reals from the period's first to this vector's right side
  std::int64_t first, second;  ///< where two vectors begin in the row that hold them all
  Integer at[lanes];           ///< in these two, or in the row where vectors cannot be indexed

  /// \return false if two vectors do not do
  bool set(const std::int64_t (&from)[lanes]) {
    const auto leastFrom = [&from](std::int64_t least) {
      std::int64_t found = from[0];
      bool is_found = false;
      for (const std::int64_t at : from) {
        if (at >= least && (!is_found || at < found)) {
          found = at;
          is_found = true;
        }
      }
      return found;
    };
    first = leastFrom(0);
    second = leastFrom(first + lanes);
    if (second < first + lanes) second = first;
    bool fits = true;
    for (int i = 0; i < lanes; ++i) {
      const bool is_in_first = from[i] < first + lanes;
      at[i] = Integer(is_in_first ? from[i] - first : from[i] - second + lanes);
      fits = fits && at[i] < 2 * lanes;
    }
#ifndef __AVX512F__
    for (int i = 0; i < lanes; ++i) at[i] = Integer(from[i]);
#endif
    return fits;
  }

  KONTRACT_INLINE Vector<Real, vector_bytes> load(const Real* row) const {
#ifdef __AVX512F__
    const __m512i index = _mm512_loadu_si512(at);
    if constexpr (sizeof(Real) == 8) {
      return (Vector<Real, 64>)_mm512_permutex2var_pd(_mm512_loadu_pd(row + first), index,
                                                      _mm512_loadu_pd(row + second));
    } else {
      return (Vector<Real, 64>)_mm512_permutex2var_ps(_mm512_loadu_ps(row + first), index,
                                                      _mm512_loadu_ps(row + second));
    }
#else
    Vector<Real, vector_bytes> v;
#pragma GCC unroll 8
    for (int i = 0; i < lanes; ++i) v[i] = row[at[i]];
    return v;
#endif
  }
};

/// A run of work items (points, cells or elements) with one formula. Components of the left side,
/// and in planes those of all arrays, are each a run of memory; a right step of 0 says that a right
/// one is one vector long and serves all items.
template <class Real>
struct PointwiseRun {
  Real* out;
  const Real* left;
  const Real* right;
  std::int64_t items;
  std::int64_t right_step;  ///< 1 or 0
  std::int64_t period;  ///< reals after which the left side starts again; it goes on for a vector
  std::int64_t phase;   ///< where in there the run starts
  std::int64_t prefetch_distance;  ///< reals from what is read of the right side to what will be
  bool stream;                     ///< by non-temporal stores
  const LeftLanes<Real>* pattern;  ///< of a run by periods, whose items and phase count vectors
  std::int64_t vectors_of_period, left_of_period, right_of_period;  ///< and reals
  std::int64_t out_at[most_components], left_at[most_components], right_at[most_components];
};
constexpr std::int64_t no_period = std::int64_t(1) << 62;

/// Where in a run, in reals.
struct Cursor {
  std::int64_t at, left;
};

template <class S, class F, bool in_planes>
KONTRACT_INLINE void computeVector(const PointwiseRun<typename S::Real>& run, Cursor cursor,
                                   typename S::Vec (&out)[F::outs]) {
  using Real = typename S::Real;
  typename S::Vec right[F::rights];
  const Real* const from = run.right + cursor.at * (in_planes ? run.right_step : F::rights);
#pragma GCC unroll 9
  for (int i = 0; i < F::rights; ++i) {
    const Real* const vector = from + (in_planes ? run.right_at[i] : i * S::vector_reals);
    right[i] = keptInRegister(load<S::width>(vector));
    if (S::width == vector_bytes && run.prefetch_distance > 0)
      prefetchLine(vector + run.prefetch_distance);
  }
  if constexpr (!in_planes) split<S>(right);
  if constexpr (F::lefts == 0) {
    F::template compute<S>(right, out);
  } else {
    constexpr int plane = plane_bytes / int(sizeof(Real));
    const Real* const left_from = run.left + cursor.left;
    typename S::Vec left[F::lefts];
#pragma GCC unroll 9
    for (int i = 0; i < F::lefts; ++i) {
      left[i] = load<S::width>(left_from + (in_planes ? run.left_at[i] : i * plane));
    }
    F::template compute<S>(left, right, out);
  }
  if constexpr (!in_planes) join<S>(out);
}

template <class S, class F, bool in_planes, bool stream>
KONTRACT_INLINE Cursor computeVectors(const PointwiseRun<typename S::Real>& run, Cursor cursor,
                                      std::int64_t vectors) {
  std::int64_t step = S::vector_reals;
  while (step >= run.period) step -= run.period;
  for (; vectors > 0; --vectors) {
    typename S::Vec out[F::outs];
    computeVector<S, F, in_planes>(run, cursor, out);
    typename S::Real* const to = run.out + cursor.at * (in_planes ? 1 : F::outs);
#pragma GCC unroll 9
    for (int i = 0; i < F::outs; ++i) {
      typename S::Real* const vector = to + (in_planes ? run.out_at[i] : i * S::vector_reals);
      if constexpr (stream) {
        storeNonTemporal<S::width>(vector, out[i]);
      } else {
        store<S::width>(vector, out[i]);
      }
    }
    cursor.at += S::vector_reals;
    cursor.left += step;
    if (cursor.left >= run.period) cursor.left -= run.period;
  }
  return cursor;
}

/// Some items in vectors of this width and narrower ones.
template <class S, class F, bool in_planes>
__attribute__((noinline)) void computeRemainder(const PointwiseRun<typename S::Real>& given,
                                                Cursor cursor, std::int64_t items);
template <class S, class F, bool in_planes>
KONTRACT_INLINE void computeInNarrowVectors(const PointwiseRun<typename S::Real>& run,
                                            Cursor cursor, std::int64_t items) {
  if constexpr (S::simd_width > 1) {
    // Planes are long: what is left of them is not worth the code of each width.
    constexpr bool is_scalar = F::outs == 1 && F::rights == 1;
    constexpr int bytes = in_planes && !is_scalar ? S::scalar_bytes : S::half_bytes;
    using Narrow = PointScheme<typename S::Real, S::is_complex, bytes>;
    if (items > 0) computeRemainder<Narrow, F, in_planes>(run, cursor, items);
  }
}
template <class S, class F, bool in_planes>
void computeRemainder(const PointwiseRun<typename S::Real>& given, Cursor cursor,
                      std::int64_t items) {
  // A copy, because outputs could be the numbers of this run for all that the compiler knows.
  const PointwiseRun<typename S::Real> run = given;
  cursor = computeVectors<S, F, in_planes, false>(run, cursor, items / S::simd_width);
  computeInNarrowVectors<S, F, in_planes>(given, cursor, items % S::simd_width);
}

/// Computes a run. No output is computed twice: where tensors are scalars it may be an input.
template <class S, class F, bool in_planes>
void computeRun(const PointwiseRun<typename S::Real>& given) {
  const PointwiseRun<typename S::Real> run = given;
  Cursor cursor{0, run.phase};
  const std::int64_t items = run.items;
  if (run.stream) {
    cursor = computeVectors<S, F, in_planes, true>(run, cursor, items / S::simd_width);
  } else {
    cursor = computeVectors<S, F, in_planes, false>(run, cursor, items / S::simd_width);
  }
  computeInNarrowVectors<S, F, in_planes>(given, cursor, items % S::simd_width);
}

template <class S, class F, bool stream>
KONTRACT_INLINE void computeByPattern(const PointwiseRun<typename S::Real>& run) {
  using Real = typename S::Real;
  using Vec = typename S::Vec;
  const Real *left_from = run.left, *right_from = run.right;
  Real* to = run.out;
  const LeftLanes<Real>* lanes = run.pattern + run.phase;
  const LeftLanes<Real>* const end = run.pattern + run.vectors_of_period;
  for (std::int64_t n = run.items; n > 0; --n) {
    Vec right[F::rights], out[F::outs];
    const Real* const from = right_from + lanes->right;
#pragma GCC unroll 9
    for (int i = 0; i < F::rights; ++i) {
      right[i] = keptInRegister(load<S::width>(from + i * S::vector_reals));
      if (run.prefetch_distance > 0) {
        prefetchLine(from + i * S::vector_reals + run.prefetch_distance);
      }
    }
    split<S>(right);
    if constexpr (F::lefts == 0) {
      F::template compute<S>(right, out);
    } else {
      constexpr int plane = plane_bytes / int(sizeof(Real));
      Vec left[F::lefts];
#pragma GCC unroll 9
      for (int i = 0; i < F::lefts; ++i) left[i] = lanes->load(left_from + i * plane);
      F::template compute<S>(left, right, out);
    }
    join<S>(out);
#pragma GCC unroll 9
    for (int i = 0; i < F::outs; ++i, to += S::vector_reals) {
      if constexpr (stream) {
        storeNonTemporal<S::width>(to, out[i]);
      } else {
        store<S::width>(to, out[i]);
      }
    }
    if (++lanes == end) {
      lanes = run.pattern;
      left_from += run.left_of_period;
      right_from += run.right_of_period;
    }
  }
}

/// Computes a run by periods. All of a vector is read before it is written: where tensors are
/// scalars the output may be an input.
template <class S, class F>
void computePeriods(const PointwiseRun<typename S::Real>& given) {
  const PointwiseRun<typename S::Real> run = given;
  if (run.stream) {
    computeByPattern<S, F, true>(run);
  } else {
    computeByPattern<S, F, false>(run);
  }
}

template <class Real>
using PointwiseKernel = void (*)(const PointwiseRun<Real>&);

/// What a problem asks of a formula.
struct TensorOperation {
  HostOperation operation;
  std::int64_t rows, terms, columns;
};

/// What a run is: of components that are each in a plane, of tensors, or of tensors by periods.
enum class RunKind { Planes, Tensors, Periods };

template <class S, class F, RunKind kind>
constexpr PointwiseKernel<typename S::Real> kernelOf() {
  if constexpr (kind == RunKind::Periods) {
    return &computePeriods<S, F>;
  } else {
    return &computeRun<S, F, kind == RunKind::Planes>;
  }
}

template <class S, RunKind kind, int rows, int terms, int columns>
KONTRACT_INLINE void offerProduct(const TensorOperation& wanted,
                                  PointwiseKernel<typename S::Real>& found) {
  if (wanted.rows == rows && wanted.terms == terms && wanted.columns == columns) {
    found = kernelOf<S, MatrixProduct<rows, terms, columns>, kind>();
  }
}

/// Formulas of a matrix, by its extent.
template <class S, template <int> class Formula, RunKind kind>
PointwiseKernel<typename S::Real> matrixKernelFor(std::int64_t extent) {
  if constexpr (kind != RunKind::Periods && !S::is_complex) {
    switch (extent) {
      case 1: return kernelOf<S, Formula<1>, kind>();
      case 2: return kernelOf<S, Formula<2>, kind>();
      case 3: return kernelOf<S, Formula<3>, kind>();
      default: break;
    }
  }
  return nullptr;
}

/// \return nullptr if there is none
template <class S, RunKind kind>
PointwiseKernel<typename S::Real> pointwiseKernelFor(const TensorOperation& wanted) {
  constexpr bool has_scalars = kind != RunKind::Tensors;
  PointwiseKernel<typename S::Real> found = nullptr;
  const bool is_scalar = wanted.rows == 1 && wanted.terms == 1 && wanted.columns == 1;
  switch (wanted.operation) {
    case HostOperation::Copy:
      if constexpr (has_scalars) return is_scalar ? kernelOf<S, CopyOfRight, kind>() : nullptr;
      return nullptr;
    case HostOperation::Quotient:
      if constexpr (has_scalars && !S::is_complex) {
        return is_scalar ? kernelOf<S, QuotientOfReals, kind>() : nullptr;
      }
      return nullptr;
    case HostOperation::Cross2: return kernelOf<S, CrossInPlane, kind>();
    case HostOperation::Cross3: return kernelOf<S, CrossInSpace, kind>();
    case HostOperation::Inverse: return matrixKernelFor<S, InverseOf, kind>(wanted.rows);
    case HostOperation::Determinant: {
      const std::int64_t extent = wanted.terms == 9 ? 3 : wanted.terms == 4 ? 2 : wanted.terms;
      return matrixKernelFor<S, DeterminantOf, kind>(extent);
    }
    case HostOperation::Other: return nullptr;
    default: break;
  }
  if constexpr (has_scalars) offerProduct<S, kind, 1, 1, 1>(wanted, found);
  offerProduct<S, kind, 1, 2, 1>(wanted, found);
  offerProduct<S, kind, 1, 3, 1>(wanted, found);
  offerProduct<S, kind, 1, 4, 1>(wanted, found);
  offerProduct<S, kind, 1, 9, 1>(wanted, found);
  offerProduct<S, kind, 2, 2, 1>(wanted, found);
  offerProduct<S, kind, 3, 3, 1>(wanted, found);
  offerProduct<S, kind, 2, 1, 2>(wanted, found);
  offerProduct<S, kind, 3, 1, 3>(wanted, found);
  offerProduct<S, kind, 2, 2, 2>(wanted, found);
  offerProduct<S, kind, 3, 3, 3>(wanted, found);
  return found;
}

#endif
