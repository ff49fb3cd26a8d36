// SPDX-License-Identifier: BSD-3-Clause
//
// Forms on surfaces and curves, and on sides of cells, against plain loops and against what
// integrals of them must be: areas, the divergence theorem, Robin's matrix of a part of a boundary.
// Outputs begin as NaN where they are overwritten.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "DrawnBasis.hpp"
#include "KeepLargest.hpp"
#include "Kontract_CellGraph.hpp"
#include "SideTables.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Kontract::Pullback;

constexpr bool is_double = sizeof(FormScalar) == sizeof(double);

/// A form with the letters of its values and its coefficient; S and T are dimensions of space.
struct Case {
  const char* name;
  Form form;
  const char *left, *right, *coefficient;  ///< right: empty for loads
};

const Form hdiv_trace = Form::product(Pullback::Scalar, Pullback::Contravariant);

/// What cells with fewer dimensions than space have, and cells that fill it.
const Case cases[] = {
    {"mass HGRAD", Form::mass(FunctionSpace::HGRAD), "LP", "RP", ""},
    {"mass HGRAD", Form::mass(FunctionSpace::HGRAD), "LP", "RP", "CQ"},
    {"mass HVOL", Form::mass(FunctionSpace::HVOL), "LP", "RP", "CP"},
    {"mass HCURL", Form::mass(FunctionSpace::HCURL), "LPD", "RPD", "CP"},
    {"mass HDIV", Form::mass(FunctionSpace::HDIV), "LPD", "RPD", ""},
    {"mass HDIV", Form::mass(FunctionSpace::HDIV), "LPD", "RPD", "CPST"},
    {"gradGrad", Form::gradGrad(), "LPD", "RPD", "CQ"},
    {"gradGrad", Form::gradGrad(), "LPD", "RPD", "CPS"},
    {"gradGrad", Form::gradGrad(), "LPD", "RPD", "CQST"},
    {"gradGrad", Form::gradGrad(), "LPD", "", "CPS"},
    {"advection", Form::advection(), "LP", "RPD", "CPS"},
    {"advectionTransposed", Form::advectionTransposed(), "LPD", "RP", "CPS"},
    {"source HGRAD", Form::source(FunctionSpace::HGRAD), "LP", "", "CP"},
    {"source of displacements", Form::source(FunctionSpace::HGRAD), "LP", "", "CPS"},
    {"source HDIV", Form::source(FunctionSpace::HDIV), "LPD", "", "CQS"}};

/// What sides have alone: a normal in the place of a vector.
const Case normal_cases[] = {
    {"flux", Form::advection(), "LP", "RPD", ""},
    {"flux", Form::advection(), "LP", "RPD", "CP"},
    {"flux of tests", Form::advectionTransposed(), "LPD", "RP", "CQ"},
    {"trace", hdiv_trace, "LP", "RPD", ""},
    {"normal source HDIV", Form::source(FunctionSpace::HDIV), "LPD", "", "CP"},
    {"normal source HCURL", Form::source(FunctionSpace::HCURL), "LPD", "", "CQ"}};

template <class Here, class Checker>
void check(Checker& checker, const Case& of) {
  const std::string name = std::string(of.name) + " " + of.coefficient;
  const Numbers left = checker.random(of.left), coefficient = checker.random(of.coefficient);
  auto left_held = Here::place(left), coefficient_held = Here::place(coefficient);
  FormOracle::Term term{of.form, &left};
  if (of.coefficient[0] != '\0') term.coefficient = &coefficient;
  const auto l = left_held.dynRankView(), a = coefficient_held.dynRankView();
  if (of.right[0] == '\0') {
    const bool is_of_blocks = left.dimensions() == 0 && coefficient.dimensions() == 1;
    checker.vectors(name, term, is_of_blocks ? checker.spaceDimension() : 1,
                    [&](const auto& call) { call(Kontract::load(of.form, l, a)); });
    return;
  }
  const Numbers right = checker.random(of.right);
  auto right_held = Here::place(right);
  const auto r = right_held.dynRankView();
  term.right = &right;
  if (term.coefficient == nullptr) {
    checker.matrices(name, {term}, 1, false,
                     [&](const auto& call) { call(Kontract::term(of.form, l, r)); });
  } else {
    checker.matrices(name, {term}, 1, true,
                     [&](const auto& call) { call(Kontract::term(of.form, l, r, a)); });
  }
}

/// Two terms, and one array on both sides: a symmetric matrix.
template <class Here, class Checker>
void checkSum(Checker& checker) {
  const Numbers gradients = checker.random("LPD"), values = checker.random("LP"),
                scalar = checker.random("CP");
  auto gradients_held = Here::place(gradients), values_held = Here::place(values),
       scalar_held = Here::place(scalar);
  const auto g = gradients_held.dynRankView(), v = values_held.dynRankView(),
             a = scalar_held.dynRankView();
  const Form mass = Form::mass(FunctionSpace::HGRAD), stiffness = Form::gradGrad();
  checker.matrices("gradGrad and mass",
                   {{stiffness, &gradients, &gradients, &scalar}, {mass, &values, &values}}, 1,
                   false, [&](const auto& call) {
                     call(Kontract::term(stiffness, g, g, a), Kontract::term(mass, v, v));
                   });
}

