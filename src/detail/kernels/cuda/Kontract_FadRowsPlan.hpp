// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADROWSPLAN_HPP
#define KONTRACT_FADROWSPLAN_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>

#include "Kontract_StagedSide.hpp"

namespace Kontract {
namespace Impl {

/// How blocks of a device share contractions of Fads with real numbers by matrix instructions: all
/// components of all fields of the Fads' side are rows, real fields are columns. A piece of work
/// has some cells, and some fields, components and real fields of each.
struct FadRowsPlan {
  static constexpr int warps = 4, threads = 32 * warps;  ///< of a block
  static constexpr int most_blocks = 8, most_columns = 4, most_sums = 16;
  /// Whether there is a kernel for so many: others have more sums than registers.
  static constexpr bool hasKernel(int blocks, int columns) {
    return blocks * columns <= most_sums || (blocks == 6 && columns == 3);
  }
  static constexpr int terms_each = 8;  ///< of a stage
  static constexpr int stages = 2;

  bool fits = false;
  int blocks = 1;   ///< of eight rows that a warp has
  int columns = 1;  ///< blocks of eight real fields that a warp has
  int cells_each = 1, fields_each = 1, components_each = 1, reals_each = 1;
  int field_groups = 1, component_groups = 1, real_groups = 1;
  int fads_cell = 0, reals_cell = 0;  ///< numbers of a cell of each side in shared memory

  KOKKOS_INLINE_FUNCTION int rows() const { return fields_each * components_each; }
  KOKKOS_INLINE_FUNCTION int blocksOfCell() const { return (rows() + 7) / 8; }
  KOKKOS_INLINE_FUNCTION int warpsOfCell() const { return warps / cells_each; }

  /// Where a row begins in shared memory: four terms of four rows, which lanes read at a time, are
  /// in different banks, and so are rows that are neighbours in memory.
  KOKKOS_INLINE_FUNCTION static int placeOfRow(int row) { return row * (terms_each + 4) + row / 4; }
  static constexpr int block_step = 8 * (terms_each + 4) + 2;
  static int numbersOfRows(int rows) { return (rows + 7) / 8 * block_step | 1; }
  KOKKOS_INLINE_FUNCTION int stageNumbers() const {
    return (cells_each * (fads_cell + reals_cell) + 1) / 2 * 2;
  }

  /// Numbers of each side that a thread copies to a stage.
  int fadNumbers() const {
    return StagedSide::numbersOfThread(cells_each * rows() * terms_each, threads);
  }
  int realNumbers() const {
    return StagedSide::numbersOfThread(cells_each * reals_each * terms_each, threads);
  }
  /// Where lists of what is copied are: eight bytes for each.
  KOKKOS_INLINE_FUNCTION int listsAt() const { return stages * stageNumbers(); }
  std::int64_t bytes() const {
    return std::int64_t(8) * (listsAt() + threads * (fadNumbers() + realNumbers()));
  }

  std::int64_t worksOfCell() const {
    return std::int64_t(field_groups) * component_groups * real_groups;
  }
  std::int64_t works(std::int64_t cells) const {
    return (cells + cells_each - 1) / cells_each * worksOfCell();
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
