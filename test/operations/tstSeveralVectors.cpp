// SPDX-License-Identifier: BSD-3-Clause
//
// Products of several vectors in one call against as many calls of one: arrays of cells in all
// layouts, unknowns that cells share, terms and algorithms of each kind, more cells than a cache
// has room for; and what is refused. Oriented and constrained unknowns: tstTransformedForms.cpp.

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "KeepLargest.hpp"
#include "Kontract_Explain.hpp"
#include "Kontract_Explanation.hpp"
#include "Kontract_Integration.hpp"
#include "Refusal.hpp"
#include "Tuning.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Integration = Kontract::Integration<Space>;
template <class T, class Layout = Kokkos::LayoutRight>
using Array = Kokkos::View<T, Layout, Memory>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class View>
auto onHost(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

template <class View>
View filled(const View& view) {
  static std::mt19937 all(11);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < host.span(); ++i) host.data()[i] = any(all);
  Kokkos::deep_copy(view, host);
  return view;
}
template <class T, class... Extents>
Array<T> drawn(Extents... extents) {
  return filled(Array<T>("drawn", std::size_t(extents)...));
}

/// Cells far from singular, and what terms on them need.
struct Cells {
  int cells, fields, points;
  Array<double****> jacobians;
  Array<double*> weights;
  Array<double***> gradients, left_gradients;
  Array<double**> values, conductivity;

  /// \param n  functions and points of each direction
  Cells(int c, int n)
      : cells(c),
        fields(n * n * n),
        points(fields),
        jacobians(drawn<double****>(c, points, 3, 3)),
        weights(drawn<double*>(points)),
        gradients(drawn<double***>(fields, points, 3)),
        left_gradients(drawn<double***>(fields, points, 3)),
        values(drawn<double**>(fields, points)),
        conductivity(drawn<double**>(c, points)) {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), jacobians);
    for (int i = 0; i < c * points; ++i) {
      for (int d = 0; d < 3; ++d) host(i / points, i % points, d, d) += 4;
    }
    Kokkos::deep_copy(jacobians, host);
  }
  auto geometry() const { return Kontract::geometry(jacobians, weights); }
};

/// Vectors (C,F,V), of which each cell and field has a place of its own.
template <class Layout>
Array<double***, Layout> vectorsOf(int cells, int fields, int vectors) {
  return Array<double***, Layout>("vectors", std::size_t(cells), std::size_t(fields),
                                  std::size_t(vectors));
}
/// The same with gaps in all directions.
template <>
Array<double***, Kokkos::LayoutStride> vectorsOf<Kokkos::LayoutStride>(int cells, int fields,
                                                                       int vectors) {
  const Array<double***> all("all", std::size_t(cells) + 1, std::size_t(fields) + 2,
                             std::size_t(2 * vectors + 1));
  const auto strided = Kokkos::subview(all, std::make_pair(0, cells), std::make_pair(1, fields + 1),
                                       std::make_pair(1, vectors + 1));
  return strided;
}

/// The largest difference of vectors, in proportion to the largest number.
template <class A, class B>
double differenceOf(const A& is, const B& should_be) {
  const auto a = onHost(is);
  const auto b = onHost(should_be);
  double largest = 0, size = 0;
  for (std::size_t i = 0; i < b.extent(0); ++i) {
    for (std::size_t j = 0; j < b.extent(1); ++j) {
      for (std::size_t k = 0; k < b.extent(2); ++k) {
        const double difference = std::abs(a(i, j, k) - b(i, j, k));
        keepLargest(largest, difference);
        size = std::max(size, std::abs(b(i, j, k)));
      }
    }
  }
  return size > 0 ? largest / size : largest;
}

Kontract::Options optionsOf(const std::string& algorithm) {
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", algorithm);
  return Kontract::Options(list);
}

