// SPDX-License-Identifier: BSD-3-Clause
//
// Diagonals of forms, and blocks of them, are those of the matrices that the same calls make, which
// other tests compare with plain loops; and matrices of transposed terms are the transposed ones.

#ifdef KONTRACT_TEST_SACADO
#include "FadArrays.hpp"
#endif

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "KeepLargest.hpp"
#include "Kontract_CellGraph.hpp"
#include "Kontract_Explain.hpp"
#include "Kontract_Integration.hpp"
#include "Kontract_LinearConstraints.hpp"
#include "Refusal.hpp"
#include "Runner.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Kontract::Pullback;
constexpr int cells = 7, points = 6;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Arrays by chance on a space, and what is compared.
template <class Space, class Real>
class Checks {
 public:
  using Memory = typename Space::memory_space;
  using Integration = Kontract::Integration<Space>;
  using real_type = Real;
  template <class T, class Layout = Kokkos::LayoutLeft>
  using Array = Kokkos::View<T, Layout, Memory>;

  Checks(Teuchos::FancyOStream& stream, bool& is_success) : out(stream), success(is_success) {}

  template <class T, class... Extents>
  Array<T> drawn(Extents... extents) {
    const Array<T> view("drawn", std::size_t(extents)...);
    fill(view, [&] { return std::uniform_real_distribution<double>(-1, 1)(_random); });
    return view;
  }
  template <class T>
  Array<T> signs(int fields) {
    const Array<T> view("signs", cells, std::size_t(fields));
    fill(view, [&] { return _random() % 2 == 0 ? 1. : -1.; });
    return view;
  }

  /// Jacobians (C,P,S,D), far from singular.
  Array<Real****> jacobians(int space, int dimension) {
    const auto view = drawn<Real****>(cells, points, space, dimension);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    for (int c = 0; c < cells; ++c) {
      for (int p = 0; p < points; ++p) {
        for (int d = 0; d < dimension; ++d) host(c, p, d, d) += Real(c % 2 == 0 ? 4 : -4);
      }
    }
    Kokkos::deep_copy(view, host);
    return view;
  }

  /// Diagonals, and blocks of `components`, beside those of matrices.
  template <class Geometry, class... Terms>
  void diagonals(const std::string& name, int fields, int components, const Geometry& geometry,
                 const Terms&... terms) {
    scattered(name, ofCells(name, fields, components, geometry, terms...), geometry, terms...);
  }

