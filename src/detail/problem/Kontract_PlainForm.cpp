// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_PlainForm.hpp"

namespace Kontract {
namespace Impl {
namespace {

template <class Real>
PlainArray<Real> tensorOf(const ArrayDescription& array, const FormArgument& argument) {
  PlainArray<Real> tensor;
  if (array.isOfNothing()) return tensor;
  const FormStrides strides = stridesOf(array, argument.pattern);
  tensor.data = reinterpret_cast<const Real*>(array.address);
  tensor.cell = strides.cell;
  tensor.field = strides.field;
  tensor.point = strides.point;
  tensor.row = strides.row;
  tensor.column = strides.column;
  tensor.is_there = true;
  return tensor;
}

template <class Real>
PlainValues<Real> valuesOf(const ValuesDescription& of, const FormArgument& argument) {
  PlainValues<Real> values;
  if (of.basis == nullptr) {
    static_cast<PlainArray<Real>&>(values) = tensorOf<Real>(of.array, argument);
    return values;
  }
  const BasisDescription& basis = *of.basis;
  const FormArgument table{argument.name, FormArguments::table_pattern};
  values.directions = basis.directions;
  values.is_gradient = of.array.rank == 3;
  for (int d = 0; d < basis.directions; ++d) {
    values.direction[d] = {basis.values[d].extents[0], basis.values[d].extents[1],
                           tensorOf<Real>(basis.values[d], table),
                           tensorOf<Real>(basis.derivatives[d], table)};
  }
  return values;
}

}  // namespace

template <class Real>
PlainForm<Real> plainForm(const FormShape& shape, const FormDescription& call,
                          const CheckedTerm* checked, PlainTerm<Real>* terms) {
  PlainForm<Real> form;
  static_cast<FormShape&>(form) = shape;
  form.out = reinterpret_cast<Real*>(call.out.address);
  form.out_cell = call.out.strides[0];
  form.out_row = call.out.strides[1];
  form.out_column = call.out.rank > 2 ? call.out.strides[2] : 0;
  form.mapping = tensorOf<Real>(call.mapping, call.mappingArgument());
  form.gradients = tensorOf<Real>(call.gradients, FormArguments::gradients);
  form.weights = tensorOf<Real>(call.weights, call.weightsArgument());
  form.vector = tensorOf<Real>(call.vector, FormArguments::vector);
  form.terms = terms;
  for (int t = 0; t < call.term_count; ++t) {
    const TermDescription& of = call.terms[t];
    PlainTerm<Real>& term = terms[t];
    static_cast<FormTermShape&>(term) = checked[t];
    term.left = valuesOf<Real>(of.left, checked[t].left);
    term.right = valuesOf<Real>(of.right, checked[t].right);
    term.coefficient = tensorOf<Real>(of.coefficient, checked[t].coefficient);
    term.second = tensorOf<Real>(of.second, FormArguments::second);
    term.left_signs = tensorOf<Real>(of.left_signs, FormArguments::left_signs);
    term.right_signs = tensorOf<Real>(of.right_signs, FormArguments::right_signs);
  }
  return form;
}

template PlainForm<float> plainForm(const FormShape&, const FormDescription&, const CheckedTerm*,
                                    PlainTerm<float>*);
template PlainForm<double> plainForm(const FormShape&, const FormDescription&, const CheckedTerm*,
                                     PlainTerm<double>*);

}  // namespace Impl
}  // namespace Kontract
