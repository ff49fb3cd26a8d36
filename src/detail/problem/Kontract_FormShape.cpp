// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FormShape.hpp"

namespace Kontract {
namespace Impl {

double flopsOf(const FormShape& s, const FormTermShape& term) {
  const double left = term.left_is_vector ? s.dimension : 1;
  const double right = term.right_is_vector ? s.dimension : 1;
  const double points = double(s.cells) * double(s.points);
  if (s.kind == FormKind::Factors) return 4 * points * left * right * s.dimension;
  const double lefts = double(s.lefts) * s.left_blocks * left;
  if (s.kind == FormKind::Vectors) return 2 * points * lefts;
  if (s.kind == FormKind::Diagonals) {
    return 2 * points * lefts * s.diagonal_columns * (right + 1);
  }
  const double rights = double(s.rights) * s.right_blocks;
  const double matrix = left * right * s.left_blocks * s.right_blocks;
  if (s.kind == FormKind::Products) return 2 * points * (rights * right + matrix + lefts);
  const double sums = lefts * rights / (s.is_symmetric ? 2 : 1);
  return 2 * points * (sums + rights * left * right * s.left_blocks);
}

std::uint32_t codeOf(std::uint32_t before, const FormTermShape& term) {
  const unsigned numbers[] = {unsigned(term.left_pullback), unsigned(term.right_pullback),
                              unsigned(term.kind), unsigned(term.left_is_vector),
                              unsigned(term.right_is_vector)};
  for (const unsigned number : numbers) before = before * 7 + number + 1;
  return before;
}

}  // namespace Impl
}  // namespace Kontract
