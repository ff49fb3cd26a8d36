// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_MDRANGE_HPP
#define KONTRACT_MDRANGE_HPP

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "detail/launch/Kontract_Estimate.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/problem/Kontract_FormProblem.hpp"

namespace Kontract {
namespace Impl {

/// One piece of a problem from its place in the box.
template <class Problem>
struct BoxPiece {
  Problem problem;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    compute(problem, i, j, k);
  }
};

/// The box of outputs cut into tiles by MDRangePolicy, iterated in the order of memory, or as asked
/// for. Source: the Kokkos documentation's chapter on multi-dimensional parallelism, whose example
/// is the matrix-vector product of Intrepid2.
struct MDRange {
  static constexpr const char* name = "MDRange";
  static constexpr const char* summary = "the box of outputs in tiles (MDRangePolicy)";

  struct Settings {
    static constexpr const char* orders[] = {"Auto", "Left", "Right"};
    int tile_cells = 0, tile_lefts = 0, tile_rights = 0;
    Word iterate{orders};
    template <class Visitor>
    void visit(Visitor&& visitor) {
      visitor("Tile C", tile_cells, "cells per tile (0 = choose)");
      visitor("Tile L", tile_lefts,
              "left fields per tile; fields in pointwise operations (0 = choose)");
      visitor("Tile R", tile_rights,
              "right fields per tile; points in pointwise operations (0 = choose)");
      visitor("Iterate", iterate,
              "the index that goes fastest, of tiles and within them; Left: cells; Right: right "
              "fields or points (Auto: the neighbour in memory)");
    }
  };

  static constexpr unsigned launch_knobs = LaunchSettings::none;

  template <class Space, class Problem>
  static constexpr bool serves = !is_form<Problem>;

  /// \return expected seconds
  static double estimate(const Work& work, const Machine& machine) {
    if (work.is_contraction && !machine.is_host) {
      // Threads side by side are cells in LayoutLeft, of which few leave most of a warp idle.
      const bool is_idle = work.cell_fastest && work.box.extents[0] < 8;
      double product = work.cell_fastest ? 1.8e-12 : 2.6e-12;
      // Kokkos' tiles are 16 threads wide, which rows of fewer right fields leave idle. On NVIDIA's
      // devices Tensor Core is ahead of it then.
      constexpr std::int64_t width = 16;
      if (!work.cell_fastest && machine.compute_capability == 0) {
        const std::int64_t rights = std::max<std::int64_t>(1, work.box.extents[2]);
        product *=
            static_cast<double>((rights + width - 1) / width * width) / static_cast<double>(rights);
      }
      const DeviceGemvCosts costs{product, is_idle ? 1.2e-7 : 6e-8, 0};
      const double output = work.cell_fastest ? 1.4e-11 + 1e-12 * work.scalar_bytes[0] : 4e-11;
      return secondsOfDeviceSums(work, machine, costs, double(work.terms), output);
    }
    return secondsOnThreads(work, machine, machine.concurrency, machine.is_host ? 4e-9 : 1e-9);
  }

  static std::string whyNot(const Work& work, const Machine& machine, const Plan<Settings>& plan) {
    const bool first_fastest = isFirstFastest(plan.settings, work.cell_fastest);
    const Tile tile = tileFor(work.box, first_fastest, machine, plan.settings);
    const std::int64_t slowest = tile.extents[first_fastest ? 2 : 0];
    if (tile.size() <= mostPieces(machine) && (machine.is_host || slowest <= most_slowest)) {
      return {};
    }
    const auto& [c, l, r] = tile.extents;
    std::string why = "tiles of " + std::to_string(c) + " x " + std::to_string(l) + " x " +
                      std::to_string(r) + " do not fit: a tile takes at most " +
                      std::to_string(mostPieces(machine)) + " pieces";
    if (!machine.is_host) why += ", " + std::to_string(most_slowest) + " in its slowest index";
    return why;
  }

  static std::vector<Plan<Settings>> candidates(const Work& work, const Machine&) {
    std::vector<Plan<Settings>> plans(1);
    for (const auto& [c, l, r] : {std::array{1, 8, 8}, std::array{1, 16, 16}, std::array{4, 8, 8},
                                  std::array{32, 2, 4}, std::array{64, 1, 1}}) {
      Plan<Settings> plan;
      plan.settings.tile_cells = c, plan.settings.tile_lefts = l, plan.settings.tile_rights = r;
      plans.push_back(plan);
    }
    plans.emplace_back();
    plans.back().settings.iterate.place = work.cell_fastest ? right : left;
    return plans;
  }

  template <class Space, class Problem>
  static void run(const Space& space, const Problem& problem, const Plan<Settings>& plan,
                  const std::string& label) {
    const Box box = problem.shape.box();
    const bool first_fastest = isFirstFastest(plan.settings, problem.shape.isCellFastest());
    launch(space, label, box, first_fastest,
           tileFor(box, first_fastest, machineOf(space), plan.settings),
           BoxPiece<Problem>{problem});
  }

 private:
  static constexpr int left = 1, right = 2;  // places of Iterate

  static bool isFirstFastest(const Settings& settings, bool cell_fastest) {
    return isGiven(settings.iterate) ? settings.iterate.place == left : cell_fastest;
  }

  /// A device runs a tile as a block of threads, whose third extent is more limited than the
  /// others, and which finds registers for 256 threads whatever the kernel takes; a host counts the
  /// pieces of a tile in 32 bits.
  static constexpr std::int64_t most_slowest = 64;
  static std::int64_t mostPieces(const Machine& machine) {
    return machine.is_host ? std::numeric_limits<std::int32_t>::max() : 256;
  }

  /// The tile that was asked for, no larger than the box. Extents that were left open become whole
  /// rows of the box, so that a core has something to do between two tiles, but leave tiles for
  /// every core. Where a device was asked for nothing, Kokkos knows best.
  static Tile tileFor(const Box& box, bool first_fastest, const Machine& machine,
                      const Settings& settings) {
    Tile tile{{settings.tile_cells, settings.tile_lefts, settings.tile_rights}};
    const bool is_given = tile.extents[0] + tile.extents[1] + tile.extents[2] > 0;
    if (!is_given && !machine.is_host) return tile;
    const std::int64_t enough_tiles = 8 * std::int64_t(machine.concurrency);
    const std::int64_t pieces =
        machine.is_host ? std::min<std::int64_t>(1024, box.size() / enough_tiles) : 256;
    std::int64_t open = std::max<std::int64_t>(1, pieces);
    const int slowest = first_fastest ? 2 : 0;
    for (const int i : {2 - slowest, 1, slowest}) {
      if (!machine.is_host && i == slowest) open = std::min(open, most_slowest);
      std::int64_t& extent = tile.extents[i];
      extent = std::min(box.extents[i], extent == 0 ? open : extent);
      open = std::max<std::int64_t>(1, open / extent);
    }
    return tile;
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
