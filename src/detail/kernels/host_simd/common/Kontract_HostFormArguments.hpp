// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_HOSTFORMARGUMENTS_HPP
#define KONTRACT_HOSTFORMARGUMENTS_HPP

#include <cstdint>

#include "detail/problem/Kontract_FormShape.hpp"

namespace Kontract {
namespace Impl {

// Like Kontract_HostKernels.hpp, all that sources for one instruction set see.

/// An array of a form of plain scalars; strides count scalars, 0 where it has one for all.
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

/// A term of a form of plain scalars.
template <class Real>
struct HostTerm : FormTermShape {
  HostValues<Real> left, right;
  HostTensor<Real> coefficient, second, left_signs, right_signs;
};

/// Kernels of hosts for forms; the first leaves the choice to them.
enum class HostFormKernel {
  Auto,
  PerCell,           ///< one cell after another, points in vectors
  InterleavedCells,  ///< cells in vectors
  ReferenceTensors,  ///< of affine cells: sums over points once for all cells
  SumFactorization   ///< of tensor-product bases: sums direction by direction
};

/// A form whose scalars are all float or all double, for kernels of hosts. All terms have the same
/// signs, those of the first.
template <class Real>
struct HostForms : FormShape {
  HostFormKernel kernel = HostFormKernel::Auto;
  std::int64_t cells_at_once = 0;  ///< in a call of a kernel; the last one may have fewer
  bool is_load = false;            ///< its fields are the right ones of a single left field
  bool stream = false;  ///< the output is larger than caches: write it without reading it
  Real* out = nullptr;
  std::int64_t out_cell = 0, out_row = 0, out_column = 0;
  HostTensor<Real> mapping, gradients, weights;
  HostTensor<Real> left_signs, right_signs;
  HostTensor<Real> vector;  ///< (C,R) of a matrix-free product
  const HostTerm<Real>* terms = nullptr;
};

}  // namespace Impl
}  // namespace Kontract

#endif
