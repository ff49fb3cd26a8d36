// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_PlainForm.hpp"

namespace Kontract {
namespace Impl {
namespace {

template <class Real>
PlainArray<Real> arrayOf(const ArrayDescription& array, const FormArgument& argument) {
  PlainArray<Real> plain;
  if (array.isOfNothing()) return plain;
  const FormStrides strides = stridesOf(array, argument.pattern);
  plain.data = reinterpret_cast<const Real*>(array.address);
  plain.cell = strides.cell;
  plain.field = strides.field;
  plain.point = strides.point;
  plain.row = strides.row;
  plain.column = strides.column;
  plain.is_there = true;
  return plain;
}

/// An array that cells share, by the numbers of fields.
template <class Real>
PlainArray<Real> arrayOf(const SharedDescription& shared) {
  const ArrayDescription& array = shared.array;
  PlainArray<Real> plain;
  plain.data = reinterpret_cast<const Real*>(array.address);
  plain.field = array.strides[0];
  plain.row = array.rank > 1 ? array.strides[1] : 0;  // of nodes, coordinates
  plain.is_there = true;
  return plain;
}

/// From one of several vectors to the next: the last index of an array, or the columns of one that
/// cells share.
std::int64_t fromVectorToVector(const ArrayDescription& own, const SharedDescription& shared) {
  const ArrayDescription& array = shared.is_there ? shared.array : own;
  return array.rank == (shared.is_there ? 2 : 3) ? array.strides[array.rank - 1] : 0;
}

template <class Real>
PlainTable<Real> plainTable(const ArrayDescription& table) {
  return {reinterpret_cast<const Real*>(table.address), table.strides[0], table.strides[1]};
}

template <class Real>
PlainValues<Real> valuesOf(const ValuesDescription& of, const FormArgument& argument) {
  PlainValues<Real> values;
  if (of.basis == nullptr) {
    static_cast<PlainArray<Real>&>(values) = arrayOf<Real>(of.array, argument);
    return values;
  }
  const BasisDescription& basis = *of.basis;
  values.directions = basis.directions;
  values.families = familiesOf(basis, of.of_basis);
  for (int d = 0; d < basis.directions; ++d) {
    PlainDirection<Real>& direction = values.direction[d];
    direction.functions = basis.values[d].extents[0];
    direction.points = basis.values[d].extents[1];
    direction.values = plainTable<Real>(basis.values[d]);
    direction.derivatives = plainTable<Real>(basis.derivatives[d]);
    if (!basis.is_of_vectors) continue;
    direction.open_functions = basis.open[d].extents[0];
    direction.open_values = plainTable<Real>(basis.open[d]);
  }
  return values;
}

FieldOperators operatorsOf(const OperatorsDescription& of, int components) {
  FieldOperators operators = of.operators;
  operators.components = components;
  operators.matrices.components = components;
  return operators;
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
  if (call.kind == FormKind::Products) {
    form.out_column = 0;
    form.next_out = fromVectorToVector(call.out, call.shared_out);
    form.next_vector = fromVectorToVector(call.vector, call.shared_vector);
  }
  if (call.shared_out.is_there) {
    form.out = reinterpret_cast<Real*>(call.shared_out.array.address);
    form.scatter = call.shared_out.scatter;
  }
  form.mapping = call.shared_mapping.is_there ? arrayOf<Real>(call.shared_mapping)
                                              : arrayOf<Real>(call.mapping, call.mappingArgument());
  form.node_numbers = call.shared_mapping.numbers;
  form.gradients = arrayOf<Real>(call.gradients, FormArguments::gradients);
  form.weights = arrayOf<Real>(call.weights, call.weightsArgument());
  form.normals = arrayOf<Real>(call.normals, FormArguments::normals);
  form.vector = call.shared_vector.is_there ? arrayOf<Real>(call.shared_vector)
                                            : arrayOf<Real>(call.vector, FormArguments::vector);
  form.vector_numbers = call.shared_vector.numbers;
  form.expanded_out = call.shared_out.expanded;
  form.expanded_vector = call.shared_vector.expanded;
  form.left_operators = operatorsOf(call.left_operators, shape.left_blocks);
  form.right_operators = operatorsOf(call.right_operators, shape.right_blocks);
  form.vector_operators = operatorsOf(call.vector_operators, shape.right_blocks);
  form.terms = terms;
  for (int t = 0; t < call.term_count; ++t) {
    const TermDescription& of = call.terms[t];
    PlainTerm<Real>& term = terms[t];
    static_cast<FormTermShape&>(term) = checked[t];
    term.left = valuesOf<Real>(of.left, checked[t].left);
    term.right = valuesOf<Real>(of.right, checked[t].right);
    term.coefficient = arrayOf<Real>(of.coefficient, checked[t].coefficient);
    term.second = arrayOf<Real>(of.second, FormArguments::second);
    term.left_signs = arrayOf<Real>(of.left_signs, FormArguments::left_signs);
    term.right_signs = arrayOf<Real>(of.right_signs, FormArguments::right_signs);
  }
  return form;
}

namespace {

template <class Real>
void advance(PlainArray<Real>& array, std::int64_t cells) {
  if (array.data != nullptr) array.data += cells * array.cell;
}
/// \param numbers  of an array that cells share, in the place of cells of its own
template <class Real>
void advance(PlainArray<Real>& array, NumberTable& numbers, std::int64_t cells) {
  if (!numbers.is_there) return advance(array, cells);
  if (numbers.data != nullptr) numbers.data += cells * numbers.fields;
}
void advance(FieldOperators& operators, std::int64_t cells) {
  if (operators.starts != nullptr) operators.starts += cells;
  if (operators.matrices.kinds != nullptr) operators.matrices.kinds += cells;
}
void advance(Scatter& scatter, std::int64_t cells, std::int64_t entries) {
  if (scatter.rows.data != nullptr) scatter.rows.data += cells * scatter.rows.fields;
  if (scatter.offsets != nullptr) {
    scatter.offsets =
        static_cast<const char*>(scatter.offsets) + cells * entries * scatter.offset_bytes;
  }
  scatter.first_cell += cells;
}

}  // namespace

template <class Real>
PlainForm<Real> cellsOf(const PlainForm<Real>& form, std::int64_t first, std::int64_t count,
                        PlainTerm<Real>* terms) {
  PlainForm<Real> part = form;
  part.cells = count;
  const double share = form.cells > 0 ? double(count) / double(form.cells) : 1;
  part.flops *= share;
  part.bytes *= share;
  if (!form.scatter.is_there && form.out != nullptr) part.out += first * form.out_cell;
  advance(part.scatter, first, form.cells > 0 ? form.outputs() / form.cells : 0);
  advance(part.mapping, part.node_numbers, first);
  advance(part.vector, part.vector_numbers, first);
  for (PlainArray<Real>* array : {&part.gradients, &part.weights, &part.normals}) {
    advance(*array, first);
  }
  for (FieldOperators* of : {&part.left_operators, &part.right_operators, &part.vector_operators}) {
    advance(*of, first);
  }
  part.expanded_out.first_cell += first;
  part.expanded_vector.first_cell += first;
  part.terms = terms;
  for (int t = 0; t < form.term_count; ++t) {
    terms[t] = form.terms[t];
    for (PlainArray<Real>* array :
         {static_cast<PlainArray<Real>*>(&terms[t].left),
          static_cast<PlainArray<Real>*>(&terms[t].right), &terms[t].coefficient, &terms[t].second,
          &terms[t].left_signs, &terms[t].right_signs}) {
      advance(*array, first);
    }
  }
  return part;
}

template PlainForm<float> cellsOf(const PlainForm<float>&, std::int64_t, std::int64_t,
                                  PlainTerm<float>*);
template PlainForm<double> cellsOf(const PlainForm<double>&, std::int64_t, std::int64_t,
                                   PlainTerm<double>*);
template PlainForm<float> plainForm(const FormShape&, const FormDescription&, const CheckedTerm*,
                                    PlainTerm<float>*);
template PlainForm<double> plainForm(const FormShape&, const FormDescription&, const CheckedTerm*,
                                     PlainTerm<double>*);

}  // namespace Impl
}  // namespace Kontract
