// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_HOSTFORMARGUMENTS_HPP
#define KONTRACT_HOSTFORMARGUMENTS_HPP

#include "detail/problem/Kontract_PlainArrays.hpp"

namespace Kontract {
namespace Impl {

// Like Kontract_HostKernels.hpp, all that sources for one instruction set see.

/// Kernels of hosts for forms; the first stands for a choice that is not made yet.
enum class HostFormKernel {
  Auto,
  PerCell,           ///< one cell after another, points in vectors
  InterleavedCells,  ///< cells in vectors
  ReferenceTensors,  ///< of affine cells: sums over points once for all cells
  SumFactorization   ///< of tensor-product bases: sums direction by direction
};

/// A form for kernels of hosts. All terms have the same signs; a load is a matrix of a single left
/// field.
template <class Real>
struct HostForms : PlainArrays<Real> {
  HostFormKernel kernel = HostFormKernel::Auto;
  std::int64_t cells_at_once = 0;  ///< in a call of a kernel; the last one may have fewer
  bool stream = false;  ///< the output is larger than caches: write it without reading it
};

}  // namespace Impl
}  // namespace Kontract

#endif
