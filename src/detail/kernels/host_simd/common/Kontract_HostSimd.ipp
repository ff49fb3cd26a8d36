// SPDX-License-Identifier: BSD-3-Clause
//
// Vectors of one instruction set: loads, stores and shuffles.
#ifndef KONTRACT_HOSTSIMD_IPP
#define KONTRACT_HOSTSIMD_IPP

#include "Kontract_HostInline.ipp"

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
constexpr int vector_bytes = 64;
constexpr int registers = 32;
#elif defined(__AVX2__) && defined(__FMA__)
constexpr int vector_bytes = 32;
constexpr int registers = 16;
#elif defined(__aarch64__)
constexpr int vector_bytes = 16;
constexpr int registers = 32;
#else
constexpr int vector_bytes = 16;
constexpr int registers = 16;
#endif

/// A vector of so many bytes. `loose` is one in memory, however aligned and whatever that holds;
/// `reals` is one of reals.
template <class Real, int bytes>
struct VectorOf {
  typedef Real type __attribute__((vector_size(bytes)));
  typedef Real loose __attribute__((vector_size(bytes), aligned(sizeof(Real)), may_alias));
  typedef Real reals __attribute__((vector_size(bytes), aligned(sizeof(Real))));
};
template <class Real, int bytes>
using Vector = typename VectorOf<Real, bytes>::type;

/// Scalars of a whole vector.
template <class Real>
constexpr int simd_width_of = vector_bytes / int(sizeof(Real));

