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

  /// \param term  that the array belongs to, from 1 on; 0 if to none
  template <class View>
  auto array(const View& view, const ArrayDescription& of, const FormArgument& argument,
             int term = 0) const {
    const auto elements = accessor(view, Argument{argument.name, &of, argument.pattern, term});
    return FormArray<std::decay_t<decltype(elements)>>{elements, stridesOf(of, argument.pattern)};
  }
  NoFormArray array(const NoView&, const ArrayDescription&, const FormArgument&, int = 0) const {
    return {};
  }

  template <class View>
  auto values(const View& view, const ValuesDescription& of, const FormArgument& argument,
              int term) const {
    return array(view, of.array, argument, term);
  }
  template <class V, class G>
  auto values(const TensorBasis<V, G>& basis, const ValuesDescription& of,
              const FormArgument& argument, int term) const {
    const BasisDescription& described = *of.basis;
    using Values = decltype(table(basis.values[0], described.values[0], argument, term).elements);
    using Derivatives =
        decltype(table(basis.derivatives[0], described.derivatives[0], argument, term).elements);
    FormBasis<Values, Derivatives> result{};
    result.dimension = basis.dimension;
    result.families = familiesOf(described, of.of_basis);
    for (int d = 0; d < basis.dimension; ++d) {
      result.functions[d] = static_cast<int>(described.values[d].extents[0]);
      result.points[d] = static_cast<int>(described.values[d].extents[1]);
      result.values[d] = table(basis.values[d], described.values[d], argument, term);
      result.derivatives[d] = table(basis.derivatives[d], described.derivatives[d], argument, term);
    }
    return result;
  }
  template <class V, class G>
  auto values(const VectorTensorBasis<V, G>& basis, const ValuesDescription& of,
              const FormArgument& argument, int term) const {
    auto result = values(basis.closed, of, argument, term);
    const BasisDescription& described = *of.basis;
    for (int d = 0; d < described.directions; ++d) {
      result.open_functions[d] = static_cast<int>(described.open[d].extents[0]);
      result.open_values[d] = table(basis.open[d], described.open[d], argument, term);
    }
    return result;
  }

  template <class Signs>
  auto signs(const Signs& given, const ArrayDescription& of, const FormArgument& argument,
             int term) const {
    if constexpr (is_sign_function<Signs>) {
      return SignFunction<Signs>{given};
    } else {
      return array(given, of, argument, term);
    }
  }

 private:
  template <class View>
  auto table(const View& view, const ArrayDescription& of, const FormArgument& argument,
             int term) const {
    const auto elements = accessor(view, Argument{argument.name, &of, {}, term});
    return BasisTable<std::decay_t<decltype(elements)>>{elements, of.strides[0], of.strides[1]};
  }

  const char* _function;
};

/// \param number  of the term, from 1 on
template <class L, class R, class A, class B, class SL, class SR>
auto typedTerm(const TypedArrays& arrays, const Term<L, R, A, B, SL, SR>& term,
               const TermDescription& of, const CheckedTerm& checked, int number) {
  const auto left = arrays.values(term.left, of.left, checked.left, number);
  const auto right = arrays.values(term.right, of.right, checked.right, number);
  const auto a = arrays.array(term.coefficient, of.coefficient, checked.coefficient, number);
  const auto b = arrays.array(term.second, of.second, FormArguments::second, number);
  const auto left_signs =
      arrays.signs(term.left_signs, of.left_signs, FormArguments::left_signs, number);
  const auto right_signs =
      arrays.signs(term.right_signs, of.right_signs, FormArguments::right_signs, number);
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
    const auto first = typedTerm(arrays, call.template term<i>(), of.terms[i], checked[i], i + 1);
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
  const auto mapping = arrays.array(geometry.mapping, of.mapping, of.mappingArgument());
  const auto gradients = arrays.array(geometry.gradients, of.gradients, FormArguments::gradients);
  const auto weights = arrays.array(geometry.weights, of.weights, of.weightsArgument());
  const auto normals = arrays.array(geometry.normals, of.normals, FormArguments::normals);
  const auto vector = [&] {
    if constexpr (FormCall::kind == FormKind::Products) {
      return arrays.array(call.vector(), of.vector, FormArguments::vector);
    } else {
      return NoFormArray();
    }
  }();
  const auto terms = typedTerms<0>(arrays, call, of, checked);
  const FormStrides out_strides{of.out.strides[0], 0, 0, of.out.strides[1],
                                of.out.rank > 2 ? of.out.strides[2] : 0};
  return FormProblem<FormCall::kind, std::decay_t<decltype(out)>, std::decay_t<decltype(mapping)>,
                     std::decay_t<decltype(gradients)>, std::decay_t<decltype(weights)>,
                     std::decay_t<decltype(vector)>, std::decay_t<decltype(terms)>, NoFormArray,
                     NoFormArray, NoScatter, std::decay_t<decltype(normals)>>{
      shape, out, out_strides, mapping, gradients, weights, vector, terms, {}, {}, {}, normals};
}

}  // namespace Impl
}  // namespace Kontract

#endif
