// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADSASSCALARS_HPP
#define KONTRACT_FADSASSCALARS_HPP

#include <optional>

#include "detail/dispatch/Kontract_CompiledProblems.hpp"

namespace Kontract {
namespace Impl {

/// The components of a Fad, its derivatives and its value, as scalars side by side in memory.
template <class S>
struct FadScalars {
  S* first = nullptr;
  std::int64_t count = 0, step = 0;
};

/// \return nothing where the value is not as far from its neighbour as derivatives are
template <class S>
std::optional<FadScalars<S>> scalarsOfElements(const FadArray<S>& elements) {
  if (elements.count == 0) return FadScalars<S>{elements.value(), 1, 0};
  const std::int64_t step = elements.count == 1 ? elements.value_at : elements.stride;
  if (elements.value_at != step * elements.count) return std::nullopt;
  return FadScalars<S>{elements.derivatives, elements.count + 1, step};
}

/// A contraction of Fads with constants is one of scalars if its Fads are of a single field: their
/// components are the fields of that side, and of the output. It has all algorithms that scalars
/// have. Constant Fads are scalars in any case.
/// \return nothing for other contractions, and for components side by side, which hosts have faster
/// kernels for
template <class S>
std::optional<PlainContraction<S>> fadsAsFields(
    const FadProblem<ContractionShape, S>& problem) {
  using Result = std::optional<PlainContraction<S>>;
  const auto out = scalarsOfElements(problem.out);
  const auto left = scalarsOfElements(problem.left);
  const auto right = scalarsOfElements(problem.right);
  if (!out || !left || !right) return Result();
  ContractionShape shape = problem.shape;
  if (out->count > 1) {
    if (areSideBySide(problem)) return Result();
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

/// Calls f with what algorithms are to get of a problem: of Fads their scalars, whatever their
/// types. A single field of Fads is a contraction of scalars on hosts; in the order of memory that
/// Sacado has derivatives in, devices take longer for scalars than for Fads by their components.
template <class Space, class Problem, class F>
void withScalarsOfFads(const Space&, const Problem& problem, const F& f) {
  if constexpr (has_fad_components<Problem>) {
    const auto fads = fadProblemOf(problem);
    if constexpr (is_host_space<Space> &&
                  std::is_same_v<typename Problem::shape_type, ContractionShape>) {
      if (const auto scalars = fadsAsFields(fads)) return f(*scalars);
    }
    f(fads);
  } else {
    f(problem);
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
