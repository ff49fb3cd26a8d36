// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_COLUMNFUNCTION_HPP
#define KONTRACT_COLUMNFUNCTION_HPP

#include "Kontract_BlockFunction.hpp"

namespace Kontract {
namespace Impl {

/// Which functions of a direction a table has.
enum class ColumnFunction { Values, Derivatives, OpenValues };

/// A function of a direction of a tensor-product basis at a point; 0 past the last function.
template <class Basis>
KONTRACT_BLOCK_FUNCTION double functionAt(const Basis& basis, int direction, ColumnFunction table,
                                          int function, int point) {
  const bool is_open = table == ColumnFunction::OpenValues;
  const int functions = is_open ? basis.open_functions[direction] : basis.functions[direction];
  if (function >= functions) return 0;
  if (is_open) return double(basis.open_values[direction].at(function, point));
  if (table == ColumnFunction::Values) return double(basis.values[direction].at(function, point));
  // Not all bases that have open functions have been given derivatives.
  const auto& derivatives = basis.derivatives[direction];
  return derivatives.elements.data == nullptr ? 0. : double(derivatives.at(function, point));
}

}  // namespace Impl
}  // namespace Kontract

#endif