/// Vectors of cells in a layout by an algorithm.
template <class Layout, class... Terms>
void checkCells(const std::string& algorithm, const Cells& of, int components, int vectors,
                Teuchos::FancyOStream& out, bool& success, const Terms&... terms) {
  const int fields = of.fields * components;
  const auto x = vectorsOf<Layout>(of.cells, fields, vectors),
             y = vectorsOf<Layout>(of.cells, fields, vectors);
  const Array<double***> given("given", std::size_t(of.cells), std::size_t(fields),
                               std::size_t(vectors)),
      expected("expected", std::size_t(of.cells), std::size_t(fields), std::size_t(vectors));
  filled(given);
  Kokkos::deep_copy(x, given);
  Kokkos::deep_copy(y, nan);
  for (int v = 0; v < vectors; ++v) {
    const Array<double**> one("one", std::size_t(of.cells), std::size_t(fields)),
        product("product", std::size_t(of.cells), std::size_t(fields));
    Kokkos::deep_copy(one, Kokkos::subview(given, Kokkos::ALL, Kokkos::ALL, v));
    Integration::apply(product, one, of.geometry(), terms..., optionsOf(algorithm));
    Kokkos::deep_copy(Kokkos::subview(expected, Kokkos::ALL, Kokkos::ALL, v), product);
  }
  Integration::apply(y, x, of.geometry(), terms..., optionsOf(algorithm));
  TEST_COMPARE(differenceOf(y, expected), <, 1e-13);
  Integration::apply(y, x, of.geometry(), terms..., true, optionsOf(algorithm));
  const auto twice = onHost(expected);
  for (std::size_t i = 0; i < twice.span(); ++i) twice.data()[i] *= 2;
  TEST_COMPARE(differenceOf(y, twice), <, 1e-13);
}

template <class... Terms>
void checkLayouts(const std::string& algorithm, const Cells& of, int components,
                  Teuchos::FancyOStream& out, bool& success, const Terms&... terms) {
  checkCells<Kokkos::LayoutRight>(algorithm, of, components, 1, out, success, terms...);
  checkCells<Kokkos::LayoutRight>(algorithm, of, components, 3, out, success, terms...);
  checkCells<Kokkos::LayoutLeft>(algorithm, of, components, 4, out, success, terms...);
}

TEUCHOS_UNIT_TEST(SeveralVectors, cellsWithVectorsOfTheirOwn) {
  for (const int cells : {0, 1, 21, 700}) {  // of the last a cache has a part
    const Cells of(cells, 3);
    const auto term = Kontract::term(Form::gradGrad(), of.gradients, of.gradients, of.conductivity);
    const auto mass = Kontract::term(Form::mass(FunctionSpace::HGRAD), of.values, of.values);
    const auto other = Kontract::term(Form::gradGrad(), of.left_gradients, of.gradients);
    const auto elastic = Kontract::term(Form::elasticity(), of.gradients, of.gradients,
                                        of.conductivity, of.conductivity);
    for (const std::string algorithm : {"Auto", "Flat"}) {
      checkLayouts(algorithm, of, 1, out, success, term);
      checkLayouts(algorithm, of, 1, out, success, other, mass);
      if (cells < 100) checkLayouts(algorithm, of, 3, out, success, elastic);
    }
  }
}

TEUCHOS_UNIT_TEST(SeveralVectors, tensorProductBases) {
  for (const int cells : {1, 13, 700}) {
    const Cells of(cells, 3);
    const auto line = drawn<double**>(3, 3), slopes = drawn<double**>(3, 3);
    const auto basis = Kontract::tensorBasis<3>(line, slopes);
    const auto term = Kontract::term(Form::gradGrad(), basis, basis, of.conductivity);
    for (const std::string algorithm : {"Auto", "Flat", "Team Reduction"}) {
      checkLayouts(algorithm, of, 1, out, success, term);
    }
  }
}