  /// The same without those that are scattered. \return matrices on the host
  template <class Geometry, class... Terms>
  auto ofCells(const std::string& name, int fields, int components, const Geometry& geometry,
               const Terms&... terms) {
    const int rows = fields * components;
    const Array<Real***> matrices("matrices", cells, rows, rows);
    Integration::matrices(matrices, geometry, terms...);
    const auto whole = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrices);
    compare<Kokkos::LayoutLeft>(name, whole, components, geometry, terms...);
    compare<Kokkos::LayoutRight>(name, whole, components, geometry, terms...);
    return whole;
  }

  /// The matrices of the transposed of a term.
  template <class Geometry, class Term>
  void transposed(const std::string& name, int lefts, int rights, const Geometry& geometry,
                  const Term& term) {
    const Array<Real***> matrices("matrices", cells, lefts, rights),
        others("transposed", cells, rights, lefts);
    Kokkos::deep_copy(others, Real(nan));
    Integration::matrices(matrices, geometry, term);
    Integration::matrices(others, geometry, Kontract::transposed(term));
    const auto a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrices);
    const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), others);
    Largest largest;
    for (int c = 0; c < cells; ++c) {
      for (int l = 0; l < lefts; ++l) {
        for (int r = 0; r < rights; ++r) largest.add(b(c, r, l), a(c, l, r));
      }
    }
    require(name + ", transposed", largest);
  }

  Teuchos::FancyOStream& out;
  bool& success;
  Kontract::Options options;  ///< of diagonals

 private:
  struct Largest {
    double difference = 0, size = 0;
    void add(double is, double should_be) {
      const double d = std::abs(is - should_be);
      keepLargest(difference, d);
      size = std::max(size, std::abs(should_be));
    }
  };
  void require(const std::string& name, const Largest& largest) {
    const double tolerance = sizeof(Real) == 8 ? 1e-13 : 1e-5;
    if (largest.difference <= tolerance * largest.size) return;
    out << name << ": differs by " << largest.difference << " of " << largest.size << "\n";
    success = false;
  }

  template <class View, class F>
  static void fill(const View& view, const F& f) {
    const auto host = Kokkos::create_mirror_view(view);
    using T = typename View::non_const_value_type;
    for (std::size_t i = 0; i < host.size(); ++i) host.data()[i] = T(f());
    Kokkos::deep_copy(view, host);
  }

  template <class Layout, class Whole, class Geometry, class... Terms>
  void compare(const std::string& name, const Whole& whole, int components,
               const Geometry& geometry, const Terms&... terms) {
    const std::size_t rows = whole.extent(1);
    for (const bool sum_into : {false, true}) {
      const Array<Real**, Layout> diagonal("diagonal", cells, rows);
      const Array<Real***, Layout> blocks("blocks", cells, rows, components);
      Kokkos::deep_copy(diagonal, Real(sum_into ? 3 : nan));
      Kokkos::deep_copy(blocks, Real(sum_into ? 3 : nan));
      Integration::diagonals(diagonal, geometry, terms..., sum_into, options);
      Integration::diagonals(blocks, geometry, terms..., sum_into, options);
      const auto d = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), diagonal);
      const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), blocks);
      Largest of_diagonal, of_blocks;
      for (int c = 0; c < cells; ++c) {
        for (std::size_t row = 0; row < rows; ++row) {
          const double before = sum_into ? 3 : 0;
          of_diagonal.add(d(c, row), before + whole(c, row, row));
          for (int j = 0; j < components; ++j) {
            const std::size_t column = row / components * components + j;
            of_blocks.add(b(c, row, j), before + whole(c, row, column));
          }
        }
      }
      require(name, of_diagonal);
      require(name + ", blocks", of_blocks);
    }
  }

  /// Cells add to the diagonal of what they share; some unknowns are left out, some are there
  /// twice.
  template <class Whole, class Geometry, class... Terms>
  void scattered(const std::string& name, const Whole& whole, const Geometry& geometry,
                 const Terms&... terms) {
    const int rows = int(whole.extent(1)), count = rows + cells;
    const Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> numbers("n", cells, rows);
    const Kokkos::View<Real*, Kokkos::HostSpace> expected("expected", count);
    for (int c = 0; c < cells; ++c) {
      for (int row = 0; row < rows; ++row) {
        numbers(c, row) = (c * row) % 5 == 4 ? -1 : (c + row * (1 + c % 2)) % count;
        if (numbers(c, row) >= 0) expected(numbers(c, row)) += whole(c, row, row);
      }
    }
    const Kontract::CellNumbers<Space> unknowns(
        Kokkos::create_mirror_view_and_copy(Memory(), numbers), count);
    const Array<Real*> output("output", count);
    Kokkos::deep_copy(output, Real(nan));
    Integration::diagonals(Kontract::scattered(output, unknowns), geometry, terms..., options);
    const auto is = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), output);
    Largest largest;
    for (int i = 0; i < count; ++i) largest.add(is(i), expected(i));
    require(name + ", scattered", largest);
  }

  std::mt19937 _random{11};
};

