// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADPROBLEM_HPP
#define KONTRACT_FADPROBLEM_HPP

#include <type_traits>

#include "Kontract_Problem.hpp"

namespace Kontract {
namespace Impl {

/// The scalar behind elements that are Fads; void for others.
template <class Access>
struct ScalarBehind {
  using type = void;
};
template <class Value, class Reference, class Scalar>
struct ScalarBehind<ProxyAccessor<Value, Reference, Scalar>> {
  using type = std::remove_const_t<Scalar>;
};
template <class T>
struct ScalarBehind<FadArray<T>> {
  using type = std::remove_const_t<T>;
};

/// Whether elements can be read as Fads of scalars S.
template <class S, class Access>
inline constexpr bool are_fads_of = std::is_same_v<typename ScalarBehind<Access>::type, S> ||
                                    std::is_same_v<typename Access::value_type, S>;

template <class Problem>
struct FadScalarOf {
  using type = void;
};
template <class Shape, class Out, class Left, class Right>
struct FadScalarOf<Problem<Shape, Out, Left, Right>> {
  using S = typename ScalarBehind<Out>::type;
  static constexpr bool is_one =
      (std::is_same_v<S, float> || std::is_same_v<S, double>)&&are_fads_of<S, Left> &&
      are_fads_of<S, Right>;
  using type = std::conditional_t<is_one, S, void>;
};

/// The scalar, float or double, of a problem that is made of Fads of it and of it alone: not of
/// Fads of Fads, nor of mixtures of precisions, whose arithmetic is that of their own types; else
/// void.
template <class Problem>
using FadScalar = typename FadScalarOf<Problem>::type;

/// Whether a problem is of such Fads, whose components are scalars to compute with.
template <class Problem>
inline constexpr bool has_fad_components = !std::is_void_v<FadScalar<Problem>>;

/// A problem of Fads as the scalars that they are made of, whatever their types: what algorithms
/// get, compiled once for each scalar.
template <class Shape, class S>
using FadProblem = Problem<Shape, FadArray<S>, FadArray<const S>, FadArray<const S>>;

template <class Problem>
inline constexpr bool is_fad_problem = false;
template <class Shape, class S>
inline constexpr bool is_fad_problem<FadProblem<Shape, S>> = true;

/// Whether components of the output are sums, products and quotients of those of the operands, one
/// by one. What else there is uses the arithmetic of the elements' own types.
KOKKOS_INLINE_FUNCTION constexpr bool hasComponents(PointwiseKind kind) {
  return kind <= PointwiseKind::Cross3;
}

template <class T, class S>
KOKKOS_FORCEINLINE_FUNCTION FadArray<T> fadArrayOf(const Accessor<S>& elements) {
  return {elements.data, 0, 0, 0};
}
template <class T, class Value, class Reference, class Scalar>
KOKKOS_FORCEINLINE_FUNCTION FadArray<T> fadArrayOf(
    const ProxyAccessor<Value, Reference, Scalar>& elements) {
  return {elements.derivatives, elements.value_at, elements.count, elements.stride};
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION FadArray<T> fadArrayOf(const FadArray<T>& elements) {
  return elements;
}

/// A problem whose Fads have components, as one of them.
template <class Problem>
KOKKOS_FORCEINLINE_FUNCTION auto fadProblemOf(const Problem& problem) {
  using S = FadScalar<Problem>;
  return FadProblem<typename Problem::shape_type, S>{problem.shape, fadArrayOf<S>(problem.out),
                                                     fadArrayOf<const S>(problem.left),
                                                     fadArrayOf<const S>(problem.right)};
}

/// Whether components of all Fads lie side by side, and one operand at least has derivatives.
template <class Shape, class S>
bool areSideBySide(const FadProblem<Shape, S>& problem) {
  return problem.out.count > 0 && (problem.left.count > 0 || problem.right.count > 0) &&
         isSideBySide(problem.out) && isSideBySide(problem.left) && isSideBySide(problem.right);
}

}  // namespace Impl
}  // namespace Kontract

#endif
