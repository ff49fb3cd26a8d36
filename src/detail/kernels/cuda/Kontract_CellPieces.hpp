// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLPIECES_HPP
#define KONTRACT_CELLPIECES_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>

#include "Kontract_PairOfTerms.hpp"

namespace Kontract {
namespace Impl {

/// Some cells, or some left fields of one.
struct CellsOfPiece {
  std::int64_t cell;
  int cells;
  int left, lefts;
};

/// How cells without gaps are dealt to blocks. A piece of work is some cells, or of one cell some
/// left fields with all right ones: runs of memory, all of them. A stage of shared memory holds the
/// inputs of a piece.
struct CellPieces {
  static constexpr int most_stages = 4;  ///< of inputs, and of sums

  std::int64_t cells = 0, pieces = 0;   ///< of the problem
  int lefts = 1, rights = 1;            ///< fields of a cell
  int terms = 1, columns = 1;           ///< reals of a row of inputs, and of one of sums
  int cells_each = 1;                   ///< of a piece
  int parts = 1, lefts_each = 1;        ///< pieces of a cell, and their left fields
  int cells_of_tile = 1;                ///< 2 where two cells fit eight fields
  int left_tiles = 1, right_tiles = 1;  ///< of warps, in a piece's cell (or two)
  TermsOfLanes::Order order = TermsOfLanes::side_by_side;
  int stages = 2, sum_stages = 2;              ///< of inputs, and of sums that are being written
  int right_at = 0, stage_bytes = 0;           ///< where the right side of a stage begins; its end
  int sums_at = 0, sums_bytes = 0, bytes = 0;  ///< where stages of sums begin, theirs, and all

  /// Warps of a block that compute. Large tiles take registers.
  static constexpr int consumers(int blocks_of_tile, int real_bytes) {
    const bool is_single = real_bytes == 4;
    if (blocks_of_tile == 1) return 16;
    return blocks_of_tile <= 4 ? (is_single ? 16 : 14) : is_single && blocks_of_tile <= 6 ? 14 : 10;
  }

  KOKKOS_INLINE_FUNCTION CellsOfPiece piece(std::int64_t i) const {
    if (parts == 1) {
      const std::int64_t first = i * cells_each, left = cells - first;
      return {first, left < cells_each ? static_cast<int>(left) : cells_each, 0, lefts};
    }
    const std::int64_t cell = i / parts;
    const int first = static_cast<int>(i - cell * parts) * lefts_each, left = lefts - first;
    return {cell, 1, first, left < lefts_each ? left : lefts_each};
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
