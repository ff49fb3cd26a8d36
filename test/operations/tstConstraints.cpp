// SPDX-License-Identifier: BSD-3-Clause
//
// Unknowns that are sums of others, against C^T A C and C^T f of dense matrices in long double,
// whose elements are plain sums; C is made by replacing unknowns until none is constrained.

#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>

#include "DenseConstraints.hpp"
#include "HostForms.hpp"
#include "Refusal.hpp"
#include "SharedCells.hpp"

namespace KontractTest {
namespace {

/// Squares of side 1 left of x = 1 and of side 1/2 right of it: nodes in the middle of a side of a
/// larger square hang. Unknowns are those of bilinear functions.
struct HangingMesh {
  std::map<std::pair<int, int>, int> nodes;  ///< by twice their coordinates
  std::vector<std::array<int, 4>> cells;

  explicit HangingMesh(int height) {
    const auto square = [&](int x, int y, int side) {
      cells.push_back({node(x, y), node(x + side, y), node(x + side, y + side), node(x, y + side)});
    };
    for (int y = 0; y < 2 * height; y += 2) {
      square(0, y, 2);
      for (const int i : {0, 1, 2, 3}) square(2 + i % 2, y + i / 2, 1);
    }
  }
  Rows rows() const {
    Rows rows(int(nodes.size()));
    for (const auto& [at, number] : nodes) {
      if (at.first != 2 || at.second % 2 == 0) continue;
      for (const int step : {-1, 1}) {
        rows.rows[std::size_t(number)][nodes.at({at.first, at.second + step})] = 0.5;
      }
    }
    return rows;
  }

 private:
  int node(int x, int y) {
    return nodes.emplace(std::make_pair(x, y), int(nodes.size())).first->second;
  }
};

/// Cells with values by chance, and a mass matrix of them.
template <class Real>
struct Cells {
  int cells, lefts, rights, points;
  Right<Real**> left, right, measures, source;

  Cells(int c, int l, int r, int p, std::mt19937& random)
      : cells(c),
        lefts(l),
        rights(r),
        points(p),
        left("left", l, p),
        right("right", r, p),
        measures("measures", c, p),
        source("source", c, p) {
    std::uniform_real_distribution<double> any(-1, 1);
    for (const auto& view : {left, right, measures, source}) {
      for (std::size_t i = 0; i < view.size(); ++i) view.data()[i] = Real(any(random));
    }
  }
  auto geometry() const { return Kontract::geometry(measures); }
  auto term() const { return Kontract::term(Form::mass(FunctionSpace::HGRAD), left, right); }
  auto load() const { return Kontract::load(Form::source(FunctionSpace::HGRAD), left, source); }

  Dense matrix(const DrawnNumbers& rows, const DrawnNumbers& columns) const {
    Dense sum(std::size_t(rows.count), std::size_t(columns.count));
    for (int c = 0; c < cells; ++c) {
      for (int l = 0; l < lefts; ++l) {
        for (int r = 0; r < rights; ++r) {
          if (rows(c, l) < 0 || columns(c, r) < 0) continue;
          Wide& entry = sum(std::size_t(rows(c, l)), std::size_t(columns(c, r)));
          for (int p = 0; p < points; ++p) {
            entry += Wide(measures(c, p)) * Wide(left(l, p)) * Wide(right(r, p));
          }
        }
      }
    }
    return sum;
  }
  Dense vector(const DrawnNumbers& rows) const {
    Dense sum(std::size_t(rows.count), 1);
    for (int c = 0; c < cells; ++c) {
      for (int l = 0; l < lefts; ++l) {
        for (int p = 0; p < points && rows(c, l) >= 0; ++p) {
          sum(std::size_t(rows(c, l)), 0) +=
              Wide(measures(c, p)) * Wide(left(l, p)) * Wide(source(c, p));
        }
      }
    }
    return sum;
  }
};

Kontract::Options optionsOf(const std::string& algorithm, const std::string& kernel,
                            const std::string& scatter) {
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", algorithm);
  if (!kernel.empty()) list.sublist(algorithm).set("Kernel", kernel);
  list.sublist("Launch").set("Scatter", scatter);
  return Kontract::Options(list);
}

/// A matrix in compressed rows as a dense one.
template <class Real>
Dense denseOf(const Graph& graph, const Right<Real*>& values, int columns) {
  Dense matrix(graph.row_map.extent(0) - 1, std::size_t(columns));
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    for (std::int64_t n = graph.row_map(row); n < graph.row_map(row + 1); ++n) {
      matrix(row, std::size_t(graph.entries(std::size_t(n)))) = Wide(values(std::size_t(n)));
    }
  }
  return matrix;
}

template <class Real>
Dense denseOf(const Right<Real*>& values) {
  Dense vector(values.extent(0), 1);
  for (std::size_t i = 0; i < values.extent(0); ++i) vector(i, 0) = Wide(values(i));
  return vector;
}

/// Everything that may be scattered or gathered, in every way that there is.
template <class Real>
class Comparison {
 public:
  Comparison(const Cells<Real>& cells, const DrawnNumbers& rows, const Rows& of_rows,
             const DrawnNumbers& columns, const Rows& of_columns)
      : _cells(cells),
        _rows(numbersOf(rows).constrained(of_rows.constraints<Constraints>())),
        _columns(numbersOf(columns).constrained(of_columns.constraints<Constraints>())),
        _free_columns(numbersOf(columns)),
        _graph(_rows, _columns),
        _plan(_graph, _rows, _columns),
        _left(of_rows.dense().transposed()),
        _matrix(cells.matrix(rows, columns)),
        _right(of_columns.dense()),
        _load(_left.times(cells.vector(rows))) {}

