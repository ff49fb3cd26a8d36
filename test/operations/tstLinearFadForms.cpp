// SPDX-License-Identifier: BSD-3-Clause
//
// Forms whose coefficients and vectors are Fads, and whose geometry and values are numbers: they
// are computed component by component, by all algorithms that numbers have, and have to be what the
// arithmetic of Fads gives, which the same calls take where Jacobians are Fads, too.

#include "FadArrays.hpp"

// Kontract after Sacado.
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "KeepLargest.hpp"
#include "Kontract_Explain.hpp"
#include "Kontract_Integration.hpp"
#include "Kontract_TensorBasis.hpp"
#include "Refusal.hpp"
#include "Tuning.hpp"

namespace KontractTest {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;
using Kontract::Form;
using Kontract::FunctionSpace;
constexpr bool on_host = Kontract::Impl::is_host_space<Space>;
constexpr int dims = 3, functions = 3, line = 4, derivatives = 3;
constexpr int fields = functions * functions * functions, points = line * line * line;
/// So many cells that devices compute all vectors and products by components, and not by the
/// arithmetic of Fads. Matrices of fewer cells are work enough.
constexpr int many_cells = 300;

/// What forms are made of, in the memory of a space: the same numbers in each.
template <class Fad, class Layout, class Memory>
class Arrays {
 public:
  using Real = typename Fad::value_type;
  template <class T>
  using Array = Kokkos::View<T, Layout, Memory>;
  using Table = std::array<Array<Real**>, 3>;

  explicit Arrays(int cells)
      : jacobians("jacobians", cells, points, dims, dims),
        moving("the same as Fads", cells, points, dims, dims, derivatives + 1),
        weights("weights", points),
        k("k", cells, points, derivatives + 1),
        mu("mu", cells, points, derivatives + 1),
        b("b", cells, points, dims, derivatives + 1),
        constant("constant", cells, points),
        signs("signs", cells, fields),
        plain_values("values", fields, points),
        gradients("gradients", fields, points, dims) {
    std::mt19937 random(17);
    draw(jacobians, random), draw(weights, random), draw(constant, random), draw(signs, random);
    draw(k, random), draw(mu, random), draw(b, random);
    draw(plain_values, random), draw(gradients, random);
    const auto numbers = readOnHost(jacobians);
    writeOnHost(moving, [&](const auto& fads) {
      for (int c = 0; c < cells; ++c) {
        for (int p = 0; p < points; ++p) {
          for (int i = 0; i < dims; ++i) {
            numbers(c, p, i, i) += 4;
            for (int j = 0; j < dims; ++j) fads(c, p, i, j) = Fad(numbers(c, p, i, j));
          }
        }
      }
    });
    Kokkos::deep_copy(jacobians, numbers);
    for (std::size_t d = 0; d < dims; ++d) {
      _values[d] = table(functions, random);
      _slopes[d] = table(functions, random);
      _open[d] = table(functions - 1, random);
    }
  }

  auto nodes() const { return Kontract::tensorBasis(_values, _slopes); }
  auto edges() const { return Kontract::tensorBasis(FunctionSpace::HCURL, nodes(), _open); }
  /// A vector of Fads or of numbers.
  template <class X>
  auto vector(int of_fields) const {
    std::mt19937 random(static_cast<unsigned>(of_fields));
    const auto view =
        makeView<2, X, Layout, Memory>({constant.extent(0), std::size_t(of_fields)}, derivatives);
    draw(view, random);
    return view;
  }

  Array<Real****> jacobians;
  Array<Fad****> moving;
  Array<Real*> weights;
  Array<Fad**> k, mu;
  Array<Fad***> b;
  Array<Real**> constant, signs, plain_values;
  Array<Real***> gradients;

