// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_HOSTFORMARGUMENTS_HPP
#define KONTRACT_HOSTFORMARGUMENTS_HPP

#include <cstdint>

#include "Kontract_Pullback.hpp"

namespace Kontract {
namespace Impl {

// Like Kontract_HostKernels.hpp, all that sources for one instruction set see.

constexpr int max_form_terms = 8;  ///< of a fused problem

/// An array of a fused problem on the host; strides count scalars, 0 where it has one for all.
template <class Real>
struct HostTensor {
  const Real* data = nullptr;  ///< may be null where there are no elements, too
  std::int64_t cell = 0, field = 0, point = 0, row = 0, column = 0;
  bool is_there = false;
};

/// Functions of one coordinate at points, of a tensor-product basis; by field and point.
template <class Real>
struct HostDirection {
  std::int64_t functions = 1, points = 1;
  HostTensor<Real> values, derivatives;
};

/// Values of a side of a term: an array, or, if that is not there, those of a tensor-product basis.
template <class Real>
struct HostValues : HostTensor<Real> {
  int directions = 0;  ///< of a tensor-product basis
  bool is_gradient = false;
  HostDirection<Real> direction[3];
};

/// A term of a fused problem on the host, as FusedTerm.
template <class Real>
struct HostTerm {
  Pullback left_pullback, right_pullback;
  CoefficientKind kind;
  bool left_is_vector, right_is_vector;
  bool coefficient_is_vector_of_blocks;
  HostValues<Real> left, right;
  HostTensor<Real> coefficient, second;
};

/// A fused problem on the host, as FusedProblem. All terms have the same signs.
template <class Real>
struct HostForms {
  std::int64_t cells, lefts, rights, points, nodes;
  std::int64_t cells_at_once;  ///< in a call of a kernel; the last one may have fewer
  int dimension;
  int left_blocks, right_blocks;
  bool has_mapping, weights_are_measures, is_symmetric, sum_into;
  bool is_load;                  ///< its fields are the right ones of a single left field
  bool has_values_of_reference;  ///< values are the same in all cells
  bool stream;                   ///< the output is larger than caches: write it without reading it
  Real* out;
  std::int64_t out_cell, out_row, out_column;
  HostTensor<Real> mapping, gradients, weights;
  HostTensor<Real> left_signs, right_signs;
  HostTensor<Real> vector;  ///< (C,R) of a matrix-free product
  const HostTerm<Real>* terms;
  int term_count;
};

}  // namespace Impl
}  // namespace Kontract

#endif
