// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEAMREDUCTION_HPP
#define KONTRACT_TEAMREDUCTION_HPP

#include <string>
#include <vector>

#include "Kontract_FactorizedMatrices.hpp"
#include "Kontract_TensorColumnPlan.hpp"
#include "Kontract_WorkOfForm.hpp"
#include "detail/kernels/portable/Kontract_GroupSum.hpp"
#include "detail/kernels/portable/Kontract_OutputBlock.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/launch/Kontract_TeamSize.hpp"

namespace Kontract {
namespace Impl {

/// A team computes a block of outputs, a group of its workers each of them.
template <class Problem>
struct TeamReductionBlock {
  Problem problem;
  OutputBlocks blocks;
  bool cell_fastest;
  WorkerGroups groups;
  std::int64_t terms;   ///< of an output
  std::int64_t shared;  ///< of them, which neighbours in k the group shares at a time
  bool by_steps;        ///< whether neighbouring terms go to neighbouring workers

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& workers, std::int64_t piece) const {
    using Acc = AccumulatorOf<Problem>;
    const ContractionShape& shape = problem.shape;
    const OutputBlock block = blocks[piece];
    const auto add_share = [&](Acc& acc, std::int64_t i, std::int64_t j) {
      const OutputPlace out = block.at(i, cell_fastest);
      const TermsAt at = termsOf(shape, out.c, out.l, out.r);
      for (std::int64_t start = 0; start < terms; start += shared) {
        const std::int64_t first = by_steps ? j : shared * j / groups.size;
        const std::int64_t end = by_steps ? shared : shared * (j + 1) / groups.size;
        addTerms(acc, problem.left, problem.right, shape.sum, at, start + first, start + end,
                 by_steps ? groups.size : 1);
      }
    };
    const auto finish = [&](std::int64_t i, const Acc& acc) {
      const OutputPlace out = block.at(i, cell_fastest);
      storeSum(problem, out.c, out.l, out.r, acc);
    };
    sumInGroups(workers, static_cast<Acc*>(workers.scratch), groups, block.size(), add_share,
                finish);
  }
};

template <class Problem>
constexpr bool servedByTeamReduction() {
  if constexpr (is_form<Problem>) {
    return HasFactorization<Problem>::value;
  } else {
    return is_plain_contraction<Problem>;
  }
}

/// Teams that share the terms of an output and add up their partial sums in scratch memory; several
/// outputs at once where there are few terms.
///
/// Depth is how many levels of the sum over k a team shares, counted from the innermost one; each
/// worker walks along the levels outside of those. The levels are those of the canonical problem:
/// (p,d,d2) in the order of memory, merged where strides allow, so that contiguous arrays have one
/// level and the depths do not differ. Hosts share a level in runs, devices term by term, as Kokkos
/// shares a range in a team. Stride counts all levels as one and shares them term by term anywhere.
/// Forms: element vectors and matrix-free products of tensor-product bases by sum factorization, a
/// team for some cells; on devices with columns of cells in registers where terms do not couple
/// components, and for vectors all directions have the same number of functions. Element matrices
/// on devices, of any such bases, family by family. Depth is not for them. Source: the "team
/// reduction" of depth 1, 2, 3 and stride of J. Amelang, A. Gruver and others, "kokkos-intrepid"
/// (2014).
struct TeamReduction {
  static constexpr const char* name = "Team Reduction";
  static constexpr const char* summary =
      "a team shares the sum of an output; forms of tensor-product bases: sum factorization";

  struct Settings {
    static constexpr const char* depths[] = {"Auto", "1", "2", "3", "Stride"};
    Word depth{depths};
    template <class Visitor>
    void visit(Visitor&& visitor) {
      visitor("Depth", depth,
              "levels of k that a team shares, innermost first; Stride: all of them, term by term "
              "(Auto: 3)");
    }
  };

  static constexpr unsigned launch_knobs =
      LaunchSettings::team_size_knob | LaunchSettings::vector_length_knob |
      LaunchSettings::cells_per_team_knob | LaunchSettings::bound_knobs |
      LaunchSettings::scatter_knob;

  template <class Space, class Problem>
  static constexpr bool serves = servedByTeamReduction<Problem>();

