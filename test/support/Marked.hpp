// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_MARKED_HPP
#define KONTRACT_TEST_MARKED_HPP

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>

#include "Refusal.hpp"

namespace KontractTest {

/// An array of the host that tells whether somebody wrote to it.
using MarkedArray = Kokkos::DynRankView<double, Kokkos::LayoutRight,
                                        Kokkos::DefaultHostExecutionSpace::device_type>;

constexpr double mark = 12345;

/// An array full of marks.
template <class... Extents>
MarkedArray marked(Extents... extents) {
  MarkedArray array("array", extents...);
  Kokkos::deep_copy(array, mark);
  return array;
}

inline bool isMarked(const MarkedArray& array) {
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (array.data()[i] != mark) return false;
  }
  return true;
}

/// Expects that a call of a function of CLASS is refused by a text that begins with the function's
/// name and has TEXT, and that its output is as it was. For tests with Teuchos' `out` and
/// `success`.
#define KONTRACT_EXPECT_REFUSAL(CLASS, FUNCTION, TEXT, OUTPUT, ...)                   \
  {                                                                                   \
    const MarkedArray output = OUTPUT;                                                \
    const Refusal refusal = refusalOf([&] { CLASS::FUNCTION(output, __VA_ARGS__); }); \
    out << "\n" << refusal.text;                                                      \
    TEST_ASSERT(refusal.says("Kontract::" #FUNCTION ": "));                           \
    TEST_ASSERT(refusal.says(TEXT));                                                  \
    TEST_ASSERT(isMarked(output));                                                    \
  }

}  // namespace KontractTest

#endif
