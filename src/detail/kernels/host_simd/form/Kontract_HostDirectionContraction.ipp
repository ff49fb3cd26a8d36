// SPDX-License-Identifier: BSD-3-Clause
//
// Sums along one direction, which tensor contractions are made of.
#ifndef KONTRACT_HOSTDIRECTIONCONTRACTION_IPP
#define KONTRACT_HOSTDIRECTIONCONTRACTION_IPP

#include "Kontract_HostDirectionTable.ipp"
#include "Kontract_HostInterleavedPoints.ipp"
#include "Kontract_HostMirroredSums.ipp"

/// A sum over one index of an array, k, the slowest one, which becomes the row, the fastest one:
/// to(column, row) = sum over k of table(row, k) from(k, column). All three sums of a tensor
/// product are then alike, and the columns of each are contiguous.
template <class Real>
struct DirectionContraction {
  static constexpr int simd_width = simd_width_of<Real>;
  const DirectionTable<Real>& table;
  const Real* from;
  Real* to;
  std::int64_t columns;
  std::int64_t step;  ///< from one element to the next, in reals: 1 of one cell
  bool is_first;      ///< otherwise sums are added to
  CellPrefetch<Real>& prefetch;

  std::int64_t fromTerm() const { return columns * step; }
  std::int64_t toColumn() const { return table.rows * step; }

  /// Vectors of columns, and from one to the next.
  template <Lanes lanes>
  std::int64_t vectors() const {
    return lanes == Lanes::Cells ? columns : (columns + simd_width - 1) / simd_width;
  }
  template <Lanes lanes>
  std::int64_t fromVector() const {
    return lanes == Lanes::Cells ? step : simd_width;
  }
  template <Lanes lanes>
  std::int64_t toVector() const {
    return lanes == Lanes::Cells ? toColumn() : simd_width * toColumn();
  }
};

/// Vectors of columns that a tile of rows is computed for.
struct TileColumns {
  std::int64_t first, end;
};

/// Leaves the first n of some columns of one cell, a vector each, whose rows are contiguous.
template <class Real, int rows>
__attribute__((noinline)) void leaveSomeColumns(const Vector<Real, vector_bytes>* columns,
                                                std::int64_t n, Real* to, std::int64_t to_column,
                                                bool is_first) {
  for (std::int64_t k = 0; k < n; ++k, to += to_column) {
    Vector<Real, vector_bytes> column = columns[k];
    if (!is_first) column += loadSomeOf<vector_bytes>(to, rows);
    storeFirst<vector_bytes, rows>(to, column);
  }
}

/// Calls f(column, unit) for each unit of such vectors, whose units are of neighbouring columns.
template <int bytes, class Real, int in_unit, class F>
KONTRACT_INLINE void forEachUnit(const Vector<Real, bytes> (&v)[in_unit], int first, const F& f) {
  if constexpr (bytes == unit_bytes) {
#pragma GCC unroll 4
    for (int i = 0; i < in_unit; ++i) f(first + i, v[i]);
  } else {
    Vector<Real, bytes / 2> low[in_unit], high[in_unit];
#pragma GCC unroll 4
    for (int i = 0; i < in_unit; ++i) {
      low[i] = halfOf<bytes, 0, Real>(v[i]);
      high[i] = halfOf<bytes, 1, Real>(v[i]);
    }
    forEachUnit<bytes / 2, Real, in_unit>(low, first, f);
    forEachUnit<bytes / 2, Real, in_unit>(high, first + bytes / 2 / int(sizeof(Real)), f);
  }
}

/// Calls f(column, its rows) for each column of a vector of them: units of so many rows, or whole
/// vectors.
template <class Real, int rows, class F>
KONTRACT_INLINE void forEachColumn(const Vector<Real, vector_bytes> (&sum)[rows], const F& f) {
  constexpr int simd_width = simd_width_of<Real>, in_unit = unit_bytes / int(sizeof(Real));
  constexpr bool by_units = rows <= in_unit;
  Vector<Real, vector_bytes> block[by_units ? in_unit : simd_width] = {};
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i) block[i] = sum[i];
  if constexpr (by_units) {
    transposeWithinUnits<vector_bytes, Real>(block);
    forEachUnit<vector_bytes, Real, in_unit>(block, 0, f);
  } else {
    transpose<vector_bytes, Real>(block);
#pragma GCC unroll 16
    for (int k = 0; k < simd_width; ++k) f(k, block[k]);
  }
}

