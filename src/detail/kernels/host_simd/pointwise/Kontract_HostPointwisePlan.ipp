// SPDX-License-Identifier: BSD-3-Clause
//
// How the memory of pointwise operations lies. Part of Kontract_HostKernelSet.ipp.
#ifndef KONTRACT_HOSTPOINTWISEPLAN_IPP
#define KONTRACT_HOSTPOINTWISEPLAN_IPP

#include "Kontract_HostPointwiseKernels.ipp"

constexpr std::int64_t write_buffer_bytes = 1024;  ///< of outputs that are collected before they go
constexpr std::int64_t least_non_temporal_bytes =
    2048;  ///< of outputs that are not worth a start and an end
constexpr std::int64_t chunk_bytes = 4 * 1024;        ///< of a run's largest array
constexpr std::int64_t lefts_bytes = 16 * 1024;       ///< of the components of a run's left side
constexpr std::int64_t left_cells_bytes = 16 * 1024;  ///< of the left side of a run of cells
constexpr std::int64_t prefetch_bytes = 1024;         ///< that are asked for before they are needed

/// How the kernels go through a problem.
enum class LoopOrder { None, Elements, Tensors, Cells };

/// What a problem's memory allows.
template <class S>
struct PointwisePlan {
  using Real = typename S::Real;
  using Problem = HostPointwise<Real>;
  LoopOrder loop_order = LoopOrder::None;
  PointwiseKernel<Real> kernel = nullptr;
  int lefts = 1, rights = 1, outs = 1;  ///< components
  bool by_element = false;              ///< components do not meet
  bool is_copy;
  std::int64_t left_at[most_components], right_at[most_components], out_at[most_components];

  explicit PointwisePlan(const Problem& p) {
    const TensorOperation wanted = operationOf(p);
    const TensorOperation one{p.operation, 1, 1, 1};
    const bool is_cross =
        p.operation == HostOperation::Cross2 || p.operation == HostOperation::Cross3;
    const bool is_product = p.operation == HostOperation::Product;
    const bool has_matrices = is_product && (p.left_of.column == 0 || p.columns == 1) &&
                              (p.right_of.row == 0 || p.rows == 1);
    is_copy = p.operation == HostOperation::Copy;
    by_element = !is_cross && wanted.terms == 1;
    const bool is_interleaved = p.cells > 1 && p.out_of.cell == 1 &&
                                (p.right_of.cell == 1 || p.right_of.cell == 0) &&
                                (p.left_of.cell == 1 || p.operation == HostOperation::Copy);
    const bool is_element_order = by_element &&
                                  isInOrder(p, p.out_of, p.columns, 1, p.rows * p.columns) &&
                                  isInOrder(p, p.right_of, p.columns, 1, p.rows * p.columns);
    const bool is_small = wanted.rows * wanted.terms <= most_components &&
                          wanted.terms * wanted.columns <= most_components &&
                          wanted.rows * wanted.columns <= most_components;
    if (is_small && (is_cross || has_matrices)) setOffsets(p, wanted);
    if (is_interleaved) {
      if (is_small && (is_cross || has_matrices)) kernel = pointwiseKernelFor<S, true>(wanted);
      if (kernel == nullptr && by_element) {
        kernel = pointwiseKernelFor<S, true>(one);
      } else {
        by_element = false;
      }
      if (kernel != nullptr) loop_order = LoopOrder::Cells;
    } else if (is_element_order && p.rows * p.columns * S::scalar_bytes <= chunk_bytes) {
      kernel = pointwiseKernelFor<S, true>(one);
      if (kernel != nullptr) loop_order = LoopOrder::Elements;
    } else if (is_small && (is_cross || has_matrices) && areTensorsInOrder(p)) {
      kernel = pointwiseKernelFor<S, false>(wanted);
      if (kernel != nullptr) loop_order = LoopOrder::Tensors;
    }
    if (by_element && loop_order != LoopOrder::Tensors) {
      lefts = rights = outs = 1;
      left_at[0] = right_at[0] = out_at[0] = 0;
    }
  }

 private:
  static TensorOperation operationOf(const Problem& p) {
    return {p.operation, p.rows, p.sum[0].extent * p.sum[1].extent, p.columns};
  }

  /// Whether rows, columns and points lie side by side, in this order.
  static bool isInOrder(const Problem& p, const typename Problem::Strides& of, std::int64_t row,
                        std::int64_t column, std::int64_t point) {
    return (p.rows == 1 || of.row == row) && (p.columns == 1 || of.column == column) &&
           (p.points == 1 || of.point == point);
  }

  void setOffsets(const Problem& p, const TensorOperation& wanted) {
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
    for (std::int64_t i = 0; i < wanted.rows; ++i) {
      for (std::int64_t m = 0; m < wanted.terms; ++m) {
        left_at[lefts++] = i * p.left_of.row + term(m, &HostLevel::left);
      }
      for (std::int64_t j = 0; j < wanted.columns; ++j) {
        out_at[outs++] = i * p.out_of.row + j * p.out_of.column;
      }
    }
    for (std::int64_t m = 0; m < wanted.terms; ++m) {
      for (std::int64_t j = 0; j < wanted.columns; ++j) {
        right_at[rights++] = j * p.right_of.column + term(m, &HostLevel::right);
      }
    }
  }

  bool areTensorsInOrder(const Problem& p) const {
    const auto inOrder = [&](const std::int64_t* at, int n, std::int64_t point) {
      for (int i = 0; i < n; ++i) {
        if (at[i] != i) return false;
      }
      return p.points == 1 || point == n;
    };
    return inOrder(out_at, outs, p.out_of.point) && inOrder(right_at, rights, p.right_of.point);
  }
};

#endif
