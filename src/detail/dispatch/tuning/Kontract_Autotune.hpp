// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_AUTOTUNE_HPP
#define KONTRACT_AUTOTUNE_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "Kontract_Trials.hpp"
#include "Kontract_Tuner.hpp"
#include "detail/algorithms/Kontract_TransformedForms.hpp"
#include "detail/dispatch/Kontract_Choice.hpp"
#include "detail/support/Kontract_Region.hpp"

namespace Kontract {
namespace Impl {

/// How far the elements of an output lie below and above that with all indices zero.
struct Reach {
  std::int64_t below = 0, above = 0;
  Reach(std::initializer_list<std::pair<std::int64_t, std::int64_t>> extents_and_strides) {
    for (const auto& [extent, stride] : extents_and_strides) add(extent, stride);
  }
  void add(std::int64_t extent, std::int64_t stride) {
    (stride < 0 ? below : above) += (extent - 1) * stride;
  }
};
inline Reach reachOfOutput(const ContractionShape& s) {
  return {{s.cells, s.out_cell}, {s.lefts, s.out_left}, {s.rights, s.out_right}};
}
inline Reach reachOfOutput(const PointwiseShape& s) {
  return {{s.cells, s.out.cell},
          {s.fields, s.out.field},
          {s.points, s.out.point},
          {s.rows, s.out.row},
          {s.columns, s.out.column}};
}

inline Reach reachOf(const FormShape& s, const FormStrides& out) {
  if (s.kind == FormKind::Factors) {
    return {{s.cells, out.cell}, {s.factors, out.row}, {s.points, out.column}};
  }
  return {
      {s.cells, out.cell},
      {s.lefts * s.left_blocks, out.row},
      {s.kind == FormKind::Matrices ? s.rights * s.right_blocks : s.diagonal_columns, out.column}};
}
template <class Problem>
Reach reachOfOutput(const Problem& problem) {
  if constexpr (is_plain_form<Problem>) {
    Reach reach =
        problem.is_scattered
            ? Reach{{problem.shared_outputs, problem.scatter.stride}}
            : reachOf(problem, {problem.out_cell, 0, 0, problem.out_row, problem.out_column});
    reach.add(problem.vectors, problem.next_out);
    return reach;
  } else {
    return reachOfOutput(problem.shape);
  }
}

/// Lets a problem write to other memory.
template <class Problem, class T>
void setOutput(Problem& problem, T* out) {
  if constexpr (is_plain_form<Problem>) {
    problem.out = out;
  } else {
    problem.out.data = out;
  }
}

/// Whether what is launched on an instance is being recorded rather than run; then nothing can be
/// timed, and a fence would spoil the record.
template <class Space>
bool isRecorded([[maybe_unused]] const Space& space) {
#ifdef KONTRACT_DEVICE_API
  if constexpr (has_device_api<Space>) return isCapturing(space);
#endif
  return false;
}

/// Times a plan of one algorithm; a plan that fails is as good as none.
template <class Algorithm, int place, class Space, class Problem>
void timePlan(const Space& space, const Problem& problem, const Decision& decision,
              const Plan<typename Algorithm::Settings>& plan, Trials& trials) {
  Request request;
  request.algorithm = place;
  std::get<place>(request.settings) = plan.settings;
  request.launch = plan.launch;
  if (!whyNot(request, decision.work, decision.machine, decision.applicable).empty()) return;
  try {
    trials.time(request, [&space, &problem, &decision, plan](int runs) {
      for (int i = 0; i < runs; ++i) {
        runAlgorithm<Algorithm>(space, problem, plan, kernelLabel(decision.operation, place));
      }
      space.fence();
    });
  } catch (const std::exception&) {
  }
}

/// Times the plans of all algorithms that serve a problem, on an output of its own.
/// \param asked  how cells are to add, as options ask for it
template <class Space, class Problem>
void timePlans(const Space& space, const Problem& given, const Word& asked,
               const Decision& decision, Trials& trials) {
  using Value = typename Problem::out_type::value_type;
  const Reach reach = reachOfOutput(given);
  // The same steps through memory as the caller's output; zeros, because sums into it must not
  // slow down on what was there before.
  const Kokkos::View<Value*, typename Space::memory_space> scratch(
      Kokkos::view_alloc("Kontract::Tuning", space),
      static_cast<std::size_t>(1 + reach.above - reach.below));
  space.fence();
  Problem problem = given;
  setOutput(problem, scratch.data() - reach.below);
  for (const int place : worthTrying(decision)) {
    forEachAlgorithm([&](auto algorithm, auto index) {
      using Algorithm = decltype(algorithm);
      if constexpr (Algorithm::template serves<Space, Problem>) {
        if (place != index) return;
        for (auto plan : Algorithm::candidates(decision.work, decision.machine)) {
          if (trials.isOver()) return;
          keepScatter(asked, decision.work, plan.launch);
          timePlan<Algorithm, decltype(index)::value>(space, problem, decision, plan, trials);
        }
      }
    });
  }
  if (trials.hasWinner()) trials.confirm();
}

/// Measures which plan is the fastest for a problem, makes it the choice and adds it to the table.
/// Reads the inputs and leaves the output alone. Never throws for what cannot be measured.
/// \param asked  how cells are to add, as options ask for it
template <class Space, class Problem>
void autotune(const Space& space, const Problem& problem, const Word& asked, Decision& decision) {
  if (isRecorded(space)) return;
  Tuner& tuner = *decision.request.tuner;
  const TuningKey key = tuningKey<Space>(problem, decision.work, decision.machine, asked);
  const auto turn = tuner.takeTurn();
  // Another thread may have measured while this one waited.
  if (tuner.entry(key, true).is_worth_measuring) {
    try {
      const Region region("Kontract::Tuning");
      Trials trials;
      timePlans(space, problem, asked, decision, trials);
      if (trials.hasWinner()) {
        tuner.remember(key, trials.winner(), trials.seconds());
      } else {
        tuner.giveUp(key, "no algorithm ran");
      }
    } catch (const std::exception& error) {
      tuner.giveUp(key, error.what());
    }
  }
  takeFromTable(key, decision);
}

}  // namespace Impl
}  // namespace Kontract

#endif
