// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SPLITK_HPP
#define KONTRACT_SPLITK_HPP

#include <string>
#include <vector>

#include "Kontract_DeviceGemv.hpp"
#include "detail/kernels/portable/Kontract_AtomicAdd.hpp"
#include "detail/kernels/portable/Kontract_GroupSum.hpp"
#include "detail/kernels/portable/Kontract_OutputBlock.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/launch/Kontract_TeamSize.hpp"
#include "detail/support/Kontract_Workspace.hpp"

namespace Kontract {
namespace Impl {

/// Some outputs of a contraction, counted in the order of memory, and the parts of their sums.
template <class Problem>
struct PartsOfSums {
  Problem problem;
  OutputBlock all;
  bool cell_fastest;
  std::int64_t first, outputs;  ///< which, and how many of them
  std::int64_t per_team;        ///< outputs that a team works on
  std::int64_t terms;           ///< of an output
  std::int64_t parts;
  int group;                        ///< workers that share a part
  AccumulatorOf<Problem>* partial;  ///< (output, part)

  KOKKOS_FORCEINLINE_FUNCTION OutputPlace at(std::int64_t i) const {
    return all.at(first + i, cell_fastest);
  }
  KOKKOS_FORCEINLINE_FUNCTION void storeAt(std::int64_t i,
                                           const AccumulatorOf<Problem>& acc) const {
    const OutputPlace out = at(i);
    storeSum(problem, out.c, out.l, out.r, acc);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t countFrom(std::int64_t start) const {
    return outputs - start < per_team ? outputs - start : per_team;
  }
};

/// Zeros in all outputs, to be added to.
template <class Problem>
struct StartSums {
  PartsOfSums<Problem> sums;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    sums.storeAt(i, AccumulatorOf<Problem>(0));
  }
};

/// A team sums one part of some outputs. Where its sum goes is up to Combine.
template <class Problem, bool atomic>
struct SumPart {
  PartsOfSums<Problem> sums;
  bool by_steps;  ///< whether neighbouring terms go to neighbouring workers

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& workers, std::int64_t piece) const {
    using Acc = AccumulatorOf<Problem>;
    const Problem& problem = sums.problem;
    const ContractionShape& s = problem.shape;
    const std::int64_t part = piece % sums.parts, start = piece / sums.parts * sums.per_team;
    const std::int64_t begin = cut(part), terms = cut(part + 1) - begin;
    const auto add_share = [&](Acc& acc, std::int64_t i, std::int64_t j) {
      const OutputPlace out = sums.at(start + i);
      const std::int64_t first = by_steps ? j : terms * j / sums.group;
      const std::int64_t end = by_steps ? terms : terms * (j + 1) / sums.group;
      addTerms(acc, problem.left, problem.right, s.sum, termsOf(s, out.c, out.l, out.r),
               begin + first, begin + end, by_steps ? sums.group : 1);
    };
    const auto finish = [&](std::int64_t i, const Acc& acc) {
      if constexpr (atomic) {
        const OutputPlace out = sums.at(start + i);
        atomicAdd(problem.out[out.c * s.out_cell + out.l * s.out_left + out.r * s.out_right], acc);
      } else if (sums.parts == 1) {
        sums.storeAt(start + i, acc);
      } else {
        sums.partial[(start + i) * sums.parts + part] = acc;
      }
    };
    sumInGroups(workers, static_cast<Acc*>(workers.scratch), WorkerGroups{sums.group, 1},
                sums.countFrom(start), add_share, finish);
  }

  /// Where a part begins; no product of terms and parts, which 64 bits might not hold.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t cut(std::int64_t part) const {
    const std::int64_t even = sums.terms / sums.parts, more = sums.terms % sums.parts;
    return part * even + (part < more ? part : more);
  }
};

/// A team adds up the parts of some outputs.
template <class Problem>
struct AddParts {
  PartsOfSums<Problem> sums;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& workers, std::int64_t piece) const {
    using Acc = AccumulatorOf<Problem>;
    const std::int64_t start = piece * sums.per_team;
    sumInGroups(
        workers, static_cast<Acc*>(workers.scratch), WorkerGroups{sums.group, 1},
        sums.countFrom(start),
        [&](Acc& acc, std::int64_t i, std::int64_t j) {
          const Acc* parts = sums.partial + (start + i) * sums.parts;
          for (std::int64_t part = j; part < sums.parts; part += sums.group) acc += parts[part];
        },
        [&](std::int64_t i, const Acc& acc) { sums.storeAt(start + i, acc); });
  }
};

/// The sum over k cut into parts that run at the same time, whatever the number of outputs. Their
/// sums wait in the workspace of the instance for a second kernel, which adds them up in a fixed
/// order; or are added to the output by atomics, in any order and in the output's precision.
/// Where the workspace does not hold the parts of all outputs, outputs follow in several such
/// pairs of kernels.
/// Block-wise dot products with a second reduction, or with atomics, are what codes for the
/// assembly of finite elements on GPUs do.
struct SplitK {
  static constexpr const char* name = "Split K";
  static constexpr const char* summary = "the sum over k in parts, added up by a second kernel";

