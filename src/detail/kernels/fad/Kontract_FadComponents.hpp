// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADCOMPONENTS_HPP
#define KONTRACT_FADCOMPONENTS_HPP

#include "detail/problem/Kontract_FadProblem.hpp"
#include "detail/problem/Kontract_RunOfPlaces.hpp"
#include "detail/problem/Kontract_SumLevels.hpp"

namespace Kontract {
namespace Impl {

/// A component of Fads, of which the derivatives are the first and the value is the last: where an
/// output and its factors have it.
template <class S>
class FadComponent {
 public:
  KOKKOS_DEFAULTED_FUNCTION FadComponent() = default;
  template <class Problem>
  KOKKOS_FORCEINLINE_FUNCTION FadComponent(const Problem& problem, std::int64_t number)
      : is_value(number == problem.out.count),
        out(placeIn(problem.out, number)),
        left(placeIn(problem.left, number)),
        right(placeIn(problem.right, number)),
        left_value(problem.left.value_at),
        right_value(problem.right.value_at),
        _first(is_value || problem.left.count > 0 ? 0 : 1),
        _end(is_value || problem.right.count == 0 ? 1 : 2) {}

  bool is_value = true;
  std::int64_t out = 0;              ///< its distance
  std::int64_t left = 0, right = 0;  ///< those of values where it is none of an array's
  std::int64_t left_value = 0, right_value = 0;

  /// Number of products that it is the sum of: a derivative of constants has none.
  KOKKOS_FORCEINLINE_FUNCTION int products() const { return _end - _first; }
  /// Whether the product of the left factor's component (0), or of the right one's (1), is there.
  KOKKOS_FORCEINLINE_FUNCTION bool has(int product) const {
    return product >= _first && product < _end;
  }

