// SPDX-License-Identifier: BSD-3-Clause
//
// The register tile of contractions.
//
// In both inputs neighbouring terms of the sum are contiguous. A vector of the right side holds one
// unit of as many right fields as fit; it meets a unit of one left field, repeated throughout the
// vector. Where a unit is 128 bits of neighbouring terms, that needs no transposition, only units
// copied, and leaves a sum over the few terms of a unit for the end. Where it is a single term, the
// right side is transposed, and nothing is left to sum up: that costs less where sums are short or
// do not fill units. (Vectors along k alone need nothing copied, but a whole vector to be summed up
// for each output, which costs more than both.)
#ifndef KONTRACT_HOSTTILE_IPP
#define KONTRACT_HOSTTILE_IPP

#include "Kontract_HostTileStore.ipp"

/// The first units of a row, zeros past them.
template <class S>
KONTRACT_INLINE typename S::Vec loadUnits(const typename S::Real* from, int units) {
  return loadSomeOf<S::width>(from, units * S::unit_reals);
}

/// Packs whole units that do not fill a block.
template <class S, int n>
KONTRACT_INLINE void packLastUnits(const typename S::Real* const (&fields)[S::vector_units],
                                   std::int64_t first, std::int64_t end, typename S::Real* to) {
  using Real = typename S::Real;
  constexpr int step = n * S::vector_reals;
  if constexpr (S::unit_size == unit_bytes) {
    for (; first < end; ++first, to += step) {
      store<S::width>(to, gatherUnits<S::width, Real>([&](int u) KONTRACT_INLINE_LAMBDA {
                        return load<unit_bytes>(fields[u] + first * S::unit_reals);
                      }));
    }
  } else if (first < end) {
    typename S::Vec block[S::vector_units];
#pragma GCC unroll 16
    for (int u = 0; u < S::vector_units; ++u) {
      block[u] = loadUnits<S>(fields[u] + first * S::unit_reals, int(end - first));
    }
    transposeUnitsOf<S>(block);
#pragma GCC unroll 16
    for (int u = 0; u < S::vector_units; ++u, to += step) {
      if (first + u < end) store<S::width>(to, block[u]);
    }
  }
}

/// Packs a last unit that is not whole.
template <class S, int n>
KONTRACT_INLINE void packRest(const typename S::Real* const (&fields)[S::vector_units], int rest,
                              typename S::Real* to) {
  if constexpr (S::unit_terms > 1) {
    store<S::width>(to, gatherUnits<S::width, typename S::Real>([&](int u) KONTRACT_INLINE_LAMBDA {
                      return loadSome(fields[u], rest);
                    }));
  }
}

/// Packs fields of a single term each that are side by side.
template <class S, int n>
KONTRACT_INLINE void copyPanel(const typename S::Real* right, int rights, typename S::Real* panel) {
  for (int v = 0; v < n; ++v, right += S::vector_reals, panel += S::vector_reals) {
    const int units = rights - v * S::vector_units;
    store<S::width>(panel,
                    units >= S::vector_units ? load<S::width>(right) : loadUnits<S>(right, units));
  }
}

/// Packs the units of up to n vectors' right fields: all vectors of a unit, then those of the next.
template <class S, int n>
KONTRACT_INLINE void packPanel(const typename S::Real* right, std::int64_t right_field, int rights,
                               std::int64_t units, int rest, typename S::Real* panel) {
  using Real = typename S::Real;
  constexpr int step = n * S::vector_reals;  // from one unit to the next
  if constexpr (S::unit_terms == 1) {
    if (units == 1 && right_field == S::unit_reals) return copyPanel<S, n>(right, rights, panel);
  }
  for (int v = 0; v < n; ++v, panel += S::vector_reals) {
    const Real* fields[S::vector_units];
    for (int u = 0; u < S::vector_units; ++u) {
      // Units past the last field repeat it; their sums are not stored.
      const int field = S::fieldOf(v, u, n);
      fields[u] = right + (field < rights ? field : rights - 1) * right_field;
    }
    std::int64_t unit = 0;
    Real* to = panel;
    for (; unit + S::vector_units <= units; unit += S::vector_units) {
      typename S::Vec block[S::vector_units];
#pragma GCC unroll 16
      for (int u = 0; u < S::vector_units; ++u) {
        block[u] = load<S::width>(fields[u] + unit * S::unit_reals);
      }
      transposeUnitsOf<S>(block);
#pragma GCC unroll 16
      for (int u = 0; u < S::vector_units; ++u, to += step) store<S::width>(to, block[u]);
    }
    packLastUnits<S, n>(fields, unit, units, to);
    if (rest > 0) {
      for (int u = 0; u < S::vector_units; ++u) fields[u] += units * S::unit_reals;
      packRest<S, n>(fields, rest, panel + units * step);
    }
  }
}

