// SPDX-License-Identifier: BSD-3-Clause
//
// Contractions whose terms are contiguous, as in LayoutRight, or are copied so.
#ifndef KONTRACT_HOSTROWS_IPP
#define KONTRACT_HOSTROWS_IPP

#include "Kontract_HostCellDots.ipp"
#include "Kontract_HostTile.ipp"

/// So that panel and left rows fit the L1 cache.
constexpr std::int64_t most_panel_bytes = 32 * 1024;
/// Of a next cell that are fetched while all of this one is computed.
constexpr std::int64_t most_early_bytes = 64 * 1024;
/// How far ahead of small cells inputs are fetched.
constexpr std::int64_t bytes_ahead_of_cells = 8 * 1024;

/// The tiles and panels that are compiled, by vectors and rows.
template <class S>
struct TileTable {
  using Real = typename S::Real;
  void (*tiles[S::most_vectors][S::most_rows])(const Tile<Real>&) = {};
  void (*packs[S::most_vectors])(const Real*, std::int64_t, int, std::int64_t, int, Real*) = {};

  template <int rows, int n>
  constexpr void addRows() {
    if constexpr (rows > 0) {
      tiles[n - 1][rows - 1] = &computeTiles<S, rows, n>;
      addRows<rows - 1, n>();
    }
  }
  template <int n>
  constexpr void addVectors() {
    if constexpr (n > 0) {
      packs[n - 1] = &packPanel<S, n>;
      addRows<S::mostRows(n), n>();
      addVectors<n - 1>();
    }
  }
  constexpr TileTable() { addVectors<S::most_vectors>(); }
};
template <class S>
constexpr TileTable<S> tile_table;

/// How many of the right fields that are left the next panel takes, and in how many vectors.
struct Panel {
  int rights, vectors;
};
template <class S>
KONTRACT_INLINE Panel nextPanel(std::int64_t left_over) {
  const int vectors = S::vectorsFor(left_over < 1000 ? left_over : 1000);
  if (vectors <= S::last_vectors) return {int(left_over), vectors};
  return {S::usual_vectors * S::vector_units, S::usual_vectors};
}

/// Terms are cut so that a panel stays in the L1 cache while left fields pass by.
template <class S>
KONTRACT_INLINE std::int64_t termsAtOnce(std::int64_t terms) {
  constexpr std::int64_t most = most_panel_bytes / (S::last_vectors * S::width) * S::unit_terms;
  if (terms <= most) return terms;
  const std::int64_t chunks = (terms + most - 1) / most;
  return roundUp((terms + chunks - 1) / chunks, S::unit_terms);
}

/// Cells that inputs are fetched ahead.
template <class Real>
KONTRACT_INLINE std::int64_t cellsAhead(const Rows<Real>& rows) {
  const std::int64_t cell_bytes = int(sizeof(Real)) * (rows.left_cell + rows.right_cell);
  return 1 + bytes_ahead_of_cells / (cell_bytes > 0 ? cell_bytes : 1);
}

/// What all tiles of a contraction have in common.
template <class Real>
KONTRACT_INLINE Tile<Real> tileOf(const Rows<Real>& rows, Real* panel, PrefetchNear* prefetch) {
  Tile<Real> tile;
  tile.left_field = rows.left_field;
  tile.right_field = rows.right_field;
  tile.out_left = rows.out_left;
  tile.out_right = rows.out_right;
  tile.left_cell = rows.left_cell;
  tile.right_cell = rows.right_cell;
  tile.out_cell = rows.out_cell;
  tile.panel = panel;
  tile.stream = rows.stream;
  tile.prefetch = prefetch;
  return tile;
}

template <class S>
KONTRACT_INLINE void setTerms(Tile<typename S::Real>& tile, std::int64_t terms) {
  tile.units = terms / S::unit_terms;
  tile.rest = int(terms % S::unit_terms) * S::reals;
}

/// Fetches the inputs of some cells from `first` on while so many units are computed.
template <class S>
KONTRACT_INLINE void prefetchCells(const Rows<typename S::Real>& rows, std::int64_t first,
                                   std::int64_t cells, std::int64_t units,
                                   PrefetchNear (&prefetch)[2]) {
  constexpr int bytes = int(sizeof(typename S::Real));
  prefetch[0].start(rows.left + first * rows.left_cell, cells * bytes * rows.left_cell, units);
  prefetch[1].start(rows.right + first * rows.right_cell, cells * bytes * rows.right_cell, units);
}

