// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLTILES_HPP
#define KONTRACT_CELLTILES_HPP

#include <cstdint>
#include <string>

#include "detail/kernels/portable/Kontract_TileOfCell.hpp"
#include "detail/launch/Kontract_Estimate.hpp"
#include "detail/launch/Kontract_Launch.hpp"

namespace Kontract {
namespace Impl {

/// Contractions of fields with fields, register tiles straight from memory: for devices that have
/// neither NVIDIA's matrix instructions nor its copy engine (see TensorCore and InterleavedCells,
/// which are ahead of this there).
struct CellTiles {
  static bool applies(const Work& work, const Machine& machine) {
    return !machine.is_host && machine.compute_capability == 0 && work.is_contraction &&
           work.cell_fastest && work.neighbour_cells;
  }

  /// Fields of a tile on either side: those that take the least time of the sizes that are offered.
  static int tileFor(const Box& box, bool is_complex) {
    if (is_complex) return 4;  // registers
    int best = 4;
    for (const int tile : {5, 7, 8}) {
      if (cost(box, tile) < cost(box, best)) best = tile;
    }
    return best;
  }

  /// \return expected seconds. The costs are those that such tiles were measured to have on an
  /// H200:
  ///   27 x 27 fields of 64 terms in 1.9 times the time that memory takes.
  static double seconds(const Work& work, const Machine& machine) {
    constexpr double product = 3.2e-13, of_tile = 2.5e-9;
    const int tile = tileFor(work.box, work.is_complex);
    const auto up = [tile](std::int64_t fields) {
      return double((fields + tile - 1) / tile * tile);
    };
    // What is summed for fields past the last ones takes time, too.
    const double lefts = double(work.box.extents[1]), rights = double(work.box.extents[2]);
    const double share = up(work.box.extents[1]) / lefts * up(work.box.extents[2]) / rights;
    const double chain = double(work.terms) * (work.is_complex ? 2 : 1);
    return secondsOfDeviceSums(work, machine, {product * share, 6e-8 + of_tile * tile * tile, 0},
                               chain);
  }

  template <class Space, class Problem>
  static void run(const Space& space, const Problem& problem, const std::string& label) {
    using Acc = AccumulatorOf<Problem>;
    if constexpr (!IsComplex<Acc>::value) {
      switch (tileFor(problem.shape.box(), false)) {
        case 5: return start<5>(space, problem, label);
        case 7: return start<7>(space, problem, label);
        case 8: return start<8>(space, problem, label);
        default: break;
      }
    }
    start<4>(space, problem, label);
  }

 private:
  template <int tile, class Space, class Problem>
  static void start(const Space& space, const Problem& problem, const std::string& label) {
    const TileOfCell<Problem, tile> threads(problem);
    launch(space, label, threads.threads(), threads);
  }

  /// What all tiles of a cell take for a term: products, and reading, which costs as much as two.
  static std::int64_t cost(const Box& box, std::int64_t tile) {
    const auto along = [tile](std::int64_t fields) { return (fields + tile - 1) / tile; };
    constexpr std::int64_t reading = 2;
    return along(box.extents[1]) * along(box.extents[2]) * (tile * tile + 2 * tile * reading);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
