// SPDX-License-Identifier: BSD-3-Clause
//
// The functions for a caller's own kernel on arrays of Fads, against sums of Sacado's own.

#include "FadArrays.hpp"

// Kontract after Sacado.
#include <Teuchos_UnitTestHarness.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "Kontract_Team.hpp"

namespace KontractTest {
namespace {

namespace team = Kontract::team;
using Space = Kokkos::DefaultExecutionSpace;
using Member = Kokkos::TeamPolicy<Space>::member_type;
using Kokkos::ALL;
constexpr std::size_t cells = 2, fields = 5, points = 6, dims = 3;
constexpr int derivatives = 3;

/// Sets all numbers of the elements of an array.
template <class View, class Next>
void fill(const View& view, const Next& next) {
  writeElements(view, extentsOf(view), [&](std::size_t, auto& element) {
    if constexpr (is_fad<typename View::non_const_value_type>) {
      element.val() = next();
      for (int i = 0; i < derivatives; ++i) element.fastAccessDx(i) = next();
    } else {
      element = next();
    }
  });
}
double drawn() { return random().real(); }
double notANumber() { return std::numeric_limits<double>::quiet_NaN(); }

/// Whether value and derivatives are those of a sum.
template <class Reference, class Fad>
bool isClose(Reference&& found, const Fad& expected) {
  bool close = std::abs(found.val() - expected.val()) <= 1e-13;
  for (int i = 0; i < derivatives; ++i) {
    close = close && std::abs(found.fastAccessDx(i) - expected.dx(i)) <= 1e-12;
  }
  return close;
}

template <int rank, class T, class Layout>
auto array(const std::vector<std::size_t>& extents) {
  return makeView<rank, T, Layout, Space>(extents, derivatives);
}

/// A kernel of a user, of what functions of both modes compute from arrays of all cells.
template <class Fad, class Left, class Right, class Layout>
struct Kernel {
  template <int rank, class T, class L>
  using View = decltype(array<rank, T, L>({}));

  View<4, Left, Layout> left = array<4, Left, Layout>({cells, fields, points, dims});
  View<4, Right, Kokkos::LayoutRight> right =
      array<4, Right, Kokkos::LayoutRight>({cells, fields, points, dims});
  View<2, Left, Layout> data = array<2, Left, Layout>({cells, points});
  View<4, Left, Layout> matrix = array<4, Left, Layout>({cells, points, dims, dims});
  View<2, Left, Layout> unknowns = array<2, Left, Layout>({cells, fields});
  View<3, Fad, Layout> sums = array<3, Fad, Layout>({cells, fields, fields});
  View<4, Fad, Layout> scaled = array<4, Fad, Layout>({cells, fields, points, dims});
  View<4, Fad, Layout> rotated = array<4, Fad, Layout>({cells, fields, points, dims});
  View<3, Fad, Layout> dots = array<3, Fad, Layout>({cells, fields, points});
  View<3, Fad, Layout> at_points = array<3, Fad, Layout>({cells, points, dims});

