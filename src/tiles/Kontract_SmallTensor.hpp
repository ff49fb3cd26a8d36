// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SMALLTENSOR_HPP
#define KONTRACT_SMALLTENSOR_HPP

#include "Kontract_Pointwise.hpp"
#include "Kontract_SumOfProducts.hpp"

namespace Kontract {
namespace Impl {

/// One element of a product of small tensors, from the offsets of its row and column on.
template <class Problem>
KOKKOS_FORCEINLINE_FUNCTION AccumulatorOf<Problem> productElement(const Problem& problem,
                                                                  std::int64_t left_at,
                                                                  std::int64_t right_at) {
  const PointwiseShape& s = problem.shape;
  AccumulatorOf<Problem> acc(0);
  for (std::int64_t m = 0; m < s.sum[0].extent; ++m) {
    for (std::int64_t n = 0; n < s.sum[1].extent; ++n) {
      multiplyAdd(acc, problem.left[left_at + m * s.sum[0].left + n * s.sum[1].left],
                  problem.right[right_at + m * s.sum[0].right + n * s.sum[1].right]);
    }
  }
  return acc;
}

/// left(i) * right(j) - left(j) * right(i)
template <class Problem>
KOKKOS_FORCEINLINE_FUNCTION AccumulatorOf<Problem> crossElement(const Problem& problem,
                                                                std::int64_t left_i,
                                                                std::int64_t left_j,
                                                                std::int64_t right_i,
                                                                std::int64_t right_j) {
  AccumulatorOf<Problem> plus(0), minus(0);
  multiplyAdd(plus, problem.left[left_i], problem.right[right_j]);
  multiplyAdd(minus, problem.left[left_j], problem.right[right_i]);
  return AccumulatorOf<Problem>(plus - minus);
}

/// The copied element in the precision of the sum, which for a copy is the wider of both.
template <class Problem>
KOKKOS_FORCEINLINE_FUNCTION void copyElement(const Problem& problem, std::int64_t out_at,
                                             std::int64_t right_at) {
  using Acc = AccumulatorOf<Problem>;
  if constexpr (used_as_is<Acc, typename Problem::right_type::value_type>) {
    problem.out[out_at] = problem.right[right_at];
  } else {
    store<false>(problem.out[out_at], Acc(widen<Acc>(problem.right[right_at])));
  }
}

/// Computes and stores the small tensor of a pointwise problem at one cell, field and point.
///
/// Safe where the output is an input element by element: each element is read before it is written
/// and not again.
template <class Problem>
KOKKOS_INLINE_FUNCTION void multiplyAt(const Problem& problem, std::int64_t c, std::int64_t f,
                                       std::int64_t p) {
  using Acc = AccumulatorOf<Problem>;
  const PointwiseShape& s = problem.shape;
  const auto place = [&](const PointwiseShape::Strides& of) {
    return c * of.cell + f * of.field + p * of.point;
  };
  const std::int64_t out_at = place(s.out), left_at = place(s.left), right_at = place(s.right);
  if (s.kind == PointwiseKind::Cross2) {
    const SumLevel& d = s.sum[0];
    store<false>(problem.out[out_at],
                 crossElement(problem, left_at, left_at + d.left, right_at, right_at + d.right));
    return;
  }
  for (std::int64_t i = 0; i < s.rows; ++i) {
    for (std::int64_t j = 0; j < s.columns; ++j) {
      const auto element = [&](const PointwiseShape::Strides& of) {
        return i * of.row + j * of.column;
      };
      const std::int64_t to = out_at + element(s.out);
      const std::int64_t from_left = left_at + element(s.left);
      const std::int64_t from_right = right_at + element(s.right);
      switch (s.kind) {
        case PointwiseKind::Copy: copyElement(problem, to, from_right); break;
        case PointwiseKind::Quotient:
          store<false>(problem.out[to],
                       quotient<Acc>(problem.right[from_right], problem.left[from_left]));
          break;
        case PointwiseKind::Cross3: {
          const std::int64_t next = (i + 1) % 3, after = (i + 2) % 3;
          store<false>(problem.out[to],
                       crossElement(problem, left_at + next * s.left.row,
                                    left_at + after * s.left.row, right_at + next * s.right.row,
                                    right_at + after * s.right.row));
          break;
        }
        default:
          store<false>(problem.out[to], productElement(problem, from_left, from_right));
      }
    }
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
