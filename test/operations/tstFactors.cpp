// SPDX-License-Identifier: BSD-3-Clause
//
// Forms by factors that are computed once: their matrices and products are those of the geometry
// and coefficient that factors are made of, on cells inside, on sides and on surfaces; what does
// not go together is refused. Forms by chance are in tstFormFuzz.cpp.

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "KeepLargest.hpp"
#include "Kontract_Explain.hpp"
#include "Kontract_Integration.hpp"
#include "Refusal.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Kontract::Pullback;
using Space = Kokkos::DefaultHostExecutionSpace;
using Integration = Kontract::Integration<Space>;
template <class T, class Layout = Kokkos::LayoutLeft>
using Array = Kokkos::View<T, Layout, Kokkos::HostSpace>;
constexpr int cells = 5, lefts = 4, rights = 3, points = 6;

std::mt19937& engine() {
  static std::mt19937 all(7);
  return all;
}

template <class T, class... Extents>
Array<T> drawn(Extents... extents) {
  const Array<T> view("drawn", std::size_t(extents)...);
  std::uniform_real_distribution<double> any(-1, 1);
  for (std::size_t i = 0; i < view.size(); ++i) view.data()[i] = any(engine());
  return view;
}

/// Jacobians of cells in that many dimensions of space, far from singular.
Array<double****> drawnJacobians(int space, int dimension) {
  const auto jacobians = drawn<double****>(cells, points, space, dimension);
  for (int c = 0; c < cells; ++c) {
    for (int p = 0; p < points; ++p) {
      for (int d = 0; d < dimension; ++d) jacobians(c, p, d, d) += c % 2 == 0 ? 4 : -4;
    }
  }
  return jacobians;
}

template <class View>
double largestDifference(const View& a, const View& b) {
  double largest = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a.data()[i] - b.data()[i]);
    keepLargest(largest, difference);
    size = std::max(size, std::abs(b.data()[i]));
  }
  return largest / size;
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Compares matrices and products by so many factors a point with those by the geometry.
template <class Layout, class Geometry, class Term>
void checkLayout(const Geometry& geometry, const Term& term, int count, Teuchos::FancyOStream& out,
                 bool& success) {
  const Array<double***, Layout> factors("factors", cells, count, points);
  Kokkos::deep_copy(factors, nan);
  Integration::factors(factors, geometry, term);
  const auto factored = Kontract::factored(term, factors);
  const int fields = int(term.right.extent(term.right.rank - (term.right.rank == 2 ? 2 : 3)));
  const Array<double***> should_be("matrices", cells, lefts, fields),
      is("matrices by factors", cells, lefts, fields);
  Integration::matrices(should_be, geometry, term);
  for (const std::string algorithm : {"Flat", "Register Blocking", "Tiling"}) {
    Teuchos::ParameterList list("Kontract");
    list.set("Algorithm", algorithm);
    Kokkos::deep_copy(is, nan);
    const Refusal refusal =
        refusalOf([&] { Integration::matrices(is, Kontract::geometry(), factored, list); });
    if (refusal.happened) {
      out << "\n" << refusal.text;
      TEST_ASSERT(algorithm == "Tiling" && refusal.says("two or three dimensions"));
      const bool is_line = term.left.rank == 3 && term.left.extent(2) == 1;
      TEST_ASSERT(is_line || (term.right.rank == 3 && term.right.extent(2) == 1));
      continue;
    }
    TEST_COMPARE(largestDifference(is, should_be), <, 1e-12);
  }
  const auto x = drawn<double**>(cells, fields);
  const Array<double**> y("product", cells, lefts), z("product by factors", cells, lefts);
  Integration::apply(y, x, geometry, term);
  Kokkos::deep_copy(z, nan);
  Integration::apply(z, x, Kontract::geometry(), factored);
  TEST_COMPARE(largestDifference(z, y), <, 1e-12);
  Kokkos::deep_copy(z, nan);
  Teuchos::ParameterList tiling("Kontract");
  tiling.set("Algorithm", "Tiling");
  const Refusal refusal =
      refusalOf([&] { Integration::apply(z, x, Kontract::geometry(), factored, tiling); });
  if (refusal.happened) {
    TEST_ASSERT(refusal.says("two or three dimensions"));
  } else {
    TEST_COMPARE(largestDifference(z, y), <, 1e-12);
  }
}

