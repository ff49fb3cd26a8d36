// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLTILES_HPP
#define KONTRACT_CELLTILES_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "detail/kernels/portable/Kontract_TileOfCell.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/problem/Kontract_Work.hpp"
#include "detail/support/Kontract_DeviceApi.hpp"

namespace Kontract {
namespace Impl {

/// Contractions of fields with fields on devices, where cells are neighbours in memory: register
/// tiles straight from memory.
struct CellTiles {
  /// Left and right fields of a thread.
  struct Tile {
    int lefts, rights;
  };
  static constexpr Tile tiles[] = {{2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6},
                                   {8, 8}, {2, 6}, {6, 2}, {3, 6}, {6, 3}};

  static bool applies(const Work& work, const Machine& machine) {
    return !machine.is_host && work.is_contraction && work.cell_fastest && work.neighbour_cells &&
           std::min(work.box.extents[1], work.box.extents[2]) >= tiles[0].lefts;
  }

  struct Choice {
    int place;       ///< in tiles
    double seconds;  ///< expected
  };

  /// The tile that is expected to take the least time of those that the fields fill.
  static Choice choose(const Work& work, const Machine& machine) {
    Choice best{0, secondsOf(tiles[0], work, machine)};
    for (int i = 1; i < int(std::size(tiles)); ++i) {
      if (tiles[i].lefts > work.box.extents[1] || tiles[i].rights > work.box.extents[2]) continue;
      if (work.is_complex && !fitsComplex(tiles[i])) continue;
      const double seconds = secondsOf(tiles[i], work, machine);
      if (seconds < best.seconds) best = {i, seconds};
    }
    return best;
  }

  /// \return expected seconds
  static double seconds(const Work& work, const Machine& machine) {
    return machine.launch_seconds + choose(work, machine).seconds;
  }

  template <class Space, class Problem>
  static void run(const Space& space, const Problem& problem, const std::string& label) {
    const int place = choose(workOf(problem), machineOf(space)).place;
    runTile(space, problem, label, place, std::make_index_sequence<std::size(tiles)>());
  }

  /// What a tile costs a warp, in seconds with all of an H200 busy.
  struct Costs {
    double begin, load, product;
    double output;  ///< for each byte
  };

  /// Expected seconds of the kernel; devices are taken to differ from an H200 as the bandwidths of
  /// their memories do.
  static double secondsOf(const Tile& tile, const Costs& costs, const Work& work,
                          const Machine& machine) {
    constexpr double cells_of_warp = 32, h200 = 4.2e12;
    const auto& [cells, lefts, rights] = work.box.extents;
    const double terms = double(work.terms), sums = tile.lefts * tile.rights;
    const double warps = std::ceil(double(cells) / cells_of_warp) *
                         double(tilesAlong(lefts, tile.lefts)) *
                         double(tilesAlong(rights, tile.rights));
    const double each = costs.begin + sums * costs.output * work.scalar_bytes[0] +
                        terms * (costs.load * (tile.lefts + tile.rights) + sums * costs.product);
    // Of a single thread, however few there are.
    const double chain = 1e-6 + terms * (5e-8 + 1.5e-9 * sums);
    const double rate = machine.bytes_per_second / h200;
    return std::max(std::hypot(warps * each / rate, work.bytes / machine.bytes_per_second),
                    chain / rate);
  }

 private:
  /// Whether there are registers for as many complex sums.
  static constexpr bool fitsComplex(const Tile& tile) { return tile.lefts * tile.rights <= 18; }

  static double secondsOf(const Tile& tile, const Work& work, const Machine& machine) {
    const bool is_single = work.scalar_bytes[0] == (work.is_complex ? 8 : 4);
    const double load = (is_single ? 7.9e-12 : 1.1e-11) * (work.is_complex ? 0.6 : 1);
    const double product = (is_single ? 2.2e-12 : 4.8e-12) * (work.is_complex ? 4 : 1);
    return secondsOf(tile, {3.3e-10, load, product, 7.4e-12}, work, machine);
  }

  static std::int64_t tilesAlong(std::int64_t fields, int tile) {
    return (fields + tile - 1) / tile;
  }

  template <class Space, class Problem, std::size_t... i>
  static void runTile(const Space& space, const Problem& problem, const std::string& label,
                      int place, std::index_sequence<i...>) {
    ((int(i) == place ? start<i>(space, problem, label) : void()), ...);
  }

  template <std::size_t place, class Space, class Problem>
  static void start(const Space& space, const Problem& problem, const std::string& label) {
    constexpr Tile tile = tiles[place];
    if constexpr (!IsComplex<AccumulatorOf<Problem>>::value || fitsComplex(tile)) {
      // As many as threads of a device are in step.
      constexpr int cells_side_by_side = is_cuda<Space> ? 32 : 64;
      const TileOfCell<Problem, tile.lefts, tile.rights, cells_side_by_side> threads(problem);
      launch(space, label, threads.threads(), threads);
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
