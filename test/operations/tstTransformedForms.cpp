// SPDX-License-Identifier: BSD-3-Clause
//
// Forms of cells whose fields are transformed by matrices of each cell, and whose unknowns may be
// sums of others, on the default execution space by every algorithm, against dense matrices in long
// double whose elements are plain sums.

#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>

#include "DenseConstraints.hpp"
#include "Kontract_CellGraph.hpp"
#include "Kontract_CellOrientations.hpp"
#include "Kontract_Integration.hpp"
#include "Kontract_LinearConstraints.hpp"
#include "Refusal.hpp"
#include "SharedCells.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Integration = Kontract::Integration<Space>;
using Unknowns = Kontract::CellNumbers<Space>;
using Graph = Kontract::CellGraph<Space>;
using Plan = Kontract::ScatterPlan<Space>;
using Orientations = Kontract::CellOrientations<Space>;
using Constraints = Kontract::LinearConstraints<Space>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class View>
auto onHost(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

/// Matrices of cells, products of blocks of two or three neighbouring fields, some of which are
/// permutations, signs, or singular.
struct DrawnOperators {
  int fields;
  std::vector<Dense> of_cells;
  Kontract::Impl::CellOperators operators;

  DrawnOperators(int cells, int n, bool are_identities, std::mt19937& random) : fields(n) {
    auto store = std::make_shared<Kontract::Impl::OperatorStore>(n);
    std::vector<std::pair<std::int32_t, Dense>> blocks;
    for (int first = 0; first < n; first += 2) {
      for (int kind = 0; kind < 4; ++kind) {
        const int count = std::min(n - first, 1 + int(random() % 3));
        std::vector<std::int32_t> of_block;
        for (int i = 0; i < count; ++i) of_block.push_back(first + i);
        const std::vector<double> weights = weightsOf(kind, count, random);
        Dense matrix = Dense::identity(std::size_t(n));
        for (std::size_t i = 0; i < weights.size(); ++i) {
          matrix(std::size_t(first) + i / std::size_t(count),
                 std::size_t(first) + i % std::size_t(count)) = weights[i];
        }
        blocks.emplace_back(store->addBlock(of_block, weights), matrix);
      }
    }
    for (int c = 0; c < cells; ++c) {
      Dense all = Dense::identity(std::size_t(n));
      for (unsigned k = are_identities ? 4 : 0; k < random() % 5; ++k) {
        const auto& [block, matrix] = blocks[random() % blocks.size()];
        store->give(block);
        all = matrix.times(all);
      }
      store->endCell();
      of_cells.push_back(all);
    }
    operators = Kontract::Impl::CellOperators(store);
  }

 private:
  static std::vector<double> weightsOf(int kind, int count, std::mt19937& random) {
    std::uniform_real_distribution<double> any(-1, 1);
    std::vector<double> weights(std::size_t(count * count), 0);
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j) {
        double& weight = weights[std::size_t(i * count + j)];
        if (kind == 0) weight = i == j ? -1 : 0;
        if (kind == 1) weight = (i + 1) % count == j ? 1 : 0;
        if (kind == 2) weight = any(random);
        if (kind == 3) weight = i == 0 ? 0 : any(random);
      }
    }
    return weights;
  }
};

/// Cells with values by chance, a mass matrix and a load of them, and their numbers.
struct Drawn {
  std::mt19937 random;
  int cells, lefts, rights, points;
  Kokkos::View<double**, Kokkos::LayoutRight, Memory> left, right, measures, source;
  Kokkos::View<double****, Kokkos::LayoutRight, Memory>
      jacobians;                          ///< whose determinants these are
  Kokkos::View<double*, Memory> weights;  ///< 1
  DrawnNumbers rows, columns;
  DrawnOperators of_left, of_right;
  Rows of_rows, of_columns;
  Orientations left_orientations, right_orientations;

