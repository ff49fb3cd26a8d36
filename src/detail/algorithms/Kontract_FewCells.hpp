// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FEWCELLS_HPP
#define KONTRACT_FEWCELLS_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "detail/kernels/portable/Kontract_SumOfProducts.hpp"
#include "detail/launch/Kontract_CudaLaunch.hpp"
#include "detail/launch/Kontract_LaunchSettings.hpp"
#include "detail/problem/Kontract_Problem.hpp"
#include "detail/support/Kontract_DeviceApi.hpp"
#include "detail/support/Kontract_Machine.hpp"
#include "detail/support/Kontract_Scalar.hpp"
#include "detail/support/Kontract_Setting.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "detail/kernels/cuda/Kontract_FewCellsKernel.hpp"
#endif

namespace Kontract {
namespace Impl {

/// Few cells, spread over a device in one launch: a block has a tile of one cell's sums, and its
/// warps have parts of their terms, which are added up in a fixed order. Operands go from memory
/// straight into the registers of NVIDIA's double-precision matrix instructions.
/// Source: sums cut among the warps of a block are what NVIDIA's CUTLASS calls sliced K.
struct FewCells {
  static constexpr const char* name = "Few Cells";
  static constexpr const char* summary = "few cells, each spread over many warps of NVIDIA devices";

  struct Settings {
    int tile = 0, warps = 0;
    template <class Visitor>
    void visit(Visitor&& visitor) {
      visitor("Tile", tile, "left and right fields of a block's tile: 8 or 16 (0 = choose)");
      visitor("Warps", warps, "of a block, which share the sum over k: 1, 2, 4 or 8 (0 = choose)");
    }
  };

  static constexpr unsigned launch_knobs = LaunchSettings::none;

  template <class Space, class Problem>
  static constexpr bool serves = is_cuda<Space>&& has_one_scalar<Problem>;

  /// \return expected seconds
  static double estimate(const Work& work, const Machine& machine) {
    const auto& [cells, lefts, rights] = work.box.extents;
    // With one field on a side nothing is used twice: threads read as fast, and start sooner.
    if (machine.compute_capability < compute_capability || !work.matrices.has_one_step ||
        std::min(lefts, rights) < 2) {
      return std::numeric_limits<double>::infinity();
    }
    return machine.launch_seconds + secondsOf(resolved(work, machine, {}), work, machine);
  }

  static double bound(const Work& work, const Machine& machine) {
    return machine.launch_seconds + std::max(start_seconds, memorySeconds(work, machine));
  }

  static std::string whyNot(const Work& work, const Machine& machine, const Plan<Settings>& plan) {
    const Settings& given = plan.settings;
    if (machine.compute_capability < compute_capability) {
      return "this device has no such matrix instructions (compute capability 9.0 has)";
    }
    if (!work.matrices.has_one_step) return "the terms of the sum have no single stride";
    if (work.terms > most_terms) {
      return "the sum has " + std::to_string(work.terms) + " terms; at most " +
             std::to_string(most_terms) + " fit";
    }
    if (given.tile != 0 && given.tile != 8 && given.tile != 16) {
      return "Tile = " + std::to_string(given.tile) + " is not offered: 8 and 16 are";
    }
    const auto is_warps = [&](int warps) { return given.warps == warps; };
    if (given.warps != 0 && std::none_of(std::begin(warp_list), std::end(warp_list), is_warps)) {
      return "Warps = " + std::to_string(given.warps) + " is not offered: 1, 2, 4 and 8 are";
    }
    return {};
  }

  static std::vector<Plan<Settings>> candidates(const Work& work, const Machine& machine) {
    std::vector<Plan<Settings>> plans(1);
    for (const int tile : {8, 16}) {
      for (const int warps : warp_list) {
        Plan<Settings> plan;
        plan.settings = {tile, warps};
        if (whyNot(work, machine, plan).empty()) plans.push_back(plan);
      }
    }
    return plans;
  }

  template <class Problem>
  static Settings resolved(const Problem& problem, const Machine& machine,
                           const Plan<Settings>& plan) {
    return resolved(wholeWorkOf(problem), machine, plan.settings);
  }

  template <class Space, class Problem>
  static void run([[maybe_unused]] const Space& space, [[maybe_unused]] const Problem& problem,
                  [[maybe_unused]] const Plan<Settings>& plan,
                  [[maybe_unused]] const std::string& label) {
#ifdef KOKKOS_ENABLE_CUDA
    const Settings settings = resolved(problem, machineOf(space), plan);
    if (settings.tile == 8) {
      runWithTile<1>(space, problem, settings.warps, label);
    } else {
      runWithTile<2>(space, problem, settings.warps, label);
    }
#endif
  }

 private:
  static constexpr int compute_capability = 90;
  static constexpr double start_seconds = 4.5e-7;  ///< seconds behind an empty kernel
  static constexpr std::int64_t most_terms = std::int64_t(1) << 30;
  static constexpr int warp_list[] = {1, 2, 4, 8};

  /// Microseconds, fitted to times of an H200 in a replayed graph, for tiles of 8 and of 16.
  struct Costs {
    double round[2];  ///< of reads that are under way at a time, and waited for
    double step[2];   ///< of eight terms
    double warp[2];   ///< of a tile, its start and its part of the sums
  };

