// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_POINTWISE_HPP
#define KONTRACT_POINTWISE_HPP

#include <cstdint>

#include "Kontract_Contraction.hpp"
#include "Kontract_Work.hpp"

namespace Kontract {
namespace Impl {

/// What a pointwise operation does with the small tensors at one point.
enum class PointwiseKind {
  Copy,         ///< out = right
  Product,      ///< out = left * right, summed over the indices that out does not have
  Quotient,     ///< out = right / left
  Cross2,       ///< out = left x right in the plane, a scalar
  Cross3,       ///< out = left x right in space
  Determinant,  ///< out = det right, of matrices (m,n)
  Inverse,      ///< out = the inverse of right, matrices (i,j)
  Cofactor,     ///< out(i) = sum over m of the cofactor (i,m) of left * right(m)
  NormOne,      ///< out = sum over m of |right(m)|
  NormTwo,      ///< out = the square root of the sum over m of right(m)^2
  NormMax       ///< out = the largest |right(m)|
};

/// Whether there is a left operand.
constexpr bool hasLeft(PointwiseKind kind) {
  return kind != PointwiseKind::Copy &&
         (kind <= PointwiseKind::Cross3 || kind == PointwiseKind::Cofactor);
}
/// Whether each element of the output needs one element of each operand, or a sum of products of
/// them.
constexpr bool isOfElements(PointwiseKind kind) { return kind <= PointwiseKind::Quotient; }

/// Every pointwise operation, without its scalars: at cell c, field f and point p a small tensor
///
///     out(i,j) = sum over (m,n) of left(i,j,m,n) * right(i,j,m,n)
///
/// where each operand has stride 0 in the indices that it does not have. Scaling, dot, outer,
/// matrix-vector and matrix-matrix products, diagonal and transposed ones too, differ in strides
/// alone; so do Jacobians of cells, sums over nodes (right operands are then the same for all
/// cells, and for all points of affine cells). All else names its kind.
struct PointwiseShape {
  struct Strides {
    std::int64_t cell = 0, field = 0, point = 0, row = 0, column = 0;
  };
  /// The longest run of places that one piece of work takes on the host.
  static constexpr std::int64_t host_run = 256;

  PointwiseKind kind = PointwiseKind::Product;
  std::int64_t cells = 1, fields = 1, points = 1, rows = 1, columns = 1;
  SumLevel sum[2];
  Strides out, left, right;
  std::int64_t cells_in_all = 0;  ///< if this is a chunk of cells of a problem: how many that has

  /// The problem that this is a chunk of, or itself: what plans are made for.
  PointwiseShape whole() const {
    PointwiseShape shape = *this;
    shape.cells = cells_in_all > 0 ? cells_in_all : cells;
    return shape;
  }

  /// A piece of work is a run of this many places, along the cells if runs_along_cells and along
  /// the points otherwise: 1 on devices, whose threads are side by side in memory already.
  std::int64_t run = 1;
  bool runs_along_cells = false;

  std::int64_t terms() const { return sum[0].extent * sum[1].extent; }
  Box box() const {
    const auto runs = [&](std::int64_t extent) { return (extent + run - 1) / run; };
    if (runs_along_cells) return {{runs(cells), fields, points}};
    return {{cells, fields, runs(points)}};
  }

  /// Whether neighbours in memory are neighbouring cells, as in LayoutLeft.
  bool isCellFastest() const;

  /// \param scalar_bytes sizes of an element of output, left and right
  Work work(const int (&scalar_bytes)[3]) const;
};

/// The canonical pointwise problem of a checked call.
/// \param on_host  a piece of work is to be a run of places
PointwiseShape pointwiseOf(const IndexTable& indices, PointwiseKind kind, bool on_host);

}  // namespace Impl
}  // namespace Kontract

#endif
