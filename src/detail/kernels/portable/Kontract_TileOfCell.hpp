// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TILEOFCELL_HPP
#define KONTRACT_TILEOFCELL_HPP

#include "Kontract_SumOfProducts.hpp"

namespace Kontract {
namespace Impl {

/// Contractions of fields with fields where cells are neighbours in memory: a thread has one cell
/// and the sums of a tile of its fields in registers, so that each scalar is read once for as many
/// products as the tile has fields on the other side. Neighbouring threads have neighbouring cells.
///
/// Threads are numbered such that a few neighbouring cells and all their tiles follow one another:
/// tiles of the same cells read the same fields at about the same time, from the cache.
/// \tparam tile_lefts, tile_rights  fields of a tile, no more than the problem has
/// \tparam cells_side_by_side       as many as threads are in step: all have the same tile
template <class Problem, int tile_lefts, int tile_rights, int cells_side_by_side>
struct TileOfCell {
  using Acc = AccumulatorOf<Problem>;
  using Left = typename Problem::left_type::value_type;
  using Right = typename Problem::right_type::value_type;
  /// Few threads in a block, so that as many blocks as possible share the registers.
  using launch_bounds = Kokkos::LaunchBounds<128, 1>;

  Problem problem;
  std::int64_t left_tiles, right_tiles;

  static std::int64_t tilesAlong(std::int64_t fields, std::int64_t tile) {
    return (fields + tile - 1) / tile;
  }
  explicit TileOfCell(const Problem& of)
      : problem(of),
        left_tiles(tilesAlong(of.shape.lefts, tile_lefts)),
        right_tiles(tilesAlong(of.shape.rights, tile_rights)) {}

  std::int64_t threads() const {
    const std::int64_t rows = tilesAlong(problem.shape.cells, cells_side_by_side);
    return rows * cells_side_by_side * left_tiles * right_tiles;
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const ContractionShape& s = problem.shape;
    const std::int64_t row = i / cells_side_by_side, tiles = left_tiles * right_tiles;
    const std::int64_t cells = row / tiles, which = row - cells * tiles;
    const std::int64_t cell = cells * cells_side_by_side + i % cells_side_by_side;
    if (cell >= s.cells) return;
    const std::int64_t left_tile = which / right_tiles, right_tile = which % right_tiles;
    // The last tiles begin earlier, where there are fields enough for all of a tile.
    const std::int64_t l = firstOf(left_tile, tile_lefts, s.lefts);
    const std::int64_t r = firstOf(right_tile, tile_rights, s.rights);
    Acc sums[tile_lefts][tile_rights];
    for (auto& sums_of_left : sums) {
      for (Acc& sum : sums_of_left) sum = Acc(0);
    }
    const Left* const left = problem.left.data + cell * s.left_cell + l * s.left_field;
    const Right* const right = problem.right.data + cell * s.right_cell + r * s.right_field;
    forEachInnerSum(s.sum, 0, 0, [&](std::int64_t left_at, std::int64_t right_at) {
      addTerms(sums, left + left_at, right + right_at);
    });
    const std::int64_t known_lefts = left_tile * tile_lefts - l;
    const std::int64_t known_rights = right_tile * tile_rights - r;
    for (int b = 0; b < tile_rights; ++b) {
      for (int a = 0; a < tile_lefts; ++a) {
        if (a >= known_lefts && b >= known_rights) {
          storeSum(problem, cell, l + a, r + b, sums[a][b]);
        }
      }
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static std::int64_t firstOf(std::int64_t which, std::int64_t tile,
                                                          std::int64_t fields) {
    return which * tile < fields - tile ? which * tile : fields - tile;
  }

  /// Adds the terms of the innermost level. Those of a few terms are read before the first is
  /// added, as far as there are registers.
  KOKKOS_FORCEINLINE_FUNCTION void addTerms(Acc (&sums)[tile_lefts][tile_rights], const Left* left,
                                            const Right* right) const {
    constexpr int at_once = tile_lefts * tile_rights <= 16 ? 4 : 2;
    const SumLevel& level = problem.shape.sum[2];
    std::int64_t k = 0;
    for (; k + at_once <= level.extent; k += at_once) addSome<at_once>(sums, left, right);
    for (; k < level.extent; ++k) addSome<1>(sums, left, right);
  }

  template <int terms>
  KOKKOS_FORCEINLINE_FUNCTION void addSome(Acc (&sums)[tile_lefts][tile_rights], const Left*& left,
                                           const Right*& right) const {
    const ContractionShape& s = problem.shape;
    Left x[terms][tile_lefts];
    Right y[terms][tile_rights];
    for (int k = 0; k < terms; ++k) {
      for (int a = 0; a < tile_lefts; ++a) x[k][a] = left[a * s.left_field];
      for (int b = 0; b < tile_rights; ++b) y[k][b] = right[b * s.right_field];
      left += s.sum[2].left;
      right += s.sum[2].right;
    }
    for (int k = 0; k < terms; ++k) {
      for (int a = 0; a < tile_lefts; ++a) {
        for (int b = 0; b < tile_rights; ++b) multiplyAdd(sums[a][b], x[k][a], y[k][b]);
      }
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
