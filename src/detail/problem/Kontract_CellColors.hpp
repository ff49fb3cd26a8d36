// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLCOLORS_HPP
#define KONTRACT_CELLCOLORS_HPP

#include <cstdint>
#include <vector>

namespace Kontract {
namespace Impl {

/// Colors of blocks of cells, as BlockColors has them.
struct CellColors {
  std::int64_t block_cells = 1;
  std::vector<std::int64_t> starts;
  std::vector<std::int32_t> blocks;
  std::int64_t cell_with_repeat = -1;  ///< the first that has an unknown twice; -1: none
};

/// Gives blocks of neighbouring cells colors: each the first that no block before it with an
/// unknown in common has. Depends on the numbers alone. \param numbers      (C,F) of unknowns,
/// negative ones are none \param count        of unknowns \param block_cells  cells of a block
CellColors colorCells(const std::int32_t* numbers, std::int64_t cells, std::int64_t fields,
                      std::int64_t count, std::int64_t block_cells);

/// Cells of a block for hosts: enough blocks for many threads, and enough cells for a kernel.
std::int64_t blockCellsOfHosts(std::int64_t cells, std::int64_t fields);

}  // namespace Impl
}  // namespace Kontract

#endif
