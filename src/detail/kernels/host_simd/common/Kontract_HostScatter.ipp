// SPDX-License-Identifier: BSD-3-Clause
//
// From arrays that cells share to arrays of each cell, and back.
#ifndef KONTRACT_HOSTSCATTER_IPP
#define KONTRACT_HOSTSCATTER_IPP

#include "Kontract_HostSimd.ipp"

/// Reads what the fields of n cells from c on have in an array that cells share, its first
/// `components` in a row; zeros where a number stands for nothing.
template <class Real>
void gather(const PlainArray<Real>& from, const NumberTable& numbers, int components,
            std::int64_t c, std::int64_t n, Real* to) {
  const std::int32_t* number = numbers.data + c * numbers.fields;
  for (std::int64_t i = 0; i < n * numbers.fields; ++i, to += components) {
    const Real* const at = from.data + number[i] * from.field;
    for (int d = 0; d < components; ++d) to[d] = number[i] < 0 ? Real(0) : at[d * from.row];
  }
}

template <class Real>
struct BitsOf;
template <>
struct BitsOf<double> {
  typedef std::uint64_t __attribute__((may_alias)) type;
};
template <>
struct BitsOf<float> {
  typedef std::uint32_t __attribute__((may_alias)) type;
};

/// Adds to an element that other threads add to at the same time.
template <bool is_atomic, class Real>
KONTRACT_INLINE void addTo(Real& to, Real x) {
  if constexpr (is_atomic) {
    using Bits = typename BitsOf<Real>::type;
    Bits* const bits = reinterpret_cast<Bits*>(&to);
    Bits before = __atomic_load_n(bits, __ATOMIC_RELAXED);
    for (bool is_done = false; !is_done;) {
      Real sum;
      __builtin_memcpy(&sum, &before, sizeof sum);
      sum += x;
      Bits after;
      __builtin_memcpy(&after, &sum, sizeof sum);
      is_done = __atomic_compare_exchange_n(bits, &before, after, true, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED);
    }
  } else {
    to += x;
  }
}

template <bool is_atomic, class Real>
void addVectorsOf(const Scatter& to, Real* values, std::int64_t c, std::int64_t n,
                  std::int64_t rows, const Real* from) {
  const std::int32_t* const numbers = to.rows.data + c * rows;
  for (std::int64_t i = 0; i < n * rows; ++i) {
    if (numbers[i] >= 0) addTo<is_atomic>(values[numbers[i] * to.stride], from[i]);
  }
}

/// Adds the vectors of n cells from c on.
template <class Real>
void addVectors(const Scatter& to, Real* values, bool is_atomic, std::int64_t c, std::int64_t n,
                std::int64_t rows, const Real* from) {
  if (is_atomic) {
    addVectorsOf<true>(to, values, c, n, rows, from);
  } else {
    addVectorsOf<false>(to, values, c, n, rows, from);
  }
}

/// Fetches what a row of an element matrix will be added to.
template <class Offset, class Real>
KONTRACT_INLINE void fetchRow(const Scatter& to, const Real* values, std::int32_t row,
                              const Offset* offset, std::int64_t columns) {
  constexpr std::int64_t step = 4;  // neighbours are mostly in one line
  if (row < 0) return;
  const Real* const entries = values + to.starts[row];
  for (std::int64_t r = 0; r < columns; r += step) __builtin_prefetch(entries + offset[r], 1, 3);
}

template <bool is_atomic, bool leaves_out, class Offset, class Real>
void addMatricesOf(const Scatter& to, Real* values, std::int64_t c, std::int64_t n,
                   std::int64_t columns, const Real* from) {
  constexpr Offset nothing = static_cast<Offset>(-1);
  constexpr std::int64_t ahead = 6;
  const std::int64_t rows = to.rows.fields, count = n * rows;
  const std::int32_t* const numbers = to.rows.data + c * rows;
  const Offset* offset = static_cast<const Offset*>(to.offsets) + c * rows * columns;
  for (std::int64_t i = 0; i < count; ++i, offset += columns, from += columns) {
    if (i + ahead < count) {
      fetchRow(to, values, numbers[i + ahead], offset + ahead * columns, columns);
    }
    if (leaves_out && numbers[i] < 0) continue;
    Real* const row = values + to.starts[numbers[i]];
    for (std::int64_t r = 0; r < columns; ++r) {
      if (!leaves_out || offset[r] != nothing) addTo<is_atomic>(row[offset[r]], from[r]);
    }
  }
}

template <class Offset, class Real>
void addMatricesOf(const Scatter& to, Real* values, bool is_atomic, std::int64_t c, std::int64_t n,
                   std::int64_t columns, const Real* from) {
  if (is_atomic) {
    addMatricesOf<true, true, Offset>(to, values, c, n, columns, from);
  } else if (to.leaves_out) {
    addMatricesOf<false, true, Offset>(to, values, c, n, columns, from);
  } else {
    addMatricesOf<false, false, Offset>(to, values, c, n, columns, from);
  }
}

/// Adds the matrices of n cells from c on.
template <class Real>
void addMatrices(const Scatter& to, Real* values, bool is_atomic, std::int64_t c, std::int64_t n,
                 std::int64_t columns, const Real* from) {
  switch (to.offset_bytes) {
    case 1: return addMatricesOf<std::uint8_t>(to, values, is_atomic, c, n, columns, from);
    case 2: return addMatricesOf<std::uint16_t>(to, values, is_atomic, c, n, columns, from);
    default: return addMatricesOf<std::uint32_t>(to, values, is_atomic, c, n, columns, from);
  }
}

#endif
