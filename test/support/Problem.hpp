// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_PROBLEM_HPP
#define KONTRACT_TEST_PROBLEM_HPP

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "Array.hpp"
#include "Forms.hpp"
#include "Operations.hpp"
#include "Oracle.hpp"
#include "Scalars.hpp"

namespace KontractTest {

/// A call with random values, what it must give, and how far from that it may be.
template <class Out, class Left, class Right>
struct Problem {
  const Form* form;
  Flags flags;
  Array<Out> out;  ///< as it is before the call
  Array<Left> left;
  Array<Right> right;
  std::vector<WideOf<Out>> expected;  ///< in the order of the last index fastest
  std::vector<long double> tolerance;

  /// "matvecProductDataField (2,3,5,3) = (2,5,3,3) x (3,5,3), transpose T"
  std::string text() const {
    const auto shape = [](const auto& array) {
      std::string list;
      for (const std::size_t extent : array.extents()) {
        list += (list.empty() ? "" : ",") + std::to_string(extent);
      }
      return "(" + list + ")";
    };
    std::string line = std::string(form->operation) + " " + shape(out) + " = " +
                       (form->left.empty() ? "" : shape(left) + " x ") + shape(right);
    switch (flagKindOf(form->operation)) {
      case FlagKind::SumInto: return line + (flags.yes ? ", sumInto" : "");
      case FlagKind::Reciprocal: return line + (flags.yes ? ", reciprocal" : "");
      case FlagKind::Transpose: return line + ", transpose " + flags.transpose;
      default: return line;
    }
  }
};

/// The same array in another type.
template <class To, class T, class Convert>
Array<To> converted(const Array<T>& from, Convert&& convert) {
  Array<To> to(from.letters(), from.extents());
  std::transform(from.values().begin(), from.values().end(), to.values().begin(), convert);
  return to;
}

template <class T>
void fillRandomly(Array<T>& array) {
  for (T& x : array.values()) x = random().value<T>();
}

/// Fills in what is expected and the error that rounding may make: each of the n operations that
/// lead to an element adds at most one rounding of the sum of absolute values.
template <class Out, class Left, class Right>
void solve(Problem<Out, Left, Right>& problem) {
  using Wide = WideOf<Out>;
  const std::string name(problem.form->operation);
  const auto widened = [](const auto& array) {
    using T = typename std::decay_t<decltype(array)>::value_type;
    return converted<Wide>(array, [](const T& x) { return Wide(ScalarOf<T>::widen(x)); });
  };
  const auto absolute = [](const auto& array) {
    using T = typename std::decay_t<decltype(array)>::value_type;
    return converted<long double>(array,
                                  [](const T& x) { return std::abs(ScalarOf<T>::widen(x)); });
  };
  problem.expected = Oracle<Wide>::expect(name, problem.flags, widened(problem.out),
                                          widened(problem.left), widened(problem.right))
                         .values();
  const Array<long double> size = Oracle<long double>::expect(
      name, problem.flags, absolute(problem.out), absolute(problem.left), absolute(problem.right));
  const Array<Right>& right = problem.right;
  const std::size_t terms = std::max(right.extent(&Place::p), problem.left.extent(&Place::p)) *
                            right.extent(&Place::d) * right.extent(&Place::e);
  // A difference of products (cross) is bounded by the products, not by itself: at most 16 each.
  const long double least = 32;
  problem.tolerance.clear();
  for (const long double s : size.values()) {
    problem.tolerance.push_back((static_cast<long double>(terms) + 8) * roundingOf<Out>() *
                                std::max(s, least));
  }
}

template <class Out, class Left, class Right>
Problem<Out, Left, Right> makeProblem(const Form& form, Sizes sizes, const Flags& flags) {
  if (form.dimension != 0) sizes.d = form.dimension;
  const std::string out(form.out), right(form.right),
      left = leftLetters(form, flags.isTransposed());
  Problem<Out, Left, Right> problem{&form,
                                    flags,
                                    Array<Out>(out, sizes.of(out)),
                                    Array<Left>(left, sizes.of(left)),
                                    Array<Right>(right, sizes.of(right)),
                                    {},
                                    {}};
  fillRandomly(problem.left);
  fillRandomly(problem.right);
  const bool adds = flags.yes && flagKindOf(form.operation) == FlagKind::SumInto;
  if (adds) {
    fillRandomly(problem.out);
  } else {
    for (Out& x : problem.out.values()) x = poison<Out>();
  }
  solve(problem);
  return problem;
}

/// Compares what a call left with what it should have left.
/// \return empty if all is well, else what is wrong with the first bad element
template <class Out, class Left, class Right>
std::string compare(const Problem<Out, Left, Right>& problem, const std::vector<Out>& found) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto value = WideOf<Out>(ScalarOf<Out>::widen(found[i]));
    const long double error = std::abs(value - problem.expected[i]);
    if (error <= problem.tolerance[i]) continue;  // so that NaN fails
    std::ostringstream text;
    text.precision(17);
    text << "element " << i << " of " << found.size() << " is " << value << " but should be "
         << problem.expected[i] << " within " << problem.tolerance[i];
    return text.str();
  }
  return "";
}

}  // namespace KontractTest

#endif
