// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TERM_HPP
#define KONTRACT_TERM_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include <type_traits>
#include <utility>

#include "Kontract_Form.hpp"
#include "Kontract_Geometry.hpp"
#include "Kontract_TensorBasis.hpp"
#include "detail/call/Kontract_TransposedCoefficient.hpp"

namespace Kontract {

/// In the place of the signs of a side whose fields have none: see Term::withSigns().
inline constexpr Impl::NoView no_signs{};

/// A form with its arrays, one term of a sum: see the functions term() and load().
template <class Left, class Right, class Coefficient, class Second, class LeftSigns,
          class RightSigns>
struct Term {
  Form form;                ///< what is integrated
  Left left;                ///< values of the left side
  Right right;              ///< values of the right side, nothing in a load
  Coefficient coefficient;  ///< between the two, or the source of a load
  Second second;            ///< coefficient of elasticity
  LeftSigns left_signs;     ///< of each left field in each cell, or nothing
  RightSigns right_signs;   ///< of each right field in each cell, or nothing

  /// It has no right side.
  static constexpr bool is_load = std::is_same_v<Right, Impl::NoView>;

  /// The same term of oriented fields: each is multiplied by its sign in each cell, (C,L) and
  /// (C,R). Signs may also be functions sign(c, f) of cell and field, which the execution space
  /// calls; arrays are faster, because kernels of hosts take no functions. A side whose fields have
  /// no signs, as those of HGRAD, is given Kontract::no_signs.
  template <class L, class R>
  Term<Left, Right, Coefficient, Second, L, R> withSigns(const L& of_left,
                                                         const R& of_right) const {
    static_assert(!is_load, "Kontract: a load has one side; give withSigns() the signs of that");
    return {form, left, right, coefficient, second, of_left, of_right};
  }
  /// The same load of oriented fields, (C,F) or a function.
  template <class L>
  Term<Left, Right, Coefficient, Second, L, Impl::NoView> withSigns(const L& of_left) const {
    static_assert(is_load,
                  "Kontract: a term has two sides; give withSigns() the signs of both, or "
                  "Kontract::no_signs for a side that has none");
    return {form, left, right, coefficient, second, of_left, {}};
  }
};

/// A term of element matrices.
/// \param form         what is integrated
/// \param left, right  values on the reference cell, (L,P[,D]) and (R,P[,D]), or of each cell,
///   (C,L,P[,D]) and (C,R,P[,D]), the form says which; or a tensorBasis()
template <class Left, class Right>
Term<Left, Right, Impl::NoView, Impl::NoView, Impl::NoView, Impl::NoView> term(const Form& form,
                                                                               const Left& left,
                                                                               const Right& right) {
  return {form, left, right, {}, {}, {}, {}};
}

/// \param form, left, right  as above
/// \param coefficient  scalars (C,P|1); between vectors also diagonals (C,P|1,D) and matrices
///   (C,P|1,D,D); between a scalar and a vector, vectors (C,P|1,D)
template <class Left, class Right, class Coefficient>
Term<Left, Right, Coefficient, Impl::NoView, Impl::NoView, Impl::NoView> term(
    const Form& form, const Left& left, const Right& right, const Coefficient& coefficient) {
  return {form, left, right, coefficient, {}, {}, {}};
}

/// Elasticity, with Lame's parameters (C,P|1) each.
template <class Left, class Right, class Lambda, class Mu>
Term<Left, Right, Lambda, Mu, Impl::NoView, Impl::NoView> term(const Form& form, const Left& left,
                                                               const Right& right,
                                                               const Lambda& lambda, const Mu& mu) {
  return {form, left, right, lambda, mu, {}, {}};
}

/// A term of element vectors.
/// \param form    Form::source(space), or any form whose right side is not looked at
/// \param values  on the reference cell, (F,P[,D]), or of each cell, (C,F,P[,D]); or a
///   tensorBasis()
/// \param source  (C,P|1) for scalar values, (C,P|1,D) for vectors; (C,P|1,D) with scalar values is
///   the load of D components: component i of field f is field f D + i of the output
template <class Values, class Source>
Term<Values, Impl::NoView, Source, Impl::NoView, Impl::NoView, Impl::NoView> load(
    const Form& form, const Values& values, const Source& source) {
  return {form, values, {}, source, {}, {}, {}};
}

/// The same term on cells whose geometry, weights and coefficient are in factors that
/// Integration::factors() has computed once, for matrices and products that are computed often.
/// Their calls take geometry(), without arrays. MFEM and libCEED call factors quadrature data, and
/// products by them partial assembly.
/// \param term     a term with its form and values; its coefficient is not looked at
/// \param factors  (C,n,P|1): what stands between left and right values at a point, row by row; of
///   a symmetric matrix the upper half, D (D + 1) / 2 numbers
template <class Left, class Right, class Coefficient, class Second, class LeftSigns,
          class RightSigns, class Factors>
Term<Left, Right, Factors, Impl::NoView, LeftSigns, RightSigns> factored(
    const Term<Left, Right, Coefficient, Second, LeftSigns, RightSigns>& term,
    const Factors& factors) {
  static_assert(std::is_same_v<Second, Impl::NoView>,
                "Kontract: elasticity couples components: it has no factors");
  static_assert(!std::is_same_v<Right, Impl::NoView>,
                "Kontract: factors are of terms with two sides, not of load()s");
  Form form = term.form;
  form.is_factored = true;
  return {form, term.left, term.right, factors, {}, term.left_signs, term.right_signs};
}

/// The transposed of a term: its matrices are those of the term with rows and columns exchanged,
/// and products are by these. Arrays are shared, not copied; a full coefficient is read the other
/// way round.
///
/// \param term  a term with its form, values, coefficient and signs, factored() or not
/// \throws std::invalid_argument for a full coefficient in a Kokkos::DynRankView, and for factors
///   that have all entries of a matrix where half would do
template <class Left, class Right, class Coefficient, class Second, class LeftSigns,
          class RightSigns>
auto transposed(const Term<Left, Right, Coefficient, Second, LeftSigns, RightSigns>& term) {
  static_assert(!std::is_same_v<Right, Impl::NoView>,
                "Kontract: transposed() is for terms with two sides, not for load()s");
  Form form = term.form;
  std::swap(form.left, form.right);
  const auto coefficient = Impl::transposedCoefficient(term.coefficient, form.is_factored);
  return Term<Right, Left, std::decay_t<decltype(coefficient)>, Second, RightSigns, LeftSigns>{
      form, term.right, term.left, coefficient, term.second, term.right_signs, term.left_signs};
}

namespace Impl {

template <class T>
inline constexpr bool is_term = false;
template <class... Views>
inline constexpr bool is_term<Term<Views...>> = true;

template <class T>
inline constexpr bool is_load_term = false;
template <class... Views>
inline constexpr bool is_load_term<Term<Views...>> = Term<Views...>::is_load;

template <class T>
inline constexpr bool is_geometry = false;
template <class... Views>
inline constexpr bool is_geometry<Geometry<Views...>> = true;

}  // namespace Impl
}  // namespace Kontract

#endif
