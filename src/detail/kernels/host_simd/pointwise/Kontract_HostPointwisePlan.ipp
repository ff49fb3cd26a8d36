// SPDX-License-Identifier: BSD-3-Clause
//
// How a pointwise operation is computed: in which order of loops, by which kernel.
#ifndef KONTRACT_HOSTPOINTWISEPLAN_IPP
#define KONTRACT_HOSTPOINTWISEPLAN_IPP

#include "Kontract_HostPointwiseKernels.ipp"
#include "Kontract_HostPointwiseNodes.ipp"
#include "Kontract_HostPointwiseRows.ipp"

constexpr int pointwise_collected_bytes = 1024;          ///< of outputs, before they are written
constexpr std::int64_t least_non_temporal_bytes = 2048;  ///< of unaligned runs that need no buffer
constexpr std::int64_t lefts_bytes = most_components * plane_bytes;  ///< of a copied left side
/// Of the largest side of a block of points.
constexpr std::int64_t block_bytes = most_components * plane_bytes;
constexpr std::int64_t least_long_bytes = 4096;  ///< of outputs whose first and last line are few
constexpr std::int64_t prefetch_bytes = 1024;    ///< between what is read and what is prefetched

/// How the loops of a problem are ordered, the innermost one being the kernel's.
enum class LoopOrder {
  None,      ///< there is no kernel for it
  Elements,  ///< over elements of tensors, which do not meet
  Tensors,   ///< over points
  Cells,     ///< over interleaved cells
  Nodes      ///< over nodes of cells, see NodeSums
};

/// Whether a matrix is all that there is at a point.
template <class Real>
KONTRACT_INLINE bool isOfMatrix(const HostPointwise<Real>& p) {
  return p.operation == HostOperation::Determinant || p.operation == HostOperation::Inverse;
}

/// The kernel and the order of loops for a problem with these strides.
template <class S>
struct PointwisePlan {
  using Real = typename S::Real;
  using Problem = HostPointwise<Real>;
  LoopOrder loop_order = LoopOrder::None;
  PointwiseKernel<Real> kernel = nullptr;
  PointwiseKernel<Real> pattern_kernel = nullptr;  ///< where there is one, and cells are small
  int lefts = 1, rights = 1, outs = 1;             ///< components
  bool by_element = false;  ///< components do not meet: tensors are taken as scalars
  bool is_copy, has_left;
  bool is_right_dense = true, is_out_dense = true;  ///< tensors of a field's points are contiguous
  std::int64_t tensor = 1;                          ///< items of a point
  std::int64_t left_at[most_components], right_at[most_components], out_at[most_components];

  explicit PointwisePlan(const Problem& p) {
    const TensorOperation tensors = operationOf(p);
    const bool has_offsets = haveOffsets(p, tensors);
    is_copy = p.operation == HostOperation::Copy;
    has_left = !is_copy && !isOfMatrix(p);
    by_element = !isCross(p) && !isOfMatrix(p) && tensors.terms == 1;
    if (has_offsets) setOffsets(p, tensors);
    if (areCellsInterleaved(p)) {
      if (has_offsets) kernel = pointwiseKernelFor<S, RunKind::Planes>(tensors);
      by_element = by_element && kernel == nullptr;
      if (by_element) kernel = pointwiseKernelFor<S, RunKind::Planes>({p.operation, 1, 1, 1});
      if (kernel != nullptr) loop_order = LoopOrder::Cells;
    } else {
      if (by_element && areElementsInOrder(p)) takeElements(p);
      if (loop_order == LoopOrder::None && has_offsets) takeTensors(p, tensors);
      if (loop_order == LoopOrder::None && by_element) takeElements(p);
    }
    if (by_element && loop_order != LoopOrder::Tensors) {
      lefts = rights = outs = 1;
      left_at[0] = 0;
      if (loop_order == LoopOrder::Cells) right_at[0] = out_at[0] = 0;
    }
    if (!has_left) {
      lefts = 1;
      left_at[0] = 0;
    }
    if (loop_order == LoopOrder::None && NodeSums<S>::serves(p)) loop_order = LoopOrder::Nodes;
  }

  /// Where the components of a point's items lie, for arrays that are not dense.
  TensorPlaces rightPlaces(const Problem& p) const {
    return {p.right_of.cell, p.right_of.field,     p.right_of.point,
            right_at,        int(tensor * rights), is_right_dense};
  }
  TensorPlaces outPlaces(const Problem& p) const {
    return {p.out_of.cell, p.out_of.field,     p.out_of.point,
            out_at,        int(tensor * outs), is_out_dense};
  }

 private:
  static bool isCross(const Problem& p) {
    return p.operation == HostOperation::Cross2 || p.operation == HostOperation::Cross3;
  }

  /// Whether tensors are small, and their components' offsets are those of matrices or vectors.
  static bool haveOffsets(const Problem& p, const TensorOperation& tensors) {
    const bool is_small = tensors.rows * tensors.terms <= most_components &&
                          tensors.terms * tensors.columns <= most_components &&
                          tensors.rows * tensors.columns <= most_components;
    const bool has_matrices = p.operation == HostOperation::Product &&
                              (p.left_of.column == 0 || p.columns == 1) &&
                              (p.right_of.row == 0 || p.rows == 1);
    return is_small && (isCross(p) || isOfMatrix(p) || has_matrices);
  }

