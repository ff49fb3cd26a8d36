// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FormComponents.hpp"

#include <algorithm>
#include <vector>

namespace Kontract {
namespace Impl {
namespace {

constexpr int value = -1;  ///< in the place of the number of a derivative

bool moves(const ArrayDescription& array) { return array.is_fad && array.derivatives > 0; }
bool moves(const TermDescription& term) { return moves(term.coefficient) || moves(term.second); }

/// A component of an array of Fads as an array of scalars, which their strides count already.
void takeComponent(ArrayDescription& array, int component) {
  if (!array.is_fad) return;
  const std::int64_t offset =
      component == value ? array.value_at : component * array.derivative_stride;
  if (array.address != 0) {
    array.address += static_cast<std::uintptr_t>(offset * array.unit_bytes);
  }
  array.is_fad = false;
  array.derivatives = 0;
}

/// Components that a form is made of.
struct Components {
  int out, coefficients, vector;
};

void callWith(const FormDescription& form, const Components& components, bool sum_into,
              const std::function<void(const FormDescription&)>& f) {
  FormDescription part = form;
  std::vector<TermDescription> terms;
  for (int t = 0; t < form.term_count; ++t) {
    // Derivatives of what does not move are zero.
    if (components.coefficients != value && !moves(form.terms[t])) continue;
    terms.push_back(form.terms[t]);
    takeComponent(terms.back().coefficient, components.coefficients);
    takeComponent(terms.back().second, components.coefficients);
  }
  part.terms = terms.data();
  part.term_count = static_cast<int>(terms.size());
  part.sum_into = sum_into;
  takeComponent(part.out, components.out);
  takeComponent(part.vector, components.vector);
  f(part);
}

/// What a form has derivatives of.
struct Moving {
  bool coefficients = false, vector = false, can_be_taken_apart = true;
  bool has_elasticity = false, elasticity_moves = false;
};

Moving movingOf(const FormDescription& form) {
  Moving moving;
  moving.vector = moves(form.vector);
  moving.can_be_taken_apart = !form.out.has_lost_stride && !form.vector.has_lost_stride;
  for (int t = 0; t < form.term_count; ++t) {
    const ArrayDescription &first = form.terms[t].coefficient, &second = form.terms[t].second;
    moving.coefficients = moving.coefficients || moves(form.terms[t]);
    if (form.terms[t].form.is_elastic) {
      moving.has_elasticity = true;
      moving.elasticity_moves = moving.elasticity_moves || moves(form.terms[t]);
    }
    const bool has_one_constant = !second.isOfNothing() && moves(first) != moves(second);
    const bool is_lost =
        (moves(first) && first.has_lost_stride) || (moves(second) && second.has_lost_stride);
    if (has_one_constant || is_lost) moving.can_be_taken_apart = false;
  }
  if (moving.coefficients && moving.has_elasticity && !moving.elasticity_moves) {
    moving.can_be_taken_apart = false;
  }
  return moving;
}

/// Whether a form has little to do with what it reads again for each component: loads of few fields
/// from arrays.
bool isLight(const FormDescription& form, const FormShape& shape) {
  constexpr int few_fields = 16;
  if (form.kind != FormKind::Vectors || shape.lefts >= few_fields) return false;
  return std::all_of(form.terms, form.terms + form.term_count,
                     [](const TermDescription& term) { return term.left.basis == nullptr; });
}

}  // namespace

bool forEachFormComponent(const FormDescription& form, const FormShape& shape, double least_flops,
                          const std::function<void(const FormDescription&)>& check,
                          const std::function<void(const FormDescription&)>& f) {
  const Moving moving = movingOf(form);
  const bool has_derivatives = moves(form.out);
  const bool is_moved = moving.coefficients || moving.vector;
  if (has_derivatives != is_moved || !moving.can_be_taken_apart) return false;
  const int kinds = moving.coefficients && moving.vector ? 2 : 1;
  if (shape.flops < kinds * least_flops || isLight(form, shape)) return false;
  const auto callWithDerivative = [&](int d, const auto& call) {
    if (moving.coefficients) callWith(form, {d, d, value}, form.sum_into, call);
    if (moving.vector) {
      callWith(form, {d, value, d}, form.sum_into || moving.coefficients, call);
    }
  };
  const auto callWithValue = [&](const auto& call) {
    callWith(form, {value, value, value}, form.sum_into, call);
  };
  if (has_derivatives) callWithDerivative(0, check);
  callWithValue(check);
  for (int d = 0; d < int(form.out.derivatives); ++d) callWithDerivative(d, f);
  callWithValue(f);
  return true;
}

}  // namespace Impl
}  // namespace Kontract