/// Forms on cells known by some geometry. \param directions  of coefficients, those of space
template <class Checker, class Geometry>
void checkForms(const std::string& where, Checker& checker, const Geometry& geometry, int d,
                int directions) {
  using Real = typename Checker::real_type;
  const int fields = 10, others = 5;
  const auto scalars = checker.template drawn<Real**>(fields, points),
             more_scalars = checker.template drawn<Real**>(fields, points);
  const auto vectors = checker.template drawn<Real***>(fields, points, d),
             more_vectors = checker.template drawn<Real***>(fields, points, d),
             few_vectors = checker.template drawn<Real***>(others, points, d);
  const auto of_cells = checker.template drawn<Real****>(cells, fields, points, d);
  const auto scalar = checker.template drawn<Real**>(cells, points),
             affine = checker.template drawn<Real**>(cells, 1);
  const auto vector = checker.template drawn<Real***>(cells, points, directions);
  const auto tensor = checker.template drawn<Real****>(cells, points, directions, directions);
  const auto signs = checker.template signs<Real**>(fields),
             more_signs = checker.template signs<Real**>(fields);
  const auto mass = Form::mass(FunctionSpace::HGRAD);
  const auto one = [&](const std::string& name, const auto&... terms) {
    checker.diagonals(where + ", " + name, fields, 1, geometry, terms...);
  };
  one("mass", Kontract::term(mass, scalars, scalars, scalar));
  one("mass of two sides", Kontract::term(mass, scalars, more_scalars));
  one("HVOL", Kontract::term(Form::mass(FunctionSpace::HVOL), scalars, scalars, affine));
  one("HCURL", Kontract::term(Form::mass(FunctionSpace::HCURL), vectors, vectors, vector));
  one("HDIV", Kontract::term(Form::mass(FunctionSpace::HDIV), vectors, vectors, tensor));
  one("gradGrad", Kontract::term(Form::gradGrad(), vectors, vectors));
  one("values of cells", Kontract::term(Form::gradGrad(), of_cells, vectors, scalar));
  one("advection", Kontract::term(Form::advection(), scalars, more_vectors, vector));
  one("signs", Kontract::term(Form::gradGrad(), vectors, vectors).withSigns(signs, more_signs));
  one("sum", Kontract::term(Form::gradGrad(), vectors, vectors, tensor),
      Kontract::term(mass, scalars, scalars, scalar));
  one("sum with signs", Kontract::term(Form::gradGrad(), vectors, vectors).withSigns(signs, signs),
      Kontract::term(mass, scalars, scalars, scalar).withSigns(signs, more_signs));
  if (directions == d) {
    checker.diagonals(where + ", elasticity", fields, d, geometry,
                      Kontract::term(Form::elasticity(), vectors, vectors, scalar, affine));
    checker.diagonals(where + ", elasticity and mass", fields, d, geometry,
                      Kontract::term(Form::elasticity(), vectors, more_vectors, scalar, scalar),
                      Kontract::term(mass, scalars, scalars, scalar));
  }
  const auto other = [&](const std::string& name, int lefts, int rights, const auto& term) {
    checker.transposed(where + ", " + name, lefts, rights, geometry, term);
  };
  other("mass", fields, fields, Kontract::term(mass, scalars, more_scalars, scalar));
  other("full", fields, others, Kontract::term(Form::gradGrad(), vectors, few_vectors, tensor));
  other("advection", fields, others,
        Kontract::term(Form::advection(), scalars, few_vectors, vector));
  other("signs", fields, fields,
        Kontract::term(Form::product(Pullback::Covariant, Pullback::Contravariant), vectors,
                       more_vectors, tensor)
            .withSigns(signs, more_signs));
}

template <class Space, class Real>
void checkSpace(Teuchos::FancyOStream& out, bool& success) {
  Checks<Space, Real> checker(out, success);
  for (int d = 1; d <= 3; ++d) {
    const std::string where = std::to_string(d) + " D";
    const auto weights = checker.template drawn<Real*>(points);
    const auto jacobians = checker.jacobians(d, d);
    checkForms(where, checker, Kontract::geometry(jacobians, weights), d, d);
    const int nodes = d + 2;
    const auto coordinates = checker.template drawn<Real***>(cells, nodes, d);
    const auto gradients = checker.template drawn<Real***>(nodes, points, d);
    checkForms(where + " by nodes", checker, Kontract::geometry(coordinates, gradients, weights), d,
               d);
    if (d == 1) continue;
    const auto normals = checker.template drawn<Real**>(1, d);
    checkForms(where + " sides", checker, Kontract::sideGeometry(jacobians, weights, normals), d,
               d);
    checkForms(where + " surfaces", checker,
               Kontract::geometry(checker.jacobians(d, d - 1), weights), d - 1, d);
  }
}