  /// Calls f(left, right) for the distances of the factors' components whose products make it, by
  /// the product rule: of the left factor's with the right value, and of the left value with the
  /// right factor's.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void forEachProduct(const F& f) const {
    for (int n = _first; n < _end; ++n) f(leftOf(n), rightOf(n));
  }
  /// Where a product has its factors: the left one's component (0), or the right one's (1).
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t leftOf(int product) const {
    return product == 0 ? left : left_value;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t rightOf(int product) const {
    return product == 0 ? right_value : right;
  }

 private:
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t placeIn(const FadArray<T>& array,
                                                   std::int64_t number) const {
    return is_value || array.count == 0 ? array.value_at : number * array.stride;
  }

  int _first = 0, _end = 0;
};

/// Computes and stores one output of a contraction, a few of its components at a time, so that they
/// share what they read.
template <class S>
KOKKOS_INLINE_FUNCTION void contractFad(const FadProblem<ContractionShape, S>& problem,
                                        std::int64_t c, std::int64_t l, std::int64_t r) {
  constexpr int at_once = 4;
  const ContractionShape& s = problem.shape;
  S* const out = problem.out.derivatives + c * s.out_cell + l * s.out_left + r * s.out_right;
  const S* const left = problem.left.derivatives + c * s.left_cell + l * s.left_field;
  const S* const right = problem.right.derivatives + c * s.right_cell + r * s.right_field;
  for (std::int64_t first = 0; first <= problem.out.count; first += at_once) {
    const std::int64_t open = problem.out.count + 1 - first;
    const int count = open < at_once ? static_cast<int>(open) : at_once;
    FadComponent<S> its[at_once];
    S sum[at_once];
    for (int i = 0; i < at_once; ++i) {
      its[i] = FadComponent<S>(problem, i < count ? first + i : problem.out.count);
      sum[i] = S(0);
    }
    forEachInnerSum(s.sum, 0, 0, [&](std::int64_t left_at, std::int64_t right_at) {
      for (std::int64_t k = 0; k < s.sum[2].extent; ++k) {
        for (int i = 0; i < at_once; ++i) {
          its[i].forEachProduct([&](std::int64_t of_left, std::int64_t of_right) {
            multiplyAdd(sum[i], left[left_at + of_left], right[right_at + of_right]);
          });
        }
        left_at += s.sum[2].left;
        right_at += s.sum[2].right;
      }
    });
    for (int i = 0; i < count; ++i) {
      S& to = out[its[i].out];
      to = s.sum_into ? to + sum[i] : sum[i];
    }
  }
}

/// A component of an element of a copy or of a quotient.
template <class Problem, class S>
KOKKOS_FORCEINLINE_FUNCTION S quotientComponent(const Problem& problem, std::int64_t left_at,
                                                std::int64_t right_at, const FadComponent<S>& its) {
  const S* const left = problem.left.derivatives + left_at;
  const S* const right = problem.right.derivatives + right_at;
  const bool has_right = its.is_value || problem.right.count > 0;
  const S numerator = has_right ? right[its.right] : S(0);
  if (problem.shape.kind == PointwiseKind::Copy) return numerator;
  const S divisor = left[its.left_value];
  if (its.is_value) return numerator / divisor;
  // Of constants nothing is added: zero times what is not finite would be no number.
  if (problem.left.count == 0) return has_right ? numerator / divisor : S(0);
  return (numerator - right[its.right_value] / divisor * left[its.left]) / divisor;
}

/// A component of a product of small tensors.
template <class Problem, class S>
KOKKOS_FORCEINLINE_FUNCTION S productComponent(const Problem& problem, std::int64_t left_at,
                                               std::int64_t right_at, const FadComponent<S>& its) {
  const SumLevel(&sum)[2] = problem.shape.sum;
  S result(0);
  its.forEachProduct([&](std::int64_t of_left, std::int64_t of_right) {
    const S* const left = problem.left.derivatives + left_at + of_left;
    const S* const right = problem.right.derivatives + right_at + of_right;
    for (std::int64_t m = 0; m < sum[0].extent; ++m) {
      for (std::int64_t n = 0; n < sum[1].extent; ++n) {
        multiplyAdd(result, left[m * sum[0].left + n * sum[1].left],
                    right[m * sum[0].right + n * sum[1].right]);
      }
    }
  });
  return result;
}

/// A component of left(i) * right(j) - left(j) * right(i).
template <class Problem, class S>
KOKKOS_FORCEINLINE_FUNCTION S crossComponent(const Problem& problem, std::int64_t left_i,
                                             std::int64_t left_j, std::int64_t right_i,
                                             std::int64_t right_j, const FadComponent<S>& its) {
  S plus(0), minus(0);
  its.forEachProduct([&](std::int64_t of_left, std::int64_t of_right) {
    const S* const left = problem.left.derivatives + of_left;
    const S* const right = problem.right.derivatives + of_right;
    multiplyAdd(plus, left[left_i], right[right_j]);
    multiplyAdd(minus, left[left_j], right[right_i]);
  });
  return plus - minus;
}

/// Computes and stores the small tensors along a run of places.
///
/// Safe where the output is an input element by element: derivatives are stored before the value.
template <class S>
KOKKOS_INLINE_FUNCTION void multiplyFads(const FadProblem<PointwiseShape, S>& problem,
                                         const RunOfPlaces& run) {
  const PointwiseShape& s = problem.shape;
  const SumLevel& d = s.sum[0];
  for (std::int64_t place = 0; place < run.length; ++place) {
    const std::int64_t first_left = run.left + place * run.left_step;
    const std::int64_t first_right = run.right + place * run.right_step;
    for (std::int64_t i = 0; i < s.rows; ++i) {
      for (std::int64_t j = 0; j < s.columns; ++j) {
        S* const out = problem.out.derivatives + run.out + place * run.out_step + i * s.out.row +
                       j * s.out.column;
        const std::int64_t left = first_left + i * s.left.row + j * s.left.column;
        const std::int64_t right = first_right + i * s.right.row + j * s.right.column;
        const std::int64_t next = (i + 1) % 3, after = (i + 2) % 3;
        for (std::int64_t number = 0; number <= problem.out.count; ++number) {
          const FadComponent<S> its(problem, number);
          S& to = out[its.out];
          if (s.kind == PointwiseKind::Product) {
            to = productComponent(problem, left, right, its);
          } else if (s.kind == PointwiseKind::Cross2) {
            to = crossComponent(problem, left, left + d.left, right, right + d.right, its);
          } else if (s.kind == PointwiseKind::Cross3) {
            to = crossComponent(problem, first_left + next * s.left.row,
                                first_left + after * s.left.row, first_right + next * s.right.row,
                                first_right + after * s.right.row, its);
          } else {
            to = quotientComponent(problem, left, right, its);
          }
        }
      }
    }
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
