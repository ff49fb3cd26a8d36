// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SUMOFPRODUCTS_HPP
#define KONTRACT_SUMOFPRODUCTS_HPP

#include "detail/kernels/fad/Kontract_FadComponents.hpp"
#include "detail/problem/Kontract_Problem.hpp"
#include "detail/problem/Kontract_SumLevels.hpp"
#include "detail/support/Kontract_Scalar.hpp"

namespace Kontract {
namespace Impl {

template <class Problem>
using AccumulatorOf = typename Accumulator<typename Problem::out_type::value_type,
                                           typename Problem::left_type::value_type,
                                           typename Problem::right_type::value_type>::type;

/// Contractions whose sums may wait in scratch memory. A Fad may hold its derivatives on the heap,
/// where one that was never constructed, or is copied bit by bit, is undefined.
template <class Problem>
inline constexpr bool is_plain_contraction =
    std::is_same_v<typename Problem::shape_type, ContractionShape>&&
        is_plain<typename Problem::out_type::value_type>;

/// The scalar of the output.
template <class Problem>
using OutputScalar = typename Problem::out_type::value_type;

/// Contractions whose arrays are all of one floating-point scalar, real or complex.
template <class Problem>
inline constexpr bool has_one_scalar = is_plain_contraction<Problem>&&
    std::is_same_v<OutputScalar<Problem>, typename Problem::left_type::value_type>&&
        std::is_same_v<OutputScalar<Problem>, typename Problem::right_type::value_type>&&
            std::is_floating_point_v<typename RealOf<OutputScalar<Problem>>::type>;

/// acc += sum over k < n of left[k] * right[k], unit strides, in independent partial sums: one
/// chain of dependent additions would wait for each of them in turn. The order of additions depends
/// on n alone, so results are the same from run to run.
template <class Acc, class L, class R>
KOKKOS_INLINE_FUNCTION void addContiguous(Acc& acc, const L* KOKKOS_RESTRICT left,
                                          const R* KOKKOS_RESTRICT right, std::int64_t n) {
  constexpr int num_partials = 8;
  std::int64_t k = 0;
  if (n >= num_partials) {
    Acc partial[num_partials];
    for (int i = 0; i < num_partials; ++i) partial[i] = Acc(0);
    for (; k + num_partials <= n; k += num_partials) {
      for (int i = 0; i < num_partials; ++i) multiplyAdd(partial[i], left[k + i], right[k + i]);
    }
    for (int half = num_partials / 2; half > 0; half /= 2) {
      for (int i = 0; i < half; ++i) partial[i] += partial[i + half];
    }
    acc += partial[0];
  }
  for (; k < n; ++k) multiplyAdd(acc, left[k], right[k]);
}

/// acc += the innermost level of a sum, from these offsets on.
template <class Acc, class Left, class Right>
KOKKOS_INLINE_FUNCTION void addLevel(Acc& acc, const Left& left, const Right& right,
                                     const SumLevel& level, std::int64_t left_at,
                                     std::int64_t right_at) {
  constexpr bool has_pointers = is_plain<Acc>;
  if constexpr (has_pointers) {
    if (level.left == 1 && level.right == 1) {
      addContiguous(acc, left.data + left_at, right.data + right_at, level.extent);
      return;
    }
  }
  for (std::int64_t k = 0; k < level.extent; ++k) {
    multiplyAdd(acc, left[left_at + k * level.left], right[right_at + k * level.right]);
  }
}

/// Where the terms of an output begin in both inputs.
struct TermsAt {
  std::int64_t left, right;
};
KOKKOS_FORCEINLINE_FUNCTION TermsAt termsOf(const ContractionShape& s, std::int64_t c,
                                            std::int64_t l, std::int64_t r) {
  return {c * s.left_cell + l * s.left_field, c * s.right_cell + r * s.right_field};
}

/// acc += terms first, first + step, ... before end of one level. It divides nothing, and reads
/// some terms before it adds the first of them.
template <class Acc, class Left, class Right>
KOKKOS_INLINE_FUNCTION void addSteps(Acc& acc, const Left& left, const Right& right,
                                     const SumLevel& level, const TermsAt& at, std::int64_t first,
                                     std::int64_t end, std::int64_t step) {
  const std::int64_t left_step = step * level.left, right_step = step * level.right;
  std::int64_t l = at.left + first * level.left, r = at.right + first * level.right;
  if constexpr (is_plain<Acc>) {
    constexpr int at_once = 4;
    for (; first + (at_once - 1) * step < end; first += at_once * step) {
      typename Left::value_type a[at_once];
      typename Right::value_type b[at_once];
      for (int n = 0; n < at_once; ++n, l += left_step, r += right_step)
        a[n] = left[l], b[n] = right[r];
      for (int n = 0; n < at_once; ++n) multiplyAdd(acc, a[n], b[n]);
    }
  }
  for (; first < end; first += step, l += left_step, r += right_step) {
    multiplyAdd(acc, left[l], right[r]);
  }
}

/// acc += terms first, first + step, ... before end of a sum whose levels are counted as one.
template <class Acc, class Left, class Right>
KOKKOS_INLINE_FUNCTION void addTerms(Acc& acc, const Left& left, const Right& right,
                                     const SumLevels& sum, const TermsAt& at, std::int64_t first,
                                     std::int64_t end, std::int64_t step) {
  const SumLevel inner = sum[2];
  if (step > 1 && end <= inner.extent) {
    addSteps(acc, left, right, inner, at, first, end, step);
    return;
  }
  while (first < end) {
    // Divisions take longer than a few terms, and most sums have but one level.
    const std::int64_t rest = first < inner.extent ? 0 : first / inner.extent;
    const std::int64_t i = rest < sum[1].extent ? 0 : rest / sum[1].extent;
    const std::int64_t k = first - rest * inner.extent, j = rest - i * sum[1].extent;
    const std::int64_t in_level = inner.extent - k < end - first ? inner.extent - k : end - first;
    const std::int64_t count = step == 1 ? in_level : (in_level + step - 1) / step;
    addLevel(acc, left, right, SumLevel{count, inner.left * step, inner.right * step},
             at.left + i * sum[0].left + j * sum[1].left + k * inner.left,
             at.right + i * sum[0].right + j * sum[1].right + k * inner.right);
    first += count * step;
  }
}

/// Writes a finished sum into its output element, or adds it where the call says so.
template <class Problem>
KOKKOS_FORCEINLINE_FUNCTION void storeSum(const Problem& problem, std::int64_t c, std::int64_t l,
                                          std::int64_t r, const AccumulatorOf<Problem>& acc) {
  const ContractionShape& s = problem.shape;
  const std::int64_t at = c * s.out_cell + l * s.out_left + r * s.out_right;
  if (s.sum_into) {
    store<true>(problem.out[at], acc);
  } else {
    store<false>(problem.out[at], acc);
  }
}

/// Computes and stores one output element of a contraction.
template <class Problem>
KOKKOS_INLINE_FUNCTION void contractOne(const Problem& problem, std::int64_t c, std::int64_t l,
                                        std::int64_t r) {
  if constexpr (has_fad_components<Problem>) {
    contractFad(fadProblemOf(problem), c, l, r);
  } else {
    const ContractionShape& s = problem.shape;
    const TermsAt at = termsOf(s, c, l, r);
    AccumulatorOf<Problem> acc(0);
    forEachInnerSum(s.sum, at.left, at.right, [&](std::int64_t left, std::int64_t right) {
      addLevel(acc, problem.left, problem.right, s.sum[2], left, right);
    });
    storeSum(problem, c, l, r, acc);
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