  /// \param has_products  else matrices alone
  double worst(const Kontract::Options& options, int cells_each, bool has_products = true) const {
    const double of_matrices = matrices(options, cells_each);
    return has_products ? std::max(of_matrices, productsAndLoads(options, cells_each))
                        : of_matrices;
  }

  Right<Real*> values(const Kontract::Options& options, int cells_each) const {
    const Right<Real*> values("values", std::size_t(_plan.numEntries()));
    Kokkos::deep_copy(values, std::numeric_limits<Real>::quiet_NaN());
    forEachPart(cells_each, [&](int first, int last, const auto& geometry) {
      Integration::matrices(Kontract::scattered(values, _plan.cells(first, last)), geometry,
                            _cells.term(), first > 0, options);
    });
    return values;
  }
  const Unknowns& rows() const { return _rows; }
  const Plan& plan() const { return _plan; }

 private:
  static Unknowns numbersOf(const DrawnNumbers& numbers) {
    return Unknowns(placed<int, Kokkos::LayoutRight, Kokkos::HostSpace>(numbers), numbers.count);
  }

  template <class F>
  void forEachPart(int cells_each, const F& f) const {
    for (int first = 0; first < std::max(1, _cells.cells); first += cells_each) {
      const int last = std::min(_cells.cells, first + cells_each);
      f(first, last,
        Kontract::geometry(
            Kokkos::subview(_cells.measures, std::make_pair(first, last), Kokkos::ALL)));
    }
  }

  double matrices(const Kontract::Options& options, int cells_each) const {
    const Right<Real*> got = values(options, cells_each);
    return differenceOf(_left.times(_matrix).times(_right),
                        denseOf(_graph, got, int(_columns.count())));
  }

  double productsAndLoads(const Kontract::Options& options, int cells_each) const {
    const std::size_t n = std::size_t(_rows.count()), m = std::size_t(_columns.count());
    const Right<Real*> x("x", m), y("y", n), load("load", n);
    for (std::size_t i = 0; i < m; ++i) x(i) = Real(std::sin(double(i + 1)));
    Kokkos::deep_copy(y, std::numeric_limits<Real>::quiet_NaN());
    forEachPart(cells_each, [&](int first, int last, const auto& geometry) {
      Integration::apply(Kontract::scattered(y, _rows.cells(first, last)),
                         Kontract::gathered(x, _columns.cells(first, last)), geometry,
                         _cells.term(), first > 0, options);
    });
    const double of_product =
        differenceOf(_left.times(_matrix).times(_right).times(denseOf(x)), denseOf(y));
    // C^T (f + A g): g is read as it is.
    Kokkos::deep_copy(load, std::numeric_limits<Real>::quiet_NaN());
    Integration::vectors(Kontract::scattered(load, _rows), _cells.geometry(), _cells.load(),
                         options);
    Dense expected = _load;
    const double of_load = differenceOf(expected, denseOf(load));
    Integration::apply(Kontract::scattered(load, _rows), Kontract::gathered(x, _free_columns),
                       _cells.geometry(), _cells.term(), true, options);
    const Dense given = _left.times(_matrix).times(denseOf(x));
    for (std::size_t i = 0; i < n; ++i) expected(i, 0) += given(i, 0);
    return std::max({of_product, of_load, differenceOf(expected, denseOf(load))});
  }

