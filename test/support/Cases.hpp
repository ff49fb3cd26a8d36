// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_CASES_HPP
#define KONTRACT_TEST_CASES_HPP

#include <vector>

#include "Forms.hpp"
#include "Operations.hpp"

namespace KontractTest {

/// Extents that leave remainders everywhere, ones, sizes of assembly, and a zero in each index.
inline const std::vector<Sizes>& ordinarySizes() {
  //                             C   L   R   P  D  D2 D3
  static const std::vector<Sizes> all{{1, 1, 1, 1, 1, 1, 1},  {2, 3, 5, 7, 3, 2, 4},
                                      {5, 1, 7, 4, 2, 3, 3},  {7, 4, 3, 11, 1, 1, 1},
                                      {3, 5, 1, 1, 3, 3, 3},  {13, 2, 3, 17, 2, 2, 1},
                                      {1, 8, 9, 27, 3, 3, 3}, {67, 3, 2, 5, 2, 1, 2}};
  return all;
}

inline const std::vector<Sizes>& emptySizes() {
  static const std::vector<Sizes> all{
      {0, 3, 5, 7, 3, 2, 2}, {2, 0, 5, 7, 3, 2, 2}, {2, 3, 0, 7, 3, 2, 2}, {2, 3, 5, 0, 3, 2, 2},
      {2, 3, 5, 7, 0, 2, 2}, {2, 3, 5, 7, 3, 0, 2}, {2, 3, 5, 7, 3, 2, 0}, {0, 0, 0, 0, 0, 0, 0}};
  return all;
}

/// The flags that make a difference to a form.
inline std::vector<Flags> flagsOf(const Form& form) {
  switch (flagKindOf(form.operation)) {
    case FlagKind::None: return {Flags()};
    case FlagKind::Transpose: return {{false, 'N'}, {false, 'T'}, {false, 'n'}, {false, 't'}};
    default: return {{false, 'N'}, {true, 'N'}};
  }
}

/// The same sizes with data at every point, and with one point for all where the form can have it.
inline std::vector<Sizes> withOnePoint(const Form& form, Sizes sizes) {
  std::vector<Sizes> both{sizes};
  const bool may_have_one = form.left.find('Q') != std::string_view::npos ||
                            form.right.find('Q') != std::string_view::npos;
  if (may_have_one) {
    sizes.one_point = true;
    both.push_back(sizes);
  }
  return both;
}

}  // namespace KontractTest

#endif
