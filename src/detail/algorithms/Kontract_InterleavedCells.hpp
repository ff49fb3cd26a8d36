// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_INTERLEAVEDCELLS_HPP
#define KONTRACT_INTERLEAVEDCELLS_HPP

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "Kontract_InterleavedCellsPlan.hpp"
#include "detail/kernels/portable/Kontract_SumOfProducts.hpp"
#include "detail/launch/Kontract_CudaLaunch.hpp"
#include "detail/problem/Kontract_Problem.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "Kontract_InterleavedCellsKernel.hpp"
#include "Kontract_Staged.hpp"
#endif

namespace Kontract {
namespace Impl {

/// Whether interleaved cells can serve it: single precision, as for double there are matrix
/// instructions.
inline bool interleavedCellsApply(const Work& work, const Machine& machine) {
  return machine.compute_capability >= 80 && work.is_contraction && work.is_single &&
         work.neighbour_cells && work.matrices.has_one_step;
}

/// \return expected seconds, from what the kernel takes on an H200
inline double secondsOfInterleavedCells(const Work& work, const Machine& machine) {
  const InterleavedCellsPlan plan = interleavedCellsPlan(work, machine);
  constexpr double h200 = 4.2e12;
  // Rows that do not suit the copy engine are copied by warps, which keeps the others waiting.
  const bool suits_engine = work.box.extents[0] * work.scalar_bytes[0] % 16 == 0;
  const double waiting = suits_engine ? 1 : 1.6;
  const double row = suits_engine || work.is_complex ? 0 : 2.5e-11;
  const double product = work.is_complex ? 1.6e-11 : 4.6e-12;  ///< of the lanes of a warp
  constexpr double stage = 1.2e-9, output = 2.5e-11, begin = 6e-10;
  const double terms = double(work.terms), stages = std::ceil(terms / plan.terms_each);
  const double rows = terms * (plan.tile_lefts + plan.tile_rights);
  const double products = terms * plan.warps() * plan.tile * plan.tile;
  const double outputs = double(plan.tile_lefts) * plan.tile_rights;
  const double each =
      row * rows + waiting * (product * products + stage * stages + output * outputs + begin);
  const double rounds = std::max(1.0, double(machine.multiprocessors) / double(plan.works));
  const double rate = machine.bytes_per_second / h200;
  // What a single block takes, however few there are.
  constexpr double start = 1e-6, term = 1.2e-7;
  return machine.launch_seconds + start +
         std::max(std::hypot(double(plan.works) * each * rounds / rate,
                             work.bytes / machine.bytes_per_second),
                  term * terms / rate);
}

#ifdef KOKKOS_ENABLE_CUDA
namespace InterleavedCells {

/// Single precision; for double precision there are matrix instructions.
template <class Problem>
inline constexpr bool serves =
    has_one_scalar<Problem>&& std::is_same_v<typename RealOf<OutputScalar<Problem>>::type, float>;

template <int tile, bool by_engine, class Problem>
bool start(const Kokkos::Cuda& space, const Problem& problem, const InterleavedCellsPlan& plan,
           const std::string& label) {
  using Kernel = InterleavedCellsKernel<OutputScalar<Problem>, tile, by_engine>;
  const ContractionShape& s = problem.shape;
  const SumLevel& sum = s.sum[ContractionShape::sum_levels - 1];
  constexpr int producers = by_engine ? 0 : 4,
                most_warps = InterleavedCellsPlan::most_warps + producers;
  Kernel kernel{};
  setInput(kernel.left, problem.left, {s.left_cell, s.left_field, sum.left}, s.lefts);
  setInput(kernel.right, problem.right, {s.right_cell, s.right_field, sum.right}, s.rights);
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
void startEither(const Kokkos::Cuda& space, const Problem& problem,
                 const InterleavedCellsPlan& plan, const std::string& label) {
  if (!machineOf(space).hasCopyEngine() || !start<tile, true>(space, problem, plan, label)) {
    start<tile, false>(space, problem, plan, label);  // or addresses or strides do not suit it
  }
}

template <class Problem>
void run(const Kokkos::Cuda& space, const Problem& problem, const std::string& label) {
  const InterleavedCellsPlan plan = interleavedCellsPlan(workOf(problem), machineOf(space));
  if constexpr (!IsComplex<OutputScalar<Problem>>::value) {
    if (plan.tile == 5) return startEither<5>(space, problem, plan, label);
    if (plan.tile == 7) return startEither<7>(space, problem, plan, label);
    if (plan.tile == 8) return startEither<8>(space, problem, plan, label);
  }
  startEither<4>(space, problem, plan, label);
}

}  // namespace InterleavedCells
#endif

}  // namespace Impl
}  // namespace Kontract

#endif
