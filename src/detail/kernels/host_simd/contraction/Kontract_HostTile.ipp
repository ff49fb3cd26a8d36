// SPDX-License-Identifier: BSD-3-Clause
//
// The register tile of contractions. Part of Kontract_HostKernelSet.ipp.
//
// Both inputs have neighbouring terms of the sum side by side in memory. A
// vector of the right side holds one unit (128 bits of neighbouring terms) of
// as many right fields as it has lanes; it meets a unit of one left field,
// repeated in all lanes. That needs no transposition, only units copied, and
// leaves a sum over the few terms of a unit for the end. The alternatives are
// vectors along k (nothing to copy, but a whole vector to sum up at the end of
// each output) and vectors along right fields (nothing to sum up, but all of
// the right side to transpose); for the lengths of finite elements both cost
// more than this mixture of the two.
#ifndef KONTRACT_HOSTTILE_IPP
#define KONTRACT_HOSTTILE_IPP

#include "detail/kernels/host_simd/common/Kontract_HostTraffic.ipp"

/// How scalars lie in vectors.
template <class R, bool complex, int bytes>
struct Scheme {
  using Real = R;
  using Vec = Vector<R, bytes>;
  static constexpr bool is_complex = complex;
  static constexpr int width = bytes;
  static constexpr int reals = complex ? 2 : 1;                   ///< in a scalar
  static constexpr int unit_reals = unit_bytes / int(sizeof(R));  ///< in a unit
  static constexpr int unit_terms = unit_reals / reals;           ///< scalars in a unit
  static constexpr int vector_units = bytes / unit_bytes;         ///< right fields of a vector
  static constexpr int group = unit_terms * vector_units;         ///< outputs in a vector
  static constexpr int vector_reals = bytes / int(sizeof(R));

  /// The right field in a lane of vector v of a panel of n vectors: full groups
  /// come first, and within a group the order is such that sums of lanes come
  /// out in order.
  static constexpr int fieldOf(int v, int lane, int n) {
    const int whole = n / unit_terms * unit_terms;
    if (v < whole) return v / unit_terms * group + lane * unit_terms + v % unit_terms;
    return whole * vector_units + lane * (n - whole) + v - whole;
  }
  /// Vectors for so many right fields.
  static constexpr int vectorsFor(std::int64_t fields) {
    return int(fields / group) * unit_terms + int(fields % group + vector_units - 1) / vector_units;
  }

  /// In a panel; narrow vectors serve few fields only.
  static constexpr int most_vectors = bytes < vector_bytes ? unit_terms : 4;
  /// Left fields of a tile, by vectors of its panel: sums, panel and the left
  /// side fit registers.
  static constexpr int mostRows(int vectors) {
    constexpr int many[2][4] = {{12, 12, 8, 6}, {8, 6, 4, 3}};
    constexpr int few[2][4] = {{6, 6, 4, 2}, {4, 3, 2, 1}};
    return (registers == 32 ? many : few)[complex][vectors - 1];
  }
  /// Vectors of all panels but the last.
  static constexpr int usual_vectors =
      bytes < vector_bytes ? unit_terms : (registers == 32 || unit_terms == 4 ? 4 : 2);
  /// The last panel may take one more rather than leave it over.
  static constexpr int last_vectors =
      usual_vectors < most_vectors ? usual_vectors + 1 : most_vectors;
  static constexpr int most_rows = 12;
};

/// A tile of outputs, or a row of them from cell to cell.
template <class Real>
struct Tile {
  const Real* left;         ///< first left field, first term
  std::int64_t left_field;  ///< reals from one left field to the next
  const Real* right;        ///< first right field, first term; not read if the panel is packed
  std::int64_t right_field;
  Real* panel;  ///< the right side as packPanel() leaves it
  bool is_packed;
  std::int64_t units;  ///< whole units of terms
  int rest;            ///< reals in a last unit that is not whole
  Real* out;
  std::int64_t out_left, out_right;  ///< reals from one output to the next
  int rights;                        ///< right fields of the panel
  bool add;
  std::int64_t cells;  ///< tiles to compute, each with its own panel
  std::int64_t left_cell, right_cell, out_cell;
  OutputStream<Real>* stream;  ///< takes the outputs of each cell, or nullptr
  Prefetch* prefetch;          ///< of the left side and of the right side
};

