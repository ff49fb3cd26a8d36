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
#include "detail/problem/Kontract_FadProblem.hpp"
#include "detail/problem/Kontract_FormChecker.hpp"
#include "detail/problem/Kontract_FormComponents.hpp"
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
template <class Real, class V, class G>
inline constexpr bool is_plain_view<Real, VectorTensorBasis<V, G>> =
    is_plain_view<Real, TensorBasis<V, G>>;

template <class Real, class Array, class Numbers>
inline constexpr bool is_plain_view<Real, Gathered<Array, Numbers>> = is_plain_view<Real, Array>;

template <class Real, class Argument>
inline constexpr bool is_plain_argument = is_array<Argument> ? is_plain_view<Real, Argument> : true;
template <class Real, class... Views>
inline constexpr bool is_plain_argument<Real, Geometry<Views...>> = (is_plain_view<Real, Views> &&
                                                                     ...);
template <class Real, class... Views>
inline constexpr bool is_plain_argument<Real, Term<Views...>> = (is_plain_view<Real, Views> && ...);

template <class Real, class Array, class Numbers>
inline constexpr bool is_plain_argument<Real, Gathered<Array, Numbers>> =
    is_plain_view<Real, Array>;
template <class Real, class Array, class Plan>
inline constexpr bool is_plain_argument<Real, Scattered<Array, Plan>> = is_plain_view<Real, Array>;
template <class Real, class Array, class DeviceType>
inline constexpr bool is_plain_argument<Real, Oriented<Array, DeviceType>> =
    is_plain_view<Real, Array>;

/// Whether cells share an array of a call, or its fields are transformed.
template <class Argument>
inline constexpr bool has_shared_array = is_shared<Argument> || is_oriented<Argument>;
template <class Mapping, class... Views>
inline constexpr bool has_shared_array<Geometry<Mapping, Views...>> = is_shared<Mapping>;

/// Whether the kernels of the library serve a call: all scalars are float or all double, signs are
/// no functions, and terms are few.
template <class Real, class... Arguments>
inline constexpr bool is_plain_call =
    (std::is_same_v<Real, float> ||
     std::is_same_v<Real, double>)&&(is_plain_argument<Real, std::decay_t<Arguments>>&&...) &&
    term_count_of<Arguments...> <= max_form_terms;

/// The scalar behind a view of Fads; void for others.
template <class View, bool is_it = is_array<View>>
struct ScalarBehindView {
  using type = void;
};
template <class View>
struct ScalarBehindView<View, true> {
  using type = typename ScalarBehind<decltype(accessorOf<true>(
      std::declval<const View&>(), std::declval<const ArrayDescription&>()))>::type;
};

/// Whether a form is linear in an argument if that is of Fads of a scalar, and has it as plain
/// scalars otherwise: coefficients, the vector and the output may be of Fads.
template <class S, class View>
inline constexpr bool is_linear_view =
    is_plain_view<S, View> || std::is_same_v<typename ScalarBehindView<View>::type, S>;
template <class S, class Argument>
inline constexpr bool is_linear_argument =
    is_array<Argument> ? is_linear_view<S, Argument>
                       : is_plain_argument<S, Argument> && !has_shared_array<Argument>;
template <class S, class L, class R, class A, class B, class SL, class SR>
inline constexpr bool is_linear_argument<S, Term<L, R, A, B, SL, SR>> =
    is_plain_view<S, L>&& is_plain_view<S, R>&& is_linear_view<S, A>&& is_linear_view<S, B>&&
        is_plain_view<S, SL>&& is_plain_view<S, SR>;

/// The scalar, float or double, of a call that is linear in its Fads; else void.
template <class Out, class... Arguments>
struct LinearScalarOf {
  using S = typename ScalarBehindView<Out>::type;
  static constexpr bool is_linear = (std::is_same_v<S, float> || std::is_same_v<S, double>)&&(
                                        is_linear_argument<S, std::decay_t<Arguments>> && ...) &&
                                    term_count_of<Arguments...> <= max_form_terms;
  using type = std::conditional_t<is_linear, S, void>;
};