  /// \param are_plain  numbers are without constraints
  Drawn(unsigned seed, bool are_plain)
      : random(seed),
        cells(std::vector<int>{0, 1, 7, 40, 333}[seed % 5]),
        lefts(1 + int(random() % 9)),
        rights(random() % 2 == 0 ? lefts : 1 + int(random() % 7)),
        points(1 + int(random() % 5)),
        left(drawn("left", lefts, points)),
        right(drawn("right", rights, points)),
        measures(drawn("measures", cells, points)),
        source(drawn("source", cells, points)),
        jacobians("jacobians", std::size_t(cells), std::size_t(points), 2, 2),
        weights("weights", std::size_t(points)),
        rows(cells, lefts, 5 + int(random() % 200), true, random, are_plain),
        columns(cells, rights, 5 + int(random() % 200), true, random, are_plain),
        of_left(cells, lefts, seed % 7 == 1, random),
        of_right(cells, rights, seed % 3 == 1, random),
        of_rows(are_plain ? Rows(rows.count) : drawnRows(rows.count, random)),
        of_columns(are_plain || seed % 4 == 0 ? Rows(columns.count)
                                              : drawnRows(columns.count, random)),
        left_orientations(of_left.operators),
        right_orientations(of_right.operators) {
    Kokkos::deep_copy(weights, 1);
    const auto host = Kokkos::create_mirror_view(jacobians);
    const auto determinants = Kokkos::create_mirror_view(measures);
    for (std::size_t i = 0; i < determinants.size(); ++i) {
      const double measure = 0.5 + double(i % 7);
      determinants.data()[i] = measure;
      const double jacobian[] = {measure, 0.3, 0, 1};
      std::copy(jacobian, jacobian + 4, host.data() + 4 * i);
    }
    Kokkos::deep_copy(jacobians, host);
    Kokkos::deep_copy(measures, determinants);
  }

  auto geometry(int first, int last) const {
    return Kontract::geometry(Kokkos::subview(jacobians, std::make_pair(first, last), Kokkos::ALL,
                                              Kokkos::ALL, Kokkos::ALL),
                              weights);
  }
  auto term() const { return Kontract::term(Form::mass(FunctionSpace::HGRAD), left, right); }

  /// Of a cell, transformed.
  Dense matrix(int c) const {
    const auto l = onHost(left), r = onHost(right), m = onHost(measures);
    Dense matrix{std::size_t(lefts), std::size_t(rights)};
    for (int i = 0; i < lefts; ++i) {
      for (int j = 0; j < rights; ++j) {
        for (int p = 0; p < points; ++p) {
          matrix(std::size_t(i), std::size_t(j)) += Wide(m(c, p)) * Wide(l(i, p)) * Wide(r(j, p));
        }
      }
    }
    return of_left.of_cells[std::size_t(c)].times(matrix).times(
        of_right.of_cells[std::size_t(c)].transposed());
  }
  Dense load(int c) const {
    const auto l = onHost(left), f = onHost(source), m = onHost(measures);
    Dense vector{std::size_t(lefts), 1};
    for (int i = 0; i < lefts; ++i) {
      for (int p = 0; p < points; ++p) {
        vector(std::size_t(i), 0) += Wide(m(c, p)) * Wide(l(i, p)) * Wide(f(c, p));
      }
    }
    return of_left.of_cells[std::size_t(c)].times(vector);
  }

 private:
  Kokkos::View<double**, Kokkos::LayoutRight, Memory> drawn(const std::string& name, int n, int m) {
    std::uniform_real_distribution<double> any(-1, 1);
    Kokkos::View<double**, Kokkos::LayoutRight, Memory> view(name, std::size_t(n), std::size_t(m));
    const auto host = Kokkos::create_mirror_view(view);
    for (std::size_t i = 0; i < host.size(); ++i) host.data()[i] = any(random);
    Kokkos::deep_copy(view, host);
    return view;
  }
};

/// Calls f(first, last) with some cells after another; once if there are none.
template <class F>
void forEachPart(int cells, int cells_each, const F& f) {
  for (int first = 0; first < std::max(1, cells); first += cells_each) {
    f(first, std::min(cells, first + cells_each));
  }
}

/// Options of one way.
struct WayOptions {
  Kontract::Options of_matrices, of_vectors, of_products;
};

/// Products are of several vectors at once.
constexpr std::size_t several = 2;
double readOf(std::size_t i, std::size_t vector) { return std::sin(double(i + 1 + 5 * vector)); }

