// SPDX-License-Identifier: BSD-3-Clause
//
// The register tile of contractions.
//
// In both inputs neighbouring terms of the sum are contiguous. A vector of the right side holds one
// unit (128 bits of neighbouring terms) of as many right fields as fit; it meets a unit of one left
// field, repeated throughout the vector. That needs no transposition, only units copied, and leaves
// a sum over the few terms of a unit for the end. The alternatives are vectors along k (nothing to
// copy, but a whole vector to sum up at the end of each output) and vectors along right fields
// (nothing to sum up, but all of the right side to transpose); for the lengths of finite elements
// both cost more than this mixture of the two.
#ifndef KONTRACT_HOSTTILE_IPP
#define KONTRACT_HOSTTILE_IPP

#include "Kontract_HostTileStore.ipp"

/// Packs the units of up to n vectors' right fields: all vectors of a unit, then those of the next.
template <class S, int n>
KONTRACT_INLINE void packPanel(const typename S::Real* right, std::int64_t right_field, int rights,
                               std::int64_t units, int rest, typename S::Real* panel) {
  using Real = typename S::Real;
  constexpr int step = n * S::vector_reals;  // from one unit to the next
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
#pragma GCC unroll 4
      for (int u = 0; u < S::vector_units; ++u) {
        block[u] = load<S::width>(fields[u] + unit * S::unit_reals);
      }
      transposeUnits<S::width, Real>(block);
#pragma GCC unroll 4
      for (int u = 0; u < S::vector_units; ++u, to += step) store<S::width>(to, block[u]);
    }
    for (; unit < units; ++unit, to += step) {
      store<S::width>(to, gatherUnits<S::width, Real>([&](int u) KONTRACT_INLINE_LAMBDA {
                        return load<unit_bytes>(fields[u] + unit * S::unit_reals);
                      }));
    }
    if (rest > 0) {
      store<S::width>(to, gatherUnits<S::width, Real>([&](int u) KONTRACT_INLINE_LAMBDA {
                        return loadSome(fields[u] + unit * S::unit_reals, rest);
                      }));
    }
  }
}

/// The rows of a tile on the left side, one unit after the other. Few pointers reach all of them,
/// so that the registers for addresses suffice.
template <class Real, int rows>
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
      at[g] += unit_bytes;
#ifdef __GNUC__
      asm("" : "+r"(at[g]));  // or the compiler makes one pointer each of them again
#endif
    }
  }
};

/// Computes and stores one tile of rows x n vectors.
template <class S, int rows, int n>
KONTRACT_INLINE void computeTile(const Tile<typename S::Real>& tile, const typename S::Real* left,
                                 typename S::Real* tile_out, Prefetch& prefetch_left,
                                 Prefetch& prefetch_right) {
  using Real = typename S::Real;
  using Vec = typename S::Vec;
  Vec sums[rows][n][S::reals] = {};
  const Real* panel = tile.panel;
  LeftRows<Real, rows> lefts(left, tile.left_field);
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
      step([](const Real* at) KONTRACT_INLINE_LAMBDA { return load<unit_bytes>(at); });
    }
  }
  if (tile.rest > 0) {
    step([&](const Real* at) KONTRACT_INLINE_LAMBDA { return loadSome(at, tile.rest); });
  }
  storeGroups<S, rows, n>(tile, tile_out, sums);
  storeRemainder<S, rows, n>(tile, tile_out, sums);
}

/// Computes and stores a tile in each of some cells.
template <class S, int rows, int n>
void computeTiles(const Tile<typename S::Real>& tile) {
  const typename S::Real *left = tile.left, *right = tile.right;
  typename S::Real* out = tile.out;
  Prefetch prefetch_left = tile.prefetch[0], prefetch_right = tile.prefetch[1];
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
