// SPDX-License-Identifier: BSD-3-Clause
//
// Vectors and arguments of the register tile of contractions.
#ifndef KONTRACT_HOSTTILESCHEME_IPP
#define KONTRACT_HOSTTILESCHEME_IPP

#include "detail/kernels/host_simd/common/Kontract_HostOutputStream.ipp"
#include "detail/kernels/host_simd/common/Kontract_HostPrefetch.ipp"

/// How scalars lie in vectors of so many bytes. A vector holds units, each of which belongs to one
/// right field: neighbouring terms in 128 bits, or a single term.
template <class R, bool complex, int bytes, int of_unit = unit_bytes>
struct Scheme {
  using Real = R;
  using Vec = Vector<R, bytes>;
  static constexpr bool is_complex = complex;
  static constexpr int width = bytes;
  static constexpr int reals = complex ? 2 : 1;                ///< in a scalar
  static constexpr int unit_size = of_unit;                    ///< bytes
  static constexpr int unit_reals = of_unit / int(sizeof(R));  ///< in a unit
  static constexpr int unit_terms = unit_reals / reals;        ///< scalars in a unit
  static constexpr int vector_units = bytes / of_unit;         ///< right fields of a vector
  static constexpr int group = unit_terms * vector_units;      ///< outputs in a vector
  static constexpr int vector_reals = bytes / int(sizeof(R));

  /// The right field of a unit of vector v of a panel of n vectors: full groups come first, and
  /// within a group the order is such that the sums over units come out in order.
  static constexpr int fieldOf(int v, int unit, int n) {
    const int whole = n / unit_terms * unit_terms;
    if (v < whole) return v / unit_terms * group + unit * unit_terms + v % unit_terms;
    return whole * vector_units + unit * (n - whole) + v - whole;
  }
  /// Vectors for so many right fields.
  static constexpr int vectorsFor(std::int64_t fields) {
    return int(fields / group) * unit_terms + int(fields % group + vector_units - 1) / vector_units;
  }

  /// In a panel; narrow vectors serve few fields only.
  static constexpr int most_vectors = bytes < vector_bytes ? unit_terms : 4;
  /// Left fields of a tile, by vectors of its panel: sums, panel and the left side fit registers.
  static constexpr int mostRows(int vectors) {
    constexpr int many[2][4] = {{12, 12, 8, 6}, {8, 6, 4, 3}};
    constexpr int few[2][4] = {{6, 6, 4, 2}, {4, 3, 2, 1}};
    return (registers == 32 ? many : few)[complex][vectors - 1];
  }
  /// Vectors of all panels but the last.
  static constexpr int usual_vectors =
      bytes < vector_bytes ? unit_terms : (registers == 32 || unit_terms == 4 ? 4 : 2);
  /// The last panel may take one more rather than leave it over.
  static constexpr int last_vectors =
      usual_vectors < most_vectors ? usual_vectors + 1 : most_vectors;
  static constexpr int most_rows = 12;
};

/// The arguments of a tile of outputs, or of one in each of some cells.
template <class Real>
struct Tile {
  const Real* left;         ///< first left field, first term
  std::int64_t left_field;  ///< reals from one left field to the next
  const Real* right;        ///< first right field, first term; not read if the panel is packed
  std::int64_t right_field;
  Real* panel;  ///< the right side as packPanel() leaves it
  bool is_packed;
  std::int64_t units;  ///< whole units of terms
  int rest;            ///< reals in a last unit that is not whole
  Real* out;
  std::int64_t out_left, out_right;  ///< reals from one output to the next
  int rights;                        ///< right fields of the panel
  bool add;
  std::int64_t cells;  ///< tiles to compute, each with its own panel
  std::int64_t left_cell, right_cell, out_cell;
  OutputStream<Real>* stream;  ///< takes the outputs of each cell, or nullptr
  PrefetchNear* prefetch;      ///< of the left side and of the right side
};