/// Cells of one tile each.
template <class S>
KONTRACT_INLINE void contractSmallCells(const Rows<typename S::Real>& rows, const Panel& panel,
                                        typename S::Real* packed) {
  using Real = typename S::Real;
  PrefetchNear prefetch[2];
  Tile<Real> tile = tileOf(rows, packed, prefetch);
  setTerms<S>(tile, rows.terms);
  tile.rights = panel.rights;
  tile.add = rows.add;
  tile.is_packed = false;
  const std::int64_t at_once = cellsAhead(rows);
  const std::int64_t units = at_once * roundUp(tile.units, units_per_prefetch);
  const auto kernel = tile_table<S>.tiles[panel.vectors - 1][rows.lefts - 1];
  for (std::int64_t c = 0; c < rows.cells; c += at_once) {
    tile.cells = rows.cells - c < at_once ? rows.cells - c : at_once;
    tile.left = rows.left + c * rows.left_cell;
    tile.right = rows.right + c * rows.right_cell;
    tile.out = rows.stream ? rows.stream->place() : rows.out + c * rows.out_cell;
    prefetchCells<S>(rows, c + at_once, at_once, units, prefetch);
    kernel(tile);
  }
}

/// Tiles of left fields that meet a panel.
template <class S>
KONTRACT_INLINE std::int64_t tilesOf(const Rows<typename S::Real>& rows, const Panel& panel) {
  return (rows.lefts + S::mostRows(panel.vectors) - 1) / S::mostRows(panel.vectors);
}

/// Units that the tiles of a panel go through.
template <class S>
KONTRACT_INLINE std::int64_t unitsOf(const Rows<typename S::Real>& rows, const Panel& panel) {
  return tilesOf<S>(rows, panel) * roundUp(rows.terms / S::unit_terms, units_per_prefetch);
}

/// Where a panel's right fields and outputs begin, in its cell.
template <class Real>
struct PanelStart {
  const Real* left;
  const Real* right;
  Real* out;
};

/// The products of all left fields of a cell with a panel.
template <class S>
KONTRACT_INLINE void contractPanel(const Rows<typename S::Real>& rows, const Panel& panel,
                                   const PanelStart<typename S::Real>& start,
                                   Tile<typename S::Real>& tile) {
  const std::int64_t chunk = termsAtOnce<S>(rows.terms);
  std::int64_t k = 0;
  do {  // once without terms, too: sums are zero then
    setTerms<S>(tile, rows.terms - k < chunk ? rows.terms - k : chunk);
    tile.add = rows.add || k > 0;
    tile_table<S>.packs[panel.vectors - 1](start.right + k * S::reals, rows.right_field,
                                           panel.rights, tile.units, tile.rest, tile.panel);
    tile.rights = panel.rights;
    std::int64_t tiles = tilesOf<S>(rows, panel);
    for (std::int64_t l = 0; tiles > 0; --tiles) {
      const int height = int((rows.lefts - l + tiles - 1) / tiles);
      tile.left = start.left + l * rows.left_field + k * S::reals;
      tile.out = start.out + l * rows.out_left;
      tile_table<S>.tiles[panel.vectors - 1][height - 1](tile);
      l += height;
    }
    k += chunk;
  } while (k < rows.terms);
}

/// A panel's inputs are fetched while the one before is used: the right fields of the next panel of
/// a cell, or, at the last one, both sides of the next cell.
template <class S>
KONTRACT_INLINE void prefetchAfter(const Rows<typename S::Real>& rows, std::int64_t c,
                                   std::int64_t next_right, std::int64_t units,
                                   PrefetchNear (&prefetch)[2]) {
  constexpr int bytes = int(sizeof(typename S::Real));
  const bool is_last = next_right == rows.rights;
  const Panel next = nextPanel<S>(is_last ? rows.rights : rows.rights - next_right);
  const typename S::Real* const right = rows.right + c * rows.right_cell;
  prefetch[1].start(is_last ? right + rows.right_cell : right + next_right * rows.right_field,
                    next.rights * rows.right_field * bytes, units);
  if (is_last) {
    prefetch[0].start(rows.left + (c + 1) * rows.left_cell, rows.left_cell * bytes, units);
  }
}