template <class Geometry, class Term>
void check(const Geometry& geometry, const Term& term, int count, Teuchos::FancyOStream& out,
           bool& success) {
  checkLayout<Kokkos::LayoutLeft>(geometry, term, count, out, success);
  checkLayout<Kokkos::LayoutRight>(geometry, term, count, out, success);
}

/// All forms that cells of that dimension have.
/// \param directions  of coefficients, those of space
template <class Geometry>
void checkForms(const Geometry& geometry, int dimension, int directions, Teuchos::FancyOStream& out,
                bool& success) {
  const int d = dimension, half = d * (d + 1) / 2, all = d * d;
  const auto scalars = drawn<double**>(lefts, points), others = drawn<double**>(rights, points);
  const auto vectors = drawn<double***>(lefts, points, d),
             other_vectors = drawn<double***>(rights, points, d);
  const auto scalar = drawn<double**>(cells, points);
  const auto vector = drawn<double***>(cells, points, directions);
  const auto tensor = drawn<double****>(cells, points, directions, directions);
  for (const FunctionSpace space : {FunctionSpace::HGRAD, FunctionSpace::HVOL}) {
    check(geometry, Kontract::term(Form::mass(space), scalars, others), 1, out, success);
    check(geometry, Kontract::term(Form::mass(space), scalars, scalars, scalar), 1, out, success);
  }
  for (const FunctionSpace space : {FunctionSpace::HCURL, FunctionSpace::HDIV}) {
    check(geometry, Kontract::term(Form::mass(space), vectors, vectors), half, out, success);
  }
  check(geometry, Kontract::term(Form::gradGrad(), vectors, other_vectors), half, out, success);
  check(geometry, Kontract::term(Form::gradGrad(), vectors, vectors, scalar), all, out, success);
  check(geometry, Kontract::term(Form::gradGrad(), vectors, vectors, vector), half, out, success);
  check(geometry, Kontract::term(Form::gradGrad(), vectors, other_vectors, tensor), all, out,
        success);
  check(
      geometry,
      Kontract::term(Form::product(Pullback::Covariant, Pullback::Contravariant), vectors, vectors),
      all, out, success);
  check(geometry, Kontract::term(Form::advection(), scalars, other_vectors, vector), d, out,
        success);
  check(geometry, Kontract::term(Form::advectionTransposed(), vectors, others, vector), d, out,
        success);
  if (d == 3) {
    check(geometry, Kontract::term(Form::curlCurl(), vectors, vectors, scalar), half, out, success);
  } else if (d == 2) {
    check(geometry, Kontract::term(Form::curlCurl(), scalars, scalars, scalar), 1, out, success);
  }
}

TEUCHOS_UNIT_TEST(Factors, formsInsideOfCells) {
  for (const int d : {1, 2, 3}) {
    checkForms(Kontract::geometry(drawnJacobians(d, d), drawn<double*>(points)), d, d, out,
               success);
  }
}

/// Also with the unit normal in the place of a vector.
TEUCHOS_UNIT_TEST(Factors, formsOnSides) {
  for (const int d : {2, 3}) {
    const auto normals = drawn<double**>(1, d);
    const auto side = Kontract::sideGeometry(drawnJacobians(d, d), drawn<double*>(points), normals);
    check(side,
          Kontract::term(Form::advection(), drawn<double**>(lefts, points),
                         drawn<double***>(rights, points, d)),
          d, out, success);
    checkForms(side, d, d, out, success);
  }
}

TEUCHOS_UNIT_TEST(Factors, formsOnSurfacesAndCurves) {
  checkForms(Kontract::geometry(drawnJacobians(3, 2), drawn<double*>(points)), 2, 3, out, success);
  checkForms(Kontract::geometry(drawnJacobians(2, 1), drawn<double*>(points)), 1, 2, out, success);
}