  const Cells<Real>& _cells;
  Unknowns _rows, _columns, _free_columns;
  Graph _graph;
  Plan _plan;
  Dense _left, _matrix, _right, _load;
};

struct Way {
  const char *algorithm, *kernel, *scatter;
};
constexpr Way ways[] = {{"Auto", "", "Auto"},
                        {"Auto", "", "Atomic"},
                        {"Auto", "", "Colored"},
                        {"Flat", "", "Auto"},
                        {"Flat", "", "Atomic"},
                        {"Register Blocking", "Per Cell", "Auto"},
                        {"Register Blocking", "Interleaved Cells", "Colored"}};

template <class Real>
void checkByChance(unsigned seed, Teuchos::FancyOStream& out, bool& success) {
  std::mt19937 random(seed);
  const int cells = std::vector<int>{0, 1, 7, 40, 333}[seed % 5], lefts = 1 + int(random() % 9),
            rights = random() % 2 == 0 ? lefts : 1 + int(random() % 7);
  const Cells<Real> drawn(cells, lefts, rights, 1 + int(random() % 5), random);
  const DrawnNumbers rows(cells, lefts, 5 + int(random() % 60), true, random),
      columns(cells, rights, 5 + int(random() % 60), true, random);
  const Rows of_rows = drawnRows(rows.count, random),
             of_columns = seed % 3 == 0 ? Rows(columns.count) : drawnRows(columns.count, random);
  const Comparison<Real> comparison(drawn, rows, of_rows, columns, of_columns);
  for (const Way& way : ways) {
    const auto options = optionsOf(way.algorithm, way.kernel, way.scatter);
    for (const int cells_each : {std::max(1, cells), 11}) {
      double worst = 0;
      const bool has_products = std::string(way.kernel) != "Per Cell";
      const Refusal refusal =
          refusalOf([&] { worst = comparison.worst(options, cells_each, has_products); });
      if (refusal.text == "no exception" &&
          worst < 3000 * double(std::numeric_limits<Real>::epsilon())) {
        continue;
      }
      out << "seed " << seed << ", " << way.algorithm << " " << way.kernel << " " << way.scatter
          << ", " << cells_each << " cells each: off by " << worst << ", " << refusal.text << "\n";
      success = false;
    }
  }
}

TEUCHOS_UNIT_TEST(Constraints, byChance) {
  for (unsigned seed = 0; seed < 45; ++seed) checkByChance<double>(seed, out, success);
  for (unsigned seed = 50; seed < 60; ++seed) checkByChance<float>(seed, out, success);
}

DrawnNumbers numbersOf(const HangingMesh& mesh) {
  std::mt19937 random(1);
  DrawnNumbers numbers(int(mesh.cells.size()), 4, int(mesh.nodes.size()), false, random);
  for (std::size_t c = 0; c < mesh.cells.size(); ++c) {
    for (std::size_t f = 0; f < 4; ++f) numbers.numbers[4 * c + f] = mesh.cells[c][f];
  }
  return numbers;
}

/// Cells with hanging nodes: few of them are larger, and colors, which are of all that cells add
/// to, give the same bits again.
TEUCHOS_UNIT_TEST(Constraints, hangingNodes) {
  std::mt19937 random(5);
  const HangingMesh mesh(40);
  const DrawnNumbers numbers = numbersOf(mesh);
  const Rows rows = mesh.rows();
  const Cells<double> cells(numbers.cells, 4, 4, 4, random);
  const Comparison<double> comparison(cells, numbers, rows, numbers, rows);
  for (const Way& way : ways) {
    if (std::string(way.kernel) == "Per Cell") continue;
    TEST_COMPARE(comparison.worst(optionsOf(way.algorithm, way.kernel, way.scatter), 1000), <,
                 1e-12);
  }
  const auto colored = optionsOf("Auto", "", "Colored");
  const auto once = comparison.values(colored, 1000), again = comparison.values(colored, 1000);
  TEST_ASSERT(std::equal(once.data(), once.data() + once.size(), again.data()));
  // A square with a hanging node depends on one more node, or on none.
  TEST_COMPARE(comparison.plan().bytes(), <=,
               16 * numbers.cells + 300 * 2 * 40 + 8 * numbers.count + 8);

  // Blocks of one color share nothing.
  const auto colors = comparison.rows().impl().colors();
  const Dense weights = rows.dense();
  for (int color = 0; color < colors.colors; ++color) {
    std::map<std::size_t, std::int64_t> block_of;
    for (std::int64_t i = colors.starts[color]; i < colors.starts[color + 1]; ++i) {
      const std::int64_t block = colors.blocks[i];
      for (std::int64_t c = block * colors.block_cells;
           c < std::min<std::int64_t>(numbers.cells, (block + 1) * colors.block_cells); ++c) {
        for (int f = 0; f < 4; ++f) {
          for (std::size_t j = 0; j < weights.columns; ++j) {
            if (weights(std::size_t(numbers(int(c), f)), j) == 0) continue;
            TEST_EQUALITY(block_of.emplace(j, block).first->second, block);
          }
        }
      }
    }
  }
}

/// Values of constrained unknowns, and some that are given.
TEUCHOS_UNIT_TEST(Constraints, solutionsAndFixedUnknowns) {
  std::mt19937 random(7);
  const HangingMesh mesh(3);
  const DrawnNumbers numbers = numbersOf(mesh);
  const Rows rows = mesh.rows();
  const Dense weights = rows.dense();
  const Right<double*> x("x", std::size_t(numbers.count));
  for (std::size_t i = 0; i < x.size(); ++i) x(i) = std::cos(double(i));
  const Dense expected = weights.times(denseOf(x));
  rows.constraints<Constraints>().complete(x);
  TEST_COMPARE(differenceOf(expected, denseOf(x)), <, 1e-15);

  const Cells<double> cells(numbers.cells, 4, 4, 4, random);
  const auto unknowns =
      Unknowns(placed<int, Kokkos::LayoutRight, Kokkos::HostSpace>(numbers), numbers.count)
          .constrained(rows.constraints<Constraints>());
  const Graph graph(unknowns);
  std::vector<int> fixed(std::size_t(numbers.count), 0);
  for (std::size_t i = 0; i < fixed.size(); ++i) fixed[i] = i % 5 == 1 && !rows.isConstrained(i);
  const Plan plan = Plan::withFixed(graph, unknowns, placed<int, Kokkos::HostSpace>(fixed));
  const Right<double*> values("values", graph.entries.extent(0));
  Integration::matrices(Kontract::scattered(values, plan), cells.geometry(), cells.term());
  Dense matrix = weights.transposed().times(cells.matrix(numbers, numbers)).times(weights);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::size_t j = 0; j < matrix.columns; ++j) {
      if (i != j && fixed[i] + fixed[j] > 0) matrix(i, j) = 0;
    }
  }
  TEST_COMPARE(differenceOf(matrix, denseOf(graph, values, numbers.count)), <, 1e-13);
}