/// The rows of a tile on the left side, one unit after the other. Few pointers reach all of them,
/// so that the registers for addresses suffice.
template <class Real, int rows, int unit_size>
struct LeftRows {
  static constexpr int group = 4, groups = (rows + group - 1) / group;
  const char* at[groups];
  std::int64_t step, three_steps;

  KONTRACT_INLINE LeftRows(const Real* left, std::int64_t field)
      : step(field * int(sizeof(Real))), three_steps(3 * step) {
    for (int g = 0; g < groups; ++g) {
      at[g] = reinterpret_cast<const char*>(left + g * group * field);
    }
  }
  KONTRACT_INLINE const Real* row(int i) const {
    const char* const first = at[i / group];
    const int k = i % group;
    return reinterpret_cast<const Real*>(k == 0   ? first
                                         : k == 1 ? first + step
                                         : k == 2 ? first + 2 * step
                                                  : first + three_steps);
  }
  KONTRACT_INLINE void advance() {
    for (int g = 0; g < groups; ++g) {
      at[g] += unit_size;
#ifdef __GNUC__
      asm("" : "+r"(at[g]));  // or the compiler makes one pointer each of them again
#endif
    }
  }
};

/// Computes and stores one tile of rows x n vectors.
template <class S, int rows, int n>
KONTRACT_INLINE void computeTile(const Tile<typename S::Real>& tile, const typename S::Real* left,
                                 typename S::Real* tile_out, PrefetchNear& prefetch_left,
                                 PrefetchNear& prefetch_right) {
  using Real = typename S::Real;
  using Vec = typename S::Vec;
  Vec sums[rows][n][S::reals] = {};
  const Real* panel = tile.panel;
  LeftRows<Real, rows, S::unit_size> lefts(left, tile.left_field);
  const auto step = [&](const auto& unitOf) KONTRACT_INLINE_LAMBDA {
    Vec right[n];
#pragma GCC unroll 4
    for (int v = 0; v < n; ++v) right[v] = load<S::width>(panel + v * S::vector_reals);
#pragma GCC unroll 12
    for (int i = 0; i < rows; ++i) multiplyAdd<S, n>(unitOf(lefts.row(i)), right, sums[i]);
    panel += n * S::vector_reals;
    lefts.advance();
  };
  std::int64_t units = tile.units;
  while (units > 0) {
    prefetch_left.advance(units_per_prefetch);
    prefetch_right.advance(units_per_prefetch);
    std::int64_t now = units < units_per_prefetch ? units : units_per_prefetch;
    units -= now;
    for (; now > 0; --now) {
      step([](const Real* at) KONTRACT_INLINE_LAMBDA { return repeatedUnit<S>(at); });
    }
  }
  if constexpr (S::unit_terms > 1) {
    if (const int rest = tile.rest; rest > 0) {
      step([&](const Real* at) KONTRACT_INLINE_LAMBDA {
        return broadcastUnit<S::width, Real>(loadSome(at, rest));
      });
    }
  }
  storeGroups<S, rows, n>(tile, tile_out, sums);
  storeRemainder<S, rows, n>(tile, tile_out, sums);
}

/// Computes and stores a tile in each of some cells.
template <class S, int rows, int n>
void computeTiles(const Tile<typename S::Real>& tile) {
  const typename S::Real *left = tile.left, *right = tile.right;
  typename S::Real* out = tile.out;
  PrefetchNear prefetch_left = tile.prefetch[0], prefetch_right = tile.prefetch[1];
  for (std::int64_t cell = 0; cell < tile.cells; ++cell) {
    if (!tile.is_packed) {
      packPanel<S, n>(right, tile.right_field, tile.rights, tile.units, tile.rest, tile.panel);
    }
    computeTile<S, rows, n>(tile, left, out, prefetch_left, prefetch_right);
    left += tile.left_cell;
    right += tile.right_cell;
    out += tile.out_cell;
    if (tile.stream != nullptr) out = tile.stream->pass(tile.out_cell);
  }
  tile.prefetch[0] = prefetch_left;
  tile.prefetch[1] = prefetch_right;
}

#endif
