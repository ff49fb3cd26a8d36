// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FormOperate.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {

namespace {

const char* nameOf(FusedAlgorithm algorithm) {
  switch (algorithm) {
    case FusedAlgorithm::RegisterBlocking: return RegisterBlocking::name;
    case FusedAlgorithm::TeamReduction: return TeamReduction::name;
    default: return Flat::name;
  }
}

}  // namespace

void requireFields(const Extents& extents, const NamedArray& given,
                   std::initializer_list<std::int64_t> needed) {
  const ArrayDescription& array = given.array;
  const bool fits = array.rank == static_cast<int>(needed.size()) &&
                    std::equal(needed.begin(), needed.end(), array.extents);
  if (!fits) {
    std::string text;
    for (const std::int64_t extent : needed) {
      text += (text.empty() ? "(" : ", ") + std::to_string(extent);
    }
    extents.refuseCall(given.text() + " but it must be " + text + ")");
  }
  extents.requireMemory(given);
}

namespace {

FusedAlgorithm algorithmNamed(const std::string& name) {
  if (name == RegisterBlocking::name) return FusedAlgorithm::RegisterBlocking;
  return name == TeamReduction::name ? FusedAlgorithm::TeamReduction : FusedAlgorithm::Flat;
}

/// The launch settings that forms heed.
unsigned launchKnobsOf(FusedAlgorithm algorithm) {
  switch (algorithm) {
    case FusedAlgorithm::RegisterBlocking: return LaunchSettings::cells_per_team_knob;
    case FusedAlgorithm::TeamReduction:
      return LaunchSettings::team_size_knob | LaunchSettings::cells_per_team_knob;
    default: return LaunchSettings::none;
  }
}

/// Why the algorithm of that name does not serve a form with the settings of a request; empty if it
/// does.
std::string whyNotNamed(const std::string& name, const Request& request,
                        const FusedServes& serves) {
  const FusedAlgorithm algorithm = algorithmNamed(name);
  const bool is_served = name == Flat::name ||
                         (name == RegisterBlocking::name && serves.register_blocking) ||
                         (name == TeamReduction::name && serves.team_reduction);
  if (!is_served) {
    return "the algorithm '" + name + "' was asked for, but forms have " + Flat::name +
           "; on hosts, where scalars are all float or all double, terms are 8 at most and have "
           "the "
           "same signs, and values that a vector is multiplied by are those of the reference "
           "cell, " +
           RegisterBlocking::name + "; and for vectors of tensor-product bases " +
           TeamReduction::name;
  }
  const std::string why = whyNotLaunch(name, launchKnobsOf(algorithm), request.launch);
  if (!why.empty()) return why;
  std::string unknown;
  AlgorithmSettings settings = request.settings;
  forEachAlgorithm([&](auto, auto index) {
    if (request.algorithm != index) return;
    std::get<decltype(index)::value>(settings).visit(
        [&](const char* setting, auto& value, const char*) {
          if (isGiven(value)) unknown = setting;
        });
  });
  if (!unknown.empty()) {
    return "forms by the algorithm " + name + " have no setting '" + unknown +
           "'; leave it at its default";
  }
  return algorithm == FusedAlgorithm::TeamReduction ? serves.why_not_teams : std::string();
}

}  // namespace

FusedAlgorithm FusedRequest::choose(const FusedServes& serves) {
  if (_wish.algorithm != Request::automatic) {
    const std::string name =
        Options::algorithmNames().at(static_cast<std::size_t>(_wish.algorithm));
    const std::string why = whyNotNamed(name, _wish, serves);
    if (why.empty()) return algorithmNamed(name);
    if (!_are_defaults) refuse(_function, why);
    _why_not_defaults = why;
    _wish = Request();
  }
  if (serves.register_blocking) return FusedAlgorithm::RegisterBlocking;
  const bool takes_teams = serves.team_reduction && serves.why_not_teams.empty();
  return takes_teams && !serves.is_host ? FusedAlgorithm::TeamReduction : FusedAlgorithm::Flat;
}

void FusedRequest::remember(FusedAlgorithm algorithm, const char* kernel, double flops,
                            double bytes) const {
  const bool is_asked_for = _wish.algorithm != Request::automatic;
  rememberCall(FormDecision{_function, nameOf(algorithm), kernel, is_asked_for, _why_not_defaults,
                            flops, bytes});
}

void FusedRequest::rememberNothing() const {
  rememberCall(FormDecision{_function, "", "", false, {}, 0, 0});
}

std::string whyNotTeams(const SweepPlan& plan, const Machine& machine) {
  if (!plan.fits) {
    return "teams of " + std::to_string(plan.cells) + (plan.cells == 1 ? " cell" : " cells") +
           " do not fit: no scratch memory holds what they sum";
  }
  if (plan.teams.threads <= machine.team_size_max) return {};
  return "Team Size is " + std::to_string(plan.teams.threads) + " but can be at most " +
         std::to_string(machine.team_size_max);
}

double formFlops(const FusedShape& s, bool is_load, bool is_action, int left, int right) {
  const double points = double(s.cells) * double(s.points);
  const double lefts = double(s.lefts) * s.left_blocks * left;
  if (is_load) return 2 * points * lefts;
  const double rights = double(s.rights) * s.right_blocks;
  const double metric = double(left) * right * s.left_blocks * s.right_blocks;
  if (is_action) return 2 * points * (rights * right + metric + lefts);
  const double sums = lefts * rights / (s.is_symmetric ? 2 : 1);
  return 2 * points * (sums + rights * left * right * s.left_blocks);
}

std::string fusedLabel(const char* function, FusedAlgorithm algorithm) {
  return std::string("Kontract::") + function + "::" + nameOf(algorithm);
}

}  // namespace Impl
}  // namespace Kontract
