// SPDX-License-Identifier: BSD-3-Clause
//
// Times Kontract's algorithms and Intrepid2 on the same arrays in one process, and prints a table.
// Usage: Kontract_compareWithIntrepid2 [millions of scalars per case = 2] [seconds per entry = 0.3]

#include <Intrepid2_ArrayTools.hpp>
#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "Kontract.hpp"

namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Device = Kokkos::Device<Space, Kokkos::HostSpace>;
using Array = Kokkos::DynRankView<double, Kokkos::LayoutRight, Device>;
using Ours = Kontract::ArrayTools<Device>;
using Theirs = Intrepid2::ArrayTools<Device>;

double least_seconds = 0.3;  ///< that each entry is measured for

/// Median seconds of a call, after one to warm up.
double secondsOf(const std::function<void()>& call) {
  call();
  Space().fence();
  std::vector<double> times;
  Kokkos::Timer total;
  while (times.size() < 5 || (total.seconds() < least_seconds && times.size() < 200)) {
    Kokkos::Timer timer;
    call();
    Space().fence();
    times.push_back(timer.seconds());
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

struct Empty {
  KOKKOS_INLINE_FUNCTION void operator()(int) const {}
};

struct Case {
  std::string name;
  std::vector<std::size_t> out, left, right;  ///< extents without the cells; right may lack them
  bool right_has_cells;
  std::function<void(const Array&, const Array&, const Array&)> theirs;
  std::function<void(const Array&, const Array&, const Array&)> ours;
};

Array make(std::size_t cells, std::vector<std::size_t> extents) {
  if (cells > 0) extents.insert(extents.begin(), cells);
  extents.resize(7, KOKKOS_INVALID_INDEX);
  Array array("array", extents[0], extents[1], extents[2], extents[3], extents[4]);
  for (std::size_t i = 0; i < array.size(); ++i) array.data()[i] = 1.0 + double(i % 7);
  return array;
}

std::size_t product(const std::vector<std::size_t>& extents) {
  std::size_t n = 1;
  for (const std::size_t e : extents) n *= e;
  return n;
}

// clang-format off
#define KONTRACT_CASE(NAME, OUT, LEFT, RIGHT, CELLS, CALL)                                \
  Case{NAME, OUT, LEFT, RIGHT, CELLS,                                                     \
       [](const Array& o, const Array& l, const Array& r) { (void)l; Theirs::CALL; },     \
       [](const Array& o, const Array& l, const Array& r) { (void)l; Ours::CALL; }}

std::vector<Case> cases() {
  using E = std::vector<std::size_t>;
  return {
      KONTRACT_CASE("FieldField scalar 8x8x8", (E{8, 8}), (E{8, 8}), (E{8, 8}), true, contractFieldFieldScalar(o, l, r)),
      KONTRACT_CASE("FieldField scalar 27x27x64", (E{27, 27}), (E{27, 64}), (E{27, 64}), true, contractFieldFieldScalar(o, l, r)),
      KONTRACT_CASE("FieldField scalar 125x125x216", (E{125, 125}), (E{125, 216}), (E{125, 216}), true, contractFieldFieldScalar(o, l, r)),
      KONTRACT_CASE("FieldField vector 8x8x8x3", (E{8, 8}), (E{8, 8, 3}), (E{8, 8, 3}), true, contractFieldFieldVector(o, l, r)),
      KONTRACT_CASE("FieldField tensor 10x10x20x9", (E{10, 10}), (E{10, 20, 3, 3}), (E{10, 20, 3, 3}), true, contractFieldFieldTensor(o, l, r)),
      KONTRACT_CASE("DataField vector 27x27x3", (E{27}), (E{27, 3}), (E{27, 27, 3}), true, contractDataFieldVector(o, l, r)),
      KONTRACT_CASE("DataField scalar 8x8, one point", (E{8}), (E{1}), (E{8, 8}), true, contractDataFieldScalar(o, l, r)),
      KONTRACT_CASE("DataData tensor 27x3x3", (E{}), (E{27, 3, 3}), (E{27, 3, 3}), true, contractDataDataTensor(o, l, r)),
      KONTRACT_CASE("scalarMultiply (C,8,8) field", (E{8, 8}), (E{8}), (E{8, 8}), true, scalarMultiplyDataField(o, l, r)),
      KONTRACT_CASE("scalarMultiply (C,8,8,3) field", (E{8, 8, 3}), (E{8}), (E{8, 8, 3}), true, scalarMultiplyDataField(o, l, r)),
      KONTRACT_CASE("dotMultiply (C,8,8,3) field", (E{8, 8}), (E{8, 3}), (E{8, 8, 3}), true, dotMultiplyDataField(o, l, r)),
      KONTRACT_CASE("matvec (C,8,8,3), fields without C", (E{8, 8, 3}), (E{8, 3, 3}), (E{8, 8, 3}), false, matvecProductDataField(o, l, r, 'T')),
      KONTRACT_CASE("matvec diagonal (C,8,8,3)", (E{8, 8, 3}), (E{8, 3}), (E{8, 8, 3}), true, matvecProductDataField(o, l, r)),
      KONTRACT_CASE("matmat (C,8,8,3,3)", (E{8, 8, 3, 3}), (E{8, 3, 3}), (E{8, 8, 3, 3}), true, matmatProductDataField(o, l, r)),
      KONTRACT_CASE("cross (C,8,8,3)", (E{8, 8, 3}), (E{8, 3}), (E{8, 8, 3}), true, crossProductDataField(o, l, r)),
      KONTRACT_CASE("outer (C,8,8,3,3)", (E{8, 8, 3, 3}), (E{8, 3}), (E{8, 8, 3}), true, outerProductDataField(o, l, r)),
      KONTRACT_CASE("clone (C,8,8,3)", (E{8, 8, 3}), (E{}), (E{8, 8, 3}), false, cloneFields(o, r)),
  };
}
#undef KONTRACT_CASE
// clang-format on

void run(double million_scalars, std::size_t fixed_cells) {
  const auto algorithms = Kontract::Options::algorithmNames();
  std::printf("%-36s %7s %13s", "case, LayoutRight, double", "cells", "Intrepid2");
  for (const std::string& name : algorithms) std::printf(" %13s", name.c_str());
  std::printf(" %13s %8s  %s\n", "Auto", "speed-up", "picked");
  for (const Case& one : cases()) {
    const std::size_t per_cell = product(one.out) + product(one.left) + product(one.right);
    const std::size_t cells =
        fixed_cells ? fixed_cells
                    : std::max<std::size_t>(1, std::size_t(million_scalars * 1e6) / per_cell);
    const Array o = make(cells, one.out), l = make(cells, one.left);
    const Array r = make(one.right_has_cells ? cells : 0, one.right);
    const double theirs = secondsOf([&] { one.theirs(o, l, r); });
    std::printf("%-36s %7zu %10.2f us", one.name.c_str(), cells, theirs * 1e6);
    for (const std::string& name : algorithms) {
      Teuchos::ParameterList list;
      list.set("Algorithm", name);
      Kontract::setDefaultOptions(list);
      try {
        one.ours(o, l, r);
      } catch (const std::invalid_argument&) {  // it is for contractions alone
        std::printf(" %13s", "-");
        continue;
      }
      std::printf(" %10.2f us", 1e6 * secondsOf([&] { one.ours(o, l, r); }));
    }
    Kontract::setDefaultOptions(Kontract::Options());
    const double automatic = secondsOf([&] { one.ours(o, l, r); });
    std::printf(" %10.2f us %8.1f  %s\n", automatic * 1e6, theirs / automatic,
                Kontract::explain().algorithm.c_str());
    std::fflush(stdout);
  }
}

/// What a call costs besides its work: one cell, one point.
void printCostOfACall() {
  const Array sums = make(1, {}), data = make(1, {1});
  constexpr int calls = 1000;
  const auto each = [&](const auto& call) {
    return 1e6 / calls * secondsOf([&] {
             for (int i = 0; i < calls; ++i) call();
           });
  };
  std::printf("one cell, one point: Kontract %.3f us, Intrepid2 %.3f us, an empty kernel %.3f us\n",
              each([&] { Ours::contractDataDataScalar(sums, data, data); }),
              each([&] { Theirs::contractDataDataScalar(sums, data, data); }), each([&] {
                Kokkos::parallel_for("empty", Kokkos::RangePolicy<Space>(0, 1), Empty());
              }));
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard guard(argc, argv);
  std::printf("%s, %d threads\n", Space::name(), int(Space().concurrency()));
  if (argc > 2) least_seconds = std::atof(argv[2]);
  run(argc > 1 ? std::atof(argv[1]) : 2.0, 0);
  run(0, 10);
  printCostOfACall();
  return 0;
}
