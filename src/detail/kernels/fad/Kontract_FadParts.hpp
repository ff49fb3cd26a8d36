// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADPARTS_HPP
#define KONTRACT_FADPARTS_HPP

#include "Kontract_FadComponents.hpp"

namespace Kontract {
namespace Impl {

/// A component of a problem, that number of its products, as a problem of scalars.
template <class Shape, class S>
ScalarProblem<Shape, S> productOfScalars(const FadProblem<Shape, S>& problem,
                                         const FadComponent<S>& component, int number) {
  std::int64_t left = component.left, right = component.right;
  int next = 0;
  component.forEachProduct([&](std::int64_t of_left, std::int64_t of_right) {
    if (next++ == number) left = of_left, right = of_right;
  });
  return {problem.shape,
          {problem.out.derivatives + component.out},
          {problem.left.derivatives + left},
          {problem.right.derivatives + right}};
}

/// A level of a sum whose terms are the two products of a component.
template <class S>
SumLevel levelOfProducts(const FadComponent<S>& component) {
  return {2, component.left_value - component.left, component.right - component.right_value};
}

/// Calls f with the contractions of scalars that make component `number`, the value being the last
/// one: two products are one sum if its levels leave room for that. A derivative of constants is a
/// sum of nothing.
template <class S, class F>
void forEachPart(const FadProblem<ContractionShape, S>& problem, std::int64_t number, const F& f) {
  const FadComponent<S> component(problem, number);
  ScalarProblem<ContractionShape, S> part = productOfScalars(problem, component, 0);
  ContractionShape& shape = part.shape;
  if (component.products() == 0) shape.sum[2].extent = 0;
  const bool are_one = component.products() == 2 && shape.sum[0].extent == 1;
  if (are_one) shape.sum[0] = levelOfProducts(component);
  f(part);
  if (component.products() < 2 || are_one) return;
  part = productOfScalars(problem, component, 1);
  part.shape.sum_into = true;
  f(part);
}

}  // namespace Impl
}  // namespace Kontract

#endif
