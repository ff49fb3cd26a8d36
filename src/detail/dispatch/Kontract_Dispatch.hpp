// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_DISPATCH_HPP
#define KONTRACT_DISPATCH_HPP

#include "Kontract_Choice.hpp"
#include "Kontract_Decision.hpp"
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

/// Decides what is to run for a problem, without running it.
/// \throws std::invalid_argument as choose() does
template <class Space, class Problem>
Decision decide(const Space& space, Operation operation, const Problem& problem,
                const Options& options) {
  Decision decision;
  decision.operation = operation;
  decision.request = options.of(operation);
  decision.work = wholeWorkOf(problem);
  decision.machine = machineOf(space);
  decision.applicable = applicableTo<Space, Problem>();
  if constexpr (is_tuned<Problem>) {
    if (decision.request.isTuned()) {
      takeFromTable(tuningKey<Space>(problem, decision.work, decision.machine), decision);
      if (decision.choice.measured_seconds > 0) return decision;
    }
  }
  decision.choice =
      choose(operation, decision.request, decision.work, decision.machine, decision.applicable);
  return decision;
}

/// What an algorithm tells as its grain: 1 if nothing.
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
              const Options& options) {
  Decision decision = decide(space, operation, problem, options);
  if constexpr (is_tuned<Problem>) {
    // A chunk would be measured in the place of the whole problem.
    const bool is_chunk = problem.shape.cells_in_all > 0;
    if (decision.is_worth_measuring && !is_chunk) measure(space, problem, decision);
  }
  const Region region(regionName(operation));
  forEachAlgorithm([&](auto algorithm, auto index) {
    using Algorithm = decltype(algorithm);
    if constexpr (Algorithm::template serves<Space, Problem>) {
      if (decision.choice.algorithm != index) return;
      Algorithm::run(space, problem, decision.request.template plan<decltype(index)::value>(),
                     kernelLabel(operation, index));
    }
  });
  rememberCall(decision);
}

}  // namespace Impl
}  // namespace Kontract

#endif