/// The sums over each unit of the vectors of a group: as many outputs as a vector has scalars, in
/// order.
template <class S>
KONTRACT_INLINE typename S::Vec sumUnits(const typename S::Vec (&v)[S::unit_terms]) {
  using Real = typename S::Real;
  using Vec = typename S::Vec;
  if constexpr (S::unit_terms == 1) {
    return v[0];
  } else if constexpr (S::unit_terms == 2) {
    return shuffled<UnpackHalves<Real, 0>>(v[0], v[1]) +
           shuffled<UnpackHalves<Real, 1>>(v[0], v[1]);
  } else {
    const Vec a =
        shuffled<UnpackReals<Real, 0>>(v[0], v[1]) + shuffled<UnpackReals<Real, 1>>(v[0], v[1]);
    const Vec b =
        shuffled<UnpackReals<Real, 0>>(v[2], v[3]) + shuffled<UnpackReals<Real, 1>>(v[2], v[3]);
    return shuffled<UnpackHalves<Real, 0>>(a, b) + shuffled<UnpackHalves<Real, 1>>(a, b);
  }
}

/// Bits of a unit that is no vector.
template <int bytes>
struct UnitBits;
template <>
struct UnitBits<4> {
  typedef int type;
};
template <>
struct UnitBits<8> {
  typedef long long type;
};

/// A unit of a left field, repeated throughout a vector.
template <class S>
KONTRACT_INLINE typename S::Vec repeatedUnit(const typename S::Real* at) {
  if constexpr (S::unit_size == unit_bytes) {
    return broadcastUnit<S::width, typename S::Real>(load<unit_bytes>(at));
  } else {
    typedef typename UnitBits<S::unit_size>::type Bits;
    typedef Bits Repeated __attribute__((vector_size(S::width)));
    Bits bits;
    __builtin_memcpy(&bits, at, sizeof bits);
    return (typename S::Vec)(Repeated{} + bits);
  }
}

/// Unit i of all vectors become the units of vector i: as many vectors as a vector has units.
template <class S>
KONTRACT_INLINE void transposeUnitsOf(typename S::Vec (&v)[S::vector_units]) {
  if constexpr (S::unit_size == unit_bytes) {
    transposeUnits<S::width, typename S::Real>(v);
  } else if constexpr (S::unit_reals == 1) {
    transpose<S::width, typename S::Real>(v);
  } else {
    Vector<double, S::width> pairs[S::vector_units];
    for (int u = 0; u < S::vector_units; ++u) pairs[u] = (Vector<double, S::width>)v[u];
    transpose<S::width, double>(pairs);
    for (int u = 0; u < S::vector_units; ++u) v[u] = (typename S::Vec)pairs[u];
  }
}

/// The products of a unit of a left field, repeated, with the vectors of a panel, added to their
/// sums.
template <class S, int n>
KONTRACT_INLINE void multiplyAdd(typename S::Vec left, const typename S::Vec (&right)[n],
                                 typename S::Vec (&sums)[n][S::reals]) {
  using Real = typename S::Real;
  using Vec = typename S::Vec;
  if constexpr (S::is_complex) {
    // Products with the real and with the imaginary part apart: fused multiply-adds alone.
    const Vec re = shuffled<RepeatEach<Real, 0>>(left, left);
    const Vec im = shuffled<RepeatEach<Real, 1>>(left, left);
#pragma GCC unroll 4
    for (int v = 0; v < n; ++v) {
      sums[v][0] += re * right[v];
      sums[v][1] += im * right[v];
    }
  } else {
#pragma GCC unroll 4
    for (int v = 0; v < n; ++v) sums[v][0] += left * right[v];
  }
}

/// sum += a * b, scalar by scalar; complex ones as finished() takes them.
template <class S>
KONTRACT_INLINE void multiplyAddEach(typename S::Vec a, typename S::Vec b,
                                     typename S::Vec (&sum)[S::reals]) {
  if constexpr (S::is_complex) {
    using Real = typename S::Real;
    sum[0] += shuffled<RepeatEach<Real, 0>>(a, a) * b;
    sum[1] += shuffled<RepeatEach<Real, 1>>(a, a) * b;
  } else {
    sum[0] += a * b;
  }
}

/// The sums of a vector once their real and imaginary products are put together.
template <class S>
KONTRACT_INLINE typename S::Vec finished(const typename S::Vec (&sum)[S::reals]) {
  if constexpr (S::is_complex) {
    typename S::Vec sign;
    for (int i = 0; i < S::vector_reals; ++i) sign[i] = i % 2 == 0 ? -1 : 1;
    return sum[0] + sign * shuffled<SwapPairs<typename S::Real>>(sum[1], sum[1]);
  } else {
    return sum[0];
  }
}

#endif
