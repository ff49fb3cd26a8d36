// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_PLAINFORMKERNEL_HPP
#define KONTRACT_PLAINFORMKERNEL_HPP

#include <algorithm>
#include <type_traits>

#include "detail/kernels/host_simd/common/Kontract_PlainForm.hpp"
#include "detail/problem/Kontract_FormProblem.hpp"

namespace Kontract {
namespace Impl {

// A PlainForm as portable kernels take it: as few bytes as a kernel's arguments have room for.

template <class T>
OptionalFormArray<T> formArray(const HostTensor<T>& array) {
  OptionalFormArray<T> result;
  result.elements.data = array.is_there ? array.data : nullptr;
  result.strides = {array.cell, array.field, array.point, array.row, array.column};
  return result;
}

template <class T>
void takeValues(const HostValues<T>& from, OptionalFormArray<T>& to) {
  to = formArray<T>(from);
}
template <class T>
void takeValues(const HostValues<T>& from, FormValues<T>& to) {
  to.array = formArray<T>(from);
  to.basis.dimension = from.directions;
  to.basis.is_gradient = from.is_gradient;
  for (int d = 0; d < from.directions; ++d) {
    const HostDirection<T>& direction = from.direction[d];
    to.basis.functions[d] = static_cast<int>(direction.functions);
    to.basis.points[d] = static_cast<int>(direction.points);
    const auto table = [](const HostTensor<T>& of) {
      return BasisTable<Accessor<const T>>{{of.data}, of.field, of.point};
    };
    to.basis.values[d] = table(direction.values);
    to.basis.derivatives[d] = table(direction.derivatives);
  }
}
template <class T>
void takeValues(const HostValues<T>&, NoFormArray&) {}

template <bool is_there, class T>
using FormArrayIf = std::conditional_t<is_there, T, NoFormArray>;

/// Terms from one of a form on, at most `most` of them.
template <FormKind kind, class Values, int most, class T>
auto kernelForm(const PlainForm<T>& form, int first) {
  using Array = OptionalFormArray<T>;
  constexpr bool has_right = kind != FormKind::Vectors, has_vector = kind == FormKind::Products;
  using OfRight = FormArrayIf<has_right, Array>;
  using Term = FormTerm<Values, FormArrayIf<has_right, Values>, Array, OfRight, Array, OfRight>;
  FormProblem<kind, Accessor<T>, Array, Array, Array, FormArrayIf<has_vector, Array>,
              TermArray<Term, most>>
      problem{};
  problem.shape = form;
  problem.shape.sum_into = form.sum_into || first > 0;
  problem.out.data = form.out;
  problem.out_strides = {form.out_cell, 0, 0, form.out_row, form.out_column};
  problem.mapping = formArray(form.mapping);
  problem.gradients = formArray(form.gradients);
  problem.weights = formArray(form.weights);
  if constexpr (has_vector) problem.vector = formArray(form.vector);
  problem.terms.count = std::min(most, form.term_count - first);
  for (int t = 0; t < problem.terms.count; ++t) {
    const HostTerm<T>& from = form.terms[first + t];
    Term& to = problem.terms.terms[t];
    static_cast<FormTermShape&>(to) = from;
    takeValues(from.left, to.left);
    takeValues(from.right, to.right);
    to.coefficient = formArray(from.coefficient);
    to.left_signs = formArray(from.left_signs);
    if constexpr (has_right) {
      to.second = formArray(from.second);
      to.right_signs = formArray(from.right_signs);
    }
  }
  return problem;
}

}  // namespace Impl
}  // namespace Kontract

#endif