/// (C,L,R), (C,L) and products of each cell, those in the layout of T.
template <class Layout>
double worstOfArrays(const Drawn& of, const WayOptions& options) {
  using Matrices = Kokkos::View<double***, Layout, Memory>;
  using Vectors = Kokkos::View<double**, Layout, Memory>;
  const std::size_t cells = std::size_t(of.cells), lefts = std::size_t(of.lefts),
                    rights = std::size_t(of.rights);
  const Matrices matrices("matrices", cells, lefts, rights);
  const Vectors loads("loads", cells, lefts), first("first", cells, rights),
      first_product("first product", cells, lefts);
  const Matrices x("x", cells, rights, several), y("y", cells, lefts, several);
  const auto host_x = Kokkos::create_mirror_view(x);
  for (std::size_t c = 0; c < cells; ++c) {
    for (std::size_t r = 0; r < rights; ++r) {
      for (std::size_t v = 0; v < several; ++v) host_x(c, r, v) = readOf(3 * c + r, v);
    }
  }
  Kokkos::deep_copy(x, host_x);
  const auto host_first = Kokkos::create_mirror_view(first);
  for (std::size_t c = 0; c < cells; ++c) {
    for (std::size_t r = 0; r < rights; ++r) host_first(c, r) = host_x(c, r, 0);
  }
  Kokkos::deep_copy(first, host_first);
  Kokkos::deep_copy(first_product, nan);
  Kokkos::deep_copy(matrices, nan);
  Kokkos::deep_copy(loads, nan);
  Kokkos::deep_copy(y, nan);
  const auto geometry = of.geometry(0, of.cells);
  const auto out = Kontract::oriented(matrices, of.left_orientations, of.right_orientations);
  Integration::matrices(out, geometry, of.term(), options.of_matrices);
  Integration::matrices(out, geometry, of.term(), true, options.of_matrices);
  Integration::vectors(Kontract::oriented(loads, of.left_orientations), geometry,
                       Kontract::load(Form::source(FunctionSpace::HGRAD), of.left, of.source),
                       options.of_vectors);
  Integration::apply(Kontract::oriented(y, of.left_orientations),
                     Kontract::oriented(x, of.right_orientations), geometry, of.term(),
                     options.of_products);
  Integration::apply(Kontract::oriented(first_product, of.left_orientations),
                     Kontract::oriented(first, of.right_orientations), geometry, of.term(),
                     options.of_products);
  const auto got_first = onHost(first_product);
  const auto got = onHost(matrices);
  const auto got_loads = onHost(loads);
  const auto got_y = onHost(y);
  double worst = 0;
  for (int c = 0; c < of.cells; ++c) {
    const Dense expected = of.matrix(c), load = of.load(c);
    Dense matrix(lefts, rights), vector(lefts, 1), read(rights, several), product(lefts, several),
        one(rights, 1), one_product(lefts, 1);
    for (std::size_t l = 0; l < lefts; ++l) {
      for (std::size_t r = 0; r < rights; ++r) matrix(l, r) = Wide(got(c, l, r)) / 2;
      vector(l, 0) = Wide(got_loads(c, l));
      for (std::size_t v = 0; v < several; ++v) product(l, v) = Wide(got_y(c, l, v));
      one_product(l, 0) = Wide(got_first(c, l));
    }
    for (std::size_t r = 0; r < rights; ++r) {
      for (std::size_t v = 0; v < several; ++v) read(r, v) = Wide(host_x(c, r, v));
      one(r, 0) = Wide(host_x(c, r, 0));
    }
    worst = std::max({worst, differenceOf(expected, matrix), differenceOf(load, vector),
                      differenceOf(expected.times(read), product),
                      differenceOf(expected.times(one), one_product)});
  }
  return worst;
}

/// What all unknowns share.
class Shared {
 public:
  explicit Shared(const Drawn& of)
      : _of(of),
        _rows(numbersOf(of.rows, of.of_rows, of.left_orientations)),
        _columns(numbersOf(of.columns, of.of_columns, of.right_orientations)),
        _graph(_rows, _columns),
        _plan(_graph, _rows, _columns),
        _matrix(std::size_t(of.rows.count), std::size_t(of.columns.count)),
        _load(std::size_t(of.rows.count), 1) {
    for (int c = 0; c < of.cells; ++c) {
      const Dense matrix = of.matrix(c), load = of.load(c);
      for (int l = 0; l < of.lefts; ++l) {
        if (of.rows(c, l) < 0) continue;
        const std::size_t row = std::size_t(of.rows(c, l));
        _load(row, 0) += load(std::size_t(l), 0);
        for (int r = 0; r < of.rights; ++r) {
          if (of.columns(c, r) < 0) continue;
          _matrix(row, std::size_t(of.columns(c, r))) += matrix(std::size_t(l), std::size_t(r));
        }
      }
    }
    const Dense left = of.of_rows.dense().transposed();
    _matrix = left.times(_matrix).times(of.of_columns.dense());
    _load = left.times(_load);
  }

