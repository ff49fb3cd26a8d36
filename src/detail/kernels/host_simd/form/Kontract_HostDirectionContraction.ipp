// SPDX-License-Identifier: BSD-3-Clause
//
// Sums along one direction of interleaved cells, which tensor contractions are made of.
#ifndef KONTRACT_HOSTDIRECTIONCONTRACTION_IPP
#define KONTRACT_HOSTDIRECTIONCONTRACTION_IPP

#include "Kontract_HostDirectionTable.ipp"
#include "Kontract_HostInterleavedPoints.ipp"

/// A sum over one index of an array of vectors, k, the slowest one, which becomes the row, the
/// fastest one: to(column, row) = sum over k of table(row, k) from(k, column). All three sums of a
/// tensor product are then alike, and the columns of each are contiguous.
template <class Real>
struct DirectionContraction {
  const DirectionTable<Real>& table;
  const Real* from;
  Real* to;
  std::int64_t columns;
  std::int64_t step;  ///< from one vector to the next, in reals
  bool is_first;      ///< otherwise sums are added to
  CellPrefetch<Real>& prefetch;

  std::int64_t fromTerm() const { return columns * step; }
  std::int64_t toColumn() const { return table.rows * step; }
};

/// Columns that a tile of rows is computed for.
struct TileColumns {
  std::int64_t first, end;
};

/// Some columns of a contraction, for a tile of rows.
template <class Real, int rows, int vectors>
void contractColumns(const DirectionContraction<Real>& contraction, std::int64_t first_row,
                     TileColumns range) {
  using Vec = Vector<Real, vector_bytes>;
  const std::int64_t terms = contraction.table.whole.terms, step = contraction.step;
  const std::int64_t from_term = contraction.fromTerm(), to_column = contraction.toColumn();
  const bool is_first = contraction.is_first;
  const Real* const table = contraction.table.whole.values + first_row * terms;
  const Real* from = contraction.from + range.first * step;
  Real* to = contraction.to + range.first * to_column + first_row * step;
  for (std::int64_t column = range.first; column < range.end; column += vectors) {
    Vec sum[rows][vectors];
    Real* at = to;
    for (int i = 0; i < rows; ++i, at += step) {
      inRegister(at);
      for (int v = 0; v < vectors; ++v) {
        sum[i][v] = is_first ? Vec{} : load<vector_bytes>(at + v * to_column);
      }
    }
    const Real *left = table, *right = from;
    for (std::int64_t k = 0; k < terms; ++k, left += rows, right += from_term) {
      Vec b[vectors];
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) b[v] = load<vector_bytes>(right + v * step);
#pragma GCC unroll 8
      for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) sum[i][v] += left[i] * b[v];
      }
    }
    at = to;
    for (int i = 0; i < rows; ++i, at += step) {
      inRegister(at);
      for (int v = 0; v < vectors; ++v) store<vector_bytes>(at + v * to_column, sum[i][v]);
    }
    from += vectors * step;
    to += vectors * to_column;
    contraction.prefetch.advance();
  }
}

/// Even and odd halves of some rows and those that mirror them, for some columns.
template <class Real, int evens, int odds, int vectors>
struct MirroredSums {
  using Vec = Vector<Real, vector_bytes>;
  Vec even[evens][vectors] = {}, odd[odds > 0 ? odds : 1][vectors] = {};

  /// Adds the sum over a part's terms, of which the first one begins with `front`.
  /// \param left  where the part's halves of this tile begin
  /// \return where the next part's do
  template <int sign>
  KONTRACT_INLINE const Real* add(const Real* left, const Real* front, std::int64_t terms,
                                  std::int64_t from_term, std::int64_t step) {
    const Real* back = front + (terms - 1) * from_term;
    for (std::int64_t k = 0; k < terms / 2; ++k, left += evens + odds) {
      Vec x[vectors], y[vectors];
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) {
        const Vec a = load<vector_bytes>(front + v * step), b = load<vector_bytes>(back + v * step);
        x[v] = sign > 0 ? a + b : a - b;
        y[v] = sign > 0 ? a - b : a + b;
      }
      addTo(even, left, x);
      if constexpr (odds > 0) addTo(odd, left + evens, y);
      front += from_term;
      back -= from_term;
    }
    if (terms % 2 == 0) return left;
    Vec middle[vectors];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) middle[v] = load<vector_bytes>(front + v * step);
    if constexpr (sign > 0) {
      addTo(even, left, middle);
    } else if constexpr (odds > 0) {
      addTo(odd, left, middle);
    }
    return left + (sign > 0 ? evens : odds);
  }

 private:
  template <int n>
  static KONTRACT_INLINE void addTo(Vec (&sum)[n][vectors], const Real* left,
                                    const Vec (&right)[vectors]) {
#pragma GCC unroll 8
    for (int i = 0; i < n; ++i) {
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) sum[i][v] += left[i] * right[v];
    }
  }
};

