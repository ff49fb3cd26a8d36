// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_WHOLECELLS_HPP
#define KONTRACT_WHOLECELLS_HPP

#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "Kontract_CellPiecesPlan.hpp"
#include "detail/kernels/portable/Kontract_SumOfProducts.hpp"
#include "detail/launch/Kontract_CudaLaunch.hpp"
#include "detail/launch/Kontract_LaunchSettings.hpp"
#include "detail/problem/Kontract_Problem.hpp"
#include "detail/support/Kontract_DeviceApi.hpp"
#include "detail/support/Kontract_Scalar.hpp"
#include "detail/support/Kontract_Setting.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "detail/kernels/cuda/Kontract_WholeCellsKernel.hpp"
#endif

namespace Kontract {
namespace Impl {

/// Cells without gaps as a whole, whatever the lengths of their rows: the copy engine of NVIDIA
/// devices moves runs of memory, and double-precision matrix instructions take what lies in shared
/// memory. Float becomes double on its way into an instruction.
/// Source: warps that copy and warps that compute, with a ring of stages between them, are how the
/// matrix products of NVIDIA's CUTLASS work.
struct WholeCells {
  static constexpr const char* name = "Whole Cells";
  static constexpr const char* summary = "cells without gaps as a whole, by NVIDIA's copy engine";

  struct Settings {
    static constexpr const char* tiles[] = {"Auto",    "8 x 8",   "16 x 16",
                                            "16 x 24", "32 x 24", "32 x 32"};
    Word tile{tiles};
    template <class Visitor>
    void visit(Visitor&& visitor) {
      visitor("Tile", tile,
              "left fields and columns of a warp's tile: a right field has one column, or two if "
              "numbers are complex (Auto: the least expected time)");
    }
  };

  static constexpr unsigned launch_knobs = LaunchSettings::none;

  template <class Space, class Problem>
  static constexpr bool serves = is_cuda<Space>&& has_one_scalar<Problem>;

  /// \return expected seconds
  static double estimate(const Work& work, const Machine& machine) {
    if (!isOffered(work, machine)) return std::numeric_limits<double>::infinity();
    const CellPiecesPlan plan = best(work, machine);
    if (!plan.exists()) return std::numeric_limits<double>::infinity();
    return machine.launch_seconds + start_seconds + plan.seconds(work, machine);
  }

  static double bound(const Work& work, const Machine& machine) {
    return machine.launch_seconds + start_seconds + work.bytes / machine.bytes_per_second;
  }

  static std::string whyNot(const Work& work, const Machine& machine, const Plan<Settings>& plan) {
    if (!machine.hasCopyEngine()) {
      return "this device has no engine that copies runs of memory (compute capability 9.0 has)";
    }
    if (!work.cells_without_gaps) {
      return "some array has gaps, or not its terms side by side, then fields, then cells";
    }
    if (!planFor(work, machine, plan.settings).exists()) {
      return "shared memory of " + std::to_string(machine.block_shared_bytes) +
             " bytes does not hold the right fields of two cells with some of their left ones";
    }
    return {};
  }

  static std::vector<Plan<Settings>> candidates(const Work& work, const Machine& machine) {
    std::vector<Plan<Settings>> plans(1);
    for (int tile = 1; tile <= tile_count; ++tile) {
      Plan<Settings> plan;
      plan.settings.tile.place = tile;
      if (whyNot(work, machine, plan).empty()) plans.push_back(plan);
    }
    return plans;
  }

  template <class Problem>
  static Settings resolved(const Problem& problem, const Machine& machine,
                           const Plan<Settings>& plan) {
    Settings settings = plan.settings;
    if (!isGiven(settings.tile)) {
      const WarpTile tile = best(wholeWorkOf(problem), machine).tile();
      for (int i = 0; i < tile_count; ++i) {
        if (tile_list[i] == tile) settings.tile.place = i + 1;
      }
    }
    return settings;
  }

  template <class Space, class Problem>
  static void run([[maybe_unused]] const Space& space, [[maybe_unused]] const Problem& problem,
                  [[maybe_unused]] const Plan<Settings>& plan,
                  [[maybe_unused]] const std::string& label) {
#ifdef KOKKOS_ENABLE_CUDA
    const CellPiecesPlan pieces = planFor(workOf(problem), machineOf(space), plan.settings);
    const Launch<Problem> launch{space, problem, pieces.pieces(), label};
    const WarpTile tile = pieces.tile();
    if (tile == tile_list[0]) return launch.template withTile<1, 1>();
    if (tile == tile_list[1]) return launch.template withTile<2, 2>();
    if (tile == tile_list[2]) return launch.template withTile<2, 3>();
    if (tile == tile_list[3]) return launch.template withTile<4, 3>();
    launch.template withTile<4, 4>();
#endif
  }

 private:
  static constexpr int tile_count = 5;
  static constexpr double start_seconds = 1.8e-6;  ///< seconds behind an empty kernel
  static constexpr WarpTile tile_list[tile_count] = {{1, 1}, {2, 2}, {2, 3}, {4, 3}, {4, 4}};

  static bool isOffered(const Work& work, const Machine& machine) {
    return work.cells_without_gaps && machine.hasCopyEngine();
  }

  static CellPiecesPlan planFor(const Work& work, const Machine& machine,
                                const Settings& settings) {
    if (!isGiven(settings.tile)) return best(work, machine);
    return CellPiecesPlan(work, machine, tile_list[settings.tile.place - 1]);
  }

  static CellPiecesPlan best(const Work& work, const Machine& machine) {
    CellPiecesPlan least(work, machine, tile_list[0]);
    for (int i = 1; i < tile_count; ++i) {
      const CellPiecesPlan plan(work, machine, tile_list[i]);
      if (!plan.exists()) continue;
      if (!least.exists() || plan.seconds(work, machine) < least.seconds(work, machine)) {
        least = plan;
      }
    }
    return least;
  }

#ifdef KOKKOS_ENABLE_CUDA
  template <class Problem>
  struct Launch {
    using T = OutputScalar<Problem>;
    using Real = typename RealOf<T>::type;
    static constexpr int reals = IsComplex<T>::value ? 2 : 1;
    const Kokkos::Cuda& space;
    const Problem& problem;
    const CellPieces pieces;
    const std::string& label;

    template <int lefts, int rights>
    void withTile() const {
      // Every second real of rows is aligned then.
      [[maybe_unused]] const auto address =
          reinterpret_cast<std::uintptr_t>(problem.left.data) |
          reinterpret_cast<std::uintptr_t>(problem.right.data) |
          (reals == 2 ? reinterpret_cast<std::uintptr_t>(problem.out.data) : 0);
      if constexpr (alignof(T) == 2 * sizeof(Real)) {
        start<lefts, rights, true>();
      } else if (pieces.terms % 2 == 0 && address % (2 * sizeof(Real)) == 0) {
        start<lefts, rights, true>();
      } else {
        start<lefts, rights, false>();
      }
    }

    template <int lefts, int rights, bool pairs>
    void start() const {
      using Kernel = WholeCellsKernel<Real, reals, lefts, rights, pairs>;
      const Kernel kernel{reinterpret_cast<const Real*>(problem.left.data),
                          reinterpret_cast<const Real*>(problem.right.data),
                          reinterpret_cast<Real*>(problem.out.data), pieces,
                          problem.shape.sum_into};
      launchBlocks<Kernel::threads, 1>(space, label, {pieces.pieces, Kernel::threads, pieces.bytes},
                                       kernel);
    }
  };
#endif
};

}  // namespace Impl
}  // namespace Kontract

#endif
