// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_PAIROFTERMS_HPP
#define KONTRACT_PAIROFTERMS_HPP

#include <Kokkos_Core.hpp>

namespace Kontract {
namespace Impl {

/// What a lane gives a matrix instruction of eight terms: two of them side by side.
/// \tparam aligned  whether pairs of a row are, and are read at a time
template <class T, bool aligned>
struct PairOfTerms {
  struct alignas(aligned ? 2 * sizeof(T) : sizeof(T)) Two {
    T first, second;
  };
  Two two;

  /// \param row  the first of both terms of a field
  KOKKOS_FORCEINLINE_FUNCTION void load(const T* row) {
    if constexpr (aligned) {
      two = *reinterpret_cast<const Two*>(row);
    } else {
      two = Two{row[0], row[1]};
    }
  }

  /// The same, zero beyond the last term.
  /// \param row    the terms of a field
  /// \param first  of both terms
  KOKKOS_FORCEINLINE_FUNCTION void load(const T* row, int first, int terms) {
    two.first = two.second = T(0);
    if constexpr (aligned) {
      if (first < terms) two = *reinterpret_cast<const Two*>(row + first);
    } else {
      if (first < terms) two.first = row[first];
      if (first + 1 < terms) two.second = row[first + 1];
    }
  }

  template <class Pair>
  KOKKOS_FORCEINLINE_FUNCTION Pair inDouble() const {
    return Pair{double(two.first), double(two.second)};
  }
};

/// Which terms the four lanes of a field take: of an instruction's eight terms any two are a
/// lane's, as long as all fields have the same. Where rows of shared memory begin decides which
/// ones are read from different banks.
struct TermsOfLanes {
  enum Order {
    side_by_side,  ///< 0 2 4 6, then 8 10 12 14
    in_fours,      ///< 0 4 8 12, then 2 6 10 14
    in_halves      ///< 0 2 8 10, then 4 6 12 14
  };

  /// The first term of a lane, of sixteen.
  /// \param lane  of four
  /// \param half  0 or 1: which eight terms of sixteen
  KOKKOS_INLINE_FUNCTION static int first(Order order, int lane, int half) {
    switch (order) {
      case in_fours: return 4 * lane + 2 * half;
      case in_halves: return 2 * (lane & 1) + 8 * (lane >> 1) + 4 * half;
      default: return 2 * lane + 8 * half;
    }
  }

  /// The order in which a warp reads shared memory least often.
  /// \param row  elements from one field to the next
  static Order quickest(int row, int scalar_bytes) {
    Order best = side_by_side;
    for (const Order order : {in_fours, in_halves}) {
      if (reads(order, row, scalar_bytes) < reads(best, row, scalar_bytes)) best = order;
    }
    return best;
  }

 private:
  /// How often a warp reads to get a pair of terms of eight fields.
  static int reads(Order order, int row, int scalar_bytes) {
    const bool aligned = row % 2 == 0;
    constexpr int banks = 32, bank_bytes = 4;
    const int bytes = aligned ? 2 * scalar_bytes : scalar_bytes;
    const int words = bytes / bank_bytes, lanes_at_once = banks / words;
    int all = 0;
    for (int start = 0; start < 32; start += lanes_at_once) {
      int in_bank[banks] = {}, most = 0;
      for (int lane = start; lane < start + lanes_at_once; ++lane) {
        const int word = (lane / 4 * row + first(order, lane % 4, 0)) * scalar_bytes / bank_bytes;
        for (int w = 0; w < words; ++w) ++in_bank[(word + w) % banks];
      }
      for (const int count : in_bank) most = count > most ? count : most;
      all += most;
    }
    return aligned ? all : 2 * all;
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
