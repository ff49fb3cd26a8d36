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
template <class Problem, int tile>
struct TileOfCell {
  using Acc = AccumulatorOf<Problem>;
  using Left = typename Problem::left_type::value_type;
  using Right = typename Problem::right_type::value_type;
  static constexpr int cells_side_by_side = 64;
  /// Few threads in a block, so that each may have many registers.
  using launch_bounds = Kokkos::LaunchBounds<128, 1>;

  Problem problem;
  std::int64_t left_tiles, right_tiles;

  static std::int64_t tilesAlong(std::int64_t fields) { return (fields + tile - 1) / tile; }
  explicit TileOfCell(const Problem& of)
      : problem(of),
        left_tiles(tilesAlong(of.shape.lefts)),
        right_tiles(tilesAlong(of.shape.rights)) {}

  std::int64_t threads() const {
    const std::int64_t rows = (problem.shape.cells + cells_side_by_side - 1) / cells_side_by_side;
    return rows * cells_side_by_side * left_tiles * right_tiles;
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const ContractionShape& s = problem.shape;
    const std::int64_t row = i / cells_side_by_side, tiles = left_tiles * right_tiles;
    const std::int64_t cell = row / tiles * cells_side_by_side + i % cells_side_by_side;
    if (cell >= s.cells) return;
    const std::int64_t which = row % tiles;
    const std::int64_t first_left = which / right_tiles * tile;
    const std::int64_t first_right = which % right_tiles * tile;
    const Left* left[tile];
    const Right* right[tile];
    setRows(left, problem.left.data + cell * s.left_cell, first_left, s.lefts, s.left_field);
    setRows(right, problem.right.data + cell * s.right_cell, first_right, s.rights, s.right_field);
    Acc sums[tile][tile];
    for (auto& sums_of_left : sums) {
      for (Acc& sum : sums_of_left) sum = Acc(0);
    }
    forEachInnerSum(s.sum, 0, 0, [&](std::int64_t left_at, std::int64_t right_at) {
      for (std::int64_t n = 0; n < s.sum[2].extent; ++n) {
        addTerm(sums, left, right, left_at + n * s.sum[2].left, right_at + n * s.sum[2].right);
      }
    });
    for (int a = 0; a < tile; ++a) {
      for (int b = 0; b < tile; ++b) {
        const std::int64_t l = first_left + a, r = first_right + b;
        if (l < s.lefts && r < s.rights) storeSum(problem, cell, l, r, sums[a][b]);
      }
    }
  }

 private:
  /// Fields past the last one stand for it; what is summed for them is not stored.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void setRows(const T* (&rows)[tile], const T* cell,
                                                  std::int64_t first, std::int64_t fields,
                                                  std::int64_t stride) {
    for (int a = 0; a < tile; ++a) {
      rows[a] = cell + (first + a < fields ? first + a : fields - 1) * stride;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static void addTerm(Acc (&sums)[tile][tile],
                                                  const Left* const (&left)[tile],
                                                  const Right* const (&right)[tile],
                                                  std::int64_t left_at, std::int64_t right_at) {
    Left x[tile];
    Right y[tile];
    for (int a = 0; a < tile; ++a) x[a] = left[a][left_at];
    for (int b = 0; b < tile; ++b) y[b] = right[b][right_at];
    for (int a = 0; a < tile; ++a) {
      for (int b = 0; b < tile; ++b) multiplyAdd(sums[a][b], x[a], y[b]);
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
