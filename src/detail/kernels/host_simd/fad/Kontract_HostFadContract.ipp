// SPDX-License-Identifier: BSD-3-Clause
//
// Contractions of Fads whose components lie side by side: tiles of left fields, right fields and
// components.
#ifndef KONTRACT_HOSTFADCONTRACT_IPP
#define KONTRACT_HOSTFADCONTRACT_IPP

#include "Kontract_HostFadBlocks.ipp"
#include "Kontract_HostFadPanels.ipp"

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
      to[v] =
          loadComponents<S>(from + v * S::simd_width, v + 1 < vectors ? int(S::simd_width) : last);
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
  constexpr int most_rights = (most_fad_rights + 1) * vectors < registers ? most_fad_rights : 4;
  constexpr int most_lefts =
      factors == FadFactors::Left && vectors < most_fad_vectors ? most_fad_vectors / vectors : 1;
  const HostContraction<Real>& p = *all.problem;
  FadTile<Real> tile = all;
  const auto sumNext = [&](auto rows, auto columns, std::int64_t l,
                           std::int64_t r) KONTRACT_INLINE_LAMBDA {
    constexpr int lefts = decltype(rows)::value, rights = decltype(columns)::value;
    tile.left = all.left + l * p.left_field;
    tile.right = all.right + r * p.right_field;
    tile.out = all.out + l * p.out_left + r * p.out_right;
    sumFadTile<S, lefts, rights, vectors, factors>(tile);
  };
  // Tiles end at multiples of as many fields as threads have parts of (Register Blocking's
  // rows_of_tile), so that these have the same bits.
  constexpr std::int64_t fields_of_part = 12;
  const std::int64_t even_rights = p.rights / 2 * 2;
  const auto sumRow = [&](auto rows, std::int64_t l) KONTRACT_INLINE_LAMBDA {
    std::int64_t r = 0;
    if constexpr (most_rights > 4) {
      // Two tiles of 4 are faster than one of 6 and one of 2.
      const bool ends_in_8 = even_rights % fields_of_part == 8;
      const std::int64_t end = ends_in_8 ? even_rights - 8 : even_rights;
      for (; r + most_rights <= end; r += most_rights) {
        sumNext(rows, FadFields<most_rights>(), l, r);
      }
    }
    for (; r + 4 <= even_rights; r += 4) sumNext(rows, FadFields<4>(), l, r);
    if (r < even_rights) sumNext(rows, FadFields<2>(), l, r);
  };
  std::int64_t l = 0;
  if constexpr (most_lefts >= 4) {
    for (; l + 4 <= p.lefts; l += 4) sumRow(FadFields<4>(), l);
  }
  if constexpr (most_lefts >= 2) {
    for (; l + 2 <= p.lefts; l += 2) sumRow(FadFields<2>(), l);
  }
  for (; l < p.lefts; ++l) sumRow(FadFields<1>(), l);
  if (even_rights == p.rights) return;
  l = 0;
  if constexpr (factors == FadFactors::Left) {
    for (; l + 4 <= p.lefts; l += 4) sumNext(FadFields<4>(), FadFields<1>(), l, even_rights);
  }
  for (; l < p.lefts; ++l) sumNext(FadFields<1>(), FadFields<1>(), l, even_rights);
}

