// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_PLAINFORMKERNEL_HPP
#define KONTRACT_PLAINFORMKERNEL_HPP

#include <algorithm>
#include <type_traits>

#include "detail/problem/Kontract_FormProblem.hpp"
#include "detail/problem/Kontract_PlainForm.hpp"

namespace Kontract {
namespace Impl {

// A PlainForm as portable kernels take it: as few bytes as a kernel's arguments have room for.

template <class T>
void take(const PlainArray<T>& from, FormArray<Accessor<const T>>& to) {
  to.elements.data = from.is_there ? from.data : nullptr;
  to.strides = {from.cell, from.field, from.point, from.row, from.column};
}
template <class T>
void take(const PlainArray<T>&, NoFormArray&) {}

template <class T>
void take(const PlainArray<T>& from, const NumberTable& numbers, NumberedFormArray<T>& to) {
  take(from, to);
  to.numbers = numbers.data;
  to.fields = numbers.fields;
}
template <class T>
void take(const PlainArray<T>& from, const NumberTable& numbers, OptionalNumberedArray<T>& to) {
  take(from, numbers, static_cast<NumberedFormArray<T>&>(to));
}
template <class T, class Array>
void take(const PlainArray<T>& from, const NumberTable&, Array& to) {
  take(from, to);
}

template <class T>
void take(const PlainValues<T>& from, FormBasis<Accessor<const T>>& to) {
  to.dimension = from.directions;
  to.families = from.families;
  for (int d = 0; d < from.directions; ++d) {
    const PlainDirection<T>& direction = from.direction[d];
    to.functions[d] = static_cast<int>(direction.functions);
    to.open_functions[d] = static_cast<int>(direction.open_functions);
    to.points[d] = static_cast<int>(direction.points);
    const auto table = [](const PlainTable<T>& of) {
      return BasisTable<Accessor<const T>>{{of.data}, of.field, of.point};
    };
    to.values[d] = table(direction.values);
    to.derivatives[d] = table(direction.derivatives);
    to.open_values[d] = table(direction.open_values);
  }
}
template <class T>
void take(const PlainValues<T>& from, FormValues<T>& to) {
  take(static_cast<const PlainArray<T>&>(from), to.array);
  take(from, to.basis);
}

template <bool is_there, class T>
using FormArrayIf = std::conditional_t<is_there, T, NoFormArray>;

// What a kernel for PlainForms is compiled for. What it need not look for leaves devices registers
// for sums.

/// What cells are known by; Any: kernels ask.
enum class FormMapping { None, Jacobians, Nodes, Any };

/// What coefficients terms have: none, one each, two each; or each term has its own.
enum class FormCoefficients { None, One, Two, Any };

/// \tparam most   terms; 1 and 2: exactly
/// \tparam signs  there may be signs of fields
/// \tparam of_space  AnyCells, or UsualCells
template <class of_values, int most, FormMapping of_cells, FormCoefficients of_terms,
          bool signs = true, class of_space = UsualCells>
struct FormVariant {
  using Values = of_values;
  using Cells = of_space;
  static constexpr int most_terms = most;
  static constexpr FormMapping mapping = of_cells;
  static constexpr FormCoefficients coefficients = of_terms;
  static constexpr bool may_have_signs = signs;
};

/// Terms of a form, one after another, that a kernel computes at a time.
struct FormTerms {
  int first, count;
};

template <FormKind kind, class Variant, class T>
auto kernelForm(const PlainForm<T>& form, const FormTerms& terms) {
  using Array = FormArray<Accessor<const T>>;
  using Values = typename Variant::Values;
  constexpr bool has_right = kind != FormKind::Vectors, has_vector = kind == FormKind::Products;
  constexpr bool has_mapping = Variant::mapping != FormMapping::None;
  constexpr bool has_nodes = Variant::mapping == FormMapping::Nodes;
  constexpr auto coefficients = Variant::coefficients;
  constexpr bool is_any = coefficients == FormCoefficients::Any;
  constexpr bool has_first = coefficients != FormCoefficients::None;
  constexpr bool has_second = has_right && (is_any || coefficients == FormCoefficients::Two);
  using Coefficient = std::conditional_t<is_any, OptionalFormArray<T>, Array>;
  using Signs = FormArrayIf<Variant::may_have_signs, OptionalFormArray<T>>;
  using Term = FormTerm<Values, FormArrayIf<has_right, Values>, FormArrayIf<has_first, Coefficient>,
                        FormArrayIf<has_second, Coefficient>, NoFormArray, NoFormArray>;
  constexpr bool asks = Variant::mapping == FormMapping::Any;
  using Nodes = std::conditional_t<has_nodes, NumberedFormArray<T>, Array>;
  using Mapping = std::conditional_t<asks, OptionalNumberedArray<T>, Nodes>;
  using Gradients = std::conditional_t<asks, OptionalFormArray<T>, Array>;
  using Weights = std::conditional_t<has_mapping && !asks, Array, OptionalFormArray<T>>;
  using Cells = typename Variant::Cells;
  using Normals = FormArrayIf<has_mapping && !Cells::are_usual, OptionalFormArray<T>>;
  FormProblem<kind, Accessor<T>, FormArrayIf<has_mapping, Mapping>,
              FormArrayIf<has_nodes || asks, Gradients>, Weights,
              FormArrayIf<has_vector, NumberedFormArray<T>>, TermArray<Term, Variant::most_terms>,
              Signs, FormArrayIf<has_right, Signs>, ScatterTarget, Normals, Cells>
      problem{};
  problem.shape = form;
  problem.shape.sum_into = form.sum_into || terms.first > 0;
  problem.out.data = form.out;
  problem.out_strides = {form.out_cell, 0, 0, form.out_row, form.out_column};
  take(form.mapping, form.node_numbers, problem.mapping);
  take(form.gradients, problem.gradients);
  take(form.weights, problem.weights);
  take(form.normals, problem.normals);
  take(form.vector, form.vector_numbers, problem.vector);
  problem.scatter.to = form.scatter;
  take(form.terms[terms.first].left_signs, problem.left_signs);
  take(form.terms[terms.first].right_signs, problem.right_signs);
  problem.terms.count = terms.count;
  for (int t = 0; t < terms.count; ++t) {
    const PlainTerm<T>& from = form.terms[terms.first + t];
    Term& to = problem.terms.terms[t];
    static_cast<FormTermShape&>(to) = from;
    take(from.left, to.left);
    take(from.right, to.right);
    take(from.coefficient, to.coefficient);
    take(from.second, to.second);
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
bool hasSigns(const PlainTerm<T>& term) {
  return term.left_signs.is_there || term.right_signs.is_there;
}

/// What coefficients some terms have.
template <class T>
FormCoefficients coefficientsOf(const PlainForm<T>& form, const FormTerms& terms) {
  const auto of = [](CoefficientKind kind) {
    switch (kind) {
      case CoefficientKind::None: return FormCoefficients::None;
      case CoefficientKind::Elastic: return FormCoefficients::Two;
      default: return FormCoefficients::One;
    }
  };
  const FormCoefficients first = of(form.terms[terms.first].kind);
  for (int t = 1; t < terms.count; ++t) {
    if (of(form.terms[terms.first + t].kind) != first) return FormCoefficients::Any;
  }
  return first;
}

/// Calls f(variant) for cells known in one way with the least one that has what some terms need.
/// \tparam most  terms of the largest variant
/// \tparam has_small_ones  others are compiled, too, where values are arrays; of products, whose
///   signs stand in their innermost loops, without signs
template <FormKind kind, class Values, int most, bool has_small_ones, FormMapping mapping, class T,
          class F>
void withVariant(const PlainForm<T>& form, const FormTerms& terms, const F& f) {
  using C = FormCoefficients;
  constexpr bool signs = kind != FormKind::Products;
  if constexpr (has_small_ones && mapping != FormMapping::None) {
    const bool is_usual = !form.is_side && form.space_dimension <= form.dimension;
    const bool is_small = is_usual && (signs || !hasSigns(form.terms[terms.first]));
    if (is_small && terms.count == 1) {
      switch (coefficientsOf(form, terms)) {
        case C::None: return f(FormVariant<Values, 1, mapping, C::None, signs>());
        case C::One: return f(FormVariant<Values, 1, mapping, C::One, signs>());
        default: return f(FormVariant<Values, 1, mapping, C::Two, signs>());
      }
    }
    if constexpr (mapping == FormMapping::Jacobians) {
      if (is_small && terms.count == 2) {
        return f(FormVariant<Values, 2, mapping, C::Any, signs>());
      }
    }
    if (is_usual) return f(FormVariant<Values, most, mapping, C::Any>());
  }
  using Cells = std::conditional_t<mapping == FormMapping::None, UsualCells, AnyCells>;
  f(FormVariant<Values, most, mapping, C::Any, true, Cells>());
}

/// Calls f(constant<FormMapping>) with what the cells of a form are known by.
template <class T, class F>
void withMapping(const PlainForm<T>& form, const F& f) {
  if (!form.has_mapping) {
    f(std::integral_constant<FormMapping, FormMapping::None>());
  } else if (form.gradients.is_there) {
    f(std::integral_constant<FormMapping, FormMapping::Nodes>());
  } else {
    f(std::integral_constant<FormMapping, FormMapping::Jacobians>());
  }
}

template <FormKind kind, class Values, int most, bool has_small_ones, class T, class F>
void withVariant(const PlainForm<T>& form, const FormTerms& terms, const F& f) {
  withMapping(form, [&](auto mapping) {
    withVariant<kind, Values, most, has_small_ones, decltype(mapping)::value>(form, terms, f);
  });
}

template <class T>
bool haveSameSigns(const PlainTerm<T>& a, const PlainTerm<T>& b) {
  const auto is_same = [](const PlainArray<T>& x, const PlainArray<T>& y) {
    return x.data == y.data && x.cell == y.cell && x.field == y.field;
  };
  return is_same(a.left_signs, b.left_signs) && is_same(a.right_signs, b.right_signs);
}

/// Calls f(terms) with the terms of a form, as many at a time as have the same signs, and no more
/// than a kernel's arguments have room for.
template <class T, class F>
void forEachTerms(const PlainForm<T>& form, int most, const F& f) {
  for (FormTerms terms{0, 0}; terms.first < form.term_count; terms.first += terms.count) {
    const auto fits = [&](int term) {
      return term < form.term_count && term - terms.first < most &&
             haveSameSigns(form.terms[terms.first], form.terms[term]);
    };
    for (terms.count = 1; fits(terms.first + terms.count);) ++terms.count;
    f(terms);
  }
}

/// Calls f(problem) with those terms.
template <FormKind kind, class Values, int most, bool has_small_ones, class T, class F>
void forEachKernelForm(const PlainForm<T>& form, const F& f) {
  forEachTerms(form, most, [&](const FormTerms& terms) {
    withVariant<kind, Values, most, has_small_ones>(
        form, terms, [&](auto variant) { f(kernelForm<kind, decltype(variant)>(form, terms)); });
  });
}

/// The same with one variant, whose kernels ask what cells are known by and what terms have: fewer
/// to compile, for algorithms that need not be the fastest.
template <FormKind kind, class Values, int most, class T, class F>
void forEachSharedKernelForm(const PlainForm<T>& form, const F& f) {
  using Variant =
      FormVariant<Values, most, FormMapping::Any, FormCoefficients::Any, true, AnyCells>;
  forEachTerms(form, most,
               [&](const FormTerms& terms) { f(kernelForm<kind, Variant>(form, terms)); });
}

}  // namespace Impl
}  // namespace Kontract

#endif
