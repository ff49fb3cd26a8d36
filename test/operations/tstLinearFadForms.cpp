// SPDX-License-Identifier: BSD-3-Clause
//
// Forms whose coefficients and vectors are Fads, and whose geometry and values are numbers: they
// are computed component by component, by all algorithms that numbers have, and have to be what the
// arithmetic of Fads gives, which the same calls take where Jacobians are Fads, too.

#include <Sacado.hpp>
#include <array>
#include <cmath>
#include <random>
#include <type_traits>
#include <vector>

// Kontract after Sacado.
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>

#include "KeepLargest.hpp"
#include "Kontract_Explain.hpp"
#include "Kontract_Integration.hpp"
#include "Kontract_TensorBasis.hpp"
#include "Refusal.hpp"
#include "Tuning.hpp"

namespace KontractTest {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Integration = Kontract::Integration<Space>;
using Kontract::Form;
using Kontract::FunctionSpace;
constexpr int dims = 3, functions = 3, line = 4, derivatives = 3;
constexpr int fields = functions * functions * functions, points = line * line * line;

template <class Fad, class Layout>
class Check {
 public:
  using Real = typename Fad::value_type;
  template <class T>
  using Array = Kokkos::View<T, Layout, Space>;
  using Fads2 = Array<Fad**>;

  Check(int cells, bool sum_into, Teuchos::FancyOStream& out, bool& success)
      : _cells(cells),
        _sum_into(sum_into),
        _out(out),
        _success(success),
        _jacobians("jacobians", cells, points, dims, dims),
        _moving("the same as Fads", cells, points, dims, dims, derivatives + 1),
        _weights("weights", points),
        _k("k", cells, points, derivatives + 1),
        _mu("mu", cells, points, derivatives + 1),
        _b("b", cells, points, dims, derivatives + 1),
        _constant("constant", cells, points) {
    draw(_jacobians), draw(_weights), draw(_constant);
    for (int c = 0; c < cells; ++c) {
      for (int p = 0; p < points; ++p) {
        for (int i = 0; i < dims; ++i) {
          _jacobians(c, p, i, i) += 4;
          for (int j = 0; j < dims; ++j) _moving(c, p, i, j) = Fad(_jacobians(c, p, i, j));
          _b(c, p, i) = drawn();
        }
        _k(c, p) = drawn();
        _mu(c, p) = drawn();
      }
    }
    for (int d = 0; d < dims; ++d) {
      _values[std::size_t(d)] = table(functions);
      _slopes[std::size_t(d)] = table(functions);
      _open[std::size_t(d)] = table(functions - 1);
    }
  }

