// SPDX-License-Identifier: BSD-3-Clause
//
// Threads of the host share a call's cells, and where these are few its left fields: the bits of
// what they compute are those of one thread.

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "Kontract_ArrayTools.hpp"

namespace KontractTest {
namespace {

using Threads = Kokkos::DefaultHostExecutionSpace;

struct Sizes {
  int cells, lefts, rights, points, dims;
};

/// Few cells and many, so that parts are whole vectors of them, or would be less.
std::vector<Sizes> sizes() {
  std::vector<Sizes> list{{1, 3, 5, 7, 1},   {1000, 8, 8, 8, 1}, {24, 27, 27, 64, 1},
                          {2, 60, 33, 9, 3}, {2, 25, 7, 30, 3},  {3, 13, 1, 70, 1}};
  std::mt19937 random(11);
  const auto upTo = [&](int most) { return 1 + int(random() % unsigned(most)); };
  for (int i = 0; i < 60; ++i) {
    list.push_back({upTo(i % 2 == 0 ? 40 : 300), upTo(40), upTo(30), upTo(40), upTo(3)});
  }
  return list;
}

/// Numbers that depend on nothing but a seed.
template <class View>
View filled(View view, unsigned seed) {
  std::mt19937 random(seed);
  using T = typename View::non_const_value_type;
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (std::size_t i = 0; i < view.span(); ++i) {
    if constexpr (std::is_floating_point_v<T>) {
      view.data()[i] = T(uniform(random));
    } else {
      view.data()[i] = T(float(uniform(random)), float(uniform(random)));
    }
  }
  return view;
}

template <class View>
std::string bytesOf(const View& view) {
  return std::string(reinterpret_cast<const char*>(view.data()),
                     view.span() * sizeof(typename View::value_type));
}

Kontract::Options registerBlocking() {
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", "Register Blocking");
  return Kontract::Options(list);
}

/// The outputs of some operations by that space, one after the other.
template <class Space, class T, class Layout>
std::vector<std::string> outputs(const Sizes& s) {
  using Tools = Kontract::ArrayTools<Space>;
  using Device = typename Space::device_type;
  using Data1 = Kokkos::View<T*, Layout, Device>;
  using Data2 = Kokkos::View<T**, Layout, Device>;
  using Data3 = Kokkos::View<T***, Layout, Device>;
  using Data4 = Kokkos::View<T****, Layout, Device>;
  const Kontract::Options options = registerBlocking();
  std::vector<std::string> all;
  const auto keep = [&](const auto& view) { all.push_back(bytesOf(view)); };

  const Data4 left = filled(Data4("left", s.cells, s.lefts, s.points, s.dims), 1);
  const Data4 right = filled(Data4("right", s.cells, s.rights, s.points, s.dims), 2);
  const Data3 data = filled(Data3("data", s.cells, s.points, s.dims), 3);
  const Data2 scalars = filled(Data2("scalars", s.cells, s.points), 4);
  const Data3 matrix = filled(Data3("matrix", s.cells, s.lefts, s.rights), 5);
  Tools::contractFieldFieldVector(matrix, left, right, options);
  keep(matrix);
  Tools::contractFieldFieldVector(matrix, left, right, true, options);
  keep(matrix);
  const Data2 vector("vector", s.cells, s.lefts);
  Tools::contractDataFieldVector(vector, data, left, options);
  keep(vector);
  const Data1 sums("sums", s.cells);
  Tools::contractDataDataVector(sums, data, data, options);
  keep(sums);
  const Data4 product("product", s.cells, s.lefts, s.points, s.dims);
  Tools::scalarMultiplyDataField(product, scalars, left, options);
  keep(product);
  const Data3 dots("dots", s.cells, s.lefts, s.points);
  Tools::dotMultiplyDataField(dots, data, left, options);
  keep(dots);
  return all;
}

template <class T, class Layout>
void compare(Teuchos::FancyOStream& out, bool& success) {
#ifdef KOKKOS_ENABLE_SERIAL
  for (const Sizes& s : sizes()) {
    const std::vector<std::string> one = outputs<Kokkos::Serial, T, Layout>(s);
    const std::vector<std::string> many = outputs<Threads, T, Layout>(s);
    for (std::size_t i = 0; i < one.size(); ++i) {
      if (one[i] == many[i]) continue;
      out << "operation " << i << ", " << s.cells << " cells, " << s.lefts << " x " << s.rights
          << " fields, " << s.points << " points, " << s.dims << " dimensions: other bits\n";
      success = false;
    }
  }
#endif
  out << Threads().concurrency() << " threads\n";
}

TEUCHOS_UNIT_TEST(HostThreads, bitsAreThoseOfOneThreadInLayoutLeft) {
  compare<double, Kokkos::LayoutLeft>(out, success);
  compare<float, Kokkos::LayoutLeft>(out, success);
  compare<Kokkos::complex<double>, Kokkos::LayoutLeft>(out, success);
  compare<Kokkos::complex<float>, Kokkos::LayoutLeft>(out, success);
}

TEUCHOS_UNIT_TEST(HostThreads, bitsAreThoseOfOneThreadInLayoutRight) {
  compare<double, Kokkos::LayoutRight>(out, success);
  compare<float, Kokkos::LayoutRight>(out, success);
  compare<Kokkos::complex<double>, Kokkos::LayoutRight>(out, success);
  compare<Kokkos::complex<float>, Kokkos::LayoutRight>(out, success);
}

}  // namespace
}  // namespace KontractTest
