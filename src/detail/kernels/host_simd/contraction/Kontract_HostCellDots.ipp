// SPDX-License-Identifier: BSD-3-Clause
//
// Sums of products of single short rows, as data with data have them.
#ifndef KONTRACT_HOSTCELLDOTS_IPP
#define KONTRACT_HOSTCELLDOTS_IPP

#include "Kontract_HostRowProblem.ipp"
#include "detail/kernels/host_simd/common/Kontract_HostPrefetch.ipp"

/// Ones in the bits of the first n lanes, zeros in the others.
template <class S>
KONTRACT_INLINE typename S::Vec bitsOfFirst(int n) {
  alignas(64) unsigned char bits[S::width];
  for (int i = 0; i < S::width; ++i) bits[i] = i < n * int(sizeof(typename S::Real)) ? 0xff : 0;
  typename S::Vec v;
  __builtin_memcpy(&v, bits, S::width);
  return v;
}

template <class Vec>
KONTRACT_INLINE Vec bitwiseAnd(Vec a, Vec b) {
  typedef long long Bits __attribute__((vector_size(sizeof(Vec))));
  return (Vec)((Bits)a & (Bits)b);
}

/// The products of two rows, summed up lane by lane.
/// \param past_end  whether what follows the rows may be read, too: loads of some lanes keep the
///   hardware from fetching ahead
template <class S>
KONTRACT_INLINE typename S::Vec productsInLanes(const typename S::Real* left,
                                                const typename S::Real* right, std::int64_t terms,
                                                typename S::Vec bits_of_rest, bool past_end) {
  using Vec = typename S::Vec;
  constexpr std::int64_t ahead = 4096 / int(sizeof(typename S::Real));
  Vec sums = {};
  std::int64_t k = 0;
  for (; k + S::vector_reals <= terms; k += S::vector_reals) {
    fetchLine(left + k + ahead);
    fetchLine(right + k + ahead);
    sums += load<S::width>(left + k) * load<S::width>(right + k);
  }
  const int rest = int(terms - k);
  if (rest == 0) return sums;
  const Vec products =
      past_end ? load<S::width>(left + k) * load<S::width>(right + k)
               : loadSomeOf<S::width>(left + k, rest) * loadSomeOf<S::width>(right + k, rest);
  return sums + bitwiseAnd(products, bits_of_rest);
}

/// Writes a scalar for each of n cells.
template <class S>
KONTRACT_INLINE void storeCells(const Rows<typename S::Real>& rows, std::int64_t cell, int n,
                                typename S::Vec sums) {
  typename S::Real* to = rows.out + cell * rows.out_cell;
  if (rows.stream) {
    store<S::width>(rows.stream->place(), sums);
    rows.stream->pass(n);
  } else if (n == S::vector_reals && rows.out_cell == 1) {
    store<S::width>(to, rows.add ? load<S::width>(to) + sums : sums);
  } else {
    for (int i = 0; i < n; ++i, to += rows.out_cell) *to = rows.add ? *to + sums[i] : sums[i];
  }
}

/// Cells of one field a side, as many at a time as a vector has lanes: the lanes of each are summed
/// up together. A cell's sum does not depend on those beside it.
template <class S>
__attribute__((noinline)) void contractCellDots(const Rows<typename S::Real>& rows) {
  constexpr int lanes = S::vector_reals;
  const auto bits_of_rest = bitsOfFirst<S>(int(rows.terms % lanes));
  // Cells behind which there are as many that vectors end in them.
  const std::int64_t reach = lanes / (rows.terms > 0 ? rows.terms : 1) + 1;
  const bool is_dense = rows.left_cell == rows.terms && rows.right_cell == rows.terms;
  const std::int64_t past_end = is_dense ? rows.cells - reach : 0;
  for (std::int64_t c = 0; c < rows.cells; c += lanes) {
    const int n = rows.cells - c < lanes ? int(rows.cells - c) : lanes;
    typename S::Vec products[lanes] = {};
    for (int i = 0; i < n; ++i) {
      products[i] = productsInLanes<S>(rows.left + (c + i) * rows.left_cell,
                                       rows.right + (c + i) * rows.right_cell, rows.terms,
                                       bits_of_rest, c + i < past_end);
    }
    transpose<S::width, typename S::Real>(products);
#pragma GCC unroll 4
    for (int half = lanes / 2; half > 0; half /= 2) {
#pragma GCC unroll 8
      for (int i = 0; i < half; ++i) products[i] += products[i + half];
    }
    storeCells<S>(rows, c, n, products[0]);
  }
}

#endif
