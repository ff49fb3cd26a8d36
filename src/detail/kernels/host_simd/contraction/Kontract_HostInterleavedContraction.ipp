// SPDX-License-Identifier: BSD-3-Clause
//
// Contractions of interleaved cells: in LayoutLeft neighbours in memory are neighbouring cells, so
// that a vector holds one scalar of each of simd_width cells, and no term needs to move.
#ifndef KONTRACT_HOSTINTERLEAVEDCONTRACTION_IPP
#define KONTRACT_HOSTINTERLEAVEDCONTRACTION_IPP

#include "Kontract_HostRowWalk.ipp"
#include "Kontract_HostTile.ipp"

/// The tile of fields that registers hold, in vectors of cells.
template <class S>
struct InterleavedLimits {
  static constexpr int most_lefts =
      registers == 32 ? (S::is_complex ? 3 : 4) : (S::is_complex ? 2 : 3);
  static constexpr int most_rights =
      registers == 32 ? (S::is_complex ? 4 : 6) : (S::is_complex ? 3 : 4);
  static constexpr int cells = S::vector_reals / S::reals;
};

/// A tile of outputs of a vector of cells, from panels of fields: all of a term, then of the next.
template <class S>
struct InterleavedTile {
  using Real = typename S::Real;
  const Real* left;
  const Real* right;
  std::int64_t terms;
  Real* sums;          ///< what terms before have left, and terms that follow go on with
  std::int64_t plane;  ///< from real to imaginary products of sums
  bool goes_on, is_last;
  Real* out;
  std::int64_t sums_left, sums_right, out_left, out_right;
  bool stream;
};

template <class S, int lefts, int rights>
void computeInterleavedTile(const InterleavedTile<S>& tile) {
  using Vec = typename S::Vec;
  Vec sums[lefts][rights][S::reals] = {};
  const auto forEachSum = [&](const auto& f) KONTRACT_INLINE_LAMBDA {
#pragma GCC unroll 4
    for (int i = 0; i < lefts; ++i) {
#pragma GCC unroll 6
      for (int j = 0; j < rights; ++j) f(i, j, sums[i][j]);
    }
  };
  using Sum = Vec[S::reals];
  if (tile.goes_on) {
    forEachSum([&](int i, int j, Sum& sum) KONTRACT_INLINE_LAMBDA {
      for (int part = 0; part < S::reals; ++part) {
        sum[part] = load<S::width>(tile.sums + i * tile.sums_left + j * tile.sums_right +
                                   part * tile.plane);
      }
    });
  }
  const typename S::Real *left = tile.left, *right = tile.right;
  for (std::int64_t k = 0; k < tile.terms; ++k) {
    Vec a[lefts];
#pragma GCC unroll 4
    for (int i = 0; i < lefts; ++i) a[i] = load<S::width>(left + i * S::vector_reals);
#pragma GCC unroll 6
    for (int j = 0; j < rights; ++j) {
      const Vec b = load<S::width>(right + j * S::vector_reals);
#pragma GCC unroll 4
      for (int i = 0; i < lefts; ++i) multiplyAddEach<S>(a[i], b, sums[i][j]);
    }
    left += lefts * S::vector_reals;
    right += rights * S::vector_reals;
  }
  forEachSum([&](int i, int j, Sum& sum) KONTRACT_INLINE_LAMBDA {
    typename S::Real* const out = tile.out + i * tile.out_left + j * tile.out_right;
    if (!tile.is_last) {
      for (int part = 0; part < S::reals; ++part) {
        store<S::width>(tile.sums + i * tile.sums_left + j * tile.sums_right + part * tile.plane,
                        sum[part]);
      }
    } else if (tile.stream) {
      storeNonTemporal<S::width>(out, finished<S>(sum));
    } else {
      store<S::width>(out, finished<S>(sum));
    }
  });
}

template <class S>
struct InterleavedTileTable {
  using Limits = InterleavedLimits<S>;
  void (*tiles[Limits::most_lefts][Limits::most_rights])(const InterleavedTile<S>&) = {};

  template <int lefts, int rights>
  constexpr void add() {
    if constexpr (rights > 0) {
      tiles[lefts - 1][rights - 1] = &computeInterleavedTile<S, lefts, rights>;
      add<lefts, rights - 1>();
    } else if constexpr (lefts > 1) {
      add<lefts - 1, Limits::most_rights>();
    }
  }
  constexpr InterleavedTileTable() { add<Limits::most_lefts, Limits::most_rights>(); }
};
template <class S>
constexpr InterleavedTileTable<S> interleaved_tiles;

