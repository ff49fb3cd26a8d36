// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_MDRANGE_HPP
#define KONTRACT_MDRANGE_HPP

#include <algorithm>
#include <string>

#include "Kontract_Error.hpp"
#include "Kontract_Launch.hpp"
#include "Kontract_Machine.hpp"

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

/// The box of outputs cut into tiles by MDRangePolicy, iterated in the order of memory.
/// Source: the Kokkos documentation's chapter on multi-dimensional parallelism, whose example is
/// the matrix-vector product of Intrepid2.
struct MDRange {
  static constexpr const char* name = "MDRange";
  static constexpr const char* summary = "the box of outputs in tiles (MDRangePolicy)";

  struct Settings {
    int tile_cells = 0, tile_lefts = 0, tile_rights = 0;
    template <class Visitor>
    void visit(Visitor&& visitor) {
      visitor("Tile C", tile_cells, "cells per tile (0 = choose)");
      visitor("Tile L", tile_lefts,
              "left fields per tile; fields in pointwise operations (0 = choose)");
      visitor("Tile R", tile_rights,
              "right fields per tile; points in pointwise operations (0 = choose)");
    }
  };

  template <class Space, class Problem>
  static constexpr bool serves = true;

  /// \return expected seconds
  static double estimate(const Work& work, const Machine& machine) {
    const double each = machine.is_host ? 4e-9 : 1e-9;
    const double threads = std::min<double>(machine.concurrency, static_cast<double>(work.items));
    return machine.launch_seconds + static_cast<double>(work.items) * each / threads +
           std::max(work.flops / (threads * machine.flops_per_second),
                    work.bytes / machine.bytes_per_second);
  }

  template <class Space, class Problem>
  static void run(const Space& space, const Problem& problem, const Settings& settings,
                  const std::string& label) {
    const Box box = boxOf(problem.shape);
    const bool cell_fastest = problem.shape.isCellFastest();
    std::int64_t tile[3] = {settings.tile_cells, settings.tile_lefts, settings.tile_rights};
    const bool is_given = tile[0] + tile[1] + tile[2] > 0;
    if (is_given || is_host_space<Space>) {
      const std::int64_t most = is_host_space<Space> ? 1024 : 256;
      const std::int64_t enough_tiles = 8 * std::max(1, static_cast<int>(space.concurrency()));
      chooseTile(box, cell_fastest, is_host_space<Space> ? box.size() / enough_tiles : most, most,
                 tile);
    }
    if constexpr (!is_host_space<Space>) requireFit(tile, label);
    launch(space, label, box, cell_fastest, tile, BoxPiece<Problem>{problem});
  }

 private:
  /// Fills in the extents that were left open: whole rows of the box, so that a core has something
  /// to do between two tiles, but no larger than leaves tiles for every core.
  static void chooseTile(const Box& box, bool cell_fastest, std::int64_t pieces, std::int64_t most,
                         std::int64_t (&tile)[3]) {
    std::int64_t open = std::max<std::int64_t>(1, std::min(pieces, most));
    for (const int i : {cell_fastest ? 0 : 2, 1, cell_fastest ? 2 : 0}) {
      if (tile[i] == 0) tile[i] = std::max<std::int64_t>(1, std::min(box.extents[i], open));
      open /= tile[i];
    }
  }

  /// A device runs a tile as one block of threads.
  static void requireFit(const std::int64_t (&tile)[3], const std::string& label) {
    constexpr std::int64_t most = 1024;
    if (tile[0] * tile[1] * tile[2] <= most) return;
    refuse(label, "MDRange tiles of " + std::to_string(tile[0]) + " x " + std::to_string(tile[1]) +
                      " x " + std::to_string(tile[2]) + " do not fit: a device takes " +
                      std::to_string(most) + " pieces per tile");
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