  void run() {
    const auto nodes = Kontract::tensorBasis(_values, _slopes);
    const auto edges = Kontract::tensorBasis(FunctionSpace::HCURL, nodes, _open);
    const int of_edges = 3 * (functions - 1) * functions * functions;
    const Array<Real***> gradients("gradients", fields, points, dims);
    const Array<Real**> values("values", fields, points);
    draw(gradients), draw(values);
    const auto signs = Array<Real**>("signs", _cells, fields);
    draw(signs);
    const Form stiffness = Form::gradGrad(), mass = Form::mass(FunctionSpace::HGRAD);
    const auto diffusion = Kontract::term(stiffness, nodes, nodes, _k).withSigns(signs, signs);
    const auto of_constant = Kontract::term(mass, nodes, nodes, _constant);
    products(fields, fields, diffusion);
    products(fields, fields, of_constant, Kontract::term(stiffness, nodes, nodes, _mu));
    products(fields, fields, Kontract::term(Form::advection(), nodes, nodes, _b));
    products(of_edges, of_edges, Kontract::term(Form::curlCurl(), edges, edges, _k));
    products(3 * fields, 3 * fields, Kontract::term(Form::elasticity(), nodes, nodes, _k, _mu));
    products(fields, fields, Kontract::term(stiffness, gradients, gradients, _k));
    // Of a constant coefficient and numbers.
    products<Real>(fields, fields, diffusion);
    products(fields, fields, of_constant);
    matrices(fields, diffusion);
    matrices(fields, of_constant, Kontract::term(stiffness, gradients, gradients, _k));
    matrices(3 * fields, Kontract::term(Form::elasticity(), nodes, nodes, _k, _mu));
    vectors(fields, Kontract::load(stiffness, nodes, _b));
    vectors(fields, Kontract::load(Form::source(FunctionSpace::HGRAD), values, _k),
            Kontract::load(stiffness, gradients, _b));
    vectors(of_edges, Kontract::load(Form::source(FunctionSpace::HCURL), edges, _b));
    // Derivatives would be without components; one of two parameters is a number.
    matrices(3 * fields, Kontract::term(Form::elasticity(), nodes, nodes, _constant, _constant),
             Kontract::term(mass, nodes, nodes, _k));
    matrices(3 * fields, Kontract::term(Form::elasticity(), nodes, nodes, _k, _constant));
    refusesBeforeItWrites(nodes, gradients);
    // What is chosen is what numbers have, and not plain sums alone.
    const Fads2 y("y", _cells, fields, derivatives + 1);
    Integration::vectors(y, Kontract::geometry(_jacobians, _weights),
                         Kontract::load(stiffness, nodes, _b));
    Teuchos::FancyOStream& out = _out;
    bool& success = _success;
    TEST_EQUALITY(Kontract::explain().algorithm, "Register Blocking");
  }

 private:
  template <class View>
  void draw(const View& view) {
    std::uniform_real_distribution<double> any(-1, 1);
    for (std::size_t i = 0; i < view.size(); ++i) view.data()[i] = Real(any(_random));
  }
  Fad drawn() {
    std::uniform_real_distribution<double> any(-1, 1);
    Fad fad(derivatives, Real(any(_random)));
    for (int d = 0; d < derivatives; ++d) fad.fastAccessDx(d) = Real(any(_random));
    return fad;
  }
  Array<Real**> table(int count) {
    const Array<Real**> view("table", count, line);
    draw(view);
    return view;
  }

  /// An algorithm for derivatives that is none for values, whose terms are more.
  template <class Nodes, class Gradients>
  void refusesBeforeItWrites(const Nodes& nodes, const Gradients& gradients) {
    const Fads2 x("x", _cells, fields, derivatives + 1), y("y", _cells, fields, derivatives + 1);
    Kokkos::deep_copy(y, Fad(5));
    Teuchos::ParameterList list("Kontract");
    list.set("Algorithm", "Team Reduction");
    const Form stiffness = Form::gradGrad();
    const Refusal refusal = refusalOf([&] {
      Integration::apply(y, x, Kontract::geometry(_jacobians, _weights),
                         Kontract::term(stiffness, nodes, nodes, _k),
                         Kontract::term(stiffness, gradients, gradients, _constant),
                         Kontract::Options(list));
    });
    Teuchos::FancyOStream& out = _out;
    bool& success = _success;
    out << refusal.text << "\n";
    TEST_ASSERT(refusal.says("Team Reduction"));
    forEach(y, [&](auto&& element) {
      TEST_ASSERT(element.val() == 5 && element.fastAccessDx(0) == 0);
    });
  }