/// A row that more cells have than are compared with each other, whose cells are larger by
/// constraints: the graph has all of their unknowns.
TEUCHOS_UNIT_TEST(Constraints, longRows) {
  std::mt19937 random(11);
  const int cells = 1400;
  DrawnNumbers numbers(cells, 4, 3 * cells + 1, false, random);
  Rows rows(numbers.count);
  for (int c = 0; c < cells; ++c) {
    for (int f = 0; f < 4; ++f) numbers.numbers[std::size_t(4 * c + f)] = f == 0 ? 0 : 3 * c + f;
    rows.rows[std::size_t(3 * c + 3)] = {{3 * c + 1, 0.5}, {3 * ((c + 7) % cells) + 2, 0.5}};
  }
  const Unknowns unknowns =
      Unknowns(placed<int, Kokkos::LayoutRight, Kokkos::HostSpace>(numbers), numbers.count)
          .constrained(rows.constraints<Constraints>());
  const Graph graph(unknowns);
  TEST_EQUALITY(graph.row_map(1), 2 * cells + 1);
  TEST_EQUALITY(refusalOf([&] { Plan(graph, unknowns); }).text, "no exception");
}

/// A plan of the first cells alone, beside numbers of no more cells than these.
TEUCHOS_UNIT_TEST(Constraints, plansOfFirstCells) {
  std::mt19937 random(12);
  const int cells = 5, all = 4000;
  const DrawnNumbers left(all, 3, 9, false, random), right(cells, 2, 7, false, random);
  DrawnNumbers first(cells, 3, 9, false, random);
  std::copy_n(left.numbers.begin(), first.numbers.size(), first.numbers.begin());
  Rows rows(9);
  rows.rows[4] = {{1, 0.25}, {8, 2}};
  const auto numbersOf = [](const DrawnNumbers& drawn) {
    return Unknowns(placed<int, Kokkos::LayoutRight, Kokkos::HostSpace>(drawn), drawn.count);
  };
  const Unknowns part =
                     numbersOf(left).constrained(rows.constraints<Constraints>()).cells(0, cells),
                 columns = numbersOf(right);
  const Graph graph(part, columns);
  const Plan plan(graph, part, columns);
  const Cells<double> drawn(cells, 3, 2, 4, random);
  const Right<double*> values("values", graph.entries.extent(0));
  Integration::matrices(Kontract::scattered(values, plan), drawn.geometry(), drawn.term());
  TEST_COMPARE(differenceOf(rows.dense().transposed().times(drawn.matrix(first, right)),
                            denseOf(graph, values, right.count)),
               <, 1e-13);
}

