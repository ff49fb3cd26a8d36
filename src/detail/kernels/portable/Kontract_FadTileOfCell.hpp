// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADTILEOFCELL_HPP
#define KONTRACT_FADTILEOFCELL_HPP

#include "Kontract_FieldTile.hpp"
#include "detail/kernels/fad/Kontract_FadComponents.hpp"

namespace Kontract {
namespace Impl {

/// Contractions of Fads on devices: n derivatives and the value are n + 1 contractions of plain
/// scalars that share factors. A thread has one of these components of a cell, for a tile of its
/// fields. Neighbouring threads have neighbours in memory: where derivatives are side by side the
/// components of a cell, then those of the next one; else neighbouring cells.
///
/// Threads are numbered such that all tiles of the same cells follow one another, as those of
/// TileOfCell.
/// \tparam lanes_in_step  as many as threads are in step: all have the same tile
template <class S, int tile_lefts, int tile_rights, int lanes_in_step>
struct FadTileOfCell {
  using Tile = FieldTile<S, S, S, tile_lefts, tile_rights>;
  using launch_bounds = Kokkos::LaunchBounds<128, 1>;

  FadProblem<ContractionShape, S> problem;
  std::int64_t components, right_tiles, tiles;
  bool has_components_in_lanes, are_both_fads;

  explicit FadTileOfCell(const FadProblem<ContractionShape, S>& of)
      : problem(of),
        components(of.out.count + 1),
        right_tiles(Tile::rightTiles(of.shape)),
        tiles(Tile::leftTiles(of.shape) * right_tiles),
        has_components_in_lanes(of.out.count == 0 || of.out.stride == 1 || of.shape.out_cell != 1),
        are_both_fads(of.out.count > 0 && of.left.count > 0 && of.right.count > 0) {}

  std::int64_t threads() const {
    const std::int64_t rows = Tile::tilesAlong(lanes(), lanes_in_step);
    return rows * lanes_in_step * tiles * (has_components_in_lanes ? 1 : components);
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const ContractionShape& s = problem.shape;
    const std::int64_t row = i / lanes_in_step;
    const std::int64_t each = has_components_in_lanes ? tiles : tiles * components;
    const std::int64_t rows = row / each;
    const std::int64_t lane = rows * lanes_in_step + i % lanes_in_step;
    if (lane >= lanes()) return;
    std::int64_t which = row - rows * each, cell = lane, component = 0;
    if (has_components_in_lanes) {
      cell = lane / components;
      component = lane - cell * components;
    } else {
      component = which / tiles;
      which -= component * tiles;
    }
    const FieldTilePlace at = Tile::place(s, which, right_tiles);
    const FadComponent<S> its(problem, component);
    const S* const left = problem.left.derivatives + cell * s.left_cell + at.left * s.left_field;
    const S* const right =
        problem.right.derivatives + cell * s.right_cell + at.right * s.right_field;
    Tile tile;
    tile.clear();
    if (are_both_fads) {
      // Together, so that a thread finds in the cache what its neighbour of the value reads.
      tile.addBoth(s, {left + its.left, right + problem.right.value_at, true},
                   {left + problem.left.value_at, right + its.right, !its.is_value});
    } else {
      its.forEachProduct([&](std::int64_t left_at, std::int64_t right_at) {
        tile.add(s, left + left_at, right + right_at);
      });
    }
    S* const out = problem.out.derivatives + cell * s.out_cell + its.out;
    tile.forEachOwn(at, [&](std::int64_t l, std::int64_t r, const S& sum) {
      S& element = out[l * s.out_left + r * s.out_right];
      element = s.sum_into ? element + sum : sum;
    });
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t lanes() const {
    return has_components_in_lanes ? problem.shape.cells * components : problem.shape.cells;
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
