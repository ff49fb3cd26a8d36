// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FIELDTILE_HPP
#define KONTRACT_FIELDTILE_HPP

#include "Kontract_SumOfProducts.hpp"

namespace Kontract {
namespace Impl {

/// Which fields of a cell a tile has.
struct FieldTilePlace {
  std::int64_t left, right;                ///< its first fields
  std::int64_t known_lefts, known_rights;  ///< how many of them another tile has, too
};

/// A tile of the fields of a cell with all its sums in the registers of a thread, which reads each
/// scalar straight from memory, once for as many products as the tile has fields on the other side.
/// \tparam lefts, rights  fields of a tile, no more than the problem has
template <class Acc, class Left, class Right, int lefts, int rights>
struct FieldTile {
  Acc sums[lefts][rights];

  static std::int64_t tilesAlong(std::int64_t fields, std::int64_t tile) {
    return (fields + tile - 1) / tile;
  }
  static std::int64_t leftTiles(const ContractionShape& s) { return tilesAlong(s.lefts, lefts); }
  static std::int64_t rightTiles(const ContractionShape& s) { return tilesAlong(s.rights, rights); }

  /// \param which  of the tiles of a cell, those along the right fields first
  KOKKOS_FORCEINLINE_FUNCTION static FieldTilePlace place(const ContractionShape& s,
                                                          std::int64_t which,
                                                          std::int64_t right_tiles) {
    const std::int64_t left_tile = which / right_tiles, right_tile = which % right_tiles;
    // The last tiles begin earlier, where there are fields enough for all of a tile.
    const std::int64_t l = firstOf(left_tile, lefts, s.lefts);
    const std::int64_t r = firstOf(right_tile, rights, s.rights);
    return {l, r, left_tile * lefts - l, right_tile * rights - r};
  }

  KOKKOS_FORCEINLINE_FUNCTION void clear() {
    for (auto& sums_of_left : sums) {
      for (Acc& sum : sums_of_left) sum = Acc(0);
    }
  }

  /// Adds all terms, from the tile's first fields of a cell on.
  KOKKOS_FORCEINLINE_FUNCTION void add(const ContractionShape& s, const Left* left,
                                       const Right* right) {
    constexpr int at_once = lefts * rights <= 16 ? 4 : 2;
    addProducts<at_once, 1>(s, {{left, right, true}});
  }

  /// Factors of a product.
  struct Factors {
    const Left* left;
    const Right* right;
    bool are_there;  ///< else they are not read, and nothing is added
  };

  /// The same for two products at a time.
  KOKKOS_FORCEINLINE_FUNCTION void addBoth(const ContractionShape& s, const Factors& one,
                                           const Factors& other) {
    constexpr int at_once = lefts * rights <= 16 ? 2 : 1;
    addProducts<at_once, 2>(s, {one, other});
  }

  /// Calls f(l, r, sum) for what no other tile has.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void forEachOwn(const FieldTilePlace& at, const F& f) const {
    for (int b = 0; b < rights; ++b) {
      for (int a = 0; a < lefts; ++a) {
        if (a >= at.known_lefts && b >= at.known_rights) {
          f(at.left + a, at.right + b, sums[a][b]);
        }
      }
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static std::int64_t firstOf(std::int64_t which, std::int64_t tile,
                                                          std::int64_t fields) {
    return which * tile < fields - tile ? which * tile : fields - tile;
  }

  /// Adds terms level by level. Those of a few terms are read before the first is added, as far as
  /// there are registers.
  template <int at_once, int products>
  KOKKOS_FORCEINLINE_FUNCTION void addProducts(const ContractionShape& s,
                                               const Factors (&of)[products]) {
    const SumLevel& level = s.sum[2];
    forEachInnerSum(s.sum, 0, 0, [&](std::int64_t left_at, std::int64_t right_at) {
      std::int64_t k = 0;
      for (; k + at_once <= level.extent; k += at_once) {
        addSome<at_once>(s, of, left_at + k * level.left, right_at + k * level.right);
      }
      for (; k < level.extent; ++k) {
        addSome<1>(s, of, left_at + k * level.left, right_at + k * level.right);
      }
    });
  }

  template <int terms, int products>
  KOKKOS_FORCEINLINE_FUNCTION void addSome(const ContractionShape& s, const Factors (&of)[products],
                                           std::int64_t left_at, std::int64_t right_at) {
    Left x[products][terms][lefts];
    Right y[products][terms][rights];
    for (int n = 0; n < products; ++n) {
      const Left* left = of[n].left + left_at;
      const Right* right = of[n].right + right_at;
      const bool is_read = products == 1 || of[n].are_there;
      for (int k = 0; k < terms; ++k) {
        for (int a = 0; a < lefts; ++a) x[n][k][a] = is_read ? left[a * s.left_field] : Left(0);
        for (int b = 0; b < rights; ++b) y[n][k][b] = is_read ? right[b * s.right_field] : Right(0);
        left += s.sum[2].left;
        right += s.sum[2].right;
      }
    }
    for (int n = 0; n < products; ++n) {
      for (int k = 0; k < terms; ++k) {
        for (int a = 0; a < lefts; ++a) {
          for (int b = 0; b < rights; ++b) multiplyAdd(sums[a][b], x[n][k][a], y[n][k][b]);
        }
      }
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