/// Cells of several tiles each, whose right fields are packed panel by panel.
template <class S>
KONTRACT_INLINE void contractLargeCells(const Rows<typename S::Real>& rows,
                                        typename S::Real* packed) {
  using Real = typename S::Real;
  PrefetchNear prefetch[2];
  Tile<Real> tile = tileOf(rows, packed, prefetch);
  tile.is_packed = true;
  tile.right = nullptr;
  tile.right_cell = 0;
  tile.cells = 1;
  tile.stream = nullptr;
  std::int64_t units_of_cell = 0;
  for (std::int64_t r = 0; r < rows.rights;) {
    const Panel panel = nextPanel<S>(rows.rights - r);
    units_of_cell += unitsOf<S>(rows, panel);
    r += panel.rights;
  }
  // The inputs of a large cell would drive those of the cell before out of the cache.
  const bool is_early = (rows.left_cell + rows.right_cell) * int(sizeof(Real)) <= most_early_bytes;
  const std::int64_t ahead = cellsAhead(rows);
  for (std::int64_t c = 0; c < rows.cells; ++c) {
    Real* const out = rows.stream ? rows.stream->place() : rows.out + c * rows.out_cell;
    const Real* const left = rows.left + c * rows.left_cell;
    const Real* const right = rows.right + c * rows.right_cell;
    if (is_early) prefetchCells<S>(rows, c + ahead, 1, units_of_cell, prefetch);
    for (std::int64_t r = 0; r < rows.rights;) {
      const Panel panel = nextPanel<S>(rows.rights - r);
      if (!is_early) prefetchAfter<S>(rows, c, r + panel.rights, unitsOf<S>(rows, panel), prefetch);
      contractPanel<S>(rows, panel, {left, right + r * rows.right_field, out + r * rows.out_right},
                       tile);
      r += panel.rights;
    }
    if (rows.stream) rows.stream->pass(rows.out_cell);
    prefetch[0] = PrefetchNear();
  }
}

template <class S>
KONTRACT_INLINE void contractRows(const Rows<typename S::Real>& rows, typename S::Real* panel) {
  const Panel only = nextPanel<S>(rows.rights);
  if (only.rights == rows.rights && rows.lefts <= S::mostRows(only.vectors) &&
      termsAtOnce<S>(rows.terms) == rows.terms) {
    contractSmallCells<S>(rows, only, panel);
  } else {
    contractLargeCells<S>(rows, panel);
  }
}

/// The sum of products of two rows of scalars, in partial sums whose number depends on nothing but
/// the instruction set.
template <class S>
KONTRACT_INLINE void addDot(const typename S::Real* left, const typename S::Real* right,
                            std::int64_t terms, typename S::Real (&sum)[S::reals]) {
  using Real = typename S::Real;
  using Vec = typename S::Vec;
  constexpr int at_once = 4;
  Vec partial[at_once][S::reals] = {};
  const std::int64_t reals = terms * S::reals;
  std::int64_t k = 0;
  for (; k + at_once * S::vector_reals <= reals; k += at_once * S::vector_reals) {
#pragma GCC unroll 4
    for (int i = 0; i < at_once; ++i) {
      const std::int64_t at = k + i * S::vector_reals;
      multiplyAddEach<S>(load<S::width>(left + at), load<S::width>(right + at), partial[i]);
    }
  }
  for (; k + S::vector_reals <= reals; k += S::vector_reals) {
    multiplyAddEach<S>(load<S::width>(left + k), load<S::width>(right + k), partial[0]);
  }
#pragma GCC unroll 2
  for (int part = 0; part < S::reals; ++part) {
    partial[0][part] =
        (partial[0][part] + partial[1][part]) + (partial[2][part] + partial[3][part]);
  }
  alignas(64) Real parts[S::vector_reals];
  store<S::width>(parts, finished<S>(partial[0]));
  for (int half = S::vector_reals / 2; half >= S::reals; half /= 2) {
    for (int i = 0; i < half; ++i) parts[i] += parts[i + half];
  }
  for (int part = 0; part < S::reals; ++part) sum[part] = parts[part];
  for (; k < reals; k += S::reals) {
    if constexpr (S::is_complex) {
      sum[0] += left[k] * right[k] - left[k + 1] * right[k + 1];
      sum[1] += left[k] * right[k + 1] + left[k + 1] * right[k];
    } else {
      sum[0] += left[k] * right[k];
    }
  }
}

