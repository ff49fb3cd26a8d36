// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_COLUMNEXTENTS_HPP
#define KONTRACT_COLUMNEXTENTS_HPP

#include <Kokkos_Macros.hpp>
#include <cstdint>

#include "Kontract_BlockFunction.hpp"
#include "Kontract_ColumnRow.hpp"
#include "Kontract_FastDivisor.hpp"
#include "Kontract_KnownDivisor.hpp"
#include "Kontract_TrilinearCells.hpp"

namespace Kontract {
namespace Impl {

// How many functions and points columns of matrix instructions have, and where their numbers are:
// see TensorColumns.

/// Where a cell has numbers of three directions in shared memory: how far neighbours in the second
/// and the third one are apart, and arrays, and cells. Lanes access four rows of four numbers at a
/// time. Rows are neighbours in the first direction, or cells; which numbers they are depends on
/// the direction that is summed. Strides are such that few of those sixteen are in the same bank.
struct ColumnArray {
  int second = 0, third = 0, array = 0, cell = 0;

  /// Of points in the first direction, and functions in others.
  static constexpr ColumnArray one(int arrays, int functions, int first) {
    ColumnArray to;
    to.second = first | 1;
    to.third = to.second * functions;
    to.array = to.third * functions;
    to.cell = raised(arrays * to.array, 16, 4);
    return to;
  }
  /// Of points in the first two directions, and functions in the last one.
  static constexpr ColumnArray two(int arrays, int functions, int first, int second) {
    ColumnArray to;
    to.second = first;
    to.third = raised(first * second, 8, 4);
    to.array = to.third * functions;
    to.cell = raised(arrays * to.array, 16, 1);
    return to;
  }

 private:
  /// The least number from n on that leaves that rest.
  static constexpr int raised(int n, int divisor, int rest) {
    return n + ((rest - n) % divisor + divisor) % divisor;
  }
};

/// Numbers of an array whose cells follow each other: those of a cell lie together, or each of them
/// does with the same one of other cells.
struct CellBytes {
  const char* data = nullptr;
  int bytes = 0;   ///< from one cell to the next; 0: they do not lie so
  int pieces = 0;  ///< numbers of a cell that lie with those of other cells; 0: with each other
  std::int64_t step = 0;  ///< bytes from one of them to the next
};

/// How blocks of a device compute with columns of cells by matrix instructions.
struct TensorColumnSizes {
  int functions = 0;  ///< in each direction, or the most
  int points[3] = {0, 0, 0};
  int first_arrays = 1, second_arrays = 1;  ///< after the first direction, and after the second one
  int families = 1;                         ///< of a side, at most
  int row_families = 1, sides = 1;          ///< that have rows of their own
  int nodes = 0;                            ///< of a cell; 0 where they are not needed
  int cells = 1;                            ///< of a block at a time
  int threads = 32;                         ///< of a block
  bool cells_first = false;                 ///< neighbouring rows are neighbouring cells

  /// Rows that a block keeps of a side along the first direction, and along the second one, of one
  /// family after another; and along the last direction.
  KOKKOS_FORCEINLINE_FUNCTION int firstRows() const {
    return row_families * ColumnRow::tiled(functions * functions * cells);
  }
  KOKKOS_FORCEINLINE_FUNCTION int secondRows() const {
    return row_families * ColumnRow::tiled(points[0] * functions * cells);
  }
  KOKKOS_FORCEINLINE_FUNCTION int lastRows() const {
    return ColumnRow::tiled(points[0] * points[1] * cells);
  }
  /// All of them, in numbers of the memory that they take.
  KOKKOS_FORCEINLINE_FUNCTION int rowNumbers() const {
    const int rows = sides * (firstRows() + secondRows()) + lastRows();
    return rows * int(sizeof(ColumnRow)) / int(sizeof(double));
  }

  /// Numbers that say where cells of two batches begin.
  KOKKOS_FORCEINLINE_FUNCTION int starts() const { return 2 * 3 * cells; }

  /// What a block keeps of nodes.
  std::int64_t nodeNumbers() const {
    return TrilinearCells::scratchNumbers(nodes, cells, points[0] + points[1] + points[2]);
  }
};

/// Functions and points in each direction that are known when compiling.
/// \tparam arrays_of_one, arrays_of_two  after the first direction, and after the second one
template <int N, int Q, int arrays_of_one, int arrays_of_two>
struct KnownColumns {
  static constexpr bool are_known = true;
  static constexpr int function_steps = (N + 3) / 4, point_steps = (Q + 3) / 4;

  explicit KnownColumns(const TensorColumnSizes&) {}

  KONTRACT_BLOCK_FUNCTION static constexpr int functions() { return N; }
  KONTRACT_BLOCK_FUNCTION static constexpr int points(int) { return Q; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr ColumnArray one() {
    constexpr ColumnArray to = ColumnArray::one(arrays_of_one, N, Q);
    return to;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr ColumnArray two() {
    constexpr ColumnArray to = ColumnArray::two(arrays_of_two, N, Q, Q);
    return to;
  }
  /// Takes an index off a number of several.
  KONTRACT_BLOCK_FUNCTION static int takePoint(std::uint32_t& count) { return takeKnown<Q>(count); }
};

/// The same at run time. \tparam functions_in, points_in  steps of four that they fill
template <int functions_in, int points_in>
class AnyColumns {
 public:
  static constexpr bool are_known = false;
  static constexpr int function_steps = functions_in, point_steps = points_in;

  explicit AnyColumns(const TensorColumnSizes& sizes)
      : _functions(sizes.functions),
        _points{sizes.points[0], sizes.points[1], sizes.points[2]},
        _one(ColumnArray::one(sizes.first_arrays, sizes.functions, sizes.points[0])),
        _two(ColumnArray::two(sizes.second_arrays, sizes.functions, sizes.points[0],
                              sizes.points[1])),
        _by_points(_points[0] > 0 ? _points[0] : 1) {}

  KONTRACT_BLOCK_FUNCTION int functions() const { return _functions; }
  KONTRACT_BLOCK_FUNCTION int points(int direction) const { return _points[direction]; }
  KOKKOS_FORCEINLINE_FUNCTION ColumnArray one() const { return _one; }
  KOKKOS_FORCEINLINE_FUNCTION ColumnArray two() const { return _two; }
  KONTRACT_BLOCK_FUNCTION int takePoint(std::uint32_t& count) const {
    return static_cast<int>(_by_points.takeFrom(count));
  }

 private:
  int _functions, _points[3];
  ColumnArray _one, _two;
  FastDivisor _by_points;
};

}  // namespace Impl
}  // namespace Kontract

#endif
