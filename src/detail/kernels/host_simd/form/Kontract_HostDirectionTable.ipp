// SPDX-License-Identifier: BSD-3-Clause
//
// Tables of functions of one coordinate, which sums along a direction multiply by.
#ifndef KONTRACT_HOSTDIRECTIONTABLE_IPP
#define KONTRACT_HOSTDIRECTIONTABLE_IPP

#include "Kontract_HostTiledMatrix.ipp"

/// A table in tiles of rows, or, where it is mirrored, in tiles of halves of them.
///
/// Points and functions of a line mostly lie symmetrically. Then table(rows-1-i, terms-1-k) is
/// table(i, k) or its opposite, s table(i, k). Of k and its mirror image k' let
///
///     e(i,k) = (table(i,k) + s table(i,k')) / 2,      o(i,k) = (table(i,k) - s table(i,k')) / 2.
///
/// What a sum over k of table(i,k) x(k) gives to rows i and rows-1-i is the sum and the difference
/// of the sums over pairs of e(i,k) (x(k) + s x(k')) and o(i,k) (x(k) - s x(k')): half of the
/// multiplications. (A. Solomonoff, "A fast algorithm for spectral differentiation", Journal of
/// Computational Physics 98, 1992.)
template <class Real>
struct DirectionTable {
  static constexpr int most_parts = 2;
  static constexpr int most_rows = registers == 32 ? 8 : 6;  ///< of tiles with two vectors
  static constexpr int most_halves = 6;                      ///< that tiles have registers for

  std::int64_t rows = 0;
  std::int64_t terms = 0;  ///< of a part
  int parts = 1;           ///< tables whose sums are added, terms after one another
  bool is_mirrored = false;
  int sign[most_parts] = {};
  int tile_halves = 1;
  TiledMatrix<Real> whole;  ///< if it is not mirrored
  Real* values = nullptr;   ///< if it is: tile by tile, pair by pair, even rows, then odd ones

  DirectionTable() = default;
  DirectionTable(std::int64_t r, std::int64_t t, int n = 1)
      : rows(r), terms(t), parts(n), whole(r, n * t, rowsOfTile(r, most_rows)) {
    tile_halves = rowsOfTile(halves(), most_halves);
  }

  /// Rows in tiles: all of them, or the even halves.
  std::int64_t tiledRows() const { return is_mirrored ? halves() : rows; }
  int tileRows() const { return is_mirrored ? tile_halves : whole.tile_rows; }

  /// Reals of memory at most.
  std::int64_t reals() const { return whole.reals(); }

  /// \param at  at(row, term), terms of all parts counted through
  template <class At>
  void pack(FormMemory<Real>& memory, const At& at) {
    is_mirrored = savesByHalves() && findSigns(at);
    if (!is_mirrored) {
      whole.pack(memory, at);
      return;
    }
    values = memory.take(reals());
    Real* to = values;
    for (std::int64_t first = 0; first < halves(); first += tile_halves) {
      const std::int64_t end = first + tile_halves < halves() ? first + tile_halves : halves();
      for (int part = 0; part < parts; ++part) to = packHalves(to, first, end, part, at);
    }
  }

 private:
  std::int64_t halves() const { return (rows + 1) / 2; }

  /// Of as few tiles as there can be, which have about as many rows.
  static int rowsOfTile(std::int64_t rows, int most) {
    const std::int64_t tiles = (rows + most - 1) / most;
    return tiles > 0 ? int((rows + tiles - 1) / tiles) : 1;
  }

  /// Whether halves save time: a tile of up to 8 rows is computed at the rate of caches anyway,
  /// with few terms.
  bool savesByHalves() const { return rows + terms > 16; }

  /// Whether each part is symmetric or the opposite, but for rounding.
  template <class At>
  bool findSigns(const At& at) {
    for (int part = 0; part < parts; ++part) {
      sign[part] = isMirroredBy(1, part, at) ? 1 : isMirroredBy(-1, part, at) ? -1 : 0;
      if (sign[part] == 0) return false;
    }
    return true;
  }

  template <class At>
  bool isMirroredBy(int s, int part, const At& at) const {
    constexpr Real rounding = sizeof(Real) == 8 ? Real(16 * 2.3e-16) : Real(16 * 1.2e-7);
    const std::int64_t first = part * terms, end = first + terms;
    Real largest = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t k = first; k < end; ++k) {
        const Real size = sizeOf(at(row, k));
        if (size > largest) largest = size;
      }
    }
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t k = first; k < end; ++k) {
        const Real difference = at(row, k) - Real(s) * at(rows - 1 - row, first + end - 1 - k);
        if (!(sizeOf(difference) <= rounding * largest)) return false;  // a NaN is not mirrored
      }
    }
    return true;
  }
  static Real sizeOf(Real x) { return x < 0 ? -x : x; }

  /// Of the middle term there is an even half where the sign is 1, otherwise an odd one.
  template <class At>
  Real* packHalves(Real* to, std::int64_t first, std::int64_t end, int part, const At& at) const {
    const std::int64_t odd_end = end < rows / 2 ? end : rows / 2;
    const Real s = Real(sign[part]);
    for (std::int64_t k = 0; k < terms / 2; ++k) {
      const std::int64_t front = part * terms + k, back = part * terms + terms - 1 - k;
      for (std::int64_t row = first; row < end; ++row)
        *to++ = (at(row, front) + s * at(row, back)) / 2;
      for (std::int64_t row = first; row < odd_end; ++row)
        *to++ = (at(row, front) - s * at(row, back)) / 2;
    }
    if (terms % 2 == 1) {
      for (std::int64_t row = first; row < (s > 0 ? end : odd_end); ++row)
        *to++ = at(row, part * terms + terms / 2);
    }
    return to;
  }
};

#endif