  /// Expected seconds behind those of a launch.
  static double secondsOf(const Settings& settings, const Work& work, const Machine& machine) {
    constexpr Costs of_rows{{0.67, 1.03}, {0.015, 0.035}, {0.069, 0.175}};
    constexpr Costs of_columns{{1.05, 1.8}, {0.084, 0.2}, {0.038, 0.12}};
    const Costs& costs = work.unit_left && work.unit_right ? of_rows : of_columns;
    const int blocks = settings.tile / 8, which = blocks - 1;
    const auto& [cells, lefts, rights] = work.box.extents;
    const double fields = settings.tile;
    const double tiles =
        double(cells) * std::ceil(double(lefts) / fields) * std::ceil(double(rights) / fields);
    const double of_scalar = work.is_complex ? 2 : 1;
    const double steps = std::ceil(double(work.terms) / 8);
    const int at_a_time = blocks * int(of_scalar) >= 4 ? 2 : 4;
    const double rounds = std::ceil(steps / settings.warps / at_a_time);
    const double share = tiles / machine.multiprocessors;
    const double waiting = rounds * costs.round[which];
    const double of_warp = work.is_complex ? 1.7 : 1;
    // Pairs of complex terms are read at once where their number is even.
    const double of_pairs = work.is_complex && work.terms > 8 && work.terms % 2 == 0 ? 0.8 : 1;
    const double working =
        of_pairs * share *
        (of_scalar * steps * costs.step[which] + of_warp * settings.warps * costs.warp[which]);
    // Neither hides behind the other all of the time.
    const double both = std::sqrt(std::hypot(waiting * waiting, working * working));
    return std::max(memorySeconds(work, machine), start_seconds + 1e-6 * both);
  }

  static double memorySeconds(const Work& work, const Machine& machine) {
    const double of_memory = work.scalar_bytes[0] == 16 ? 0.9 : 0.6;
    return work.bytes / (of_memory * machine.bytes_per_second);
  }

  /// Settings in the place of those that were left open.
  static Settings resolved(const Work& work, const Machine& machine, const Settings& given) {
    if (isGiven(given.tile) && isGiven(given.warps)) return given;
    Settings best = given;
    double least = std::numeric_limits<double>::infinity();
    for (const int tile : {8, 16}) {
      for (const int warps : warp_list) {
        const Settings settings{isGiven(given.tile) ? given.tile : tile,
                                isGiven(given.warps) ? given.warps : warps};
        const double seconds = secondsOf(settings, work, machine);
        if (seconds >= least) continue;
        least = seconds;
        best = settings;
      }
    }
    return best;
  }

#ifdef KOKKOS_ENABLE_CUDA
  template <int blocks, class Problem>
  static void runWithTile(const Kokkos::Cuda& space, const Problem& problem, int warps,
                          const std::string& label) {
    if (hasPairs(problem)) {
      start<FewCellsKernel<OutputScalar<Problem>, blocks, true>>(space, problem, warps, label);
    } else {
      start<FewCellsKernel<OutputScalar<Problem>, blocks, false>>(space, problem, warps, label);
    }
  }

  /// Whether two terms of any field, side by side, can be read at a time.
  template <class Problem>
  static bool hasPairs(const Problem& problem) {
    const ContractionShape& s = problem.shape;
    const SumLevel& sum = s.sum[ContractionShape::sum_levels - 1];
    const auto are_even = [](auto... strides) { return (... && (strides % 2 == 0)); };
    const auto is_aligned = [](const OutputScalar<Problem>* p) {
      return reinterpret_cast<std::uintptr_t>(p) % (2 * sizeof(*p)) == 0;
    };
    return sum.left == 1 && sum.right == 1 &&
           are_even(s.terms(), s.left_cell, s.left_field, s.right_cell, s.right_field) &&
           is_aligned(problem.left.data) && is_aligned(problem.right.data);
  }

  template <class Kernel, class Problem>
  static void start(const Kokkos::Cuda& space, const Problem& problem, int warps,
                    const std::string& label) {
    const ContractionShape& s = problem.shape;
    const SumLevel& sum = s.sum[ContractionShape::sum_levels - 1];
    const auto tiles = [](std::int64_t fields) {
      return static_cast<int>((fields + Kernel::fields - 1) / Kernel::fields);
    };
    const Kernel kernel{{problem.left.data, s.left_cell, s.left_field, sum.left},
                        {problem.right.data, s.right_cell, s.right_field, sum.right},
                        {problem.out.data, s.cells, s.lefts, s.rights, s.out_cell, s.out_left,
                         s.out_right, s.sum_into},
                        static_cast<int>(s.terms()),
                        tiles(s.lefts),
                        tiles(s.rights)};
    launchBlocks<Kernel::threads, 1>(space, label,
                                     {s.cells * kernel.left_tiles * kernel.right_tiles, 32 * warps,
                                      warps * Kernel::bytes_of_warp},
                                     kernel);
  }
#endif
};

}  // namespace Impl
}  // namespace Kontract

#endif
