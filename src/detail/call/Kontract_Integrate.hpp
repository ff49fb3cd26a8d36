// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_INTEGRATE_HPP
#define KONTRACT_INTEGRATE_HPP

#include <tuple>
#include <type_traits>
#include <utility>

#include "Kontract_Action.hpp"
#include "Kontract_DescribeForm.hpp"
#include "Kontract_TypedForm.hpp"
#include "detail/dispatch/Kontract_CompiledForms.hpp"
#include "detail/problem/Kontract_FormChecker.hpp"
#include "detail/problem/Kontract_PlainForm.hpp"

namespace Kontract {
namespace Impl {

/// Whether a view is of plain scalars of that type, or not there.
template <class Real, class View>
inline constexpr bool is_plain_view = false;
template <class Real>
inline constexpr bool is_plain_view<Real, NoView> = true;
template <class Real, class... P>
inline constexpr bool is_plain_view<Real, Kokkos::View<P...>> =
    std::is_same_v<typename Kokkos::View<P...>::non_const_value_type, Real>;
template <class Real, class... P>
inline constexpr bool is_plain_view<Real, Kokkos::DynRankView<P...>> =
    std::is_same_v<typename Kokkos::DynRankView<P...>::non_const_value_type, Real>;
template <class Real, class V, class G>
inline constexpr bool is_plain_view<Real, TensorBasis<V, G>> =
    is_plain_view<Real, V>&& is_plain_view<Real, G>;

template <class Real, class Argument>
inline constexpr bool is_plain_argument = is_array<Argument> ? is_plain_view<Real, Argument> : true;
template <class Real, class... Views>
inline constexpr bool is_plain_argument<Real, Geometry<Views...>> = (is_plain_view<Real, Views> &&
                                                                     ...);
template <class Real, class... Views>
inline constexpr bool is_plain_argument<Real, Term<Views...>> = (is_plain_view<Real, Views> && ...);

/// Whether the kernels of the library serve a call: all scalars are float or all double, signs are
/// no functions, and terms are few.
template <class Real, class... Arguments>
inline constexpr bool is_plain_call =
    (std::is_same_v<Real, float> ||
     std::is_same_v<Real, double>)&&(is_plain_argument<Real, std::decay_t<Arguments>>&&...) &&
    term_count_of<Arguments...> <= max_form_terms;

/// Acts on a form: describes its arrays, checks them and makes the canonical problem of them.
template <bool is_plain, class FormCall, class Action, std::size_t... i>
void actOnForm(Operation operation, const FormCall& call, const Action& action,
               std::index_sequence<i...>) {
  using Space = typename FormCall::space_type;
  using Real = typename std::decay_t<decltype(call.out())>::non_const_value_type;
  const auto& geometry = call.geometry();
  using Mapping = std::decay_t<decltype(geometry.mapping)>;
  using Gradients = std::decay_t<decltype(geometry.gradients)>;
  std::tuple<DescribedTerm<Space, std::decay_t<decltype(call.template term<i>())>>...> described(
      call.template term<i>()...);
  TermDescription terms[] = {std::get<i>(described).description(call.template term<i>())...};
  const auto vector = [&] {
    if constexpr (FormCall::kind == FormKind::Products) {
      return describe<Space>(call.vector());
    } else {
      return ArrayDescription();
    }
  };
  const FormDescription form{FormCall::kind,
                             describe<Space>(call.out()),
                             vector(),
                             describeIfThere<Space>(geometry.mapping),
                             describeIfThere<Space>(geometry.gradients),
                             describeIfThere<Space>(geometry.weights),
                             terms,
                             FormCall::term_count,
                             call.flag(false),
                             !std::is_same_v<Mapping, NoView>,
                             !std::is_same_v<Gradients, NoView>,
                             is_of_integers<Real>};
  const char* const function = signatureOf(operation).name;
  CheckedTerm checked[FormCall::term_count];
  const FormShape shape = checkForm(function, form, checked);
  call.withOptions([&](const CallOptions& options) {
    if (form.out.size() == 0) return action.nothingToDo(operation);
    if constexpr (is_plain) {
      PlainTerm<Real> plain_terms[FormCall::term_count];
      action(call, operation, plainForm<Real>(shape, form, checked, plain_terms), options);
    } else {
      action(call, operation, typedForm(function, call, shape, form, checked), options);
    }
  });
}

/// Element matrices, element vectors, or matrix-free products:
/// (space,) output, (vector,) geometry, terms (, sumInto) (, options)
template <class DeviceType, FormKind kind, class Action, class... Arguments>
void integrateForm(Operation operation, const Action& action, const Arguments&... arguments) {
  const FormCall<DeviceType, kind, Arguments...> call(arguments...);
  using Real = typename std::decay_t<decltype(call.out())>::non_const_value_type;
  actOnForm<is_plain_call<Real, Arguments...>>(
      operation, call, action, std::make_index_sequence<decltype(call)::term_count>());
}

}  // namespace Impl
}  // namespace Kontract

#endif
