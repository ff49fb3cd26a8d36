// SPDX-License-Identifier: BSD-3-Clause
//
// The forms of one instruction set; see Kontract_HostKernelSet.ipp.

#include "detail/kernels/host_simd/common/Kontract_HostInline.ipp"

namespace Kontract {
namespace Impl {
namespace KONTRACT_INSTRUCTION_SET {
namespace {

#include "Kontract_HostFormDispatch.ipp"

}  // namespace

template <class Real>
std::int64_t formWorkspace(const HostForms<Real>& forms) {
  return realsOf(forms) * std::int64_t(sizeof(Real));
}

template <class Real>
HostFormKernel formKernel(const HostForms<Real>& forms) {
  return withDimension(forms, [&](auto d) { return kernelFor<Real, decltype(d)::value>(forms); });
}

template <class Real>
void integrateForms(const HostForms<Real>& forms, std::int64_t first_cell, std::int64_t last_cell,
                    void* workspace) {
  computeCells(forms, first_cell, last_cell, static_cast<Real*>(workspace));
}

#define KONTRACT_FORMS_OF(REAL)                                                 \
  template std::int64_t formWorkspace(const HostForms<REAL>&);                  \
  template HostFormKernel formKernel(const HostForms<REAL>&);                   \
  template void integrateForms(const HostForms<REAL>&, std::int64_t first_cell, \
                               std::int64_t last_cell, void* workspace);
KONTRACT_FORMS_OF(double)
KONTRACT_FORMS_OF(float)
#undef KONTRACT_FORMS_OF

}  // namespace KONTRACT_INSTRUCTION_SET
}  // namespace Impl
}  // namespace Kontract
