// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMENTRY_HPP
#define KONTRACT_FORMENTRY_HPP

#include "Kontract_FormPoint.hpp"

namespace Kontract {
namespace Impl {

// What kernels have in common that compute the matrices of a cell by pairs of components.

/// A component of left fields and one of right ones.
struct FormPair {
  int i = 0, j = 0;
};

/// \param pair  of all; of a symmetric matrix those with j <= i
KOKKOS_FORCEINLINE_FUNCTION FormPair formPair(const FormShape& shape, int pair) {
  FormPair at;
  if (shape.is_symmetric) {
    while (pair > at.i) pair -= ++at.i;
    at.j = pair;
  } else {
    at.i = pair / shape.right_blocks;
    at.j = pair - at.i * shape.right_blocks;
  }
  return at;
}

/// Gradients of nodes' functions at a point.
template <class Real>
struct NodeGradients {
  const Real* data;
  std::int64_t node, column;  ///< how far apart
};

/// The Jacobian of a mapping at a point.
/// \param x  of the nodes of a cell, by node and component, so far apart
/// \param nodes  how many, a number or a constant
template <int D, class Count, class Acc, class X, class Real>
KOKKOS_FORCEINLINE_FUNCTION void setJacobian([[maybe_unused]] Count nodes, const X* x, int x_step,
                                             NodeGradients<Real> gradients, Acc (&jacobian)[D][D]) {
  for (auto& row : jacobian) {
    for (Acc& entry : row) entry = Acc(0);
  }
  const auto add = [&] {
    Acc of_node[D];
    for (int j = 0; j < D; ++j) of_node[j] = Acc(gradients.data[j * gradients.column]);
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) multiplyAdd(jacobian[i][j], *x, of_node[j]);
      x += x_step;
    }
    gradients.data += gradients.node;
  };
  if constexpr (std::is_integral_v<Count>) {
    // More nodes at a time cost registers that devices need for sums.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#pragma unroll 2
#endif
    for (int n = 0; n < nodes; ++n) add();
  } else {
    constexpr int known = Count::value;
    KONTRACT_UNROLL
    for (int n = 0; n < known; ++n) add();
  }
}

/// Fills in what follows from the Jacobian of a point.
template <int D, class Problem, class Acc>
KOKKOS_FORCEINLINE_FUNCTION void completeJacobian(const Problem& problem, std::int64_t c,
                                                  std::int64_t p, PointGeometry<D, Acc>& at) {
  invertJacobian(at);
  at.measure = FormPoint<Problem, D>::weight(problem, c, p);
  FormPoint<Problem, D>::addMeasure(problem, p, at);
}

/// The geometry of a point from the nodes of its cell.
/// \param x  of the nodes, by node and component, so far apart
template <int D, class Problem, class X, class Real>
KOKKOS_FORCEINLINE_FUNCTION auto geometryOfNodes(const Problem& problem, std::int64_t c,
                                                 std::int64_t p, int nodes, const X* x, int x_step,
                                                 NodeGradients<Real> gradients) {
  PointGeometry<D, typename FormPoint<Problem, D>::Acc> at;
  setJacobian(nodes, x, x_step, gradients, at.jacobian);
  completeJacobian(problem, c, p, at);
  return at;
}

/// Gradients of the nodes' functions at a point, where they are in memory.
template <class Problem>
KOKKOS_FORCEINLINE_FUNCTION auto nodeGradients(const Problem& problem, std::int64_t p) {
  const FormStrides& strides = problem.gradients.strides;
  using Real = std::decay_t<decltype(*problem.gradients.elements.data)>;
  return NodeGradients<Real>{problem.gradients.elements.data + p * strides.point, strides.field,
                             strides.row};
}

/// The sum of an entry, with the signs of its fields.
template <int D, class Problem, class Acc>
KOKKOS_FORCEINLINE_FUNCTION Acc signedSum(const Problem& problem, std::int64_t c, int l, int r,
                                          Acc sum) {
  using Point = FormPoint<Problem, D>;
  Point::applySign(problem.left_signs, c, l, sum);
  Point::applySign(problem.right_signs, c, r, sum);
  return sum;
}

/// Stores, or adds, the sum of an element of the matrix of a cell.
/// \param row, column  of the matrix of all components
template <class Problem, class Acc>
KOKKOS_FORCEINLINE_FUNCTION void storeEntry(const Problem& problem, std::int64_t c,
                                            std::int64_t row, std::int64_t column, Acc sum) {
  const FormShape& s = problem.shape;
  if (problem.isScattered()) {
    problem.scatter.add(problem.out.data, c, row, column, s.rights * s.right_blocks, sum);
    return;
  }
  const FormStrides& strides = problem.out_strides;
  auto&& to = problem.out[c * strides.cell + row * strides.row + column * strides.column];
  if (s.sum_into) {
    Impl::store<true>(to, sum);
  } else {
    Impl::store<false>(to, sum);
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