  Kokkos::View<double*, Memory> values(const Kontract::Options& options, int cells_each) const {
    const Kokkos::View<double*, Memory> values("values", std::size_t(_plan.numEntries()));
    Kokkos::deep_copy(values, nan);
    forEachPart(_of.cells, cells_each, [&](int first, int last) {
      Integration::matrices(Kontract::scattered(values, _plan.cells(first, last)),
                            _of.geometry(first, last), _of.term(), first > 0, options);
    });
    return values;
  }

  double worst(const WayOptions& options, int cells_each) const {
    const std::size_t n = std::size_t(_of.rows.count), m = std::size_t(_of.columns.count);
    const Kokkos::View<double**, Kokkos::LayoutLeft, Memory> x("x", m, several), y("y", n, several);
    const Kokkos::View<double*, Memory> load("load", n), first("first", m), first_product("y", n);
    const auto host_x = Kokkos::create_mirror_view(x);
    Dense read(m, several);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t v = 0; v < several; ++v) read(i, v) = Wide(host_x(i, v) = readOf(i, v));
    }
    Kokkos::deep_copy(x, host_x);
    Kokkos::deep_copy(first, Kokkos::subview(x, Kokkos::ALL, 0));
    Kokkos::deep_copy(first_product, nan);
    Kokkos::deep_copy(y, nan);
    Kokkos::deep_copy(load, nan);
    forEachPart(_of.cells, cells_each, [&](int first, int last) {
      Integration::apply(Kontract::scattered(y, _rows.cells(first, last)),
                         Kontract::gathered(x, _columns.cells(first, last)),
                         _of.geometry(first, last), _of.term(), first > 0, options.of_products);
    });
    Integration::apply(Kontract::scattered(first_product, _rows),
                       Kontract::gathered(first, _columns), _of.geometry(0, _of.cells), _of.term(),
                       options.of_products);
    Dense one(m, 1);
    for (std::size_t i = 0; i < m; ++i) one(i, 0) = read(i, 0);
    Integration::vectors(Kontract::scattered(load, _rows), _of.geometry(0, _of.cells),
                         Kontract::load(Form::source(FunctionSpace::HGRAD), _of.left, _of.source),
                         options.of_vectors);
    return std::max({differenceOf(_matrix, denseOf(values(options.of_matrices, cells_each))),
                     differenceOf(_matrix.times(read), denseColumnsOf(onHost(y))),
                     differenceOf(_matrix.times(one), denseOf(onHost(first_product), 0)),
                     differenceOf(_load, denseOf(onHost(load), 0))});
  }

 private:
  static Unknowns numbersOf(const DrawnNumbers& numbers, const Rows& rows,
                            const Orientations& orientations) {
    return Unknowns(placed<int, Kokkos::LayoutRight, Memory>(numbers), numbers.count)
        .oriented(orientations)
        .constrained(rows.constraints<Constraints>());
  }

  template <class View>
  static Dense denseColumnsOf(const View& host) {
    Dense columns(host.extent(0), host.extent(1));
    for (std::size_t i = 0; i < host.extent(0); ++i) {
      for (std::size_t v = 0; v < host.extent(1); ++v) columns(i, v) = Wide(host(i, v));
    }
    return columns;
  }
  template <class View>
  static Dense denseOf(const View& host, int) {
    Dense vector(host.extent(0), 1);
    for (std::size_t i = 0; i < host.extent(0); ++i) vector(i, 0) = Wide(host(i));
    return vector;
  }
  Dense denseOf(const Kokkos::View<double*, Memory>& values) const {
    const auto host = onHost(values);
    const auto row_map = onHost(_graph.row_map);
    const auto entries = onHost(_graph.entries);
    Dense matrix(_matrix.rows, _matrix.columns);
    for (std::size_t row = 0; row < matrix.rows; ++row) {
      for (auto n = row_map(row); n < row_map(row + 1); ++n) {
        matrix(row, std::size_t(entries(std::size_t(n)))) = Wide(host(std::size_t(n)));
      }
    }
    return matrix;
  }

  const Drawn& _of;
  Unknowns _rows, _columns;
  Graph _graph;
  Plan _plan;
  Dense _matrix, _load;
};

struct Way {
  const char *algorithm, *scatter;
  bool is_for_vectors, is_for_products;
};
constexpr bool is_host = Kontract::Impl::is_host_space<Space>;
constexpr Way ways[] = {{"Auto", "Auto", true, true},
                        {"Auto", "Colored", true, true},
                        {"Flat", "Auto", true, true},
                        {"Flat", "Atomic", true, true},
                        {"Flat", "Colored", true, true},
                        {"Tiling", "Auto", true, true},
                        {"Tiling", "Colored", true, true},
                        {"Tensor Core", "Auto", false, false},
                        {"Register Blocking", "Auto", is_host, is_host},
                        {"Register Blocking", "Colored", is_host, is_host}};