template <class Here, class Checker>
void checkTensorBases(Checker& checker, const std::array<std::size_t, 3>& points) {
  const std::array<std::size_t, 3> functions{3, 2, 4};
  const int d = checker.dimension();
  DrawnBasis<Here> left(d, functions, points, 'L'), right(d, functions, points, 'R');
  const Numbers scalar = checker.random("CP"), vector = checker.random("CPS");
  auto scalar_held = Here::place(scalar), vector_held = Here::place(vector);
  const auto a = scalar_held.dynRankView(), b = vector_held.dynRankView();
  const auto l = left.basis(), r = right.basis();
  const Form mass = Form::mass(FunctionSpace::HGRAD), stiffness = Form::gradGrad(),
             source = Form::source(FunctionSpace::HGRAD);
  checker.setTensorBases(true);
  checker.matrices("tensor bases",
                   {{stiffness, &left.gradients, &right.gradients, &scalar},
                    {mass, &left.values, &right.values}},
                   1, false, [&](const auto& call) {
                     call(Kontract::term(stiffness, l, r, a), Kontract::term(mass, l, r));
                   });
  checker.matrices("advection of tensor bases",
                   {{Form::advection(), &left.values, &right.gradients, &vector}}, 1, false,
                   [&](const auto& call) { call(Kontract::term(Form::advection(), l, r, b)); });
  checker.vectors("source of displacements", {source, &left.values, nullptr, &vector},
                  checker.spaceDimension(),
                  [&](const auto& call) { call(Kontract::load(source, l, b)); });
}

template <class F>
void forEachSpaceAndLayout(const F& f) {
  forEachSpace([&](auto space) {
    f(space, Kokkos::LayoutRight());
    f(space, Kokkos::LayoutLeft());
  });
}

struct Dimensions {
  int cells, space;
};

constexpr Cells all_geometries[] = {Cells::Jacobians, Cells::AffineJacobians,
                                    Cells::JacobiansAndMeasures, Cells::Nodes, Cells::AffineNodes};