/// Mass matrices on cells of which measures alone are known, and terms that share factors.
TEUCHOS_UNIT_TEST(Factors, measuresAndSums) {
  const auto measures = drawn<double**>(cells, points), scalar = drawn<double**>(cells, points);
  const auto values = drawn<double**>(lefts, points);
  const auto geometry = Kontract::geometry(measures);
  const Form mass = Form::mass(FunctionSpace::HGRAD);
  const auto plain = Kontract::term(mass, values, values);
  const auto scaled = Kontract::term(mass, values, values, scalar);
  check(geometry, scaled, 1, out, success);
  const Array<double***> factors("factors", cells, 1, points);
  Integration::factors(factors, geometry, plain);
  Integration::factors(factors, geometry, scaled, true);
  const Array<double***> should_be("matrices", cells, lefts, lefts), is("is", cells, lefts, lefts);
  Integration::matrices(should_be, geometry, plain, scaled);
  Integration::matrices(is, Kontract::geometry(), Kontract::factored(plain, factors));
  TEST_COMPARE(largestDifference(is, should_be), <, 1e-12);
  // One point stands for all.
  const Array<double***> one("one", cells, 1, 1), each("each", cells, 1, points);
  for (int c = 0; c < cells; ++c) {
    one(c, 0, 0) = c + 1;
    for (int p = 0; p < points; ++p) each(c, 0, p) = c + 1;
  }
  Integration::matrices(should_be, Kontract::geometry(), Kontract::factored(plain, each));
  Integration::matrices(is, Kontract::geometry(), Kontract::factored(plain, one));
  TEST_COMPARE(largestDifference(is, should_be), <, 1e-12);
}

TEUCHOS_UNIT_TEST(Factors, nothingToDo) {
  const Array<double****> jacobians("jacobians", 0, points, 3, 3);
  const auto gradients = drawn<double***>(lefts, points, 3);
  const Array<double***> factors("factors", 0, 6, points), matrices("matrices", 0, lefts, lefts);
  const auto term = Kontract::term(Form::gradGrad(), gradients, gradients);
  Integration::factors(factors, Kontract::geometry(jacobians, drawn<double*>(points)), term);
  Integration::matrices(matrices, Kontract::geometry(), Kontract::factored(term, factors));
  // Without points matrices are zero.
  const Array<double***> none("none", cells, 6, 0), of_none("of none", cells, lefts, lefts);
  const Array<double***> no_gradients("no gradients", lefts, 0, 3);
  Kokkos::deep_copy(of_none, nan);
  const auto empty = Kontract::term(Form::gradGrad(), no_gradients, no_gradients);
  Integration::matrices(of_none, Kontract::geometry(), Kontract::factored(empty, none));
  for (std::size_t i = 0; i < of_none.size(); ++i) TEST_EQUALITY_CONST(of_none.data()[i], 0);
}

