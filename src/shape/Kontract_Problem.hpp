// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_PROBLEM_HPP
#define KONTRACT_PROBLEM_HPP

#include "Kontract_Contraction.hpp"
#include "Kontract_Pointwise.hpp"
#include "Kontract_Scalar.hpp"

namespace Kontract {
namespace Impl {

/// A canonical problem with its arrays, ready to run: what algorithms get.
template <class Shape, class Out, class Left, class Right>
struct Problem {
  using shape_type = Shape;
  using out_type = Out;
  using left_type = Left;
  using right_type = Right;
  Shape shape;
  Out out;
  Left left;
  Right right;
};

template <class Problem>
Work workOf(const Problem& problem) {
  Work work = problem.shape.work({int(sizeof(typename Problem::out_type::value_type)),
                                  int(sizeof(typename Problem::left_type::value_type)),
                                  int(sizeof(typename Problem::right_type::value_type))});
  work.is_complex = IsComplex<typename Problem::out_type::value_type>::value;
  return work;
}

}  // namespace Impl
}  // namespace Kontract

#endif