/// Leaves some rows of a vector of columns of one cell.
/// \param n  columns
template <class Real, int rows>
KONTRACT_INLINE void leaveTransposed(const Vector<Real, vector_bytes> (&sum)[rows], Real* to,
                                     std::int64_t to_column, std::int64_t n, bool is_first) {
  constexpr int simd_width = simd_width_of<Real>;
  constexpr int here = rows < simd_width ? rows : simd_width, rest = rows - here;
  Vector<Real, vector_bytes> these[here];
#pragma GCC unroll 16
  for (int i = 0; i < here; ++i) these[i] = sum[i];
  if (is_first && n >= simd_width) {
    Real* at = to;
    forEachColumn<Real, here>(these, [&](int, auto column) KONTRACT_INLINE_LAMBDA {
      storeFirst<int(sizeof(column)), here>(at, column);
      at += to_column;
    });
  } else {
    Vector<Real, vector_bytes> columns[simd_width];
    forEachColumn<Real, here>(these, [&](int k, auto column) KONTRACT_INLINE_LAMBDA {
      __builtin_memcpy(columns + k, &column, sizeof(column));
    });
    leaveSomeColumns<Real, here>(columns, n < simd_width ? n : simd_width, to, to_column, is_first);
  }
  if constexpr (rest > 0) {
    Vector<Real, vector_bytes> others[rest];
#pragma GCC unroll 16
    for (int i = 0; i < rest; ++i) others[i] = sum[here + i];
    leaveTransposed<Real, rest>(others, to + here, to_column, n, is_first);
  }
}

/// Leaves some rows of a vector of columns.
/// \param n  columns of one cell that there are from the first of these on
template <class Real, Lanes lanes, int rows>
KONTRACT_INLINE void leaveRows(const DirectionContraction<Real>& contraction, Real* to,
                               std::int64_t n, const Vector<Real, vector_bytes> (&sum)[rows]) {
  const bool is_first = contraction.is_first;
  if constexpr (lanes == Lanes::Elements) {
    leaveTransposed<Real, rows>(sum, to, contraction.toColumn(), n, is_first);
  } else {
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i, to += contraction.step) {
      inRegister(to);
      store<vector_bytes>(to, is_first ? sum[i] : sum[i] + load<vector_bytes>(to));
    }
  }
}

/// Some columns of a contraction, for a tile of rows.
template <class Real, Lanes lanes, int rows, int vectors>
void contractColumns(const DirectionContraction<Real>& contraction, std::int64_t first_row,
                     TileColumns range) {
  using Vec = Vector<Real, vector_bytes>;
  const std::int64_t terms = contraction.table.whole.terms, from_term = contraction.fromTerm();
  const std::int64_t from_vector = contraction.template fromVector<lanes>();
  const std::int64_t to_vector = contraction.template toVector<lanes>();
  const Real* const table = contraction.table.whole.values + first_row * terms;
  const Real* from = contraction.from + range.first * from_vector;
  Real* to = contraction.to + range.first * to_vector + first_row * contraction.step;
  std::int64_t columns = contraction.columns - range.first * simd_width_of<Real>;
  for (std::int64_t vector = range.first; vector < range.end; vector += vectors) {
    Vec sum[rows][vectors] = {};
    const Real *left = table, *right = from;
    for (std::int64_t k = 0; k < terms; ++k, left += rows, right += from_term) {
      Vec b[vectors];
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) b[v] = load<vector_bytes>(right + v * from_vector);
#pragma GCC unroll 8
      for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) sum[i][v] += left[i] * b[v];
      }
    }
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      Vec of_vector[rows];
#pragma GCC unroll 8
      for (int i = 0; i < rows; ++i) of_vector[i] = sum[i][v];
      leaveRows<Real, lanes, rows>(contraction, to, columns, of_vector);
      to += to_vector;
      columns -= simd_width_of<Real>;
    }
    from += vectors * from_vector;
    contraction.prefetch.advance();
  }
}

/// Leaves the rows of a tile of halves, which are one run if there is no other tile.
template <class Real, Lanes lanes, int evens, int odds>
KONTRACT_INLINE void leaveMirrored(const DirectionContraction<Real>& contraction,
                                   std::int64_t first_row, Real* to, std::int64_t n,
                                   const MirroredRows<Real, evens, odds>& rows) {
  Real* const to_front = to + first_row * contraction.step;
  if constexpr (lanes == Lanes::Elements) {
    if (contraction.table.rows == evens + odds) {
      leaveRows<Real, lanes, evens + odds>(contraction, to_front, n, rows.all);
      return;
    }
  }
  leaveRows<Real, lanes, evens>(contraction, to_front, n, rows.front());
  if constexpr (odds > 0) {
    Real* const to_back = to + (contraction.table.rows - first_row - odds) * contraction.step;
    leaveRows<Real, lanes, odds>(contraction, to_back, n, rows.back());
  }
}

