// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMFLUXPLAN_HPP
#define KONTRACT_FORMFLUXPLAN_HPP

#include <string>

#include "detail/kernels/portable/Kontract_FormFluxTiles.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/problem/Kontract_Work.hpp"

namespace Kontract {
namespace Impl {

/// Threads of a team on devices, unless fewer are asked for.
inline constexpr int form_flux_threads = 256;

/// How teams compute the vectors of a form, or its products.
struct FormFluxPlan {
  FormFluxSizes sizes;
  Teams teams;        ///< but for pieces, which are those of a launch
  bool fits = false;  ///< scratch memory holds what a team needs
};

/// \param launch  Team Size and Cells Per Team are honoured
FormFluxPlan formFluxPlan(const Work& work, const Machine& machine, const LaunchSettings& launch);

/// Why teams cannot compute a form so; empty if they can.
std::string whyNotFormFluxes(const Work& work, const Machine& machine,
                             const LaunchSettings& launch);

/// Expected seconds.
double secondsOfFormFluxes(const Work& work, const Machine& machine);

/// Expected seconds of loads on a device whose threads each compute a few fields, and of products
/// whose threads each compute a cell.
double secondsOfFlatVectors(const Work& work, const Machine& machine);

}  // namespace Impl
}  // namespace Kontract

#endif
