// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_PROBLEM_HPP
#define KONTRACT_PROBLEM_HPP

#include <algorithm>

#include "Kontract_Contraction.hpp"
#include "Kontract_Pointwise.hpp"
#include "detail/support/Kontract_Scalar.hpp"
#include "detail/view/Kontract_Accessor.hpp"

namespace Kontract {
namespace Impl {

/// A canonical problem with its arrays, ready to run: what algorithms get.
template <class Shape, class Out, class Left, class Right>
struct Problem {
  using shape_type = Shape;
  using out_type = Out;
  using left_type = Left;
  using right_type = Right;
  Shape shape;
  Out out;
  Left left;
  Right right;
};

/// A problem whose arrays are of one scalar type.
template <class Shape, class S>
using ScalarProblem = Problem<Shape, Accessor<S>, Accessor<const S>, Accessor<const S>>;

/// What a problem is without its arrays.
template <class Problem>
const auto& shapeOf(const Problem& problem) {
  return problem.shape;
}

/// Whether components of each element are one step apart, the value being the last of them.
template <class Fads>
bool hasOneStep(const Fads& array) {
  return array.value_at == array.count * array.stride;
}
template <class T>
bool hasOneStep(const Accessor<T>&) {
  return true;
}

/// Whether they lie side by side.
template <class Fads>
bool isSideBySide(const Fads& array) {
  return array.count == 0 ||
         (array.value_at == array.count && (array.count == 1 || array.stride == 1));
}
template <class T>
bool isSideBySide(const Accessor<T>&) {
  return true;
}

template <class Problem>
Work workOf(const Problem& problem) {
  Work work =
      problem.shape.work({bytesOf(problem.out), bytesOf(problem.left), bytesOf(problem.right)});
  using Out = typename Problem::out_type::value_type;
  work.is_complex = IsComplex<Out>::value;
  work.is_single = std::is_same_v<typename RealOf<Out>::type, float> &&
                   std::is_same_v<Out, typename Problem::left_type::value_type> &&
                   std::is_same_v<Out, typename Problem::right_type::value_type>;
  if constexpr (are_fads<typename Problem::out_type>) {
    work.is_fad = true;
    work.components = scalarsOf(problem.out);
    const std::int64_t factors = scalarsOf(problem.left) + scalarsOf(problem.right) - 1;
    work.products = std::min(factors, 2 * work.components - 1);
    work.flops *= static_cast<double>(work.products);
    work.has_component_step =
        hasOneStep(problem.out) && hasOneStep(problem.left) && hasOneStep(problem.right);
    work.has_component_rows =
        isSideBySide(problem.out) && isSideBySide(problem.left) && isSideBySide(problem.right);
  }
  return work;
}

/// Work of the problem that this one is a chunk of. Whatever the order of a sum depends on is
/// planned for this, so that all chunks, and the problem in one piece, give the same bits.
template <class Problem>
Work wholeWorkOf(const Problem& problem) {
  Problem whole = problem;
  whole.shape = problem.shape.whole();
  return workOf(whole);
}

}  // namespace Impl
}  // namespace Kontract

#endif