  KOKKOS_INLINE_FUNCTION void operator()(int c) const { call<team::Serial>(c); }
  template <class Mode, class... MemberIfAny>
  KOKKOS_INLINE_FUNCTION void call(int c, const MemberIfAny&... member) const {
    using Tools = team::ArrayTools<Mode>;
    const auto of_right = Kokkos::subview(right, c, ALL, ALL, ALL);
    const auto of_data = Kokkos::subview(data, c, ALL);
    Tools::contractFieldFieldVector(member..., Kokkos::subview(sums, c, ALL, ALL),
                                    Kokkos::subview(left, c, ALL, ALL, ALL), of_right);
    Tools::scalarMultiplyDataField(member..., Kokkos::subview(scaled, c, ALL, ALL, ALL), of_data,
                                   of_right);
    Tools::matvecProductDataField(member..., Kokkos::subview(rotated, c, ALL, ALL, ALL),
                                  Kokkos::subview(matrix, c, ALL, ALL, ALL), of_right, 'T');
    Tools::dotMultiplyDataField(member..., Kokkos::subview(dots, c, ALL, ALL),
                                Kokkos::subview(matrix, c, ALL, 0, ALL), of_right);
    team::Basis<Mode>::evaluate(member..., Kokkos::subview(at_points, c, ALL, ALL),
                                Kokkos::subview(unknowns, c, ALL), of_right);
  }
};
template <class Kernel>
struct OfTeam {
  Kernel kernel;
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    kernel.template call<team::TeamVector>(member.league_rank(), member);
  }
};

template <class Kernel>
void run(const Kernel& kernel, bool by_teams) {
  constexpr bool on_host = Kontract::Impl::is_host_space<Space>;
  if (by_teams) {
    Kokkos::parallel_for("team",
                         Kokkos::TeamPolicy<Space>(cells, on_host ? 1 : 48, on_host ? 1 : 2),
                         OfTeam<Kernel>{kernel});
  } else {
    Kokkos::parallel_for("serial", Kokkos::RangePolicy<Space>(0, cells), kernel);
  }
}

/// \return how many elements of outputs are not what sums of Sacado's give
template <class Fad, class Left, class Right, class Layout>
int wrongOf(const Kernel<Fad, Left, Right, Layout>& kernel) {
  const auto left = readOnHost(kernel.left), matrix = readOnHost(kernel.matrix);
  const auto right = readOnHost(kernel.right);
  const auto data = readOnHost(kernel.data), unknowns = readOnHost(kernel.unknowns);
  const auto scaled = readOnHost(kernel.scaled), rotated = readOnHost(kernel.rotated);
  const auto sums = readOnHost(kernel.sums), dots = readOnHost(kernel.dots),
             at_points = readOnHost(kernel.at_points);
  int wrong = 0;
  for (std::size_t c = 0; c < cells; ++c) {
    for (std::size_t l = 0; l < fields; ++l) {
      for (std::size_t r = 0; r < fields; ++r) {
        Fad sum(derivatives, 0.);
        for (std::size_t p = 0; p < points; ++p) {
          for (std::size_t d = 0; d < dims; ++d) sum += left(c, l, p, d) * right(c, r, p, d);
        }
        if (!isClose(sums(c, l, r), sum)) ++wrong;
      }
      for (std::size_t p = 0; p < points; ++p) {
        Fad dot(derivatives, 0.);
        for (std::size_t d = 0; d < dims; ++d) {
          if (!isClose(scaled(c, l, p, d), Fad(data(c, p) * right(c, l, p, d)))) ++wrong;
          Fad product(derivatives, 0.);
          for (std::size_t e = 0; e < dims; ++e) product += matrix(c, p, e, d) * right(c, l, p, e);
          if (!isClose(rotated(c, l, p, d), product)) ++wrong;
          dot += matrix(c, p, 0, d) * right(c, l, p, d);
        }
        if (!isClose(dots(c, l, p), dot)) ++wrong;
      }
    }
    for (std::size_t p = 0; p < points; ++p) {
      for (std::size_t d = 0; d < dims; ++d) {
        Fad sum(derivatives, 0.);
        for (std::size_t f = 0; f < fields; ++f) sum += unknowns(c, f) * right(c, f, p, d);
        if (!isClose(at_points(c, p, d), sum)) ++wrong;
      }
    }
  }
  return wrong;
}

template <class Fad, class Left, class Right, class Layout>
void testAll(Teuchos::FancyOStream& out, bool& success) {
  const Kernel<Fad, Left, Right, Layout> kernel;
  fill(kernel.left, drawn), fill(kernel.right, drawn), fill(kernel.data, drawn);
  fill(kernel.matrix, drawn), fill(kernel.unknowns, drawn);
  for (const bool by_teams : {false, true}) {
    fill(kernel.sums, notANumber), fill(kernel.scaled, notANumber),
        fill(kernel.rotated, notANumber);
    fill(kernel.dots, notANumber), fill(kernel.at_points, notANumber);
    run(kernel, by_teams);
    TEST_EQUALITY_CONST(wrongOf(kernel), 0);
  }
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