  /// \return expected seconds
  static double estimate(const Work& work, const Machine& machine) {
    if (work.is_form) return secondsOfFactorization(work, machine);
    const TeamSize team = teamFor(work.box, work.terms, machine, {});
    const double outputs = static_cast<double>(work.box.size());
    const int group = groupFor(team, work.terms, terms_each);
    if (!machine.is_host) {
      const double chain = static_cast<double>(work.terms) / group;
      return secondsOfDeviceSums(work, machine, {4e-12, 6e-8, 3e-6}, chain, 3e-11);
    }
    const double busy = outputs * group;
    return secondsOnTeams(work, machine, busy, outputs, machine.is_host ? 2e-8 : 2e-7);
  }

  static double bound(const Work& work, const Machine& machine) {
    return work.is_form ? 0 : leastSecondsOnTeams(work, machine);
  }

  static std::string whyNot(const Work& work, const Machine& machine, const Plan<Settings>& plan) {
    const std::string why_scatter =
        whyNotScatter(work.form.shape, machine.is_host, false, plan.launch);
    if (!why_scatter.empty()) return why_scatter;
    if (work.is_form) return whyNotForm(work, machine, plan);
    const std::string why = whyNotTeams(machine, plan.launch);
    if (!why.empty()) return why;
    const TeamSize team = teamFor(work.box, work.terms, machine, plan.launch);
    return whyNotPartialSums(machine, team, accumulatorBytes(work));
  }

  static LaunchSettings resolvedLaunch(const Work& work, const Machine& machine,
                                       const LaunchSettings& launch) {
    return scatterResolved(work, machine, false, launch);
  }

  static std::vector<Plan<Settings>> candidates(const Work& work, const Machine& machine) {
    std::vector<Plan<Settings>> plans(1);
    if (work.is_form) return plansOfForms(work, machine);
    const auto add = [&](int depth, int team_size) {
      Plan<Settings> plan;
      plan.settings.depth.place = depth;
      plan.launch.team_size = team_size;
      if (whyNot(work, machine, plan).empty()) plans.push_back(plan);
    };
    const int stride = plans[0].settings.depth.count - 1;
    if (machine.is_host) {
      add(0, machine.team_size_max);
      add(stride, 0);
    } else {
      for (const int team_size : {32, 64, 256, 512}) {
        if (team_size >= machine.vector_length_max) add(0, team_size);  // a warp at the least
      }
      addBounds(plans);
    }
    add(1, 0);
    return plans;
  }

  template <class Space, class Problem>
  static void run(const Space& space, const Problem& problem, const Plan<Settings>& plan,
                  const std::string& label) {
    if constexpr (is_form<Problem>) {
      runForm(space, problem, plan.launch, label);
    } else {
      runContraction(space, problem, plan, label);
    }
  }

 private:
  template <class Space, class Problem>
  static void runForm(const Space& space, const Problem& problem, const LaunchSettings& settings,
                      const std::string& label) {
    const Work work = workOf(problem);
    const Machine machine = machineOf(space);
    if constexpr (is_plain_form<Problem>) {
      const Problem form = scatteringForm(space, problem, settings, label);
      if constexpr (!is_host_space<Space>) {
        if (form.kind == FormKind::Matrices) {
          return runMatricesOnDevice(space, form, matrixPlanOf(work, settings, machine), label);
        }
        const ColumnPlan columns = columnPlanOf(work, settings, machine);
        if (columns.fits && form.kind == FormKind::Vectors) {
          return runColumnFormsOf<FormKind::Vectors>(space, form, columns, label);
        }
        if (columns.fits && work.form.columns.has_families) {
          return runFamilyColumnsOf(space, form, columns, label);
        }
        if (columns.fits) return runColumnFormsOf<FormKind::Products>(space, form, columns, label);
      }
      runGeneralForm(space, form, work, settings, label);
    } else {
      runGeneralForm(space, problem, work, settings, label);
    }
  }

  /// What has no columns.
  template <class Space, class Problem>
  static void runGeneralForm(const Space& space, const Problem& problem, const Work& work,
                             const LaunchSettings& settings, const std::string& label) {
    const FactorizationSizes& sizes = work.form.sizes;
    runFactorizedForms(space, problem, sizes,
                       factorizationPlan(sizes, work.scalar_bytes[0], settings, machineOf(space)),
                       label);
  }

  static ColumnPlan columnPlanOf(const Work& work, const LaunchSettings& settings,
                                 const Machine& machine) {
    // Vectors have no kernels by families.
    const ColumnSizes& columns = work.form.columns;
    if (work.form.shape.kind == FormKind::Vectors && columns.has_families) return {};
    return columnPlan(columns, work.scalar_bytes[0], settings, machine);
  }

