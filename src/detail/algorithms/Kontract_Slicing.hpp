// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SLICING_HPP
#define KONTRACT_SLICING_HPP

#include <string>
#include <type_traits>
#include <vector>

#include "detail/kernels/device/Kontract_SliceColumns.hpp"
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
  int register_rows = 1;             ///< that a thread of a device sums at a time

  std::int64_t paddedRows() const {
    return (rows + register_rows - 1) / register_rows * register_rows;
  }
};

/// A team of a host computes all outputs of some rows of the left side, which it copies to scratch
/// memory.
template <class Problem>
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
    panel.to_cell = static_cast<int>(slice.rows * slice.terms);
    panel.to_term = 1;
    panel.to_field = static_cast<int>(slice.terms);
    SumLevel sum[ContractionShape::sum_levels];
    std::int64_t step = 1;
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
        loadPanel<true>(workers, rows, problem.left, panel, s.sum);
        workers.wait();
        workers.share(left_over < at_once ? left_over : at_once, [&](const std::int64_t i) {
          const OutputPlace out = block.at(first + i, cell_fastest);
          const std::int64_t row =
              (out.c - block.first.c) * panel.to_cell + (out.l - block.first.l) * panel.to_field;
          const TermsAt at{row - k, termsOf(s, out.c, out.l, out.r).right};
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
/// computed from there at once. On a host, rows that are too long for scratch of level 0 go to
/// level 1; where that is too small as well, they are cut, and the sums wait in scratch for their
/// next part. On a device a thread reads each scalar of the right side once for several rows; where
/// neighbours in memory are cells, or right fields are few, a team takes rows of several cells.
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

  static constexpr unsigned launch_knobs =
      LaunchSettings::team_size_knob | LaunchSettings::vector_length_knob |
      LaunchSettings::cells_per_team_knob | LaunchSettings::bound_knobs;

  template <class Space, class Problem>
  static constexpr bool serves = is_plain_contraction<Problem>;

  /// \return expected seconds
  static double estimate(const Work& work, const Machine& machine) {
    if (!machine.is_host) {
      const double cells = static_cast<double>(work.box.extents[0]);
      return cells * 0.8e-9 + secondsOfDeviceSums(work, machine, {0.8e-12, 6e-8, 1e-6},
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
      const std::int64_t a_row = work.scalar_bytes[1] * slice.cells;
      const std::int64_t most = machine.is_host
                                    ? (machine.scratch_bytes[0] - reserve) / a_row
                                    : (machine.scratch_bytes[0] - 32) / a_row - padding_rows;
      return "Rows Per Slice = " + std::to_string(slice.rows) + " with " +
             std::to_string(slice.cells) + " cells per team does not fit scratch memory: at most " +
             std::to_string(std::max<std::int64_t>(0, most));
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
    if (!machine.is_host) addBounds(plans);
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
    Teams teams{blocks.count(), team.threads, team.vector_length};
    if constexpr (is_host_space<Space>) {
      const std::int64_t sums_at =
          scratchBytes(slice.rows * slice.cells * slice.terms, sizeof(Left));
      teams.scratch_bytes = sums_at + scratchBytes(slice.sums, sizeof(Acc));
      teams.scratch_level = slice.level;
      launch(space, label, teams,
             SliceOfRows<Problem>{problem, blocks, slice, work.terms, sums_at, work.cell_fastest});
    } else {
      teams.scratch_bytes = deviceBytes(work, slice);
      teams.launch = plan.launch;
      forRows(slice.register_rows, [&](auto rows) {
        constexpr int in_registers = decltype(rows)::value;
        const SliceColumns<Problem, in_registers> columns{problem,          blocks,
                                                          work.terms,       int(slice.terms),
                                                          int(slice.cells), int(slice.paddedRows()),
                                                          work.cell_fastest};
        if constexpr (in_registers == most_register_rows) {
          launchBounded(space, label, teams, columns);
        } else {
          launch(space, label, teams, columns);
        }
      });
    }
  }

 private:
  /// Rows of a thread of a device: those of kernels with launch bounds.
  static constexpr int most_register_rows = 8;
  /// What whole groups of rows, and keeping cells apart, may take besides the rows of a slice.
  static constexpr std::int64_t padding_rows = 24;
  /// Room for sums that wait, of 16 bytes at most.
  static constexpr std::int64_t most_sums = 256, reserve = 16 * most_sums + 32;

  /// Calls f with the rows of a thread as a constant.
  template <class F>
  static void forRows(int rows, const F& f) {
    switch (rows) {
      case 1: return f(std::integral_constant<int, 1>());
      case 2: return f(std::integral_constant<int, 2>());
      case 4: return f(std::integral_constant<int, 4>());
      default: return f(std::integral_constant<int, most_register_rows>());
    }
  }

  static Slice sliceFor(const Work& work, const Machine& machine, const Plan<Settings>& plan) {
    return machine.is_host ? sliceForHost(work, machine, plan)
                           : sliceForDevice(work, machine, plan);
  }

  /// As it was asked for; what was left open fills half of scratch memory at most, so that two
  /// teams can be there at once.
  static Slice sliceForHost(const Work& work, const Machine& machine, const Plan<Settings>& plan) {
    const auto& [cells, lefts, rights] = work.box.extents;
    const auto bytes = [&](const Slice& slice) {
      return scratchBytes(slice.rows * slice.cells * work.terms, work.scalar_bytes[1]);
    };
    const int rows = plan.settings.rows, cells_per_team = plan.launch.cells_per_team;
    Slice slice;
    slice.rows = std::min<std::int64_t>(lefts, rows == 0 ? 4 : rows);
    slice.cells = std::min<std::int64_t>(cells, cells_per_team == 0 ? 1 : cells_per_team);
    while (rows == 0 && slice.rows > 1 && 2 * bytes(slice) > machine.scratch_bytes[0]) {
      slice.rows = (slice.rows + 1) / 2;
    }
    slice.terms = work.terms;
    if (fitsScratch(machine, 0, bytes(slice))) return slice;
    if (bytes(slice) + 16 <= machine.scratch_bytes[1]) {
      slice.level = 1;
      return slice;
    }
    slice.sums = std::min(most_sums, slice.rows * slice.cells * rights);
    slice.terms =
        (machine.scratch_bytes[0] - reserve) / (slice.rows * slice.cells * work.scalar_bytes[1]);
    return slice;
  }

  /// The rows that were asked for, else as many as a thread has registers for. Threads are filled
  /// with right fields of several cells, and rows are cut where they fill half of scratch memory.
  static Slice sliceForDevice(const Work& work, const Machine& machine,
                              const Plan<Settings>& plan) {
    constexpr std::int64_t threads = 128, line = 4;
    const auto& [cells, lefts, rights] = work.box.extents;
    const int given = plan.settings.rows;
    Slice slice;
    slice.rows = std::clamp<std::int64_t>(given == 0 ? most_register_rows : given, 1,
                                          std::max<std::int64_t>(1, lefts));
    slice.register_rows = slice.rows > 4 || plan.launch.givesBounds() ? most_register_rows
                          : slice.rows > 2                            ? 4
                                                                      : int(slice.rows);
    const std::int64_t groups = slice.paddedRows() / slice.register_rows;
    std::int64_t most = threads / std::clamp<std::int64_t>(groups * rights, 1, threads);
    if (work.cell_fastest) most = std::max(line, most / line * line);
    if (plan.launch.cells_per_team != 0) most = plan.launch.cells_per_team;
    slice.cells = std::min(cells, most);
    slice.terms = work.terms;
    const std::int64_t half = (machine.scratch_bytes[0] - 16) / 2;
    while (plan.launch.cells_per_team == 0 && !work.cell_fastest && slice.cells > 1 &&
           deviceBytes(work, slice) > half) {
      slice.cells /= 2;
    }
    if (deviceBytes(work, slice) > half) {
      Slice one = slice;
      one.terms = 1;
      slice.terms = std::max<std::int64_t>(1, half / deviceBytes(work, one));
    }
    if (!fitsScratch(machine, 0, deviceBytes(work, slice))) slice.terms = 0;
    return slice;
  }

  /// Bytes of a slice in scratch memory of a device, as SliceColumns lays it out.
  static std::int64_t deviceBytes(const Work& work, const Slice& slice) {
    const int bytes = work.scalar_bytes[1];
    const std::int64_t rows = slice.paddedRows(), apart = bytes < 16 ? 16 / bytes : 1;
    const std::int64_t cell =
        work.cell_fastest ? slice.terms * (rows + apart) : slice.terms * rows + apart;
    return scratchBytes(slice.cells * cell, bytes);
  }

  static OutputBlocks blocksFor(const Box& box, const Slice& slice) {
    constexpr std::int64_t most_rights = 1 << 16;  // so that a team counts in 32 bits
    return {box, {{slice.cells, slice.rows, std::min(most_rights, box.extents[2])}}};
  }

  static TeamSize teamFor(const Box& box, const Slice& slice, const Machine& machine,
                          const LaunchSettings& settings) {
    const std::int64_t rows = machine.is_host ? slice.rows : slice.paddedRows();
    const std::int64_t works = slice.cells * rows / slice.register_rows * box.extents[2];
    return teamSizeFor(machine, settings, blocksFor(box, slice).count(), works);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
