// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADSASFIELDS_HPP
#define KONTRACT_FADSASFIELDS_HPP

#include <optional>

#include "detail/kernels/fad/Kontract_FadTiles.hpp"
#include "detail/kernels/portable/Kontract_Piece.hpp"
#include "detail/problem/Kontract_Problem.hpp"

namespace Kontract {
namespace Impl {

/// The components of a Fad, its derivatives and its value, as scalars side by side in memory.
template <class S>
struct FadScalars {
  S* first = nullptr;
  std::int64_t count = 0, step = 0;
};

template <class S>
std::optional<FadScalars<S>> scalarsOfElements(const Accessor<S>& elements) {
  return FadScalars<S>{elements.data, 1, 0};
}
/// \return nothing where the value is not as far from its neighbour as derivatives are
template <class Value, class Reference, class S>
std::optional<FadScalars<S>> scalarsOfElements(const ProxyAccessor<Value, Reference, S>& elements) {
  S* const value = elements.derivatives + elements.value_at;
  if (elements.count == 0) return FadScalars<S>{value, 1, 0};
  const std::int64_t step = elements.count == 1 ? elements.value_at : elements.stride;
  if (elements.value_at != step * elements.count) return std::nullopt;
  return FadScalars<S>{elements.derivatives, elements.count + std::int64_t(1), step};
}

template <class S>
using ContractionOfScalars =
    Problem<ContractionShape, Accessor<S>, Accessor<const S>, Accessor<const S>>;

/// Whether hosts take less time for the components of a Fad as scalars than as a Fad: the kernels
/// of Fads are for Fads of double, which have blocks of 8 derivatives side by side, and sums of few
/// terms.
template <class S>
bool areFasterAsFields(const FadScalars<S>& fad, std::int64_t terms) {
  const std::int64_t derivatives = fad.count - 1;
  const bool has_kernels = std::is_same_v<S, double> && fad.step == 1;
  return !has_kernels || (derivatives > 3 && derivatives % 8 != 0 && terms > 3);
}

/// A contraction of Fads with constants is one of scalars if its Fads are of a single field: their
/// components are the fields of that side, and of the output. It has all algorithms that scalars
/// have. Constant Fads are scalars in any case.
/// \return nothing for other contractions, and where that takes longer
template <class Out, class Left, class Right>
auto fadsAsFields(const Problem<ContractionShape, Out, Left, Right>& problem) {
  using S = FadScalar<Problem<ContractionShape, Out, Left, Right>>;
  using Result = std::optional<ContractionOfScalars<S>>;
  const auto out = scalarsOfElements(problem.out);
  const auto left = scalarsOfElements(problem.left);
  const auto right = scalarsOfElements(problem.right);
  if (!out || !left || !right) return Result();
  ContractionShape shape = problem.shape;
  if (out->count > 1) {
    if (!areFasterAsFields(*out, shape.terms())) return Result();
    if (left->count == out->count && right->count == 1 && shape.lefts == 1) {
      shape.lefts = out->count;
      shape.left_field = left->step;
      shape.out_left = out->step;
    } else if (left->count == 1 && right->count == out->count && shape.rights == 1) {
      shape.rights = out->count;
      shape.right_field = right->step;
      shape.out_right = out->step;
    } else {
      return Result();
    }
  }
  return Result({shape, {out->first}, {left->first}, {right->first}});
}

/// Calls f with a problem, as one of scalars where it is one. That is so on hosts: in the order of
/// memory that Sacado has derivatives in, devices take longer for scalars than for Fads by their
/// components.
template <class Space, class Problem, class F>
void withFadsAsFields(const Space&, const Problem& problem, const F& f) {
  if constexpr (is_host_space<Space> && is_contraction<Problem> && has_fad_components<Problem>) {
    if (const auto scalars = fadsAsFields(problem)) return f(*scalars);
  }
  f(problem);
}

}  // namespace Impl
}  // namespace Kontract

#endif