  struct Settings {
    static constexpr const char* ways[] = {"Auto", "Second Pass", "Atomic"};
    int parts = 0;
    Word combine{ways};
    template <class Visitor>
    void visit(Visitor&& visitor) {
      visitor("Parts", parts, "parts of the sum over k, no more than it has terms (0 = choose)");
      visitor("Combine", combine,
              "Second Pass: the same bits in every run; Atomic: not so, and in the precision of "
              "the output (Auto: Second Pass)");
    }
  };

  static constexpr unsigned launch_knobs =
      LaunchSettings::team_size_knob | LaunchSettings::vector_length_knob;

  template <class Space, class Problem>
  static constexpr bool serves = is_plain_contraction<Problem>;

  /// \return expected seconds
  static double estimate(const Work& work, const Machine& machine) {
    const double outputs = static_cast<double>(work.box.size());
    const std::int64_t parts = partsFor(work.box, work.terms, work.cell_fastest, machine, 0);
    if (inLanes(work.box, machine)) {
      const double threads = DeviceGemv::threadsOf(work) * static_cast<double>(parts);
      return (parts == 1 ? 1 : 2) * machine.launch_seconds +
             DeviceGemv::seconds(work, machine, threads);
    }
    const TeamSize team = teamFor(work.box, work.terms / parts, parts, machine, {});
    if (!machine.is_host) {
      const std::int64_t each = work.terms / parts;
      const double chain = static_cast<double>(each) / groupFor(team, each, terms_each);
      return (parts == 1 ? 0 : machine.launch_seconds) +
             secondsOfDeviceSums(work, machine, {6e-12, 6e-8, 3e-6}, chain, 3e-11);
    }
    const double sums = outputs * static_cast<double>(parts);
    const double busy = sums * groupFor(team, work.terms / parts, terms_each);
    const double second = parts == 1 ? 0 : machine.launch_seconds + sums * 1e-9;
    return second + secondsOnTeams(work, machine, busy, sums, machine.is_host ? 2.5e-8 : 2.5e-7);
  }

  static double bound(const Work& work, const Machine& machine) {
    return leastSecondsOnTeams(work, machine);
  }

  static std::string whyNot(const Work& work, const Machine& machine, const Plan<Settings>& plan) {
    if (plan.settings.parts > most_parts) {
      return "Parts = " + std::to_string(plan.settings.parts) + " does not fit: at most " +
             std::to_string(most_parts);
    }
    const std::string why = whyNotTeams(machine, plan.launch);
    if (!why.empty()) return why;
    const std::int64_t parts =
        partsFor(work.box, work.terms, work.cell_fastest, machine, plan.settings.parts);
    const TeamSize team = teamFor(work.box, work.terms / parts, parts, machine, plan.launch);
    return whyNotPartialSums(machine, team, accumulatorBytes(work));
  }

  static std::vector<Plan<Settings>> candidates(const Work& work, const Machine& machine) {
    std::vector<Plan<Settings>> plans(1);
    const std::int64_t open = partsFor(work.box, work.terms, work.cell_fastest, machine, 0);
    for (const std::int64_t parts : {open / 4, open / 2, open * 2, open * 4}) {
      if (parts < 2 || parts > std::min(work.terms, most_parts)) continue;
      Plan<Settings> plan;
      plan.settings.parts = static_cast<int>(parts);
      plans.push_back(plan);
    }
    return plans;
  }

  template <class Space, class Problem>
  static void run(const Space& space, const Problem& problem, const Plan<Settings>& plan,
                  const std::string& label) {
    using Acc = AccumulatorOf<Problem>;
    const Machine machine = machineOf(space);
    const ContractionShape& shape = problem.shape;
    const Box box = shape.box(), whole = shape.whole().box();
    PartsOfSums<Problem> sums;
    sums.problem = problem;
    sums.all = {{0, 0, 0}, shape.cells, shape.lefts, shape.rights};
    sums.cell_fastest = shape.isCellFastest();
    sums.first = 0;
    sums.outputs = box.size();
    sums.terms = shape.terms();
    sums.parts = partsFor(whole, sums.terms, sums.cell_fastest, machine, plan.settings.parts);
    sums.partial = nullptr;
    const TeamSize team = teamFor(whole, sums.terms / sums.parts, sums.parts, machine, plan.launch);
    sums.group = groupFor(team, sums.terms / sums.parts, terms_each);
    sums.per_team = perTeam(sums.outputs * sums.parts, machine, team.workers() / sums.group);
    const bool by_steps = !machine.is_host || sums.group == 1;
    if constexpr (!is_host_space<Space>) {
      if (runInLanes(space, sums, team, plan, label)) return;
    }
    if (sums.parts == 1) {
      launchSums(space, label, team, sums, sums.parts, SumPart<Problem, false>{sums, by_steps});
      return;
    }
    if (plan.settings.combine == "Atomic") {
      const SumPart<Problem, true> sum_part{sums, by_steps};
      refuseTooLargeTeams(space, label, teamsFor(team, sums, sums.parts), sum_part);
      if (!shape.sum_into) launch(space, label, sums.outputs, StartSums<Problem>{sums});
      launchSums(space, label, team, sums, sums.parts, sum_part);
      return;
    }
    const Workspace<Space> workspace(space);
    sums.partial = static_cast<Acc*>(workspace.data());
    const std::int64_t at_once =
        Workspace<Space>::bytes / (sums.parts * static_cast<std::int64_t>(sizeof(Acc)));
    for (; sums.first < box.size(); sums.first += at_once) {
      sums.outputs = std::min(at_once, box.size() - sums.first);
      launchSums(space, label, team, sums, sums.parts, SumPart<Problem, false>{sums, by_steps});
      addParts(space, label, team, sums);
    }
  }

