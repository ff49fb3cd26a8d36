// SPDX-License-Identifier: BSD-3-Clause
//
// Forms of tensor-product bases of HCURL and HDIV against plain loops over all their values, curls
// and divergences: every operator of the exact sequence, functions of each direction on their own,
// families in any order with any signs; factors, diagonals and scattered products; and what is
// refused.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <array>
#include <limits>

#include "DrawnVectorBasis.hpp"
#include "KeepLargest.hpp"
#include "Kontract_CellNumbers.hpp"
#include "Kontract_Explain.hpp"
#include "Refusal.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Kontract::Pullback;

/// Functions of each direction, closed and open, of a basis on the left and of another one, and
/// points.
struct Grid {
  std::array<std::size_t, 3> closed, open, others, points;
};

const std::vector<Grid> grids{{{2, 2, 2}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}},
                              {{4, 3, 3}, {3, 2, 2}, {4, 3, 3}, {4, 5, 3}},
                              {{3, 5, 2}, {4, 2, 3}, {2, 3, 4}, {5, 4, 3}},  // open may be more
                              {{2, 3, 1}, {1, 4, 0}, {3, 1, 2}, {1, 6, 2}},
                              {{3, 3, 3}, {2, 2, 2}, {3, 3, 3}, {4, 0, 4}}};

std::size_t fieldsOf(FunctionSpace space, const std::array<std::size_t, 3>& closed,
                     const std::array<std::size_t, 3>& open, int dimension) {
  std::size_t sum = 0;
  for (int axis = 0; axis < dimension; ++axis) {
    std::size_t fields = 1;
    for (int d = 0; d < dimension; ++d) {
      fields *= (space == FunctionSpace::HCURL) == (d == axis) ? open[d] : closed[d];
    }
    sum += fields;
  }
  return sum;
}

/// Letters of the arrays of numbers that cells have: L and R are fields of the two sides.
template <class Here, class Checker>
class SequenceChecker {
 public:
  SequenceChecker(Checker& checker, const Grid& grid) : _checker(checker), _grid(grid) {}

  /// Values and curls, or values and divergences, of two bases of a space, one of which has as many
  /// functions as sizes say.
  void checkSpace(FunctionSpace space) {
    const int d = _checker.dimension();
    DrawnVectorBasis<Here> left(d, space, _grid.closed, _grid.open, _grid.points, 'L'),
        right(d, space, _grid.others, _grid.open, _grid.points, 'R');
    const auto l = left.basis(), r = right.basis();
    const Numbers scalar = _checker.random("CP"), vector = _checker.random("CPD"),
                  tensor = _checker.random("CPDE"), left_signs = _checker.random("CL"),
                  right_signs = _checker.random("CR");
    auto scalar_held = Here::place(scalar), vector_held = Here::place(vector),
         tensor_held = Here::place(tensor), left_signs_held = Here::place(left_signs),
         right_signs_held = Here::place(right_signs);
    const auto a = scalar_held.dynRankView(), v = vector_held.dynRankView(),
               t = tensor_held.dynRankView();
    const bool is_hcurl = space == FunctionSpace::HCURL;
    const Form mass = Form::mass(space), top = is_hcurl ? Form::curlCurl() : Form::divDiv();
    const Numbers *lv = &left.values, *rv = &right.values,
                  *lt = is_hcurl ? &left.curls : &left.divergences,
                  *rt = is_hcurl ? &right.curls : &right.divergences;
    _checker.setTensorBases(true);
    _checker.matrices(
        "mass with tensors and signs",
        {{mass, lv, rv, &tensor, nullptr, &left_signs, &right_signs}}, 1, true,
        [&](const auto& call) {
          call(Kontract::term(mass, l, r, t)
                   .withSigns(left_signs_held.dynRankView(), right_signs_held.dynRankView()));
        });
    _checker.matrices(
        "curls or divergences, and mass", {{top, lt, rt, &scalar}, {mass, lv, rv}}, 1, false,
        [&](const auto& call) { call(Kontract::term(top, l, r, a), Kontract::term(mass, l, r)); });
    const Form source = Form::source(space);
    _checker.vectors("source", {source, lv, nullptr, &vector}, 1,
                     [&](const auto& call) { call(Kontract::load(source, l, v)); });
    if constexpr (Checker::is_on_host) {
      _checker.matrices("curls or divergences", {{top, lt, rt}}, 1, true,
                        [&](const auto& call) { call(Kontract::term(top, l, r)); });
      _checker.matrices("symmetric ones", {{top, lt, lt, &scalar}, {mass, lv, lv, &vector}}, 1,
                        false, [&](const auto& call) {
                          call(Kontract::term(top, l, l, a), Kontract::term(mass, l, l, v));
                        });
      auto array = Here::place(right.values);
      _checker.setTensorBases(false);
      _checker.matrices(
          "mass of a basis and an array", {{mass, lv, rv, &tensor}}, 1, false,
          [&](const auto& call) { call(Kontract::term(mass, l, array.dynRankView(), t)); });
      _checker.setTensorBases(true);
    }
  }