TEUCHOS_UNIT_TEST(Diagonals, thoseOfMatrices) {
  forEachSpace([&](auto space) {
    checkSpace<decltype(space), double>(out, success);
    checkSpace<decltype(space), float>(out, success);
  });
}

/// Tensor-product bases, and factors that were computed before.
TEUCHOS_UNIT_TEST(Diagonals, basesAndFactors) {
  forEachSpace([&](auto space) {
    using Checker = Checks<decltype(space), double>;
    Checker checker(out, success);
    const auto jacobians = checker.jacobians(3, 3);
    const auto weights = checker.template drawn<double*>(points);
    const auto basis = Kontract::tensorBasis(
        std::array{checker.template drawn<double**>(3, 3), checker.template drawn<double**>(2, 2),
                   checker.template drawn<double**>(2, 1)},
        std::array{checker.template drawn<double**>(3, 3), checker.template drawn<double**>(2, 2),
                   checker.template drawn<double**>(2, 1)});
    const auto scalar = checker.template drawn<double**>(cells, points);
    const auto another = Kontract::tensorBasis(
        std::array{checker.template drawn<double**>(3, 3), checker.template drawn<double**>(2, 2),
                   checker.template drawn<double**>(2, 1)},
        std::array{checker.template drawn<double**>(3, 3), checker.template drawn<double**>(2, 2),
                   checker.template drawn<double**>(2, 1)});
    const auto plane = Kontract::tensorBasis(
        std::array{checker.template drawn<double**>(5, 3), checker.template drawn<double**>(1, 2)},
        std::array{checker.template drawn<double**>(5, 3), checker.template drawn<double**>(1, 2)});
    const auto vector = checker.template drawn<double***>(cells, points, 3);
    const auto signs = checker.template signs<double**>(12);
    const auto geometry = Kontract::geometry(jacobians, weights),
               in_plane = Kontract::geometry(checker.jacobians(2, 2), weights),
               on_surface = Kontract::geometry(checker.jacobians(3, 2), weights);
    const auto diffusion = Kontract::term(Form::gradGrad(), basis, basis, scalar);
    const auto factors = checker.template drawn<double***>(cells, 6, points);
    const auto factored = Kontract::factored(diffusion, factors);
    checker.transposed("factors", 12, 12, Kontract::geometry(), factored);
    for (const auto& options :
         {Kontract::Options(), optionsOfAlgorithm("Team Reduction").options}) {
      checker.options = options;
      checker.diagonals("bases", 12, 1, geometry, diffusion,
                        Kontract::term(Form::mass(FunctionSpace::HGRAD), basis, basis));
      checker.diagonals("elasticity and mass of bases", 12, 3, geometry,
                        Kontract::term(Form::elasticity(), basis, basis, scalar, scalar),
                        Kontract::term(Form::mass(FunctionSpace::HGRAD), basis, another));
      checker.diagonals("two bases", 12, 1, geometry,
                        Kontract::term(Form::advection(), another, basis, vector)
                            .withSigns(signs, Kontract::no_signs),
                        Kontract::term(Form::advectionTransposed(), basis, another, vector)
                            .withSigns(signs, Kontract::no_signs));
      checker.diagonals("bases in the plane", 5, 1, in_plane,
                        Kontract::term(Form::gradGrad(), plane, plane, scalar),
                        Kontract::term(Form::mass(FunctionSpace::HVOL), plane, plane, scalar));
      checker.diagonals("bases on surfaces", 5, 1, on_surface,
                        Kontract::term(Form::gradGrad(), plane, plane, scalar));
      checker.diagonals("factors", 12, 1, Kontract::geometry(), factored);
    }
    checker.options = Kontract::Options();
    // As many fields, but others in each direction.
    const auto turned = Kontract::tensorBasis(
        std::array{checker.template drawn<double**>(2, 3), checker.template drawn<double**>(3, 2),
                   checker.template drawn<double**>(2, 1)},
        std::array{checker.template drawn<double**>(2, 3), checker.template drawn<double**>(3, 2),
                   checker.template drawn<double**>(2, 1)});
    checker.diagonals("other functions", 12, 1, geometry,
                      Kontract::term(Form::gradGrad(), basis, turned, scalar));
  });
}

