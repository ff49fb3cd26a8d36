// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FACTORIZATIONPLAN_HPP
#define KONTRACT_FACTORIZATIONPLAN_HPP

#include <string>

#include "detail/kernels/portable/Kontract_FastDivisor.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/problem/Kontract_FormWork.hpp"

namespace Kontract {
namespace Impl {

/// How teams divide a sum factorization.
struct FactorizationPlan {
  int cells = 1;  ///< of a team
  FastDivisor by_cells;
  Teams teams;
  bool fits = false;  ///< some scratch memory holds the cells of a team
};

/// \param number_bytes  of a scalar
/// \param launch        Team Size and Cells Per Team are honoured
FactorizationPlan factorizationPlan(const FactorizationSizes& sizes, int number_bytes,
                                    const LaunchSettings& launch, const Machine& machine);

/// Why a plan does not fit a machine; empty if it does.
std::string whyNotPlan(const FactorizationPlan& plan, const Machine& machine);

/// Says that scratch memory does not hold so many cells.
std::string whyNoScratch(int cells);

/// Why teams cannot have that many threads; empty if they can.
std::string whyNotTeamSize(int threads, int most);

}  // namespace Impl
}  // namespace Kontract

#endif