 private:
  template <class View>
  static void draw(const View& view, std::mt19937& random) {
    std::uniform_real_distribution<double> any(-1, 1);
    writeElements(view, extentsOf(view), [&](std::size_t, auto& element) {
      if constexpr (is_fad<typename View::non_const_value_type>) {
        element.val() = Real(any(random));
        for (int d = 0; d < derivatives; ++d) element.fastAccessDx(d) = Real(any(random));
      } else {
        element = Real(any(random));
      }
    });
  }
  static Array<Real**> table(int count, std::mt19937& random) {
    const Array<Real**> view("table", count, line);
    draw(view, random);
    return view;
  }

  Table _values, _slopes, _open;
};

template <class Fad, class Layout>
class Check {
 public:
  using Real = typename Fad::value_type;

  Check(int cells, bool sum_into, Teuchos::FancyOStream& out, bool& success)
      : _cells(cells),
        _sum_into(sum_into),
        _out(out),
        _success(success),
        _arrays(cells),
        _on_host(cells) {}

  void run() {
    const auto diffusion = [](const auto& a) {
      return Kontract::term(Form::gradGrad(), a.nodes(), a.nodes(), a.k)
          .withSigns(a.signs, a.signs);
    };
    const auto elasticity = [](const auto& a) {
      return Kontract::term(Form::elasticity(), a.nodes(), a.nodes(), a.k, a.mu);
    };
    const auto of_slopes = [](const auto& a) {
      return Kontract::load(Form::gradGrad(), a.nodes(), a.b);
    };
    products(fields, diffusion);
    products(3 * fields, elasticity);
    vectors(fields, of_slopes);
    if (_cells < many_cells) matrices(fields, diffusion);
    refusesBeforeItWrites();
    if (on_host || _cells == many_cells) choosesAsForNumbers();
    // Each type of call has kernels of the arithmetic of Fads, too, which compilers for devices
    // take long for.
    if constexpr (on_host) runAllOthers(diffusion, elasticity);
  }

 private:
  template <class Diffusion, class Elasticity>
  void runAllOthers(const Diffusion& diffusion, const Elasticity& elasticity) {
    constexpr int of_edges = 3 * (functions - 1) * functions * functions;
    const auto of_constant = [](const auto& a) {
      return Kontract::term(Form::mass(FunctionSpace::HGRAD), a.nodes(), a.nodes(), a.constant);
    };
    const auto of_arrays = [](const auto& a) {
      return Kontract::term(Form::gradGrad(), a.gradients, a.gradients, a.k);
    };
    products(fields, of_constant, [](const auto& a) {
      return Kontract::term(Form::gradGrad(), a.nodes(), a.nodes(), a.mu);
    });
    products(fields, [](const auto& a) {
      return Kontract::term(Form::advection(), a.nodes(), a.nodes(), a.b);
    });
    products(of_edges, [](const auto& a) {
      return Kontract::term(Form::curlCurl(), a.edges(), a.edges(), a.k);
    });
    products(fields, of_arrays);
    // Of a constant coefficient and numbers.
    products<Real>(fields, diffusion);
    products(fields, of_constant);
    vectors(
        fields,
        [](const auto& a) {
          return Kontract::load(Form::source(FunctionSpace::HGRAD), a.plain_values, a.k);
        },
        [](const auto& a) { return Kontract::load(Form::gradGrad(), a.gradients, a.b); });
    vectors(of_edges, [](const auto& a) {
      return Kontract::load(Form::source(FunctionSpace::HCURL), a.edges(), a.b);
    });
    severalVectors<Fad>(diffusion);
    severalVectors<Real>(diffusion);
    severalVectors<Fad>(of_constant, diffusion);
    matrices(fields, of_constant, of_arrays);
    matrices(3 * fields, elasticity);
    // Derivatives would be without components; one of two parameters is a number.
    matrices(
        3 * fields,
        [](const auto& a) {
          return Kontract::term(Form::elasticity(), a.nodes(), a.nodes(), a.constant, a.constant);
        },
        [](const auto& a) {
          return Kontract::term(Form::mass(FunctionSpace::HGRAD), a.nodes(), a.nodes(), a.k);
        });
    matrices(3 * fields, [](const auto& a) {
      return Kontract::term(Form::elasticity(), a.nodes(), a.nodes(), a.k, a.constant);
    });
  }

