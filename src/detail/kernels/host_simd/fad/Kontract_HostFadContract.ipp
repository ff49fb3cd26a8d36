// SPDX-License-Identifier: BSD-3-Clause
//
// Contractions of Fads whose components lie side by side: tiles of left fields, right fields and
// components.
#ifndef KONTRACT_HOSTFADCONTRACT_IPP
#define KONTRACT_HOSTFADCONTRACT_IPP

#include "Kontract_HostFadBlocks.ipp"

/// Some components of some outputs of a cell.
template <class Real>
struct FadTile {
  const HostContraction<Real>* problem;
  Real* out;  ///< the first derivative of the first one
  const Real* left;
  const Real* right;
  std::int64_t first, count;  ///< components
  std::int64_t value;         ///< which component the value is
};

/// Whose components make those of a sum of products: the left factors', which the right ones'
/// values multiply, or also those of the right ones.
enum class FadFactors { Left, Both };

/// Sums in registers: lefts x rights outputs, of each so many vectors of components.
template <class S, int lefts, int rights, int vectors, FadFactors factors>
struct FadTileSums {
  using Real = typename S::Real;
  typename S::Vec sum[lefts][rights][vectors];

  KONTRACT_INLINE void clear() {
#pragma GCC unroll 4
    for (int l = 0; l < lefts; ++l) {
#pragma GCC unroll 6
      for (int r = 0; r < rights; ++r) {
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) sum[l][r][v] = typename S::Vec{};
      }
    }
  }
  KONTRACT_INLINE void add(const FadTileSums& other) {
#pragma GCC unroll 4
    for (int l = 0; l < lefts; ++l) {
#pragma GCC unroll 6
      for (int r = 0; r < rights; ++r) {
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) sum[l][r][v] += other.sum[l][r][v];
      }
    }
  }
  /// Adds one term to each sum.
  /// \param last  components in the last vector
  KONTRACT_INLINE void addTerm(const FadTile<Real>& tile, const Real* left, const Real* right,
                               int last) {
    const std::int64_t left_field = tile.problem->left_field;
    const std::int64_t right_field = tile.problem->right_field;
    typename S::Vec of_left[lefts][vectors];
#pragma GCC unroll 4
    for (int l = 0; l < lefts; ++l) load(of_left[l], left + l * left_field + tile.first, last);
#pragma GCC unroll 6
    for (int r = 0; r < rights; ++r) {
      const Real* const its = right + r * right_field;
      const Real right_value = *its;
#pragma GCC unroll 4
      for (int l = 0; l < lefts; ++l) {
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) sum[l][r][v] += of_left[l][v] * right_value;
      }
      if constexpr (factors == FadFactors::Both) {
        static_assert(lefts == 1, "of several left fields two sums are faster");
        typename S::Vec of_right[vectors];
        load(of_right, its - tile.value + tile.first, last);
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) sum[0][r][v] += of_right[v] * left[tile.value];
      }
    }
  }
  template <bool add>
  KONTRACT_INLINE void store(const FadTile<Real>& tile, int last) const {
    const HostContraction<Real>& p = *tile.problem;
#pragma GCC unroll 4
    for (int l = 0; l < lefts; ++l) {
#pragma GCC unroll 6
      for (int r = 0; r < rights; ++r) {
        Real* const out = tile.out + l * p.out_left + r * p.out_right + tile.first;
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) {
          const int n = v + 1 < vectors ? S::simd_width : last;
          Real* const to = out + v * S::simd_width;
          typename S::Vec result = sum[l][r][v];
          if constexpr (add) result += loadComponents<S>(to, n);
          storeComponents<S>(to, n, result);
        }
      }
    }
  }

 private:
  static KONTRACT_INLINE void load(typename S::Vec (&to)[vectors], const Real* from, int last) {
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      to[v] = loadComponents<S>(from + v * S::simd_width,
                                v + 1 < vectors ? int(S::simd_width) : last);
    }
  }
};