/// Acts on a form: describes its arrays, checks them and makes the canonical problem of them.
/// \tparam LinearScalar  of a call that is linear in its Fads, which is one problem for each of
///   their components; else void
template <bool is_plain, class LinearScalar, class FormCall, class Action, std::size_t... i>
void actOnForm(Operation operation, const FormCall& call, const Action& action,
               std::index_sequence<i...>) {
  using Space = typename FormCall::space_type;
  using Real = typename std::decay_t<decltype(call.out())>::non_const_value_type;
  const auto& geometry = call.geometry();
  using Mapping = std::decay_t<decltype(geometry.mapping)>;
  using Out = std::decay_t<decltype(call.outOperand())>;
  using Gradients = std::decay_t<decltype(geometry.gradients)>;
  using Normals = std::decay_t<decltype(geometry.normals)>;
  std::tuple<DescribedTerm<Space, std::decay_t<decltype(call.template term<i>())>>...> described(
      call.template term<i>()...);
  TermDescription terms[] = {std::get<i>(described).description(call.template term<i>())...};
  FormDescription form;
  form.kind = FormCall::kind;
  if constexpr (is_scattered<Out>) {
    form.shared_out =
        describeScattered(call.space(), call.outOperand(), call.scatterWay(operation));
    form.shared_out.may_be_several = FormCall::kind == FormKind::Products;
    form.out = FormCall::kind == FormKind::Matrices
                   ? form.shared_out.ofEachCell({form.shared_out.columns})
                   : form.shared_out.ofEachCell({});
  } else {
    form.out = describe<Space>(call.out());
  }
  const OperatorsOfArray of_output = operatorsOfArray(call.outOperand(), FieldDirection::Out);
  form.left_operators = of_output.left;
  if (FormCall::kind == FormKind::Matrices) form.right_operators = of_output.right;
  if constexpr (FormCall::kind == FormKind::Products) {
    form.vector_operators = operatorsOfArray(call.vectorOperand(), FieldDirection::In).left;
    if constexpr (is_gathered<std::decay_t<decltype(call.vectorOperand())>>) {
      form.shared_vector = describeGathered<Space>(call.vectorOperand());
      form.shared_vector.may_be_several = true;
      form.vector = form.shared_vector.ofEachCell({});
    } else {
      form.vector = describe<Space>(call.vector());
    }
  }
  if constexpr (is_gathered<Mapping>) {
    static_assert(!std::is_same_v<Gradients, NoView>,
                  "Kontract: in a geometry() nodes may be gathered(), Jacobians may not");
    form.shared_mapping = describeGathered<Space>(geometry.mapping);
    if (operatorsOfArray(geometry.mapping, FieldDirection::In).left.is_there ||
        form.shared_mapping.expanded.count > 0) {
      refuse(signatureOf(operation).name,
             "the numbers of nodes have orientations or constraints, which are those of unknowns");
    }
    const ArrayDescription& nodes = form.shared_mapping.array;
    form.mapping = form.shared_mapping.ofEachCell({nodes.rank > 1 ? nodes.extents[1] : 0});
  } else {
    form.mapping = describeIfThere<Space>(geometry.mapping);
  }
  form.gradients = describeIfThere<Space>(geometry.gradients);
  form.weights = describeIfThere<Space>(geometry.weights);
  form.normals = describeIfThere<Space>(geometry.normals);
  form.terms = terms;
  form.term_count = FormCall::term_count;
  form.sum_into = call.flag(false);
  form.has_mapping = !std::is_same_v<Mapping, NoView>;
  form.has_nodes = !std::is_same_v<Gradients, NoView>;
  form.has_normals = !std::is_same_v<Normals, NoView>;
  form.has_weights = !std::is_same_v<std::decay_t<decltype(geometry.weights)>, NoView>;
  form.out_is_of_integers = is_of_integers<Real>;
  const char* const function = signatureOf(operation).name;
  CheckedTerm checked[FormCall::term_count];
  const FormShape shape = checkForm(function, form, checked);
  call.withOptions([&](const CallOptions& options) {
    const bool is_cleared = shape.shared_outputs > 0 && !shape.sum_into;
    const bool is_of_nothing = shape.vectors == 0 || (form.out.size() == 0 && !is_cleared);
    if (is_of_nothing) return action.nothingToDo(operation);
    const bool has_several = FormCall::kind == FormKind::Products && form.out.rank == 3;
    if constexpr (is_plain) {
      PlainTerm<Real> plain_terms[FormCall::term_count];
      action(call, operation, plainForm<Real>(shape, form, checked, plain_terms), options);
    } else {
      if constexpr (!std::is_void_v<LinearScalar>) {
        const auto acting = [&](const auto& how) {
          return [&](const FormDescription& part) {
            CheckedTerm checked_part[FormCall::term_count];
            PlainTerm<LinearScalar> plain_terms[FormCall::term_count];
            const FormShape of_part = checkForm(function, part, checked_part);
            how(call, operation, plainForm<LinearScalar>(of_part, part, checked_part, plain_terms),
                options);
          };
        };
        // A launch on a device takes as long as a thousand times the sums. Several vectors have no
        // other way.
        const double least_flops = has_several ? 0 : is_host_space<Space> ? 5e3 : 1e6;
        const auto runsInParts = [&] {
          const PartsOfCall parts;
          return forEachFormComponent(form, shape, least_flops, acting(ValidateOnly()),
                                      acting(action));
        };
        if (runsInParts()) return;
      }
      if (has_several) {
        refuse(
            function,
            "output and vector have the last index of several vectors: these need scalars that "
            "are all float or all double, or an output whose derivatives are those of the vector "
            "or of coefficients (of both parameters of elasticity), at most 8 terms, and signs "
            "that are no functions");
      }
      action(call, operation, typedForm(function, call, shape, form, checked), options);
    }
  });
}

/// Element matrices, element vectors, matrix-free products, or factors:
/// (space,) output, (vector,) geometry, terms (, sumInto) (, options)
template <class DeviceType, FormKind kind, class Action, class... Arguments>
void integrateForm(Operation operation, const Action& action, const Arguments&... arguments) {
  const FormCall<DeviceType, kind, Arguments...> call(arguments...);
  using Real = typename std::decay_t<decltype(call.out())>::non_const_value_type;
  constexpr bool is_plain = is_plain_call<Real, Arguments...>;
  using Out = std::decay_t<decltype(call.outOperand())>;
  static_assert(!is_scattered<Out> || (kind == FormKind::Matrices) == is_scattered_by_plan<Out>,
                "Kontract: matrices() scatters by a ScatterPlan, vectors() and apply() by "
                "CellNumbers");
  static_assert(kind != FormKind::Factors || is_array<Out>,
                "Kontract: the output of factors() is a Kokkos::View or a Kokkos::DynRankView");
  static_assert(is_plain || !(has_shared_array<std::decay_t<Arguments>> || ...),
                "Kontract: a form whose output is scattered() or oriented(), or which gathers, has "
                "scalars that are all float or all double, at most 8 terms, and signs that are no "
                "functions");
  using LinearScalar =
      typename LinearScalarOf<std::decay_t<decltype(call.out())>, std::decay_t<Arguments>...>::type;
  actOnForm<is_plain, LinearScalar>(operation, call, action,
                                    std::make_index_sequence<decltype(call)::term_count>());
}

}  // namespace Impl
}  // namespace Kontract

#endif
