// SPDX-License-Identifier: BSD-3-Clause
//
// From sums in the registers of a tile to outputs.
#ifndef KONTRACT_HOSTTILESTORE_IPP
#define KONTRACT_HOSTTILESTORE_IPP

#include "Kontract_HostTileScheme.ipp"

/// Outputs of a tile that could not go straight from registers to memory: some columns of some
/// rows, each row contiguous in the block.
template <class Real>
struct Block {
  const Real* sums;
  int row_reals;  ///< from one row of the block to the next
  int rows, columns;
};
template <class Real, int reals>
__attribute__((noinline)) void writeBlock(const Block<Real>& block, const Tile<Real>& tile,
                                          Real* out) {
  for (int i = 0; i < block.rows; ++i, out += tile.out_left) {
    const Real* row = block.sums + i * block.row_reals;
    Real* to = out;
    for (int j = 0; j < block.columns; ++j, to += tile.out_right, row += reals) {
      for (int part = 0; part < reals; ++part) {
        to[part] = tile.add ? to[part] + row[part] : row[part];
      }
    }
  }
}

/// The sums of fewer vectors than make a group come with gaps between units: n scalars of each.
template <class S, int n>
struct CloseGaps {
  using real = typename S::Real;
  static constexpr int index(int i, int) {
    const int scalar = i / S::reals;
    if (scalar >= n * S::vector_units) return i;
    return (scalar / n * S::unit_terms + scalar % n) * S::reals + i % S::reals;
  }
};

/// The last vectors of a panel, fewer than make a group.
template <class S, int n>
struct Remainder {
  static constexpr int whole = n / S::unit_terms;  ///< groups before them
  static constexpr int vectors = n % S::unit_terms;
  static constexpr int first = whole * S::group;  ///< of their columns
  /// Whether two rows of them make a group.
  static constexpr bool is_half_of_group =
      vectors == 1 && S::unit_terms == 2 && !S::is_complex && S::vector_units > 1;
};

/// Writes a remainder two rows at a time: the halves of a group are in order once its evens and
/// odds are parted.
template <class S, int rows, int n>
KONTRACT_INLINE void storeRemainderByPairs(const Tile<typename S::Real>& tile,
                                           typename S::Real* tile_out,
                                           const typename S::Vec (&sums)[rows][n][S::reals]) {
  using Real = typename S::Real;
  using Vec = typename S::Vec;
  constexpr int half = S::vector_reals / 2, first = Remainder<S, n>::first;
  const int columns = tile.rights - first;
  const bool is_direct =
      (columns == S::vector_units || stores_some_of_a_vector) && tile.out_right == 1 && !tile.add;
  alignas(64) Real memory[(rows + 1) * S::vector_reals];
  Real* out = tile_out + first;
#pragma GCC unroll 6
  for (int i = 0; i < rows; i += 2) {
    const int next = i + 1 < rows ? i + 1 : i;
    const Vec both = sumUnits<S>({sums[i][n - 1][0], sums[next][n - 1][0]});
    const Vec parted = shuffled<Deinterleave<Real>>(both, both);
    if (is_direct) {
      storeHalf<S::width, 0>(out, columns, parted);
      out += tile.out_left;
      if (i + 1 < rows) storeHalf<S::width, 1>(out, columns, parted);
      out += tile.out_left;
    } else {
      store<S::width>(memory + i * half, parted);
    }
  }
  if (is_direct) return;
  writeBlock<Real, S::reals>({memory, half, rows, columns}, tile,
                             tile_out + first * tile.out_right);
}