/// Fields cut evenly into panels of at most so many.
struct PanelSplit {
  std::int64_t fields, panels;
  PanelSplit(std::int64_t extent, int most) : fields(extent), panels((extent + most - 1) / most) {}
  std::int64_t first(std::int64_t panel) const { return panel * fields / panels; }
  int height(std::int64_t panel) const { return int(first(panel + 1) - first(panel)); }
};

/// What is packed at a time: neighbouring vectors of cells, so that what is contiguous is read
/// together, and as many terms as leave all of that in the cache.
template <class S>
struct InterleavedBlock {
  static constexpr std::int64_t cache_bytes = 512 * 1024;  ///< of packed fields
  static constexpr std::int64_t sums_bytes = 256 * 1024;   ///< that terms may be cut for
  /// Where sums are larger rows as long as these gain more than the cache: twice as much of both.
  static constexpr std::int64_t most_cache_bytes = 2 * cache_bytes, most_sums_bytes = 2 * sums_bytes;
  static constexpr int least_vectors = 64 / S::width, most_vectors = 256 / S::width;
  static constexpr int line = 64 / int(sizeof(typename S::Real));  ///< reals

  std::int64_t terms;          ///< of the sum
  int vectors = most_vectors;  ///< of cells
  std::int64_t terms_at_once;
  std::int64_t left_reals, right_reals;  ///< of a packed vector
  std::int64_t plane;                    ///< reals of all sums

  explicit InterleavedBlock(const HostContraction<typename S::Real>& c)
      : terms(c.sum[0].extent * c.sum[1].extent * c.sum[2].extent), terms_at_once(terms) {
    const std::int64_t term_bytes = (c.lefts + c.rights) * S::width;
    const std::int64_t sum_bytes = c.lefts * c.rights * S::reals * S::width;
    const bool are_sums_small = vectors * sum_bytes <= sums_bytes;
    const std::int64_t most_packed = are_sums_small ? cache_bytes : most_cache_bytes;
    if (vectors * terms * term_bytes > most_packed) cut(term_bytes, sum_bytes, most_packed);
    left_reals = c.lefts * terms_at_once * S::vector_reals;
    right_reals = c.rights * terms_at_once * S::vector_reals;
    plane = c.lefts * c.rights * row();
  }
  /// From one output of all vectors to the next, a line that waits in between.
  std::int64_t row() const { return line + vectors * S::vector_reals; }
  std::int64_t termsFrom(std::int64_t k) const {
    return terms - k < terms_at_once ? terms - k : terms_at_once;
  }
  std::int64_t bytes() const {
    return (vectors * (left_reals + right_reals) + S::reals * plane) *
           int(sizeof(typename S::Real));
  }

 private:
  /// Fewer terms at a time where the sums of all fields stay in cache, too; else few vectors.
  void cut(std::int64_t term_bytes, std::int64_t sum_bytes, std::int64_t most_packed) {
    while (vectors > least_vectors && vectors * sum_bytes > most_sums_bytes) vectors /= 2;
    if (vectors == least_vectors && vectors * sum_bytes > sums_bytes) return;
    constexpr std::int64_t least_terms = 8;
    const std::int64_t most = most_packed / (vectors * term_bytes);
    const std::int64_t chunks = terms / (most < least_terms ? least_terms : most) + 1;
    terms_at_once = (terms + chunks - 1) / chunks;
  }
};

/// Fetches the lines of a row but the one that it may share with the row of the cells before.
template <class Real>
KONTRACT_INLINE void fetchRow(const Real* row, int reals) {
  const char* const first = reinterpret_cast<const char*>(row);
  for (int at = 63; at < 64 + reals * int(sizeof(Real)) - 1; at += 64) fetchLine(first + at);
}

/// A side's rows in the order in which they are packed.
template <class S>
class PackedSide {
 public:
  PackedSide(const HostContraction<typename S::Real>& c, bool of_left,
             const InterleavedBlock<S>& block, std::int64_t first_cell)
      : from_(of_left ? c.left : c.right),
        cut_(of_left ? c.lefts : c.rights,
             of_left ? InterleavedLimits<S>::most_lefts : InterleavedLimits<S>::most_rights),
        walk_(c.sum, of_left, cut_.fields, of_left ? c.left_field : c.right_field,
              block.terms_at_once, first_cell, block.vectors * InterleavedLimits<S>::cells),
        ahead_(walk_) {
    for (std::int64_t bytes = 0; bytes < bytes_ahead && block.terms > 0 && cut_.fields > 0;
         bytes += block.vectors * S::width) {
      ahead_.advance();
    }
  }
  const PanelSplit& panels() const { return cut_; }