 private:
  static constexpr std::int64_t terms_each = 4;
  static constexpr std::int64_t most_parts = 65536;
  static constexpr std::int64_t widest_sum = 16;  // bytes

  /// Adds up parts that wait in the workspace.
  template <class Space, class Problem>
  static void addParts(const Space& space, const std::string& label, const TeamSize& team,
                       PartsOfSums<Problem> sums) {
    sums.group = groupFor(team, sums.parts, terms_each);
    sums.per_team = perTeam(sums.outputs, machineOf(space), team.workers() / sums.group);
    launchSums(space, label, team, sums, 1, AddParts<Problem>{sums});
  }

  /// Devices add up the terms of data with fields, and of data with data, at the speed of memory.
  /// \return whether they did
  template <class Space, class Problem>
  static bool runInLanes(const Space& space, PartsOfSums<Problem> sums, const TeamSize& team,
                         const Plan<Settings>& plan, const std::string& label) {
    using Acc = AccumulatorOf<Problem>;
    const std::int64_t outputs = sums.problem.shape.whole().box().size();
    const std::int64_t bytes = outputs * sums.parts * std::int64_t(sizeof(Acc));
    if (!DeviceGemv::applies(sums.problem.shape.box()) || plan.settings.combine == "Atomic" ||
        plan.launch.team_size != 0 || plan.launch.vector_length != 0 ||
        bytes > Workspace<Space>::bytes) {
      return false;
    }
    if (sums.parts == 1) return DeviceGemv::run(space, sums.problem, 1, nullptr, label);
    const Workspace<Space> workspace(space);
    sums.partial = static_cast<Acc*>(workspace.data());
    if (!DeviceGemv::run(space, sums.problem, sums.parts, sums.partial, label)) return false;
    addParts(space, label, team, sums);
    return true;
  }

  static bool inLanes(const Box& box, const Machine& machine) {
    return !machine.is_host && DeviceGemv::applies(box);
  }

  /// The parts that were asked for; else as many as keep all threads busy but long enough to be
  /// worth it.
  static std::int64_t partsFor(const Box& box, std::int64_t terms, bool cell_fastest,
                               const Machine& machine, int given) {
    const std::int64_t worth_it = machine.is_host ? 4096 : 512;
    std::int64_t wanted = machine.concurrency / (machine.is_host ? 1 : 128) / box.size();
    if (inLanes(box, machine)) {
      const std::int64_t room = workspace_bytes / (box.size() * widest_sum);
      wanted = std::min(room, DeviceGemv::partsFor(box, cell_fastest, machine));
    }
    const std::int64_t open =
        std::clamp<std::int64_t>(std::min(wanted, terms / worth_it), 1, most_parts);
    return std::clamp<std::int64_t>(given == 0 ? open : given, 1, std::max<std::int64_t>(1, terms));
  }

  static TeamSize teamFor(const Box& box, std::int64_t terms, std::int64_t parts,
                          const Machine& machine, const LaunchSettings& settings) {
    const double sums = static_cast<double>(box.size()) * static_cast<double>(parts);
    const double most = 1e9;
    const double useful = machine.is_host ? 1 : sums * static_cast<double>(terms) / terms_each;
    return teamSizeFor(machine, settings, static_cast<std::int64_t>(std::min(most, sums)),
                       static_cast<std::int64_t>(std::min(most, useful)));
  }

  /// Outputs that a team works on: as many as it has groups, more on hosts with many of them.
  static std::int64_t perTeam(std::int64_t sums, const Machine& machine, int at_once) {
    if (!machine.is_host) return at_once;
    return std::clamp<std::int64_t>(sums / (8 * std::int64_t(machine.concurrency)), at_once, 1024);
  }

  template <class Problem>
  static Teams teamsFor(const TeamSize& team, const PartsOfSums<Problem>& sums,
                        std::int64_t parts) {
    const std::int64_t teams_along = (sums.outputs + sums.per_team - 1) / sums.per_team;
    Teams teams{teams_along * parts, team.threads, team.vector_length};
    if (sums.group > 1) {
      teams.scratch_bytes = scratchBytes(team.workers(), sizeof(AccumulatorOf<Problem>));
    }
    return teams;
  }

  template <class Space, class Problem, class Functor>
  static void launchSums(const Space& space, const std::string& label, const TeamSize& team,
                         const PartsOfSums<Problem>& sums, std::int64_t parts,
                         const Functor& functor) {
    launch(space, label, teamsFor(team, sums, parts), functor);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