/// What is narrower than its arrays, and signs by a function.
TEUCHOS_UNIT_TEST(Diagonals, scalarsOfSeveralTypes) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  Checks<Space, double> checker(out, success);
  const auto vectors = checker.drawn<double***>(9, points, 2);
  const auto jacobians = checker.jacobians(2, 2);
  const auto geometry = Kontract::geometry(jacobians, checker.drawn<double*>(points));
  const auto term = Kontract::term(Form::gradGrad(), vectors, vectors,
                                   checker.drawn<double****>(cells, points, 2, 2));
  const Kokkos::View<float**, Space> narrow("narrow", cells, 9);
  const Kokkos::View<double***, Space> matrices("matrices", cells, 9, 9);
  Kontract::Integration<Space>::diagonals(narrow, geometry, term);
  Kontract::Integration<Space>::matrices(matrices, geometry, term);
  for (int c = 0; c < cells; ++c) {
    for (int f = 0; f < 9; ++f) TEST_EQUALITY(narrow(c, f), float(matrices(c, f, f)));
  }
  const auto sign = [](std::int64_t c, std::int64_t f) { return (c + f) % 3 == 0 ? -1. : 1.; };
  checker.ofCells("functions of signs", 9, 1, geometry, term.withSigns(sign, Kontract::no_signs));
}

#ifdef KONTRACT_TEST_SACADO
TEUCHOS_UNIT_TEST(Diagonals, coefficientsOfFads) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Fad = Sacado::Fad::DFad<double>;
  using Integration = Kontract::Integration<Space>;
  const int derivatives = 4;
  Checks<Space, double> checker(out, success);
  const auto geometry = Kontract::geometry(checker.jacobians(3, 3), checker.drawn<double*>(points));
  const auto vectors = checker.drawn<double***>(9, points, 3);
  const auto lambda = makeView<2, Fad, Kokkos::LayoutRight, Space>({cells, points}, derivatives);
  const auto numbers = checker.drawn<double***>(cells, points, derivatives + 1);
  for (int c = 0; c < cells; ++c) {
    for (int p = 0; p < points; ++p) {
      lambda(c, p).val() = numbers(c, p, derivatives);
      for (int n = 0; n < derivatives; ++n) lambda(c, p).fastAccessDx(n) = numbers(c, p, n);
    }
  }
  const auto term = Kontract::term(Form::elasticity(), vectors, vectors, lambda,
                                   checker.drawn<double**>(cells, 1));
  const auto matrices = makeView<3, Fad, Kokkos::LayoutRight, Space>({cells, 27, 27}, derivatives);
  const auto blocks = makeView<3, Fad, Kokkos::LayoutRight, Space>({cells, 27, 3}, derivatives);
  Integration::matrices(matrices, geometry, term);
  Integration::diagonals(blocks, geometry, term);
  for (int c = 0; c < cells; ++c) {
    for (int row = 0; row < 27; ++row) {
      for (int j = 0; j < 3; ++j) {
        const auto& is = blocks(c, row, j);
        const auto& should_be = matrices(c, row, row / 3 * 3 + j);
        TEST_ASSERT(std::abs(is.val() - should_be.val()) < 1e-12);
        for (int n = 0; n < derivatives; ++n) {
          TEST_ASSERT(std::abs(is.fastAccessDx(n) - should_be.fastAccessDx(n)) < 1e-12);
        }
      }
    }
  }
}
#endif

