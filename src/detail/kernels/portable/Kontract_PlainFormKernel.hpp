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

/// What a kernel for PlainForms is compiled for. What it need not look for leaves devices registers
/// for sums.
template <class of_values, int most, bool nodes, bool elastic>
struct FormVariant {
  using Values = of_values;
  static constexpr int most_terms = most;  ///< 1 and 2: exactly
  static constexpr bool has_nodes = nodes, is_elastic = elastic;
};

/// Terms of a form, one after another, that a kernel computes at a time.
struct FormTerms {
  int first, count;
};

template <FormKind kind, class Variant, class T>
auto kernelForm(const PlainForm<T>& form, const FormTerms& terms) {
  using Array = OptionalFormArray<T>;
  using Values = typename Variant::Values;
  constexpr bool has_right = kind != FormKind::Vectors, has_vector = kind == FormKind::Products;
  constexpr bool has_nodes = Variant::has_nodes, has_second = has_right && Variant::is_elastic;
  using Term = FormTerm<Values, FormArrayIf<has_right, Values>, Array,
                        FormArrayIf<has_second, Array>, NoFormArray, NoFormArray>;
  FormProblem<kind, Accessor<T>, Array, FormArrayIf<has_nodes, Array>, Array,
              FormArrayIf<has_vector, Array>, TermArray<Term, Variant::most_terms>, Array,
              FormArrayIf<has_right, Array>>
      problem{};
  problem.shape = form;
  problem.shape.sum_into = form.sum_into || terms.first > 0;
  problem.out.data = form.out;
  problem.out_strides = {form.out_cell, 0, 0, form.out_row, form.out_column};
  problem.mapping = formArray(form.mapping);
  if constexpr (has_nodes) problem.gradients = formArray(form.gradients);
  problem.weights = formArray(form.weights);
  if constexpr (has_vector) problem.vector = formArray(form.vector);
  problem.left_signs = formArray(form.terms[terms.first].left_signs);
  if constexpr (has_right) {
    problem.right_signs = formArray(form.terms[terms.first].right_signs);
  }
  problem.terms.count = terms.count;
  for (int t = 0; t < terms.count; ++t) {
    const HostTerm<T>& from = form.terms[terms.first + t];
    Term& to = problem.terms.terms[t];
    static_cast<FormTermShape&>(to) = from;
    takeValues(from.left, to.left);
    takeValues(from.right, to.right);
    to.coefficient = formArray(from.coefficient);
    if constexpr (has_second) to.second = formArray(from.second);
  }
  return problem;
}

/// Whether values of a form are of tensor-product bases.
template <class T>
bool hasBases(const PlainForm<T>& form) {
  for (int t = 0; t < form.term_count; ++t) {
    if (form.terms[t].left.directions > 0 || form.terms[t].right.directions > 0) return true;
  }
  return false;
}

template <class T>
bool hasElasticity(const PlainForm<T>& form, const FormTerms& terms) {
  for (int t = 0; t < terms.count; ++t) {
    if (form.terms[terms.first + t].kind == CoefficientKind::Elastic) return true;
  }
  return false;
}

/// Calls f(variant) with the least one that has what some terms need.
/// \tparam most  terms of the largest variant
template <class Values, int most, bool has_small_ones, class T, class F>
void withVariant(const PlainForm<T>& form, const FormTerms& terms, const F& f) {
  if constexpr (has_small_ones) {
    const bool has_nodes = form.gradients.is_there, is_elastic = hasElasticity(form, terms);
    if (terms.count == 1) {
      if (is_elastic) {
        return has_nodes ? f(FormVariant<Values, 1, true, true>())
                         : f(FormVariant<Values, 1, false, true>());
      }
      return has_nodes ? f(FormVariant<Values, 1, true, false>())
                       : f(FormVariant<Values, 1, false, false>());
    }
    if (terms.count == 2 && !has_nodes && !is_elastic) {
      return f(FormVariant<Values, 2, false, false>());
    }
  }
  f(FormVariant<Values, most, true, true>());
}

template <class T>
bool haveSameSigns(const HostTerm<T>& a, const HostTerm<T>& b) {
  const auto is_same = [](const HostTensor<T>& x, const HostTensor<T>& y) {
    return x.data == y.data && x.cell == y.cell && x.field == y.field;
  };
  return is_same(a.left_signs, b.left_signs) && is_same(a.right_signs, b.right_signs);
}

/// Calls f(problem) with the terms of a form, as many at a time as have the same signs and as a
/// kernel's arguments have room for.
template <FormKind kind, class Values, int most, bool has_small_ones, class T, class F>
void forEachKernelForm(const PlainForm<T>& form, const F& f) {
  for (FormTerms terms{0, 0}; terms.first < form.term_count; terms.first += terms.count) {
    const auto fits = [&](int term) {
      return term < form.term_count && term - terms.first < most &&
             haveSameSigns(form.terms[terms.first], form.terms[term]);
    };
    for (terms.count = 1; fits(terms.first + terms.count);) ++terms.count;
    withVariant<Values, most, has_small_ones>(
        form, terms, [&](auto variant) { f(kernelForm<kind, decltype(variant)>(form, terms)); });
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