  /// What is chosen is what numbers have, and not plain sums alone.
  void choosesAsForNumbers() {
    const auto y = zeros<Fad**>(fields);
    Kontract::Integration<Space>::vectors(
        y, Kontract::geometry(_arrays.jacobians, _arrays.weights),
        Kontract::load(Form::gradGrad(), _arrays.nodes(), _arrays.b));
    Teuchos::FancyOStream& out = _out;
    bool& success = _success;
    const Kontract::Explanation ran = Kontract::explain();
    if (on_host) TEST_EQUALITY(ran.algorithm, "Register Blocking");
    TEST_INEQUALITY(ran.algorithm, "Flat");
    countsAllComponents(y, ran);
  }

  /// Flops are those of the derivatives and of the value, which a load of numbers has once.
  template <class Output>
  void countsAllComponents(const Output& y, const Kontract::Explanation& ran) {
    Teuchos::FancyOStream& out = _out;
    bool& success = _success;
    const auto geometry = Kontract::geometry(_arrays.jacobians, _arrays.weights);
    const auto nodes = _arrays.nodes();
    const auto load = Kontract::load(Form::gradGrad(), nodes, _arrays.b);
    const Kokkos::View<Real**, Layout, Space> numbers("numbers", _cells, fields);
    const Kokkos::View<Real***, Layout, Space> b("b", _cells, points, dims);
    const double of_numbers = Kontract::explain<Space>("vectors", numbers, geometry,
                                                       Kontract::load(Form::gradGrad(), nodes, b))
                                  .flops;
    TEST_FLOATING_EQUALITY(ran.flops, (derivatives + 1) * of_numbers, 1e-14);
    TEST_ASSERT(ran.why.find("forms of scalars for derivatives") != std::string::npos);
    const auto told = Kontract::explain<Space>("vectors", y, geometry, load);
    TEST_EQUALITY(told.flops, ran.flops);
    TEST_EQUALITY(told.why, ran.why);
    TEST_EQUALITY(Kontract::explain().flops, ran.flops);  // of the last call, as before
  }

  /// An algorithm for derivatives that is none for values, whose terms are more.
  void refusesBeforeItWrites() {
    const auto x = zeros<Fad**>(fields), y = zeros<Fad**>(fields);
    writeElements(y, extentsOf(y), [](std::size_t, auto& element) { element.val() = 5; });
    Teuchos::ParameterList list("Kontract");
    list.set("Algorithm", "Team Reduction");
    const auto nodes = _arrays.nodes();
    const Refusal refusal = refusalOf([&] {
      Kontract::Integration<Space>::apply(
          y, x, Kontract::geometry(_arrays.jacobians, _arrays.weights),
          Kontract::term(Form::gradGrad(), nodes, nodes, _arrays.k),
          Kontract::term(Form::gradGrad(), _arrays.gradients, _arrays.gradients, _arrays.constant),
          Kontract::Options(list));
    });
    Teuchos::FancyOStream& out = _out;
    bool& success = _success;
    out << refusal.text << "\n";
    TEST_ASSERT(refusal.says("Team Reduction"));
    readElements(y, extentsOf(y), [&](std::size_t, auto& element) {
      TEST_ASSERT(element.val() == 5 && element.fastAccessDx(0) == 0);
    });
  }