  /// Copies the next terms of all fields into panels: [vector][panel][term][field of panel].
  KONTRACT_INLINE void pack(std::int64_t terms, int cells, typename S::Real* to) {
    const std::int64_t vector_reals = cut_.fields * terms * S::vector_reals;
    for (std::int64_t panel = 0; panel < cut_.panels; ++panel) {
      const int height = cut_.height(panel);
      for (int i = 0; i < height; ++i) {
        typename S::Real* out = to + (cut_.first(panel) * terms + i) * S::vector_reals;
        for (std::int64_t k = 0; k < terms; ++k, out += height * S::vector_reals) {
          fetchRow(from_ + ahead_.place() * S::reals, cells * S::reals);
          copyRow(from_ + walk_.place() * S::reals, cells, vector_reals, out);
          walk_.advance();
          ahead_.advance();
        }
      }
    }
  }

 private:
  KONTRACT_INLINE static void copyRow(const typename S::Real* row, int cells,
                                      std::int64_t vector_reals, typename S::Real* out) {
    const int whole = cells / InterleavedLimits<S>::cells;
    const int rest = cells % InterleavedLimits<S>::cells * S::reals;
    for (int v = 0; v < whole; ++v, out += vector_reals, row += S::vector_reals) {
      store<S::width>(out, load<S::width>(row));
    }
    if (rest > 0) store<S::width>(out, loadSomeOf<S::width>(row, rest));
  }

  const typename S::Real* from_;
  PanelSplit cut_;
  RowWalk walk_, ahead_;
};

/// The tiles of some terms of a vector of cells.
template <class S>
KONTRACT_INLINE void computeInterleavedTiles(InterleavedTile<S> tile, const PanelSplit& lefts,
                                             const PanelSplit& rights) {
  using Limits = InterleavedLimits<S>;
  // Panels of the left side that stay in cache while those of the right side pass by.
  const std::int64_t panel_bytes = Limits::most_lefts * tile.terms * S::width;
  const std::int64_t group = 1 + InterleavedBlock<S>::cache_bytes / (panel_bytes + 1);
  const std::int64_t field_reals = tile.terms * S::vector_reals;
  const InterleavedTile<S> first = tile;
  for (std::int64_t l0 = 0; l0 < lefts.panels; l0 += group) {
    const std::int64_t l1 = l0 + group < lefts.panels ? l0 + group : lefts.panels;
    for (std::int64_t r = 0; r < rights.panels; ++r) {
      tile.right = first.right + rights.first(r) * field_reals;
      for (std::int64_t l = l0; l < l1; ++l) {
        tile.left = first.left + lefts.first(l) * field_reals;
        tile.sums =
            first.sums + lefts.first(l) * tile.sums_left + rights.first(r) * tile.sums_right;
        tile.out = first.out + lefts.first(l) * tile.out_left + rights.first(r) * tile.out_right;
        interleaved_tiles<S>.tiles[lefts.height(l) - 1][rights.height(r) - 1](tile);
      }
    }
  }
}

/// The outputs of some cells on their way to memory, in which they may begin within a cache line: a
/// row of them is one output of neighbouring cells. What does not fill a line waits in front of the
/// row for the cells that follow, unless these are the last ones, so that all lines are written at
/// once, without being read.
template <class S>
struct InterleavedRows {
  using Real = typename S::Real;
  static constexpr int line = InterleavedBlock<S>::line;
  Real* first;  ///< output of the first cell
  std::int64_t step;

  /// \param of_first, of_last  whether no cells come before, or after
  KONTRACT_INLINE void writeLines(Real* row, int reals, Real* to, bool of_first,
                                  bool of_last) const {
    const int before = int(reinterpret_cast<std::uintptr_t>(to) % 64 / sizeof(Real));
    int i = -before;
    if (of_first && before > 0) {
      copySome(to, row, line - before < reals ? line - before : reals);
      i += line;
    }
    for (; i + line <= reals; i += line) {
#pragma GCC unroll 4
      for (int v = 0; v < line; v += S::vector_reals) {
        storeNonTemporal<S::width>(to + i + v, load<S::width>(row + i + v));
      }
    }
    const int rest = reals - i;
    if (rest <= 0) return;
    if (of_last) {
      copySome(to + i, row + i, rest);
    } else {
      for (int k = 0; k < rest; ++k) row[k - rest] = row[i + k];
    }
  }

  void write(const HostContraction<Real>& c, std::int64_t cell, int cells, bool of_first,
             bool of_last) const {
    Real* row = first;
    for (std::int64_t l = 0; l < c.lefts; ++l) {
      Real* to = c.out + (cell + l * c.out_left) * S::reals;
      for (std::int64_t r = 0; r < c.rights; ++r, row += step, to += c.out_right * S::reals) {
        if (c.stream && !c.add) {
          writeLines(row, cells * S::reals, to, of_first, of_last);
        } else {
          for (int i = 0; i < cells * S::reals; ++i) to[i] = c.add ? to[i] + row[i] : row[i];
        }
      }
    }
  }
};

