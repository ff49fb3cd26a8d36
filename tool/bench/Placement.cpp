// SPDX-License-Identifier: BSD-3-Clause
#include "Placement.hpp"

#include <type_traits>

namespace KontractBench {
namespace {

/// The stride of the flattened terms (P, D, E) of an array; 0 if one stride does not do.
/// \param last_fastest  the order in which the terms are flattened
std::int64_t termStride(const Placement& array, bool last_fastest) {
  std::vector<int> levels;
  for (int i = 0; i < array.rank(); ++i) {
    const char letter = array.letters[i];
    if (letter != 'C' && letter != 'L' && letter != 'R' && letter != 'F') levels.push_back(i);
  }
  for (std::size_t i = 1; i < levels.size(); ++i) {
    const int outer = levels[last_fastest ? i - 1 : i], inner = levels[last_fastest ? i : i - 1];
    if (array.strides[outer] != array.strides[inner] * array.extents[inner]) return 0;
  }
  return array.strides[last_fastest ? levels.back() : levels.front()];
}

}  // namespace

std::int64_t Placement::strideOf(char letter) const {
  const auto at = letters.find(letter);
  return at == std::string::npos ? 0 : strides[at];
}

Placement place(const Case& one, const std::string& letters, LayoutKind layout) {
  Placement array;
  array.letters = letters;
  array.strides.resize(letters.size());
  for (const char letter : letters) array.extents.push_back(one.extentOf(letter));
  constexpr bool space_is_left = std::is_same_v<Space::array_layout, Kokkos::LayoutLeft>;
  const bool is_strided = layout == LayoutKind::Strided;
  const bool is_left = is_strided ? space_is_left : layout == LayoutKind::Left;
  std::int64_t stride = 1;
  for (int n = 0; n < array.rank(); ++n) {
    const int i = is_left ? n : array.rank() - 1 - n;
    array.strides[i] = stride;
    stride *= array.extents[i] + (is_strided && letters[i] != 'C' ? 1 : 0);
  }
  array.span = letters.empty() ? 0 : stride;
  return array;
}

Matrices matricesOf(const Case& one, const Placement& out, const Placement& left,
                    const Placement& right) {
  Matrices problem;
  problem.operation = one.operation;
  if (!Kontract::Impl::isContraction(one.operation)) {
    problem.refusal = "it does contractions only";
    return problem;
  }
  if (one.one_point) {
    problem.refusal = "data with one point are no matrix";
    return problem;
  }
  const auto has = [](const Placement& array, char letter) {
    return array.letters.find(letter) != std::string::npos;
  };
  const char column = has(out, 'F') ? 'F' : 'R';
  problem.cells = one.sizes.cells;
  problem.rows = has(out, 'L') ? one.sizes.lefts : 1;
  problem.columns = has(out, column) ? one.sizes.rights : 1;
  problem.terms = one.terms();
  problem.out = {out.strideOf('C'), out.strideOf('L'), out.strideOf(column)};
  for (const bool last_fastest : {true, false}) {
    const std::int64_t left_terms = termStride(left, last_fastest);
    const std::int64_t right_terms = termStride(right, last_fastest);
    if (left_terms == 0 || right_terms == 0) continue;
    problem.left = {left.strideOf('C'), left.strideOf('L'), left_terms};
    problem.right = {right.strideOf('C'), right.strideOf(column), right_terms};
    if (problem.right.row == 0) problem.right.row = problem.terms;
    if (problem.left.row == 0) problem.left.row = problem.terms;
    return problem;
  }
  problem.refusal = "points and dimensions have no common stride";
  return problem;
}

}  // namespace KontractBench
