// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_DISPATCH_HPP
#define KONTRACT_DISPATCH_HPP

#include "Kontract_CallOptions.hpp"
#include "Kontract_Choice.hpp"
#include "Kontract_Decision.hpp"
#include "detail/algorithms/Kontract_TransformedForms.hpp"
#include "detail/dispatch/tuning/Kontract_Autotune.hpp"
#include "detail/dispatch/tuning/Kontract_Tuner.hpp"
#include "detail/support/Kontract_Region.hpp"

namespace Kontract {
namespace Impl {

template <class Space, class Problem>
Applicable applicableTo() {
  Applicable applicable{};
  forEachAlgorithm([&](auto algorithm, auto index) {
    applicable[index] = decltype(algorithm)::template serves<Space, Problem>;
  });
  return applicable;
}

/// Whether a request gives a setting of an algorithm, or one of the launch.
template <int place>
bool givesSettings(Request& request) {
  bool gives = false;
  const auto look = [&](const char*, auto& value, const char*) { gives = gives || isGiven(value); };
  std::get<place>(request.settings).visit(look);
  request.launch.visit(look);
  return gives;
}

/// Sets settings of algorithms aside that a form which chooses for itself cannot have: they are for
/// contractions, or for other forms.
template <class Space, class Problem>
void leaveSettingsAside(Decision& decision) {
  Request& request = decision.request;
  const bool is_colored =
      static_cast<ScatterWay>(request.launch.scatter.place) == ScatterWay::Colored;
  if (decision.work.form.shape.is_scattered && decision.machine.is_host && is_colored) {
    request.launch.cells_per_team = 0;  // colors are of blocks of cells
  }
  forEachAlgorithm([&](auto algorithm, auto index) {
    constexpr int place = decltype(index)::value;
    if constexpr (decltype(algorithm)::template serves<Space, Problem>) {
      if (!givesSettings<place>(request)) return;
      const auto fits = [&] {
        return algorithm.whyNot(decision.work, decision.machine, request.template plan<place>())
            .empty();
      };
      if (fits()) return;
      std::get<place>(request.settings) = {};
      if (!fits()) request.launch.vector_length = 0;
    }
  });
}

/// Sets a request aside that default options make and a form cannot be run by: defaults are for all
/// functions of a program, and forms have few algorithms.
template <class Space, class Problem>
void leaveDefaultsAside(const CallOptions& options, Decision& decision) {
  if constexpr (is_form<Problem>) {
    Request& request = decision.request;
    if (options.are_defaults && request.algorithm != Request::automatic) {
      decision.why_not_defaults =
          whyNot(request, decision.work, decision.machine, decision.applicable);
      if (!decision.why_not_defaults.empty()) {
        Request automatic;
        automatic.tuner = request.tuner;
        automatic.measures = request.measures;
        automatic.launch.scatter = request.launch.scatter;  // that forms alone have
        request = automatic;
      }
    }
    if (request.algorithm == Request::automatic) leaveSettingsAside<Space, Problem>(decision);
  }
}

/// Lets the algorithm that was chosen tell what settings become that were left open, if it likes.
template <class Algorithm, class Problem, class Settings>
auto resolve(Algorithm algorithm, const Problem& problem, const Machine& machine,
             const Plan<Settings>& plan, Settings& settings, int)
    -> decltype(void(algorithm.resolved(problem, machine, plan))) {
  settings = algorithm.resolved(problem, machine, plan);
}
template <class Algorithm, class Problem, class Settings>
void resolve(Algorithm, const Problem&, const Machine&, const Plan<Settings>&, Settings&, long) {}

template <class Algorithm>
auto resolveLaunch(Algorithm algorithm, Decision& decision, int)
    -> decltype(void(algorithm.resolvedLaunch(decision.work, decision.machine,
                                              decision.request.launch))) {
  LaunchSettings& launch = decision.request.launch;
  launch = algorithm.resolvedLaunch(decision.work, decision.machine, launch);
}
template <class Algorithm>
void resolveLaunch(Algorithm, Decision&, long) {}

template <class Space, class Problem>
void resolveSettings(const Problem& problem, Decision& decision) {
  forEachAlgorithm([&](auto algorithm, auto index) {
    constexpr int place = decltype(index)::value;
    if constexpr (decltype(algorithm)::template serves<Space, Problem>) {
      if (decision.choice.algorithm != place) return;
      resolve(algorithm, problem, decision.machine, decision.request.template plan<place>(),
              std::get<place>(decision.request.settings), 0);
      if constexpr (is_form<Problem>) resolveLaunch(algorithm, decision, 0);
    }
  });
}

/// Decides what is to run for a problem, without running it.
/// \throws std::invalid_argument as choose() does
template <class Space, class Problem>
Decision decide(const Space& space, Operation operation, const Problem& problem,
                const CallOptions& options) {
  Decision decision;
  decision.operation = operation;
  decision.request = options.of(operation);
  decision.work = wholeWorkOf(problem);
  decision.machine = machineOf(space);
  decision.applicable = applicableTo<Space, Problem>();
  leaveDefaultsAside<Space, Problem>(options, decision);
  if constexpr (is_tuned<Problem>) {
    if (decision.request.isTuned()) {
      takeFromTable(tuningKey<Space>(problem, decision.work, decision.machine,
                                     decision.request.launch.scatter),
                    decision);
    }
  }
  if (decision.choice.measured_seconds == 0) {
    decision.choice =
        choose(operation, decision.request, decision.work, decision.machine, decision.applicable);
  }
  resolveSettings<Space>(problem, decision);
  return decision;
}

/// What an algorithm tells as its cell granularity: 1 if nothing.
template <class Algorithm, class Problem, class Plan>
auto granularityOf(Algorithm algorithm, const Problem& problem, const Machine& machine,
                   const Plan& plan, int)
    -> decltype(algorithm.cell_granularity(problem, machine, plan)) {
  return algorithm.cell_granularity(problem, machine, plan);
}
template <class Algorithm, class Problem, class Plan>
std::int64_t granularityOf(Algorithm, const Problem&, const Machine&, const Plan&, long) {
  return 1;
}

/// Chunks of cells of a problem are cut at multiples of this, for results that do not depend on
/// cuts.
template <class Space, class Problem>
std::int64_t granularityOf(const Problem& problem, const Decision& decision) {
  std::int64_t cell_granularity = 1;
  forEachAlgorithm([&](auto algorithm, auto index) {
    if constexpr (decltype(algorithm)::template serves<Space, Problem>) {
      if (decision.choice.algorithm != index) return;
      const auto plan = decision.request.template plan<decltype(index)::value>();
      cell_granularity = granularityOf(algorithm, problem, decision.machine, plan, 0);
    }
  });
  return cell_granularity;
}

/// Runs a problem: choose, label, launch. The one way from operations to algorithms.
template <class Space, class Problem>
void dispatch(const Space& space, Operation operation, const Problem& problem,
              const CallOptions& options) {
  Decision decision = decide(space, operation, problem, options);
  if constexpr (is_tuned<Problem>) {
    // A chunk would be measured in the place of the whole problem.
    const bool is_chunk = shapeOf(problem).cells_in_all > 0;
    if (decision.is_worth_measuring && !is_chunk) {
      // In the decision it may be resolved by now.
      autotune(space, problem, options.of(operation).launch.scatter, decision);
      resolveSettings<Space>(problem, decision);
    }
  }
  const Region region(regionName(operation));
  forEachAlgorithm([&](auto algorithm, auto index) {
    using Algorithm = decltype(algorithm);
    if constexpr (Algorithm::template serves<Space, Problem>) {
      if (decision.choice.algorithm != index) return;
      runAlgorithm<Algorithm>(space, problem,
                              decision.request.template plan<decltype(index)::value>(),
                              kernelLabel(operation, index));
    }
  });
  rememberCall(decision);
}

}  // namespace Impl
}  // namespace Kontract

#endif