  /// \param terms  functions that make terms of arrays
  template <class X = Fad, class... Terms>
  void products(int of_fields, const Terms&... terms) {
    compare<Fad**>(
        [&](auto integration, const auto& y, const auto& geometry, const auto& arrays) {
          integration.apply(y, arrays.template vector<X>(of_fields), geometry, terms(arrays)...,
                            _sum_into);
        },
        of_fields);
  }
  /// Products with several vectors at once, of Fads or of numbers, against those with each.
  template <class X, class... Terms>
  void severalVectors(const Terms&... terms) {
    constexpr int several = 3;
    using Integration = Kontract::Integration<Space>;
    const auto geometry = Kontract::geometry(_arrays.jacobians, _arrays.weights);
    const auto makeVectors = [&](int v) {
      return makeView<3, X, Layout, Space>(
          {std::size_t(_cells), std::size_t(fields), std::size_t(v)}, derivatives);
    };
    const auto xs = makeVectors(several);
    for (int c = 0, n = 0; c < _cells; ++c) {
      for (int f = 0; f < fields; ++f) {
        for (int v = 0; v < several; ++v, ++n) {
          xs(c, f, v) = X(Real(n % 11 - 5));
          if constexpr (is_fad<X>) {
            for (int d = 0; d < derivatives; ++d) xs(c, f, v).fastAccessDx(d) = Real(n % 7 + d);
          }
        }
      }
    }
    const auto ys = zeros<Fad***>(fields, several);
    fillBefore(ys);
    Integration::apply(ys, xs, geometry, terms(_arrays)..., _sum_into);
    long double difference = 0, size = 1;
    for (int v = 0; v < several; ++v) {
      const auto x =
          makeView<2, X, Layout, Space>({std::size_t(_cells), std::size_t(fields)}, derivatives);
      const auto y = zeros<Fad**>(fields);
      for (int c = 0; c < _cells; ++c) {
        for (int f = 0; f < fields; ++f) x(c, f) = X(xs(c, f, v));
      }
      fillBefore(y);
      Integration::apply(y, x, geometry, terms(_arrays)..., _sum_into);
      for (int c = 0; c < _cells; ++c) {
        for (int f = 0; f < fields; ++f) {
          const Fad found = ys(c, f, v), wanted = y(c, f);
          keepLargest(difference, (long double)(std::abs(found.val() - wanted.val())));
          size = std::max(size, (long double)(std::abs(wanted.val())));
          for (int d = 0; d < derivatives; ++d) {
            keepLargest(difference, (long double)(std::abs(found.dx(d) - wanted.dx(d))));
            size = std::max(size, (long double)(std::abs(wanted.dx(d))));
          }
        }
      }
    }
    Teuchos::FancyOStream& out = _out;
    bool& success = _success;
    TEST_COMPARE(difference, <=, 1000 * (long double)(std::numeric_limits<Real>::epsilon()) * size);
  }
  template <class... Terms>
  void matrices(int of_fields, const Terms&... terms) {
    compare<Fad***>(
        [&](auto integration, const auto& y, const auto& geometry, const auto& arrays) {
          integration.matrices(y, geometry, terms(arrays)..., _sum_into);
        },
        of_fields, of_fields);
  }
  template <class... Loads>
  void vectors(int of_fields, const Loads&... loads) {
    compare<Fad**>(
        [&](auto integration, const auto& y, const auto& geometry, const auto& arrays) {
          integration.vectors(y, geometry, loads(arrays)..., _sum_into);
        },
        of_fields);
  }

