// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADPAIRSPLAN_HPP
#define KONTRACT_FADPAIRSPLAN_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>

#include "Kontract_StagedSide.hpp"

namespace Kontract {
namespace Impl {

/// A side of a stage in shared memory: of each cell its components, of each of these two halves of
/// four terms, of each half its fields. Four terms of eight fields, which lanes read at a time, are
/// one after another; components, which are neighbours in memory, are in different banks.
struct FadPairsStage {
  static constexpr int terms = 8, half_terms = terms / 2;

  int at;          ///< the first number
  int fields;      ///< of a component
  int components;  ///< of a cell: derivatives, then the value

  KOKKOS_INLINE_FUNCTION int half() const { return half_terms * fields; }
  KOKKOS_INLINE_FUNCTION int component() const { return 2 * half() + 1; }
  KOKKOS_INLINE_FUNCTION int cell() const { return components * component(); }
  KOKKOS_INLINE_FUNCTION int place(int its_cell, int field, int its_component, int term) const {
    return at + its_cell * cell() + its_component * component() + term / half_terms * half() +
           half_terms * field + term % half_terms;
  }
};

/// How blocks of a device share contractions of Fads with Fads by matrix instructions. A warp has
/// 16 fields of one side, rows, by eight of the other, columns, and of these some derivatives and,
/// if they are the first, the value: a derivative is the sum of two products of matrices, by the
/// product rule. A piece of work has some cells, and groups of rows, of columns and of derivatives
/// of each.
struct FadPairsPlan {
  static constexpr int warp_rows = 16, warp_columns = 8;
  static constexpr int least_warps = 4, most_warps = 8;  ///< of a block
  static constexpr int warps_at_a_time = 16;  ///< of a multiprocessor, as registers allow
  static constexpr int most_derivatives = 4;  ///< of a warp, as registers allow
  static constexpr int outputs_of_warp = 8 * warp_columns * (most_derivatives + 1);  ///< at a time
  static constexpr int most_cells = 2;
  static constexpr int terms_each = FadPairsStage::terms;
  static constexpr int stages = 2;

  bool fits = false;
  bool rows_are_left = true;
  int cells_each = 1, rows_each = 1, columns_each = 1, derivatives_each = 1;
  int row_groups = 1, column_groups = 1, derivative_groups = 1;
  int warps = least_warps;  ///< those beyond the tiles copy alone
  int stage_numbers = 0;    ///< of a stage, or of outputs on their way

  KOKKOS_INLINE_FUNCTION int columnTiles() const {
    return (columns_each + warp_columns - 1) / warp_columns;
  }
  KOKKOS_INLINE_FUNCTION int tilesOfCell() const {
    return (rows_each + warp_rows - 1) / warp_rows * columnTiles();
  }
  FadPairsStage stageOf(int fields, int at) const { return {at, fields, derivatives_each + 1}; }

  /// Numbers of a side that a thread copies to a stage.
  int numbersOfThread(int fields) const {
    return StagedSide::numbersOfThread(cells_each * fields * (derivatives_each + 1) * terms_each,
                                       32 * warps);
  }
  /// Where lists of what is copied are: eight bytes for each.
  KOKKOS_INLINE_FUNCTION int listsAt() const { return stages * stage_numbers; }
  std::int64_t bytes() const {
    return std::int64_t(8) *
           (listsAt() + 32 * warps * (numbersOfThread(rows_each) + numbersOfThread(columns_each)));
  }

  std::int64_t worksOfCell() const {
    return std::int64_t(row_groups) * column_groups * derivative_groups;
  }
  std::int64_t works(std::int64_t cells) const {
    return (cells + cells_each - 1) / cells_each * worksOfCell();
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
