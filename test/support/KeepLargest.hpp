// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_KEEPLARGEST_HPP
#define KONTRACT_TEST_KEEPLARGEST_HPP

#include <Kokkos_Macros.hpp>

namespace KontractTest {

/// Keeps the largest of some numbers; once one of them is NaN, that.
template <class T, class Number>
KOKKOS_INLINE_FUNCTION void keepLargest(T& largest, const Number& number) {
  const bool is_kept = largest != largest || number <= largest;
  if (!is_kept) largest = T(number);
}

}  // namespace KontractTest

#endif
