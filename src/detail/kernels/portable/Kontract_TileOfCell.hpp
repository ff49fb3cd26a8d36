// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TILEOFCELL_HPP
#define KONTRACT_TILEOFCELL_HPP

#include "Kontract_FieldTile.hpp"

namespace Kontract {
namespace Impl {

/// Contractions of fields with fields where cells are neighbours in memory: a thread has one cell
/// and a tile of its fields. Neighbouring threads have neighbouring cells.
///
/// Threads are numbered such that a few neighbouring cells and all their tiles follow one another:
/// tiles of the same cells read the same fields at about the same time, from the cache.
/// \tparam cells_side_by_side  as many as threads are in step: all have the same tile
template <class Problem, int tile_lefts, int tile_rights, int cells_side_by_side>
struct TileOfCell {
  using Tile = FieldTile<AccumulatorOf<Problem>, typename Problem::left_type::value_type,
                         typename Problem::right_type::value_type, tile_lefts, tile_rights>;
  /// Few threads in a block, so that as many blocks as possible share the registers.
  using launch_bounds = Kokkos::LaunchBounds<128, 1>;

  Problem problem;
  std::int64_t left_tiles, right_tiles;

  explicit TileOfCell(const Problem& of)
      : problem(of),
        left_tiles(Tile::leftTiles(of.shape)),
        right_tiles(Tile::rightTiles(of.shape)) {}

  std::int64_t threads() const {
    const std::int64_t rows = Tile::tilesAlong(problem.shape.cells, cells_side_by_side);
    return rows * cells_side_by_side * left_tiles * right_tiles;
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const ContractionShape& s = problem.shape;
    const std::int64_t row = i / cells_side_by_side, tiles = left_tiles * right_tiles;
    const std::int64_t cells = row / tiles, which = row - cells * tiles;
    const std::int64_t cell = cells * cells_side_by_side + i % cells_side_by_side;
    if (cell >= s.cells) return;
    const FieldTilePlace at = Tile::place(s, which, right_tiles);
    Tile tile;
    tile.clear();
    tile.add(s, problem.left.data + cell * s.left_cell + at.left * s.left_field,
             problem.right.data + cell * s.right_cell + at.right * s.right_field);
    tile.forEachOwn(at, [&](std::int64_t l, std::int64_t r, const auto& sum) {
      storeSum(problem, cell, l, r, sum);
    });
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
