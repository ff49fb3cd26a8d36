// SPDX-License-Identifier: BSD-3-Clause
//
// Sums along one direction of interleaved cells, which tensor contractions are made of.
#ifndef KONTRACT_HOSTDIRECTIONCONTRACTION_IPP
#define KONTRACT_HOSTDIRECTIONCONTRACTION_IPP

#include "Kontract_HostDirectionTable.ipp"
#include "Kontract_HostInterleavedPoints.ipp"
#include "Kontract_HostMirroredSums.ipp"

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

/// A tile of rows of a table.
template <class Real, int rows>
struct WholeTile {
  static constexpr int most = form_tile_sums / rows;
  static constexpr int most_vectors = most < form_tile_vectors ? most : form_tile_vectors;
  template <int vectors>
  static void contract(const DirectionContraction<Real>& contraction, std::int64_t row,
                       TileColumns columns) {
    contractColumns<Real, rows, vectors>(contraction, row, columns);
  }
};

/// A tile of halves of rows. Registers also hold the sum and the difference of two terms for each
/// column, and an entry of the table.
template <class Real, int evens, int odds>
struct MirroredTile {
  static constexpr int most_vectors = (registers - 1) / (evens + odds + 2) < 2 ? 1 : 2;
  template <int vectors>
  static void contract(const DirectionContraction<Real>& contraction, std::int64_t row,
                       TileColumns columns) {
    contractMirroredColumns<Real, evens, odds, vectors>(contraction, row, columns);
  }
};

/// Computes a tile for some columns, n at a time.
template <class Real, class Tile, int vectors = 1>
void contractTileColumns(const DirectionContraction<Real>& contraction, std::int64_t row,
                         TileColumns columns, int n) {
  if constexpr (vectors < Tile::most_vectors) {
    if (vectors < n) {
      contractTileColumns<Real, Tile, vectors + 1>(contraction, row, columns, n);
      return;
    }
  }
  Tile::template contract<vectors>(contraction, row, columns);
}

/// Computes a tile for all columns, of which about as many are computed at a time.
template <class Real, class Tile>
void contractTile(const DirectionContraction<Real>& contraction, std::int64_t row) {
  const std::int64_t columns = contraction.columns;
  const std::int64_t times = (columns + Tile::most_vectors - 1) / Tile::most_vectors;
  const int vectors = int((columns + times - 1) / times);
  // Some have a vector less.
  const std::int64_t wide = (columns - times * (vectors - 1)) * vectors;
  contractTileColumns<Real, Tile>(contraction, row, {0, wide}, vectors);
  if (wide < columns)
    contractTileColumns<Real, Tile>(contraction, row, {wide, columns}, vectors - 1);
}
template <class Real, int rows = 1>
void contractWholeTile(const DirectionContraction<Real>& contraction, std::int64_t row, int n) {
  if constexpr (rows < DirectionTable<Real>::most_rows) {
    if (rows < n) {
      contractWholeTile<Real, rows + 1>(contraction, row, n);
      return;
    }
  }
  contractTile<Real, WholeTile<Real, rows>>(contraction, row);
}
template <class Real, int evens = 1>
void contractMirroredTile(const DirectionContraction<Real>& contraction, std::int64_t row, int n) {
  if constexpr (evens < DirectionTable<Real>::most_halves) {
    if (evens < n) {
      contractMirroredTile<Real, evens + 1>(contraction, row, n);
      return;
    }
  }
  if (2 * (row + n) > contraction.table.rows) {  // it has the middle row
    contractTile<Real, MirroredTile<Real, evens, evens - 1>>(contraction, row);
  } else {
    contractTile<Real, MirroredTile<Real, evens, evens>>(contraction, row);
  }
}

/// Computes a contraction, tile by tile.
template <class Real>
void contractDirection(const DirectionContraction<Real>& contraction) {
  const DirectionTable<Real>& table = contraction.table;
  if (contraction.columns == 0) return;
  for (std::int64_t row = 0; row < table.tiledRows(); row += table.tileRows()) {
    const std::int64_t rest = table.tiledRows() - row;
    const int rows = rest < table.tileRows() ? int(rest) : table.tileRows();
    if (table.is_mirrored) {
      contractMirroredTile<Real>(contraction, row, rows);
    } else {
      contractWholeTile<Real>(contraction, row, rows);
    }
  }
}

#endif
