// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_MATRIXLAYOUT_HPP
#define KONTRACT_MATRIXLAYOUT_HPP

#include <Kokkos_Core.hpp>

#include "detail/problem/Kontract_FormWork.hpp"

namespace Kontract {
namespace Impl {

/// Threads of a team that have registers for tiles.
inline constexpr int max_matrix_threads = 128;

/// What a team has in scratch memory: tables, the matrices of points of its cells, and for some
/// functions of the last direction what is left of those matrices after that direction, which
/// stands where then entries wait to be stored. Of families that have fewer functions than others
/// there is room for as many.
struct MatrixLayout {
  ColumnSizes sizes;
  int numbers = 1;         ///< of the matrix of a point
  int columns = 1;         ///< right functions of the last direction that are computed at a time
  int starts = 0;          ///< rows of a cell whose places are kept
  bool is_staged = false;  ///< entries are stored by rows, and not by the threads that have them

  KOKKOS_FORCEINLINE_FUNCTION int functionsOfSide() const {
    return sizes.tables * sizes.functions * (sizes.points[0] + sizes.points[1] + sizes.points[2]);
  }
  /// Points that differ in other directions than the last.
  KOKKOS_FORCEINLINE_FUNCTION int pointsOfSlice() const {
    return sizes.points[0] * (sizes.dimension == 3 ? sizes.points[1] : 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION int points() const {
    return pointsOfSlice() * sizes.points[sizes.dimension - 1];
  }
  /// Functions that differ in other directions than the last.
  KOKKOS_FORCEINLINE_FUNCTION int rows() const {
    return sizes.functions * (sizes.dimension == 3 ? sizes.functions : 1);
  }
  /// Threads that compute entries of a cell and a column: each has all pairs of functions of the
  /// first direction.
  KOKKOS_FORCEINLINE_FUNCTION int tiles() const {
    return sizes.dimension == 3 ? sizes.functions * sizes.functions : 1;
  }
  /// Rows of entries are an odd number apart, so that neighbouring ones are in different banks.
  KOKKOS_FORCEINLINE_FUNCTION int rowStep() const { return rows() | 1; }
  /// Entries of a cell and a column that wait to be stored.
  KOKKOS_FORCEINLINE_FUNCTION int ofStaged() const { return rows() * rowStep(); }
  /// Numbers of a cell; even, so that what follows is aligned.
  KOKKOS_FORCEINLINE_FUNCTION int ofPoints() const { return (numbers * points() + 1) / 2 * 2; }
  /// Points of the first direction are an even number apart in a slice, because two are read at a
  /// time.
  KOKKOS_FORCEINLINE_FUNCTION int lineStep() const { return (sizes.points[0] + 1) / 2 * 2; }
  KOKKOS_FORCEINLINE_FUNCTION int sliceStep() const {
    return lineStep() * (sizes.dimension == 3 ? sizes.points[1] : 1);
  }
  /// Numbers of a cell and a column at the points of a slice.
  KOKKOS_FORCEINLINE_FUNCTION int ofSlices() const { return sizes.couplings * sliceStep(); }
  /// Starts of some cells, and room that aligns what follows.
  KOKKOS_FORCEINLINE_FUNCTION int startsOf(int cells) const { return (starts * cells + 1) / 2 * 2; }
  KOKKOS_FORCEINLINE_FUNCTION int ofNodes() const { return sizes.nodes * sizes.dimension; }
  KOKKOS_FORCEINLINE_FUNCTION int ofColumns() const {
    const int slices = ofSlices(), staged = (ofStaged() + 1) / 2 * 2;
    return columns * (is_staged && staged > slices ? staged : slices);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
