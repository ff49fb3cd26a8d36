// SPDX-License-Identifier: BSD-3-Clause
//
// Sums of a mirrored table (Kontract_HostDirectionTable.ipp) in registers.
#ifndef KONTRACT_HOSTMIRROREDSUMS_IPP
#define KONTRACT_HOSTMIRROREDSUMS_IPP

#include "detail/kernels/host_simd/common/Kontract_HostSimd.ipp"

/// Some rows and then those that mirror them, in their order; the middle row has none.
template <class Real, int evens, int odds>
struct MirroredRows {
  using Vec = Vector<Real, vector_bytes>;
  Vec all[evens + odds];

  KONTRACT_INLINE auto& front() const { return reinterpret_cast<const Vec(&)[evens]>(all); }
  KONTRACT_INLINE auto& back() const {
    return reinterpret_cast<const Vec(&)[odds > 0 ? odds : 1]>(all[evens]);
  }
};

/// Even and odd halves of some rows and those that mirror them, for some columns.
template <class Real, int evens, int odds, int vectors>
struct MirroredSums {
  using Vec = Vector<Real, vector_bytes>;
  Vec even[evens][vectors] = {}, odd[odds > 0 ? odds : 1][vectors] = {};

  /// Adds the sum over a part's terms, of which the first one begins with `front`.
  /// \param left  where the part's halves of this tile begin
  /// \return where the next part's do
  template <int sign>
  KONTRACT_INLINE const Real* add(const Real* left, const Real* front, std::int64_t terms,
                                  std::int64_t from_term, std::int64_t step) {
    const Real* back = front + (terms - 1) * from_term;
    for (std::int64_t k = 0; k < terms / 2; ++k, left += evens + odds) {
      Vec x[vectors], y[vectors];
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) {
        const Vec a = load<vector_bytes>(front + v * step), b = load<vector_bytes>(back + v * step);
        x[v] = sign > 0 ? a + b : a - b;
        y[v] = sign > 0 ? a - b : a + b;
      }
      addTo(even, left, x);
      if constexpr (odds > 0) addTo(odd, left + evens, y);
      front += from_term;
      back -= from_term;
    }
    if (terms % 2 == 0) return left;
    Vec middle[vectors];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) middle[v] = load<vector_bytes>(front + v * step);
    if constexpr (sign > 0) {
      addTo(even, left, middle);
    } else if constexpr (odds > 0) {
      addTo(odd, left, middle);
    }
    return left + (sign > 0 ? evens : odds);
  }

  /// The rows of a vector of columns.
  KONTRACT_INLINE MirroredRows<Real, evens, odds> ofVector(int v) const {
    MirroredRows<Real, evens, odds> rows;
#pragma GCC unroll 8
    for (int i = 0; i < odds; ++i) {
      rows.all[i] = even[i][v] + odd[i][v];
      rows.all[evens + odds - 1 - i] = even[i][v] - odd[i][v];
    }
    if constexpr (evens > odds) rows.all[odds] = even[odds][v];
    return rows;
  }

 private:
  template <int n>
  static KONTRACT_INLINE void addTo(Vec (&sum)[n][vectors], const Real* left,
                                    const Vec (&right)[vectors]) {
#pragma GCC unroll 8
    for (int i = 0; i < n; ++i) {
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) sum[i][v] += left[i] * right[v];
    }
  }
};

#endif
