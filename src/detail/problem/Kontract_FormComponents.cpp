// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FormComponents.hpp"

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
};

Moving movingOf(const FormDescription& form) {
  Moving moving;
  moving.vector = moves(form.vector);
  moving.can_be_taken_apart = !form.out.has_lost_stride && !form.vector.has_lost_stride;
  for (int t = 0; t < form.term_count; ++t) {
    const ArrayDescription &first = form.terms[t].coefficient, &second = form.terms[t].second;
    moving.coefficients = moving.coefficients || moves(form.terms[t]);
    const bool has_one_constant = !second.isOfNothing() && moves(first) != moves(second);
    const bool is_lost =
        (moves(first) && first.has_lost_stride) || (moves(second) && second.has_lost_stride);
    if (has_one_constant || is_lost) moving.can_be_taken_apart = false;
  }
  return moving;
}

}  // namespace

bool forEachFormComponent(const FormDescription& form,
                          const std::function<void(const FormDescription&)>& f) {
  const Moving moving = movingOf(form);
  const bool has_derivatives = moves(form.out) && (moving.coefficients || moving.vector);
  if (!has_derivatives || !moving.can_be_taken_apart) return false;
  for (int d = 0; d < int(form.out.derivatives); ++d) {
    if (moving.coefficients) callWith(form, {d, d, value}, form.sum_into, f);
    if (moving.vector) {
      callWith(form, {d, value, d}, form.sum_into || moving.coefficients, f);
    }
  }
  callWith(form, {value, value, value}, form.sum_into, f);
  return true;
}

}  // namespace Impl
}  // namespace Kontract
