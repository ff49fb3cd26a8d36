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
  static constexpr int most_rows = registers == 32 ? 8 : 6;  ///< of tiles of two vectors and more
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

  /// Reals of memory at most: what is packed, and what that is made of.
  std::int64_t reals() const {
    const std::int64_t packed = whole.reals();
    return savesByHalves() ? roundUp(packed, 64 / std::int64_t(sizeof(Real))) + packed : packed;
  }

  /// \param at  at(row, term), terms of all parts counted through
  template <class At>
  void pack(FormMemory<Real>& memory, const At& at) {
    is_mirrored = false;
    if (!savesByHalves()) {
      whole.pack(memory, at);
      return;
    }
    Real* const all = memory.take(whole.reals());
    const std::int64_t columns = parts * terms;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t k = 0; k < columns; ++k) all[row * columns + k] = at(row, k);
    }
    is_mirrored = true;
    for (int part = 0; part < parts; ++part) {
      sign[part] = signOf(all + part * terms, columns);
      is_mirrored = is_mirrored && sign[part] != 0;
    }
    if (is_mirrored) {
      packHalves(memory.take(whole.reals()), all);
    } else {
      packWhole(memory, [&](std::int64_t row, std::int64_t k) { return all[row * columns + k]; });
    }
  }
  /// The same without halves, whose sums and differences lose digits of numbers much less than
  /// their mirror images.
  template <class At>
  void packWhole(FormMemory<Real>& memory, const At& at) {
    is_mirrored = false;
    whole.pack(memory, at);
  }

 private:
  std::int64_t halves() const { return (rows + 1) / 2; }

  /// Of as few tiles as there can be, which have about as many rows.
  static int rowsOfTile(std::int64_t rows, int most) {
    const std::int64_t tiles = (rows + most - 1) / most;
    return tiles > 0 ? int((rows + tiles - 1) / tiles) : 1;
  }

  /// Whether halves are faster: less is computed at the rate of caches anyway (`doc/notebook.md`).
  bool savesByHalves() const {
    constexpr std::int64_t most_of_caches = 16;
    return rows + terms > most_of_caches;
  }

  /// By which sign a part is mirrored, but for rounding of the largest entries of two rows; 0 if it
  /// is not, or not of numbers.
  int signOf(const Real* part, std::int64_t columns) const {
    constexpr Real rounding = 16 * (sizeof(Real) == 8 ? Real(__DBL_EPSILON__) : __FLT_EPSILON__);
    bool is_symmetric = true, is_opposite = true;
    Real none = 0;  // unless something is not finite
    for (std::int64_t row = 0; row < halves(); ++row) {
      const Real *front = part + row * columns, *back = part + (rows - 1 - row) * columns;
      Real largest = 0, difference = 0, sum = 0;
      for (std::int64_t k = 0; k < terms; ++k) {
        const Real x = front[k], y = back[terms - 1 - k];
        none += (x - x) + (y - y);
        largest = larger(larger(largest, x), y);
        difference = larger(difference, x - y);
        sum = larger(sum, x + y);
      }
      is_symmetric = is_symmetric && difference <= rounding * largest;
      is_opposite = is_opposite && sum <= rounding * largest;
    }
    return none != 0 ? 0 : is_symmetric ? 1 : is_opposite ? -1 : 0;
  }
  static Real larger(Real size, Real x) {
    const Real other = x < 0 ? -x : x;
    return other > size ? other : size;
  }

  void packHalves(Real* to, const Real* all) {
    values = to;
    for (std::int64_t first = 0; first < halves(); first += tile_halves) {
      const std::int64_t end = first + tile_halves < halves() ? first + tile_halves : halves();
      for (int part = 0; part < parts; ++part) to = packHalves(to, first, end, part, all);
    }
  }
  /// Of the middle term there is an even half where the sign is 1, otherwise an odd one.
  Real* packHalves(Real* to, std::int64_t first, std::int64_t end, int part,
                   const Real* all) const {
    const std::int64_t columns = parts * terms;
    const std::int64_t odd_end = end < rows / 2 ? end : rows / 2;
    const Real s = Real(sign[part]);
    const auto at = [&](std::int64_t row, std::int64_t k) {
      return all[row * columns + part * terms + k];
    };
    for (std::int64_t k = 0; k < terms / 2; ++k) {
      const std::int64_t other = terms - 1 - k;
      for (std::int64_t row = first; row < end; ++row)
        *to++ = (at(row, k) + s * at(row, other)) / 2;
      for (std::int64_t row = first; row < odd_end; ++row)
        *to++ = (at(row, k) - s * at(row, other)) / 2;
    }
    if (terms % 2 == 1) {
      for (std::int64_t row = first; row < (s > 0 ? end : odd_end); ++row)
        *to++ = at(row, terms / 2);
    }
    return to;
  }
};

#endif
