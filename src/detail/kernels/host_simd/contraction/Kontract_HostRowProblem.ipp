// SPDX-License-Identifier: BSD-3-Clause
//
// What contractions of rows of contiguous terms are given.
#ifndef KONTRACT_HOSTROWPROBLEM_IPP
#define KONTRACT_HOSTROWPROBLEM_IPP

#include "detail/kernels/host_simd/common/Kontract_HostOutputStream.ipp"

/// Contractions of some cells in which terms are contiguous; strides count reals.
template <class Real>
struct Rows {
  const Real* left;
  const Real* right;
  Real* out;
  std::int64_t cells, lefts, rights, terms;
  std::int64_t all_lefts;  ///< of the problem, of which these may be a part
  std::int64_t left_cell, left_field, right_cell, right_field, out_cell, out_left, out_right;
  bool add;
  OutputStream<Real>* stream;  ///< takes the outputs of each cell, or nullptr
};

#endif
