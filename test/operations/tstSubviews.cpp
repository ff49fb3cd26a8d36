// SPDX-License-Identifier: BSD-3-Clause
//
// Views that Kokkos makes out of others: ranges of cells, points and fields, single cells, padded
// allocations, and the mixture of all of them in one call.

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <cmath>
#include <string>
#include <utility>

#include "OnHost.hpp"
#include "Runner.hpp"

namespace KontractTest {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Tools = Kontract::ArrayTools<Space>;
using Range = std::pair<int, int>;

/// Checks (C,L,R) = (C,L,P) x (C,R,P) on filled views of any kind, for all algorithms.
template <class Out, class Left, class Right>
std::string contractionFails(const Out& out, const Left& left, const Right& right) {
  const OnHost host_left(left);
  const OnHost host_right(right);
  for (const NamedOptions& algorithm : allAlgorithms()) {
    Kokkos::deep_copy(out, std::nan(""));
    try {
      Tools::contractFieldFieldScalar(out, left, right, algorithm.options);
    } catch (const std::invalid_argument& refusal) {
      const std::string text = refusal.what();
      const bool may_be = !contractsOn<Space>(algorithm.name) && algorithm.name != "Auto";
      if ((isUnserved(text) && may_be) || isLimitOf(algorithm.name, text)) continue;
      return text;
    }
    const OnHost host_out(out);
    for (int c = 0; c < int(left.extent(0)); ++c) {
      for (int l = 0; l < int(left.extent(1)); ++l) {
        for (int r = 0; r < int(right.extent(1)); ++r) {
          double sum = 0;
          for (int p = 0; p < int(left.extent(2)); ++p)
            sum += host_left(c, l, p) * host_right(c, r, p);
          const bool holds = std::abs(host_out(c, l, r) - sum) <= 1e-13 * (left.extent(2) + 8);
          if (!holds) {
            return algorithm.name + " at " + std::to_string(c) + "," + std::to_string(l) + "," +
                   std::to_string(r);
          }
        }
      }
    }
  }
  return "";
}

template <class Layout>
std::string rangesFail() {
  using View = Kokkos::View<double***, Layout, Space>;
  const View out("out", 9, 6, 7), left("left", 9, 6, 11), right("right", 9, 7, 11);
  fillRandomly(left);
  fillRandomly(right);
  const auto all = Kokkos::ALL();
  std::string wrong;
  const auto check = [&](const std::string& what, const auto& o, const auto& l, const auto& r) {
    const std::string failure = contractionFails(o, l, r);
    if (!failure.empty()) wrong += what + ": " + failure + "; ";
  };
  const Range cells(2, 7), fields(1, 5), points(3, 10);
  const auto part = [](const auto& view, const auto& a, const auto& b, const auto& c) {
    return Kokkos::subview(view, a, b, c);
  };
  check("cells", part(out, cells, all, all), part(left, cells, all, all),
        part(right, cells, all, all));
  check("fields", part(out, all, fields, all), part(left, all, fields, all), right);
  check("points", out, part(left, all, all, points), part(right, all, all, points));
  check("cells of the output alone", part(out, Range(0, 9), fields, fields),
        part(left, all, fields, points), part(right, all, fields, points));
  check("one cell, one field, one point", part(out, Range(3, 4), Range(2, 3), all),
        part(left, Range(3, 4), Range(2, 3), Range(4, 5)),
        part(right, Range(3, 4), all, Range(4, 5)));
  return wrong;
}

TEUCHOS_UNIT_TEST(Subviews, rangesAreRight) {
  TEST_EQUALITY_CONST(rangesFail<Kokkos::LayoutLeft>(), "");
  TEST_EQUALITY_CONST(rangesFail<Kokkos::LayoutRight>(), "");
}

/// One cell of rank-4 views, which leaves views of rank 3 with strides of their own.
template <class Layout>
std::string slicesFail() {
  const Kokkos::View<double****, Layout, Space> out("out", 3, 4, 5, 6), left("left", 4, 3, 5, 7),
      right("right", 4, 5, 6, 7);
  fillRandomly(left);
  fillRandomly(right);
  const auto all = Kokkos::ALL();
  return contractionFails(Kokkos::subview(out, 1, all, all, all),
                          Kokkos::subview(left, all, 2, all, all),
                          Kokkos::subview(right, all, 3, all, all));
}

TEUCHOS_UNIT_TEST(Subviews, slicesAreRight) {
  TEST_EQUALITY_CONST(slicesFail<Kokkos::LayoutLeft>(), "");
  TEST_EQUALITY_CONST(slicesFail<Kokkos::LayoutRight>(), "");
}

TEUCHOS_UNIT_TEST(Subviews, paddedAllocationsAreRight) {
  const auto check = [](auto layout) {
    using View = Kokkos::View<double***, decltype(layout), Space>;
    const auto padded = [](const char* label) {
      return Kokkos::view_alloc(std::string(label), Kokkos::AllowPadding);
    };
    const View out(padded("out"), 33, 5, 6), left(padded("left"), 33, 5, 37),
        right(padded("right"), 33, 6, 37);
    fillRandomly(left);
    fillRandomly(right);
    return contractionFails(out, left, right);
  };
  TEST_EQUALITY_CONST(check(Kokkos::LayoutLeft()), "");
  TEST_EQUALITY_CONST(check(Kokkos::LayoutRight()), "");
}

TEUCHOS_UNIT_TEST(Subviews, dynRankViewsAndViewsMayBeMixed) {
  const Kokkos::DynRankView<double, Space> sums("sums", 6, 4, 5), all_left("left", 9, 4, 8);
  const Kokkos::View<double***, Kokkos::LayoutLeft, Space> all_right("right", 9, 5, 8);
  fillRandomly(all_left);
  fillRandomly(all_right);
  const auto all = Kokkos::ALL();
  const auto left = Kokkos::subview(all_left, Range(1, 7), all, Range(2, 7));
  const auto right = Kokkos::subview(all_right, Range(3, 9), all, Range(0, 5));
  TEST_EQUALITY_CONST(contractionFails(sums, left, right), "");
  const Kokkos::View<const double***, Kokkos::LayoutLeft, Space,
                     Kokkos::MemoryTraits<Kokkos::RandomAccess>>
      random_access(all_right);
  const auto left_cells = Kokkos::subview(all_left, Range(0, 9), all, all);
  const Kokkos::View<double***, Kokkos::LayoutRight, Space> unmanaged_memory("memory", 9, 4, 5);
  const Kokkos::View<double***, Kokkos::LayoutRight, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      unmanaged(unmanaged_memory.data(), 9, 4, 5);
  TEST_EQUALITY_CONST(contractionFails(unmanaged, left_cells, random_access), "");
}

/// Extents known at compile time, in whole or in part.
TEUCHOS_UNIT_TEST(Subviews, staticExtentsAreTaken) {
  const Kokkos::View<double* [3][4], Space> sums("sums", 5);
  const Kokkos::View<double* [3][7], Space> left("left", 5);
  const Kokkos::View<double** [7], Space> right("right", 5, 4);
  fillRandomly(left);
  fillRandomly(right);
  TEST_EQUALITY_CONST(contractionFails(sums, left, right), "");
}

}  // namespace
}  // namespace KontractTest