  /// What couples spaces: (grad p, v), (curl u, w), (div w, q).
  void checkCouplings() {
    const int d = _checker.dimension();
    DrawnVectorBasis<Here> left(d, FunctionSpace::HCURL, _grid.closed, _grid.open, _grid.points,
                                'L'),
        curled(d, FunctionSpace::HCURL, _grid.others, _grid.open, _grid.points, 'R'),
        fluxes(d, FunctionSpace::HDIV, _grid.closed, _grid.open, _grid.points, 'L');
    DrawnBasis<Here> nodes(d, _grid.others, _grid.points, 'R');
    const auto u = left.basis(), c = curled.basis(), w = fluxes.basis();
    const auto p = nodes.basis();
    const Numbers tensor = _checker.random("CPDE"), scalar = _checker.random("CP");
    auto tensor_held = Here::place(tensor), scalar_held = Here::place(scalar);
    const auto t = tensor_held.dynRankView(), a = scalar_held.dynRankView();
    _checker.setTensorBases(true);
    _checker.matrices("gradient", {{Form::gradient(), &left.values, &nodes.gradients, &tensor}}, 1,
                      false,
                      [&](const auto& call) { call(Kontract::term(Form::gradient(), u, p, t)); });
    const Form divergence = Form::divergence();
    // Rows are those of divergences here, as of the transposed form.
    _checker.matrices("divergence", {{divergence, &fluxes.divergences, &nodes.values, &scalar}}, 1,
                      true, [&](const auto& call) { call(Kontract::term(divergence, w, p, a)); });
    if (d == 3) {
      const Form curl = Form::product(Pullback::Contravariant, Pullback::Curl);
      _checker.matrices("curl", {{curl, &fluxes.values, &curled.curls, &tensor}}, 1, false,
                        [&](const auto& call) { call(Kontract::term(curl, w, c, t)); });
    }
  }

 private:
  Checker& _checker;
  const Grid& _grid;
};

