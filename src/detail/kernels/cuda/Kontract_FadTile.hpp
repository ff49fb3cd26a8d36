// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADTILE_HPP
#define KONTRACT_FADTILE_HPP

#include "Kontract_TensorTile.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// Sums of a warp: 16 rows by eight columns of Fads, of which it has some derivatives, and with the
/// first of these the value. By the product rule a derivative is a product of matrices for each
/// side that has derivatives. Lane 4 g + q has rows g and g + 8, and columns 2 q and 2 q + 1.
template <int derivatives, bool rows_have, bool columns_have>
class FadTile {
 public:
  static constexpr int components = derivatives + 1;  ///< the last is the value

  /// Operands of a lane for eight terms: of rows g, and g + 8.
  struct Rows {
    TensorPair of[2];
  };

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int n = 0; n < components; ++n) _tile[n].clear();
  }

  /// Adds eight terms.
  /// \param rows, columns  give a lane's operands of a component
  template <class RowsOf, class ColumnsOf>
  __device__ __forceinline__ void add(bool has_value, const RowsOf& rows,
                                      const ColumnsOf& columns) {
    const Rows value_rows = rows(derivatives);
    const TensorPair value_columns = columns(derivatives);
#pragma unroll
    for (int n = 0; n < derivatives; ++n) {
      if constexpr (rows_have) multiply(_tile[n], rows(n), value_columns);
      if constexpr (columns_have) multiply(_tile[n], value_rows, columns(n));
    }
    if (has_value) multiply(_tile[derivatives], value_rows, value_columns);
  }

  /// Of those that a lane has, the first or second row and column.
  __device__ __forceinline__ double sum(int component, int row, int column) const {
    return _tile[component].sums[row][0][column];
  }

  /// Calls use(row, column, sum) for the Fads that a lane has, of whose components it gives the
  /// sums.
  /// \param rows, columns  have fieldOf(), the field that gives the operands of a row, or column
  template <class RowFields, class ColumnFields, class Use>
  __device__ __forceinline__ void forFads(const RowFields& rows, const ColumnFields& columns,
                                          const Use& use) const {
    const int lane = static_cast<int>(threadIdx.x) % 32, row = rows.fieldOf(lane / 4);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        use(row + 8 * half, columns.fieldOf(2 * (lane % 4) + h),
            [&](int component) { return sum(component, half, h); });
      }
    }
  }

 private:
  using Tile = TensorTile<2, 1>;

  __device__ __forceinline__ static void multiply(Tile& tile, const Rows& a, const TensorPair& b) {
    tile.multiply16(tile.sums[0][0], tile.sums[1][0], a.of[0], a.of[1], b);
  }

  Tile _tile[components];
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
