// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_HOSTPRODUCTS_HPP
#define KONTRACT_HOSTPRODUCTS_HPP

#include "Kontract_HostProblem.hpp"

namespace Kontract {
namespace Impl {

/// A pointwise operation as the kernels of the host take it.
template <class Problem>
struct HostProducts {
  using Scalar = typename Problem::out_type::value_type;
  using Real = typename RealOf<Scalar>::type;

  HostPointwise<Real> pointwise;
  HostKernels::Of<Real> kernels;
  std::int64_t cells;  ///< to be computed; plans are made for the cells of the whole problem
  std::int64_t bytes;  ///< of workspace; negative if the kernels have nothing for this problem

  explicit HostProducts(const Problem& problem, const HostKernels& set = hostKernels())
      : pointwise(pointwiseOf(problem)),
        kernels(hostKernelsOf<Scalar>(set)),
        cells(problem.shape.cells) {
    const bool is_in_place = pointwise.out == pointwise.left || pointwise.out == pointwise.right;
    const int scalar = sizeof(Scalar), scalars[3] = {scalar, scalar, scalar};
    pointwise.stream = !is_in_place && exceedsCache(problem.shape.work(scalars).bytes);
    bytes = kernels.multiply_workspace(pointwise);
  }

  /// \param problem  whose addresses are used, and whose shape; outputs go through the caches
  static HostPointwise<Real> pointwiseOf(const Problem& problem) {
    const PointwiseShape& s = problem.shape;
    HostPointwise<Real> p;
    p.operation = operationOf(s.kind);
    p.out = reinterpret_cast<Real*>(problem.out.data);
    p.left = reinterpret_cast<const Real*>(problem.left.data);
    p.right = reinterpret_cast<const Real*>(problem.right.data);
    p.cells = s.whole().cells;
    p.fields = s.fields;
    p.points = s.points;
    p.rows = s.rows;
    p.columns = s.columns;
    for (int i = 0; i < 2; ++i) p.sum[i] = {s.sum[i].extent, s.sum[i].left, s.sum[i].right};
    p.out_of = stridesOf(s.out);
    p.left_of = stridesOf(s.left);
    p.right_of = stridesOf(s.right);
    p.stream = false;
    return p;
  }

  /// Does some cells, in this thread.
  void multiply(std::int64_t first_cell, std::int64_t last_cell, void* memory) const {
    kernels.multiply(pointwise, first_cell, last_cell, memory);
  }

 private:
  static HostOperation operationOf(PointwiseKind kind) {
    switch (kind) {
      case PointwiseKind::Copy: return HostOperation::Copy;
      case PointwiseKind::Quotient: return HostOperation::Quotient;
      case PointwiseKind::Cross2: return HostOperation::Cross2;
      case PointwiseKind::Cross3: return HostOperation::Cross3;
      case PointwiseKind::Determinant: return HostOperation::Determinant;
      case PointwiseKind::Inverse: return HostOperation::Inverse;
      case PointwiseKind::Product: return HostOperation::Product;
      default: return HostOperation::Other;
    }
  }
  static typename HostPointwise<Real>::Strides stridesOf(const PointwiseShape::Strides& of) {
    return {of.cell, of.field, of.point, of.row, of.column};
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