  static bool areCellsInterleaved(const Problem& p) {
    return p.cells > 1 && p.out_of.cell == 1 && (p.right_of.cell == 1 || p.right_of.cell == 0) &&
           (p.left_of.cell == 1 || p.operation == HostOperation::Copy || isOfMatrix(p));
  }

  static bool areElementsInOrder(const Problem& p) {
    const std::int64_t elements = p.rows * p.columns;
    return isInOrder(p, p.out_of, p.columns, 1, elements) &&
           isInOrder(p, p.right_of, p.columns, 1, elements);
  }

  /// Elements of tensors as items, if they are few enough for a run.
  void takeElements(const Problem& p) {
    kernel = pointwiseKernelFor<S, RunKind::Planes>({p.operation, 1, 1, 1});
    pattern_kernel = pointwiseKernelFor<S, RunKind::Periods>({p.operation, 1, 1, 1});
    tensor = p.rows * p.columns;
    if (kernel == nullptr || tensor * S::scalar_bytes > plane_bytes - 64) return;
    is_right_dense = isInOrder(p, p.right_of, p.columns, 1, tensor);
    is_out_dense = isInOrder(p, p.out_of, p.columns, 1, tensor);
    if (is_right_dense && is_out_dense) {
      loop_order = LoopOrder::Elements;
    } else if (hasTensorsOf(tensor) && areCellsOutermost(p) && areWorthGathering(p)) {
      for (std::int64_t i = 0; i < tensor; ++i) {
        const std::int64_t row = i / p.columns, column = i % p.columns;
        right_at[i] = row * p.right_of.row + column * p.right_of.column;
        out_at[i] = row * p.out_of.row + column * p.out_of.column;
      }
      loop_order = LoopOrder::Elements;
    }
  }

  /// Points with their tensors as items.
  void takeTensors(const Problem& p, const TensorOperation& tensors) {
    kernel = pointwiseKernelFor<S, RunKind::Tensors>(tensors);
    pattern_kernel = pointwiseKernelFor<S, RunKind::Periods>(tensors);
    tensor = 1;
    if (kernel == nullptr) return;
    is_right_dense = areTensorsInOrder(p, right_at, rights, p.right_of.point);
    is_out_dense = areTensorsInOrder(p, out_at, outs, p.out_of.point);
    if (is_right_dense && is_out_dense) loop_order = LoopOrder::Tensors;
  }

  /// Arrays with gaps: several components a point take longer to gather than by themselves.
  bool areWorthGathering(const Problem& p) const { return tensor == 1 || is_copy || p.points == 1; }

  /// Whether a cell's items are near each other in memory, so that they can be gathered.
  static bool areCellsOutermost(const Problem& p) {
    const auto isOutermost = [&](const typename Problem::Strides& of) {
      const auto isInside = [&](std::int64_t extent, std::int64_t stride) {
        return extent == 1 || std::int64_t(extent * stride) <= of.cell;
      };
      return p.cells == 1 || of.cell == 0 ||
             (isInside(p.fields, of.field) && isInside(p.points, of.point) &&
              isInside(p.rows, of.row) && isInside(p.columns, of.column));
    };
    return isOutermost(p.out_of) && isOutermost(p.right_of);
  }

  static TensorOperation operationOf(const Problem& p) {
    return {p.operation, p.rows, p.sum[0].extent * p.sum[1].extent, p.columns};
  }

  /// Whether rows, columns and points have such strides, as far as there are several.
  static bool isInOrder(const Problem& p, const typename Problem::Strides& of, std::int64_t row,
                        std::int64_t column, std::int64_t point) {
    return (p.rows == 1 || of.row == row) && (p.columns == 1 || of.column == column) &&
           (p.points == 1 || of.point == point);
  }

  void setOffsets(const Problem& p, const TensorOperation& tensors) {
    lefts = rights = outs = 0;
    if (p.operation == HostOperation::Cross3) {
      for (int i = 0; i < 3; ++i) {
        left_at[lefts++] = i * p.left_of.row;
        right_at[rights++] = i * p.right_of.row;
        out_at[outs++] = i * p.out_of.row;
      }
      return;
    }
    const auto term = [&](std::int64_t m, std::int64_t HostLevel::*step) {
      return m / p.sum[1].extent * (p.sum[0].*step) + m % p.sum[1].extent * (p.sum[1].*step);
    };
    for (std::int64_t i = 0; i < tensors.rows; ++i) {
      for (std::int64_t m = 0; m < tensors.terms; ++m) {
        left_at[lefts++] = i * p.left_of.row + term(m, &HostLevel::left);
      }
      for (std::int64_t j = 0; j < tensors.columns; ++j) {
        if (p.operation == HostOperation::Inverse) {
          right_at[rights++] = i * p.right_of.row + j * p.right_of.column;
        }
        out_at[outs++] = i * p.out_of.row + j * p.out_of.column;
      }
    }
    if (p.operation == HostOperation::Inverse) return;
    for (std::int64_t m = 0; m < tensors.terms; ++m) {
      for (std::int64_t j = 0; j < tensors.columns; ++j) {
        right_at[rights++] = j * p.right_of.column + term(m, &HostLevel::right);
      }
    }
  }

  static bool areTensorsInOrder(const Problem& p, const std::int64_t* at, int components,
                                std::int64_t point) {
    for (int i = 0; i < components; ++i) {
      if (at[i] != i) return false;
    }
    return p.points == 1 || point == components;
  }
};

#endif
