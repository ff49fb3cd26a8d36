// SPDX-License-Identifier: BSD-3-Clause
//
// The kernels of one instruction set: included once by each source that is
// compiled for one, with KONTRACT_INSTRUCTION_SET as the name of its namespace.

#include "Kontract_HostKernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define KONTRACT_INLINE inline __attribute__((always_inline))
#define KONTRACT_INLINE_LAMBDA __attribute__((always_inline))

namespace Kontract {
namespace Impl {
namespace KONTRACT_INSTRUCTION_SET {
namespace {

// Each needs those before it.
// clang-format off
#include "Kontract_HostSimd.ipp"
#include "Kontract_HostTraffic.ipp"
#include "Kontract_HostTile.ipp"
#include "Kontract_HostRows.ipp"
#include "Kontract_HostCells.ipp"
#include "Kontract_HostContract.ipp"
#include "Kontract_HostPoints.ipp"
#include "Kontract_HostFormulas.ipp"
#include "Kontract_HostArrangements.ipp"
#include "Kontract_HostRunEnds.ipp"
#include "Kontract_HostPointwise.ipp"
#include "Kontract_HostFormTile.ipp"
#include "Kontract_HostFormPoints.ipp"
#include "Kontract_HostForms.ipp"
#include "Kontract_HostAffineForms.ipp"
#include "Kontract_HostTensorForms.ipp"
#include "Kontract_HostLanes.ipp"
#include "Kontract_HostLaneSides.ipp"
#include "Kontract_HostLaneForms.ipp"
#include "Kontract_HostLaneMatrices.ipp"
#include "Kontract_HostFormsOfCells.ipp"
// clang-format on

template <class Real, bool is_complex>
constexpr HostKernels::Of<Real> kernelsOf() {
  using S = Scheme<Real, is_complex, vector_bytes>;
  using P = PointScheme<Real, is_complex, vector_bytes>;
  HostKernels::Of<Real> kernels = {&workspaceOf<S>, &contract<S>, &multiplyWorkspace<P>,
                                   &multiply<P>,    nullptr,      nullptr,
                                   nullptr};
  if constexpr (!is_complex) {
    kernels.form_workspace = &formWorkspace<Real>;
    kernels.form_kernel = &formKernel<Real>;
    kernels.integrate = &integrateForms<Real>;
  }
  return kernels;
}

}  // namespace

extern const HostKernels kernels;
const HostKernels kernels = {KONTRACT_INSTRUCTION_SET_NAME, kernelsOf<double, false>(),
                             kernelsOf<double, true>(), kernelsOf<float, false>(),
                             kernelsOf<float, true>()};

}  // namespace KONTRACT_INSTRUCTION_SET
}  // namespace Impl
}  // namespace Kontract
