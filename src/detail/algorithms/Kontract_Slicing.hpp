// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SLICING_HPP
#define KONTRACT_SLICING_HPP

#include <string>
#include <vector>

#include "detail/kernels/portable/Kontract_OutputBlock.hpp"
#include "detail/kernels/portable/Kontract_Panel.hpp"
#include "detail/kernels/portable/Kontract_SumOfProducts.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/launch/Kontract_TeamSize.hpp"

namespace Kontract {
namespace Impl {

/// How a team slices.
struct Slice {
  std::int64_t rows = 1, cells = 1;  ///< left fields of how many cells are in scratch
  std::int64_t terms = 1;            ///< of each row at a time: all of them, or some
  std::int64_t sums = 0;             ///< outputs in scratch at a time, where terms are only some
  int level = 0;                     ///< of scratch memory
};

/// A team computes all outputs of some rows of the left side, which it copies to scratch memory.
template <class Problem, bool on_host>
struct SliceOfRows {
  Problem problem;
  OutputBlocks blocks;
  Slice slice;
  std::int64_t terms;  ///< of an output
  std::int64_t sums_at;
  bool cell_fastest;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Workers<Member>& workers, std::int64_t piece) const {
    using Acc = AccumulatorOf<Problem>;
    using Left = typename Problem::left_type::value_type;
    const ContractionShape& s = problem.shape;
    const OutputBlock block = blocks[piece];
    Left* rows = static_cast<Left*>(workers.scratch);
    Acc* sums = reinterpret_cast<Acc*>(static_cast<char*>(workers.scratch) + sums_at);
    Panel panel;
    panel.from = block.first.c * s.left_cell + block.first.l * s.left_field;
    panel.from_cell = s.left_cell, panel.from_field = s.left_field;
    panel.from_term = &SumLevel::left;
    panel.cells = static_cast<int>(block.cells), panel.fields = static_cast<int>(block.lefts);
    // On a device, neighbouring workers have neighbouring cells where those are neighbours in
    // memory.
    panel.to_cell = on_host ? static_cast<int>(slice.rows * slice.terms) : 1;
    panel.to_term = on_host ? 1 : static_cast<int>(slice.cells);
    panel.to_field = panel.to_term * static_cast<int>(slice.terms);
    SumLevel sum[ContractionShape::sum_levels];
    std::int64_t step = panel.to_term;
    for (int i = ContractionShape::sum_levels - 1; i >= 0; --i) {
      sum[i] = {s.sum[i].extent, step, s.sum[i].right};
      step *= s.sum[i].extent;
    }
    const bool is_whole = slice.terms >= terms;
    const std::int64_t at_once = is_whole ? block.size() : slice.sums;
    for (std::int64_t first = 0; first < block.size(); first += at_once) {
      const std::int64_t left_over = block.size() - first;
      std::int64_t k = 0;
      do {
        const std::int64_t end = terms - k < slice.terms ? terms : k + slice.terms;
        if (first > 0 || k > 0) workers.wait();  // for those that still read the last panel
        panel.first_term = k, panel.terms = static_cast<int>(end - k);
        loadPanel<on_host>(workers, rows, problem.left, panel, s.sum);
        workers.wait();
        workers.share(left_over < at_once ? left_over : at_once, [&](const std::int64_t i) {
          const OutputPlace out = block.at(first + i, cell_fastest);
          const std::int64_t row =
              (out.c - block.first.c) * panel.to_cell + (out.l - block.first.l) * panel.to_field;
          const TermsAt at{row - k * panel.to_term, termsOf(s, out.c, out.l, out.r).right};
          Acc acc(0);
          if (k > 0) acc = sums[i];
          addTerms(acc, Accessor<const Left>{rows}, problem.right, sum, at, k, end, 1);
          if (end == terms) {
            storeSum(problem, out.c, out.l, out.r, acc);
          } else {
            sums[i] = acc;
          }
        });
        k = end;
      } while (k < terms);
    }
  }
};

/// Rows of the left side are read once, into scratch memory, and all outputs that need them are
/// computed from there at once. Rows that are too long for scratch of level 0 go to level 1; where
/// that is too small as well, they are cut, and the sums wait in scratch for their next part.
/// Where neighbours in memory are cells, a team on a device takes rows of several of them.
/// Source: the "slicing", of one and of two rows, of J. Amelang, A. Gruver and others,
/// "kokkos-intrepid" (2014).
struct Slicing {
  static constexpr const char* name = "Slicing";
  static constexpr const char* summary = "rows of the left side in scratch memory";

  struct Settings {
    int rows = 0;
    template <class Visitor>
    void visit(Visitor&& visitor) {
      visitor("Rows Per Slice", rows, "left fields that a team copies to scratch (0 = choose)");
    }
  };

  static constexpr unsigned launch_knobs = LaunchSettings::team_size_knob |
                                           LaunchSettings::vector_length_knob |
                                           LaunchSettings::cells_per_team_knob;

  template <class Space, class Problem>
  static constexpr bool serves = is_plain_contraction<Problem>;

