// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_COLUMNROW_HPP
#define KONTRACT_COLUMNROW_HPP

#include <Kokkos_Macros.hpp>
#include <cstdint>

namespace Kontract {
namespace Impl {

/// A row of numbers of the cells that a block computes at a time: see TensorColumns. All batches of
/// cells have the same rows, so a block finds them once, in its shared memory; found anew where
/// they are needed, they are more instructions than the sums.
class ColumnRow {
 public:
  static constexpr int tile = 16;  ///< rows that a warp multiplies at a time
  /// What the parts of a row are below.
  static constexpr int most_cells = 16, most_numbers = 1 << 13, most_places = 1 << 15;

  /// Rows that tiles have room for.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int tiled(int count) {
    return (count + tile - 1) / tile * tile;
  }

  /// A row along the first direction, or along the last one.
  /// \param cell    of the block
  /// \param number  of its first field, or of its first point
  /// \param place   where it begins, after the first direction or after the second one
  KOKKOS_FORCEINLINE_FUNCTION static ColumnRow ofCell(int cell, int number, int place) {
    return ColumnRow(std::uint32_t(place) * (most_cells * most_numbers) +
                     std::uint32_t(number) * most_cells + std::uint32_t(cell));
  }
  KOKKOS_FORCEINLINE_FUNCTION int cell() const { return int(_parts % most_cells); }
  KOKKOS_FORCEINLINE_FUNCTION int number() const { return int(_parts / most_cells % most_numbers); }
  KOKKOS_FORCEINLINE_FUNCTION int place() const {
    return int(_parts / (most_cells * most_numbers));
  }

  /// A row along the second direction: where it begins after the first one, and after this one.
  KOKKOS_FORCEINLINE_FUNCTION static ColumnRow between(int one, int two) {
    return ColumnRow(std::uint32_t(two) * most_places + std::uint32_t(one));
  }
  KOKKOS_FORCEINLINE_FUNCTION int one() const { return int(_parts % most_places); }
  KOKKOS_FORCEINLINE_FUNCTION int two() const { return int(_parts / most_places); }

 private:
  KOKKOS_FORCEINLINE_FUNCTION explicit ColumnRow(std::uint32_t parts) : _parts(parts) {}

  std::uint32_t _parts;
};

}  // namespace Impl
}  // namespace Kontract

#endif