TEUCHOS_UNIT_TEST(SeveralVectors, withGaps) {
  const Cells of(11, 2);
  const auto term = Kontract::term(Form::gradGrad(), of.gradients, of.gradients);
  const int vectors = 3;
  const auto x = vectorsOf<Kokkos::LayoutStride>(of.cells, of.fields, vectors),
             y = vectorsOf<Kokkos::LayoutStride>(of.cells, of.fields, vectors);
  const Array<double***> given("given", 11, 8, 3), product("product", 11, 8, 3);
  filled(given);
  Kokkos::parallel_for(
      "copy", Kokkos::RangePolicy<Space>(0, of.cells), KOKKOS_LAMBDA(int c) {
        for (int f = 0; f < 8; ++f) {
          for (int v = 0; v < 3; ++v) x(c, f, v) = given(c, f, v);
        }
      });
  Integration::apply(y, x, of.geometry(), term);
  Integration::apply(product, given, of.geometry(), term);
  // Copied on the device, from which a host cannot copy what has gaps.
  const Array<double***> dense("dense", 11, 8, 3);
  Kokkos::parallel_for(
      "copy", Kokkos::RangePolicy<Space>(0, of.cells), KOKKOS_LAMBDA(int c) {
        for (int f = 0; f < 8; ++f) {
          for (int v = 0; v < 3; ++v) dense(c, f, v) = y(c, f, v);
        }
      });
  TEST_COMPARE(differenceOf(dense, product), <, 1e-14);
}

/// Vectors of unknowns that cells share, in a layout; or only on one side.
template <class Layout>
void checkShared(const Cells& of, bool has_own_x, bool has_own_y, Teuchos::FancyOStream& out,
                 bool& success) {
  const int vectors = 3, unknowns = 2 * of.cells + of.fields;
  const Array<int**> table("numbers", std::size_t(of.cells), std::size_t(of.fields));
  const auto host = Kokkos::create_mirror_view(table);
  for (int c = 0; c < of.cells; ++c) {
    for (int f = 0; f < of.fields; ++f) host(c, f) = (2 * c + 7 * f) % unknowns;
  }
  Kokkos::deep_copy(table, host);
  const Kontract::CellNumbers<Space> numbers(table, unknowns);
  using Vectors = Array<double**, Layout>;
  const Vectors x("x", std::size_t(unknowns), vectors), y("y", std::size_t(unknowns), vectors);
  filled(x);
  const auto own_x = filled(vectorsOf<Kokkos::LayoutRight>(of.cells, of.fields, vectors)),
             own_y = vectorsOf<Kokkos::LayoutRight>(of.cells, of.fields, vectors);
  const auto term = Kontract::term(Form::gradGrad(), of.gradients, of.gradients, of.conductivity);
  for (const bool sum_into : {false, true}) {
    for (const std::string algorithm : {"Auto", "Flat"}) {
      Kokkos::deep_copy(y, sum_into ? 0.5 : nan);
      Kokkos::deep_copy(own_y, sum_into ? 0.5 : nan);
      const auto apply = [&](const auto& to, const auto& from) {
        Integration::apply(to, from, of.geometry(), term, sum_into, optionsOf(algorithm));
      };
      const auto applyTo = [&](const auto& to) {
        has_own_x ? apply(to, own_x) : apply(to, Kontract::gathered(x, numbers));
      };
      has_own_y ? applyTo(own_y) : applyTo(Kontract::scattered(y, numbers));
      for (int v = 0; v < vectors; ++v) {
        const Array<double*> one("one", std::size_t(unknowns)), got("got", std::size_t(unknowns));
        const Array<double**> own_one("one", std::size_t(of.cells), std::size_t(of.fields)),
            own_got("got", std::size_t(of.cells), std::size_t(of.fields));
        Kokkos::deep_copy(one, Kokkos::subview(x, Kokkos::ALL, v));
        Kokkos::deep_copy(own_one, Kokkos::subview(own_x, Kokkos::ALL, Kokkos::ALL, v));
        Kokkos::deep_copy(got, 0.5);
        Kokkos::deep_copy(own_got, 0.5);
        const auto to = [&](const auto& target) {
          has_own_x ? apply(target, own_one) : apply(target, Kontract::gathered(one, numbers));
        };
        has_own_y ? to(own_got) : to(Kontract::scattered(got, numbers));
        double worst = 0;
        const auto compare = [&](double is, double should_be) {
          const double difference = std::abs(is - should_be);
          keepLargest(worst, difference);
        };
        const auto host_y = onHost(y);
        const auto host_own = onHost(own_y);
        const auto host_own_got = onHost(own_got);
        const auto host_got = onHost(got);
        for (int i = 0; i < unknowns && !has_own_y; ++i) compare(host_y(i, v), host_got(i));
        for (int c = 0; c < of.cells && has_own_y; ++c) {
          for (int f = 0; f < of.fields; ++f) compare(host_own(c, f, v), host_own_got(c, f));
        }
        TEST_COMPARE(worst, <, 1e-10);
      }
    }
  }
}