TEUCHOS_UNIT_TEST(Sides, formsOnSurfacesAndCurves) {
  Tally tally(out);
  forEachSpaceAndLayout([&](auto space, auto layout) {
    using Space = decltype(space);
    using Layout = decltype(layout);
    for (const FormSizes& s :
         {FormSizes{13, 5, 3, 9, 6}, FormSizes{3, 9, 17, 1, 4}, FormSizes{0, 3, 2, 5, 4}}) {
      for (const Dimensions& of : {Dimensions{1, 2}, Dimensions{1, 3}, Dimensions{2, 3}}) {
        for (const Cells cells : all_geometries) {
          Checker<Space, Layout> checker(of.cells, s, cells, tally, of.space);
          for (const Case& one : cases) check<Memory<Space, Layout>>(checker, one);
          checkSum<Memory<Space, Layout>>(checker);
        }
      }
    }
    for (const Cells cells : {Cells::Jacobians, Cells::AffineNodes}) {
      Checker<Space, Layout> checker(2, {7, 6, 6, 12, 5}, cells, tally, 3);
      checkTensorBases<Memory<Space, Layout>>(checker, {4, 3, 1});
    }
  });
  TEST_ASSERT(tally.checks() >= 5000);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// Sides of cells, and of surfaces and curves.
TEUCHOS_UNIT_TEST(Sides, formsOnSides) {
  Tally tally(out);
  forEachSpaceAndLayout([&](auto space, auto layout) {
    using Space = decltype(space);
    using Layout = decltype(layout);
    for (const Dimensions& of : {Dimensions{1, 1}, Dimensions{2, 2}, Dimensions{3, 3},
                                 Dimensions{1, 2}, Dimensions{2, 3}}) {
      for (const Cells cells : all_geometries) {
        if (cells == Cells::JacobiansAndMeasures) continue;
        Checker<Space, Layout, true> checker(of.cells, {9, 5, 7, 5, 6}, cells, tally, of.space);
        for (const Case& one : cases) check<Memory<Space, Layout>>(checker, one);
        for (const Case& one : normal_cases) check<Memory<Space, Layout>>(checker, one);
        checkSum<Memory<Space, Layout>>(checker);
      }
    }
    // Points of a face are a grid of which one direction has one point.
    Checker<Space, Layout, true> checker(3, {5, 24, 24, 12, 8}, Cells::Nodes, tally);
    checkTensorBases<Memory<Space, Layout>>(checker, {3, 1, 4});
  });
  TEST_ASSERT(tally.checks() >= 5000);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

using Space = Kokkos::DefaultHostExecutionSpace;
using Integration = Kontract::Integration<Space>;
template <class T>
using View = Kokkos::View<T, Kokkos::LayoutRight, Space>;

constexpr double tolerance = is_double ? 1e-12 : 2e-5;

template <class ViewType>
void spoil(const ViewType& view) {
  Kokkos::deep_copy(view, std::numeric_limits<FormScalar>::quiet_NaN());
}

Point3 difference(const View<FormScalar**>& x, int to, int from) {
  return {double(x(to, 0)) - x(from, 0), double(x(to, 1)) - x(from, 1),
          double(x(to, 2)) - x(from, 2)};
}
double dot(const Point3& a, const Point3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double lengthOf(const Point3& v) { return std::hypot(v[0], v[1], v[2]); }
Point3 cross(const Point3& a, const Point3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The unit sphere by triangles: an octahedron whose faces are cut into n x n.
struct Sphere {
  View<FormScalar**> vertices;
  View<int**> triangles;
  View<FormScalar**> values{"values", 3, 3};
  View<FormScalar***> gradients{"gradients", 3, 1, 2}, vector_gradients{"gradients", 3, 3, 2};
  View<FormScalar*> weights{"weights", 3};

  explicit Sphere(int n) : vertices("vertices", 4 * n * n + 2, 3), triangles("", 8 * n * n, 3) {
    std::map<std::array<int, 3>, int> number;
    int cell = 0;
    for (int face = 0; face < 8; ++face) {
      const int sign[3] = {face & 1 ? -1 : 1, face & 2 ? -1 : 1, face & 4 ? -1 : 1};
      const auto vertex = [&](int i, int j) {
        const std::array<int, 3> at{sign[0] * i, sign[1] * j, sign[2] * (n - i - j)};
        const int v = number.emplace(at, int(number.size())).first->second;
        const double length = std::hypot(at[0], at[1], at[2]);
        for (int d = 0; d < 3; ++d) vertices(v, d) = FormScalar(at[std::size_t(d)] / length);
        return v;
      };
      const auto add = [&](int a, int b, int c) {
        const int three[3] = {a, b, c};
        for (int v = 0; v < 3; ++v) triangles(cell, v) = three[v];
        ++cell;
      };
      for (int i = 0; i < n; ++i) {
        for (int j = 0; i + j < n; ++j) {
          add(vertex(i, j), vertex(i + 1, j), vertex(i, j + 1));
          if (i + j + 1 < n) add(vertex(i + 1, j + 1), vertex(i, j + 1), vertex(i + 1, j));
        }
      }
    }
    // Points in the middle of edges are exact for products of linear functions.
    for (int p = 0; p < 3; ++p) {
      weights(p) = FormScalar(1) / 6;
      for (int f = 0; f < 3; ++f) {
        values(f, p) = f == p ? 0 : 0.5;
        for (int d = 0; d < 2; ++d) {
          vector_gradients(f, p, d) = FormScalar(f == 0 ? -1 : f == d + 1 ? 1 : 0);
          gradients(f, 0, d) = vector_gradients(f, p, d);
        }
      }
    }
  }

  double areaOf(int cell) const {
    const int* v = &triangles(cell, 0);
    return 0.5 *
           lengthOf(cross(difference(vertices, v[1], v[0]), difference(vertices, v[2], v[0])));
  }
};

TEUCHOS_UNIT_TEST(Sides, areaAndLaplacianOfASphere) {
  const int n = 12;
  const Sphere sphere(n);
  const Kontract::CellNumbers<Space> numbers(sphere.triangles,
                                             std::int64_t(sphere.vertices.extent(0)));
  const auto cells = Kontract::geometry(Kontract::gathered(sphere.vertices, numbers),
                                        sphere.gradients, sphere.weights);
  const std::size_t count = sphere.triangles.extent(0);
  View<FormScalar***> masses("masses", count, 3, 3), laplacians("laplacians", count, 3, 3);
  spoil(masses), spoil(laplacians);
  Integration::matrices(
      masses, cells,
      Kontract::term(Form::mass(FunctionSpace::HGRAD), sphere.values, sphere.values));
  Integration::matrices(
      laplacians, cells,
      Kontract::term(Form::gradGrad(), sphere.vector_gradients, sphere.vector_gradients));
  double area = 0, energy = 0, expected = 0, wrong = 0;
  for (std::size_t c = 0; c < count; ++c) {
    double of_cell = 0;
    for (int i = 0; i < 3; ++i) {
      double row = 0;
      for (int j = 0; j < 3; ++j) {
        of_cell += masses(c, i, j);
        row += laplacians(c, i, j);
        // Of the three coordinates: each facet's gradients are projections of unit vectors to it,
        // whose squares add up to 2.
        for (int d = 0; d < 3; ++d) {
          energy += laplacians(c, i, j) * sphere.vertices(sphere.triangles(c, i), d) *
                    sphere.vertices(sphere.triangles(c, j), d);
        }
      }
      keepLargest(wrong, std::abs(row));
    }
    keepLargest(wrong, std::abs(of_cell - sphere.areaOf(int(c))));
    area += of_cell;
    expected += sphere.areaOf(int(c));
  }
  TEST_ASSERT(wrong <= tolerance);  // false for NaN
  TEST_FLOATING_EQUALITY(area, expected, tolerance);
  TEST_FLOATING_EQUALITY(energy, 2 * expected, 10 * tolerance);
  TEST_FLOATING_EQUALITY(area, 4 * std::acos(-1.), 0.01);
}

/// A reference cell with functions of its vertices, at points of a cubature of each side and of the
/// inside: multilinear ones of a hexahedron, linear ones of a tetrahedron.
struct ReferenceCell {
  ReferenceSides sides;
  bool is_simplex;

  int nodes() const { return int(sides.vertices.size()); }

  double value(int n, const Point3& x) const {
    if (is_simplex) return n == 0 ? 1 - x[0] - x[1] - x[2] : x[std::size_t(n - 1)];
    double product = 0.125;
    for (std::size_t d = 0; d < 3; ++d) product *= 1 + sides.vertices[std::size_t(n)][d] * x[d];
    return product;
  }
  double derivative(int n, std::size_t d, const Point3& x) const {
    if (is_simplex) return n == 0 ? -1 : std::size_t(n - 1) == d ? 1 : 0;
    Point3 of_d = x;
    of_d[d] = 0;
    return sides.vertices[std::size_t(n)][d] * value(n, of_d);
  }

  /// Points of Gauss' rule of three points, and its weights.
  static constexpr double gauss[3] = {-0.774596669241483377035853079956, 0,
                                      0.774596669241483377035853079956};
  static constexpr double gauss_weights[3] = {5. / 9, 8. / 9, 5. / 9};

  struct Rule {
    std::vector<Point3> points;
    std::vector<double> weights;
  };
  Rule inside() const {
    if (is_simplex) return {{{0.25, 0.25, 0.25}}, {1. / 6}};
    Rule rule;
    for (int i = 0; i < 27; ++i) {
      rule.points.push_back({gauss[i % 3], gauss[i / 3 % 3], gauss[i / 9]});
      rule.weights.push_back(gauss_weights[i % 3] * gauss_weights[i / 3 % 3] *
                             gauss_weights[i / 9]);
    }
    return rule;
  }
  /// Of a side, in coordinates of the cell.
  Rule ofSide(std::size_t side) const {
    const std::vector<int>& face = sides.faces[side];
    const auto tangents = sides.tangents(face);
    Rule rule;
    const auto add = [&](double s, double t, double weight) {
      Point3 x = sides.vertices[std::size_t(face[0])];
      for (std::size_t d = 0; d < 3; ++d) x[d] += s * tangents[0][d] + t * tangents[1][d];
      rule.points.push_back(x);
      rule.weights.push_back(weight);
    };
    if (is_simplex) {
      add(0.5, 0, 1. / 6), add(0, 0.5, 1. / 6), add(0.5, 0.5, 1. / 6);
    } else {
      for (int i = 0; i < 9; ++i) {
        add(1 + gauss[i % 3], 1 + gauss[i / 3], gauss_weights[i % 3] * gauss_weights[i / 3]);
      }
    }
    return rule;
  }
  Point3 normalOf(std::size_t side) const {
    const auto tangents = sides.tangents(sides.faces[side]);
    return cross(tangents[0], tangents[1]);
  }
};

/// Functions of the vertices at points, as Integration takes them.
struct AtPoints {
  View<FormScalar**> values;
  View<FormScalar***> gradients;
  View<FormScalar*> weights;
  View<FormScalar**> normals{"normals", 1, 3};

  AtPoints(const ReferenceCell& cell, const ReferenceCell::Rule& rule)
      : values("values", cell.nodes(), rule.points.size()),
        gradients("gradients", cell.nodes(), rule.points.size(), 3),
        weights("weights", rule.points.size()) {
    for (std::size_t p = 0; p < rule.points.size(); ++p) {
      weights(p) = FormScalar(rule.weights[p]);
      for (int n = 0; n < cell.nodes(); ++n) {
        values(n, p) = FormScalar(cell.value(n, rule.points[p]));
        for (std::size_t d = 0; d < 3; ++d) {
          gradients(n, p, d) = FormScalar(cell.derivative(n, d, rule.points[p]));
        }
      }
    }
  }
  AtPoints(const ReferenceCell& cell, std::size_t side) : AtPoints(cell, cell.ofSide(side)) {
    const Point3 normal = cell.normalOf(side);
    for (std::size_t d = 0; d < 3; ++d) normals(0, d) = FormScalar(normal[d]);
  }
};

const ReferenceCell& hexahedron() {
  static const ReferenceCell cell{hexahedronSides(), false};
  return cell;
}

/// The sum of x_i n_i over all sides is three times the volume, that of a unit vector's normal
/// component is 0; n_i is the flux of coordinate i. Cells are of both orientations.
TEUCHOS_UNIT_TEST(Sides, divergenceTheorem) {
  for (const ReferenceCell& cell : {hexahedron(), ReferenceCell{tetrahedronSides(), true}}) {
    const int count = 11, nodes = cell.nodes();
    View<FormScalar***> coordinates("coordinates", count, nodes, 3);
    for (int c = 0; c < count; ++c) {
      for (int n = 0; n < nodes; ++n) {
        for (int d = 0; d < 3; ++d) {
          const double x = cell.sides.vertices[std::size_t(n)][std::size_t(d)];
          const double turned = d == 0 && c % 2 == 1 ? -x : x;
          coordinates(c, n, d) = FormScalar(turned + 0.2 * random().real());
        }
      }
    }
    View<FormScalar***> fluxes("fluxes", count, nodes, nodes), volumes("", count, nodes, nodes);
    spoil(fluxes), spoil(volumes);
    for (std::size_t side = 0; side < cell.sides.faces.size(); ++side) {
      const AtPoints at(cell, side);
      Integration::matrices(
          fluxes, Kontract::sideGeometry(coordinates, at.gradients, at.weights, at.normals),
          Kontract::term(Form::advection(), at.values, at.gradients), side > 0);
    }
    const AtPoints inside(cell, cell.inside());
    Integration::matrices(
        volumes, Kontract::geometry(coordinates, inside.gradients, inside.weights),
        Kontract::term(Form::mass(FunctionSpace::HGRAD), inside.values, inside.values));
    for (int c = 0; c < count; ++c) {
      double volume = 0, of_positions = 0;
      Point3 of_constants{};
      for (int l = 0; l < nodes; ++l) {
        for (int r = 0; r < nodes; ++r) {
          volume += volumes(c, l, r);
          for (int d = 0; d < 3; ++d) {
            of_constants[std::size_t(d)] += fluxes(c, l, r) * coordinates(c, r, d);
            of_positions += fluxes(c, l, r) * coordinates(c, l, d) * coordinates(c, r, d);
          }
        }
      }
      // The mass of a tetrahedron at one point is exact in the sum over all functions.
      TEST_FLOATING_EQUALITY(of_positions, 3 * volume, 10 * tolerance);
      for (const double x : of_constants) TEST_ASSERT(std::abs(x) <= 10 * tolerance);
    }
  }
}

/// A brick of cells, of which a part of the upper boundary has a Robin condition: the matrix is
/// that of the faces' area, and nothing is added to rows of other vertices.
TEUCHOS_UNIT_TEST(Sides, robinMatrixOfAPatch) {
  const int n = 4;
  const std::size_t upper = 5;
  const auto vertex = [&](int i, int j, int k) { return i + (n + 1) * (j + (n + 1) * k); };
  View<int**> table("cells", n * n * n, 8);
  View<FormScalar**> coordinates("coordinates", (n + 1) * (n + 1) * (n + 1), 3);
  std::vector<int> cells_of_patch;
  for (int c = 0; c < n * n * n; ++c) {
    const int i = c % n, j = c / n % n, k = c / n / n;
    if (k == n - 1 && i > 0 && j < n - 1) cells_of_patch.push_back(c);
    for (int v = 0; v < 8; ++v) {
      const Point3& x = hexahedron().sides.vertices[std::size_t(v)];
      table(c, v) = vertex(i + (x[0] > 0), j + (x[1] > 0), k + (x[2] > 0));
    }
  }
  for (int k = 0; k <= n; ++k) {
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) {
        const int v = vertex(i, j, k);
        coordinates(v, 0) = FormScalar(i + 0.1 * k);
        coordinates(v, 1) = FormScalar(2 * j);
        coordinates(v, 2) = FormScalar(0.5 * k + 0.25 * i);  // a slope
      }
    }
  }
  View<int*> list("list", cells_of_patch.size());
  for (std::size_t f = 0; f < cells_of_patch.size(); ++f) list(f) = cells_of_patch[f];
  const Kontract::CellNumbers<Space> unknowns(table, std::int64_t(coordinates.extent(0)));
  const auto of_patch = unknowns.subset(list);
  const Kontract::CellGraph<Space> graph(unknowns);
  const Kontract::ScatterPlan<Space> plan(graph, of_patch);
  View<FormScalar*> values("values", graph.entries.extent(0)), load("load", coordinates.extent(0));
  spoil(values), spoil(load);
  const AtPoints at(hexahedron(), upper);
  View<FormScalar**> coefficient("coefficient", cells_of_patch.size(), 1);
  Kokkos::deep_copy(coefficient, FormScalar(3));
  const auto sides = Kontract::sideGeometry(Kontract::gathered(coordinates, of_patch), at.gradients,
                                            at.weights, at.normals);
  Integration::matrices(
      Kontract::scattered(values, plan), sides,
      Kontract::term(Form::mass(FunctionSpace::HGRAD), at.values, at.values, coefficient));
  Integration::vectors(Kontract::scattered(load, of_patch), sides,
                       Kontract::load(Form::source(FunctionSpace::HGRAD), at.values, coefficient));
  const double face = 2 * std::sqrt(1 + 0.25 * 0.25), area = face * (n - 1) * (n - 1);
  double sum = 0, sum_of_load = 0, elsewhere = 0;
  for (std::size_t v = 0; v < load.extent(0); ++v) {
    const int i = int(v) % (n + 1), j = int(v) / (n + 1) % (n + 1), k = int(v) / (n + 1) / (n + 1);
    const bool is_on_patch = k == n && i > 0 && j < n;
    double row = 0;
    for (auto e = graph.row_map(v); e < graph.row_map(v + 1); ++e) row += values(e);
    // Functions add up to one: rows of the matrix have the sums that the load has.
    TEST_ASSERT(std::abs(row - load(v)) <= 100 * tolerance);
    if (!is_on_patch) keepLargest(elsewhere, std::abs(row) + std::abs(double(load(v))));
    const int faces =
        !is_on_patch ? 0 : (i == 1 || i == n ? 1 : 2) * (j == 0 || j == n - 1 ? 1 : 2);
    TEST_ASSERT(std::abs(load(v) - 3 * faces * face / 4) <= 100 * tolerance);
    sum += row;
    sum_of_load += load(v);
  }
  TEST_FLOATING_EQUALITY(sum, 3 * area, 10 * tolerance);
  TEST_FLOATING_EQUALITY(sum_of_load, 3 * area, 10 * tolerance);
  TEST_ASSERT(elsewhere <= tolerance);
}

/// Pairs of parallelepipeds that share a face, the second one turned by a quarter about the first
/// direction, with unknowns of their own: terms of jumps have values of one brick on the left and
/// of the other on the right.
TEUCHOS_UNIT_TEST(Sides, termsBetweenTwoCellsOfAnInterface) {
  const int pairs = 5;
  const std::size_t side_of_first = 1;  // x = 1; of the second one x = -1
  const ReferenceSides& cell = hexahedron().sides;
  const auto turned = [](const Point3& x) { return Point3{x[0], -x[2], x[1]}; };
  const auto turnedBack = [](const Point3& x) { return Point3{x[0], x[2], -x[1]}; };
  const Point3 slope{0.5, -0.75, 1.25};
  // Cell 2 i is the first of pair i, cell 2 i + 1 the second; each has eight unknowns.
  View<int**> table("unknowns", 2 * pairs, 8);
  View<FormScalar***> nodes("nodes", pairs, 8, 3);  // of first cells, whose geometry is taken
  View<FormScalar*> x("x", 16 * pairs), linear("linear", 16 * pairs);
  std::vector<double> areas;
  std::vector<Point3> normals;
  for (int i = 0; i < pairs; ++i) {
    const double tilt = 0.1 * i, height = 1 + i, width = 2 + 0.5 * i;
    const auto place = [&](const Point3&
                               q) {  // straight edges, of which no two are at right angles
      return Point3{q[0] + tilt * q[1] + i, height * q[1] + 0.2 * q[2], width * q[2] + 0.1 * q[0]};
    };
    const Point3 along_y{tilt, height, 0}, along_z{0, 0.2, width};
    normals.push_back(cross(along_y, along_z));
    areas.push_back(4 * lengthOf(normals.back()));
    for (int n = 0; n < 8; ++n) {
      const Point3& q = cell.vertices[std::size_t(n)];
      const Point3 first = place(q), of_second = turned(q);
      const Point3 second = place({of_second[0] + 2, of_second[1], of_second[2]});
      for (std::size_t d = 0; d < 3; ++d) nodes(i, n, d) = FormScalar(first[d]);
      for (int k : {0, 1}) {
        table(2 * i + k, n) = 16 * i + 8 * k + n;
        x(16 * i + 8 * k + n) = FormScalar(k);
        linear(16 * i + 8 * k + n) = FormScalar(dot(slope, k == 0 ? first : second));
      }
    }
  }
  View<int*> firsts("firsts", pairs), seconds("seconds", pairs);
  for (int i = 0; i < pairs; ++i) firsts(i) = 2 * i, seconds(i) = 2 * i + 1;
  // The graph of both cells of a pair together.
  View<int**> of_pairs(table.data(), pairs, 16);
  const Kontract::CellGraph<Space> graph(Kontract::CellNumbers<Space>(of_pairs, 16 * pairs));
  const Kontract::CellNumbers<Space> unknowns(table, 16 * pairs);
  const Kontract::CellNumbers<Space> of_cells[] = {unknowns.subset(firsts),
                                                   unknowns.subset(seconds)};
  ReferenceCell::Rule rule = hexahedron().ofSide(side_of_first);
  const AtPoints at_first(hexahedron(), side_of_first);
  for (Point3& q : rule.points) q = turnedBack({q[0] - 2, q[1], q[2]});
  const AtPoints at_second(hexahedron(), rule);
  const auto faces =
      Kontract::sideGeometry(nodes, at_first.gradients, at_first.weights, at_first.normals);
  View<FormScalar*> jumps("jumps", graph.entries.extent(0)), flux("flux", 16 * pairs);
  spoil(jumps), spoil(flux);
  bool is_first_call = true;
  for (int l : {0, 1}) {
    for (int r : {0, 1}) {
      View<FormScalar**> sign("sign", pairs, 1);
      Kokkos::deep_copy(sign, FormScalar(l == r ? 1 : -1));
      const Kontract::ScatterPlan<Space> plan(graph, of_cells[l], of_cells[r]);
      Integration::matrices(
          Kontract::scattered(jumps, plan), faces,
          Kontract::term(Form::mass(FunctionSpace::HGRAD), (l == 0 ? at_first : at_second).values,
                         (r == 0 ? at_first : at_second).values, sign),
          !is_first_call);
      is_first_call = false;
    }
  }
  // u . A u is the square of the jump of u, integrated.
  const auto energy = [&](const View<FormScalar*>& u, int pair) {
    double sum = 0;
    for (int row = 16 * pair; row < 16 * (pair + 1); ++row) {
      for (auto e = graph.row_map(row); e < graph.row_map(row + 1); ++e) {
        sum += double(u(row)) * double(jumps(e)) * double(u(graph.entries(e)));
      }
    }
    return sum;
  };
  for (int i = 0; i < pairs; ++i) {
    TEST_FLOATING_EQUALITY(energy(x, i), areas[std::size_t(i)], 10 * tolerance);
    TEST_ASSERT(std::abs(energy(linear, i)) <= 1e4 * tolerance);
  }
  // The flux of the second cell's function, by its physical gradients, tested by the first cell's.
  View<FormScalar****> gradients("gradients", pairs, 1, rule.points.size(), 3);
  for (int i = 0; i < pairs; ++i) {
    for (std::size_t p = 0; p < rule.points.size(); ++p) {
      for (std::size_t d = 0; d < 3; ++d) gradients(i, 0, p, d) = FormScalar(slope[d]);
    }
  }
  View<FormScalar***> fluxes("fluxes", pairs, 8, 1);
  spoil(fluxes);
  Integration::matrices(fluxes, faces,
                        Kontract::term(Form::product(Pullback::Scalar, Pullback::Physical),
                                       at_first.values, gradients));
  for (int i = 0; i < pairs; ++i) {
    double sum = 0;
    for (int n = 0; n < 8; ++n) sum += fluxes(i, n, 0);
    TEST_FLOATING_EQUALITY(sum, 4 * dot(slope, normals[std::size_t(i)]), 10 * tolerance);
  }
}

/// Scalars of several types, which kernels of the library do not serve: coefficients with
/// directions of space on a surface, and fluxes through a side.
TEUCHOS_UNIT_TEST(Sides, scalarsOfSeveralTypes) {
  using Other = std::conditional_t<is_double, float, double>;
  const std::size_t c = 3, f = 5, p = 4;
  const auto drawn = [](const std::string& letters, const std::vector<std::size_t>& extents) {
    Numbers numbers(letters, extents);
    for (double& x : numbers.values()) x = float(random().real());
    return numbers;
  };
  const auto viewOf = [](const Numbers& from, auto type) {
    const auto& n = from.extents();
    const auto extent = [&](std::size_t i) { return i < n.size() ? n[i] : KOKKOS_INVALID_INDEX; };
    Kokkos::DynRankView<decltype(type), Kokkos::LayoutRight, Space> view(
        "numbers", extent(0), extent(1), extent(2), extent(3));
    std::copy(from.values().begin(), from.values().end(), view.data());
    return view;
  };
  const Numbers surface = jacobiansOf("CPSD", {c, f, f, p, 0}, 2, 3),
                plane = jacobiansOf("CPSD", {c, f, f, p, 0}, 2), weights = drawn("P", {p}),
                normals = normalsOf("PD", {c, f, f, p, 0}, 2), gradients = drawn("FPD", {f, p, 2}),
                values = drawn("FP", {f, p}), diagonal = drawn("CPS", {c, p, 3}),
                scalar = drawn("CP", {c, p});
  const auto v = viewOf(values, FormScalar()), g = viewOf(gradients, FormScalar()),
             w = viewOf(weights, FormScalar());
  const auto a = viewOf(diagonal, Other()), s = viewOf(scalar, Other());
  const auto compare = [&](const CellArrays& arrays, const std::vector<FormOracle::Term>& terms,
                           const auto& integrate) {
    View<FormScalar***> matrices("matrices", c, f, f);
    spoil(matrices);
    integrate(matrices);
    const FormOracle oracle(arrays);
    for (std::size_t cell = 0; cell < c; ++cell) {
      WideVector expected(f * f, 0);
      for (const FormOracle::Term& term : terms) {
        const WideVector added = oracle.matrix(term, cell, p);
        for (std::size_t i = 0; i < f * f; ++i) expected[i] += added[i];
      }
      for (std::size_t i = 0; i < f * f; ++i) {
        const double found = matrices(cell, i / f, i % f), wanted = double(expected[i]);
        TEST_COMPARE(std::abs(found - wanted), <=,
                     (is_double ? 1e-12 : 1e-4) * (1 + std::abs(wanted)));
      }
    }
  };
  compare({2, &surface, nullptr, nullptr, &weights, nullptr, 3},
          {{Form::gradGrad(), &gradients, &gradients, &diagonal},
           {Form::advection(), &values, &gradients, &diagonal}},
          [&](const auto& out) {
            Integration::matrices(out, Kontract::geometry(viewOf(surface, FormScalar()), w),
                                  Kontract::term(Form::gradGrad(), g, g, a),
                                  Kontract::term(Form::advection(), v, g, a));
          });
  compare({2, &plane, nullptr, nullptr, &weights, &normals},
          {{Form::advection(), &values, &gradients, &scalar},
           {Form::advectionTransposed(), &gradients, &values}},
          [&](const auto& out) {
            Integration::matrices(out,
                                  Kontract::sideGeometry(viewOf(plane, FormScalar()), w,
                                                         viewOf(normals, FormScalar())),
                                  Kontract::term(Form::advection(), v, g, s),
                                  Kontract::term(Form::advectionTransposed(), g, v));
          });
}

/// Each kernel serves surfaces and sides, and says so.
TEUCHOS_UNIT_TEST(Sides, servedByEachKernel) {
  const View<FormScalar****> surface("surface", 20, 1, 3, 2), volume("volume", 20, 1, 2, 2);
  for (int c = 0; c < 20; ++c) {
    for (int d = 0; d < 2; ++d) surface(c, 0, d, d) = volume(c, 0, d, d) = 1;
  }
  const View<FormScalar*> weights("weights", 9);
  const View<FormScalar**> normals("normals", 1, 2), values("values", 4, 9), table("table", 2, 3),
      vector("vector", 20, 4), result("result", 20, 4);
  const View<FormScalar***> gradients("gradients", 4, 9, 2), matrices("matrices", 20, 4, 4);
  normals(0, 0) = 1;
  const auto basis = Kontract::tensorBasis<2>(table, table);
  const auto flux = Kontract::term(Form::advection(), values, gradients);
  const auto stiffness = Kontract::term(Form::gradGrad(), gradients, gradients);
  const auto of_basis = Kontract::term(Form::gradGrad(), basis, basis);
  const auto flux_of_basis = Kontract::term(Form::advection(), basis, basis);
  const auto facets = Kontract::geometry(surface, weights);
  const auto sides = Kontract::sideGeometry(volume, weights, normals);
  for (const NamedOptions& kernel : kernelsOfForms()) {
    if (kernel.name == "Sum Factorization") {
      TEST_NOTHROW(Integration::matrices(matrices, facets, of_basis, kernel.options));
      TEST_NOTHROW(Integration::matrices(matrices, sides, flux_of_basis, kernel.options));
      TEST_NOTHROW(Integration::apply(result, vector, sides, flux_of_basis, kernel.options));
      continue;
    }
    if (kernel.name == "Tiling") {
      TEST_THROW(Integration::matrices(matrices, facets, stiffness, kernel.options),
                 std::invalid_argument);
      TEST_THROW(Integration::matrices(matrices, sides, flux, kernel.options),
                 std::invalid_argument);
      continue;
    }
    TEST_NOTHROW(Integration::matrices(matrices, facets, stiffness, kernel.options));
    TEST_NOTHROW(Integration::matrices(matrices, sides, flux, kernel.options));
    if (kernel.name != "Interleaved Cells") continue;
    TEST_NOTHROW(Integration::apply(result, vector, facets, stiffness, kernel.options));
    TEST_NOTHROW(Integration::apply(result, vector, sides, flux, kernel.options));
  }
  const Kontract::Options teams = optionsOfAlgorithm("Team Reduction").options;
  TEST_NOTHROW(Integration::apply(result, vector, facets, of_basis, teams));
  TEST_NOTHROW(Integration::apply(result, vector, sides, flux_of_basis, teams));
}

/// Cells whose areas have squares that are no numbers of their type.
TEUCHOS_UNIT_TEST(Sides, smallCells) {
  const FormScalar size = is_double ? FormScalar(1e-90) : FormScalar(1e-14);
  View<FormScalar****> jacobians("jacobians", 1, 1, 3, 2), volumes("jacobians", 1, 1, 3, 3);
  View<FormScalar*> weights("weights", 1);
  View<FormScalar**> values("values", 1, 1), normals("normals", 1, 3), vector("vector", 1, 1);
  Kokkos::deep_copy(values, FormScalar(1));
  weights(0) = 1 / size;  // what is stored is then a length
  normals(0, 2) = 1;
  for (int d = 0; d < 3; ++d) volumes(0, 0, d, d) = size;
  for (int d = 0; d < 2; ++d) jacobians(0, 0, d + 1, d) = size;
  const auto source = Kontract::load(Form::source(FunctionSpace::HGRAD), values, values);
  const auto measureOf = [&](const auto& cells) {
    spoil(vector);
    Integration::vectors(vector, cells, source);
    return vector(0, 0) / size;
  };
  TEST_FLOATING_EQUALITY(measureOf(Kontract::geometry(jacobians, weights)), FormScalar(1),
                         FormScalar(tolerance));
  TEST_FLOATING_EQUALITY(measureOf(Kontract::sideGeometry(volumes, weights, normals)),
                         FormScalar(1), FormScalar(tolerance));
}

}  // namespace
}  // namespace KontractTest
