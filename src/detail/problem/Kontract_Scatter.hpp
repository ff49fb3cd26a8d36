// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SCATTER_HPP
#define KONTRACT_SCATTER_HPP

#include <cstdint>

namespace Kontract {
namespace Impl {

// What cells share, as addresses and numbers. Sources for one instruction set see this file, so it
// includes nothing else and has no functions that they call.

/// Numbers of unknowns or nodes of cells, (C,F) without gaps; negative ones stand for nothing.
struct NumberTable {
  const std::int32_t* data = nullptr;
  std::int64_t fields = 0;
  bool is_there = false;
};

/// Cells in blocks of neighbours, and blocks in colors: cells of two blocks of one color share no
/// unknown. Blocks of a color ascend.
struct BlockColors {
  std::int64_t block_cells = 0;
  int colors = 0;                               ///< 0: there are none
  const std::int64_t* starts = nullptr;         ///< of colors in blocks; and the end
  const std::int32_t* blocks = nullptr;         ///< where hosts read them
  const std::int32_t* device_blocks = nullptr;  ///< where the execution space does
  std::int64_t cell_with_repeat = -1;  ///< the first cell that has an unknown twice; -1: none
};

/// How sums of cells that share an element of the output keep out of each other's way.
enum class ScatterWay { Auto, Atomic, Colored };

/// Where what is computed for cells is added: element vectors (C,L) to values[rows(c,l) * stride],
/// element matrices (C,L,R) to values[starts[rows(c,l)] + offsets(c,l,r)].
struct Scatter {
  NumberTable rows;
  std::int64_t stride = 1;               ///< of a vector
  const std::int64_t* starts = nullptr;  ///< of the rows of a matrix; null for a vector
  const void* offsets = nullptr;         ///< (C,L,R) without gaps; all bits set: left out
  int offset_bytes = 0;                  ///< 1, 2 or 4
  bool leaves_out = false;               ///< some entries or rows are left out
  std::int64_t first_cell = 0;           ///< in the cells that have colors
  BlockColors colors;
  ScatterWay way = ScatterWay::Auto;
  bool is_there = false;
};

}  // namespace Impl
}  // namespace Kontract

#endif