TEUCHOS_UNIT_TEST(SeveralVectors, unknownsThatCellsShare) {
  for (const int cells : {0, 9, 600}) {
    const Cells of(cells, 3);
    for (const bool has_own_x : {false, true}) {
      for (const bool has_own_y : {false, true}) {
        checkShared<Kokkos::LayoutLeft>(of, has_own_x, has_own_y, out, success);
        checkShared<Kokkos::LayoutRight>(of, has_own_x, has_own_y, out, success);
      }
    }
  }
}

TEUCHOS_UNIT_TEST(SeveralVectors, noneAtAllLeaveTheOutput) {
  const Cells of(3, 2);
  const auto term = Kontract::term(Form::gradGrad(), of.gradients, of.gradients);
  const Array<double***> none("none", 3, 8, 0);
  TEST_NOTHROW(Integration::apply(none, none, of.geometry(), term));
  TEST_EQUALITY(Kontract::explain().algorithm, "");
}

TEUCHOS_UNIT_TEST(SeveralVectors, anExplanationCountsAll) {
  const Cells of(30, 2);
  const auto term = Kontract::term(Form::gradGrad(), of.gradients, of.gradients);
  const Array<double**> one("one", 30, 8);
  const Array<double***> three("three", 30, 8, 3), out_three("out", 30, 8, 3);
  const Array<double**> out_one("out", 30, 8);
  const auto of_one = Kontract::explain<Space>("apply", out_one, one, of.geometry(), term);
  const auto of_three = Kontract::explain<Space>("apply", out_three, three, of.geometry(), term);
  TEST_FLOATING_EQUALITY(of_three.flops, 3 * of_one.flops, 1e-14);
  TEST_FLOATING_EQUALITY(of_three.bytes - of_one.bytes, 2. * 2 * 30 * 8 * 8, 1e-14);
}

TEUCHOS_UNIT_TEST(SeveralVectors, theirNumberChangesNoChoice) {
  const Cells of(300, 5);
  const auto line = drawn<double**>(5, 5), slopes = drawn<double**>(5, 5);
  const auto basis = Kontract::tensorBasis<3>(line, slopes);
  const auto term = Kontract::term(Form::gradGrad(), basis, basis);
  const Array<double**> x("x", 300, 125), y("y", 300, 125);
  const Array<double***> xs("xs", 300, 125, 32), ys("ys", 300, 125, 32);
  const auto of_one = Kontract::explain<Space>("apply", y, x, of.geometry(), term);
  const auto of_many = Kontract::explain<Space>("apply", ys, xs, of.geometry(), term);
  TEST_EQUALITY(of_many.algorithm, of_one.algorithm);
}