/// The least multiple of a number that is not below n.
constexpr std::int64_t roundUp(std::int64_t n, std::int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

/// Rows of a matrix in memory.
template <class T>
struct MatrixRows {
  T* data;
  std::int64_t step;  ///< from one row to the next
};

/// A unit is 128 bits: two doubles, four floats, one complex double, two complex floats. Shuffles
/// within units are cheap; those between them are not.
constexpr int unit_bytes = 16;
template <class Real>
using Unit = Vector<Real, unit_bytes>;

/// Keeps a pointer that a loop advances: a compiler that counts its steps instead has so many
/// addresses at once, computed as vectors or held in memory, that they take longer than the loop.
template <class T>
KONTRACT_INLINE void inRegister(T*& pointer) {
  asm("" : "+r"(pointer));
}

template <int bytes, class Real>
KONTRACT_INLINE Vector<Real, bytes> load(const Real* from) {
  return *reinterpret_cast<const typename VectorOf<Real, bytes>::loose*>(from);
}
template <int bytes, class Real>
KONTRACT_INLINE void store(Real* to, Vector<Real, bytes> v) {
  *reinterpret_cast<typename VectorOf<Real, bytes>::loose*>(to) = v;
}
/// store() that changes nothing but reals: a compiler need not read strides and pointers again.
template <int bytes, class Real>
KONTRACT_INLINE void storeReals(Real* to, Vector<Real, bytes> v) {
  *reinterpret_cast<typename VectorOf<Real, bytes>::reals*>(to) = v;
}

#ifdef __AVX512VL__
constexpr bool stores_some_of_a_vector = true;
#else
constexpr bool stores_some_of_a_vector = false;
#endif

/// Stores the first n reals of a vector: where stores_some_of_a_vector does not hold, slowly.
template <int bytes, class Real>
KONTRACT_INLINE void storeSome(Real* to, int n, Vector<Real, bytes> v) {
#ifdef __AVX512VL__
  const unsigned first = (1u << n) - 1;
  if constexpr (bytes == 64 && sizeof(Real) == 8) {
    _mm512_mask_storeu_pd(to, __mmask8(first), (__m512d)v);
  } else if constexpr (bytes == 64) {
    _mm512_mask_storeu_ps(to, __mmask16(first), (__m512)v);
  } else if constexpr (bytes == 32 && sizeof(Real) == 8) {
    _mm256_mask_storeu_pd(to, __mmask8(first), (__m256d)v);
  } else if constexpr (bytes == 32) {
    _mm256_mask_storeu_ps(to, __mmask8(first), (__m256)v);
  } else if constexpr (sizeof(Real) == 8) {
    _mm_mask_storeu_pd(to, __mmask8(first), (__m128d)v);
  } else {
    _mm_mask_storeu_ps(to, __mmask8(first), (__m128)v);
  }
#else
  for (int i = 0; i < n; ++i) to[i] = v[i];
#endif
}

/// Half of a vector: the low one, or the high one.
template <int bytes, int which, class Real>
KONTRACT_INLINE Vector<Real, bytes / 2> halfOf(Vector<Real, bytes> v) {
  Vector<Real, bytes / 2> half;
  __builtin_memcpy(&half, reinterpret_cast<const char*>(&v) + which * (bytes / 2), bytes / 2);
  return half;
}

/// Stores the first n reals of a vector, and nothing else.
template <int bytes, int n, class Real>
KONTRACT_INLINE void storeFirst(Real* to, Vector<Real, bytes> v) {
  constexpr int in_half = bytes / int(sizeof(Real)) / 2;
  if constexpr (n == 2 * in_half) {
    store<bytes>(to, v);
  } else if constexpr (stores_some_of_a_vector) {
    storeSome<bytes>(to, n, v);
  } else if constexpr (bytes == 16) {
    for (int i = 0; i < n; ++i) to[i] = v[i];
  } else if constexpr (n <= in_half) {
    storeFirst<bytes / 2, n>(to, halfOf<bytes, 0, Real>(v));
  } else {
    store<bytes / 2>(to, halfOf<bytes, 0, Real>(v));
    storeFirst<bytes / 2, n - in_half>(to + in_half, halfOf<bytes, 1, Real>(v));
  }
}

/// Stores the first n reals of the low half of a vector, or of the high one: all of them where
/// stores_some_of_a_vector does not hold.
template <int bytes, int which, class Real>
KONTRACT_INLINE void storeHalf(Real* to, int n, Vector<Real, bytes> v) {
  const Vector<Real, bytes / 2> half = halfOf<bytes, which, Real>(v);
  if constexpr (stores_some_of_a_vector) {
    storeSome<bytes / 2>(to, n, half);
  } else {
    store<bytes / 2>(to, half);
  }
}

/// A non-temporal store of an aligned vector.
template <int bytes, class Real>
KONTRACT_INLINE void storeNonTemporal(Real* to, Vector<Real, bytes> v) {
#ifdef __AVX512F__
  if constexpr (bytes == 64) {
    _mm512_stream_si512((__m512i*)to, (__m512i)v);
    return;
  }
#endif
#ifdef __AVX__
  if constexpr (bytes == 32) {
    _mm256_stream_si256((__m256i*)to, (__m256i)v);
    return;
  }
#endif
#ifdef __SSE2__
  if constexpr (bytes == 16) {
    _mm_stream_si128((__m128i*)to, (__m128i)v);
    return;
  }
#endif
  store<bytes>(to, v);
}
/// To be called after a thread's last storeNonTemporal(), before others read.
KONTRACT_INLINE void finishNonTemporal() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

/// Copies reals by non-temporal stores, but for cache lines that they fill only in part.
template <class Real>
void copyNonTemporal(Real* to, const Real* from, std::int64_t n) {
  constexpr int in_line = 64 / int(sizeof(Real)), in_vector = vector_bytes / int(sizeof(Real));
  std::int64_t i = 0;
  while (i < n && reinterpret_cast<std::uintptr_t>(to + i) % 64 != 0) {
    to[i] = from[i];
    ++i;
  }
  for (; i + in_line <= n; i += in_line) {
#pragma GCC unroll 4
    for (int v = 0; v < in_line; v += in_vector) {
      storeNonTemporal<vector_bytes>(to + i + v, load<vector_bytes>(from + i + v));
    }
  }
  for (; i < n; ++i) to[i] = from[i];
}

/// The first n reals of a vector, and zeros; nothing is read past them.
template <int bytes, class Real>
KONTRACT_INLINE Vector<Real, bytes> loadSomeOf(const Real* from, int n) {
#ifdef __AVX512VL__
  const unsigned first = (1u << n) - 1;
  if constexpr (bytes == 64 && sizeof(Real) == 8) {
    return (Vector<Real, bytes>)_mm512_maskz_loadu_pd(__mmask8(first), from);
  } else if constexpr (bytes == 64) {
    return (Vector<Real, bytes>)_mm512_maskz_loadu_ps(__mmask16(first), from);
  } else if constexpr (bytes == 32 && sizeof(Real) == 8) {
    return (Vector<Real, bytes>)_mm256_maskz_loadu_pd(__mmask8(first), from);
  } else if constexpr (bytes == 32) {
    return (Vector<Real, bytes>)_mm256_maskz_loadu_ps(__mmask8(first), from);
  } else if constexpr (sizeof(Real) == 8) {
    return (Vector<Real, bytes>)_mm_maskz_loadu_pd(__mmask8(first), from);
  } else {
    return (Vector<Real, bytes>)_mm_maskz_loadu_ps(__mmask8(first), from);
  }
#else
  Vector<Real, bytes> v = {};
  for (int i = 0; i < bytes / int(sizeof(Real)); ++i) {
    if (i < n) v[i] = from[i];
  }
  return v;
#endif
}

/// The first n reals of a unit, 0 < n, and zeros.
template <class Real>
KONTRACT_INLINE Unit<Real> loadSome(const Real* from, int n) {
#ifdef __AVX512VL__
  return loadSomeOf<unit_bytes>(from, n);
#else
  if constexpr (sizeof(Real) == 8) {
    return Unit<Real>{from[0], n > 1 ? from[1] : Real(0)};
  } else {
    return Unit<Real>{from[0], n > 1 ? from[1] : Real(0), n > 2 ? from[2] : Real(0),
                      n > 3 ? from[3] : Real(0)};
  }
#endif
}

/// Copies n reals, at most a cache line of them.
template <class Real>
KONTRACT_INLINE void copySome(Real* to, const Real* from, std::int64_t n) {
  if constexpr (stores_some_of_a_vector && vector_bytes == 64) {
    storeSome<vector_bytes>(to, int(n), loadSomeOf<vector_bytes>(from, int(n)));
  } else {
    for (std::int64_t i = 0; i < n; ++i) to[i] = from[i];
  }
}

/// One unit, repeated throughout a vector.
template <int bytes, class Real>
KONTRACT_INLINE Vector<Real, bytes> broadcastUnit(Unit<Real> unit) {
  if constexpr (bytes == unit_bytes) {
    return unit;
#ifdef __AVX__
  } else if constexpr (bytes == 32) {
    return (Vector<Real, 32>)_mm256_broadcast_pd((const __m128d*)&unit);
#endif
#ifdef __AVX512DQ__
  } else {
    return (Vector<Real, 64>)_mm512_broadcast_f64x2((__m128d)unit);
#endif
  }
}

/// A vector of unit(0), unit(1) and so on.
template <int bytes, class Real, class UnitAt>
KONTRACT_INLINE Vector<Real, bytes> gatherUnits(const UnitAt& unit) {
  if constexpr (bytes == unit_bytes) {
    return unit(0);
#ifdef __AVX__
  } else if constexpr (bytes == 32) {
    return (Vector<Real, 32>)_mm256_insertf128_pd(_mm256_castpd128_pd256((__m128d)unit(0)),
                                                  (__m128d)unit(1), 1);
#endif
#ifdef __AVX512DQ__
  } else {
    const __m256d low =
        _mm256_insertf128_pd(_mm256_castpd128_pd256((__m128d)unit(0)), (__m128d)unit(1), 1);
    const __m256d high =
        _mm256_insertf128_pd(_mm256_castpd128_pd256((__m128d)unit(2)), (__m128d)unit(3), 1);
    return (Vector<Real, 64>)_mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
#endif
  }
}

/// Units i of all vectors become the units of vector i: as many vectors as a vector has units.
template <int bytes, class Real>
KONTRACT_INLINE void transposeUnits(Vector<Real, bytes> (&v)[bytes / unit_bytes]) {
  if constexpr (bytes == unit_bytes) {
    (void)v;
#ifdef __AVX__
  } else if constexpr (bytes == 32) {
    const __m256d a = (__m256d)v[0], b = (__m256d)v[1];
    v[0] = (Vector<Real, 32>)_mm256_permute2f128_pd(a, b, 0x20);
    v[1] = (Vector<Real, 32>)_mm256_permute2f128_pd(a, b, 0x31);
#endif
#ifdef __AVX512DQ__
  } else {
    const __m512d a = (__m512d)v[0], b = (__m512d)v[1], c = (__m512d)v[2], d = (__m512d)v[3];
    const __m512d ab_even = _mm512_shuffle_f64x2(a, b, 0x88),
                  ab_odd = _mm512_shuffle_f64x2(a, b, 0xdd);
    const __m512d cd_even = _mm512_shuffle_f64x2(c, d, 0x88),
                  cd_odd = _mm512_shuffle_f64x2(c, d, 0xdd);
    v[0] = (Vector<Real, 64>)_mm512_shuffle_f64x2(ab_even, cd_even, 0x88);
    v[2] = (Vector<Real, 64>)_mm512_shuffle_f64x2(ab_even, cd_even, 0xdd);
    v[1] = (Vector<Real, 64>)_mm512_shuffle_f64x2(ab_odd, cd_odd, 0x88);
    v[3] = (Vector<Real, 64>)_mm512_shuffle_f64x2(ab_odd, cd_odd, 0xdd);
#endif
  }
}

template <int... i>
struct Indices {};
template <int n, int... i>
struct MakeIndices : MakeIndices<n - 1, n - 1, i...> {};
template <int... i>
struct MakeIndices<0, i...> {
  using type = Indices<i...>;
};

/// The integers that a shuffle of such vectors is described by.
template <class Real>
struct IntegerOf;
template <>
struct IntegerOf<double> {
  typedef long long type;
};
template <>
struct IntegerOf<float> {
  typedef int type;
};

/// Element i of the result is element From::index(i, n) of the 2 n elements of a and b.
template <class V, class From, int... i>
KONTRACT_INLINE V shuffle(V a, V b, const From&, Indices<i...>) {
  constexpr int n = sizeof...(i);
#ifdef __clang__
  return __builtin_shufflevector(a, b, From::index(i, n)...);
#else
  typedef typename IntegerOf<typename From::real>::type Integer;
  typedef Integer Mask __attribute__((vector_size(sizeof(V))));
  return __builtin_shuffle(a, b, Mask{From::index(i, n)...});
#endif
}

/// Of each pair of reals in a unit the first one, of a and b in turn, or the second one.
template <class Real, int which>
struct UnpackReals {
  using real = Real;
  static constexpr int unit = unit_bytes / int(sizeof(Real));
  static constexpr int index(int i, int n) {
    const int in_unit = i % unit;
    return i - in_unit + which * (unit / 2) + in_unit / 2 + (in_unit % 2) * n;
  }
};
/// The same for halves of a unit, whatever they hold.
template <class Real, int which>
struct UnpackHalves {
  using real = Real;
  static constexpr int unit = unit_bytes / int(sizeof(Real)), half = unit / 2;
  static constexpr int index(int i, int n) {
    const int in_unit = i % unit;
    return i - in_unit + which * half + in_unit % half + (in_unit / half) * n;
  }
};
/// Neighbours are exchanged.
template <class Real>
struct SwapPairs {
  using real = Real;
  static constexpr int index(int i, int) { return i ^ 1; }
};
/// The even ones first, then the odd ones.
template <class Real>
struct Deinterleave {
  using real = Real;
  static constexpr int index(int i, int n) { return i < n / 2 ? 2 * i : 2 * (i - n / 2) + 1; }
};
/// The even ones twice, or the odd ones.
template <class Real, int which>
struct RepeatEach {
  using real = Real;
  static constexpr int index(int i, int) { return i / 2 * 2 + which; }
};
template <class From, class V>
KONTRACT_INLINE V shuffled(V a, V b) {
  return shuffle(a, b, From(),
                 typename MakeIndices<int(sizeof(V) / sizeof(typename From::real))>::type());
}

/// The same within the units of as many vectors as a unit has reals.
template <int bytes, class Real>
KONTRACT_INLINE void transposeWithinUnits(Vector<Real, bytes>* v) {
  const Vector<Real, bytes> a = shuffled<UnpackReals<Real, 0>>(v[0], v[1]),
                            b = shuffled<UnpackReals<Real, 1>>(v[0], v[1]);
  if constexpr (sizeof(Real) == 8) {
    v[0] = a;
    v[1] = b;
  } else {
    const Vector<Real, bytes> c = shuffled<UnpackReals<Real, 0>>(v[2], v[3]),
                              d = shuffled<UnpackReals<Real, 1>>(v[2], v[3]);
    v[0] = shuffled<UnpackHalves<Real, 0>>(a, c);
    v[1] = shuffled<UnpackHalves<Real, 1>>(a, c);
    v[2] = shuffled<UnpackHalves<Real, 0>>(b, d);
    v[3] = shuffled<UnpackHalves<Real, 1>>(b, d);
  }
}

/// Element i of vector n becomes element n of vector i: as many vectors as elements. Shuffles
/// within units and of whole units are one instruction each.
template <int bytes, class Real>
KONTRACT_INLINE void transpose(Vector<Real, bytes> (&v)[bytes / int(sizeof(Real))]) {
  constexpr int units = bytes / unit_bytes, in_unit = unit_bytes / int(sizeof(Real));
#pragma GCC unroll 4
  for (int u = 0; u < units; ++u) transposeWithinUnits<bytes, Real>(v + u * in_unit);
#pragma GCC unroll 4
  for (int i = 0; i < in_unit; ++i) {
    Vector<Real, bytes> across[units];
#pragma GCC unroll 4
    for (int u = 0; u < units; ++u) across[u] = v[u * in_unit + i];
    transposeUnits<bytes, Real>(across);
#pragma GCC unroll 4
    for (int u = 0; u < units; ++u) v[u * in_unit + i] = across[u];
  }
}

#endif
