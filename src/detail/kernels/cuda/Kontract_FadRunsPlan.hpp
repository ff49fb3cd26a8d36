// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADRUNSPLAN_HPP
#define KONTRACT_FADRUNSPLAN_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace Kontract {
namespace Impl {

/// Where a side of a stage in shared memory has the components of a cell, a field and a term, side
/// by side as in memory: derivatives, then the value.
struct FadRunsStage {
  int at;                 ///< the first number, a multiple of two
  int cell, field, term;  ///< distances
  /// Lanes take the even fields of eight first, then the odd ones, so that they read from different
  /// banks.
  bool are_evens_first;

  KOKKOS_INLINE_FUNCTION int place(int its_cell, int its_field, int its_term) const {
    return at + its_cell * cell + its_field * field + its_term * term;
  }
  /// The field, of eight, whose operands the lanes of a row (column) give.
  KOKKOS_INLINE_FUNCTION int fieldOf(int row) const {
    return are_evens_first ? row % 4 * 2 + row / 4 : row;
  }
};

/// How blocks of a device share contractions of Fads, with Fads or numbers, whose terms, or cells,
/// follow each other in memory. The copy engine fills stages with runs of these. A warp has 16
/// fields of one side, rows, by eight of the other, columns, and some derivatives of each, for the
/// matrix instructions; the warps of a tile have all derivatives, and the first of them the value.
/// Outputs leave by the copy engine, too, but for ends that fill no 16 bytes. A piece of work has
/// some cells, and a group of rows and of columns of each.
struct FadRunsPlan {
  static constexpr int warp_rows = 16, warp_columns = 8;
  static constexpr int most_warps = 16;       ///< of a block
  static constexpr int most_derivatives = 4;  ///< of a warp, as registers allow
  static constexpr int terms_at_a_time = 8;   ///< of matrix instructions
  static constexpr int most_terms = 32;       ///< of a stage
  static constexpr int most_stages = 4;

  bool rows_are_left = true;
  bool are_of_cells = false;  ///< runs: else of terms
  int cells_each = 1, rows_each = 1, columns_each = 1;
  int derivatives_each = 1;      ///< of a warp
  int warps_of_derivatives = 1;  ///< of a tile
  int row_groups = 1, column_groups = 1;
  int components = 1;                ///< of an output
  int terms_each = terms_at_a_time;  ///< of a stage
  FadRunsStage rows{}, columns{};
  int stage_numbers = 0;  ///< a multiple of two
  int stages = 0;
  /// What follows each other in a run of outputs.
  enum Following { OfCells, OfRows, OfColumns, OfOne };
  Following outputs = OfOne;
  double seconds = 0;  ///< expected

  bool fits() const { return stages > 0; }

  /// How many stages behind warps are when a stage is filled again, so that they seldom wait for
  /// each other.
  KOKKOS_INLINE_FUNCTION int lag() const { return stages > 2 ? 2 : 1; }

  KOKKOS_INLINE_FUNCTION int rowTiles() const { return (rows_each + warp_rows - 1) / warp_rows; }
  KOKKOS_INLINE_FUNCTION int columnTiles() const {
    return (columns_each + warp_columns - 1) / warp_columns;
  }
  KOKKOS_INLINE_FUNCTION int warpsOfCell() const {
    return rowTiles() * columnTiles() * warps_of_derivatives;
  }
  KOKKOS_INLINE_FUNCTION int warps() const { return cells_each * warpsOfCell(); }

  /// Runs of outputs on their way to memory, of a piece of work, and numbers from one to the next.
  KOKKOS_INLINE_FUNCTION int runCells() const { return outputs == OfCells ? 1 : cells_each; }
  KOKKOS_INLINE_FUNCTION int runRows() const { return outputs == OfRows ? 1 : rows_each; }
  KOKKOS_INLINE_FUNCTION int runColumns() const { return outputs == OfColumns ? 1 : columns_each; }
  KOKKOS_INLINE_FUNCTION int runs() const { return runCells() * runRows() * runColumns(); }
  KOKKOS_INLINE_FUNCTION int runPitch() const {
    const int fads = outputs == OfCells     ? cells_each
                     : outputs == OfRows    ? rows_each
                     : outputs == OfColumns ? columns_each
                                            : 1;
    return (fads * components + 2) / 2 * 2;
  }
  KOKKOS_INLINE_FUNCTION int outputsAt() const { return stages * stage_numbers; }
  std::int64_t bytes() const {
    return std::int64_t(8) * (outputsAt() + std::int64_t(runs()) * runPitch());
  }

  std::int64_t worksOfCell() const { return std::int64_t(row_groups) * column_groups; }
  std::int64_t works(std::int64_t cells) const {
    return (cells + cells_each - 1) / cells_each * worksOfCell();
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