TEUCHOS_UNIT_TEST(Diagonals, refusals) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Integration = Kontract::Integration<Space>;
  Checks<Space, double> checker(out, success);
  const auto geometry = Kontract::geometry(checker.drawn<double**>(cells, points));
  const auto values = checker.drawn<double**>(4, points), more = checker.drawn<double**>(5, points);
  const auto mass = Kontract::term(Form::mass(FunctionSpace::HGRAD), values, values);
  const auto mixed = Kontract::term(Form::mass(FunctionSpace::HGRAD), values, more);
  using Array = Kokkos::View<double**, Space>;
  const Array output("output", cells, 4);
  Kokkos::deep_copy(output, 7);
  const auto refused = [&](const std::string& text, const auto& call) {
    const Refusal refusal = refusalOf(call);
    out << refusal.text << "\n";
    TEST_ASSERT(refusal.says(text.c_str()));
  };
  refused("Kontract::diagonals: there are 4 left and 5 right fields",
          [&] { Integration::diagonals(output, geometry, mixed); });
  refused("Kontract::diagonals: output is (7, 5)",
          [&] { Integration::diagonals(Array("o", cells, 5), geometry, mass); });
  refused("Kontract::diagonals: output is (7, 4, 2)", [&] {
    Integration::diagonals(Kokkos::View<double***, Space>("o", cells, 4, 2), geometry, mass);
  });
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", "Register Blocking");
  refused("of diagonals it has Sum Factorization, which needs tensor-product bases",
          [&] { Integration::diagonals(output, geometry, mass, list); });
  for (std::size_t i = 0; i < output.size(); ++i) TEST_EQUALITY_CONST(output.data()[i], 7);
  // Constrained unknowns.
  const Kokkos::View<int**, Space> numbers("numbers", cells, 4);
  for (int c = 0; c < cells; ++c) {
    for (int f = 0; f < 4; ++f) numbers(c, f) = c + f;
  }
  const Kokkos::View<int*, Space> starts("starts", cells + 5), unknown("unknown", 1);
  const Kokkos::View<double*, Space> weight("weight", 1), vector("vector", cells + 4);
  for (int i = 5; i < cells + 5; ++i) starts(i) = 1;
  const Kontract::LinearConstraints<Space> constraints(starts, unknown, weight);
  const auto constrained =
      Kontract::CellNumbers<Space>(numbers, cells + 4).constrained(constraints);
  refused("take it from matrices()", [&] {
    Integration::diagonals(Kontract::scattered(vector, constrained), geometry, mass);
  });
  // Full coefficients that cannot be read the other way.
  const Kokkos::DynRankView<double, Space> tensor("tensor", cells, points, 2, 2);
  const auto vectors = checker.drawn<double***>(4, points, 2);
  refused("Kontract::transposed: the coefficient is a full matrix in a Kokkos::DynRankView", [&] {
    Kontract::transposed(Kontract::term(Form::gradGrad(), vectors, vectors, tensor));
  });
  refused("Kontract::transposed: factors have all 4 entries", [&] {
    Kontract::transposed(
        Kontract::factored(Kontract::term(Form::gradGrad(), vectors, vectors),
                           Kokkos::View<double***, Space>("factors", cells, 4, points)));
  });
}

TEUCHOS_UNIT_TEST(Diagonals, areExplained) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  Checks<Space, double> checker(out, success);
  const auto geometry = Kontract::geometry(checker.drawn<double**>(cells, points));
  const auto values = checker.drawn<double**>(4, points);
  const auto mass = Kontract::term(Form::mass(FunctionSpace::HGRAD), values, values);
  const Kokkos::View<double**, Space> output("output", cells, 4);
  TEST_EQUALITY(Kontract::explain<Space>("diagonals", output, geometry, mass).algorithm, "Flat");
  Kontract::Integration<Space>::diagonals(output, geometry, mass);
  TEST_EQUALITY(Kontract::explain().algorithm, "Flat");
  const Kokkos::View<int**, Space> numbers("numbers", cells, 4);
  const Kokkos::View<double*, Space> vector("vector", 1);
  const Kontract::CellNumbers<Space> unknowns(numbers, 1);
  const auto scattered = Kontract::scattered(vector, unknowns);
  TEST_EQUALITY(Kontract::explain<Space>("diagonals", scattered, geometry, mass).algorithm, "Flat");
  const Refusal refusal =
      refusalOf([&] { Kontract::explain<Space>("matrices", scattered, geometry, mass); });
  out << refusal.text << "\n";
  TEST_ASSERT(refusal.says("these are arguments of diagonals, not of matrices"));
}

}  // namespace
}  // namespace KontractTest
