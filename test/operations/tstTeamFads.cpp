// SPDX-License-Identifier: BSD-3-Clause
//
// The functions for a caller's own kernel on arrays of Fads, against sums of Sacado's own.

#include "FadViews.hpp"

// Kontract after Sacado.
#include <Teuchos_UnitTestHarness.hpp>
#include <cmath>
#include <string>

#include "Kontract_Team.hpp"
#include "Scalars.hpp"

namespace KontractTest {
namespace {

namespace team = Kontract::team;
using Space = Kokkos::DefaultHostExecutionSpace;
using Member = Kokkos::TeamPolicy<Space>::member_type;
using Kokkos::ALL;
constexpr int cells = 2, fields = 5, points = 6, dims = 3, derivatives = 3;

template <class T, class Layout, class... Extents>
auto makeView(Extents... extents) {
  using Data = std::conditional_t<sizeof...(Extents) == 2, T**,
                                  std::conditional_t<sizeof...(Extents) == 3, T***, T****>>;
  using View = Kokkos::View<Data, Layout, Space>;
  if constexpr (std::is_same_v<T, double>) {
    return View("array", std::size_t(extents)...);
  } else {
    return View("array", std::size_t(extents)..., std::size_t(derivatives + 1));
  }
}

template <class Reference>
void draw(Reference&& element) {
  if constexpr (std::is_same_v<std::decay_t<Reference>, double>) {
    element = random().real();
  } else {
    element.val() = random().real();
    for (int i = 0; i < derivatives; ++i) element.fastAccessDx(i) = random().real();
  }
}
template <class View>
void fill(const View& view) {
  for (std::size_t i = 0; i < view.extent(0); ++i) {
    for (std::size_t j = 0; j < view.extent(1); ++j) {
      if constexpr (View::rank == 2) {
        draw(view(i, j));
      } else {
        for (std::size_t k = 0; k < view.extent(2); ++k) {
          if constexpr (View::rank == 3) {
            draw(view(i, j, k));
          } else {
            for (std::size_t l = 0; l < view.extent(3); ++l) draw(view(i, j, k, l));
          }
        }
      }
    }
  }
}

/// Whether value and derivatives are those of a sum.
template <class Reference, class Fad>
bool isClose(Reference&& found, const Fad& expected) {
  bool close = std::abs(found.val() - expected.val()) <= 1e-13;
  for (int i = 0; i < derivatives; ++i) {
    close = close && std::abs(found.fastAccessDx(i) - expected.dx(i)) <= 1e-12;
  }
  return close;
}

/// Runs f(c, call) for all cells, where call(function) hands over a mode and, in a team, a member.
template <class F>
void inModes(const F& f) {
  Kokkos::parallel_for("serial", Kokkos::RangePolicy<Space>(0, cells), [&](int c) {
    f(c, [](const auto& function) { function(team::Serial()); });
  });
  Kokkos::parallel_for("team", Kokkos::TeamPolicy<Space>(cells, 1), [&](const Member& member) {
    f(member.league_rank(), [&](const auto& function) { function(team::TeamVector(), member); });
  });
}

template <class Fad, class Left, class Right, class Layout>
void testAll(Teuchos::FancyOStream& out, bool& success) {
  const auto left = makeView<Left, Layout>(cells, fields, points, dims);
  const auto right = makeView<Right, Kokkos::LayoutRight>(cells, fields, points, dims);
  const auto data = makeView<Left, Layout>(cells, points);
  const auto matrix = makeView<Left, Layout>(cells, points, dims, dims);
  const auto unknowns = makeView<Left, Layout>(cells, fields);
  for (const auto& view : {left, matrix}) fill(view);
  for (const auto& view : {data, unknowns}) fill(view);
  fill(right);
  const auto sums = makeView<Fad, Layout>(cells, fields, fields);
  const auto scaled = makeView<Fad, Layout>(cells, fields, points, dims);
  const auto rotated = makeView<Fad, Layout>(cells, fields, points, dims);
  const auto dots = makeView<Fad, Layout>(cells, fields, points);
  const auto at_points = makeView<Fad, Layout>(cells, points, dims);
  int wrong = 0;
  inModes([&](int c, const auto& call) {
    const auto of_right = Kokkos::subview(right, c, ALL, ALL, ALL);
    const auto of_data = Kokkos::subview(data, c, ALL);
    call([&](auto mode, const auto&... member) {
      using Tools = team::ArrayTools<decltype(mode)>;
      Tools::contractFieldFieldVector(member..., Kokkos::subview(sums, c, ALL, ALL),
                                      Kokkos::subview(left, c, ALL, ALL, ALL), of_right);
      Tools::scalarMultiplyDataField(member..., Kokkos::subview(scaled, c, ALL, ALL, ALL), of_data,
                                     of_right);
      Tools::matvecProductDataField(member..., Kokkos::subview(rotated, c, ALL, ALL, ALL),
                                    Kokkos::subview(matrix, c, ALL, ALL, ALL), of_right, 'T');
      Tools::dotMultiplyDataField(member..., Kokkos::subview(dots, c, ALL, ALL),
                                  Kokkos::subview(matrix, c, ALL, 0, ALL), of_right);
      team::Basis<decltype(mode)>::evaluate(member..., Kokkos::subview(at_points, c, ALL, ALL),
                                            Kokkos::subview(unknowns, c, ALL), of_right);
    });
    for (int l = 0; l < fields; ++l) {
      for (int r = 0; r < fields; ++r) {
        Fad sum(derivatives, 0.);
        for (int p = 0; p < points; ++p) {
          for (int d = 0; d < dims; ++d) sum += left(c, l, p, d) * right(c, r, p, d);
        }
        if (!isClose(sums(c, l, r), sum)) ++wrong;
      }
      for (int p = 0; p < points; ++p) {
        Fad dot(derivatives, 0.);
        for (int d = 0; d < dims; ++d) {
          if (!isClose(scaled(c, l, p, d), Fad(data(c, p) * right(c, l, p, d)))) ++wrong;
          Fad product(derivatives, 0.);
          for (int e = 0; e < dims; ++e) product += matrix(c, p, e, d) * right(c, l, p, e);
          if (!isClose(rotated(c, l, p, d), product)) ++wrong;
          dot += matrix(c, p, 0, d) * right(c, l, p, d);
        }
        if (!isClose(dots(c, l, p), dot)) ++wrong;
      }
    }
    for (int p = 0; p < points; ++p) {
      for (int d = 0; d < dims; ++d) {
        Fad sum(derivatives, 0.);
        for (int f = 0; f < fields; ++f) sum += unknowns(c, f) * right(c, f, p, d);
        if (!isClose(at_points(c, p, d), sum)) ++wrong;
      }
    }
  });
  TEST_EQUALITY_CONST(wrong, 0);
}

template <class Fad>
void testLayouts(Teuchos::FancyOStream& out, bool& success) {
  testAll<Fad, Fad, double, Kokkos::LayoutRight>(out, success);
  testAll<Fad, double, Fad, Kokkos::LayoutLeft>(out, success);
  testAll<Fad, Fad, Fad, Kokkos::LayoutLeft>(out, success);
  testAll<Fad, Fad, Fad, LayoutContiguous<Kokkos::LayoutRight>>(out, success);
}

TEUCHOS_UNIT_TEST(TeamFads, fadsOfFixedLength) {
  testLayouts<Sacado::Fad::SFad<double, derivatives>>(out, success);
}
TEUCHOS_UNIT_TEST(TeamFads, fadsOfLimitedLength) {
  testLayouts<Sacado::Fad::SLFad<double, derivatives + 2>>(out, success);
}
TEUCHOS_UNIT_TEST(TeamFads, fadsOfAnyLength) {
  testLayouts<Sacado::Fad::DFad<double>>(out, success);
}

}  // namespace
}  // namespace KontractTest
