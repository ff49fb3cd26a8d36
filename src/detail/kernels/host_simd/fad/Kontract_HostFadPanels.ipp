// SPDX-License-Identifier: BSD-3-Clause
//
// Contractions of Fads as products of matrices: components of left fields, packed side by side
// whatever their number, times right values.
#ifndef KONTRACT_HOSTFADPANELS_IPP
#define KONTRACT_HOSTFADPANELS_IPP

#include "Kontract_HostFadBlocks.ipp"
#include "detail/kernels/host_simd/contraction/Kontract_HostRowWalk.ipp"

/// Components that a panel has side by side.
template <class Real>
constexpr std::int64_t panel_lanes = most_fad_vectors * simd_width_of<Real>;
/// From one row of a panel to the next: a vector that begins at any lane is within a row.
template <class Real>
constexpr std::int64_t panel_step = panel_lanes<Real> + simd_width_of<Real>;

template <class Real>
std::int64_t termsOf(const HostContraction<Real>& p) {
  return p.sum[0].extent * p.sum[1].extent * p.sum[2].extent;
}

/// Vectors that so many reals, less than a vector, take in memory: one, where masks leave out what
/// it holds beside them; else narrower ones.
inline int vectorsOfSome(std::int64_t reals) {
  if (stores_some_of_a_vector) return 1;
  int vectors = 0;
  for (; reals > 0; reals /= 2) vectors += int(reals % 2);
  return vectors;
}

/// Whether so many components of each left field, which fill no vector, take less time packed side
/// by side than in vectors of their own.
/// \param components  of each left field, those and others that fill vectors
template <class Real>
bool paysToPack(const HostContraction<Real>& p, std::int64_t some, std::int64_t components) {
  if (some == 0) return false;
  const double terms = double(termsOf(p)), lefts = double(p.lefts), rights = double(p.rights);
  // Clocks of a core with AVX-512 (Sapphire Rapids, double): two multiply-adds in each; what is
  // packed, values, and sums.
  const double of_a_vector = lefts * rights * terms / 2;
  const double saved = of_a_vector * (vectorsOfSome(some) - double(some) / simd_width_of<Real>);
  const double packing = 2 * lefts * terms + 1.9 * rights * terms + 1.5 * lefts * rights + 300;
  // Where tiles have other components they read the same lines, in tiles of fewer vectors.
  constexpr double if_all_are_packed = 0.8, beside_tiles = 2;  // of 240 contractions by chance
  return saved > (some < components ? beside_tiles : if_all_are_packed) * packing;
}

/// What panels take of memory: a panel, which has a row for each term, the values of right fields,
/// and sums, which have a row for each right field.
template <class Real>
struct FadPanelMemory {
  Real* panel;
  Real* sums;
  Real* values;

  static std::int64_t bytes(const HostContraction<Real>& p) {
    return ((termsOf(p) + p.rights) * panel_step<Real> + termsOf(p) * p.rights) * int(sizeof(Real));
  }
  FadPanelMemory(const HostContraction<Real>& p, Real* memory)
      : panel(memory),
        sums(panel + termsOf(p) * panel_step<Real>),
        values(sums + p.rights * panel_step<Real>) {}
};

/// Calls f(left field, its first component there, how many, the first one's lane) for the fields
/// that a panel has components of.
/// \param first  the panel's first component, of those of all fields
template <class F>
KONTRACT_INLINE void forEachPiece(std::int64_t first, std::int64_t lanes, std::int64_t components,
                                  const F& f) {
  std::int64_t l = first / components, k = first % components;
  for (std::int64_t lane = 0; lane < lanes; ++l, k = 0) {
    const std::int64_t open = components - k, room = lanes - lane;
    const std::int64_t count = open < room ? open : room;
    f(l, k, count, lane);
    lane += count;
  }
}

/// Packs some components of a field by vectors of so many bytes, or one by one if these are 0.
template <int bytes, class Real>
__attribute__((noinline)) void packFadPiece(const HostContraction<Real>& p, const Real* from,
                                            std::int64_t count, Real* to) {
  forEachTerm(p.sum, [&](std::int64_t at, std::int64_t) KONTRACT_INLINE_LAMBDA {
    if constexpr (bytes == 0) {
      *to = from[at];
    } else {
      store<bytes>(to, loadSomeOf<bytes>(from + at, int(count)));
    }
    to += panel_step<Real>;
  });
}
/// The same by vectors that hold them, and are not wider than that takes.
template <int bytes, class Real>
KONTRACT_INLINE void packFadPieceWithin(const HostContraction<Real>& p, const Real* from,
                                        std::int64_t count, Real* to) {
  if constexpr (bytes > unit_bytes) {
    if (count * int(sizeof(Real)) * 2 <= bytes) {
      return packFadPieceWithin<bytes / 2>(p, from, count, to);
    }
  }
  if (count == 1) return packFadPiece<0>(p, from, count, to);
  packFadPiece<bytes>(p, from, count, to);
}

/// Packs a panel, in the order of lanes: behind a piece its vector stores zeros, or what others
/// replace.
/// \param first  its first component, of those of all left fields
template <class Real>
void packFadPanel(const HostContraction<Real>& p, const Real* left, std::int64_t components,
                  std::int64_t first, std::int64_t lanes, Real* panel) {
  forEachPiece(first, lanes, components,
               [&](std::int64_t l, std::int64_t k, std::int64_t count, std::int64_t lane) {
                 packFadPieceWithin<vector_bytes>(p, left + l * p.left_field + k, count,
                                                  panel + lane);
               });
  // Lanes that the last vector has beside these are multiplied too.
  if (lanes == panel_lanes<Real>) return;
  for (std::int64_t k = 0; k < termsOf(p); ++k) {
    store<vector_bytes>(panel + k * panel_step<Real> + lanes, Vector<Real, vector_bytes>{});
  }
}

