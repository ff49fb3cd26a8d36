// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORMATRIXPLAN_HPP
#define KONTRACT_TENSORMATRIXPLAN_HPP

#include <cstdint>

#include "detail/kernels/portable/Kontract_TensorMatrixLayout.hpp"
#include "detail/problem/Kontract_FormWork.hpp"
#include "detail/problem/Kontract_Work.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// How blocks compute element matrices of tensor-product bases by matrix instructions.
struct TensorMatrixPlan {
  static constexpr int most_threads = 256;  ///< that have as many registers as the kernel needs

  TensorMatrixLayout<AnyMatrixSizes> layout;
  std::int64_t shared_bytes = 0;  ///< of a block
  bool fits = false;              ///< there is a kernel for the form, and shared memory has room
};

TensorMatrixPlan tensorMatrixPlan(const Work& work, const Machine& machine);

/// Whether matrix instructions compute the matrices of a form so: by sum factorization.
bool hasTensorMatrices(const Work& work, const Machine& machine);

/// Expected seconds.
double secondsOfTensorMatrices(const Work& work, const Machine& machine);

}  // namespace Impl
}  // namespace Kontract

#endif
