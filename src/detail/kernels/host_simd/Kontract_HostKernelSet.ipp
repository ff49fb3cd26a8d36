// SPDX-License-Identifier: BSD-3-Clause
//
// The kernels of one instruction set, but for its forms: included once by each source that is
// compiled for one, with KONTRACT_INSTRUCTION_SET as the name of its namespace.

#include "detail/kernels/host_simd/common/Kontract_HostInline.ipp"

namespace Kontract {
namespace Impl {
namespace KONTRACT_INSTRUCTION_SET {
// Defined by the source of this set's forms, which takes as long to compile as all else here.
template <class Real>
std::int64_t formWorkspace(const HostForms<Real>&);
template <class Real>
HostFormKernel formKernel(const HostForms<Real>&);
template <class Real>
void integrateForms(const HostForms<Real>&, std::int64_t first_cell, std::int64_t last_cell,
                    void* workspace);

namespace {

#include "detail/kernels/host_simd/contraction/Kontract_HostContract.ipp"
#include "detail/kernels/host_simd/fad/Kontract_HostFadContract.ipp"
#include "detail/kernels/host_simd/fad/Kontract_HostFadPointwise.ipp"
#include "detail/kernels/host_simd/pointwise/Kontract_HostPointwise.ipp"

template <class Real, bool is_complex>
constexpr HostKernels::Of<Real> kernelsOf() {
  using S = Scheme<Real, is_complex, vector_bytes>;
  using P = PointScheme<Real, is_complex, vector_bytes>;
  HostKernels::Of<Real> kernels = {};
  kernels.workspace = &workspaceOf<S>;
  kernels.contract = &contract<S>;
  kernels.multiply_workspace = &multiplyWorkspace<P>;
  kernels.multiply = &multiply<P>;
  if constexpr (!is_complex) {
    kernels.contract_fads_workspace = &contractFadsWorkspace<Real>;
    kernels.contract_fads = &contractFads<Real>;
    kernels.multiply_fads_workspace = &multiplyFadsWorkspace<Real>;
    kernels.multiply_fads = &multiplyFads<Real>;
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