  static MatrixPlan matrixPlanOf(const Work& work, const LaunchSettings& settings,
                                 const Machine& machine) {
    return matrixPlan(work.form, work.scalar_bytes[0], settings, machine);
  }

  template <class Space, class Problem>
  static void runContraction(const Space& space, const Problem& problem, const Plan<Settings>& plan,
                             const std::string& label) {
    const ContractionShape& shape = problem.shape;
    const Machine machine = machineOf(space);
    const Box box = shape.box();
    const bool cell_fastest = shape.isCellFastest();
    const std::int64_t terms = shape.terms();
    const TeamSize team = teamFor(shape.whole().box(), terms, machine, plan.launch);
    const WorkerGroups groups = groupsFor(shape.whole().box(), cell_fastest, terms, team, machine);
    const int group = groups.size;
    const bool by_stride = plan.settings.depth == "Stride";
    const bool is_whole = by_stride || plan.settings.depth.place == 0;
    const int depth = is_whole ? ContractionShape::sum_levels : plan.settings.depth.place;
    std::int64_t shared = 1;
    for (int i = 0; i < depth; ++i)
      shared *= shape.sum[ContractionShape::sum_levels - 1 - i].extent;
    const OutputBlocks blocks{
        box, blockFor(box, cell_fastest, machine, groups.sumsAtOnce(team.workers()),
                      plan.launch.cells_per_team)};
    Teams teams{blocks.count(), team.threads, team.vector_length};
    if (group > 1) {
      teams.scratch_bytes = scratchBytes(team.workers(), sizeof(AccumulatorOf<Problem>));
    }
    teams.launch = plan.launch;
    launchBounded(space, label, teams,
                  TeamReductionBlock<Problem>{problem, blocks, cell_fastest, groups, terms, shared,
                                              by_stride || !machine.is_host || group == 1});
  }

  static std::string whyNotForm(const Work& work, const Machine& machine,
                                const Plan<Settings>& plan) {
    const FormShape& shape = work.form.shape;
    const bool has_matrices = shape.kind == FormKind::Matrices && !machine.is_host;
    if (shape.kind == FormKind::Factors || !shape.has_tensor_bases_alone ||
        (shape.kind == FormKind::Matrices && machine.is_host)) {
      return machine.is_host
                 ? "of forms it is for vectors, products and diagonals of tensor-product bases"
                 : "of forms it is for those of tensor-product bases";
    }
    if (shape.kind == FormKind::Diagonals &&
        !(shape.has_square_tensor_bases && shape.dimension > 1)) {
      return "of diagonals it is for bases that have the same functions and points on both sides, "
             "in each of two directions or more";
    }
    if (has_matrices && work.form.columns.functions == 0) {
      return "of matrices it is for those of tensor-product bases that have at most " +
             std::to_string(max_column_functions) +
             " functions in a direction and the same points in each for all sides, inside of cells "
             "of 2 or 3 dimensions";
    }
    if (isGiven(plan.settings.depth)) return "forms have no setting 'Depth'; leave it at Auto";
    if (plan.launch.vector_length != 0)
      return "forms have no setting 'Vector Length'; leave it at 0";
    if (plan.launch.givesBounds()) {
      return "forms have no settings 'Max Threads' and 'Min Blocks'; leave them at 0";
    }
    if (has_matrices) return whyNotMatrices(matrixPlanOf(work, plan.launch, machine));
    const ColumnPlan columns = columnPlanOf(work, plan.launch, machine);
    if (columns.fits) return whyNotTeamSize(columns.teams.threads, max_column_threads);
    return whyNotPlan(
        factorizationPlan(work.form.sizes, work.scalar_bytes[0], plan.launch, machine), machine);
  }

  static std::string whyNotMatrices(const MatrixPlan& plan) {
    if (!plan.fits) return whyNoScratch(plan.cells);
    return whyNotTeamSize(plan.teams.threads, max_matrix_threads);
  }

