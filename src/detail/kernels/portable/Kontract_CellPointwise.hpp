// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLPOINTWISE_HPP
#define KONTRACT_CELLPOINTWISE_HPP

#include "Kontract_CellArray.hpp"
#include "Kontract_Piece.hpp"
#include "Kontract_TeamWorkers.hpp"

namespace Kontract {
namespace Impl {

/// Pointwise products of a cell; what they are, as ArrayTools says.
enum class CellProduct { Scalar, Dot, Cross, Outer, Matvec, Matmat };

/// The pointwise problem of one cell, from what its code has: indices of fields, if there are some,
/// and points come first; the left side has no fields, and perhaps one point for all.
/// \param fields  how many indices of the output and the right side are of fields: 0 or 1
template <class Out, class Left, class Right>
struct CellPointwise {
  const CellArray<Out>& out;
  const CellArray<Left>& left;
  const CellArray<Right>& right;
  int fields;

  KOKKOS_INLINE_FUNCTION auto problem(CellProduct product, bool is_transposed) const {
    Problem<PointwiseShape, Out, Left, Right> problem{
        {}, out.elements, left.elements, right.elements};
    PointwiseShape& s = problem.shape;
    if (fields == 1) {
      s.fields = out.extents[0];
      s.out.field = out.strides[0];
      s.right.field = right.strides[0];
    }
    s.points = out.extents[fields];
    s.out.point = out.strides[fields];
    s.right.point = right.strides[fields];
    s.left.point = left.strideOf(0, s.points);
    switch (product) {
      case CellProduct::Scalar: takeScalar(s); break;
      case CellProduct::Dot:
        s.sum[0] = {right.extents[fields + 1], left.strides[1], right.strides[fields + 1]};
        if (fields + 2 < right.rank) {
          s.sum[1] = {right.extents[fields + 2], left.strides[2], right.strides[fields + 2]};
        }
        break;
      case CellProduct::Cross: takeCross(s); break;
      case CellProduct::Outer:
        takeRows(s, left.strides[1], 0);
        takeColumns(s, 0, right.strides[fields + 1]);
        break;
      case CellProduct::Matvec:
      case CellProduct::Matmat: takeMatrix(s, is_transposed); break;
    }
    return problem;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void takeRows(PointwiseShape& s, std::int64_t of_left,
                                            std::int64_t of_right) const {
    s.rows = out.extents[fields + 1];
    s.out.row = out.strides[fields + 1];
    s.left.row = of_left;
    s.right.row = of_right;
  }
  KOKKOS_FORCEINLINE_FUNCTION void takeColumns(PointwiseShape& s, std::int64_t of_left,
                                               std::int64_t of_right) const {
    s.columns = out.extents[fields + 2];
    s.out.column = out.strides[fields + 2];
    s.left.column = of_left;
    s.right.column = of_right;
  }

  KOKKOS_FORCEINLINE_FUNCTION void takeScalar(PointwiseShape& s) const {
    if (fields + 1 < out.rank) takeRows(s, 0, right.strides[fields + 1]);
    if (fields + 2 < out.rank) takeColumns(s, 0, right.strides[fields + 2]);
  }

  KOKKOS_FORCEINLINE_FUNCTION void takeCross(PointwiseShape& s) const {
    s.kind = right.extents[fields + 1] == 2 ? PointwiseKind::Cross2 : PointwiseKind::Cross3;
    if (s.kind == PointwiseKind::Cross3) {
      takeRows(s, left.strides[1], right.strides[fields + 1]);
    } else {
      s.sum[0] = {2, left.strides[1], right.strides[fields + 1]};
    }
  }

  /// Products with a scalar, a diagonal or a matrix.
  KOKKOS_FORCEINLINE_FUNCTION void takeMatrix(PointwiseShape& s, bool is_transposed) const {
    if (left.rank == 3) {
      const int row = is_transposed ? 2 : 1, column = 3 - row;
      takeRows(s, left.strides[row], 0);
      s.sum[0] = {right.extents[fields + 1], left.strides[column], right.strides[fields + 1]};
    } else {
      takeRows(s, left.rank == 2 ? left.strides[1] : 0, right.strides[fields + 1]);
    }
    if (fields + 2 < out.rank) takeColumns(s, 0, right.strides[fields + 2]);
  }
};

/// Computes a pointwise problem of a cell by the workers of a team, neighbours in memory in
/// neighbouring threads; on hosts runs of points.
template <class Team, class Problem>
KOKKOS_INLINE_FUNCTION void multiplyCell(const Team& team, Problem problem) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  constexpr std::int64_t run = 1;
#else
  constexpr std::int64_t run = PointwiseShape::host_run;
#endif
  PointwiseShape& s = problem.shape;
  s.run = run;
  const std::int64_t runs = (s.points + run - 1) / run, fields = s.fields;
  const bool fields_first = s.out.field < s.out.point;
  team.share(fields * runs, [&](std::int64_t n) {
    const std::int64_t inner = fields_first ? fields : runs, slow = n / inner;
    const std::int64_t fast = n - slow * inner;
    multiplyPiece(problem, 0, fields_first ? fast : slow, fields_first ? slow : fast);
  });
}

}  // namespace Impl
}  // namespace Kontract

#endif
