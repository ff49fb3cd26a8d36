// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CONTRACTION_HPP
#define KONTRACT_CONTRACTION_HPP

#include <cstdint>

#include "Kontract_Work.hpp"

namespace Kontract {
namespace Impl {

class IndexTable;

/// A level of the sum over k: its length and the steps it takes in both inputs.
struct SumLevel {
  std::int64_t extent = 1;
  std::int64_t left = 0;
  std::int64_t right = 0;
};

/// Every contraction, without its scalars:
///
///     out(c,l,r) (+)= sum over k of left(c,l,k) * right(c,r,k)
///
/// k runs through (point, dimension, dimension) in an order that both inputs share, as few nested
/// levels as strides allow: one for contiguous arrays in LayoutLeft and in LayoutRight.
struct ContractionShape {
  static constexpr int sum_levels = 3;

  std::int64_t cells = 1, lefts = 1, rights = 1;
  SumLevel sum[sum_levels];  ///< outermost first; levels that are not needed come first, extent 1
  std::int64_t out_cell = 0, out_left = 0, out_right = 0;
  std::int64_t left_cell = 0, left_field = 0;
  std::int64_t right_cell = 0, right_field = 0;
  bool sum_into = false;
  std::int64_t cells_in_all = 0;  ///< if this is a chunk of cells of a problem: how many that has

  /// The problem that this is a chunk of, or itself: what plans are made for, so that a chunk is
  /// computed as the whole would be, bit for bit.
  ContractionShape whole() const {
    ContractionShape shape = *this;
    shape.cells = cells_in_all > 0 ? cells_in_all : cells;
    return shape;
  }

  Box box() const { return {{cells, lefts, rights}}; }
  std::int64_t terms() const { return sum[0].extent * sum[1].extent * sum[2].extent; }

  /// Whether neighbours in memory are neighbouring cells, as in LayoutLeft.
  bool isCellFastest() const;

  /// What one cell multiplies.
  CellMatrices matrices() const;

  /// \param scalar_bytes sizes of an element of output, left and right
  Work work(const int (&scalar_bytes)[3]) const;
};

/// The canonical contraction of a checked call.
ContractionShape contractionOf(const IndexTable& indices, bool sum_into);

}  // namespace Impl
}  // namespace Kontract

#endif