/// What is measured writes to memory of its own, which has to reach as far as all vectors do.
TEUCHOS_UNIT_TEST(SeveralVectors, measured) {
  Teuchos::ParameterList list("Kontract");
  const TuningFile file("SeveralVectors");
  list.sublist("Tuning").set("Mode", "Measure").set("File", file.name());
  const Kontract::Options measured(list);
  const Cells of(40, 2);
  const auto term = Kontract::term(Form::gradGrad(), of.gradients, of.gradients);
  const auto given = filled(vectorsOf<Kokkos::LayoutRight>(40, 8, 5));
  const Array<double***> expected("expected", 40, 8, 5);
  Integration::apply(expected, given, of.geometry(), term);
  const auto check = [&](auto layout) {
    using Layout = decltype(layout);
    const auto x = vectorsOf<Layout>(40, 8, 5), y = vectorsOf<Layout>(40, 8, 5);
    Kokkos::deep_copy(x, given);
    Integration::apply(y, x, of.geometry(), term, measured);
    TEST_COMPARE(differenceOf(y, expected), <, 1e-13);
    const Array<int**> table("numbers", 40, 8);
    const Kontract::CellNumbers<Space> numbers(table, 1000);
    const Array<double**, Layout> shared("shared", 1000, 5);
    Integration::apply(Kontract::scattered(shared, numbers), x, of.geometry(), term, measured);
    double sum = 0, should_be = 0;
    const auto host = onHost(expected);
    for (int i = 0; i < 40 * 8; ++i) should_be += host(i / 8, i % 8, 4);
    sum = onHost(shared)(0, 4);
    TEST_FLOATING_EQUALITY(sum, should_be, 1e-10);
  };
  check(Kokkos::LayoutRight());
  check(Kokkos::LayoutLeft());
}

TEUCHOS_UNIT_TEST(SeveralVectors, refused) {
  const Cells of(2, 2);
  const auto term = Kontract::term(Form::gradGrad(), of.gradients, of.gradients);
  const Array<double***> three("three", 2, 8, 3), two("two", 2, 8, 2), long_ones("long", 2, 9, 3);
  const Array<double**> one("one", 2, 8);
  const auto require = [&](const Refusal& refusal, const std::string& text) {
    out << "\n" << refusal.text << "\n";
    TEST_ASSERT(refusal.says(text));
  };
  const auto applied = [&](const auto& y, const auto& x) {
    return refusalOf([&] { Integration::apply(y, x, of.geometry(), term); });
  };
  require(applied(three, two), "output is for 3 vectors at once, but vector has 2");
  require(applied(one, three), "output is for 1 vectors at once, but vector has 3");
  require(applied(three, one), "output is for 3 vectors at once, but vector has 1");
  require(applied(three, long_ones), "(2, 8, 3)");
  require(applied(long_ones, three), "(2, 8, 3)");
  require(applied(three, three), "overlap");
  // Columns of one array, which other columns are computed from.
  const Array<double***> all("all", 2, 8, 6);
  const auto first = Kokkos::subview(all, Kokkos::ALL, Kokkos::ALL, std::make_pair(0, 3)),
             next = Kokkos::subview(all, Kokkos::ALL, Kokkos::ALL, std::make_pair(2, 5));
  require(applied(first, next), "overlap");
  const Kontract::CellNumbers<Space> numbers(Array<int**>("numbers", 2, 8), 4);
  const Array<double**> shared("shared", 4, 3), others("others", 4, 2);
  require(applied(Kontract::scattered(shared, numbers), Kontract::gathered(others, numbers)),
          "output is for 3 vectors at once, but vector has 2");
  require(refusalOf([&] {
            Integration::vectors(
                Kontract::scattered(shared, numbers), of.geometry(),
                Kontract::load(Form::source(FunctionSpace::HGRAD), of.values, of.conductivity));
          }),
          "one column");
  // Other scalars take a call for each vector.
  const Kokkos::View<float***, Kokkos::LayoutRight, Memory> floats("floats", 2, 8, 3);
  require(applied(floats, three), "scalars");
}

}  // namespace
}  // namespace KontractTest