/// Packs the values of some right fields: those of a term lie side by side.
template <class Real>
__attribute__((noinline)) void packFadValues(const HostContraction<Real>& p, const Real* right,
                                             std::int64_t rights, Real* values) {
  for (std::int64_t r = 0; r < rights; ++r) {
    Real* to = values + r;
    const Real* const from = right + r * p.right_field;
    forEachTerm(p.sum, [&](std::int64_t, std::int64_t at) KONTRACT_INLINE_LAMBDA {
      *to = from[at];
      to += rights;
    });
  }
}

/// Some vectors of a panel times the values of some right fields.
template <class Real, int rights, int vectors>
void multiplyFadPanel(const Real* panel, const Real* values, std::int64_t terms, Real* sums) {
  constexpr int simd_width = simd_width_of<Real>;
  Vector<Real, vector_bytes> sum[rights][vectors] = {};
  for (std::int64_t k = 0; k < terms; ++k) {
    Vector<Real, vector_bytes> row[vectors];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) row[v] = load<vector_bytes>(panel + v * simd_width);
#pragma GCC unroll 6
    for (int r = 0; r < rights; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) sum[r][v] += row[v] * values[r];
    }
    panel += panel_step<Real>;
    values += rights;
  }
#pragma GCC unroll 6
  for (int r = 0; r < rights; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      store<vector_bytes>(sums + r * panel_step<Real> + v * simd_width, sum[r][v]);
    }
  }
}

/// The products of panels that are compiled, by right fields and vectors.
template <class Real>
struct FadPanelTable {
  using Kernel = void (*)(const Real*, const Real*, std::int64_t, Real*);
  Kernel kernels[most_fad_rights][most_fad_vectors] = {};

  template <int rights, int vectors>
  constexpr void add() {
    kernels[rights - 1][vectors - 1] = &multiplyFadPanel<Real, rights, vectors>;
    if constexpr (vectors > 1) {
      add<rights, vectors - 1>();
    } else if constexpr (rights > 1) {
      add<rights - 1, most_fad_vectors>();
    }
  }
  constexpr FadPanelTable() { add<most_fad_rights, most_fad_vectors>(); }
};
template <class Real>
constexpr FadPanelTable<Real> fad_panel_table;

/// Calls f(first, how many) for parts of a number, of which none has more than so many, and all as
/// many or one less.
template <class F>
KONTRACT_INLINE void forEachEvenPart(std::int64_t n, std::int64_t most, const F& f) {
  const std::int64_t parts = (n + most - 1) / most;
  for (std::int64_t i = 0; i < parts; ++i) f(i * n / parts, (i + 1) * n / parts - i * n / parts);
}

/// Stores components of outputs, or adds them to what is there.
template <bool add, class Real>
__attribute__((noinline)) void storeFadSums(const Real* from, std::int64_t count,
                                            std::int64_t rights, Real* to, std::int64_t out_right) {
  forEachBlock<FadScheme<Real, vector_bytes>, 1>(
      0, count, [&](auto scheme, std::int64_t first, std::int64_t n) KONTRACT_INLINE_LAMBDA {
        using S = decltype(scheme);
        for (std::int64_t i = first; i < first + n; i += S::simd_width) {
          const int some = int(first + n - i < S::simd_width ? first + n - i : S::simd_width);
          for (std::int64_t r = 0; r < rights; ++r) {
            typename S::Vec v = loadComponents<S>(from + r * panel_step<Real> + i, some);
            Real* const out = to + r * out_right + i;
            if constexpr (add) v += loadComponents<S>(out, some);
            storeComponents<S>(out, some, v);
          }
        }
      });
}

/// The first components of all outputs of a cell, fewer than a vector has: left components times
/// right values.
template <class Real>
void contractFadPanels(const HostContraction<Real>& p, std::int64_t cell, std::int64_t components,
                       Real* workspace) {
  const FadPanelMemory<Real> memory(p, workspace);
  const std::int64_t terms = termsOf(p), all = p.lefts * components;
  const Real* const left = p.left + cell * p.left_cell;
  const Real* const right = p.right + cell * p.right_cell;
  Real* const out = p.out + cell * p.out_cell;
  forEachEvenPart(p.rights, most_fad_rights, [&](std::int64_t first, std::int64_t rights) {
    packFadValues(p, right + first * p.right_field, rights, memory.values + first * terms);
  });
  for (std::int64_t first = 0; first < all; first += panel_lanes<Real>) {
    const std::int64_t lanes = all - first < panel_lanes<Real> ? all - first : panel_lanes<Real>;
    const std::int64_t vectors = (lanes + simd_width_of<Real> - 1) / simd_width_of<Real>;
    packFadPanel(p, left, components, first, lanes, memory.panel);
    forEachEvenPart(p.rights, most_fad_rights, [&](std::int64_t begin, std::int64_t rights) {
      fad_panel_table<Real>.kernels[rights - 1][vectors - 1](
          memory.panel, memory.values + begin * terms, terms,
          memory.sums + begin * panel_step<Real>);
    });
    forEachPiece(first, lanes, components,
                 [&](std::int64_t l, std::int64_t k, std::int64_t count, std::int64_t lane) {
                   Real* const to = out + l * p.out_left + k;
                   if (p.add) {
                     storeFadSums<true>(memory.sums + lane, count, p.rights, to, p.out_right);
                   } else {
                     storeFadSums<false>(memory.sums + lane, count, p.rights, to, p.out_right);
                   }
                 });
  }
}

#endif
