// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLLANES_HPP
#define KONTRACT_CELLLANES_HPP

#include <algorithm>
#include <string>
#include <type_traits>

#include "Kontract_CudaLaunch.hpp"
#include "Kontract_Machine.hpp"
#include "Kontract_Problem.hpp"
#include "Kontract_SumOfProducts.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "Kontract_CellLanesKernel.hpp"
#include "Kontract_Staged.hpp"
#endif

namespace Kontract {
namespace Impl {

/// How blocks of a device share contractions of arrays in which cells are side by side.
struct CellLanesPlan {
  static constexpr int row = 128;
  int tile = 4;                         ///< left and right fields of a thread
  int left_tiles = 1, right_tiles = 1;  ///< pieces of a cell's fields
  int tile_lefts = 1, tile_rights = 1;  ///< fields of a piece
  int left_warps = 1, right_warps = 1;
  int terms_each = 1, stages = 1;
  std::int64_t right_at = 0, stage_bytes = 0, bytes = 0, works = 0;

  int warps() const { return left_warps * right_warps; }
};

inline CellLanesPlan cellLanesPlan(const Work& work, const Machine& machine) {
  constexpr int most_warps = 16, most_stages = 6;
  const auto& [cells, lefts, rights] = work.box.extents;
  const int cells_each = CellLanesPlan::row / work.scalar_bytes[0];
  const int tiles_of_warp = 32 / cells_each;
  const auto up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  CellLanesPlan best;
  double least = 0;
  for (const int tile : {4, 5, 7, 8}) {
    if (tile > 4 && work.is_complex) continue;
    CellLanesPlan plan;
    plan.tile = tile;
    // Pieces of even size, so that the last one is not nearly empty.
    const std::int64_t most_rights = 4 * tile, most_lefts = std::int64_t(4) * tile * tiles_of_warp;
    plan.left_tiles = static_cast<int>(up(lefts, most_lefts));
    plan.right_tiles = static_cast<int>(up(rights, most_rights));
    plan.tile_lefts = static_cast<int>(up(lefts, plan.left_tiles));
    plan.tile_rights = static_cast<int>(up(rights, plan.right_tiles));
    plan.left_warps = static_cast<int>(up(plan.tile_lefts, tile * tiles_of_warp));
    plan.right_warps = static_cast<int>(up(plan.tile_rights, tile));
    const double sums =
        double(plan.left_tiles) * plan.right_tiles * plan.warps() * 32 * tile * tile;
    const double reads = sums / tile;  // of shared memory
    const double cost = sums + 4 * reads;
    if (plan.warps() <= most_warps && (least == 0 || cost < least)) {
      least = cost;
      best = plan;
    }
  }
  best.terms_each =
      static_cast<int>(std::clamp<std::int64_t>(work.terms, 1, best.tile >= 7 ? 4 : 8));
  best.right_at = std::int64_t(best.terms_each) * best.tile_lefts * CellLanesPlan::row;
  best.stage_bytes =
      best.right_at + std::int64_t(best.terms_each) * best.tile_rights * CellLanesPlan::row;
  const std::int64_t beyond = 64 * CellLanesPlan::row;  // read, and forgotten
  const std::int64_t room =
      machine.block_shared_bytes / (best.warps() <= 4 ? 2 : 1) - 1024 - beyond;
  best.stages = static_cast<int>(std::clamp<std::int64_t>(room / best.stage_bytes, 1, most_stages));
  best.bytes = best.stages * best.stage_bytes + beyond;
  best.works = up(cells, cells_each) * best.left_tiles * best.right_tiles;
  return best;
}

/// Whether lanes of cells can serve it: single precision, as for double there are matrix
/// instructions.
inline bool cellLanesApply(const Work& work, const Machine& machine) {
  return machine.compute_capability >= 80 && work.is_contraction && work.is_single &&
         work.neighbour_cells && work.matrices.has_one_step;
}

/// \return expected seconds
inline double cellLanesSeconds(const Work& work, const Machine& machine) {
  const CellLanesPlan plan = cellLanesPlan(work, machine);
  constexpr double of_peak = 0.55;  // what reading operands from shared memory leaves
  const double products = double(plan.works) * plan.warps() * 32 * plan.tile * plan.tile *
                          double(work.terms) * (work.is_complex ? 4 : 1);
  // Multiply-adds of single precision are as fast as matrix instructions of double precision.
  const double compute = 2 * products / (of_peak * machine.matrix_flops_per_second);
  const double rounds = std::max(1.0, double(machine.multiprocessors) / double(plan.works));
  return machine.launch_seconds +
         std::max(compute * rounds, 1.1 * work.bytes / machine.bytes_per_second);
}

#ifdef KOKKOS_ENABLE_CUDA
namespace CellLanes {

template <class Problem>
using Scalar = typename Problem::out_type::value_type;

/// Single precision; for double precision there are matrix instructions.
template <class Problem>
inline constexpr bool serves =
    is_plain_contraction<Problem>&& std::is_same_v<typename RealOf<Scalar<Problem>>::type, float>&&
        std::is_same_v<Scalar<Problem>, typename Problem::left_type::value_type>&&
            std::is_same_v<Scalar<Problem>, typename Problem::right_type::value_type>;

template <int tile, bool by_engine, class Problem>
bool start(const Kokkos::Cuda& space, const Problem& problem, const CellLanesPlan& plan,
           const std::string& label) {
  using Kernel = CellLanesKernel<Scalar<Problem>, tile, by_engine>;
  const ContractionShape& s = problem.shape;
  const SumLevel& sum = s.sum[ContractionShape::sum_levels - 1];
  constexpr int producers = by_engine ? 0 : 4, most_warps = 16 + producers;
  Kernel kernel{};
  setInput(kernel.left, problem.left.data, {s.left_cell, s.left_field, sum.left}, s.lefts);
  setInput(kernel.right, problem.right.data, {s.right_cell, s.right_field, sum.right}, s.rights);
  setTile(kernel.left, plan.tile_lefts, plan.tile_lefts);
  setTile(kernel.right, plan.tile_rights, plan.tile_rights);
  const auto suits = [&](auto& side) {
    return stage(side, s, Rows::OfCells, false, plan.terms_each, Kernel::cells);
  };
  if (by_engine && !(suits(kernel.left) && suits(kernel.right))) return false;
  kernel.out = {problem.out.data, s.cells,    s.lefts,     s.rights,
                s.out_cell,       s.out_left, s.out_right, s.sum_into};
  kernel.plan = {s.cells,
                 s.terms(),
                 plan.works,
                 plan.left_tiles,
                 plan.right_tiles,
                 Kernel::cells,
                 plan.terms_each,
                 plan.terms_each,
                 plan.stages,
                 int(plan.right_at),
                 int(plan.stage_bytes),
                 plan.warps(),
                 producers};
  kernel.right_warps = plan.right_warps;
  launchBlocks<32 * most_warps, 1>(
      space, label, {plan.works, 32 * (plan.warps() + producers), int(plan.bytes)}, kernel);
  return true;
}

template <int tile, class Problem>
void startEither(const Kokkos::Cuda& space, const Problem& problem, const CellLanesPlan& plan,
                 const std::string& label) {
  if (!start<tile, true>(space, problem, plan, label)) {
    start<tile, false>(space, problem, plan, label);  // addresses or strides do not suit the engine
  }
}

template <class Problem>
void run(const Kokkos::Cuda& space, const Problem& problem, const std::string& label) {
  const CellLanesPlan plan = cellLanesPlan(workOf(problem), machineOf(space));
  if constexpr (!IsComplex<Scalar<Problem>>::value) {
    if (plan.tile == 5) return startEither<5>(space, problem, plan, label);
    if (plan.tile == 7) return startEither<7>(space, problem, plan, label);
    if (plan.tile == 8) return startEither<8>(space, problem, plan, label);
  }
  startEither<4>(space, problem, plan, label);
}

}  // namespace CellLanes
#endif

}  // namespace Impl
}  // namespace Kontract

#endif