/// An unknown that depends on many that depend on others takes no time that grows as the square.
TEUCHOS_UNIT_TEST(Constraints, manyShares) {
  const int many = 200000;
  std::vector<std::int64_t> starts{0}, unknowns;
  for (int i = 1; i <= many; ++i) unknowns.push_back(i);
  starts.push_back(many);
  for (int i = 1; i <= many; ++i) {
    unknowns.push_back(many + 1);
    starts.push_back(std::int64_t(unknowns.size()));
  }
  starts.push_back(std::int64_t(unknowns.size()));
  const std::vector<double> ones(unknowns.size(), 1);
  const Constraints constraints(placed<std::int64_t, Kokkos::HostSpace>(starts),
                                placed<std::int64_t, Kokkos::HostSpace>(unknowns),
                                placed<double, Kokkos::HostSpace>(ones));
  const Right<double*> x("x", std::size_t(many) + 2);
  x(many + 1) = 0.5;
  constraints.complete(x);
  TEST_EQUALITY(x(0), 0.5 * many);
}

/// Arrays that are none, and numbers that are too great for any unknown.
/// Plans of numbers without cells, which may be default objects, know of no constraints.
TEUCHOS_UNIT_TEST(Constraints, plansWithoutCells) {
  const HangingMesh mesh(2);
  const DrawnNumbers drawn = numbersOf(mesh);
  const Unknowns numbers(placed<int, Kokkos::LayoutRight, Kokkos::HostSpace>(drawn), drawn.count),
      none = numbers.constrained(mesh.rows().constraints<Constraints>()).cells(0, 0);
  const Graph graph(numbers);
  for (const Plan& plan :
       {Plan(graph, none), Plan(graph, none, Unknowns()), Plan(graph, Unknowns(), none)}) {
    TEST_EQUALITY(plan.numEntries(), std::int64_t(graph.entries.extent(0)));
  }
}

TEUCHOS_UNIT_TEST(Constraints, refusedArrays) {
  const auto starts = placed<int, Kokkos::HostSpace>(std::vector<int>{0, 1, 1});
  const auto weights = placed<double, Kokkos::HostSpace>(std::vector<double>{0.5});
  for (const std::int64_t great : {std::int64_t(1) << 32, (std::int64_t(1) << 32) + 1}) {
    const auto unknowns = placed<std::int64_t, Kokkos::HostSpace>(std::vector<std::int64_t>{great});
    TEST_ASSERT(refusalOf([&] {
                  Constraints(starts, unknowns, weights);
                }).says("depends on unknown " + std::to_string(great)));
  }
  const auto unknowns = placed<int, Kokkos::HostSpace>(std::vector<int>{1});
  const Right<const int*> nowhere(nullptr, 3);
  const Right<const double*> no_weights(nullptr, 1);
  const Right<double*> no_vector(nullptr, 2);
  TEST_ASSERT(refusalOf([&] {
                Constraints(nowhere, unknowns, weights);
              }).says("starts of rows have no memory"));
  TEST_ASSERT(refusalOf([&] {
                Constraints(starts, Right<const int*>(nullptr, 1), weights);
              }).says("unknowns have no memory"));
  TEST_ASSERT(
      refusalOf([&] { Constraints(starts, unknowns, no_weights); }).says("weights have no memory"));
  TEST_ASSERT(refusalOf([&] {
                Constraints(starts, unknowns, weights).complete(no_vector);
              }).says("elements of the vector have no memory"));
  const Kokkos::DynRankView<int, Kokkos::HostSpace> two("two", 1, 1);
  TEST_ASSERT(refusalOf([&] {
                Constraints(starts, two, weights);
              }).says("unknowns have rank 2, but they must have rank 1"));
}