  /// \return expected seconds
  static double estimate(const Work& work, const Machine& machine) {
    if (!machine.is_host) {
      return secondsOfDeviceSums(work, machine, {3e-12, 6e-8, 1e-6},
                                 static_cast<double>(work.terms));
    }
    const Plan<Settings> plan;
    const Slice slice = sliceFor(work, machine, plan);
    const double outputs = static_cast<double>(work.box.size());
    const double teams = static_cast<double>(blocksFor(work.box, slice).count());
    const double busy = teams * teamFor(work.box, slice, machine, plan.launch).workers();
    const double copied = teams * static_cast<double>(slice.rows * slice.cells * work.terms);
    return copied * (machine.is_host ? 1e-9 : 4e-9) /
               std::clamp(busy, 1.0, 1.0 * machine.concurrency) +
           secondsOnTeams(work, machine, busy, outputs, machine.is_host ? 1e-8 : 1e-7);
  }

  static double bound(const Work& work, const Machine& machine) {
    return leastSecondsOnTeams(work, machine);
  }

  static std::string whyNot(const Work& work, const Machine& machine, const Plan<Settings>& plan) {
    const Slice slice = sliceFor(work, machine, plan);
    if (slice.terms < 1 && work.terms > 0) {
      const std::int64_t most =
          (machine.scratch_bytes[0] - reserve) / (work.scalar_bytes[1] * slice.cells);
      return "Rows Per Slice = " + std::to_string(slice.rows) + " with " +
             std::to_string(slice.cells) + " cells per team does not fit scratch memory: at most " +
             std::to_string(most);
    }
    return whyNotTeams(machine, plan.launch);
  }

  static std::vector<Plan<Settings>> candidates(const Work& work, const Machine& machine) {
    std::vector<Plan<Settings>> plans(1);
    for (const int rows : {1, 2, 4, 8, 16}) {
      Plan<Settings> plan;
      plan.settings.rows = rows;
      if (rows > work.box.extents[1] || !whyNot(work, machine, plan).empty()) continue;
      plans.push_back(plan);
    }
    return plans;
  }

  template <class Space, class Problem>
  static void run(const Space& space, const Problem& problem, const Plan<Settings>& plan,
                  const std::string& label) {
    using Left = typename Problem::left_type::value_type;
    using Acc = AccumulatorOf<Problem>;
    const Machine machine = machineOf(space);
    const Work work = wholeWorkOf(problem);
    const Slice slice = sliceFor(work, machine, plan);
    const OutputBlocks blocks = blocksFor(problem.shape.box(), slice);
    const TeamSize team = teamFor(work.box, slice, machine, plan.launch);
    const std::int64_t sums_at = scratchBytes(slice.rows * slice.cells * slice.terms, sizeof(Left));
    Teams teams{blocks.count(), team.threads, team.vector_length};
    teams.scratch_bytes = sums_at + scratchBytes(slice.sums, sizeof(Acc));
    teams.scratch_level = slice.level;
    launch(space, label, teams,
           SliceOfRows<Problem, is_host_space<Space>>{problem, blocks, slice, work.terms, sums_at,
                                                      work.cell_fastest});
  }

 private:
  /// Room for sums that wait, of 16 bytes at most.
  static constexpr std::int64_t most_sums = 256, reserve = 16 * most_sums + 32;

  /// Kokkos keeps scratch of level 1 for all teams that a device can run at once.
  static std::int64_t mostOfLevel1(const Machine& machine) {
    constexpr std::int64_t most_of_device = 1 << 18;
    return machine.is_host ? machine.scratch_bytes[1]
                           : std::min(most_of_device, machine.scratch_bytes[1]);
  }

  /// As it was asked for; what was left open fills half of scratch memory at most, so that two
  /// teams can be there at once.
  static Slice sliceFor(const Work& work, const Machine& machine, const Plan<Settings>& plan) {
    const auto& [cells, lefts, rights] = work.box.extents;
    const auto bytes = [&](const Slice& slice) {
      return scratchBytes(slice.rows * slice.cells * work.terms, work.scalar_bytes[1]);
    };
    const int rows = plan.settings.rows, cells_per_team = plan.launch.cells_per_team;
    const bool has_neighbours = !machine.is_host && work.cell_fastest;
    Slice slice;
    slice.rows = std::min<std::int64_t>(lefts, rows == 0 ? 4 : rows);
    slice.cells = std::min<std::int64_t>(
        cells, cells_per_team == 0 ? (has_neighbours ? 16 : 1) : cells_per_team);
    while (2 * bytes(slice) > machine.scratch_bytes[0]) {
      if (rows == 0 && slice.rows > 1) {
        slice.rows = (slice.rows + 1) / 2;
      } else if (cells_per_team == 0 && slice.cells > 1) {
        slice.cells = (slice.cells + 1) / 2;
      } else {
        break;
      }
    }
    slice.terms = work.terms;
    if (fitsScratch(machine, 0, bytes(slice))) return slice;
    if (bytes(slice) + 16 <= mostOfLevel1(machine)) {
      slice.level = 1;
      return slice;
    }
    slice.sums = std::min(most_sums, slice.rows * slice.cells * rights);
    slice.terms =
        (machine.scratch_bytes[0] - reserve) / (slice.rows * slice.cells * work.scalar_bytes[1]);
    return slice;
  }

  static OutputBlocks blocksFor(const Box& box, const Slice& slice) {
    return {box, {{slice.cells, slice.rows, box.extents[2]}}};
  }

  static TeamSize teamFor(const Box& box, const Slice& slice, const Machine& machine,
                          const LaunchSettings& settings) {
    const std::int64_t outputs = slice.cells * slice.rows * box.extents[2];
    return teamSizeFor(machine, settings, blocksFor(box, slice).count(), outputs);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