/// Computes and stores a tile.
template <class S, int lefts, int rights, int vectors, FadFactors factors>
void sumFadTile(const FadTile<typename S::Real>& tile) {
  using Real = typename S::Real;
  // As many independent sums as multiply-adds are under way.
  constexpr int sums = lefts * rights * vectors, partials = sums >= 8 ? 1 : sums >= 4 ? 2 : 4;
  const int last = int(tile.count - (vectors - 1) * S::simd_width);
  FadTileSums<S, lefts, rights, vectors, factors> partial[partials];
#pragma GCC unroll 4
  for (int i = 0; i < partials; ++i) partial[i].clear();
  const HostLevel(&sum)[3] = tile.problem->sum;
  const HostLevel inner = sum[2];
  for (std::int64_t i = 0; i < sum[0].extent; ++i) {
    for (std::int64_t j = 0; j < sum[1].extent; ++j) {
      const Real* left = tile.left + i * sum[0].left + j * sum[1].left;
      const Real* right = tile.right + i * sum[0].right + j * sum[1].right;
      std::int64_t k = 0;
      for (; k + partials <= inner.extent; k += partials) {
#pragma GCC unroll 4
        for (int n = 0; n < partials; ++n) {
          partial[n].addTerm(tile, left, right, last);
          left += inner.left;
          right += inner.right;
        }
      }
      if constexpr (partials > 1) {
        for (; k < inner.extent; ++k) {
          partial[0].addTerm(tile, left, right, last);
          left += inner.left;
          right += inner.right;
        }
      }
    }
  }
#pragma GCC unroll 4
  for (int n = 1; n < partials; ++n) partial[0].add(partial[n]);
  if (tile.problem->add) {
    partial[0].template store<true>(tile, last);
  } else {
    partial[0].template store<false>(tile, last);
  }
}

/// Cuts some components of a cell's outputs into tiles.
template <class S, int vectors, FadFactors factors>
void sumFadTiles(const FadTile<typename S::Real>& all) {
  using Real = typename S::Real;
  // Registers hold the sums, the left components and a constant.
  constexpr bool has_pairs = factors == FadFactors::Left && vectors * 8 * 2 <= registers;
  constexpr int most_rights = !has_pairs && (6 + 1) * vectors < registers ? 6 : 4;
  const HostContraction<Real>& p = *all.problem;
  FadTile<Real> tile = all;
  const auto sumColumn = [&](std::int64_t l) KONTRACT_INLINE_LAMBDA {
    tile.left = all.left + l * p.left_field;
    tile.out = all.out + l * p.out_left;
    sumFadTile<S, 4, 1, vectors, FadFactors::Left>(tile);
  };
  const auto sumRow = [&](auto rows, std::int64_t l) KONTRACT_INLINE_LAMBDA {
    constexpr int lefts = decltype(rows)::value;
    std::int64_t r = 0;
    const auto sumNext = [&](auto columns) KONTRACT_INLINE_LAMBDA {
      constexpr int rights = decltype(columns)::value;
      tile.left = all.left + l * p.left_field;
      tile.right = all.right + r * p.right_field;
      tile.out = all.out + l * p.out_left + r * p.out_right;
      sumFadTile<S, lefts, rights, vectors, factors>(tile);
      r += rights;
    };
    while (r + most_rights <= p.rights) sumNext(FadFields<most_rights>());
    if (most_rights > 4 && r + 4 <= p.rights) sumNext(FadFields<4>());
    if (r + 2 <= p.rights) sumNext(FadFields<2>());
    if (r < p.rights) sumNext(FadFields<1>());
  };
  std::int64_t l = 0;
  if (factors == FadFactors::Left && p.rights == 1) {
    for (; l + 4 <= p.lefts; l += 4) sumColumn(l);
  }
  if constexpr (has_pairs) {
    for (; l + 2 <= p.lefts; l += 2) sumRow(FadFields<2>(), l);
  }
  for (; l < p.lefts; ++l) sumRow(FadFields<1>(), l);
}

