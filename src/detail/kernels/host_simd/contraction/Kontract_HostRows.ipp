// SPDX-License-Identifier: BSD-3-Clause
//
// Contractions whose terms are side by side in memory, as in LayoutRight, or
// are copied so. Part of Kontract_HostKernelSet.ipp.
#ifndef KONTRACT_HOSTROWS_IPP
#define KONTRACT_HOSTROWS_IPP

#include "Kontract_HostTile.ipp"

constexpr std::int64_t most_panel_bytes =
    32 * 1024;  ///< so that panel and left rows fit the L1 cache

constexpr std::int64_t most_early_bytes = 64 * 1024;  ///< of a next cell that are fetched early

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

/// Contractions of some cells in which terms are side by side; strides count
/// reals.
template <class Real>
struct Rows {
  const Real* left;
  const Real* right;
  Real* out;
  std::int64_t cells, lefts, rights, terms;
  std::int64_t left_cell, left_field, right_cell, right_field, out_cell, out_left, out_right;
  bool add;
  OutputStream<Real>* stream;  ///< takes the outputs of each cell, or nullptr
};

/// How many of the right fields that are left the next panel takes, and in how
/// many vectors.
struct Panel {
  int rights, vectors;
};
template <class S>
KONTRACT_INLINE Panel nextPanel(std::int64_t left_over) {
  const int vectors = S::vectorsFor(left_over < 1000 ? left_over : 1000);
  if (vectors <= S::last_vectors) return {int(left_over), vectors};
  return {S::usual_vectors * S::vector_units, S::usual_vectors};
}

/// Terms are cut so that a panel stays in the L1 cache while left fields pass
/// by.
template <class S>
KONTRACT_INLINE std::int64_t termsAtOnce(std::int64_t terms) {
  constexpr std::int64_t most = most_panel_bytes / (S::last_vectors * S::width) * S::unit_terms;
  if (terms <= most) return terms;
  const std::int64_t chunks = (terms + most - 1) / most;
  return roundUp((terms + chunks - 1) / chunks, S::unit_terms);
}