/// Copies the units of up to n vectors' right fields side by side, vectors of a
/// unit together.
template <class S, int n>
KONTRACT_INLINE void packPanel(const typename S::Real* right, std::int64_t right_field, int rights,
                               std::int64_t units, int rest, typename S::Real* panel) {
  using Real = typename S::Real;
  constexpr int step = n * S::vector_reals;  // from one unit to the next
  for (int v = 0; v < n; ++v, panel += S::vector_reals) {
    const Real* fields[S::vector_units];
    for (int lane = 0; lane < S::vector_units; ++lane) {
      // Lanes past the last field repeat it; their sums are not stored.
      const int field = S::fieldOf(v, lane, n);
      fields[lane] = right + (field < rights ? field : rights - 1) * right_field;
    }
    std::int64_t unit = 0;
    Real* to = panel;
    for (; unit + S::vector_units <= units; unit += S::vector_units) {
      typename S::Vec block[S::vector_units];
#pragma GCC unroll 4
      for (int lane = 0; lane < S::vector_units; ++lane) {
        block[lane] = load<S::width>(fields[lane] + unit * S::unit_reals);
      }
      transposeUnits<S::width, Real>(block);
#pragma GCC unroll 4
      for (int lane = 0; lane < S::vector_units; ++lane, to += step)
        store<S::width>(to, block[lane]);
    }
    for (; unit < units; ++unit, to += step) {
      store<S::width>(to, gatherUnits<S::width, Real>([&](int lane) KONTRACT_INLINE_LAMBDA {
                        return load<unit_bytes>(fields[lane] + unit * S::unit_reals);
                      }));
    }
    if (rest > 0) {
      store<S::width>(to, gatherUnits<S::width, Real>([&](int lane) KONTRACT_INLINE_LAMBDA {
                        return loadSome(fields[lane] + unit * S::unit_reals, rest);
                      }));
    }
  }
}

/// The sums of lanes of the vectors of a group: as many outputs as a vector has
/// scalars, in order.
template <class S>
KONTRACT_INLINE typename S::Vec sumUnits(const typename S::Vec (&v)[S::unit_terms]) {
  using Real = typename S::Real;
  using Vec = typename S::Vec;
  if constexpr (S::unit_terms == 1) {
    return v[0];
  } else if constexpr (S::unit_terms == 2) {
    return shuffled<UnpackHalves<Real, 0>>(v[0], v[1]) +
           shuffled<UnpackHalves<Real, 1>>(v[0], v[1]);
  } else {
    const Vec a =
        shuffled<UnpackReals<Real, 0>>(v[0], v[1]) + shuffled<UnpackReals<Real, 1>>(v[0], v[1]);
    const Vec b =
        shuffled<UnpackReals<Real, 0>>(v[2], v[3]) + shuffled<UnpackReals<Real, 1>>(v[2], v[3]);
    return shuffled<UnpackHalves<Real, 0>>(a, b) + shuffled<UnpackHalves<Real, 1>>(a, b);
  }
}

/// The products of a unit of a left field with the vectors of a panel, added to
/// their sums.
template <class S, int n>
KONTRACT_INLINE void multiplyAdd(Unit<typename S::Real> left, const typename S::Vec (&right)[n],
                                 typename S::Vec (&sums)[n][S::reals]) {
  using Real = typename S::Real;
  using Vec = typename S::Vec;
  if constexpr (S::is_complex) {
    // Products with the real and with the imaginary part apart: fused
    // multiply-adds alone.
    const Vec both = broadcastUnit<S::width, Real>(left);
    const Vec re = shuffled<RepeatEach<Real, 0>>(both, both);
    const Vec im = shuffled<RepeatEach<Real, 1>>(both, both);
#pragma GCC unroll 4
    for (int v = 0; v < n; ++v) {
      sums[v][0] += re * right[v];
      sums[v][1] += im * right[v];
    }
  } else {
    const Vec all = broadcastUnit<S::width, Real>(left);
#pragma GCC unroll 4
    for (int v = 0; v < n; ++v) sums[v][0] += all * right[v];
  }
}

/// sum += a * b, scalar by scalar; complex ones as finished() takes them.
template <class S>
KONTRACT_INLINE void multiplyAddEach(typename S::Vec a, typename S::Vec b,
                                     typename S::Vec (&sum)[S::reals]) {
  if constexpr (S::is_complex) {
    using Real = typename S::Real;
    sum[0] += shuffled<RepeatEach<Real, 0>>(a, a) * b;
    sum[1] += shuffled<RepeatEach<Real, 1>>(a, a) * b;
  } else {
    sum[0] += a * b;
  }
}

/// The sums of a vector once their real and imaginary products are put
/// together.
template <class S>
KONTRACT_INLINE typename S::Vec finished(const typename S::Vec (&sum)[S::reals]) {
  if constexpr (S::is_complex) {
    typename S::Vec sign;
    for (int i = 0; i < S::vector_reals; ++i) sign[i] = i % 2 == 0 ? -1 : 1;
    return sum[0] + sign * shuffled<SwapPairs<typename S::Real>>(sum[1], sum[1]);
  } else {
    return sum[0];
  }
}

