// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_INTREPID2ARRAYS_HPP
#define KONTRACT_TEST_INTREPID2ARRAYS_HPP

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "ReferenceElement.hpp"

namespace KontractTest {

using Intrepid2Device = Kokkos::DefaultHostExecutionSpace::device_type;
/// What Intrepid2 takes and gives, on the host.
using Intrepid2Array = Kokkos::DynRankView<double, Kokkos::LayoutRight, Intrepid2Device>;

inline Intrepid2Array emptyArray(const std::vector<std::size_t>& extents) {
  Kokkos::LayoutRight layout;
  for (std::size_t i = 0; i < 8; ++i) {
    layout.dimension[i] = i < extents.size() ? extents[i] : KOKKOS_INVALID_INDEX;
  }
  return Intrepid2Array("array", layout);
}

inline Intrepid2Array arrayOf(const Numbers& numbers) {
  const Intrepid2Array array = emptyArray(numbers.extents());
  std::copy(numbers.values().begin(), numbers.values().end(), array.data());
  return array;
}

/// \param letters  the indices of the array, as in Array
inline Numbers numbersOf(const std::string& letters, const Intrepid2Array& array) {
  std::vector<std::size_t> extents;
  for (unsigned i = 0; i < array.rank(); ++i) extents.push_back(array.extent(i));
  Numbers numbers(letters, extents);
  std::copy(array.data(), array.data() + numbers.size(), numbers.values().begin());
  return numbers;
}

}  // namespace KontractTest

#endif
