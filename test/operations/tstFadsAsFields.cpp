// SPDX-License-Identifier: BSD-3-Clause
//
// Contractions of a single field of Fads with constants, which hosts compute as those of scalars,
// of Fads of double and of float in all orders of memory, by chance, against the product rule in
// long double.

#include "FadArrays.hpp"

// Kontract after Sacado.
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "Kontract_ArrayTools.hpp"
#include "Kontract_Explanation.hpp"
#include "Refusal.hpp"

namespace KontractTest {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;

/// A call of data with fields, of which one side has Fads of a single field.
template <class S, class Layout, class Device = Space>
struct SingleField {
  using Tools = Kontract::ArrayTools<Device>;
  using Fad = Sacado::Fad::DFad<S>;
  using Plain = typename inner_layout<Layout>::type;

  explicit SingleField(unsigned seed) : random(seed) {
    const auto draw = [&](int first, int last) {
      return std::uniform_int_distribution<int>(first, last)(random);
    };
    cells = draw(1, 20);
    points = draw(1, 3) == 1 ? draw(1, 3) : draw(1, 40);
    derivatives = draw(0, 30);
    are_data_fads = draw(0, 1) == 0;
    fields = are_data_fads ? draw(1, 30) : 1;
    add = draw(0, 1) == 0;
  }

  /// \return how many values and derivatives are beyond rounding
  int wrong(const Kontract::Options& options) {
    const auto sizes = [](int a, int b, int c) {
      return std::vector<std::size_t>{std::size_t(a), std::size_t(b), std::size_t(c)};
    };
    const auto out =
        makeView<2, Fad, Layout, Device>({std::size_t(cells), std::size_t(fields)}, derivatives);
    const auto nan = std::numeric_limits<S>::quiet_NaN();
    writeOnHost(out, [&](const auto& here) {
      for (int c = 0; c < cells; ++c) {
        for (int f = 0; f < fields; ++f) {
          here(c, f).val() = add ? S(1) : nan;
          for (int d = 0; d < derivatives; ++d) here(c, f).fastAccessDx(d) = add ? S(2) : nan;
        }
      }
    });
    std::uniform_real_distribution<double> any(-1, 1);
    const auto fads = makeView<3, Fad, Layout, Device>(sizes(cells, 1, points), derivatives);
    const auto constants = makeView<3, S, Plain, Device>(sizes(cells, fields, points), 0);
    const auto here = Kokkos::create_mirror_view(fads);
    writeOnHost(constants, [&](const auto& constants_here) {
      for (int c = 0; c < cells; ++c) {
        for (int p = 0; p < points; ++p) {
          here(c, 0, p).val() = S(any(random));
          for (int d = 0; d < derivatives; ++d) here(c, 0, p).fastAccessDx(d) = S(any(random));
          for (int f = 0; f < fields; ++f) constants_here(c, f, p) = S(any(random));
        }
      }
    });
    Kokkos::deep_copy(fads, here);
    const auto all = Kokkos::ALL();
    if (are_data_fads) {
      Tools::contractDataFieldScalar(out, Kokkos::subview(fads, all, 0, all), constants, add,
                                     options);
    } else {
      Tools::contractDataFieldScalar(out, Kokkos::subview(constants, all, 0, all), fads, add,
                                     options);
    }
    return compare(readOnHost(out), here, readOnHost(constants));
  }

  template <class Out, class Fads, class Constants>
  int compare(const Out& out, const Fads& fads, const Constants& constants) const {
    int wrong = 0;
    for (int c = 0; c < cells; ++c) {
      for (int f = 0; f < fields; ++f) {
        for (int d = -1; d < derivatives; ++d) {  // -1: the value
          long double wanted = !add ? 0 : d < 0 ? 1 : 2;
          for (int p = 0; p < points; ++p) {
            const auto& fad = fads(c, 0, p);
            wanted += static_cast<long double>(d < 0 ? fad.val() : fad.fastAccessDx(d)) *
                      constants(c, f, p);
          }
          const S found = d < 0 ? out(c, f).val() : out(c, f).fastAccessDx(d);
          const double error = std::abs(double(static_cast<long double>(found) - wanted));
          wrong += !(error <= (points + 3) * double(std::numeric_limits<S>::epsilon()));
        }
      }
    }
    return wrong;
  }

  std::mt19937 random;
  int cells, fields, points, derivatives;
  bool are_data_fads, add;
};

template <class S, class Layout>
void check(Teuchos::FancyOStream& out, bool& success) {
  const Kontract::Options automatic;
  for (unsigned seed = 0; seed < 150; ++seed) {
    SingleField<S, Layout> drawn(seed);
    const int wrong = drawn.wrong(automatic);
    if (wrong == 0) continue;
    out << "seed " << seed << ": " << drawn.cells << " cells, " << drawn.fields << " fields, "
        << drawn.points << " points, " << drawn.derivatives << " derivatives: " << wrong
        << " wrong\n";
    success = false;
  }
}

TEUCHOS_UNIT_TEST(FadsAsFields, byChance) {
  using L = Kokkos::LayoutLeft;
  using R = Kokkos::LayoutRight;
  check<double, R>(out, success);
  check<double, L>(out, success);
  check<double, LayoutContiguous<L>>(out, success);
  check<float, R>(out, success);
  check<float, L>(out, success);
  check<float, LayoutContiguous<L>>(out, success);
}

/// Algorithms that hosts have for scalars alone serve them.
TEUCHOS_UNIT_TEST(FadsAsFields, haveAlgorithmsOfScalars) {
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", "Register Blocking");
  SingleField<double, Kokkos::LayoutRight, Host> drawn(0);
  drawn.are_data_fads = true;
  drawn.fields = 6, drawn.points = 9, drawn.derivatives = 27;
  TEST_EQUALITY_CONST(drawn.wrong(Kontract::Options(list)), 0);
  TEST_EQUALITY(Kontract::explain().algorithm, "Register Blocking");
}

/// A Fad of so many derivatives by its type reads as many of each operand, so one without would be
/// read beyond its end.
TEUCHOS_UNIT_TEST(FadsAsFields, constantsForTypesOfSoManyDerivatives) {
  using R = Kokkos::LayoutRight;
  using Tools = Kontract::ArrayTools<Space>;
  const auto output = makeView<2, Sacado::Fad::SFad<float, 3>, R, Space>({2, 2}, 3);
  const auto data = makeView<2, Sacado::Fad::DFad<float>, R, Space>({2, 2}, 0);
  const auto full = makeView<2, Sacado::Fad::DFad<float>, R, Space>({2, 2}, 3);
  const auto fields = makeView<3, float, R, Space>({2, 2, 2}, 0);
  writeElements(output, {2, 2}, [](std::size_t, auto& element) { element.val() = 7; });
  const Refusal refusal = refusalOf([&] { Tools::contractDataFieldScalar(output, data, fields); });
  out << refusal.text << "\n";
  TEST_ASSERT(refusal.says("with 3 by its type: constants for it are real numbers"));
  readElements(output, {2, 2},
               [&](std::size_t, auto& element) { TEST_EQUALITY_CONST(element.val(), 7); });
  TEST_NOTHROW(Tools::contractDataFieldScalar(output, full, fields));
  const auto dynamic = makeView<2, Sacado::Fad::DFad<float>, R, Space>({2, 2}, 3);
  TEST_NOTHROW(Tools::contractDataFieldScalar(dynamic, data, fields));
}

}  // namespace
}  // namespace KontractTest
