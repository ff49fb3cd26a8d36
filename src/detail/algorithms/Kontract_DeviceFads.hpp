// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_DEVICEFADS_HPP
#define KONTRACT_DEVICEFADS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "Kontract_CellTiles.hpp"
#include "detail/kernels/device/Kontract_FadElements.hpp"
#include "detail/kernels/portable/Kontract_FadTileOfCell.hpp"
#include "detail/launch/Kontract_Launch.hpp"

namespace Kontract {
namespace Impl {

/// Fads of float or double on devices: a thread has one component, a derivative or the value, of
/// the elements of a tile. Their type does not matter: see FadArray.
struct DeviceFads {
  static constexpr CellTiles::Tile tiles[] = {{1, 1}, {1, 4}, {4, 1}, {2, 2}, {3, 3},
                                              {4, 4}, {6, 6}, {8, 8}, {2, 8}, {8, 2},
                                              {3, 6}, {6, 3}, {4, 8}, {8, 4}};

  /// The tile of a contraction that is expected to take the least time of those that fields fill.
  static CellTiles::Choice choose(const Work& work, const Machine& machine) {
    // Components are computed as cells are that are neighbours in memory.
    Work of_components = work;
    of_components.box.extents[0] *= work.components;
    of_components.terms = (work.terms * work.products + work.components - 1) / work.components;
    of_components.scalar_bytes[0] /= static_cast<int>(work.components);
    // Fitted to what all tiles take for 14 shapes with 8 derivatives, within a tenth.
    constexpr CellTiles::Costs costs{2.3e-10, 1.2e-11, 2.6e-12, 7.5e-12};
    CellTiles::Choice best{0, CellTiles::secondsOf(tiles[0], costs, of_components, machine)};
    for (int i = 1; i < int(std::size(tiles)); ++i) {
      if (tiles[i].lefts > work.box.extents[1] || tiles[i].rights > work.box.extents[2]) continue;
      const double seconds = CellTiles::secondsOf(tiles[i], costs, of_components, machine);
      if (seconds < best.seconds) best = {i, seconds};
    }
    return best;
  }

  /// \return expected seconds
  static double seconds(const Work& work, const Machine& machine) {
    // Threads with one output each reach that share of the bandwidth.
    constexpr double share = 0.7;
    // What tiles take on an H200 beside their costs, which are those of an H100.
    constexpr double slower = 1.3;
    // A thread adds one term after another, however few cells there are: 18 to 20 microseconds of
    // an H200 for 75 terms.
    constexpr double for_a_term = 2.5e-7;
    return machine.launch_seconds + (work.is_contraction
                                         ? std::max(slower * choose(work, machine).seconds,
                                                    for_a_term * static_cast<double>(work.terms))
                                         : work.bytes / (share * machine.bytes_per_second));
  }
};

template <std::size_t place, class S, class Space>
void runFadTiles(const Space& space, const FadProblem<ContractionShape, S>& problem,
                 const std::string& label) {
  constexpr CellTiles::Tile tile = DeviceFads::tiles[place];
  constexpr int lanes_in_step = is_cuda<Space> ? 32 : 64;
  const FadTileOfCell<S, tile.lefts, tile.rights, lanes_in_step> threads(problem);
  launch(space, label, threads.threads(), threads);
}

template <class S, class Space, std::size_t... i>
void runFadTilesOf(int place, std::index_sequence<i...>, const Space& space,
                   const FadProblem<ContractionShape, S>& problem, const std::string& label) {
  ((int(i) == place ? runFadTiles<i>(space, problem, label) : void()), ...);
}

/// Runs a contraction of Fads.
/// \param place  of its tile in DeviceFads::tiles
template <class S, class Space>
void runFadContraction(const Space& space, const FadProblem<ContractionShape, S>& problem,
                       int place, const std::string& label) {
  runFadTilesOf(place, std::make_index_sequence<std::size(DeviceFads::tiles)>(), space, problem,
                label);
}

/// Runs a pointwise operation of Fads by a kernel, if that has it.
/// \tparam Elements  FadElements
template <class Elements, class S, class Space>
bool runFadElementsBy(const Space& space, const FadProblem<PointwiseShape, S>& problem,
                      const std::string& label) {
  if (!Elements::has(problem)) return false;
  const Elements threads(problem);
  if (!threads.fits()) return false;
  launch(space, label, threads.threads(), threads);
  return true;
}

/// Runs a pointwise operation of Fads with derivatives in these factors, if it is one.
template <FadFactors factors, class S, class Space>
bool runFadElementsOf(const Space& space, const FadProblem<PointwiseShape, S>& problem,
                      const std::string& label) {
  return runFadElementsBy<FadElements<S, factors, 3, 3>>(space, problem, label) ||
         runFadElementsBy<FadElements<S, factors, 2, 2>>(space, problem, label) ||
         runFadElementsBy<FadElements<S, factors, 1, 1>>(space, problem, label) ||
         runFadElementsBy<FadElements<S, factors, 1, 2>>(space, problem, label) ||
         runFadElementsBy<FadElements<S, factors, 1, 3>>(space, problem, label);
}

/// Runs a pointwise operation of Fads.
/// \return whether it did; if not, it has no kernel of that kind, its elements are more than are
/// counted in 32 bits, or its output is an input
template <class S, class Space>
bool runFadElements(const Space& space, const FadProblem<PointwiseShape, S>& problem,
                    const std::string& label) {
  const bool is_in_place = problem.out.derivatives == problem.left.derivatives ||
                           problem.out.derivatives == problem.right.derivatives;
  return !is_in_place &&
         (runFadElementsOf<FadFactors::Left>(space, problem, label) ||
          runFadElementsOf<FadFactors::Right>(space, problem, label) ||
          runFadElementsOf<FadFactors::Any>(space, problem, label) ||
          runFadElementsBy<FadElements<S, FadFactors::Any, 1, 0>>(space, problem, label));
}

}  // namespace Impl
}  // namespace Kontract

#endif
