// SPDX-License-Identifier: BSD-3-Clause
//
// The forms of one instruction set; see Kontract_HostKernelSet.ipp.

#include "Kontract_HostForms.hpp"
#include "Kontract_HostInline.ipp"

namespace Kontract {
namespace Impl {
namespace KONTRACT_INSTRUCTION_SET {
namespace {

// Each needs those before it.
// clang-format off
#include "Kontract_HostSimd.ipp"
#include "Kontract_HostTraffic.ipp"
#include "Kontract_HostTile.ipp"
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

}  // namespace

template <class Real>
std::int64_t formWorkspace(const HostForms<Real>& forms) {
  return withFormKernelOf(forms, [](auto&& kernel) { return kernel.reals(); }) *
         std::int64_t(sizeof(Real));
}

template <class Real>
const char* formKernel(const HostForms<Real>& forms) {
  return withFormKernelOf(forms, [](auto&& kernel) { return kernel.name(); });
}

template <class Real>
void integrateForms(const HostForms<Real>& forms, std::int64_t first_cell, std::int64_t last_cell,
                    void* workspace) {
  withFormKernelOf(forms, [&](auto&& kernel) { kernel.compute(first_cell, last_cell, workspace); });
}

#define KONTRACT_FORMS_OF(REAL)                                                             \
  template std::int64_t formWorkspace(const HostForms<REAL>&);                              \
  template const char* formKernel(const HostForms<REAL>&);                                  \
  template void integrateForms(const HostForms<REAL>&, std::int64_t first_cell,             \
                               std::int64_t last_cell, void* workspace);
KONTRACT_FORMS_OF(double)
KONTRACT_FORMS_OF(float)
#undef KONTRACT_FORMS_OF

}  // namespace KONTRACT_INSTRUCTION_SET
}  // namespace Impl
}  // namespace Kontract
