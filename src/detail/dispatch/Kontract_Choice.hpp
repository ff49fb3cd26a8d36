// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CHOICE_HPP
#define KONTRACT_CHOICE_HPP

#include <array>
#include <string>

#include "Kontract_Explanation.hpp"
#include "Kontract_Options.hpp"
#include "detail/problem/Kontract_Work.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// Which algorithms can serve a problem at all, by place in the list.
using Applicable = std::array<bool, algorithm_count>;

/// An algorithm picked for a problem.
struct Choice {
  static constexpr int nothing_to_do = -1;
  int algorithm = nothing_to_do;
  bool is_automatic = true;
  double measured_seconds = 0;  ///< if it comes from a tuning table
};

/// Picks the algorithm with the least expected time, or the one that was asked for by name. A pure
/// function of its arguments.
/// \throws std::invalid_argument if the algorithm named cannot serve the problem, or was given
/// launch
///   settings that it does not have
Choice choose(Operation operation, const Request& request, const Work& work, const Machine& machine,
              const Applicable& applicable);

/// Why the algorithm of a request cannot run this with the settings of that request; empty if it
/// can.
std::string whyNot(const Request& request, const Work& work, const Machine& machine,
                   const Applicable& applicable);

/// Why launch settings do not suit an algorithm: one that it does not heed is refused rather than
/// forgotten. Empty if they do.
/// \param launch_knobs  what it heeds
std::string whyNotLaunch(const std::string& algorithm, unsigned launch_knobs,
                         LaunchSettings launch);

/// Expected seconds of an algorithm, by place in the list.
double estimate(int algorithm, const Work& work, const Machine& machine);

/// What is said of a call whose output has no elements.
inline constexpr const char* nothing_to_do = "there is nothing to do: the output has no elements";

/// The choice in words.
Explanation explainChoice(Operation operation, const Choice& choice, const Request& request,
                          const Work& work, const Machine& machine, const Applicable& applicable);

/// "Kontract::<operation>" for regions.
const std::string& regionName(Operation operation);

/// "Kontract::<operation>::<algorithm>" for kernels.
const std::string& kernelLabel(Operation operation, int algorithm);

}  // namespace Impl
}  // namespace Kontract

#endif