  template <class X = Fad, class... Terms>
  void products(int lefts, int rights, const Terms&... terms) {
    const auto x = [&] {
      if constexpr (std::is_same_v<X, Fad>) {
        const Fads2 vector("x", _cells, rights, derivatives + 1);
        for (int c = 0; c < _cells; ++c) {
          for (int r = 0; r < rights; ++r) vector(c, r) = drawn();
        }
        return vector;
      } else {
        const Array<Real**> vector("x", _cells, rights);
        draw(vector);
        return vector;
      }
    }();
    compare<Fads2>(
        [&](const auto& y, const auto& geometry) {
          Integration::apply(y, x, geometry, terms..., _sum_into);
        },
        lefts);
  }
  template <class... Terms>
  void matrices(int lefts, const Terms&... terms) {
    compare<Array<Fad***>>(
        [&](const auto& y, const auto& geometry) {
          Integration::matrices(y, geometry, terms..., _sum_into);
        },
        lefts, lefts);
  }
  template <class... Loads>
  void vectors(int lefts, const Loads&... loads) {
    compare<Fads2>(
        [&](const auto& y, const auto& geometry) {
          Integration::vectors(y, geometry, loads..., _sum_into);
        },
        lefts);
  }

  template <class View, class Call, class... Extents>
  void compare(const Call& call, Extents... extents) {
    const View found("found", _cells, extents..., derivatives + 1),
        wanted("wanted", _cells, extents..., derivatives + 1);
    for (const View& view : {found, wanted}) {
      const Real before = _sum_into ? Real(2) : std::numeric_limits<Real>::quiet_NaN();
      forEach(view, [&](auto&& x) {
        x.val() = before;
        for (int d = 0; d < derivatives; ++d) x.fastAccessDx(d) = before + Real(d);
      });
    }
    call(found, Kontract::geometry(_jacobians, _weights));
    call(wanted, Kontract::geometry(_moving, _weights));
    long double difference = 0, size = 1;
    std::vector<Fad> all;
    forEach(wanted, [&](auto&& x) { all.push_back(x); });
    std::size_t place = 0;
    forEach(found, [&](auto&& x) {
      const Fad& of = all[place++];
      keepLargest(difference, (long double)(std::abs(x.val() - of.val())));
      size = std::max(size, (long double)(std::abs(of.val())));
      for (int d = 0; d < derivatives; ++d) {
        keepLargest(difference, (long double)(std::abs(x.fastAccessDx(d) - of.fastAccessDx(d))));
      }
    });
    Teuchos::FancyOStream& out = _out;
    bool& success = _success;
    const long double tolerance = 1000 * (long double)(std::numeric_limits<Real>::epsilon());
    TEST_COMPARE(difference, <=, tolerance * size);
  }
  template <class F>
  static void forEach(const Fads2& view, const F& f) {
    for (std::size_t i = 0; i < view.extent(0); ++i) {
      for (std::size_t j = 0; j < view.extent(1); ++j) f(view(i, j));
    }
  }
  template <class F>
  static void forEach(const Array<Fad***>& view, const F& f) {
    for (std::size_t i = 0; i < view.extent(0); ++i) {
      for (std::size_t j = 0; j < view.extent(1); ++j) {
        for (std::size_t k = 0; k < view.extent(2); ++k) f(view(i, j, k));
      }
    }
  }

  int _cells;
  bool _sum_into;
  Teuchos::FancyOStream& _out;
  bool& _success;
  std::mt19937 _random{17};
  Array<Real****> _jacobians;
  Array<Fad****> _moving;
  Array<Real*> _weights;
  Fads2 _k, _mu;
  Array<Fad***> _b;
  Array<Real**> _constant;
  std::array<Array<Real**>, 3> _values, _slopes, _open;
};

template <class Fad>
void check(Teuchos::FancyOStream& out, bool& success) {
  const TuningFile file("LinearFadForms");
  Check<Fad, Kokkos::LayoutRight>(1, false, out, success).run();
  Check<Fad, Kokkos::LayoutRight>(3, false, out, success).run();
  Check<Fad, Kokkos::LayoutLeft>(9, true, out, success).run();
}

TEUCHOS_UNIT_TEST(LinearFadForms, SFad) {
  check<Sacado::Fad::SFad<double, derivatives>>(out, success);
}
TEUCHOS_UNIT_TEST(LinearFadForms, DFadOfFloat) { check<Sacado::Fad::DFad<float>>(out, success); }

}  // namespace
}  // namespace KontractTest