  /// Calls with Jacobians that are numbers, and on the host with the same as Fads.
  template <class Data, class Call, class... Extents>
  void compare(const Call& call, Extents... extents) {
    const auto found = zeros<Data>(extents...);
    const auto wanted = zeros<Data, Host>(extents...);
    fillBefore(found), fillBefore(wanted);
    call(Kontract::Integration<Space>(), found,
         Kontract::geometry(_arrays.jacobians, _arrays.weights), _arrays);
    call(Kontract::Integration<Host>(), wanted,
         Kontract::geometry(_on_host.moving, _on_host.weights), _on_host);
    long double difference = 0, size = 1;
    std::vector<Fad> all;
    readElements(wanted, extentsOf(wanted), [&](std::size_t, auto& x) { all.push_back(x); });
    readElements(found, extentsOf(found), [&](std::size_t n, auto& x) {
      const Fad& of = all[n];
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

  template <class Data, class Memory = Space, class... Extents>
  auto zeros(Extents... extents) const {
    return Kokkos::View<Data, Layout, Memory>("array", _cells, extents..., derivatives + 1);
  }
  /// What outputs hold before a call.
  template <class View>
  void fillBefore(const View& view) const {
    const Real before = _sum_into ? Real(2) : std::numeric_limits<Real>::quiet_NaN();
    writeElements(view, extentsOf(view), [&](std::size_t, auto& x) {
      x.val() = before;
      for (int d = 0; d < derivatives; ++d) x.fastAccessDx(d) = before + Real(d);
    });
  }

  int _cells;
  bool _sum_into;
  Teuchos::FancyOStream& _out;
  bool& _success;
  Arrays<Fad, Layout, Space> _arrays;
  Arrays<Fad, Layout, Host> _on_host;
};

/// \tparam Layout  of arrays on devices, for which compilers take too long to have both for each
/// Fad
template <class Fad, class Layout>
void check(Teuchos::FancyOStream& out, bool& success) {
  const TuningFile file("LinearFadForms");
  if constexpr (on_host) {
    Check<Fad, Kokkos::LayoutRight>(1, false, out, success).run();
    Check<Fad, Kokkos::LayoutRight>(3, false, out, success).run();
    Check<Fad, Kokkos::LayoutLeft>(9, true, out, success).run();
  } else {
    Check<Fad, Layout>(1, false, out, success).run();
    Check<Fad, Layout>(9, true, out, success).run();
    Check<Fad, Layout>(many_cells, false, out, success).run();
    Check<Fad, Layout>(many_cells, true, out, success).run();
  }
}

#ifndef KONTRACT_TEST_FLOAT
/// Fads that may have derivatives and have none are numbers; an output whose derivatives come from
/// nowhere has zeros of one vector, and is refused of several ones, which have no other way.
class Few {
 public:
  using Fad = Sacado::Fad::DFad<double>;
  template <class T>
  using Array = Kokkos::View<T, Kokkos::LayoutRight, Space>;
  static constexpr int cells = 20, nodes = 8, cubature = 8, several = 2;

  Few()
      : jacobians("jacobians", cells, cubature, dims, dims),
        weights("weights", cubature),
        gradients("gradients", nodes, cubature, dims),
        k("k", cells, cubature),
        x("x", cells, nodes),
        xs("xs", cells, nodes, several) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> any(0.5, 1);
    const auto fill = [&](const auto& view) {
      for (std::size_t i = 0; i < view.size(); ++i) view.data()[i] = any(random);
    };
    fill(jacobians), fill(weights), fill(gradients), fill(k), fill(x), fill(xs);
    for (int c = 0; c < cells; ++c) {
      for (int p = 0; p < cubature; ++p) {
        for (int i = 0; i < dims; ++i) jacobians(c, p, i, i) += 3;
      }
    }
  }
  auto geometry() const { return Kontract::geometry(jacobians, weights); }
  template <class K>
  auto term(const K& coefficient) const {
    return Kontract::term(Form::gradGrad(), gradients, gradients, coefficient);
  }
  /// The same numbers as Fads without derivatives.
  template <class Data, class Numbers, class... Extents>
  static Array<Data> fadsOf(const Numbers& numbers, Extents... extents) {
    const Array<Data> fads("fads", extents..., 1);
    std::vector<double> all(numbers.data(), numbers.data() + numbers.size());
    writeElements(fads, extentsOf(fads),
                  [&](std::size_t n, auto& element) { element.val() = all[n]; });
    return fads;
  }
  template <class Fads, class Numbers>
  static bool areSame(const Fads& fads, const Numbers& numbers) {
    bool are = true;
    readElements(fads, extentsOf(fads), [&](std::size_t n, auto& element) {
      are =
          are && std::abs(element.val() - numbers.data()[n]) <= 1e-12 * std::abs(numbers.data()[n]);
    });
    return are;
  }

  Array<double****> jacobians;
  Array<double*> weights;
  Array<double***> gradients;
  Array<double**> k, x;
  Array<double***> xs;
};

TEUCHOS_UNIT_TEST(LinearFadForms, noDerivatives) {
  if constexpr (on_host) {
    using Integration = Kontract::Integration<Space>;
    using Fad = Few::Fad;
    const Few few;
    const auto k = Few::fadsOf<Fad**>(few.k, Few::cells, Few::cubature);
    const auto x = Few::fadsOf<Fad**>(few.x, Few::cells, Few::nodes);
    const auto xs = Few::fadsOf<Fad***>(few.xs, Few::cells, Few::nodes, Few::several);
    const Few::Array<double**> y("y", Few::cells, Few::nodes);
    const Few::Array<double***> ys("ys", Few::cells, Few::nodes, Few::several);
    const Few::Array<double***> matrices("matrices", Few::cells, Few::nodes, Few::nodes);
    const auto its_y = Few::fadsOf<Fad**>(y, Few::cells, Few::nodes);
    const auto its_ys = Few::fadsOf<Fad***>(ys, Few::cells, Few::nodes, Few::several);
    const auto its_matrices = Few::fadsOf<Fad***>(matrices, Few::cells, Few::nodes, Few::nodes);
    for (const bool sum_into : {false, true}) {
      Integration::apply(y, few.x, few.geometry(), few.term(few.k), sum_into);
      Integration::apply(its_y, x, few.geometry(), few.term(k), sum_into);
      TEST_ASSERT(Few::areSame(its_y, y));
      Integration::apply(ys, few.xs, few.geometry(), few.term(few.k), sum_into);
      Integration::apply(its_ys, xs, few.geometry(), few.term(k), sum_into);
      TEST_ASSERT(Few::areSame(its_ys, ys));
      Integration::matrices(matrices, few.geometry(), few.term(few.k), sum_into);
      Integration::matrices(its_matrices, few.geometry(), few.term(k), sum_into);
      TEST_ASSERT(Few::areSame(its_matrices, matrices));
    }
  }
}

TEUCHOS_UNIT_TEST(LinearFadForms, derivativesFromNowhere) {
  if constexpr (on_host) {
    using Integration = Kontract::Integration<Space>;
    using Fad = Few::Fad;
    const Few few;
    const Few::Array<Fad**> y("y", Few::cells, Few::nodes, derivatives + 1);
    const Few::Array<Fad***> ys("ys", Few::cells, Few::nodes, Few::several, derivatives + 1);
    const auto fill = [](auto& element) {
      element.val() = 5;
      for (int d = 0; d < derivatives; ++d) element.fastAccessDx(d) = 7;
    };
    writeElements(y, extentsOf(y), [&](std::size_t, auto& element) { fill(element); });
    writeElements(ys, extentsOf(ys), [&](std::size_t, auto& element) { fill(element); });
    Integration::apply(y, few.x, few.geometry(), few.term(few.k));
    readElements(y, extentsOf(y), [&](std::size_t, auto& element) {
      TEST_ASSERT(element.val() != 5 && element.dx(0) == 0);
    });
    const Refusal refusal =
        refusalOf([&] { Integration::apply(ys, few.xs, few.geometry(), few.term(few.k)); });
    out << refusal.text << "\n";
    TEST_ASSERT(refusal.says("several vectors"));
    readElements(ys, extentsOf(ys), [&](std::size_t, auto& element) {
      TEST_ASSERT(element.val() == 5 && element.dx(0) == 7);
    });
  }
}
#endif

// Two types for two tests: compilers take two thirds of the time for one of them.
#ifdef KONTRACT_TEST_FLOAT
TEUCHOS_UNIT_TEST(LinearFadForms, DFadOfFloat) {
  check<Sacado::Fad::DFad<float>, Kokkos::LayoutLeft>(out, success);
}
#else
TEUCHOS_UNIT_TEST(LinearFadForms, SFad) {
  check<Sacado::Fad::SFad<double, derivatives>, Kokkos::LayoutRight>(out, success);
}
#endif

}  // namespace
}  // namespace KontractTest