template <class S>
KONTRACT_INLINE void contractRows(const Rows<typename S::Real>& rows, typename S::Real* panel) {
  using Real = typename S::Real;
  Tile<Real> tile;
  tile.left_field = rows.left_field;
  tile.right_field = rows.right_field;
  tile.out_left = rows.out_left;
  tile.out_right = rows.out_right;
  tile.left_cell = rows.left_cell;
  tile.right_cell = rows.right_cell;
  tile.out_cell = rows.out_cell;
  tile.panel = panel;
  const std::int64_t chunk = termsAtOnce<S>(rows.terms);
  const auto cutTerms = [&](std::int64_t terms) {
    tile.units = terms / S::unit_terms;
    tile.rest = int(terms % S::unit_terms) * S::reals;
  };
  Prefetch prefetch[2];
  tile.prefetch = prefetch;
  tile.stream = rows.stream;
  const bool prefetches = rows.terms * S::reals * int(sizeof(Real)) >= Prefetch::least_row_bytes;
  // The inputs of the next cells, spread over the units of these.
  const auto prefetchNext = [&](std::int64_t next, std::int64_t cells, std::int64_t units) {
    constexpr int bytes = int(sizeof(Real));
    if (!prefetches) return;
    prefetch[0].start(rows.left + next * rows.left_cell, cells * bytes * rows.left_cell, units);
    prefetch[1].start(rows.right + next * rows.right_cell, cells * bytes * rows.right_cell, units);
  };
  const Panel only = nextPanel<S>(rows.rights);
  if (only.rights == rows.rights && rows.lefts <= S::mostRows(only.vectors) &&
      chunk == rows.terms) {
    // A tile is a whole cell.
    cutTerms(rows.terms);
    tile.rights = only.rights;
    tile.add = rows.add;
    tile.is_packed = false;
    constexpr std::int64_t bytes_at_once = 16 * 1024;
    const std::int64_t cell_bytes = int(sizeof(Real)) * (rows.left_cell + rows.right_cell);
    const std::int64_t at_once = 1 + bytes_at_once / (cell_bytes > 0 ? cell_bytes : 1);
    const std::int64_t units = at_once * roundUp(tile.units, units_per_prefetch);
    const auto tiles = tile_table<S>.tiles[only.vectors - 1][rows.lefts - 1];
    for (std::int64_t c = 0; c < rows.cells; c += at_once) {
      tile.cells = rows.cells - c < at_once ? rows.cells - c : at_once;
      tile.left = rows.left + c * rows.left_cell;
      tile.right = rows.right + c * rows.right_cell;
      tile.out = rows.stream ? rows.stream->next() : rows.out + c * rows.out_cell;
      prefetchNext(c + at_once, at_once, units);
      tiles(tile);
    }
    return;
  }
  tile.is_packed = true;
  tile.right = nullptr;
  tile.right_cell = 0;
  tile.cells = 1;
  tile.stream = nullptr;
  const std::int64_t all_units = roundUp(rows.terms / S::unit_terms, units_per_prefetch);
  const auto tilesOf = [&](const Panel& p) {
    return (rows.lefts + S::mostRows(p.vectors) - 1) / S::mostRows(p.vectors);
  };
  std::int64_t units_of_cell = 0;
  for (std::int64_t r = 0; r < rows.rights;) {
    const Panel one = nextPanel<S>(rows.rights - r);
    units_of_cell += tilesOf(one) * all_units;
    r += one.rights;
  }
  // The inputs of a large cell would drive those of the cell before out of the cache.
  const bool is_small = (rows.left_cell + rows.right_cell) * int(sizeof(Real)) <= most_early_bytes;
  for (std::int64_t c = 0; c < rows.cells; ++c) {
    Real* const out = rows.stream ? rows.stream->next() : rows.out + c * rows.out_cell;
    const Real* const right = rows.right + c * rows.right_cell;
    Panel now = nextPanel<S>(rows.rights);
    if (is_small) prefetchNext(c + 1, 1, units_of_cell);
    for (std::int64_t r = 0; r < rows.rights;) {
      // While a panel of a large cell is used, the right fields of the next one are fetched; while
      // the last one is, also the left side of the next cell.
      const std::int64_t next_r = r + now.rights;
      const bool is_last = next_r == rows.rights;
      const Panel next = nextPanel<S>(is_last ? rows.rights : rows.rights - next_r);
      const std::int64_t units = tilesOf(now) * all_units;
      const Real* const next_right =
          is_last ? right + rows.right_cell : right + next_r * rows.right_field;
      if (prefetches && !is_small) {
        constexpr int bytes = int(sizeof(Real));
        prefetch[1].start(next_right, next.rights * rows.right_field * bytes, units);
        if (is_last) {
          prefetch[0].start(rows.left + (c + 1) * rows.left_cell, rows.left_cell * bytes, units);
        }
      }
      std::int64_t k = 0;
      do {  // once without terms, too: sums are zero then
        cutTerms(rows.terms - k < chunk ? rows.terms - k : chunk);
        tile.add = rows.add || k > 0;
        tile_table<S>.packs[now.vectors - 1](right + r * rows.right_field + k * S::reals,
                                             rows.right_field, now.rights, tile.units, tile.rest,
                                             panel);
        tile.rights = now.rights;
        std::int64_t tiles = tilesOf(now);
        for (std::int64_t l = 0; tiles > 0; --tiles) {
          const int height = int((rows.lefts - l + tiles - 1) / tiles);
          tile.left = rows.left + c * rows.left_cell + l * rows.left_field + k * S::reals;
          tile.out = out + l * rows.out_left + r * rows.out_right;
          tile_table<S>.tiles[now.vectors - 1][height - 1](tile);
          l += height;
        }
        k += chunk;
      } while (k < rows.terms);
      r = next_r;
      now = next;
    }
    if (rows.stream) rows.stream->pass(rows.out_cell);
    prefetch[0] = Prefetch();
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
KONTRACT_INLINE void contractDots(const Rows<typename S::Real>& rows) {
  using Real = typename S::Real;
  for (std::int64_t c = 0; c < rows.cells; ++c) {
    Real* const out = rows.stream ? rows.stream->next() : rows.out + c * rows.out_cell;
    for (std::int64_t l = 0; l < rows.lefts; ++l) {
      for (std::int64_t r = 0; r < rows.rights; ++r) {
        Real sum[S::reals];
        addDot<S>(rows.left + c * rows.left_cell + l * rows.left_field,
                  rows.right + c * rows.right_cell + r * rows.right_field, rows.terms, sum);
        Real* const to = out + l * rows.out_left + r * rows.out_right;
        for (int part = 0; part < S::reals; ++part) {
          to[part] = rows.add ? to[part] + sum[part] : sum[part];
        }
      }
    }
    if (rows.stream) rows.stream->pass(rows.out_cell);
  }
}

/// The same with vectors that are not much wider than there are right fields.
template <class S>
void contractBest(const Rows<typename S::Real>& rows, typename S::Real* panel) {
  if ((rows.lefts == 1 || rows.rights == 1) && S::width == vector_bytes &&
      rows.terms * S::reals * int(sizeof(typename S::Real)) >= least_dot_bytes) {
    contractDots<S>(rows);
    return;
  }
  if constexpr (S::width > unit_bytes) {
    if (rows.rights <= S::group / 2) {
      contractBest<Scheme<typename S::Real, S::is_complex, S::width / 2>>(rows, panel);
      return;
    }
  }
  contractRows<S>(rows, panel);
}

#endif