/// contractColumns() by halves of a mirrored table. Rows are mirrored by others but the middle one,
/// of which there is no odd half.
template <class Real, Lanes lanes, int evens, int odds, int vectors>
void contractMirroredColumns(const DirectionContraction<Real>& contraction, std::int64_t first_row,
                             TileColumns range) {
  const DirectionTable<Real>& table = contraction.table;
  const std::int64_t terms = table.terms, from_term = contraction.fromTerm();
  const std::int64_t from_vector = contraction.template fromVector<lanes>();
  const std::int64_t to_vector = contraction.template toVector<lanes>();
  const Real* from = contraction.from + range.first * from_vector;
  Real* to = contraction.to + range.first * to_vector;
  std::int64_t columns = contraction.columns - range.first * simd_width_of<Real>;
  for (std::int64_t vector = range.first; vector < range.end; vector += vectors) {
    MirroredSums<Real, evens, odds, vectors> sums;
    const Real *left = table.values + first_row * table.parts * terms, *of_part = from;
    for (int part = 0; part < table.parts; ++part, of_part += terms * from_term) {
      left = table.sign[part] > 0
                 ? sums.template add<1>(left, of_part, terms, from_term, from_vector)
                 : sums.template add<-1>(left, of_part, terms, from_term, from_vector);
    }
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      leaveMirrored<Real, lanes>(contraction, first_row, to, columns, sums.ofVector(v));
      to += to_vector;
      columns -= simd_width_of<Real>;
    }
    from += vectors * from_vector;
    contraction.prefetch.advance();
  }
}

/// A tile of rows of a table.
template <class Real, Lanes of_vectors, int rows>
struct WholeTile {
  static constexpr Lanes lanes = of_vectors;
  static constexpr int most = form_tile_sums / rows;
  // Of one cell there are few vectors of columns.
  static constexpr int limit = lanes == Lanes::Cells ? form_tile_vectors : 2;
  static constexpr int most_vectors = most < limit ? most : limit;
  template <int vectors>
  static void contract(const DirectionContraction<Real>& contraction, std::int64_t row,
                       TileColumns columns) {
    contractColumns<Real, lanes, rows, vectors>(contraction, row, columns);
  }
};

/// A tile of halves of rows. Registers also hold the sum and the difference of two terms for each
/// column, and an entry of the table.
template <class Real, Lanes of_vectors, int evens, int odds>
struct MirroredTile {
  static constexpr Lanes lanes = of_vectors;
  static constexpr int most_vectors = (registers - 1) / (evens + odds + 2) < 2 ? 1 : 2;
  template <int vectors>
  static void contract(const DirectionContraction<Real>& contraction, std::int64_t row,
                       TileColumns columns) {
    contractMirroredColumns<Real, lanes, evens, odds, vectors>(contraction, row, columns);
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
  const std::int64_t all = contraction.template vectors<Tile::lanes>();
  const std::int64_t times = (all + Tile::most_vectors - 1) / Tile::most_vectors;
  // Of at most two no division is needed.
  const int vectors = Tile::most_vectors <= 2
                          ? (all < Tile::most_vectors ? int(all) : Tile::most_vectors)
                          : int((all + times - 1) / times);
  // Some have a vector less.
  const std::int64_t wide = (all - times * (vectors - 1)) * vectors;
  contractTileColumns<Real, Tile>(contraction, row, {0, wide}, vectors);
  if (wide < all) contractTileColumns<Real, Tile>(contraction, row, {wide, all}, vectors - 1);
}
template <class Real, Lanes lanes, int rows = 1>
void contractWholeTile(const DirectionContraction<Real>& contraction, std::int64_t row, int n) {
  if constexpr (rows < DirectionTable<Real>::most_rows) {
    if (rows < n) {
      contractWholeTile<Real, lanes, rows + 1>(contraction, row, n);
      return;
    }
  }
  contractTile<Real, WholeTile<Real, lanes, rows>>(contraction, row);
}
template <class Real, Lanes lanes, int evens = 1>
void contractMirroredTile(const DirectionContraction<Real>& contraction, std::int64_t row, int n) {
  if constexpr (evens < DirectionTable<Real>::most_halves) {
    if (evens < n) {
      contractMirroredTile<Real, lanes, evens + 1>(contraction, row, n);
      return;
    }
  }
  if (2 * (row + n) > contraction.table.rows) {  // it has the middle row
    contractTile<Real, MirroredTile<Real, lanes, evens, evens - 1>>(contraction, row);
  } else {
    contractTile<Real, MirroredTile<Real, lanes, evens, evens>>(contraction, row);
  }
}

/// Computes a contraction, tile by tile.
template <class Real, Lanes lanes>
void contractTiles(const DirectionContraction<Real>& contraction) {
  const DirectionTable<Real>& table = contraction.table;
  for (std::int64_t row = 0; row < table.tiledRows(); row += table.tileRows()) {
    const std::int64_t rest = table.tiledRows() - row;
    const int rows = rest < table.tileRows() ? int(rest) : table.tileRows();
    if (table.is_mirrored) {
      contractMirroredTile<Real, lanes>(contraction, row, rows);
    } else {
      contractWholeTile<Real, lanes>(contraction, row, rows);
    }
  }
}

/// Computes a contraction, of interleaved cells or of one.
template <class Real>
void contractDirection(const DirectionContraction<Real>& contraction) {
  if (contraction.columns == 0) return;
  if constexpr (has_lanes_of_elements) {
    if (contraction.step == 1) {
      contractTiles<Real, Lanes::Elements>(contraction);
      return;
    }
  }
  contractTiles<Real, Lanes::Cells>(contraction);
}

#endif