TEUCHOS_UNIT_TEST(ExactSequence, matricesProductsAndVectorsOfAllGrids) {
  Tally tally(out);
  for (const Grid& grid : grids) {
    for (int dimension = 2; dimension <= 3; ++dimension) {
      const std::size_t cells = dimension == 3 ? 3 : 19;
      for (const FunctionSpace space : {FunctionSpace::HCURL, FunctionSpace::HDIV}) {
        const FormSizes s{cells, fieldsOf(space, grid.closed, grid.open, dimension),
                          fieldsOf(space, grid.others, grid.open, dimension),
                          product(grid.points, dimension), 4};
        // Affine cells have kernels of their own, which do not ask how fields are made.
        std::vector<Cells> geometries{Cells::Jacobians};
        if (&grid == &grids.front()) geometries.push_back(Cells::AffineNodes);
        forEachChecker({dimension}, {s}, geometries, tally, [&](auto& checker, auto memory) {
          SequenceChecker<decltype(memory), std::decay_t<decltype(checker)>>(checker, grid)
              .checkSpace(space);
        });
      }
    }
  }
  TEST_ASSERT(tally.checks() >= 500);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

TEUCHOS_UNIT_TEST(ExactSequence, couplingsOfSpaces) {
  Tally tally(out);
  for (const Grid& grid : grids) {
    for (int dimension = 2; dimension <= 3; ++dimension) {
      const FormSizes s{5, 1, 1, product(grid.points, dimension), 4};  // signs are not looked at
      forEachChecker({dimension}, {s}, {Cells::Nodes}, tally, [&](auto& checker, auto memory) {
        SequenceChecker<decltype(memory), std::decay_t<decltype(checker)>>(checker, grid)
            .checkCouplings();
      });
    }
  }
  TEST_ASSERT(tally.checks() >= 200);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

// What else takes forms: on the host, by comparison with arrays of the same values.

using Space = Kokkos::DefaultHostExecutionSpace;
using Integration = Kontract::Integration<Space>;
using Here = Memory<Space, Kokkos::LayoutRight>;
using View = typename Here::View;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double differenceOfViews(const View& a, const View& b) {
  double largest = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(double(a.data()[i]) - double(b.data()[i]));
    keepLargest(largest, difference);
  }
  return largest;
}

/// A basis of HCURL and one of HDIV in space on some cells.
struct Example {
  static constexpr std::size_t cells = 7, points = 4 * 4 * 4;
  DrawnVectorBasis<Here> hcurl{3, FunctionSpace::HCURL, {3, 3, 3}, {2, 2, 2}, {4, 4, 4}, 'L'},
      hdiv{3, FunctionSpace::HDIV, {3, 3, 3}, {2, 2, 2}, {4, 4, 4}, 'L'};
  typename Here::Held jacobians, weights, coefficient;

  Example()
      : jacobians(Here::place(numbers("CPDE"))),
        weights(Here::place(numbers("P"))),
        coefficient(Here::place(numbers("CP"))) {
    const auto j = jacobians.dynRankView();
    for (std::size_t c = 0; c < cells; ++c) {
      for (std::size_t p = 0; p < points; ++p) {
        for (int d = 0; d < 3; ++d) j(c, p, d, d) += 4;
      }
    }
  }
  static Numbers numbers(const std::string& letters) {
    Numbers all = KontractTest::numbers(letters, {cells, 1, 1, points, 1}, 3);
    for (double& x : all.values()) x = FormScalar(random().real());
    return all;
  }
  auto geometry() { return Kontract::geometry(jacobians.dynRankView(), weights.dynRankView()); }
};

View viewOf(std::initializer_list<std::size_t> extents, double value = nan) {
  std::vector<std::size_t> e(extents);
  e.resize(8, KOKKOS_INVALID_INDEX);
  View view("view", e[0], e[1], e[2], e[3]);
  Kokkos::deep_copy(view, FormScalar(value));
  return view;
}

TEUCHOS_UNIT_TEST(ExactSequence, factorsAndDiagonals) {
  Example example;
  const auto check = [&](auto& basis, const Numbers& plain, const Form& form, std::size_t factors) {
    const double tolerance = sizeof(FormScalar) == 8 ? 1e-11 : 1e-3;
    auto held = Here::place(plain);
    const auto values = held.dynRankView(), a = example.coefficient.dynRankView();
    const std::size_t fields = plain.extents()[0];
    const auto term = Kontract::term(form, basis.basis(), basis.basis(), a);
    const auto of_array = Kontract::term(form, values, values, a);
    const View expected = viewOf({Example::cells, fields}),
               found = viewOf({Example::cells, fields}), x = viewOf({Example::cells, fields}),
               at_points = viewOf({Example::cells, factors, Example::points});
    for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = FormScalar(random().real());
    Integration::apply(expected, x, example.geometry(), of_array);
    Integration::factors(at_points, example.geometry(), term);
    Integration::apply(found, x, Kontract::geometry(), Kontract::factored(term, at_points));
    TEST_ASSERT(differenceOfViews(found, expected) < tolerance);
    TEST_EQUALITY(Kontract::explain().algorithm, "Register Blocking");
    TEST_EQUALITY(Kontract::explain().settings, "Kernel = Sum Factorization");
    Integration::diagonals(expected, example.geometry(), of_array);
    Integration::diagonals(found, example.geometry(), term);
    TEST_EQUALITY(Kontract::explain().algorithm, "Register Blocking");
    TEST_ASSERT(differenceOfViews(found, expected) < tolerance);
    Integration::diagonals(found, Kontract::geometry(), Kontract::factored(term, at_points));
    TEST_ASSERT(differenceOfViews(found, expected) < tolerance);
    Kokkos::deep_copy(found, nan);
    Integration::diagonals(found, example.geometry(), term,
                           optionsOfAlgorithm("Team Reduction").options);
    TEST_EQUALITY(Kontract::explain().algorithm, "Team Reduction");
    TEST_ASSERT(differenceOfViews(found, expected) < tolerance);
    // Products by cells that share unknowns.
    const std::int64_t all = std::int64_t(fields) * 3;
    const Kokkos::View<int**, Kokkos::HostSpace> numbers("numbers", Example::cells, fields);
    for (std::size_t c = 0; c < Example::cells; ++c) {
      for (std::size_t f = 0; f < fields; ++f) numbers(c, f) = int((c * 17 + f) % std::size_t(all));
    }
    const Kontract::CellNumbers<Space> unknowns(numbers, all);
    const Kokkos::View<FormScalar*, Kokkos::HostSpace> in("in", all), sums("sums", all),
        should_be("should be", all);
    for (std::int64_t i = 0; i < all; ++i) in(i) = FormScalar(random().real());
    Integration::apply(Kontract::scattered(should_be, unknowns), Kontract::gathered(in, unknowns),
                       example.geometry(), of_array);
    Integration::apply(Kontract::scattered(sums, unknowns), Kontract::gathered(in, unknowns),
                       example.geometry(), term);
    double largest = 0;
    for (std::int64_t i = 0; i < all; ++i) {
      keepLargest(largest, std::abs(double(sums(i)) - double(should_be(i))));
    }
    TEST_ASSERT(largest < 10 * tolerance);
  };
  check(example.hcurl, example.hcurl.values, Form::mass(FunctionSpace::HCURL), 6);
  check(example.hcurl, example.hcurl.curls, Form::curlCurl(), 6);
  check(example.hdiv, example.hdiv.values, Form::mass(FunctionSpace::HDIV), 6);
  check(example.hdiv, example.hdiv.divergences, Form::divDiv(), 1);
}

/// Displacements, and a basis of HDIV of as many fields for each of their components, in one call.
TEUCHOS_UNIT_TEST(ExactSequence, sumsWithElasticity) {
  Tally tally(out);
  const FormSizes s{5, 8, 8, 16, 4};
  forEachChecker({2}, {s}, {Cells::Jacobians}, tally, [&](auto& checker, auto memory) {
    using Held = decltype(memory);
    DrawnBasis<Held> nodes(2, {4, 2, 1}, {4, 4, 1}, 'L'), others(2, {2, 4, 1}, {4, 4, 1}, 'R');
    DrawnVectorBasis<Held> left(2, FunctionSpace::HDIV, {1, 1, 1}, {4, 4, 1}, {4, 4, 1}, 'L'),
        right(2, FunctionSpace::HDIV, {1, 1, 1}, {4, 4, 1}, {4, 4, 1}, 'R');
    const auto h = nodes.basis(), g = others.basis();
    const auto l = left.basis(), r = right.basis();
    const Numbers lambda = checker.random("CP"), mu = checker.random("CP");
    auto lambda_held = Held::place(lambda), mu_held = Held::place(mu);
    const auto a = lambda_held.dynRankView(), b = mu_held.dynRankView();
    const Form elasticity = Form::elasticity(), mass = Form::mass(FunctionSpace::HDIV);
    checker.setTensorBases(true);
    checker.matrices("elasticity and mass of HDIV",
                     {{elasticity, &nodes.gradients, &others.gradients, &lambda, &mu},
                      {mass, &left.values, &right.values, &mu}},
                     2, false, [&](const auto& call) {
                       call(Kontract::term(elasticity, h, g, a, b), Kontract::term(mass, l, r, b));
                     });
  });
  TEST_ASSERT(tally.checks() >= 20);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

TEUCHOS_UNIT_TEST(ExactSequence, refusals) {
  Example example;
  auto hcurl = example.hcurl.basis();
  auto hdiv = example.hdiv.basis();
  const std::size_t fields = example.hcurl.values.extents()[0];
  const View y = viewOf({Example::cells, fields}), x = viewOf({Example::cells, fields}, 1);
  const auto refused = [&](const Form& form, const auto& basis) {
    const Refusal refusal = refusalOf(
        [&] { Integration::apply(y, x, example.geometry(), Kontract::term(form, basis, basis)); });
    TEST_ASSERT(refusal.happened);
    bool is_untouched = true;
    for (std::size_t i = 0; i < y.size(); ++i) {
      is_untouched = is_untouched && std::isnan(double(y.data()[i]));
    }
    TEST_ASSERT(is_untouched);
    out << refusal.text << "\n";
    return refusal.text;
  };
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  // Operators that a space does not have.
  TEST_ASSERT(contains(refused(Form::divDiv(), hcurl), "values and curls of HCURL"));
  TEST_ASSERT(contains(refused(Form::mass(FunctionSpace::HDIV), hcurl), "HCURL"));
  TEST_ASSERT(contains(refused(Form::mass(FunctionSpace::HGRAD), hcurl), "HCURL"));
  TEST_ASSERT(contains(refused(Form::curlCurl(), hdiv), "values and divergences of HDIV"));
  TEST_ASSERT(contains(refused(Form::gradGrad(), hdiv), "HDIV"));
  TEST_ASSERT(contains(refused(Form::curlCurl(), hcurl.closed), "values and gradients of HGRAD"));
  const View lambda = viewOf({Example::cells, Example::points}, 1),
             many = viewOf({Example::cells, 3 * fields}),
             more = viewOf({Example::cells, 3 * fields}, 1);
  TEST_THROW(Integration::apply(many, more, example.geometry(),
                                Kontract::term(Form::elasticity(), hcurl, hcurl, lambda, lambda)),
             std::invalid_argument);
  // Factors of another number than curls of the basis have.
  const auto curls = Kontract::term(Form::curlCurl(), hcurl, hcurl);
  for (const std::size_t count : {1, 2, 3, 5}) {
    const View factors = viewOf({Example::cells, count, Example::points}, 1);
    const Refusal refusal = refusalOf([&] {
      Integration::apply(y, x, Kontract::geometry(), Kontract::factored(curls, factors));
    });
    TEST_ASSERT(refusal.happened);
    out << refusal.text << "\n";
  }
  DrawnVectorBasis<Here> planar{2, FunctionSpace::HCURL, {3, 3, 1}, {2, 2, 1}, {4, 4, 1}, 'L'};
  const auto plane = planar.basis();
  const View few = viewOf({Example::cells, 12}), all = viewOf({Example::cells, 12}, 1);
  for (const std::size_t count : {2, 3, 4}) {
    const View factors = viewOf({Example::cells, count, 16}, 1);
    const Refusal refusal = refusalOf([&] {
      Integration::apply(
          few, all, Kontract::geometry(),
          Kontract::factored(Kontract::term(Form::curlCurl(), plane, plane), factors));
    });
    TEST_ASSERT(refusal.happened);
    out << refusal.text << "\n";
  }
  // As many families and open functions as directions.
  TEST_THROW(hcurl.withFamilies(std::array<int, 2>{1, 0}), std::invalid_argument);
  TEST_THROW(plane.withFamilies(std::array<int, 3>{1, 0, 2}), std::invalid_argument);
  TEST_THROW(Kontract::tensorBasis(FunctionSpace::HCURL, plane.closed,
                                   std::array<View, 3>{plane.open[0], plane.open[1], View()}),
             std::invalid_argument);
  // Bases that are none.
  const Form mass = Form::mass(FunctionSpace::HCURL);
  auto spoilt = hcurl;
  spoilt.space = FunctionSpace::HGRAD;
  TEST_ASSERT(contains(refused(Form::gradGrad(), spoilt), "neither HCURL nor HDIV"));
  spoilt.space = FunctionSpace::HVOL;
  TEST_ASSERT(contains(refused(Form::curlCurl(), spoilt), "neither HCURL nor HDIV"));
  spoilt = hcurl;
  spoilt.components[1] = spoilt.components[0];
  TEST_ASSERT(contains(refused(mass, spoilt), "each of one family"));
  spoilt.components[1] = 3;
  TEST_ASSERT(contains(refused(mass, spoilt), "family 2 has component 3"));
  spoilt.components[1] = -1;
  TEST_ASSERT(contains(refused(mass, spoilt), "family 2 has component -1"));
  spoilt = hcurl;
  spoilt.signs[2] = 0;
  TEST_ASSERT(contains(refused(mass, spoilt), "family 3 has component"));
  spoilt = hcurl;
  spoilt.open[1] = viewOf({2, 5});
  TEST_ASSERT(contains(refused(mass, spoilt), "in direction 2 open functions are (2, 5)"));
  spoilt = hcurl;
  spoilt.open[2] = View();
  TEST_ASSERT(contains(refused(mass, spoilt), "in direction 3 open functions"));
  spoilt = hcurl;
  spoilt.open[0] = viewOf({4, 4});  // a family of more fields than the output has
  TEST_ASSERT(contains(refused(mass, spoilt), "vector is (7, 54) but it must be (7, 72)"));
  spoilt = hcurl;
  spoilt.closed.dimension = 2;
  spoilt.components[0] = 2;
  TEST_ASSERT(contains(refused(mass, spoilt), "components must be 0 to 1"));
  spoilt.closed.dimension = 1;
  TEST_ASSERT(contains(refused(mass, spoilt), "one direction"));
  // An output that is an open table.
  spoilt = hcurl;
  spoilt.open[2] = View(y.data(), 2, 4);
  TEST_ASSERT(contains(refused(mass, spoilt), "overlap"));
}

/// Matrices by sum factorization, chosen where that is fewer operations.
TEUCHOS_UNIT_TEST(ExactSequence, auto_) {
  DrawnVectorBasis<Here> basis{3, FunctionSpace::HCURL, {6, 6, 6}, {5, 5, 5}, {7, 7, 7}, 'L'};
  Numbers jacobian("CPDE", {1, 1, 3, 3});
  for (std::size_t d = 0; d < 3; ++d) jacobian.at({0, 0, 0, 0, d, d}) = 1;
  auto jacobians = Here::place(jacobian);
  const std::size_t fields = basis.values.extents()[0];
  const View weights = viewOf({7 * 7 * 7}, 1), matrices = viewOf({1, fields, fields});
  const View a = viewOf({1, 7 * 7 * 7}, 1);  // so that cells are not affine
  Integration::matrices(matrices, Kontract::geometry(jacobians.dynRankView(), weights),
                        Kontract::term(Form::curlCurl(), basis.basis(), basis.basis(), a));
  TEST_EQUALITY(Kontract::explain().algorithm, "Register Blocking");
  TEST_EQUALITY(Kontract::explain().settings, "Kernel = Sum Factorization");
}

}  // namespace
}  // namespace KontractTest