  /// Teams of hosts have one thread, whose kernels are not vectorized.
  static double secondsOfFactorization(const Work& work, const Machine& machine) {
    if (work.form.shape.kind == FormKind::Matrices) return secondsOfMatrices(work, machine);
    constexpr double of_columns = 2.5e12;
    const bool has_columns = !machine.is_host && columnPlanOf(work, {}, machine).fits;
    // What is besides counts where there is another way to compute the same.
    const bool has_instructions = machine.compute_capability >= 80;
    if (has_columns && has_instructions && tensorColumnPlan(work, machine).fits) {
      constexpr double of_copying = 0.5, of_node = 5.6e-12;
      return secondsOfColumns(work, machine, of_copying, of_columns, of_node);
    }
    const double rate = machine.is_host ? machine.flops_per_second / 16
                        : has_columns   ? of_columns
                                        : 0.5e12;
    return secondsOfForm(work, machine, work.form.sizes.flops, rate);
  }

  /// As measured on an H100: sums, the geometry of points, and entries that are stored or added.
  static double secondsOfMatrices(const Work& work, const Machine& machine) {
    constexpr double rate = 5e12, point = 8e-11, entry = 1e-11, multiprocessors_of_h100 = 132;
    const FormShape& s = work.form.shape;
    const int functions = work.form.columns.functions;
    const double terms = double(s.term_count) * double(s.cells) * double(s.points);
    const double entries = double(s.term_count) * double(s.outputs());
    // Of many functions a multiprocessor has few teams. Where neighbours in memory are cells, a
    // team of few of them stores pieces of lines.
    const bool has_cells = s.cell_fastest && !s.has_operators;  // those go through a buffer
    const double slower = functions > 6 ? 1.5 : !has_cells ? 1 : functions <= 3 ? 1.4 : 3.7;
    const double seconds =
        slower * (work.form.sizes.flops / rate + terms * point + entries * entry);
    return machine.launch_seconds +
           std::max(work.bytes / machine.bytes_per_second,
                    seconds * multiprocessors_of_h100 / std::max(1, machine.multiprocessors));
  }

  static std::vector<Plan<Settings>> plansOfForms(const Work& work, const Machine& machine) {
    std::vector<Plan<Settings>> plans(1);
    if (machine.is_host) return plans;
    for (const int team_size : {32, 64, 128, 256}) {
      Plan<Settings> plan;
      plan.launch.team_size = team_size;
      if (whyNot(work, machine, plan).empty()) plans.push_back(plan);
    }
    return plans;
  }

  static constexpr std::int64_t terms_each = 4;

  static TeamSize teamFor(const Box& box, std::int64_t terms, const Machine& machine,
                          const LaunchSettings& settings) {
    // A core of a host that waits for another one loses the time of about a thousand terms.
    const std::int64_t useful = machine.is_host ? terms / 1024 : box.size() * terms / terms_each;
    return teamSizeFor(machine, settings, box.size(), useful);
  }

  /// Groups as large as leave each worker a few terms. Where a device has outputs enough for all of
  /// its threads, a group is within a warp, and where cells are neighbours in memory, neighbouring
  /// workers are in groups of neighbouring cells.
  static WorkerGroups groupsFor(const Box& box, bool cell_fastest, std::int64_t terms,
                                const TeamSize& team, const Machine& machine) {
    constexpr int warp = 32, line = 8, terms_of_many = 8;
    WorkerGroups groups{groupFor(team, terms, terms_each), 1};
    if (machine.is_host) return groups;
    const double outputs = static_cast<double>(box.size());
    const bool has_many = outputs * warp / line >= machine.concurrency;
    if (cell_fastest && has_many && team.workers() >= warp) groups.stride = line;
    const int least = std::min(warp / groups.stride, groupFor(team, terms, terms_of_many));
    while (groups.size > least && outputs * groups.size / 2 >= machine.concurrency) {
      groups.size /= 2;
    }
    groups.size = std::min(groups.size, team.workers() / groups.stride);
    return groups;
  }

  /// The outputs that a team works on, one after the other where they are more than it has groups.
  static Box blockFor(const Box& box, bool cell_fastest, const Machine& machine, int at_once,
                      int cells) {
    const auto& [c, l, r] = box.extents;
    if (cells != 0) return {{std::min<std::int64_t>(cells, c), l, r}};
    const std::int64_t most = machine.is_host ? 1024 : 16 * std::int64_t(at_once);
    const std::int64_t teams =
        machine.is_host ? 8 * std::int64_t(machine.concurrency) : machine.concurrency / 16;
    return neighbours(box, cell_fastest,
                      std::clamp<std::int64_t>(box.size() / teams, at_once, most));
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
