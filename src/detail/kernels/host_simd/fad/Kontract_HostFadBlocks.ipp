// SPDX-License-Identifier: BSD-3-Clause
//
// Components of Fads, which lie side by side: the derivatives, and behind them the value.
#ifndef KONTRACT_HOSTFADBLOCKS_IPP
#define KONTRACT_HOSTFADBLOCKS_IPP

#include "detail/kernels/host_simd/common/Kontract_HostSimd.ipp"

/// A vector of that many reals, a single one as it is: compilers are bad at vectors of one.
template <class Real, int reals>
struct FadVector {
  using type = Vector<Real, reals * int(sizeof(Real))>;
};
template <class Real>
struct FadVector<Real, 1> {
  using type = Real;
};

/// Vectors of so many bytes, each of neighbouring components, of which the last one may hold less.
template <class R, int width>
struct FadScheme {
  using Real = R;
  using Vec = typename FadVector<R, width / int(sizeof(R))>::type;
  static constexpr int bytes = width;
  static constexpr int simd_width = width / int(sizeof(R));
  using Half = FadScheme<R, (simd_width > 1 ? width / 2 : width)>;
};

/// Registers hold the sums of so many vectors of left components with so many right fields, beside
/// these vectors and a right value.
constexpr int most_fad_vectors = registers >= 32 ? 4 : 2;
constexpr int most_fad_rights = 6;
/// Of a single left field three vectors with four right fields are as good.
constexpr int most_fad_vectors_of_a_field = registers >= 32 ? 4 : 3;

/// A number of fields that is known when compiling.
template <int n>
struct FadFields {
  static constexpr int value = n;
};

/// The whole vector, or the first n of its components if a mask can leave out the others.
template <class S>
KONTRACT_INLINE typename S::Vec loadComponents(const typename S::Real* from, int n) {
  if constexpr (stores_some_of_a_vector && S::bytes >= unit_bytes) {
    return loadSomeOf<S::bytes>(from, n);
  } else if constexpr (S::simd_width == 1) {
    return *from;
  } else {
    return load<S::bytes>(from);
  }
}
template <class S>
KONTRACT_INLINE void storeComponents(typename S::Real* to, int n, typename S::Vec v) {
  if constexpr (stores_some_of_a_vector && S::bytes >= unit_bytes) {
    storeSome<S::bytes>(to, n, v);
  } else if constexpr (S::simd_width == 1) {
    *to = v;
  } else {
    store<S::bytes>(to, v);
  }
}

/// Calls f(scheme of the vectors, first component, how many) for blocks of up to `vectors` vectors
/// that make up components first to end - 1. Where masks leave components out the last vector does;
/// else narrower ones follow.
template <class S, int vectors, class F>
KONTRACT_INLINE void forEachBlock(std::int64_t first, std::int64_t end, const F& f) {
  constexpr std::int64_t most = vectors * S::simd_width;
  for (; first + most <= end; first += most) f(S(), first, most);
  if (first == end) return;
  if constexpr (stores_some_of_a_vector && S::bytes >= unit_bytes) {
    f(S(), first, end - first);
  } else {
    const std::int64_t whole = (end - first) / S::simd_width * S::simd_width;
    if (whole > 0) f(S(), first, whole);
    if constexpr (S::simd_width > 1) {
      forEachBlock<typename S::Half, vectors>(first + whole, end, f);
    }
  }
}

#endif
