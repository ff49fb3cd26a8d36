// SPDX-License-Identifier: BSD-3-Clause
#include "PeakKernels.hpp"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace KontractBench {
namespace {

// Vectors of the compiler's own: operators on them become instructions of the function's target.
// Twelve sums hide the latency of two multiply-adds a cycle and leave registers for the factors.
#define KONTRACT_BENCH_MULTIPLY(NAME, TARGET, T, BYTES)                                            \
  TARGET double NAME(long rounds, T* sink) {                                                       \
    typedef T V __attribute__((vector_size(BYTES)));                                               \
    const V x = V{} + T(0.999999), y = V{} + T(1e-6) * T(*sink + 1);                               \
    V a = y, b = 2 * y, c = 3 * y, d = 4 * y, e = 5 * y, f = 6 * y;        /* not alike, or one */ \
    V g = 7 * y, h = 8 * y, i = 9 * y, j = 10 * y, k = 11 * y, l = 12 * y; /* would do */          \
    for (long round = 0; round < rounds; ++round) {                                                \
      a = a * x + y, b = b * x + y, c = c * x + y, d = d * x + y;                                  \
      e = e * x + y, f = f * x + y, g = g * x + y, h = h * x + y;                                  \
      i = i * x + y, j = j * x + y, k = k * x + y, l = l * x + y;                                  \
    }                                                                                              \
    const V all = ((a + b) + (c + d)) + ((e + f) + (g + h)) + ((i + j) + (k + l));                 \
    *sink = all[0];                                                                                \
    return 2.0 * 12.0 * (BYTES / sizeof(T)) * double(rounds);                                      \
  }

#define KONTRACT_BENCH_READ(NAME, TARGET, BYTES)                      \
  TARGET double NAME(const double* from, long n) {                    \
    typedef double V __attribute__((vector_size(BYTES), aligned(8))); \
    constexpr long lanes = BYTES / sizeof(double);                    \
    V a{}, b{}, c{}, d{};                                             \
    long i = 0;                                                       \
    for (; i + 4 * lanes <= n; i += 4 * lanes) {                      \
      const V* at = reinterpret_cast<const V*>(from + i);             \
      a += at[0], b += at[1], c += at[2], d += at[3];                 \
    }                                                                 \
    for (; i + lanes <= n; i += lanes) {                              \
      a += *reinterpret_cast<const V*>(from + i);                     \
    }                                                                 \
    const V all = (a + b) + (c + d);                                  \
    double sum = 0;                                                   \
    for (; i < n; ++i) sum += from[i];                                \
    for (long lane = 0; lane < lanes; ++lane) sum += all[lane];       \
    return sum;                                                       \
  }

void streamCopy(double* to, const double* from, long n) {
#if defined(__x86_64__)
  for (long i = 0; i < n; i += 8) {
    const __m128d a = _mm_load_pd(from + i), b = _mm_load_pd(from + i + 2);
    const __m128d c = _mm_load_pd(from + i + 4), d = _mm_load_pd(from + i + 6);
    _mm_stream_pd(to + i, a);
    _mm_stream_pd(to + i + 2, b);
    _mm_stream_pd(to + i + 4, c);
    _mm_stream_pd(to + i + 6, d);
  }
  _mm_sfence();
#else
  for (long i = 0; i < n; ++i) to[i] = from[i];
#endif
}

void streamFill(double* to, long n) {
#if defined(__x86_64__)
  for (long i = 0; i < n; i += 2) _mm_stream_pd(to + i, _mm_setzero_pd());
#else
  for (long i = 0; i < n; ++i) to[i] = 0;
#endif
}

#define KONTRACT_BENCH_KERNELS(SET, TARGET, BYTES)                    \
  KONTRACT_BENCH_MULTIPLY(multiplyFloat##SET, TARGET, float, BYTES)   \
  KONTRACT_BENCH_MULTIPLY(multiplyDouble##SET, TARGET, double, BYTES) \
  KONTRACT_BENCH_READ(read##SET, TARGET, BYTES)

KONTRACT_BENCH_KERNELS(Baseline, , 16)
#if defined(__x86_64__)
KONTRACT_BENCH_KERNELS(Avx2, __attribute__((target("avx2,fma"))), 32)
KONTRACT_BENCH_KERNELS(Avx512, __attribute__((target("avx512f,fma"))), 64)
#endif

constexpr PeakKernels all[] = {
    {"baseline", multiplyFloatBaseline, multiplyDoubleBaseline, streamCopy, streamFill,
     readBaseline},
#if defined(__x86_64__)
    {"AVX2", multiplyFloatAvx2, multiplyDoubleAvx2, streamCopy, streamFill, readAvx2},
    {"AVX-512", multiplyFloatAvx512, multiplyDoubleAvx512, streamCopy, streamFill, readAvx512},
#endif
};

}  // namespace

const PeakKernels* peakKernels(int* count) {
  *count = 1;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    *count = __builtin_cpu_supports("avx512f") ? 3 : 2;
  }
#endif
  return all;
}

}  // namespace KontractBench
