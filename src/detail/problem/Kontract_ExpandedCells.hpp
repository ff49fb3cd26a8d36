// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_EXPANDEDCELLS_HPP
#define KONTRACT_EXPANDEDCELLS_HPP

#include "Kontract_FieldOperators.hpp"
#include "Kontract_Scatter.hpp"

namespace Kontract {
namespace Impl {

/// Cells that have constrained unknowns, which are sums of others: they add to, or read, more
/// unknowns than they have fields. The numbers by which other cells do are negative for them. As
/// all that sources for one instruction set see, without functions.
struct ExpandedCells {
  const std::int32_t* cells = nullptr;         ///< their numbers among all cells, ascending
  const std::int32_t* device_cells = nullptr;  ///< the same where the execution space reads them
  std::int64_t count = 0;
  std::int64_t first_cell = 0;    ///< of a form, among all cells
  NumberTable rows;               ///< (count, L'): of fields, then of what they depend on
  std::int64_t columns = 0;       ///< R' of matrices
  const void* offsets = nullptr;  ///< (count, L', R') of matrices, as in Scatter
  FieldOperators left, right;     ///< of L' and of R' fields, those that cells lack being 0
};

}  // namespace Impl
}  // namespace Kontract

#endif
