// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TYPEDFORM_HPP
#define KONTRACT_TYPEDFORM_HPP

#include <string>

#include "Kontract_DescribeForm.hpp"
#include "detail/problem/Kontract_ArgumentChecker.hpp"
#include "detail/problem/Kontract_FormProblem.hpp"
#include "detail/support/Kontract_Error.hpp"

namespace Kontract {
namespace Impl {

// The problem of a checked call whose scalars are Fads, or of several types.

/// Makes arrays of a problem out of views, whose elements have to be had as references.
class TypedArrays {
 public:
  explicit TypedArrays(const char* function) : _function(function) {}

  template <bool is_input = true, class View>
  auto accessor(const View& view, const Argument& argument) const {
    const auto elements = accessorOf<is_input>(view, *argument.array);
    const std::string why = whyNoReferences(elements);
    if (!why.empty()) refuse(_function, argument.text() + " and " + why);
    return elements;
  }

  template <class View>
  auto array(const View& view, const Argument& argument) const {
    const auto elements = accessor(view, argument);
    return FormArray<std::decay_t<decltype(elements)>>{
        elements, stridesOf(*argument.array, argument.pattern.c_str())};
  }
  NoFormArray array(const NoView&, const Argument&) const { return {}; }

  template <class View>
  auto values(const View& view, const ValuesDescription& of, const Argument& argument) const {
    return array(view, Argument{argument.name, &of.array, argument.pattern, argument.term});
  }
  template <class V, class G>
  auto values(const TensorBasis<V, G>& basis, const ValuesDescription& of,
              const Argument& argument) const {
    const auto table = [&](const auto& view, const ArrayDescription& array) {
      const auto elements = accessor(view, Argument{argument.name, &array, {}, argument.term});
      return BasisTable<std::decay_t<decltype(elements)>>{elements, array.strides[0],
                                                          array.strides[1]};
    };
    using Values = decltype(accessor(basis.values[0], argument));
    using Derivatives = decltype(accessor(basis.derivatives[0], argument));
    FormBasis<Values, Derivatives> result{};
    result.dimension = basis.dimension;
    result.is_gradient = argument.pattern.size() == 3;
    for (int d = 0; d < basis.dimension; ++d) {
      result.functions[d] = static_cast<int>(of.basis->values[d].extents[0]);
      result.points[d] = static_cast<int>(of.basis->values[d].extents[1]);
      result.values[d] = table(basis.values[d], of.basis->values[d]);
      result.derivatives[d] = table(basis.derivatives[d], of.basis->derivatives[d]);
    }
    return result;
  }

  template <class Signs>
  auto signs(const Signs& given, const Argument& argument) const {
    if constexpr (is_sign_function<Signs>) {
      return SignFunction<Signs>{given};
    } else {
      return array(given, argument);
    }
  }

 private:
  const char* _function;
};

/// \param number  of the term, from 1 on
template <FormKind kind, class L, class R, class A, class B, class SL, class SR>
auto typedTerm(const TypedArrays& arrays, const Term<L, R, A, B, SL, SR>& term,
               const TermDescription& of, const CheckedTerm& checked, int number) {
  const auto argument = [&](const char* name, const ArrayDescription& array, const char* pattern) {
    return Argument{name, &array, pattern, number};
  };
  const auto left = arrays.values(term.left, of.left,
                                  argument("left values", of.left.array, checked.left_pattern));
  const auto right = arrays.values(term.right, of.right,
                                   argument("right values", of.right.array, checked.right_pattern));
  const auto a = arrays.array(term.coefficient, argument(coefficientName(kind), of.coefficient,
                                                         checked.coefficient_pattern));
  const auto b =
      arrays.array(term.second, argument("second coefficient", of.second, FormPatterns::second));
  const auto left_signs = arrays.signs(
      term.left_signs, argument("left signs", of.left_signs, FormPatterns::left_signs));
  const auto right_signs = arrays.signs(
      term.right_signs, argument("right signs", of.right_signs, FormPatterns::right_signs));
  return FormTerm<std::decay_t<decltype(left)>, std::decay_t<decltype(right)>,
                  std::decay_t<decltype(a)>, std::decay_t<decltype(b)>,
                  std::decay_t<decltype(left_signs)>, std::decay_t<decltype(right_signs)>>{
      checked, left, right, a, b, left_signs, right_signs};
}

template <int i, class FormCall>
auto typedTerms(const TypedArrays& arrays, const FormCall& call, const FormDescription& of,
                const CheckedTerm* checked) {
  if constexpr (i == FormCall::term_count) {
    return TermList<>();
  } else {
    const auto first =
        typedTerm<FormCall::kind>(arrays, call.template term<i>(), of.terms[i], checked[i], i + 1);
    const auto rest = typedTerms<i + 1>(arrays, call, of, checked);
    return prepended(first, rest);
  }
}

template <class FormCall>
auto typedForm(const char* function, const FormCall& call, const FormShape& shape,
               const FormDescription& of, const CheckedTerm* checked) {
  const TypedArrays arrays(function);
  const auto& geometry = call.geometry();
  const Argument output{"output", &of.out};
  const auto out = arrays.template accessor<false>(call.out(), output);
  const auto mapping = arrays.array(
      geometry.mapping, Argument{of.has_nodes ? "nodes" : "jacobians", &of.mapping,
                                 of.has_nodes ? FormPatterns::nodes : FormPatterns::jacobians});
  const auto gradients = arrays.array(
      geometry.gradients, Argument{"gradients of nodes", &of.gradients, FormPatterns::gradients});
  const auto weights = arrays.array(
      geometry.weights,
      Argument{shape.weights_are_measures ? "measures" : "weights", &of.weights,
               shape.weights_are_measures ? FormPatterns::measures : FormPatterns::weights});
  const auto vector = [&] {
    if constexpr (FormCall::kind == FormKind::Products) {
      return arrays.array(call.vector(), Argument{"vector", &of.vector, FormPatterns::vector});
    } else {
      return NoFormArray();
    }
  }();
  const auto terms = typedTerms<0>(arrays, call, of, checked);
  const FormStrides out_strides{of.out.strides[0], 0, 0, of.out.strides[1],
                                of.out.rank > 2 ? of.out.strides[2] : 0};
  return FormProblem<FormCall::kind, std::decay_t<decltype(out)>, std::decay_t<decltype(mapping)>,
                     std::decay_t<decltype(gradients)>, std::decay_t<decltype(weights)>,
                     std::decay_t<decltype(vector)>, std::decay_t<decltype(terms)>>{
      shape, out, out_strides, mapping, gradients, weights, vector, terms, {}, {}};
}

}  // namespace Impl
}  // namespace Kontract

#endif
