// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMCALL_HPP
#define KONTRACT_FORMCALL_HPP

#include "Kontract_Call.hpp"
#include "Kontract_DescribeShared.hpp"
#include "Kontract_Term.hpp"
#include "detail/problem/Kontract_FormShape.hpp"

namespace Kontract {
namespace Impl {

template <class... Arguments>
inline constexpr int term_count_of = (int(is_term<Arguments>) + ... + 0);

/// The arguments of a function of Integration: its operands are an output, the vector of a product,
/// a geometry, and terms.
template <class DeviceType, FormKind form_kind, class... Arguments>
class FormCall
    : public Call<DeviceType,
                  (form_kind == FormKind::Products ? 2 : 1) + 1 + term_count_of<Arguments...>, bool,
                  Arguments...> {
 public:
  static constexpr FormKind kind = form_kind;
  static constexpr int term_count = term_count_of<Arguments...>;

 private:
  static constexpr int arrays = kind == FormKind::Products ? 2 : 1;
  using Base = Call<DeviceType, arrays + 1 + term_count, bool, Arguments...>;
  static_assert(kind != FormKind::Factors || term_count == 1, "Kontract: factors() takes one term");
  static_assert(term_count > 0, "Kontract: a function of Integration takes a term or more");
  static_assert(is_geometry<typename Base::template Operand<arrays>>,
                "Kontract: after its arrays a function of Integration takes a geometry()");

 public:
  using Base::Base;

  // The views of these; cells may share them.
  const auto& out() const {
    using View = ViewOf<typename Base::template Operand<0>>;
    static_assert(is_array<View>,
                  "Kontract: the output is a Kokkos::View, a Kokkos::DynRankView, oriented() or "
                  "scattered()");
    static_assert(!std::is_const_v<typename View::value_type>,
                  "Kontract: the output array must not be const");
    return viewOf(outOperand());
  }
  /// Of a matrix-free product.
  const auto& vector() const { return viewOf(vectorOperand()); }

  const auto& outOperand() const { return this->template operand<0>(); }
  const auto& vectorOperand() const {
    static_assert(is_array<ViewOf<typename Base::template Operand<1>>>,
                  "Kontract: the vector is a Kokkos::View, a Kokkos::DynRankView, oriented() or "
                  "gathered()");
    return this->template operand<1>();
  }
  const auto& geometry() const { return this->template operand<arrays>(); }

  /// How options ask cells to add to what they share.
  ScatterWay scatterWay(Operation operation) const {
    return this->withOptions([&](const CallOptions& options) {
      return static_cast<ScatterWay>(options.of(operation).launch.scatter.place);
    });
  }

  template <int i>
  const auto& term() const {
    using Term = typename Base::template Operand<arrays + 1 + i>;
    static_assert(is_term<Term>, "Kontract: terms stand side by side");
    static_assert(Term::is_load == (kind == FormKind::Vectors),
                  "Kontract: vectors() takes load()s, other functions take term()s");
    return this->template operand<arrays + 1 + i>();
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
