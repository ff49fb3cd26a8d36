// SPDX-License-Identifier: BSD-3-Clause
//
// The register tile of element matrices.
//
// Left values are the same in every cell: they are packed once, a few fields of each term, and
// broadcast one by one. The right side is made for each cell anyway, so it is made in the order in
// which vectors of neighbouring right fields read it. (In contractions of given arrays terms are
// contiguous instead: see Kontract_HostTile.ipp.)
#ifndef KONTRACT_HOSTFORMTILE_IPP
#define KONTRACT_HOSTFORMTILE_IPP

#include "detail/kernels/host_simd/common/Kontract_HostSimd.ipp"

constexpr int form_tile_sums = registers == 32 ? 24 : 12;
constexpr int form_tile_rows = 8;
constexpr int form_tile_vectors = registers == 32 ? 4 : 3;

/// sums(i,j) (+)= sum over k of left(k,i) right(k,j), left in rows of `rows` fields, right in rows
/// of `vectors` vectors.
template <class Real, int rows, int vectors>
void formTile(const Real* left, MatrixRows<const Real> right, std::int64_t terms,
              MatrixRows<Real> sums, bool is_first) {
  using Vec = Vector<Real, vector_bytes>;
  constexpr int simd_width = simd_width_of<Real>;
  Vec sum[rows][vectors];
  for (int i = 0; i < rows; ++i) {
    for (int v = 0; v < vectors; ++v) {
      sum[i][v] = is_first ? Vec{} : load<vector_bytes>(sums.data + i * sums.step + v * simd_width);
    }
  }
  for (std::int64_t k = 0; k < terms; ++k, left += rows, right.data += right.step) {
    Vec b[vectors];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) b[v] = load<vector_bytes>(right.data + v * simd_width);
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) sum[i][v] += left[i] * b[v];
    }
  }
  for (int i = 0; i < rows; ++i) {
    for (int v = 0; v < vectors; ++v)
      store<vector_bytes>(sums.data + i * sums.step + v * simd_width, sum[i][v]);
  }
}

template <class Real>
using FormTile = void (*)(const Real* left, MatrixRows<const Real> right, std::int64_t terms,
                          MatrixRows<Real> sums, bool is_first);

/// The tile of so many rows and vectors; none if it has more sums than registers.
template <class Real>
FormTile<Real> formTileOf(int rows, int vectors) {
#define KONTRACT_TILE(R, V)                                                                \
  ((R) * (V) <= form_tile_sums ? &formTile<Real, ((R) * (V) <= form_tile_sums ? R : 1), V> \
                               : nullptr)
#define KONTRACT_TILES(R) \
  { KONTRACT_TILE(R, 1), KONTRACT_TILE(R, 2), KONTRACT_TILE(R, 3), KONTRACT_TILE(R, 4) }
  static constexpr FormTile<Real> tiles[form_tile_rows][4] = {
      KONTRACT_TILES(1), KONTRACT_TILES(2), KONTRACT_TILES(3), KONTRACT_TILES(4),
      KONTRACT_TILES(5), KONTRACT_TILES(6), KONTRACT_TILES(7), KONTRACT_TILES(8)};
#undef KONTRACT_TILES
#undef KONTRACT_TILE
  return vectors <= form_tile_vectors ? tiles[rows - 1][vectors - 1] : nullptr;
}

/// The rows of tiles for so many fields: those that leave the fewest over, and of these the most.
template <class Real>
int formTileRows(std::int64_t fields, int vectors) {
  int best = 1;
  std::int64_t least = -1;
  for (int rows = 1; rows <= form_tile_rows && rows <= fields; ++rows) {
    if (formTileOf<Real>(rows, vectors) == nullptr) break;
    if (rows < 4 && fields >= 4) continue;
    const std::int64_t padded = (fields + rows - 1) / rows * rows;
    if (least < 0 || padded <= least) {
      least = padded;
      best = rows;
    }
  }
  return best;
}

#endif