/// Cells from first to last, some vectors of them and some terms at a time.
template <class S>
__attribute__((noinline)) void contractInterleaved(const HostContraction<typename S::Real>& c,
                                                   std::int64_t first, std::int64_t last,
                                                   bool is_aligned, typename S::Real* workspace) {
  using Real = typename S::Real;
  constexpr int in_vector = InterleavedLimits<S>::cells;
  const InterleavedBlock<S> block(c);
  PackedSide<S> left(c, true, block, first), right(c, false, block, first);
  Real* const packed_left = workspace;
  Real* const packed_right = packed_left + block.vectors * block.left_reals;
  const InterleavedRows<S> rows{packed_right + block.vectors * block.right_reals + block.line,
                                block.row()};
  const std::int64_t at_once = block.vectors * in_vector;
  InterleavedTile<S> tile;
  tile.plane = block.plane;
  tile.sums_left = c.rights * rows.step;
  tile.sums_right = rows.step;
  for (std::int64_t cell = first; cell < last; cell += at_once) {
    const int cells = int(last - cell < at_once ? last - cell : at_once);
    const bool is_direct = !c.add && (is_aligned || !c.stream) && cells % in_vector == 0;
    tile.out_left = is_direct ? c.out_left * S::reals : tile.sums_left;
    tile.out_right = is_direct ? c.out_right * S::reals : tile.sums_right;
    tile.stream = is_direct && c.stream;
    std::int64_t k = 0;
    do {  // once without terms, too
      tile.terms = block.termsFrom(k);
      left.pack(tile.terms, cells, packed_left);
      right.pack(tile.terms, cells, packed_right);
      tile.goes_on = k > 0;
      k += tile.terms;
      tile.is_last = k == block.terms;
      for (int v = 0; v * in_vector < cells; ++v) {
        tile.left = packed_left + v * c.lefts * tile.terms * S::vector_reals;
        tile.right = packed_right + v * c.rights * tile.terms * S::vector_reals;
        tile.sums = rows.first + v * S::vector_reals;
        tile.out = is_direct ? c.out + (cell + v * in_vector) * S::reals : tile.sums;
        computeInterleavedTiles<S>(tile, left.panels(), right.panels());
      }
    } while (k < block.terms);
    if (!is_direct) {
      // What goes directly leaves nothing that waits.
      rows.write(c, cell, cells, is_aligned || cell == first, cell + at_once >= last);
    }
  }
}

template <class S>
KONTRACT_INLINE void storeInterleaved(typename S::Real* out, bool add, bool stream,
                                      typename S::Vec v) {
  if (add) v += load<S::width>(out);
  if (stream) {
    storeNonTemporal<S::width>(out, v);
  } else {
    store<S::width>(out, v);
  }
}

/// The same where one side has a single field: every element of the other is used once, so nothing
/// is packed, and some vectors of cells at a time read what is contiguous together.
template <class S, int vectors>
KONTRACT_INLINE void contractSingleField(const HostContraction<typename S::Real>& c,
                                         std::int64_t cell, bool stream) {
  using Vec = typename S::Vec;
  const std::int64_t at = cell * S::reals;
  for (std::int64_t l = 0; l < c.lefts; ++l) {
    for (std::int64_t r = 0; r < c.rights; ++r) {
      const typename S::Real* const left = c.left + at + l * c.left_field * S::reals;
      const typename S::Real* const right = c.right + at + r * c.right_field * S::reals;
      Vec sums[vectors][S::reals] = {};
      forEachTerm(c.sum, [&](std::int64_t left_at, std::int64_t right_at) KONTRACT_INLINE_LAMBDA {
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) {
          multiplyAddEach<S>(load<S::width>(left + left_at * S::reals + v * S::vector_reals),
                             load<S::width>(right + right_at * S::reals + v * S::vector_reals),
                             sums[v]);
        }
      });
      typename S::Real* const out = c.out + at + (l * c.out_left + r * c.out_right) * S::reals;
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) {
        storeInterleaved<S>(out + v * S::vector_reals, c.add, stream, finished<S>(sums[v]));
      }
    }
  }
}

template <class S>
__attribute__((noinline)) void contractSingleFields(const HostContraction<typename S::Real>& c,
                                                    std::int64_t first, std::int64_t last,
                                                    bool stream) {
  constexpr int vectors = S::is_complex ? 4 : 8;
  constexpr int cells = InterleavedLimits<S>::cells;
  std::int64_t cell = first;
  for (; cell + vectors * cells <= last; cell += vectors * cells) {
    contractSingleField<S, vectors>(c, cell, stream);
  }
  for (; cell < last; cell += cells) contractSingleField<S, 1>(c, cell, stream);
}

#endif
