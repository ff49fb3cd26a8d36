// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_KNOWNTERMS_HPP
#define KONTRACT_KNOWNTERMS_HPP

#include <type_traits>
#include <utility>

#include "detail/problem/Kontract_FormProblem.hpp"

namespace Kontract {
namespace Impl {

// Terms of forms for which there are kernels of their own: what is known when compiling is neither
// asked for at points nor kept in registers.

/// A term between values of HGRAD, or their gradients, of fields of one component.
/// \tparam has_matrix  its coefficient, which is there, is a matrix, or a vector between a value
/// and
///   a gradient; otherwise it is a number, or none
template <bool left_is_gradient, bool right_is_gradient, bool has_matrix>
struct KnownTerm {
  static constexpr Pullback left_pullback =
      left_is_gradient ? Pullback::Covariant : Pullback::Scalar;
  static constexpr Pullback right_pullback =
      right_is_gradient ? Pullback::Covariant : Pullback::Scalar;
  static constexpr bool has_gradients = left_is_gradient || right_is_gradient;

  static bool is(const FormTermShape& term) {
    const bool has_number =
        term.kind == CoefficientKind::None || term.kind == CoefficientKind::Scalar;
    return term.left_is_vector == left_is_gradient && term.right_is_vector == right_is_gradient &&
           term.left_pullback == left_pullback && term.right_pullback == right_pullback &&
           !term.coefficient_is_vector_of_blocks &&
           (has_matrix ? term.kind == CoefficientKind::Full : has_number);
  }
  /// Tells compilers what is known.
  KOKKOS_FORCEINLINE_FUNCTION static void set(FormTermShape& term, bool has_coefficient) {
    term.left_is_vector = left_is_gradient;
    term.right_is_vector = right_is_gradient;
    term.left_pullback = left_pullback;
    term.right_pullback = right_pullback;
    term.coefficient_is_vector_of_blocks = false;
    term.kind = has_matrix        ? CoefficientKind::Full
                : has_coefficient ? CoefficientKind::Scalar
                                  : CoefficientKind::None;
  }
};

/// The terms of a form that are known, one after another.
template <class... Known>
struct KnownTerms {
  static constexpr bool are_known = true;
  static constexpr int count = sizeof...(Known);
  static constexpr bool have_gradients = (Known::has_gradients || ...);

  /// Whether they are these. \param term_of  term_of(t) is a term of a form
  template <class TermOf>
  static bool are(const FormShape& shape, int terms, const TermOf& term_of) {
    int t = 0;
    return shape.left_blocks == 1 && shape.right_blocks == 1 && terms == count &&
           (Known::is(term_of(t++)) && ...);
  }
  /// Calls f(term, what is known of it) for each.
  template <class Terms, class F>
  KOKKOS_FORCEINLINE_FUNCTION static void forEach(const Terms& terms, const F& f) {
    int t = 0;
    (f(terms.terms[t++], Known()), ...);
  }
};

/// Any terms, of which nothing is known.
struct AnyTerms {
  static constexpr bool are_known = false;
  KOKKOS_FORCEINLINE_FUNCTION static void set(FormTermShape&, bool) {}
  template <class Terms, class F>
  KOKKOS_FORCEINLINE_FUNCTION static void forEach(const Terms& terms, const F& f) {
    forEachTerm(terms, [&](const auto& term) { f(term, AnyTerms()); });
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