Refusal refusalOfRows(const Rows& rows) {
  return refusalOf([&] { rows.constraints<Constraints>(); });
}

TEUCHOS_UNIT_TEST(Constraints, refusals) {
  Rows rows(6);
  rows.rows[2] = {{2, 0.5}, {1, 0.5}};
  TEST_ASSERT(refusalOfRows(rows).says("unknown 2 depends on itself"));
  rows.rows[2] = {{3, 1}};
  rows.rows[3] = {{0, 1}, {4, 1}};
  rows.rows[4] = {{2, -1}};
  TEST_ASSERT(refusalOfRows(rows).says("unknown 2 depends on itself, by way of unknown 4"));
  rows.rows[4] = {{6, 1}};
  TEST_ASSERT(refusalOfRows(rows).says("unknown 4 depends on unknown 6, but there are 6"));
  rows.rows[4] = {{1, HUGE_VAL}};
  TEST_ASSERT(refusalOfRows(rows).says("no finite number"));
  rows.rows[4] = {{1, 2}};
  TEST_EQUALITY(rows.constraints<Constraints>().numConstrained(), 3);

  std::mt19937 random(9);
  const DrawnNumbers drawn(4, 3, 6, false, random);
  const Unknowns numbers(placed<int, Kokkos::LayoutRight, Kokkos::HostSpace>(drawn), 6);
  TEST_ASSERT(refusalOf([&] {
                numbers.constrained(Rows(5).constraints<Constraints>());
              }).says("numbers are of 6 unknowns, but constraints of 5"));
  TEST_ASSERT(refusalOf([&] {
                numbers.cells(1, 3).constrained(rows.constraints<Constraints>());
              }).says("constraints are for numbers of all cells"));
  const Unknowns constrained = numbers.constrained(rows.constraints<Constraints>());
  TEST_ASSERT(refusalOf([&] {
                constrained.constrained(rows.constraints<Constraints>());
              }).says("constrained already"));
  const Right<double*> vector("vector", 2);
  TEST_ASSERT(
      refusalOf([&] { rows.constraints<Constraints>().complete(vector); }).says("2 elements"));
}

/// What a call may not do with them leaves its output as it is.
TEUCHOS_UNIT_TEST(Constraints, refusedCalls) {
  std::mt19937 random(10);
  const HangingMesh mesh(2);
  const DrawnNumbers drawn = numbersOf(mesh);
  const Cells<double> cells(drawn.cells, 4, 4, 3, random);
  const Unknowns numbers(placed<int, Kokkos::LayoutRight, Kokkos::HostSpace>(drawn), drawn.count),
      constrained = numbers.constrained(mesh.rows().constraints<Constraints>());
  TEST_ASSERT(refusalOf([&] {
                Plan(Graph(numbers), constrained);
              }).says("by constraints, which the graph does not have"));
  const Plan plan(Graph(constrained), constrained);
  const Right<double*> values("values", std::size_t(plan.numEntries()));
  Kokkos::deep_copy(values, 3.0);
  TEST_ASSERT(refusalOf([&] {
                Integration::matrices(Kontract::scattered(values, plan), cells.geometry(),
                                      cells.term(), optionsOf("Flat", "", "Colored"));
              }).says("on hosts Register Blocking alone adds by colors"));
  const Right<double**> coordinates("coordinates", drawn.count, 2);
  const Right<double***> gradients("gradients", 4, 3, 2);
  const Right<double*> weights("weights", 3);
  TEST_ASSERT(
      refusalOf([&] {
        Integration::matrices(
            Kontract::scattered(values, plan),
            Kontract::geometry(Kontract::gathered(coordinates, constrained), gradients, weights),
            cells.term());
      }).says("the numbers of nodes have orientations or constraints"));
  TEST_EQUALITY(std::count(values.data(), values.data() + values.size(), 3.0),
                std::ptrdiff_t(values.size()));
}

}  // namespace
}  // namespace KontractTest
