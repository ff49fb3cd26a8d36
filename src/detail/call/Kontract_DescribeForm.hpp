// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_DESCRIBEFORM_HPP
#define KONTRACT_DESCRIBEFORM_HPP

#include <type_traits>

#include "Kontract_FormCall.hpp"
#include "detail/problem/Kontract_FormDescription.hpp"
#include "detail/view/Kontract_DescribeView.hpp"

namespace Kontract {
namespace Impl {

template <class Signs>
inline constexpr bool is_sign_function = !is_array<Signs> && !std::is_same_v<Signs, NoView>;

/// A view described, or nothing.
template <class Space, class View>
ArrayDescription describeIfThere(const View& view) {
  if constexpr (std::is_same_v<View, NoView>) {
    return ArrayDescription();
  } else {
    static_assert(is_array<View>,
                  "Kontract: arrays of a form are Kokkos::View or Kokkos::DynRankView");
    return describe<Space>(view);
  }
}

template <class Space, class Signs>
ArrayDescription describeSigns(const Signs& signs) {
  if constexpr (is_sign_function<Signs>) {
    static_assert(std::is_invocable_v<const Signs&, std::int64_t, std::int64_t>,
                  "Kontract: signs are Kokkos::View, Kokkos::DynRankView or a function of cell and "
                  "field");
    return ArrayDescription();
  } else {
    return describeIfThere<Space>(signs);
  }
}

/// Values of a side described: an array, or a tensor-product basis, whose description has to stay.
template <class Space, class View>
struct DescribedValues {
  explicit DescribedValues(const View&) {}
  ValuesDescription description(const View& view) const { return {describeIfThere<Space>(view)}; }
};
template <class Space, class V, class G>
struct DescribedValues<Space, TensorBasis<V, G>> {
  BasisDescription basis;
  explicit DescribedValues(const TensorBasis<V, G>& of) {
    static_assert(
        is_plain<typename V::non_const_value_type> &&
            std::is_same_v<typename V::non_const_value_type, typename G::non_const_value_type>,
        "Kontract: values and derivatives of a tensor-product basis are numbers of one "
        "type");
    basis.directions = of.dimension;
    for (int d = 0; d < of.dimension; ++d) {
      basis.values[d] = describe<Space>(of.values[d]);
      basis.derivatives[d] = describe<Space>(of.derivatives[d]);
    }
  }
  template <class Basis>
  ValuesDescription description(const Basis&) const {
    return {ArrayDescription(), &basis};
  }
};
template <class Space, class V, class G>
struct DescribedValues<Space, VectorTensorBasis<V, G>> : DescribedValues<Space, TensorBasis<V, G>> {
  using Closed = DescribedValues<Space, TensorBasis<V, G>>;
  explicit DescribedValues(const VectorTensorBasis<V, G>& of) : Closed(of.closed) {
    this->basis.is_of_vectors = true;
    this->basis.space = of.space;
    for (int d = 0; d < of.closed.dimension; ++d) {
      this->basis.open[d] = describe<Space>(of.open[d]);
      this->basis.components[d] = of.components[d];
      this->basis.signs[d] = of.signs[d];
    }
  }
};

/// A term described.
template <class Space, class Term>
struct DescribedTerm;
template <class Space, class L, class R, class A, class B, class SL, class SR>
struct DescribedTerm<Space, Term<L, R, A, B, SL, SR>> {
  DescribedValues<Space, L> left;
  DescribedValues<Space, R> right;

  explicit DescribedTerm(const Term<L, R, A, B, SL, SR>& term)
      : left(term.left), right(term.right) {}

  TermDescription description(const Term<L, R, A, B, SL, SR>& term) const {
    return {term.form,
            left.description(term.left),
            right.description(term.right),
            describeIfThere<Space>(term.coefficient),
            describeIfThere<Space>(term.second),
            describeSigns<Space>(term.left_signs),
            describeSigns<Space>(term.right_signs),
            is_sign_function<SL> || is_sign_function<SR>};
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