Kontract::Options optionsOf(const char* algorithm, const char* scatter) {
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", algorithm);
  list.sublist("Launch").set("Scatter", scatter);
  return Kontract::Options(list);
}

/// Why the launch setting or the space does not allow a way; refusals of anything else are errors.
bool isFair(const std::string& refusal) {
  for (const char* text :
       {"alone adds by colors", "cannot be Colored", "at most 8 fields", "Tensor Core"}) {
    if (refusal.find(text) != std::string::npos) return true;
  }
  return false;
}

void checkByChance(unsigned seed, bool are_plain, int& computed, Teuchos::FancyOStream& out,
                   bool& success) {
  const Drawn drawn(seed, are_plain);
  const Shared shared(drawn);
  for (const Way& way : ways) {
    const auto if_served = [&](bool is_served) {
      return optionsOf(is_served ? way.algorithm : "Auto", way.scatter);
    };
    const WayOptions options{if_served(true), if_served(way.is_for_vectors),
                             if_served(way.is_for_products)};
    for (const int cells_each : {std::max(1, drawn.cells), 50}) {
      double worst = 0;
      const Refusal refusal = refusalOf([&] {
        worst = std::max({shared.worst(options, cells_each),
                          worstOfArrays<Kokkos::LayoutRight>(drawn, options),
                          worstOfArrays<Kokkos::LayoutLeft>(drawn, options)});
      });
      const bool is_computed = refusal.text == "no exception";
      computed += is_computed ? 1 : 0;
      if (is_computed ? worst < 1e-12 : isFair(refusal.text)) continue;
      out << "seed " << seed << (are_plain ? " plain, " : " constrained, ") << way.algorithm << " "
          << way.scatter << ", " << cells_each << " cells each: off by " << worst << ", "
          << refusal.text << "\n";
      success = false;
    }
  }
}

TEUCHOS_UNIT_TEST(TransformedForms, byChance) {
  int computed = 0;
  for (unsigned seed = 0; seed < 25; ++seed) {
    checkByChance(seed, seed % 2 == 0, computed, out, success);
  }
  // Of 500 ways; where Colored is refused, those of Flat, Tiling and Auto are left.
  TEST_COMPARE(computed, >=, 200);
}

/// Solutions get the values of constrained unknowns where they are.
TEUCHOS_UNIT_TEST(TransformedForms, complete) {
  for (const int count : {1, 40, 3000}) {
    std::mt19937 random(static_cast<unsigned>(count));
    const Rows rows = drawnRows(count, random);
    const auto constraints = rows.constraints<Constraints>();
    const Kokkos::View<double*, Memory> x("x", std::size_t(count));
    const auto given = Kokkos::create_mirror_view(x);
    for (std::size_t i = 0; i < given.size(); ++i) {
      given(i) = rows.isConstrained(i) ? nan : std::cos(double(i));
    }
    Kokkos::deep_copy(x, given);
    constraints.complete(x);
    const auto found = onHost(x);
    // Those that a row depends on may be constrained: by then they have their values.
    for (std::size_t i = 0; i < given.size(); ++i) {
      Wide sum = 0;
      for (const auto& [j, weight] : rows.rows[i]) sum += weight * Wide(found(std::size_t(j)));
      const Wide expected = rows.isConstrained(i) ? sum : Wide(given(i));
      if (std::abs(found(i) - expected) <= 1e-12 * (1 + std::abs(expected))) continue;
      out << "unknown " << i << " is " << found(i) << " and not " << expected << "\n";
      success = false;
    }
    TEST_ASSERT(refusalOf([&] {
                  constraints.complete(Kokkos::View<double*, Memory>("x", std::size_t(count - 1)));
                }).says("the vector has"));
  }
  Constraints().complete(Kokkos::View<double*, Memory>());
}

/// Colors give the same bits each time.
TEUCHOS_UNIT_TEST(TransformedForms, bits) {
  const Drawn drawn(4, true);
  const Shared shared(drawn);
  const auto options = optionsOf("Auto", "Colored");
  const auto first = onHost(shared.values(options, drawn.cells));
  for (int run = 0; run < 5; ++run) {
    const auto again = onHost(shared.values(options, drawn.cells));
    TEST_ASSERT(std::equal(first.data(), first.data() + first.size(), again.data()));
  }
}

}  // namespace
}  // namespace KontractTest
