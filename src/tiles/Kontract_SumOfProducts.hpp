// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SUMOFPRODUCTS_HPP
#define KONTRACT_SUMOFPRODUCTS_HPP

#include "Kontract_FadTiles.hpp"
#include "Kontract_Problem.hpp"
#include "Kontract_Scalar.hpp"

namespace Kontract {
namespace Impl {

template <class Problem>
using AccumulatorOf = typename Accumulator<typename Problem::out_type::value_type,
                                           typename Problem::left_type::value_type,
                                           typename Problem::right_type::value_type>::type;

/// acc += sum over k < n of left[k] * right[k], unit strides, in independent partial sums: one
/// chain of dependent additions would wait for each of them in turn. The order of additions depends
/// on n alone, so results are the same from run to run.
template <class Acc, class L, class R>
KOKKOS_INLINE_FUNCTION void addContiguous(Acc& acc, const L* KOKKOS_RESTRICT left,
                                          const R* KOKKOS_RESTRICT right, std::int64_t n) {
  constexpr int lanes = 8;
  std::int64_t k = 0;
  if (n >= lanes) {
    Acc partial[lanes];
    for (int i = 0; i < lanes; ++i) partial[i] = Acc(0);
    for (; k + lanes <= n; k += lanes) {
      for (int i = 0; i < lanes; ++i) multiplyAdd(partial[i], left[k + i], right[k + i]);
    }
    for (int half = lanes / 2; half > 0; half /= 2) {
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

/// Computes and stores one output element of a contraction.
template <class Problem>
KOKKOS_INLINE_FUNCTION void contractOne(const Problem& problem, std::int64_t c, std::int64_t l,
                                        std::int64_t r) {
  if constexpr (is_fad_problem<Problem>) return contractOutputsOfFads(problem, {c, l, r, 1, 1});
  const ContractionShape& s = problem.shape;
  const std::int64_t left_at = c * s.left_cell + l * s.left_field;
  const std::int64_t right_at = c * s.right_cell + r * s.right_field;
  AccumulatorOf<Problem> acc(0);
  for (std::int64_t i = 0; i < s.sum[0].extent; ++i) {
    for (std::int64_t j = 0; j < s.sum[1].extent; ++j) {
      addLevel(acc, problem.left, problem.right, s.sum[2],
               left_at + i * s.sum[0].left + j * s.sum[1].left,
               right_at + i * s.sum[0].right + j * s.sum[1].right);
    }
  }
  const std::int64_t out_at = c * s.out_cell + l * s.out_left + r * s.out_right;
  if (s.sum_into) {
    store<true>(problem.out[out_at], acc);
  } else {
    store<false>(problem.out[out_at], acc);
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
