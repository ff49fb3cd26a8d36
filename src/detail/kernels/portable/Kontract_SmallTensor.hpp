// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SMALLTENSOR_HPP
#define KONTRACT_SMALLTENSOR_HPP

#include "Kontract_SmallMatrix.hpp"
#include "detail/problem/Kontract_RunOfPlaces.hpp"

namespace Kontract {
namespace Impl {

/// Extents of a small tensor and of the sums over it, known when compiling where they are not 0.
template <int Rows, int Columns, int Sum0, int Sum1>
struct TensorSize {
  static constexpr int rows = Rows, columns = Columns, sum0 = Sum0, sum1 = Sum1;

  static bool KOKKOS_FORCEINLINE_FUNCTION matches(const PointwiseShape& s) {
    return s.rows == Rows && s.columns == Columns && s.sum[0].extent == Sum0 &&
           s.sum[1].extent == Sum1;
  }
};
using AnyTensor = TensorSize<0, 0, 0, 0>;

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

/// Copies an element in the wider precision of both.
template <class Problem>
KOKKOS_FORCEINLINE_FUNCTION void copyElement(const Problem& problem, std::int64_t out,
                                             std::int64_t right) {
  using Acc = AccumulatorOf<Problem>;
  if constexpr (used_as_is<Acc, typename Problem::right_type::value_type>) {
    if constexpr (are_proxies<typename Problem::right_type>) {
      // Sacado copies as many derivatives between views as the target has: a constant has none.
      if (problem.right.count == 0) {
        problem.out[out] = problem.right[right].val();
        return;
      }
    }
    problem.out[out] = problem.right[right];
  } else {
    store<false>(problem.out[out], Acc(widen<Acc>(problem.right[right])));
  }
}

/// One element of a product of small tensors.
template <class Size, class Problem>
KOKKOS_FORCEINLINE_FUNCTION AccumulatorOf<Problem> productElement(const Problem& problem,
                                                                  std::int64_t left,
                                                                  std::int64_t right) {
  const SumLevel(&sum)[2] = problem.shape.sum;
  const std::int64_t m_end = Size::sum0 ? Size::sum0 : sum[0].extent;
  const std::int64_t n_end = Size::sum1 ? Size::sum1 : sum[1].extent;
  AccumulatorOf<Problem> acc(0);
  for (std::int64_t m = 0; m < m_end; ++m) {
    for (std::int64_t n = 0; n < n_end; ++n) {
      multiplyAdd(acc, problem.left[left + m * sum[0].left + n * sum[1].left],
                  problem.right[right + m * sum[0].right + n * sum[1].right]);
    }
  }
  return acc;
}

/// Computes and stores the small tensors along a run.
///
/// Safe where the output is an input element by element: each element is read before it is written
/// and not again.
template <PointwiseKind kind, class Size, class Problem>
KOKKOS_FORCEINLINE_FUNCTION void multiplyRun(const Problem& problem, RunOfPlaces run) {
  using Acc = AccumulatorOf<Problem>;
  const PointwiseShape& s = problem.shape;
  const std::int64_t rows = Size::rows ? Size::rows : s.rows;
  const std::int64_t columns = Size::columns ? Size::columns : s.columns;
  const auto out_of = s.out, left_of = s.left, right_of = s.right;
  for (std::int64_t place = 0; place < run.length; ++place) {
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        const std::int64_t out = run.out + i * out_of.row + j * out_of.column;
        const std::int64_t left = run.left + i * left_of.row + j * left_of.column;
        const std::int64_t right = run.right + i * right_of.row + j * right_of.column;
        if constexpr (kind == PointwiseKind::Copy) {
          copyElement(problem, out, right);
        } else if constexpr (kind == PointwiseKind::Quotient) {
          store<false>(problem.out[out], quotient<Acc>(problem.right[right], problem.left[left]));
        } else if constexpr (kind == PointwiseKind::Cross2) {
          const SumLevel& d = s.sum[0];
          store<false>(problem.out[out],
                       crossElement(problem, left, left + d.left, right, right + d.right));
        } else if constexpr (kind == PointwiseKind::Cross3) {
          const std::int64_t next = (i + 1) % 3, after = (i + 2) % 3;
          store<false>(
              problem.out[out],
              crossElement(problem, run.left + next * left_of.row, run.left + after * left_of.row,
                           run.right + next * right_of.row, run.right + after * right_of.row));
        } else {
          store<false>(problem.out[out], productElement<Size>(problem, left, right));
        }
      }
    }
    run.out += run.out_step;
    run.left += run.left_step;
    run.right += run.right_step;
  }
}