TEUCHOS_UNIT_TEST(Factors, refusals) {
  const auto geometry = Kontract::geometry(drawnJacobians(3, 3), drawn<double*>(points));
  const auto gradients = drawn<double***>(lefts, points, 3);
  const auto values = drawn<double**>(lefts, points), scalar = drawn<double**>(cells, points);
  const auto factors = drawn<double***>(cells, 6, points);
  const Array<double***> matrices("matrices", cells, lefts, lefts);
  Kokkos::deep_copy(matrices, 7);
  const auto term = Kontract::term(Form::gradGrad(), gradients, gradients);
  const auto mass = Kontract::term(Form::mass(FunctionSpace::HGRAD), values, values);
  const auto refused = [&](const std::string& text, const auto& call) {
    const Refusal refusal = refusalOf(call);
    out << "\n" << refusal.text;
    TEST_ASSERT(refusal.says(text));
  };
  refused("term 1 is factored(), and its factors hold geometry and weights",
          [&] { Integration::matrices(matrices, geometry, Kontract::factored(term, factors)); });
  refused("the geometry has no arrays, but term 2 is not factored()", [&] {
    Integration::matrices(matrices, Kontract::geometry(), Kontract::factored(term, factors), mass);
  });
  for (const int wrong : {1, 3, 5, 7}) {
    refused("factors of term 1 is (5, " + std::to_string(wrong) +
                ", 6), but between such values it must be (C,6,P or 1) or (C,9,P or 1)",
            [&] {
              Integration::matrices(
                  matrices, Kontract::geometry(),
                  Kontract::factored(term, drawn<double***>(cells, wrong, points)));
            });
    if (wrong == 1) continue;
    refused("between such values it must be (C,1,P or 1)", [&] {
      Integration::matrices(matrices, Kontract::geometry(),
                            Kontract::factored(mass, drawn<double***>(cells, wrong, points)));
    });
    refused("output is (5, " + std::to_string(wrong) + ", 6) but it must be (5, 6, 6)",
            [&] { Integration::factors(drawn<double***>(cells, wrong, points), geometry, term); });
  }
  refused("the numbers of points P must agree", [&] {
    Integration::matrices(matrices, Kontract::geometry(),
                          Kontract::factored(term, drawn<double***>(cells, 6, points - 1)));
  });
  refused("output is (5, 6, 5) but it must be (5, 6, 6)",
          [&] { Integration::factors(drawn<double***>(cells, 6, points - 1), geometry, term); });
  refused("output is (4, 6, 6) but it must be (5, 6, 6)",
          [&] { Integration::factors(drawn<double***>(cells - 1, 6, points), geometry, term); });
  refused("elasticity of term 1 couples components: it has no factors", [&] {
    Integration::factors(factors, geometry,
                         Kontract::term(Form::elasticity(), gradients, gradients, scalar, scalar));
  });
  refused("term 1 is factored()",
          [&] { Integration::factors(factors, geometry, Kontract::factored(term, factors)); });
  refused("the output must not overlap inputs", [&] {
    Integration::factors(Array<double***>(scalar.data(), cells, 6, points), geometry,
                         Kontract::term(Form::gradGrad(), gradients, gradients, scalar));
  });
  const auto curls = Kontract::term(Form::curlCurl(), values, values);
  refused("factors of term 1 is (5, 6), but it must be (C,n,P or 1), with n = 1 or 2 in the plane",
          [&] {
            Integration::matrices(matrices, Kontract::geometry(),
                                  Kontract::factored(curls, scalar));
          });
  refused("factors of term 1 is (5, 4, 6), but it must be (C,n,P or 1), with n = 1 or 2", [&] {
    Integration::matrices(matrices, Kontract::geometry(),
                          Kontract::factored(curls, drawn<double***>(cells, 4, points)));
  });
  refused("factors of term 1 is (0, 0, 0), but between such values", [&] {
    Integration::matrices(matrices, Kontract::geometry(),
                          Kontract::factored(mass, Array<double***>()));
  });
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", "Register Blocking");
  refused("Register Blocking: it computes no factors",
          [&] { Integration::factors(factors, geometry, term, list); });
  for (std::size_t i = 0; i < matrices.size(); ++i) TEST_EQUALITY_CONST(matrices.data()[i], 7);
}

/// Sums are of the output's type where all that is read is narrower.
TEUCHOS_UNIT_TEST(Factors, complexOutputs) {
  using Complex = Kokkos::complex<double>;
  const auto geometry = Kontract::geometry(drawnJacobians(3, 3), drawn<double*>(points));
  const auto gradients = drawn<double***>(lefts, points, 3);
  const auto term = Kontract::term(Form::gradGrad(), gradients, gradients);
  const Array<Complex***> factors("factors", cells, 6, points);
  const Array<double***> of_reals("factors", cells, 6, points);
  Integration::factors(factors, geometry, term);
  Integration::factors(of_reals, geometry, term);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    TEST_EQUALITY(factors.data()[i].real(), of_reals.data()[i]);
    TEST_EQUALITY_CONST(factors.data()[i].imag(), 0);
  }
}

TEUCHOS_UNIT_TEST(Factors, areExplained) {
  const auto geometry = Kontract::geometry(drawnJacobians(3, 3), drawn<double*>(points));
  const auto gradients = drawn<double***>(lefts, points, 3);
  const auto factors = drawn<double***>(cells, 6, points);
  const auto term = Kontract::term(Form::gradGrad(), gradients, gradients);
  const auto explanation = Kontract::explain<Space>("factors", factors, geometry, term);
  TEST_EQUALITY(explanation.algorithm, "Flat");
  TEST_EQUALITY(explanation.bytes, 8. * (cells * points * (6 + 9) + points));
  const Array<double***> matrices("matrices", cells, lefts, lefts);
  const auto of_matrices = Kontract::explain<Space>("matrices", matrices, Kontract::geometry(),
                                                    Kontract::factored(term, factors));
  TEST_EQUALITY(of_matrices.algorithm, "Register Blocking");
}

}  // namespace
}  // namespace KontractTest
