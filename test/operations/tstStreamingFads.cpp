// SPDX-License-Identifier: BSD-3-Clause
//
// Fads of the host in chunks of cells, copied and on hosts in place, in all orders of memory: the
// same bits as without chunks.

#include "FadArrays.hpp"

// Kontract after Sacado.
#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "Kontract_ArrayTools.hpp"
#include "Kontract_StreamingArrayTools.hpp"

namespace KontractTest {
namespace {

using Device = Kokkos::DefaultExecutionSpace::device_type;
using HostDevice = Kokkos::DefaultHostExecutionSpace::device_type;
using Extents = std::vector<std::size_t>;
constexpr std::size_t cells = 203, fields = 5, points = 7, dims = 3;

Kontract::StreamSettings chunks(bool copies) {
  Kontract::StreamSettings settings;
  settings.cells_per_chunk = 48;
  settings.always_copies = copies;
  return settings;
}

/// Numbers by chance, or NaN.
template <class View>
void fillWith(const View& view, const Extents& extents, bool with_nan) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(0.5, 1);
  const auto next = [&] {
    return with_nan ? std::numeric_limits<double>::quiet_NaN() : any(random);
  };
  writeElements(view, extents, [&](std::size_t, auto& element) {
    if constexpr (is_fad<typename View::non_const_value_type>) {
      element.val() = next();
      for (int i = 0; i < element.size(); ++i) element.fastAccessDx(i) = next();
    } else {
      element = next();
    }
  });
}

/// \return the number of scalars that are not the same
template <class ViewA, class ViewB>
int differences(const ViewA& a, const ViewB& b, const Extents& extents) {
  std::vector<double> scalars;
  int count = 0;
  std::size_t at = 0;
  const auto collect = [&](double x) { scalars.push_back(x); };
  const auto compare = [&](double x) { count += !(x == scalars[at++]); };
  const auto forEachScalar = [&](const auto& view, const auto& f) {
    readElements(view, extents, [&](std::size_t, auto& element) {
      f(element.val());
      for (int i = 0; i < element.size(); ++i) f(element.fastAccessDx(i));
    });
  };
  forEachScalar(a, collect);
  forEachScalar(b, compare);
  return count;
}

/// The arrays of calls, in some memory.
template <class Fad, class Layout, class Memory>
struct Arrays {
  using Real = typename Fad::value_type;
  template <class T>
  using LayoutOf = std::conditional_t<is_fad<T>, Layout, typename inner_layout<Layout>::type>;
  template <class T>
  using ViewOf = Kokkos::DynRankView<T, LayoutOf<T>, Memory>;

  explicit Arrays(int of_derivatives) : derivatives(of_derivatives) {}

  template <class T>
  ViewOf<T> make(const Extents& extents, bool with_nan = false) const {
    const auto view = makeDynRankView<T, LayoutOf<T>, Memory>(extents, derivatives);
    fillWith(view, extents, with_nan);
    return view;
  }

  int derivatives;
  ViewOf<Fad> data = make<Fad>({cells, points}), fads = make<Fad>({cells, fields, points}),
              shared = make<Fad>({fields, points}),
              vectors = make<Fad>({cells, fields, points, dims}),
              data_vectors = make<Fad>({cells, points, dims});
  ViewOf<Real> constants = make<Real>({cells, fields, points}),
               constant_data = make<Real>({cells, points});
};

template <class Fad, class Layout>
class Calls {
 public:
  Calls(int derivatives, bool copies, Teuchos::FancyOStream& to, bool& ok)
      : arrays(derivatives),
        on_host(derivatives),
        streaming(chunks(copies)),
        out(to),
        success(ok) {}

  /// Calls f(tools, output, arrays) of both, with outputs of NaNs, or of numbers: without chunks
  /// where the device has its arrays, in chunks with those of the host.
  template <class F>
  void compare(const std::string& what, const Extents& extents, bool adds, const F& f) {
    const auto whole = arrays.template make<Fad>(extents, !adds);
    const auto in_chunks = on_host.template make<Fad>(extents, !adds);
    f(Kontract::ArrayTools<Device>(), whole, arrays);
    const Kontract::StreamReport report = f(streaming, in_chunks, on_host);
    TEST_EQUALITY_CONST(report.chunks, 5);
    const int wrong = differences(whole, in_chunks, extents);
    TEST_EQUALITY(wrong, 0);
    if (wrong > 0) out << what << ", " << arrays.derivatives << " derivatives\n";
  }