/// Components first to end - 1 of all outputs of a cell.
template <FadFactors factors, class Real>
void sumFadComponents(FadTile<Real> tile, std::int64_t begin, std::int64_t end) {
  constexpr int most_vectors = registers >= 32 ? 4 : 3;
  forEachBlock<FadScheme<Real, vector_bytes>, most_vectors>(
      begin, end,
      [&](auto scheme, std::int64_t from, std::int64_t count) KONTRACT_INLINE_LAMBDA {
        using S = decltype(scheme);
        tile.first = from;
        tile.count = count;
        const std::int64_t vectors = (count + S::simd_width - 1) / S::simd_width;
        if (vectors == 1) return sumFadTiles<S, 1, factors>(tile);
        if (vectors == 2) return sumFadTiles<S, 2, factors>(tile);
        if (vectors == 3) return sumFadTiles<S, 3, factors>(tile);
        if constexpr (most_vectors == 4) sumFadTiles<S, 4, factors>(tile);
      });
}

/// Exchanges the factors of a contraction.
template <class Real>
HostContraction<Real> withFactorsExchanged(const HostContraction<Real>& given) {
  HostContraction<Real> p = given;
  p.left = given.right;
  p.right = given.left;
  p.lefts = given.rights;
  p.rights = given.lefts;
  p.out_left = given.out_right;
  p.out_right = given.out_left;
  p.left_cell = given.right_cell;
  p.right_cell = given.left_cell;
  p.left_field = given.right_field;
  p.right_field = given.left_field;
  for (int i = 0; i < 3; ++i) {
    p.sum[i] = {given.sum[i].extent, given.sum[i].right, given.sum[i].left};
  }
  return p;
}

/// The components of all outputs of a cell. A sum of products of Fads has two parts: left
/// components with right values, and left values with right derivatives, in which factors change
/// places. A single left field has them in one, which reads the right ones once.
/// \param p  with right values
/// \param of_right  the same with factors exchanged, and left values
template <class Real>
void contractFadCell(const HostContraction<Real>& p, const HostContraction<Real>& of_right,
                     const HostFads& fads, std::int64_t cell) {
  const std::int64_t n = fads.derivatives;
  const auto tileOf = [cell, n](const HostContraction<Real>& of) KONTRACT_INLINE_LAMBDA {
    return FadTile<Real>{&of, of.out + cell * of.out_cell, of.left + cell * of.left_cell,
                         of.right + cell * of.right_cell, 0, 0, n};
  };
  if (fads.left && fads.right && p.lefts == 1) {
    sumFadComponents<FadFactors::Both>(tileOf(p), 0, n);
    sumFadComponents<FadFactors::Left>(tileOf(p), n, n + 1);
    return;
  }
  if (fads.left) sumFadComponents<FadFactors::Left>(tileOf(p), 0, n + 1);
  if (fads.right) sumFadComponents<FadFactors::Left>(tileOf(of_right), 0, fads.left ? n : n + 1);
}

template <class Real>
void contractFads(const HostContraction<Real>& given, const HostFads& fads,
                  const HostPart& part) {
  HostContraction<Real> p = given;
  p.left += part.first_left * p.left_field;
  p.out += part.first_left * p.out_left;
  p.lefts = part.last_left - part.first_left;
  if (fads.left && fads.right && p.rights == 1) p = withFactorsExchanged(p);
  const std::int64_t n = fads.derivatives;
  HostContraction<Real> of_right = withFactorsExchanged(p);
  if (fads.left) {
    if (fads.right) p.right += n;
    of_right.right += n;
    of_right.add = true;
  }
  for (std::int64_t cell = part.first_cell; cell < part.last_cell; ++cell) {
    contractFadCell(p, of_right, fads, cell);
  }
}

#endif