/// contractColumns() by halves of a mirrored table. Rows are mirrored by others but the middle one,
/// of which there is no odd half.
template <class Real, int evens, int odds, int vectors>
void contractMirroredColumns(const DirectionContraction<Real>& contraction, std::int64_t first_row,
                             TileColumns range) {
  using Vec = Vector<Real, vector_bytes>;
  const DirectionTable<Real>& table = contraction.table;
  const std::int64_t step = contraction.step, terms = table.terms;
  const std::int64_t from_term = contraction.fromTerm(), to_column = contraction.toColumn();
  const bool is_first = contraction.is_first;
  const Real* from = contraction.from + range.first * step;
  Real* to = contraction.to + range.first * to_column;
  for (std::int64_t column = range.first; column < range.end; column += vectors) {
    MirroredSums<Real, evens, odds, vectors> sums;
    const Real *left = table.values + first_row * table.parts * terms, *of_part = from;
    for (int part = 0; part < table.parts; ++part, of_part += terms * from_term) {
      left = table.sign[part] > 0 ? sums.template add<1>(left, of_part, terms, from_term, step)
                                  : sums.template add<-1>(left, of_part, terms, from_term, step);
    }
    const auto leave = [&](Real* at, const Vec(&sum)[vectors]) KONTRACT_INLINE_LAMBDA {
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) {
        Real* const to_v = at + v * to_column;
        store<vector_bytes>(to_v, is_first ? sum[v] : sum[v] + load<vector_bytes>(to_v));
      }
    };
    Real *front = to + first_row * step, *back = to + (table.rows - 1 - first_row) * step;
    for (int i = 0; i < odds; ++i, front += step, back -= step) {
      inRegister(front);
      inRegister(back);
      Vec sum[vectors], difference[vectors];
      for (int v = 0; v < vectors; ++v) {
        sum[v] = sums.even[i][v] + sums.odd[i][v];
        difference[v] = sums.even[i][v] - sums.odd[i][v];
      }
      leave(front, sum);
      leave(back, difference);
    }
    if constexpr (evens > odds) leave(front, sums.even[odds]);
    from += vectors * step;
    to += vectors * to_column;
    contraction.prefetch.advance();
  }
}

template <class Real>
using ContractColumns = void (*)(const DirectionContraction<Real>&, std::int64_t, TileColumns);

/// A tile of rows of a table.
template <class Real, int rows>
struct WholeTile {
  static constexpr int most = form_tile_sums / rows;
  static constexpr int most_vectors = most < form_tile_vectors ? most : form_tile_vectors;
  template <int vectors>
  static constexpr ContractColumns<Real> kernel = &contractColumns<Real, rows, vectors>;
};

/// A tile of halves of rows. Registers also hold the sum and the difference of two terms for each
/// column, and an entry of the table.
template <class Real, int evens, int odds>
struct MirroredTile {
  static constexpr int most = (registers - 1) / (evens + odds + 2) < 2 ? 1 : 2;
  static constexpr int most_vectors = most < form_tile_vectors ? most : form_tile_vectors;
  template <int vectors>
  static constexpr ContractColumns<Real> kernel =
      &contractMirroredColumns<Real, evens, odds, vectors>;
};

/// The kernel of a tile for so many vectors.
template <class Real, class Tile, int vectors = 1>
ContractColumns<Real> columnsKernelOf(int n) {
  if constexpr (vectors < Tile::most_vectors) {
    if (vectors < n) return columnsKernelOf<Real, Tile, vectors + 1>(n);
  }
  return Tile::template kernel<vectors>;
}

/// What computes a tile.
template <class Real>
struct TileKernels {
  int most_vectors;
  ContractColumns<Real> (*of_vectors)(int);
};
template <class Real, class Tile>
TileKernels<Real> tileKernelsOf() {
  return {Tile::most_vectors, &columnsKernelOf<Real, Tile>};
}
template <class Real, int rows = 1>
TileKernels<Real> wholeTileOf(int n) {
  if constexpr (rows < form_tile_rows) {
    if (rows < n) return wholeTileOf<Real, rows + 1>(n);
  }
  return tileKernelsOf<Real, WholeTile<Real, rows>>();
}
template <class Real, int evens = 1>
TileKernels<Real> mirroredTileOf(int n, bool has_middle) {
  if constexpr (evens < DirectionTable<Real>::most_halves) {
    if (evens < n) return mirroredTileOf<Real, evens + 1>(n, has_middle);
  }
  return has_middle ? tileKernelsOf<Real, MirroredTile<Real, evens, evens - 1>>()
                    : tileKernelsOf<Real, MirroredTile<Real, evens, evens>>();
}

/// Computes a contraction in tiles as even as they can be.
template <class Real>
void contractDirection(const DirectionContraction<Real>& contraction) {
  const DirectionTable<Real>& table = contraction.table;
  const std::int64_t rows = table.tiledRows();
  for (std::int64_t row = 0; row < rows; row += table.tileRows()) {
    const int here = rows - row < table.tileRows() ? int(rows - row) : table.tileRows();
    const TileKernels<Real> kernels =
        table.is_mirrored ? mirroredTileOf<Real>(here, 2 * (row + here) > table.rows)
                          : wholeTileOf<Real>(here);
    const std::int64_t tiles =
        (contraction.columns + kernels.most_vectors - 1) / kernels.most_vectors;
    const int vectors = int((contraction.columns + tiles - 1) / tiles);
    // Of these, some have a vector less.
    const std::int64_t wide = (contraction.columns - tiles * (vectors - 1)) * vectors;
    kernels.of_vectors(vectors)(contraction, row, {0, wide});
    if (wide < contraction.columns)
      kernels.of_vectors(vectors - 1)(contraction, row, {wide, contraction.columns});
  }
}

#endif