/// Writes a remainder row by row.
template <class S, int rows, int n>
KONTRACT_INLINE void storeRemainderByRows(const Tile<typename S::Real>& tile,
                                          typename S::Real* tile_out,
                                          const typename S::Vec (&sums)[rows][n][S::reals]) {
  using Real = typename S::Real;
  using Vec = typename S::Vec;
  constexpr int vectors = Remainder<S, n>::vectors, first = Remainder<S, n>::first;
  const int columns = tile.rights - first;
  const bool is_direct = stores_some_of_a_vector && tile.out_right == S::reals && !tile.add;
  alignas(64) Real memory[rows * S::vector_reals];
  Real* out = tile_out + first * S::reals;
#pragma GCC unroll 12
  for (int i = 0; i < rows; ++i, out += tile.out_left) {
    Vec group[S::unit_terms] = {};
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) group[v] = finished<S>(sums[i][n - vectors + v]);
    const Vec outputs = sumUnits<S>(group);
    const Vec in_order = shuffled<CloseGaps<S, vectors>>(outputs, outputs);
    if (is_direct) {
      storeSome<S::width>(out, columns * S::reals, in_order);
    } else {
      store<S::width>(memory + i * S::vector_reals, in_order);
    }
  }
  if (is_direct) return;
  writeBlock<Real, S::reals>({memory, S::vector_reals, rows, columns}, tile,
                             tile_out + first * tile.out_right);
}

/// Writes the outputs of the last vectors of a panel, if there are fewer than make a group.
template <class S, int rows, int n>
KONTRACT_INLINE void storeRemainder(const Tile<typename S::Real>& tile, typename S::Real* out,
                                    const typename S::Vec (&sums)[rows][n][S::reals]) {
  if constexpr (Remainder<S, n>::is_half_of_group) {
    storeRemainderByPairs<S, rows, n>(tile, out, sums);
  } else if constexpr (Remainder<S, n>::vectors > 0) {
    storeRemainderByRows<S, rows, n>(tile, out, sums);
  }
}

/// Calls f(row, group, outputs) for the whole groups of a panel.
template <class S, int rows, int n, class F>
KONTRACT_INLINE void forEachGroup(const typename S::Vec (&sums)[rows][n][S::reals], const F& f) {
#pragma GCC unroll 12
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 4
    for (int g = 0; g < n / S::unit_terms; ++g) {
      typename S::Vec group[S::unit_terms];
#pragma GCC unroll 4
      for (int v = 0; v < S::unit_terms; ++v) {
        group[v] = finished<S>(sums[i][g * S::unit_terms + v]);
      }
      f(i, g, sumUnits<S>(group));
    }
  }
}

/// Writes the outputs of the whole groups of a panel.
template <class S, int rows, int n>
KONTRACT_INLINE void storeGroups(const Tile<typename S::Real>& tile, typename S::Real* out,
                                 const typename S::Vec (&sums)[rows][n][S::reals]) {
  using Real = typename S::Real;
  using Vec = typename S::Vec;
  constexpr int groups = n / S::unit_terms;
  if constexpr (groups > 0) {
    const std::int64_t out_left = tile.out_left;
    const bool is_whole = tile.rights >= groups * S::group && tile.out_right == S::reals;
    if (is_whole && !tile.add) {
      forEachGroup<S, rows, n>(sums, [&](int i, int g, Vec outputs) KONTRACT_INLINE_LAMBDA {
        store<S::width>(out + i * out_left + g * S::vector_reals, outputs);
      });
      return;
    }
    if (is_whole) {
      forEachGroup<S, rows, n>(sums, [&](int i, int g, Vec outputs) KONTRACT_INLINE_LAMBDA {
        Real* const to = out + i * out_left + g * S::vector_reals;
        store<S::width>(to, load<S::width>(to) + outputs);
      });
      return;
    }
    if (stores_some_of_a_vector && tile.out_right == S::reals && !tile.add) {
      const int rights = tile.rights;  // stores may change the tile, for all the compiler knows
      forEachGroup<S, rows, n>(sums, [&](int i, int g, Vec outputs) KONTRACT_INLINE_LAMBDA {
        const int left_over = rights - g * S::group;
        storeSome<S::width>(out + i * out_left + g * S::vector_reals,
                            (left_over < S::group ? left_over : S::group) * S::reals, outputs);
      });
      return;
    }
    alignas(64) Real memory[rows * groups * S::vector_reals];
    forEachGroup<S, rows, n>(sums, [&](int i, int g, Vec outputs) KONTRACT_INLINE_LAMBDA {
      store<S::width>(memory + (i * groups + g) * S::vector_reals, outputs);
    });
    const int columns = tile.rights < groups * S::group ? tile.rights : groups * S::group;
    writeBlock<Real, S::reals>({memory, groups * S::vector_reals, rows, columns}, tile, out);
  }
}

#endif
