// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_HOSTFORMS_HPP
#define KONTRACT_HOSTFORMS_HPP

#include <cstdint>

#include "Kontract_Pullback.hpp"

namespace Kontract {
namespace Impl {

// Like Kontract_HostKernels.hpp, all that sources for one instruction set see.

/// An array of a fused problem on the host; strides count scalars, 0 where it has one for all.
template <class Real>
struct HostTensor {
  const Real* data = nullptr;  ///< null if it is not there
  std::int64_t cell = 0, field = 0, point = 0, row = 0, column = 0;
};

/// A term of a fused problem on the host, as FusedTerm.
template <class Real>
struct HostTerm {
  Pullback left_pullback, right_pullback;
  CoefficientKind kind;
  bool left_is_vector, right_is_vector;
  bool coefficient_is_vector_of_blocks;
  HostTensor<Real> left, right, coefficient, second;
};

/// A fused problem on the host, as FusedProblem. All terms have the same signs.
template <class Real>
struct HostForms {
  std::int64_t cells, lefts, rights, points, nodes;
  std::int64_t cells_at_once;  ///< in a call of a kernel; the last one may have fewer
  int dimension;
  int left_blocks, right_blocks;
  bool has_mapping, weights_are_measures, is_symmetric, sum_into;
  Real* out;
  std::int64_t out_cell, out_row, out_column;
  HostTensor<Real> mapping, gradients, weights;
  HostTensor<Real> left_signs, right_signs;
  const HostTerm<Real>* terms;
  int term_count;
};

}  // namespace Impl
}  // namespace Kontract

#endif
