// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SUMLEVELS_HPP
#define KONTRACT_SUMLEVELS_HPP

#include <Kokkos_Macros.hpp>

#include "Kontract_Contraction.hpp"

// Lambdas in loops that are compiled for an instruction set: what is not inlined would be compiled
// for the baseline.
#if defined(__GNUC__)
#define KONTRACT_FORCEINLINE_LAMBDA __attribute__((always_inline))
#else
#define KONTRACT_FORCEINLINE_LAMBDA
#endif

namespace Kontract {
namespace Impl {

/// All levels of a sum over k, outermost first.
using SumLevels = SumLevel[ContractionShape::sum_levels];

/// Calls f(left, right) for each run of the innermost level, in the order of k: where it begins in
/// both inputs, from these offsets on.
template <class F>
KOKKOS_FORCEINLINE_FUNCTION void forEachInnerSum(const SumLevels& sum, std::int64_t left,
                                                 std::int64_t right, const F& f) {
  for (std::int64_t i = 0; i < sum[0].extent; ++i) {
    for (std::int64_t j = 0; j < sum[1].extent; ++j) {
      f(left + i * sum[0].left + j * sum[1].left, right + i * sum[0].right + j * sum[1].right);
    }
  }
}

/// The strides of one side: &SumLevel::left or &SumLevel::right.
using Side = std::int64_t SumLevel::*;

/// Offset of a term of a sum whose levels are counted as one.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t offsetOfTerm(const SumLevels& sum, Side side,
                                                      std::int64_t k) {
  // Nearly always there is but one level, and nothing to divide.
  if (sum[0].extent * sum[1].extent == 1) return k * (sum[2].*side);
  const std::int64_t rest = k / sum[2].extent, i = rest / sum[1].extent;
  return (k - rest * sum[2].extent) * (sum[2].*side) + (rest - i * sum[1].extent) * (sum[1].*side) +
         i * (sum[0].*side);
}

/// Calls f(n, offset, count) for each run of neighbouring terms of one side among terms first to
/// last - 1: how many come before it, where it begins, and how long it is. Nearly always there is
/// but one, and nothing to divide.
template <class F>
KOKKOS_FORCEINLINE_FUNCTION void forEachRun(const SumLevels& sum, Side side, std::int64_t first,
                                            std::int64_t last, const F& f) {
  for (std::int64_t k = first; k < last;) {
    const std::int64_t in_level =
        k < sum[2].extent ? sum[2].extent - k : sum[2].extent - k % sum[2].extent;
    const std::int64_t count = in_level < last - k ? in_level : last - k;
    f(k - first, offsetOfTerm(sum, side, k), count);
    k += count;
  }
}

/// Calls f(n, offset) for terms first to last - 1 of one side, n = 0, 1, ...: it divides for each
/// run of the innermost level, not for each term.
template <class F>
KOKKOS_FORCEINLINE_FUNCTION void forEachOffset(const SumLevels& sum, Side side, std::int64_t first,
                                               std::int64_t last, const F& f) {
  const std::int64_t step = sum[2].*side;
  forEachRun(sum, side, first, last,
             [&](std::int64_t k, std::int64_t at, std::int64_t count) KONTRACT_FORCEINLINE_LAMBDA {
               for (std::int64_t n = 0; n < count; ++n) f(k + n, at + n * step);
             });
}

}  // namespace Impl
}  // namespace Kontract

#endif