constexpr int least_dot_bytes = 256;  ///< of a row; shorter ones are better summed up together

/// The same where one side has a single field: what is read once needs no panel, and is read in the
/// order of memory.
template <class S>
__attribute__((noinline)) void contractDots(const Rows<typename S::Real>& rows) {
  using Real = typename S::Real;
  const std::int64_t rights = rows.rights, terms = rows.terms;
  for (std::int64_t c = 0; c < rows.cells; ++c) {
    Real* const out = rows.stream ? rows.stream->place() : rows.out + c * rows.out_cell;
    for (std::int64_t l = 0; l < rows.lefts; ++l) {
      const Real* const left = rows.left + c * rows.left_cell + l * rows.left_field;
      const Real* right = rows.right + c * rows.right_cell;
      Real* to = out + l * rows.out_left;
      for (std::int64_t r = 0; r < rights; ++r, right += rows.right_field, to += rows.out_right) {
        Real sum[S::reals];
        addDot<S>(left, right, terms, sum);
        for (int part = 0; part < S::reals; ++part) {
          to[part] = rows.add ? to[part] + sum[part] : sum[part];
        }
      }
    }
    if (rows.stream) rows.stream->pass(rows.out_cell);
  }
}

/// The same tile with units of single terms.
template <class S>
using OfSingleTerms =
    Scheme<typename S::Real, S::is_complex, S::width, S::reals* int(sizeof(typename S::Real))>;

/// Whether units of single terms cost less, counted in vectors that are multiplied, shuffled or
/// stored; of the whole problem, so that sums do not depend on who computes which part.
template <class S>
bool favorsSingleTerms(const Rows<typename S::Real>& rows) {
  using Single = OfSingleTerms<S>;
  const double lefts = double(rows.all_lefts), terms = double(rows.terms);
  const int vectors = S::vectorsFor(rows.rights),
            vectors_of_terms = Single::vectorsFor(rows.rights);
  // Of a vector that is packed; of a vector of outputs that is summed up; of each left field where
  // a unit or a group of outputs is not whole.
  constexpr double packed = 1.5, summed = S::unit_terms == 4 ? 6 : 2, broken = 4;
  constexpr double transposed = Single::vector_units > 8 ? 6 : 3;
  const double units = double((rows.terms + S::unit_terms - 1) / S::unit_terms);
  double by_units = vectors * (units * (lefts + packed) + lefts * summed / S::unit_terms);
  if (rows.terms % S::unit_terms != 0) by_units += 20 * vectors + broken * lefts;
  if (vectors % S::unit_terms != 0) by_units += broken * lefts;
  const double by_terms =
      vectors_of_terms *
      (terms * lefts + double(roundUp(rows.terms, Single::vector_units)) * transposed);
  return by_terms < by_units;
}

/// The same with vectors that are not much wider than there are right fields.
template <class S>
void contractBest(const Rows<typename S::Real>& rows, typename S::Real* panel) {
  if constexpr (S::width == vector_bytes) {
    const bool is_short = rows.terms * S::reals * int(sizeof(typename S::Real)) < least_dot_bytes;
    if ((rows.all_lefts == 1 || rows.rights == 1) && !is_short) return contractDots<S>(rows);
    if constexpr (!S::is_complex) {
      if (rows.all_lefts == 1 && rows.rights == 1) return contractCellDots<S>(rows);
    }
  }
  if constexpr (S::width > unit_bytes) {
    if (rows.rights <= S::group / 2) {
      contractBest<Scheme<typename S::Real, S::is_complex, S::width / 2>>(rows, panel);
      return;
    }
  }
  if constexpr (S::unit_terms > 1) {
    if (favorsSingleTerms<S>(rows)) return contractRows<OfSingleTerms<S>>(rows, panel);
  }
  contractRows<S>(rows, panel);
}

#endif
