// SPDX-License-Identifier: BSD-3-Clause
//
// Contractions of interleaved cells: in LayoutLeft neighbours in memory are neighbouring cells, so
// that a vector holds one scalar of each of simd_width cells, and no term needs to move.
#ifndef KONTRACT_HOSTINTERLEAVEDCONTRACTION_IPP
#define KONTRACT_HOSTINTERLEAVEDCONTRACTION_IPP

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

/// A tile of outputs of a vector of cells, from panels of fields: all of a term, then of the next.
template <class S>
struct InterleavedTile {
  using Real = typename S::Real;
  const Real* left;
  const Real* right;
  std::int64_t terms;
  Real* out;
  std::int64_t out_left, out_right;
  bool add, stream;
};

template <class S, int lefts, int rights>
void computeInterleavedTile(const InterleavedTile<S>& tile) {
  using Vec = typename S::Vec;
  Vec sums[lefts][rights][S::reals] = {};
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
#pragma GCC unroll 4
  for (int i = 0; i < lefts; ++i) {
#pragma GCC unroll 6
    for (int j = 0; j < rights; ++j) {
      storeInterleaved<S>(tile.out + i * tile.out_left + j * tile.out_right, tile.add, tile.stream,
                          finished<S>(sums[i][j]));
    }
  }
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

/// Calls f(left, right) with the offsets of terms from first to last, in order.
template <class F>
KONTRACT_INLINE void forEachTerm(const HostLevel (&sum)[3], std::int64_t first, std::int64_t last,
                                 const F& f) {
  if (first >= last) return;
  const std::int64_t inner = sum[2].extent, middle = sum[1].extent;
  std::int64_t k = first % inner, j = first / inner % middle, i = first / inner / middle;
  while (first < last) {
    const std::int64_t here = last - first < inner - k ? last - first : inner - k;
    std::int64_t left = i * sum[0].left + j * sum[1].left + k * sum[2].left;
    std::int64_t right = i * sum[0].right + j * sum[1].right + k * sum[2].right;
    for (std::int64_t n = 0; n < here; ++n) {
      f(left, right);
      left += sum[2].left;
      right += sum[2].right;
    }
    first += here;
    k = 0;
    if (++j == middle) {
      j = 0;
      ++i;
    }
  }
}
template <class F>
KONTRACT_INLINE void forEachTerm(const HostLevel (&sum)[3], const F& f) {
  forEachTerm(sum, 0, sum[0].extent * sum[1].extent * sum[2].extent, f);
}

/// Of the packed fields that are in use.
constexpr std::int64_t interleaved_cache_bytes = 512 * 1024;

/// How many vectors of cells are packed at once: what is contiguous should be read together, but
/// the fields of all of them should stay in cache.
template <class S>
KONTRACT_INLINE int vectorsAtOnce(const HostContraction<typename S::Real>& c) {
  const std::int64_t terms = c.sum[0].extent * c.sum[1].extent * c.sum[2].extent;
  const std::int64_t bytes = (c.lefts + c.rights) * terms * S::width;
  return bytes > interleaved_cache_bytes / 2 ? 1 : bytes > interleaved_cache_bytes / 4 ? 2 : 4;
}

template <class S>
KONTRACT_INLINE std::int64_t interleavedPanelBytes(const HostContraction<typename S::Real>& c) {
  const std::int64_t terms = c.sum[0].extent * c.sum[1].extent * c.sum[2].extent;
  return vectorsAtOnce<S>(c) * (c.lefts + c.rights) * terms * S::width;
}

/// Copies the fields of some vectors of cells into panels:
/// [vector][panel][term][field of panel].
template <class S, bool of_left>
KONTRACT_INLINE void packInterleaved(const HostContraction<typename S::Real>& c,
                                     const typename S::Real* from, const PanelSplit& cut,
                                     int vectors, std::int64_t terms, typename S::Real* to) {
  const std::int64_t field = (of_left ? c.left_field : c.right_field) * S::reals;
  const std::int64_t all = cut.fields * terms * S::vector_reals;
  for (std::int64_t panel = 0; panel < cut.panels; ++panel) {
    const int height = cut.height(panel);
    for (int i = 0; i < height; ++i) {
      const typename S::Real* const row = from + (cut.first(panel) + i) * field;
      typename S::Real* out = to + (cut.first(panel) * terms + i) * S::vector_reals;
      forEachTerm(c.sum, [&](std::int64_t left, std::int64_t right) KONTRACT_INLINE_LAMBDA {
        const typename S::Real* const at = row + (of_left ? left : right) * S::reals;
        for (int v = 0; v < vectors; ++v) {
          store<S::width>(out + v * all, load<S::width>(at + v * S::vector_reals));
        }
        out += height * S::vector_reals;
      });
    }
  }
}

/// Whole vectors of cells from first to last.
template <class S>
__attribute__((noinline)) void contractInterleaved(const HostContraction<typename S::Real>& c,
                                                   std::int64_t first, std::int64_t last,
                                                   bool stream, typename S::Real* workspace) {
  using Real = typename S::Real;
  using Limits = InterleavedLimits<S>;
  const std::int64_t terms = c.sum[0].extent * c.sum[1].extent * c.sum[2].extent;
  const PanelSplit lefts(c.lefts, Limits::most_lefts), rights(c.rights, Limits::most_rights);
  const std::int64_t left_reals = c.lefts * terms * S::vector_reals;
  const std::int64_t right_reals = c.rights * terms * S::vector_reals;
  const int most_vectors = vectorsAtOnce<S>(c);
  Real* const packed_left = workspace;
  Real* const packed_right = workspace + most_vectors * left_reals;
  // Panels of the left side that stay in cache while those of the right side pass by.
  const std::int64_t panel_bytes = Limits::most_lefts * terms * S::width;
  const std::int64_t group = 1 + interleaved_cache_bytes / (panel_bytes + 1);
  for (std::int64_t cell = first; cell < last;) {
    const std::int64_t left_over = (last - cell) / Limits::cells;
    const int vectors = left_over < most_vectors ? int(left_over) : most_vectors;
    packInterleaved<S, true>(c, c.left + cell * S::reals, lefts, vectors, terms, packed_left);
    packInterleaved<S, false>(c, c.right + cell * S::reals, rights, vectors, terms, packed_right);
    for (int v = 0; v < vectors; ++v, cell += Limits::cells) {
      InterleavedTile<S> tile;
      tile.terms = terms;
      tile.out_left = c.out_left * S::reals;
      tile.out_right = c.out_right * S::reals;
      tile.add = c.add;
      tile.stream = stream;
      for (std::int64_t l0 = 0; l0 < lefts.panels; l0 += group) {
        const std::int64_t l1 = l0 + group < lefts.panels ? l0 + group : lefts.panels;
        for (std::int64_t r = 0; r < rights.panels; ++r) {
          tile.right = packed_right + v * right_reals + rights.first(r) * terms * S::vector_reals;
          for (std::int64_t l = l0; l < l1; ++l) {
            tile.left = packed_left + v * left_reals + lefts.first(l) * terms * S::vector_reals;
            tile.out = c.out + cell * S::reals + lefts.first(l) * tile.out_left +
                       rights.first(r) * tile.out_right;
            interleaved_tiles<S>.tiles[lefts.height(l) - 1][rights.height(r) - 1](tile);
          }
        }
      }
    }
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
