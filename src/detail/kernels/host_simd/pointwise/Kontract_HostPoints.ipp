// SPDX-License-Identifier: BSD-3-Clause
//
// Small tensors of neighbouring points: their components as vectors of points, and back.
#ifndef KONTRACT_HOSTPOINTS_IPP
#define KONTRACT_HOSTPOINTS_IPP

#include "detail/kernels/host_simd/common/Kontract_HostSimd.ipp"

/// How points or cells lie in vectors: one scalar of each.
template <class R, bool complex, int bytes>
struct PointScheme {
  using Real = R;
  using Vec = Vector<R, bytes>;
  static constexpr bool is_complex = complex;
  static constexpr int width = bytes;
  static constexpr int reals = complex ? 2 : 1;  ///< in a scalar
  static constexpr int scalar_bytes = reals * int(sizeof(R));
  static constexpr int simd_width = bytes / scalar_bytes;  ///< scalars in a vector
  static constexpr int vector_reals = bytes / int(sizeof(R));
  /// For what is too little for a vector: half of it, or a single scalar.
  static constexpr int half_bytes = bytes > unit_bytes ? bytes / 2 : scalar_bytes;
};

/// Component k of tensors of n, from n vectors in the order of memory: what is in the first two,
/// then with the third.
template <class S, int n, int k, bool from_third>
struct SplitIndices {
  using real = typename S::Real;
  static constexpr int index(int i, int vector_reals) {
    const int simd_width = vector_reals / S::reals, wanted = n * (i / S::reals) + k;
    const bool is_in_third = wanted >= 2 * simd_width;
    const int taken = from_third ? (is_in_third ? wanted - simd_width : i / S::reals)
                                 : (is_in_third ? 0 : wanted);
    return taken * S::reals + i % S::reals;
  }
};
/// The reverse: vector v in the order of memory, from n components.
template <class S, int n, int v, bool from_third>
struct JoinIndices {
  using real = typename S::Real;
  static constexpr int index(int i, int vector_reals) {
    const int simd_width = vector_reals / S::reals, wanted = v * simd_width + i / S::reals;
    const int component = wanted % n, point = wanted / n;
    const int taken = from_third ? (component == 2 ? simd_width + point : i / S::reals)
                                 : (component == 2 ? 0 : component * simd_width + point);
    return taken * S::reals + i % S::reals;
  }
};

template <template <class, int, int, bool> class IndicesOf, class S, int n, int k>
KONTRACT_INLINE typename S::Vec mixed(typename S::Vec a, typename S::Vec b, typename S::Vec c) {
  const typename S::Vec two = shuffled<IndicesOf<S, n, k, false>>(a, b);
  if constexpr (n == 2) {
    return two;
  } else {
    return shuffled<IndicesOf<S, n, k, true>>(two, c);
  }
}

template <template <class, int, int, bool> class IndicesOf, class S>
KONTRACT_INLINE void mix2(typename S::Vec& a, typename S::Vec& b) {
  const typename S::Vec first = mixed<IndicesOf, S, 2, 0>(a, b, b);
  b = mixed<IndicesOf, S, 2, 1>(a, b, b);
  a = first;
}
template <template <class, int, int, bool> class IndicesOf, class S>
KONTRACT_INLINE void mix3(typename S::Vec& a, typename S::Vec& b, typename S::Vec& c) {
  const typename S::Vec first = mixed<IndicesOf, S, 3, 0>(a, b, c);
  const typename S::Vec second = mixed<IndicesOf, S, 3, 1>(a, b, c);
  c = mixed<IndicesOf, S, 3, 2>(a, b, c);
  a = first;
  b = second;
}

/// Vectors of contiguous tensors become vectors of components.
template <class S, int n>
KONTRACT_INLINE void split(typename S::Vec (&v)[n]) {
  if constexpr (S::simd_width > 1 && n > 1) {
    if constexpr (n == 2) {
      mix2<SplitIndices, S>(v[0], v[1]);
    } else if constexpr (n == 3) {
      mix3<SplitIndices, S>(v[0], v[1], v[2]);
    } else if constexpr (n == 4) {
      for (int i = 0; i < 4; i += 2) mix2<SplitIndices, S>(v[i], v[i + 1]);
      for (int i = 0; i < 2; ++i) mix2<SplitIndices, S>(v[i], v[i + 2]);
    } else {
      static_assert(n == 9, "tensors of 2, 3, 2 x 2 or 3 x 3");
#pragma GCC unroll 3
      for (int i = 0; i < 9; i += 3) mix3<SplitIndices, S>(v[i], v[i + 1], v[i + 2]);
#pragma GCC unroll 3
      for (int i = 0; i < 3; ++i) mix3<SplitIndices, S>(v[i], v[i + 3], v[i + 6]);
    }
  }
}
/// The reverse.
template <class S, int n>
KONTRACT_INLINE void join(typename S::Vec (&v)[n]) {
  if constexpr (S::simd_width > 1 && n > 1) {
    if constexpr (n == 2) {
      mix2<JoinIndices, S>(v[0], v[1]);
    } else if constexpr (n == 3) {
      mix3<JoinIndices, S>(v[0], v[1], v[2]);
    } else if constexpr (n == 4) {
      for (int i = 0; i < 2; ++i) mix2<JoinIndices, S>(v[i], v[i + 2]);
      for (int i = 0; i < 4; i += 2) mix2<JoinIndices, S>(v[i], v[i + 1]);
    } else {
      static_assert(n == 9, "tensors of 2, 3, 2 x 2 or 3 x 3");
#pragma GCC unroll 3
      for (int i = 0; i < 3; ++i) mix3<JoinIndices, S>(v[i], v[i + 3], v[i + 6]);
#pragma GCC unroll 3
      for (int i = 0; i < 9; i += 3) mix3<JoinIndices, S>(v[i], v[i + 1], v[i + 2]);
    }
  }
}

/// The compiler would rather load a vector again for each shuffle of it.
template <class V>
KONTRACT_INLINE V keptInRegister(V v) {
#ifdef __x86_64__
  if constexpr (sizeof(V) >= unit_bytes) asm("" : "+v"(v));
#endif
  return v;
}

/// Prefetches a cache line.
template <class Real>
KONTRACT_INLINE void prefetchLine(const Real* at) {
  __builtin_prefetch(at, 0, 2);
}

#endif