  void run() {
    const Extents cfp{cells, fields, points}, cfpd{cells, fields, points, dims};
    compare("data x constants", {cells, fields}, false,
            [](auto&& tools, const auto& to, const auto& a) {
              return tools.contractDataFieldScalar(to, a.data, a.constants);
            });
    compare("fields x fields", {cells, fields, fields}, true,
            [](auto&& tools, const auto& to, const auto& a) {
              return tools.contractFieldFieldScalar(to, a.fads, a.fads, true);
            });
    compare("constants x fields", {cells, fields, fields}, false,
            [](auto&& tools, const auto& to, const auto& a) {
              return tools.contractFieldFieldScalar(to, a.constants, a.fads);
            });
    compare("multiples", cfp, false, [](auto&& tools, const auto& to, const auto& a) {
      return tools.scalarMultiplyDataField(to, a.data, a.constants);
    });
    compare("quotients of shared fields", cfp, false,
            [](auto&& tools, const auto& to, const auto& a) {
              return tools.scalarMultiplyDataField(to, a.data, a.shared, true);
            });
    compare("dot products", cfp, false, [](auto&& tools, const auto& to, const auto& a) {
      return tools.dotMultiplyDataField(to, a.data_vectors, a.vectors);
    });
    compare("cross products", cfpd, false, [](auto&& tools, const auto& to, const auto& a) {
      return tools.crossProductDataField(to, a.data_vectors, a.vectors);
    });
    compare("copies", cfp, false, [](auto&& tools, const auto& to, const auto& a) {
      return tools.cloneFields(to, a.shared);
    });
    compare("multiples by constants", cfp, false, [](auto&& tools, const auto& to, const auto& a) {
      return tools.scalarMultiplyDataField(to, a.constant_data, a.fads);
    });
  }

  Arrays<Fad, Layout, Device> arrays;
  Arrays<Fad, Layout, HostDevice> on_host;
  Kontract::StreamingArrayTools<Device> streaming;
  Teuchos::FancyOStream& out;
  bool& success;
};

template <class Fad>
void checkAll(int derivatives, Teuchos::FancyOStream& out, bool& success) {
  for (const bool copies : {false, true}) {
    Calls<Fad, Kokkos::LayoutRight>(derivatives, copies, out, success).run();
    Calls<Fad, Kokkos::LayoutLeft>(derivatives, copies, out, success).run();
    Calls<Fad, LayoutContiguous<Kokkos::LayoutLeft>>(derivatives, copies, out, success).run();
  }
}

TEUCHOS_UNIT_TEST(StreamingFads, sameBitsOfDoubles) {
  checkAll<Sacado::Fad::DFad<double>>(1, out, success);
  checkAll<Sacado::Fad::DFad<double>>(8, out, success);
}
TEUCHOS_UNIT_TEST(StreamingFads, sameBitsOfFloats) {
  checkAll<Sacado::Fad::SFad<float, 5>>(5, out, success);
}

#ifdef KONTRACT_TEST_HAS_PARTITIONS
/// Multiplies Fads by numbers, in views of some derivatives of both, whose values follow all of
/// them. \return the number of scalars that are not what they should be: products of these
/// derivatives and of the values, and what they were elsewhere
template <class Tools>
int multiplySome(Tools&& tools, int derivatives, int first, int step) {
  using Fad = Sacado::Fad::DFad<double>;
  using View = Kokkos::View<Fad**, LayoutContiguous<Kokkos::LayoutRight>, HostDevice>;
  const std::size_t scalars = std::size_t(derivatives) + 1;
  const View factor("factor", cells, points, scalars), to("to", cells, points, scalars);
  const Kokkos::View<double**, Kokkos::LayoutRight, HostDevice> data("data", cells, points);
  fillWith(factor, {cells, points}, false);
  fillWith(to, {cells, points}, true);
  fillWith(data, {cells, points}, false);
  const auto some = [&](const View& of) { return Kokkos::partition<0>(of, first, step); };
  tools.scalarMultiplyDataData(some(to), data, some(factor));
  int wrong = 0;
  for (std::size_t c = 0; c < cells; ++c) {
    for (std::size_t p = 0; p < points; ++p) {
      const auto product = to(c, p);
      const auto right = factor(c, p);
      wrong += !(product.val() == data(c, p) * right.val());
      for (int d = 0; d < derivatives; ++d) {
        const double x = product.fastAccessDx(d);
        const bool is_asked = d >= first && (d - first) % step == 0;
        wrong += is_asked ? !(x == data(c, p) * right.fastAccessDx(d)) : !std::isnan(x);
      }
    }
  }
  return wrong;
}

TEUCHOS_UNIT_TEST(StreamingFads, viewsOfSomeDerivatives) {
  for (const int derivatives : {1, 3, 4, 5, 7}) {
    for (const int step : {1, 2, 3, 4}) {
      for (int first = 0; first < std::min(step, derivatives); ++first) {
        out << derivatives << " derivatives, from " << first << " on by " << step << "\n";
        const auto wrongOf = [&](auto&& tools) {
          return multiplySome(tools, derivatives, first, step);
        };
        TEST_EQUALITY_CONST(wrongOf(Kontract::ArrayTools<HostDevice>()), 0);
        for (const bool copies : {false, true}) {
          TEST_EQUALITY_CONST(wrongOf(Kontract::StreamingArrayTools<Device>(chunks(copies))), 0);
        }
      }
    }
  }
}
#endif

}  // namespace
}  // namespace KontractTest