/// Runs with the first of the sizes that the problem has, which the compiler then knows, or with
/// any.
template <PointwiseKind kind, class... Sizes, class Problem>
KOKKOS_FORCEINLINE_FUNCTION void multiplyRunOf(const Problem& problem, const RunOfPlaces& run) {
  const bool is_done =
      ((Sizes::matches(problem.shape) && (multiplyRun<kind, Sizes>(problem, run), true)) || ...);
  if (!is_done) multiplyRun<kind, AnyTensor>(problem, run);
}

/// Computes and stores the small tensors along a run by the arithmetic of their elements.
template <class Problem>
KOKKOS_FORCEINLINE_FUNCTION void multiplyRunByKind(const Problem& problem, const RunOfPlaces& run) {
  using One = TensorSize<1, 1, 1, 1>;
  switch (problem.shape.kind) {
    case PointwiseKind::Copy: multiplyRunOf<PointwiseKind::Copy, One>(problem, run); break;
    case PointwiseKind::Quotient: multiplyRunOf<PointwiseKind::Quotient, One>(problem, run); break;
    case PointwiseKind::Cross2: multiplyRun<PointwiseKind::Cross2, One>(problem, run); break;
    case PointwiseKind::Cross3:
      multiplyRun<PointwiseKind::Cross3, TensorSize<3, 1, 1, 1>>(problem, run);
      break;
    case PointwiseKind::Determinant:
    case PointwiseKind::Inverse:
    case PointwiseKind::Cofactor: computeMatrices(problem, run); break;
    case PointwiseKind::NormOne:
    case PointwiseKind::NormTwo:
    case PointwiseKind::NormMax: computeNorms(problem, run); break;
    default:
      multiplyRunOf<PointwiseKind::Product, One, TensorSize<2, 1, 1, 1>, TensorSize<3, 1, 1, 1>,
                    TensorSize<2, 2, 1, 1>, TensorSize<3, 3, 1, 1>, TensorSize<1, 1, 2, 1>,
                    TensorSize<1, 1, 3, 1>, TensorSize<2, 1, 2, 1>, TensorSize<3, 1, 3, 1>,
                    TensorSize<2, 2, 2, 1>, TensorSize<3, 3, 3, 1>>(problem, run);
  }
}

/// Computes and stores one piece of a pointwise problem: a run of places. One index counts runs.
template <class Problem>
KOKKOS_INLINE_FUNCTION void multiplyPiece(const Problem& problem, std::int64_t c, std::int64_t f,
                                          std::int64_t p) {
  const PointwiseShape& s = problem.shape;
  std::int64_t& counted = s.runs_along_cells ? c : p;
  const std::int64_t extent = s.runs_along_cells ? s.cells : s.points;
  counted *= s.run;
  const std::int64_t left_over = extent - counted;
  const auto first = [&](const PointwiseShape::Strides& of) {
    return c * of.cell + f * of.field + p * of.point;
  };
  const auto step = [&](const PointwiseShape::Strides& of) {
    return s.runs_along_cells ? of.cell : of.point;
  };
  const RunOfPlaces run{left_over < s.run ? left_over : s.run,
                        first(s.out),
                        first(s.left),
                        first(s.right),
                        step(s.out),
                        step(s.left),
                        step(s.right)};
  if constexpr (has_fad_components<Problem>) {
    if (hasComponents(s.kind)) return multiplyFads(fadProblemOf(problem), run);
  }
  if constexpr (!is_fad_problem<Problem>) multiplyRunByKind(problem, run);
}

}  // namespace Impl
}  // namespace Kontract

#endif