/// Outputs of a tile that could not go straight from registers to memory: some
/// columns of some rows, each row in a run of the block.
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

/// The sums of fewer vectors than make a group come with gaps between lanes: n scalars of each
/// lane.
template <class S, int n>
struct CloseGaps {
  using real = typename S::Real;
  static constexpr int index(int i, int) {
    const int scalar = i / S::reals;
    if (scalar >= n * S::vector_units) return i;
    return (scalar / n * S::unit_terms + scalar % n) * S::reals + i % S::reals;
  }
};

/// Writes the outputs of the last vectors of a panel, fewer than make a group.
template <class S, int rows, int n>
KONTRACT_INLINE void storeRemainder(const Tile<typename S::Real>& tile, typename S::Real* tile_out,
                                    const typename S::Vec (&sums)[rows][n][S::reals]) {
  using Real = typename S::Real;
  using Vec = typename S::Vec;
  constexpr int whole = n / S::unit_terms, vectors = n % S::unit_terms;
  if constexpr (vectors > 0) {
    const int first = whole * S::group;
    Block<Real> block;
    block.rows = rows;
    block.columns = tile.rights - first;
    alignas(64) Real memory[(rows + 1) * S::vector_reals];
    block.sums = memory;
    if constexpr (vectors == 1 && S::unit_terms == 2 && !S::is_complex && S::vector_units > 1) {
      // Two rows make a group, whose halves are in order once its evens and
      // odds are parted.
      constexpr int half = S::vector_reals / 2;
      const bool is_direct = (block.columns == S::vector_units || stores_some_of_a_vector) &&
                             tile.out_right == 1 && !tile.add;
      Real* out = tile_out + first;
#pragma GCC unroll 6
      for (int i = 0; i < rows; i += 2) {
        const int next = i + 1 < rows ? i + 1 : i;
        const Vec both = sumUnits<S>({sums[i][n - 1][0], sums[next][n - 1][0]});
        const Vec parted = shuffled<Deinterleave<Real>>(both, both);
        if (is_direct) {
          storeHalf<S::width, 0>(out, block.columns, parted);
          out += tile.out_left;
          if (i + 1 < rows) storeHalf<S::width, 1>(out, block.columns, parted);
          out += tile.out_left;
        } else {
          store<S::width>(memory + i * half, parted);
        }
      }
      if (is_direct) return;
      block.row_reals = half;
    } else {
      const bool is_direct = stores_some_of_a_vector && tile.out_right == S::reals && !tile.add;
      Real* out = tile_out + first * S::reals;
#pragma GCC unroll 12
      for (int i = 0; i < rows; ++i, out += tile.out_left) {
        Vec group[S::unit_terms] = {};
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v)
          group[v] = finished<S>(sums[i][whole * S::unit_terms + v]);
        const Vec outputs = sumUnits<S>(group);
        const Vec in_order = shuffled<CloseGaps<S, vectors>>(outputs, outputs);
        if (is_direct) {
          storeSome<S::width>(out, block.columns * S::reals, in_order);
        } else {
          store<S::width>(memory + i * S::vector_reals, in_order);
        }
      }
      if (is_direct) return;
      block.row_reals = S::vector_reals;
    }
    writeBlock<Real, S::reals>(block, tile, tile_out + first * tile.out_right);
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
      forEachGroup<S, rows, n>(sums, [&](int i, int g, Vec outputs) KONTRACT_INLINE_LAMBDA {
        const int left_over = tile.rights - g * S::group;
        storeSome<S::width>(out + i * out_left + g * S::vector_reals,
                            (left_over < S::group ? left_over : S::group) * S::reals, outputs);
      });
      return;
    }
    alignas(64) Real memory[rows * groups * S::vector_reals];
    forEachGroup<S, rows, n>(sums, [&](int i, int g, Vec outputs) KONTRACT_INLINE_LAMBDA {
      store<S::width>(memory + (i * groups + g) * S::vector_reals, outputs);
    });
    Block<Real> block;
    block.sums = memory;
    block.row_reals = groups * S::vector_reals;
    block.rows = rows;
    block.columns = tile.rights < groups * S::group ? tile.rights : groups * S::group;
    writeBlock<Real, S::reals>(block, tile, out);
  }
}

/// The rows of a tile on the left side, one unit after the other. Few pointers
/// reach all of them, so that the registers for addresses suffice.
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