/// Components first to end - 1 of all outputs of a cell.
template <FadFactors factors, class Real>
void sumFadComponents(FadTile<Real> tile, std::int64_t begin, std::int64_t end) {
  constexpr int most_vectors = most_fad_vectors_of_a_field;
  forEachBlock<FadScheme<Real, vector_bytes>, most_vectors>(
      begin, end, [&](auto scheme, std::int64_t from, std::int64_t count) KONTRACT_INLINE_LAMBDA {
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

/// Left components times right values: one of the two sums that a contraction of Fads has. The
/// other one is the same with factors exchanged.
template <class Real>
struct FadSum {
  HostContraction<Real> p;     ///< from the first left component and the first right value on
  std::int64_t components;     ///< of each left field; none if there is no such sum
  std::int64_t unpacked;       ///< the first of them, which tiles have; panels have the others
  bool copies_values = false;  ///< so that they lie side by side
};

/// The sum of left components, by tiles alone.
template <class Real>
FadSum<Real> sumOfLeft(const HostContraction<Real>& p, const HostFads& fads) {
  const std::int64_t components = fads.left ? fads.derivatives + 1 : 0;
  FadSum<Real> sum = {p, components, components};
  if (fads.right) sum.p.right += fads.derivatives;
  return sum;
}
/// The sum of right components, by tiles alone. Where that of left ones is there it comes second,
/// and has no value, which that one has.
template <class Real>
FadSum<Real> sumOfRight(const HostContraction<Real>& p, const HostFads& fads) {
  const std::int64_t value = fads.left ? 0 : 1;
  const std::int64_t components = fads.right ? fads.derivatives + value : 0;
  FadSum<Real> sum = {withFactorsExchanged(p), components, components};
  if (!fads.left) return sum;
  sum.p.right += fads.derivatives;
  sum.p.add = true;
  return sum;
}

/// Whether it takes less time to copy values first than to read them for a few left fields at a
/// time, if each is in a cache line of its own.
template <class Real>
bool paysToCopyValues(const FadSum<Real>& sum) {
  constexpr std::int64_t few_times = 8, cached_bytes = 16 * 1024, line = 64;
  const HostContraction<Real>& p = sum.p;
  std::int64_t apart = p.rights > 1 && p.right_field > 0 ? p.right_field : line;
  for (const HostLevel& level : p.sum) {
    if (level.extent > 1 && level.right > 0 && level.right < apart) apart = level.right;
  }
  const std::int64_t vectors = (sum.unpacked + simd_width_of<Real> - 1) / simd_width_of<Real>;
  const std::int64_t each = apart * int(sizeof(Real));
  return apart > 1 && p.lefts * vectors >= few_times * most_fad_vectors &&
         p.rights * termsOf(p) * (each < line ? each : line) > cached_bytes;
}

/// Packs components and copies values where that pays.
template <class Real>
void plan(FadSum<Real>& sum) {
  constexpr std::int64_t few_products = 1000;  // take less time than the question
  const HostContraction<Real>& p = sum.p;
  if (p.lefts * p.rights * termsOf(p) < few_products) return;
  const std::int64_t some = sum.components % simd_width_of<Real>;
  if (paysToPack(p, some, sum.components)) sum.unpacked -= some;
  sum.copies_values = sum.unpacked > 0 && paysToCopyValues(sum);
}

/// Reals of copied values, whole cache lines.
template <class Real>
std::int64_t copiedValues(const FadSum<Real>& sum) {
  return sum.copies_values ? roundUp(sum.p.rights * termsOf(sum.p), 64 / int(sizeof(Real))) : 0;
}
template <class Real>
std::int64_t workspaceOf(FadSum<Real> sum) {
  plan(sum);
  const bool packs = sum.unpacked < sum.components;
  return copiedValues(sum) * int(sizeof(Real)) + (packs ? FadPanelMemory<Real>::bytes(sum.p) : 0);
}

/// Whether a single field of Fads meets Fads, which is one sum.
template <class Real>
bool hasSingleFad(const HostContraction<Real>& p, const HostFads& fads) {
  return fads.left && fads.right && (p.lefts == 1 || p.rights == 1);
}

template <class Real>
std::int64_t contractFadsWorkspace(const HostContraction<Real>& p, const HostFads& fads) {
  if (hasSingleFad(p, fads)) return 0;
  const std::int64_t of_left = workspaceOf(sumOfLeft(p, fads));
  const std::int64_t of_right = workspaceOf(sumOfRight(p, fads));
  return of_left > of_right ? of_left : of_right;
}

/// Components begin to end - 1 of a cell's outputs by tiles.
/// \param value  which component the value is, where factors are both
template <FadFactors factors, class Real>
void sumByTiles(const HostContraction<Real>& p, std::int64_t cell, std::int64_t begin,
                std::int64_t end, std::int64_t value = 0) {
  FadTile<Real> all;
  all.problem = &p;
  all.out = p.out + cell * p.out_cell;
  all.left = p.left + cell * p.left_cell;
  all.right = p.right + cell * p.right_cell;
  all.value = value;
  sumFadComponents<factors>(all, begin, end);
}

/// Copies the right values of a cell.
/// \return the contraction with these for all cells
template <class Real>
HostContraction<Real> withCopiedValues(HostContraction<Real> p, std::int64_t cell, Real* to) {
  const Real* const from = p.right + cell * p.right_cell;
  p.right = to;
  for (std::int64_t r = 0; r < p.rights; ++r) {
    forEachTerm(p.sum, [&](std::int64_t, std::int64_t at)
                       KONTRACT_INLINE_LAMBDA { *to++ = from[r * p.right_field + at]; });
  }
  p.right_cell = 0;
  p.right_field = termsOf(p);
  std::int64_t step = 1;
  for (int i = 2; i >= 0; --i) {
    p.sum[i].right = step;
    step *= p.sum[i].extent;
  }
  return p;
}

/// Computes a sum for a cell.
template <class Real>
void sumFadsOfCell(const FadSum<Real>& sum, std::int64_t cell, Real* workspace) {
  if (sum.components == 0) return;
  if (sum.copies_values) {
    FadSum<Real> copied = sum;
    copied.p = withCopiedValues(sum.p, cell, workspace);
    copied.copies_values = false;
    return sumFadsOfCell(copied, cell, workspace + copiedValues(sum));
  }
  sumByTiles<FadFactors::Left>(sum.p, cell, 0, sum.unpacked);
  if (sum.unpacked == sum.components) return;
  HostContraction<Real> rest = sum.p;
  rest.left += sum.unpacked;
  rest.out += sum.unpacked;
  contractFadPanels(rest, cell, sum.components - sum.unpacked, workspace);
}

/// The products of a single left field of Fads with Fads: both sums in one, which reads the right
/// ones once.
template <class Real>
void contractSingleFad(const HostContraction<Real>& given, const HostPart& part,
                       const HostFads& fads) {
  const std::int64_t n = fads.derivatives;
  const HostContraction<Real> p = sumOfLeft(given, fads).p;
  for (std::int64_t cell = part.first_cell; cell < part.last_cell; ++cell) {
    sumByTiles<FadFactors::Both>(p, cell, 0, n, n);
    sumByTiles<FadFactors::Left>(p, cell, n, n + 1);
  }
}

/// Contractions of Fads.
/// \param workspace  of contractFadsWorkspace() bytes; null takes longer for many fields
template <class Real>
void contractFads(const HostContraction<Real>& whole, const HostFads& fads, const HostPart& part,
                  void* workspace) {
  HostContraction<Real> p = whole;
  p.left += part.first_left * p.left_field;
  p.out += part.first_left * p.out_left;
  p.lefts = part.last_left - part.first_left;
  // What is done is up to all fields, so that parts which begin at multiples of 12 of them have the
  // same bits.
  if (hasSingleFad(whole, fads)) {
    return contractSingleFad(whole.lefts == 1 ? p : withFactorsExchanged(p), part, fads);
  }
  FadSum<Real> of_left = sumOfLeft(p, fads), of_right = sumOfRight(p, fads);
  if (workspace != nullptr) {
    const auto planAs = [](FadSum<Real>& sum, FadSum<Real> of_all) {
      plan(of_all);
      sum.unpacked = of_all.unpacked;
      sum.copies_values = of_all.copies_values;
    };
    planAs(of_left, sumOfLeft(whole, fads));
    planAs(of_right, sumOfRight(whole, fads));
  }
  for (std::int64_t cell = part.first_cell; cell < part.last_cell; ++cell) {
    sumFadsOfCell(of_left, cell, static_cast<Real*>(workspace));
    sumFadsOfCell(of_right, cell, static_cast<Real*>(workspace));
  }
}

#endif
