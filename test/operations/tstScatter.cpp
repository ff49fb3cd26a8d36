// SPDX-License-Identifier: BSD-3-Clause
//
// Forms of cells that share nodes, unknowns and the output, against the same forms of cells with
// arrays of their own, added up by plain loops. Outputs begin as NaN where they are overwritten.

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "BlockOfThreads.hpp"
#include "GuardedPages.hpp"
#include "KeepLargest.hpp"
#include "Kontract_CellGraph.hpp"
#include "Kontract_Explain.hpp"
#include "Kontract_Integration.hpp"
#include "Refusal.hpp"
#include "Runner.hpp"
#include "SharedCells.hpp"
#include "TeamOfThreads.hpp"
#include "Tuning.hpp"
#include "detail/algorithms/Kontract_TiledForms.hpp"
#include "detail/algorithms/Kontract_WorkOfForm.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;

#ifndef KONTRACT_TEST_FORM_SCALAR
#define KONTRACT_TEST_FORM_SCALAR double
#endif
using Real = KONTRACT_TEST_FORM_SCALAR;

/// How a call is to run.
struct Way {
  const char *algorithm, *kernel, *scatter;

  std::string name() const { return std::string(algorithm) + ", " + kernel + ", " + scatter; }
  Kontract::Options options() const {
    Teuchos::ParameterList list("Kontract");
    list.set("Algorithm", algorithm);
    if (kernel[0] != '\0') list.sublist(algorithm).set("Kernel", kernel);
    list.sublist("Launch").set("Scatter", scatter);
    return Kontract::Options(list);
  }
};
constexpr Way ways[] = {
    {"Auto", "", "Auto"},
    {"Auto", "", "Atomic"},
    {"Auto", "", "Colored"},
    {"Flat", "", "Auto"},
    {"Flat", "", "Atomic"},
    {"Flat", "", "Colored"},
    {"Tiling", "", "Auto"},
    {"Tiling", "", "Atomic"},
    {"Tiling", "", "Colored"},
    {"Tensor Core", "", "Auto"},
    {"Tensor Core", "", "Colored"},
    {"Team Reduction", "", "Auto"},
    {"Team Reduction", "", "Colored"},
    {"Register Blocking", "Per Cell", "Auto"},
    {"Register Blocking", "Per Cell", "Colored"},
    {"Register Blocking", "Interleaved Cells", "Auto"},
    {"Register Blocking", "Interleaved Cells", "Atomic"},
    {"Register Blocking", "Reference Tensors", "Auto"},
    {"Register Blocking", "Sum Factorization", "Auto"},
};

/// Cells by chance, and forms on them.
template <class Space>
class Drawn {
 public:
  using Memory = typename Space::memory_space;
  template <class T>
  using Array = Kokkos::View<T, Kokkos::LayoutRight, Memory>;
  using Integration = Kontract::Integration<Space>;
  using Numbers = Kontract::CellNumbers<Space>;
  using Plan = Kontract::ScatterPlan<Space>;
  using Values = std::vector<double>;

  /// \param fields  on both sides; 0: draw them
  explicit Drawn(unsigned seed, bool is_distinct = false, int fields = 0, int given_points = -1)
      : random(seed),
        dimension(draw(2, 3)),
        cells(std::vector<int>{0, 1, 2, 7, 33, 150, 700}[std::size_t(draw(0, 6))]),
        lefts(fields > 0 ? fields : draw(1, 12)),
        rights(fields > 0 || draw(0, 2) == 0 ? lefts : draw(1, 9)),
        points(given_points < 0 ? draw(1, 9) : given_points),
        node_count(draw(dimension + 1, 9)),
        blocks(draw(0, 3) == 0 ? dimension : 1),
        rows(cells, lefts * blocks, draw(1, 3 + 2 * cells), draw(0, 1) == 1, random, is_distinct),
        columns(cells, rights * blocks, draw(1, 3 + 2 * cells), draw(0, 1) == 1, random,
                is_distinct),
        nodes(cells, node_count, 9 + cells, false, random),
        graph(rows, columns, std::vector<int>{0, 300, 70000}[std::size_t(draw(0, 2))],
              draw(0, 1) == 0, random) {
    // Cells with volume have nodes that differ.
    for (std::size_t i = 0; i < nodes.numbers.size(); ++i) {
      const std::size_t n = i % std::size_t(node_count);
      if (n > 0) nodes.numbers[i] = (nodes.numbers[i - 1] + 1) % nodes.count;
    }
    left_gradients = array("left", lefts, points, dimension);
    right_gradients = array("right", rights, points, dimension);
    left_values = array("left values", lefts, points);
    right_values = array("right values", rights, points);
    node_gradients = array("node gradients", node_count, is_affine ? 1 : points, dimension);
    weights = array("weights", points);
    lambda = array("lambda", cells, is_affine ? 1 : points);
    mu = array("mu", cells, is_affine ? 1 : points);
    coordinates = array("coordinates", 9 + cells, dimension);
    source = array("source", cells, is_affine ? 1 : points, dimension);
    jacobians = array("jacobians", cells, is_affine ? 1 : points, dimension, dimension);
    measures = array("measures", cells, is_affine ? 1 : points);
    vector = array("vector", columns.count);
    row_numbers = Numbers(placed<long, Kokkos::LayoutLeft, Memory>(rows), rows.count);
    column_numbers = Numbers(placed<int, Kokkos::LayoutRight, Memory>(columns), columns.count);
    node_numbers = Numbers(placed<short, Kokkos::LayoutRight, Memory>(nodes), 9 + cells);
    const auto starts = placed<std::size_t, Memory>(graph.starts);
    const auto entries = placed<int, Memory>(graph.columns);
    plan = Plan(starts, entries, row_numbers, column_numbers);
    gatherOnHost();
  }

  std::string text() const {
    return std::to_string(cells) + " cells, " + std::to_string(lefts) + " x " +
           std::to_string(rights) + " fields, " + std::to_string(points) + " points, dimension " +
           std::to_string(dimension) + ", " + std::to_string(blocks) + " components";
  }

  int draw(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random); }

  template <class... Extents>
  auto array(const char* name, Extents... extents) {
    using T = typename RankedData<Real, int(sizeof...(Extents))>::type;
    const Array<T> view{std::string(name), std::size_t(extents)...};
    const auto host = Kokkos::create_mirror_view(view);
    std::uniform_real_distribution<double> any(-1, 1);
    for (std::size_t i = 0; i < host.size(); ++i) host.data()[i] = Real(any(random));
    Kokkos::deep_copy(view, host);
    return view;
  }

  /// What cells read, in arrays of their own.
  void gatherOnHost() {
    own_nodes = Array<Real***>("nodes", cells, node_count, dimension);
    own_vector = Array<Real**>("vector", cells, columns.fields);
    const auto x = onHost(coordinates);
    const auto v = onHost(vector);
    const auto to = Kokkos::create_mirror_view(own_nodes);
    const auto to_vector = Kokkos::create_mirror_view(own_vector);
    for (int c = 0; c < cells; ++c) {
      for (int n = 0; n < node_count; ++n) {
        for (int d = 0; d < dimension; ++d) to(c, n, d) = x(nodes(c, n), d);
      }
      for (int r = 0; r < columns.fields; ++r) {
        to_vector(c, r) = columns(c, r) < 0 ? Real(0) : v(columns(c, r));
      }
    }
    Kokkos::deep_copy(own_nodes, to);
    Kokkos::deep_copy(own_vector, to_vector);
  }

  template <class View>
  static auto onHost(const View& view) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  }

  auto gatheredCells() const {
    return Kontract::geometry(Kontract::gathered(coordinates, node_numbers), node_gradients,
                              weights);
  }
  auto ownCells() const { return Kontract::geometry(own_nodes, node_gradients, weights); }
  auto jacobianCells() const { return Kontract::geometry(jacobians, weights); }
  auto measuredCells() const { return Kontract::geometry(jacobians, measures); }

  // Forms.
  auto term() const {
    return Kontract::term(Form::gradGrad(), left_gradients, right_gradients, lambda);
  }
  auto mass() const {
    return Kontract::term(Form::mass(FunctionSpace::HGRAD), left_values, right_values, mu);
  }
  auto elasticity() const {
    return Kontract::term(Form::elasticity(), left_gradients, right_gradients, lambda, mu);
  }
  auto tensorDiffusion() const {
    return Kontract::term(Form::gradGrad(), left_gradients, right_gradients, jacobians);
  }
  auto advection() const {
    return Kontract::term(Form::advection(), left_values, right_gradients, source);
  }
  auto advectionTransposed() const {
    return Kontract::term(Form::advectionTransposed(), left_gradients, right_values, source);
  }
  auto fluxMass() const {
    return Kontract::term(Form::mass(FunctionSpace::HDIV), left_gradients, right_gradients,
                          jacobians);
  }
  auto load() const {
    return Kontract::load(Form::source(FunctionSpace::HGRAD), left_values,
                          Kokkos::subview(source, Kokkos::ALL, Kokkos::ALL, 0));
  }
  auto blockLoad() const {
    return Kontract::load(Form::source(FunctionSpace::HGRAD), left_values, source);
  }

  std::mt19937 random;
  const bool is_affine = random() % 3 == 0;
  int dimension, cells, lefts, rights, points, node_count, blocks;
  DrawnNumbers rows, columns, nodes;
  DrawnGraph graph;
  Array<Real***> left_gradients, right_gradients, node_gradients, own_nodes, source;
  Array<Real****> jacobians;
  Array<Real**> left_values, right_values, lambda, mu, coordinates, own_vector, measures;
  Array<Real*> weights, vector;
  Numbers row_numbers, column_numbers, node_numbers;
  Plan plan;
};

/// Compares an output that cells share with what plain loops add up.
template <class Space>
class Comparison {
 public:
  Comparison(const Drawn<Space>& drawn, Teuchos::FancyOStream& out, bool& success)
      : _drawn(drawn), _out(out), _success(success) {}

  /// \param expected_of  expected_of(options), sums of what cells have on their own; kernels differ
  ///   by more than rounding where cells have nearly no volume
  /// \param call         call(output, sumInto, options) of Integration
  template <class Expected, class Call>
  void compare(const std::string& what, const Expected& expected_of, const Call& call) {
    for (const Way& way : ways) {
      std::vector<double> expected;
      const Refusal of_own = refusalOf([&] {
        expected = expected_of(Way{way.algorithm, way.kernel, "Auto"}.options());
      });
      if (of_own.happened) expected = expected_of(Kontract::Options());
      for (const bool sum_into : {false, true}) {
        Kokkos::View<Real*, Kokkos::LayoutRight, typename Space::memory_space> output(
            "output", expected.size());
        const Real before = sum_into ? Real(0.5) : std::numeric_limits<Real>::quiet_NaN();
        Kokkos::deep_copy(output, before);
        const Refusal refusal = refusalOf([&] { call(output, sum_into, way.options()); });
        const auto result = Drawn<Space>::onHost(output);
        if (refusal.happened) {
          ++refused;
          requireServed(way, what, refusal.text);
          requireUntouched(result, before, what + ", " + way.name());
          continue;
        }
        ++run;
        if (of_own.happened) fail(what + ", " + way.name() + ": it runs, unlike that of each cell");
        if (refusal.text != "no exception") fail(what + ", " + way.name() + ": " + refusal.text);
        double largest = 1;
        for (const double x : expected) largest = std::max(largest, std::abs(x));
        const double tolerance = 2000 * largest * double(std::numeric_limits<Real>::epsilon());
        for (std::size_t i = 0; i < expected.size(); ++i) {
          const double wanted = expected[i] + (sum_into ? 0.5 : 0);
          if (!(std::abs(double(result(i)) - wanted) <= tolerance)) {
            fail(what + ", " + way.name() + ": element " + std::to_string(i) + " is " +
                 std::to_string(double(result(i))) + ", not " + std::to_string(wanted));
            break;
          }
        }
      }
    }
  }

  int run = 0, refused = 0;

 private:
  void fail(const std::string& text) {
    _success = false;
    _out << _drawn.text() << ": " << text << "\n";
  }
  template <class Result>
  void requireUntouched(const Result& result, Real before, const std::string& what) {
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (result(i) != before && !(std::isnan(result(i)) && std::isnan(before))) {
        fail(what + ": it was refused, and the output was written");
        return;
      }
    }
  }
  /// Auto must serve everything, Flat all that does not want colors of a host.
  void requireServed(const Way& way, const std::string& what, const std::string& why) {
    const bool is_colored = std::string(way.scatter) == "Colored";
    const bool is_host = std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>;
    const std::string algorithm = way.algorithm;
    const bool has_repeat = why.find("has an unknown twice") != std::string::npos;
    if (is_colored && !is_host && (has_repeat || algorithm == "Auto")) return;
    if (algorithm == "Auto" || (algorithm == "Flat" && !(is_colored && is_host))) {
      fail(what + ", " + way.name() + ": " + why);
    }
  }

  const Drawn<Space>& _drawn;
  Teuchos::FancyOStream& _out;
  bool& _success;
};

/// Sums of element matrices by plain loops.
template <class Space, class Matrices>
std::vector<double> summedMatrices(const Drawn<Space>& drawn, const Matrices& matrices) {
  std::vector<double> sums(drawn.graph.columns.size(), 0);
  for (int c = 0; c < drawn.cells; ++c) {
    for (int l = 0; l < drawn.rows.fields; ++l) {
      for (int r = 0; r < drawn.columns.fields; ++r) {
        const int row = drawn.rows(c, l), column = drawn.columns(c, r);
        if (row < 0 || column < 0) continue;
        sums[std::size_t(drawn.graph.find(row, column))] += double(matrices(c, l, r));
      }
    }
  }
  return sums;
}
template <class Space, class Vectors>
std::vector<double> summedVectors(const Drawn<Space>& drawn, const Vectors& vectors) {
  std::vector<double> sums(std::size_t(drawn.rows.count + 2), 0);
  for (int c = 0; c < drawn.cells; ++c) {
    for (int l = 0; l < drawn.rows.fields; ++l) {
      if (drawn.rows(c, l) >= 0) sums[std::size_t(drawn.rows(c, l))] += double(vectors(c, l));
    }
  }
  return sums;
}

/// Matrices and products of some terms.
template <class Space, class... Terms>
void checkTerms(const std::string& name, const Drawn<Space>& drawn, Comparison<Space>& comparison,
                const Terms&... terms) {
  using Integration = Kontract::Integration<Space>;
  const Kokkos::View<Real***, Kokkos::LayoutRight, typename Space::memory_space> matrices(
      "matrices", drawn.cells, drawn.rows.fields, drawn.columns.fields);
  const Kokkos::View<Real**, Kokkos::LayoutRight, typename Space::memory_space> products(
      "products", drawn.cells, drawn.rows.fields);
  comparison.compare(
      "matrices of " + name,
      [&](const Kontract::Options& options) {
        Integration::matrices(matrices, drawn.ownCells(), terms..., options);
        return summedMatrices(drawn, drawn.onHost(matrices));
      },
      [&](const auto& output, bool sum_into, const Kontract::Options& options) {
        Integration::matrices(Kontract::scattered(output, drawn.plan), drawn.gatheredCells(),
                              terms..., sum_into, options);
      });
  comparison.compare(
      "products of " + name,
      [&](const Kontract::Options& options) {
        Integration::apply(products, drawn.own_vector, drawn.ownCells(), terms..., options);
        return summedVectors(drawn, drawn.onHost(products));
      },
      [&](const auto& output, bool sum_into, const Kontract::Options& options) {
        Integration::apply(Kontract::scattered(output, drawn.row_numbers),
                           Kontract::gathered(drawn.vector, drawn.column_numbers),
                           drawn.gatheredCells(), terms..., sum_into, options);
      });
}

template <class Space, class Load>
void checkLoad(const Drawn<Space>& drawn, Comparison<Space>& comparison, const Load& load) {
  using Integration = Kontract::Integration<Space>;
  const Kokkos::View<Real**, Kokkos::LayoutRight, typename Space::memory_space> vectors(
      "vectors", drawn.cells, drawn.rows.fields);
  comparison.compare(
      "vectors",
      [&](const Kontract::Options& options) {
        Integration::vectors(vectors, drawn.ownCells(), load, options);
        return summedVectors(drawn, drawn.onHost(vectors));
      },
      [&](const auto& output, bool sum_into, const Kontract::Options& options) {
        Integration::vectors(Kontract::scattered(output, drawn.row_numbers), drawn.gatheredCells(),
                             load, sum_into, options);
      });
}

template <class Space>
void checkDrawn(unsigned seed, Teuchos::FancyOStream& out, bool& success) {
  const Drawn<Space> drawn(seed);
  Comparison<Space> comparison(drawn, out, success);
  if (drawn.blocks == 1) {
    checkTerms("one term", drawn, comparison, drawn.term());
    checkTerms("two terms", drawn, comparison, drawn.term(), drawn.mass());
    checkLoad(drawn, comparison, drawn.load());
  } else {
    checkTerms("elasticity", drawn, comparison, drawn.elasticity());
    checkLoad(drawn, comparison, drawn.blockLoad());
  }
  if (!success) out << "seed " << seed << "\n";
  TEUCHOS_TEST_INEQUALITY(comparison.run, 0, out, success);
}

TEUCHOS_UNIT_TEST(Scatter, cellsByChance) {
  forEachSpace([&](auto space) {
    for (unsigned seed = 0; seed < 60 && success; ++seed) {
      checkDrawn<decltype(space)>(seed, out, success);
    }
  });
}

/// Runs the kernels that devices have for tiles of forms by threads of the host.
struct RunTiles {
  int threads, cells;
  bool is_backwards;
  std::int64_t vectors_bytes;  ///< of scratch memory for vectors and products, if that suffices

  void nothingToDo(Kontract::Impl::Operation) const {}
  template <class Call>
  void operator()(const Call&, Kontract::Impl::Operation,
                  const Kontract::Impl::PlainForm<Real>& given,
                  const Kontract::Impl::CallOptions&) const {
    using namespace Kontract::Impl;
    Machine device;
    device.is_host = false;
    const bool are_matrices = given.kind == FormKind::Matrices;
    device.scratch_bytes[0] = are_matrices ? 47 << 10 : vectors_bytes;
    LaunchSettings settings;
    settings.team_size = threads;
    settings.cells_per_team = cells;
    const Work work = workOf(given);
    const auto why = [&] {
      return are_matrices ? whyNotFormTiles(work, device, settings)
                          : whyNotFormFluxes(work, device, settings);
    };
    while (!are_matrices && !why().empty() && device.scratch_bytes[0] < 40 << 10) {
      device.scratch_bytes[0] *= 2;
    }
    if (!why().empty()) throw std::invalid_argument(why());
    const auto form = scatteringForm(Kokkos::DefaultHostExecutionSpace(), given, settings, "tiles");
    const auto run = [&](auto dimension) {
      constexpr int D = decltype(dimension)::value;
      if (are_matrices) {
        runMatrices<D>(form, formTilePlan(work, device, settings));
      } else if (form.kind == FormKind::Vectors) {
        runVectors<D, FormKind::Vectors>(form, formFluxPlan(work, device, settings));
      } else {
        runVectors<D, FormKind::Products>(form, formFluxPlan(work, device, settings));
      }
    };
    if (form.dimension == 2) {
      run(std::integral_constant<int, 2>());
    } else {
      run(std::integral_constant<int, 3>());
    }
  }

  template <int D, class Form>
  void runMatrices(const Form& form, const Kontract::Impl::FormTilePlan& plan) const {
    forEachProblem<Kontract::Impl::FormKind::Matrices>(form, [&](const auto& problem) {
      using Problem = std::decay_t<decltype(problem)>;
      const auto run = [&](const auto& kernel) {
        TeamOfThreads(plan.teams.threads, is_backwards)
            .run(kernel, plan.teams.pieces, plan.teams.scratch_bytes);
      };
      if (plan.register_fields == 4) {
        run(Kontract::Impl::FormTiles<Problem, D, 4>{problem, plan.sizes});
      } else {
        run(Kontract::Impl::FormTiles<Problem, D, 5>{problem, plan.sizes});
      }
    });
  }

  template <int D, Kontract::Impl::FormKind kind, class Form>
  void runVectors(const Form& form, const Kontract::Impl::FormFluxPlan& plan) const {
    forEachProblem<kind>(form, [&](const auto& problem) {
      using Problem = std::decay_t<decltype(problem)>;
      Kontract::Impl::FormFluxTiles<Problem, D> kernel{problem, plan.sizes};
      kernel.sizes.batches = (form.cells + plan.sizes.cells - 1) / plan.sizes.cells;
      // Fewer teams than batches of cells.
      constexpr int teams = 2;
      TeamOfThreads(plan.teams.threads, is_backwards)
          .run([&](const auto& team, std::int64_t piece) { kernel(team, piece, teams); }, teams,
               plan.teams.scratch_bytes);
      const auto& sizes = kernel.sizes;
      if (sizes.value_points < form.points) ++ways().in_chunks;
      if (sizes.cells * sizes.tiles > plan.teams.threads) ++ways().in_rounds;
      if (sizes.point_lanes > 1) ++ways().by_points;
      if (form.nodes == D + 1) ++ways().of_simplices;
    });
  }

  /// How many vectors and products came which way.
  struct Ways {
    int in_chunks = 0, in_rounds = 0, by_points = 0, of_simplices = 0;
  };
  static Ways& ways() {
    static Ways all;
    return all;
  }

  template <Kontract::Impl::FormKind kind, class Form, class F>
  void forEachProblem(const Form& form, const F& f) const {
    using namespace Kontract::Impl;
    const auto run = [&](auto mapping) {
      using Variant = FormVariant<FormValues<Real>, most_terms_of_bases, decltype(mapping)::value,
                                  FormCoefficients::Any>;
      forEachTerms(form, most_terms_of_bases,
                   [&](const FormTerms& terms) { f(kernelForm<kind, Variant>(form, terms)); });
    };
    if constexpr (kind == FormKind::Matrices) {
      run(std::integral_constant<FormMapping, FormMapping::Any>());
    } else {
      withMapping(form, run);
    }
  }
};

/// Runs what devices have for forms by matrix instructions by threads of the host.
class RunTables {
 public:
  /// \param bytes_of_block  of shared memory that a block may have
  RunTables(const HostTensorLauncher& of, std::int64_t bytes_of_block, int of_device)
      : launcher(of), shared_bytes(bytes_of_block), multiprocessors(of_device) {}

  void nothingToDo(Kontract::Impl::Operation) const {}
  template <class Call>
  void operator()(const Call&, Kontract::Impl::Operation,
                  const Kontract::Impl::PlainForm<Real>& given,
                  const Kontract::Impl::CallOptions&) const {
    using namespace Kontract::Impl;
    Machine device;
    device.is_host = false;
    device.compute_capability = 80;
    device.block_shared_bytes = shared_bytes;
    device.multiprocessors = multiprocessors;
    const auto why = [&] {
      return given.kind == FormKind::Matrices ? whyNotTensorForms(workOf(given), device)
                                              : whyNotTableVectors(workOf(given), device);
    };
    if (!why().empty()) device.block_shared_bytes = 227 << 10;  // not even a point had room
    if (!why().empty()) throw std::invalid_argument(why());
    const auto form = scatteringForm(Kokkos::DefaultHostExecutionSpace(), given, {}, "tables");
    if (given.kind == FormKind::Matrices) {
      withMemory(bytesOfTensorForms(given, device),
                 [&](void* memory) { runTensorForms(launcher, memory, form, device); });
    } else if (given.kind == FormKind::Vectors) {
      runVectors<FormKind::Vectors>(given, form, device);
    } else {
      runVectors<FormKind::Products>(given, form, device);
    }
  }

 private:
  template <Kontract::Impl::FormKind kind, class Form>
  void runVectors(const Form& given, const Form& form,
                  const Kontract::Impl::Machine& device) const {
    withMemory(Kontract::Impl::bytesOfTableVectors(given, device), [&](void* memory) {
      Kontract::Impl::runTableVectors<kind>(launcher, memory, form, device);
    });
  }

  HostTensorLauncher launcher;
  std::int64_t shared_bytes;
  int multiprocessors;

  /// Calls f(memory of NaNs), behind which nothing may be read.
  template <class F>
  static void withMemory(std::int64_t bytes, const F& f) {
#ifdef KONTRACT_TEST_HAS_GUARD_PAGES
    const GuardedPages pages(static_cast<std::size_t>(bytes));
    auto* const memory = reinterpret_cast<double*>(pages.end() - bytes);
    std::fill_n(memory, bytes / 8, std::nan(""));
    f(memory);
#else
    f(std::vector<double>(std::size_t(bytes / 8), std::nan("")).data());
#endif
  }
};

/// Compares a runner of kernels of devices with Flat.
template <class Space, class Runner>
class RunnerChecker {
 public:
  RunnerChecker(Drawn<Space>& drawn, const Runner& runner, Teuchos::FancyOStream& out,
                bool& success)
      : _drawn(drawn), _runner(runner), _out(out), _success(success) {}

  /// How many outputs were compared.
  int compared() const { return _compared; }

  /// Matrices, products and loads that cells share, and in arrays, from nodes.
  void checkNodes() {
    const bool is_symmetric = _drawn.lefts == _drawn.rights;
    if (is_symmetric) {
      _drawn.right_gradients = _drawn.left_gradients;
      _drawn.right_values = _drawn.left_values;
    }
    if (_drawn.blocks > 1) {
      check(_drawn.elasticity());
      checkSharedLoad(_drawn.blockLoad());
      return;
    }
    const auto left_signs = _drawn.array("left signs", _drawn.cells, _drawn.lefts),
               right_signs =
                   is_symmetric ? left_signs : _drawn.array("signs", _drawn.cells, _drawn.rights);
    check(_drawn.term());
    check(_drawn.term(), _drawn.mass(), _drawn.mass(), _drawn.term());
    check(_drawn.term().withSigns(left_signs, right_signs), _drawn.mass());
    checkSharedLoad(_drawn.load().withSigns(left_signs));
    checkProducts(
        Kontract::term(Form::mass(FunctionSpace::HGRAD), _drawn.left_values, _drawn.right_values));
    checkProducts(_drawn.term(), _drawn.mass());
    checkProducts(_drawn.tensorDiffusion());
    checkProducts(_drawn.advection());
    checkProducts(_drawn.advectionTransposed(), _drawn.mass(), _drawn.fluxMass());
    checkWithoutRightFields();
  }

  /// The same in arrays of either layout, from Jacobians.
  void checkJacobians() {
    for (int c = 0; c < _drawn.cells; ++c) {
      for (std::size_t p = 0; p < _drawn.jacobians.extent(1); ++p) {
        for (int d = 0; d < _drawn.dimension; ++d) _drawn.jacobians(c, p, d, d) += Real(3);
      }
    }
    const auto checkLayout = [&](auto layout) {
      if (_drawn.blocks > 1) {
        checkArrays(layout, _drawn.jacobianCells(), _drawn.elasticity());
        checkProduct(layout, _drawn.jacobianCells(), _drawn.elasticity());
        checkLoad(layout, _drawn.jacobianCells(), _drawn.blockLoad());
        return;
      }
      checkArrays(layout, _drawn.jacobianCells(), _drawn.term(), _drawn.mass());
      checkArrays(layout, _drawn.measuredCells(), _drawn.term(), _drawn.mass());
      checkProduct(layout, _drawn.jacobianCells(), _drawn.term(), _drawn.mass());
      checkProduct(layout, _drawn.measuredCells(), _drawn.term(), _drawn.mass());
      checkLoad(layout, _drawn.jacobianCells(), _drawn.load());
      checkLoad(layout, _drawn.measuredCells(), _drawn.load());
    };
    checkLayout(Kokkos::LayoutRight());
    checkLayout(Kokkos::LayoutLeft());
  }

 private:
  using FormKind = Kontract::Impl::FormKind;
  using Operation = Kontract::Impl::Operation;

  template <class... Terms>
  void check(const Terms&... terms) {
    const bool sum_into = _drawn.draw(0, 1) == 1;
    const std::size_t count = std::size_t(_drawn.plan.numEntries());
    const Kokkos::View<Real*, Kokkos::HostSpace> found("found", count), wanted("wanted", count);
    Kokkos::deep_copy(found, Real(3));
    Kokkos::deep_copy(wanted, Real(3));
    Kontract::Impl::integrateForm<Space, FormKind::Matrices>(
        Operation::matrices, _runner, Kontract::scattered(found, _drawn.plan),
        _drawn.gatheredCells(), terms..., sum_into);
    Kontract::Integration<Space>::matrices(Kontract::scattered(wanted, _drawn.plan),
                                           _drawn.gatheredCells(), terms..., sum_into, _flat);
    compare(found, wanted);
    checkArrays(Kokkos::LayoutRight(), _drawn.ownCells(), terms...);
    checkArrays(Kokkos::LayoutLeft(), _drawn.ownCells(), terms...);
    checkProducts(terms...);
  }
  template <class... Terms>
  void checkProducts(const Terms&... terms) {
    checkSharedProduct(terms...);
    checkProduct(Kokkos::LayoutRight(), _drawn.ownCells(), terms...);
    checkProduct(Kokkos::LayoutLeft(), _drawn.ownCells(), terms...);
  }
  template <class Layout, class Cells, class... Terms>
  void checkArrays(Layout, const Cells& cells, const Terms&... terms) {
    using View = Kokkos::View<Real***, Layout, Kokkos::HostSpace>;
    const View found("found", _drawn.cells, _drawn.rows.fields, _drawn.columns.fields),
        wanted("wanted", _drawn.cells, _drawn.rows.fields, _drawn.columns.fields);
    Kokkos::deep_copy(found, std::numeric_limits<Real>::quiet_NaN());
    Kontract::Impl::integrateForm<Space, FormKind::Matrices>(Operation::matrices, _runner, found,
                                                             cells, terms...);
    Kontract::Integration<Space>::matrices(wanted, cells, terms..., _flat);
    compare(found, wanted);
  }
  template <class... Terms>
  void checkSharedProduct(const Terms&... terms) {
    const bool sum_into = _drawn.draw(0, 1) == 1;
    const std::size_t count = std::size_t(_drawn.rows.count);
    const Kokkos::View<Real*, Kokkos::HostSpace> found("found", count), wanted("wanted", count);
    Kokkos::deep_copy(found, Real(3));
    Kokkos::deep_copy(wanted, Real(3));
    const auto vector = Kontract::gathered(_drawn.vector, _drawn.column_numbers);
    Kontract::Impl::integrateForm<Space, FormKind::Products>(
        Operation::apply, _runner, Kontract::scattered(found, _drawn.row_numbers), vector,
        _drawn.gatheredCells(), terms..., sum_into);
    Kontract::Integration<Space>::apply(Kontract::scattered(wanted, _drawn.row_numbers), vector,
                                        _drawn.gatheredCells(), terms..., sum_into, _flat);
    compare(found, wanted);
  }
  /// Products that are zero.
  void checkWithoutRightFields() {
    using View = Kokkos::View<Real**, Kokkos::LayoutRight, Kokkos::HostSpace>;
    const View found("found", _drawn.cells, _drawn.rows.fields),
        wanted("wanted", _drawn.cells, _drawn.rows.fields), vector("vector", _drawn.cells, 0);
    Kokkos::deep_copy(found, std::numeric_limits<Real>::quiet_NaN());
    Kontract::Impl::integrateForm<Space, FormKind::Products>(
        Operation::apply, _runner, found, vector, _drawn.ownCells(),
        Kontract::term(Form::advection(), _drawn.left_values,
                       _drawn.array("none", 0, _drawn.points, _drawn.dimension), _drawn.source));
    compare(found, wanted);
  }
  template <class Layout, class Cells, class... Terms>
  void checkProduct(Layout, const Cells& cells, const Terms&... terms) {
    using View = Kokkos::View<Real**, Layout, Kokkos::HostSpace>;
    const View found("found", _drawn.cells, _drawn.rows.fields),
        wanted("wanted", _drawn.cells, _drawn.rows.fields),
        vector("vector", _drawn.cells, _drawn.columns.fields);
    Kokkos::deep_copy(vector, _drawn.own_vector);
    Kokkos::deep_copy(found, std::numeric_limits<Real>::quiet_NaN());
    Kontract::Impl::integrateForm<Space, FormKind::Products>(Operation::apply, _runner, found,
                                                             vector, cells, terms...);
    Kontract::Integration<Space>::apply(wanted, vector, cells, terms..., _flat);
    compare(found, wanted);
  }
  template <class Load>
  void checkSharedLoad(const Load& load) {
    const std::size_t count = std::size_t(_drawn.rows.count);
    const Kokkos::View<Real*, Kokkos::HostSpace> found("found", count), wanted("wanted", count);
    Kontract::Impl::integrateForm<Space, FormKind::Vectors>(
        Operation::vectors, _runner, Kontract::scattered(found, _drawn.row_numbers),
        _drawn.gatheredCells(), load);
    Kontract::Integration<Space>::vectors(Kontract::scattered(wanted, _drawn.row_numbers),
                                          _drawn.gatheredCells(), load, _flat);
    compare(found, wanted);
  }
  template <class Layout, class Cells, class Load>
  void checkLoad(Layout, const Cells& cells, const Load& load) {
    using View = Kokkos::View<Real**, Layout, Kokkos::HostSpace>;
    const View found("found", _drawn.cells, _drawn.rows.fields),
        wanted("wanted", _drawn.cells, _drawn.rows.fields);
    Kokkos::deep_copy(found, std::numeric_limits<Real>::quiet_NaN());
    Kontract::Impl::integrateForm<Space, FormKind::Vectors>(Operation::vectors, _runner, found,
                                                            cells, load);
    Kontract::Integration<Space>::vectors(wanted, cells, load, _flat);
    compare(found, wanted);
  }
  template <class View>
  void compare(const View& found, const View& wanted) {
    auto& out = _out;
    bool& success = _success;
    double largest = 1, difference = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      largest = std::max(largest, std::abs(double(wanted.data()[i])));
      keepLargest(difference, std::abs(double(found.data()[i]) - double(wanted.data()[i])));
    }
    TEST_COMPARE(difference, <=, 4000 * largest * double(std::numeric_limits<Real>::epsilon()));
    ++_compared;
  }

  Drawn<Space>& _drawn;
  const Runner& _runner;
  Teuchos::FancyOStream& _out;
  bool& _success;
  const Kontract::Options _flat = Way{"Flat", "", "Auto"}.options();
  int _compared = 0;
};

/// What devices compute by tiles, with teams of a few threads, is what others compute.
TEUCHOS_UNIT_TEST(Scatter, tilesOfDevices) {
  int compared = 0;
  RunTiles::ways() = {};
  for (unsigned seed = 400; seed < 480; ++seed) {
    Drawn<Kokkos::DefaultHostExecutionSpace> drawn(seed);
    if (drawn.cells > 40) continue;
    const RunTiles tiles{drawn.draw(1, 12), drawn.draw(0, 7), seed % 2 == 0,
                         drawn.draw(2, 9) << 10};
    RunnerChecker checker(drawn, tiles, out, success);
    checker.checkNodes();
    checker.checkJacobians();
    compared += checker.compared();
  }
  TEST_COMPARE(compared, >, 400);
  for (const int of_way : {RunTiles::ways().in_chunks, RunTiles::ways().in_rounds,
                           RunTiles::ways().by_points, RunTiles::ways().of_simplices}) {
    TEST_COMPARE(of_way, >, 10);
  }
}

// Blocks of devices cannot be tested on the host by compilers that have them as such.
#ifndef __CUDACC__
/// What devices compute by matrix instructions, likewise.
TEUCHOS_UNIT_TEST(Scatter, tablesOfDevices) {
  int compared = 0;
  for (unsigned seed = 500; seed < 532; ++seed) {
    // Every fourth has several slices of entries, every eighth no points; most have little memory.
    Drawn<Kokkos::DefaultHostExecutionSpace> drawn(seed, false, seed % 4 > 0 ? 0 : 24,
                                                   seed % 8 == 3 ? 0 : -1);
    if (drawn.cells > (drawn.lefts > 3 ? 200 : 700)) continue;
    const RunTables tables{
        {drawn.draw(1, 4), drawn.draw(1, 4), seed % 5 == 0 ? 2 : 64, seed % 2 == 0},
        (seed % 3 == 1 ? 227 : drawn.draw(8, 40)) << 10,
        seed % 5 == 0 ? 132 : 1};
    RunnerChecker checker(drawn, tables, out, success);
    checker.checkNodes();
    checker.checkJacobians();
    compared += checker.compared();
  }
  TEST_COMPARE(compared, >, 90);
  const auto& ways = HostTensorLauncher::ways();
  for (const int of_outputs : ways.of_outputs) TEST_COMPARE(of_outputs, >, 10);
  for (const int of_vectors : ways.of_vectors) TEST_COMPARE(of_vectors, >, 10);
  for (const int of_way :
       {ways.in_parts, ways.in_launches, ways.in_slices, ways.in_groups, ways.together,
        ways.vectors_in_parts, ways.vectors_in_launches, ways.vectors_apart}) {
    TEST_COMPARE(of_way, >, 3);
  }
}
#endif

/// Tensor-product bases, of which vectors and products go direction by direction.
template <class Space>
void checkTensorBases(int order, Teuchos::FancyOStream& out, bool& success) {
  std::mt19937 random(static_cast<unsigned>(order));
  constexpr int dimension = 2;
  const int n = order + 1, q = order + 2, cells = 37;
  using Memory = typename Space::memory_space;
  using Matrix = Kokkos::View<Real**, Kokkos::LayoutRight, Memory>;
  using Integration = Kontract::Integration<Space>;
  const DrawnNumbers numbers(cells, n * n, 40, true, random);
  const DrawnGraph graph(numbers, numbers, 0, true, random);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto matrix = [&](int rows, int columns) {
    Matrix view("matrix", rows, columns);
    const auto host = Kokkos::create_mirror_view(view);
    for (std::size_t i = 0; i < host.size(); ++i) host.data()[i] = Real(any(random));
    Kokkos::deep_copy(view, host);
    return view;
  };
  const auto values = matrix(n, q), derivatives = matrix(n, q), measures = matrix(cells, q * q),
             coefficient = matrix(cells, q * q), x = matrix(40, 1);
  const auto basis = Kontract::tensorBasis<dimension>(values, derivatives);
  const auto geometry = Kontract::geometry(measures);
  const auto mass = Kontract::term(Form::mass(FunctionSpace::HGRAD), basis, basis, coefficient);
  const Kontract::CellNumbers<Space> unknowns(placed<int, Kokkos::LayoutRight, Memory>(numbers),
                                              40);
  const Kontract::ScatterPlan<Space> plan(placed<std::size_t, Memory>(graph.starts),
                                          placed<int, Memory>(graph.columns), unknowns, unknowns);
  const Kokkos::View<Real***, Kokkos::LayoutRight, Memory> matrices("matrices", cells, n * n,
                                                                    n * n);
  Integration::matrices(matrices, geometry, mass);
  const auto m = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrices);
  const auto v = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  std::vector<double> expected(40, 0), entries(graph.columns.size(), 0);
  for (int c = 0; c < cells; ++c) {
    for (int l = 0; l < n * n; ++l) {
      for (int r = 0; r < n * n; ++r) {
        const int row = numbers(c, l), column = numbers(c, r);
        if (row < 0 || column < 0) continue;
        expected[std::size_t(row)] += double(m(c, l, r)) * double(v(column, 0));
        entries[std::size_t(graph.find(row, column))] += double(m(c, l, r));
      }
    }
  }
  const auto check = [&](const std::string& what, const std::vector<double>& wanted,
                         const auto& output) {
    const auto got = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), output);
    double largest = 1;
    for (const double number : wanted) largest = std::max(largest, std::abs(number));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const double difference = std::abs(double(got.data()[i]) - wanted[i]);
      if (difference <= 2000 * largest * double(std::numeric_limits<Real>::epsilon())) continue;
      out << what << ", order " << order << ": element " << i << " is off by " << difference
          << "\n";
      success = false;
      return;
    }
  };
  for (const Way& way : ways) {
    const Kontract::Options options = way.options();
    Matrix y("y", 40, 1);  // a vector with one column
    Kokkos::View<Real*, Memory> of_matrix("values", entries.size());
    Kokkos::deep_copy(y, Real(7));
    const bool runs =
        !refusalOf([&] {
           Integration::apply(Kontract::scattered(y, unknowns), Kontract::gathered(x, unknowns),
                              geometry, mass, options);
         }).happened;
    if (runs) check("products, " + way.name(), expected, y);
    const bool has_matrices =
        !refusalOf([&] {
           Integration::matrices(Kontract::scattered(of_matrix, plan), geometry, mass, options);
         }).happened;
    if (has_matrices) check("matrices, " + way.name(), entries, of_matrix);
  }
}

TEUCHOS_UNIT_TEST(Scatter, tensorBases) {
  forEachSpace([&](auto space) {
    for (int order = 1; order <= 5; ++order) {
      checkTensorBases<decltype(space)>(order, out, success);
    }
  });
}

/// Worksets: parts of cells, one after another, add up to all cells, in every way; and colors give
/// the bits of one call.
TEUCHOS_UNIT_TEST(Scatter, partsOfCells) {
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    using Integration = Kontract::Integration<Space>;
    for (unsigned seed = 100; seed < 112; ++seed) {
      const Drawn<Space> drawn(seed, true);
      const auto& plan = drawn.plan;
      const auto element =
          Kontract::term(Form::mass(FunctionSpace::HGRAD), drawn.left_values, drawn.right_values);
      if (drawn.blocks != 1 || drawn.cells == 0) continue;
      const auto run = [&](const char* scatter, int cells_each) {
        const Kontract::Options options = Way{"Auto", "", scatter}.options();
        Kokkos::View<Real*, typename Space::memory_space> output("output", plan.numEntries());
        for (int first = 0; first < drawn.cells; first += cells_each) {
          const int last = std::min(drawn.cells, first + cells_each);
          const auto part = Kontract::geometry(
              Kontract::gathered(drawn.coordinates, drawn.node_numbers.cells(first, last)),
              drawn.node_gradients, drawn.weights);
          Integration::matrices(Kontract::scattered(output, plan.cells(first, last)), part, element,
                                true, options);
        }
        return drawn.onHost(output);
      };
      for (const char* scatter : {"Auto", "Atomic", "Colored"}) {
        const auto whole = run(scatter, drawn.cells), parts = run(scatter, 5);
        double largest = 1, difference = 0;
        for (std::size_t i = 0; i < whole.size(); ++i) {
          largest = std::max(largest, std::abs(double(whole(i))));
          keepLargest(difference, std::abs(double(whole(i)) - double(parts(i))));
        }
        TEST_COMPARE(difference, <=, 1000 * largest * double(std::numeric_limits<Real>::epsilon()));
      }
      const auto once = run("Colored", drawn.cells), again = run("Colored", drawn.cells);
      for (std::size_t i = 0; i < once.size(); ++i) TEST_EQUALITY(once(i), again(i));
    }
  });
}

/// Many cells, with one component, whose unknowns differ.
template <class Space>
Drawn<Space> manyCells() {
  for (unsigned seed = 300;; ++seed) {
    const Drawn<Space> drawn(seed, true);
    if (drawn.blocks == 1 && drawn.cells >= 30) return drawn;
  }
}
template <class Space>
auto plainMass(const Drawn<Space>& drawn) {
  return Kontract::term(Form::mass(FunctionSpace::HGRAD), drawn.left_values, drawn.right_values);
}

/// An instance may come first, and choices may be measured: the output is that of the call alone.
TEUCHOS_UNIT_TEST(Scatter, instancesAndTuning) {
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    using Integration = Kontract::Integration<Space>;
    const auto drawn = manyCells<Space>();
    const auto mass = plainMass(drawn);
    const TuningFile file("scatter");
    Teuchos::ParameterList list("Kontract");
    list.sublist("Tuning").set("Mode", "Measure").set("File", file.name());
    const std::size_t count = std::size_t(drawn.plan.numEntries());
    const Kokkos::View<Real*, typename Space::memory_space> once("once", count),
        tuned("tuned", count);
    Kokkos::deep_copy(once, Real(1));
    Kokkos::deep_copy(tuned, Real(1));
    const auto cells = drawn.gatheredCells();
    Integration::matrices(space, Kontract::scattered(once, drawn.plan), cells, mass, true);
    Integration::matrices(space, Kontract::scattered(tuned, drawn.plan), cells, mass, true, list);
    space.fence();
    const auto a = drawn.onHost(once), b = drawn.onHost(tuned);
    for (std::size_t i = 0; i < count; ++i) {
      const double tolerance =
          1000 * (1 + std::abs(double(a(i)))) * double(std::numeric_limits<Real>::epsilon());
      TEST_COMPARE(std::abs(double(a(i)) - double(b(i))), <=, tolerance);
    }
    TEST_EQUALITY(file.entries(), 1u);
    const std::string text =
        Kontract::explain<Space>("matrices", space, Kontract::scattered(tuned, drawn.plan), cells,
                                 mass, true, list)
            .text();
    TEST_INEQUALITY(text.find("tuning table"), std::string::npos);
  });
}

/// A way to add that was asked for stays, whatever was measured and whatever algorithm defaults
/// name.
TEUCHOS_UNIT_TEST(Scatter, waysThatWereAskedFor) {
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    using Integration = Kontract::Integration<Space>;
    const auto drawn = manyCells<Space>();
    const auto mass = plainMass(drawn);
    const Kokkos::View<Real*, typename Space::memory_space> output("output",
                                                                   drawn.graph.columns.size());
    const TuningFile file("ways");
    const auto ran = [&](const auto&... options) {
      Integration::matrices(Kontract::scattered(output, drawn.plan), drawn.gatheredCells(), mass,
                            options...);
      return Kontract::explain().text();
    };
    for (const char* way : {"Atomic", "Colored", "Atomic"}) {
      const std::string wanted = std::string("Scatter = ") + way;
      Teuchos::ParameterList list("Kontract");
      list.sublist("Launch").set("Scatter", way);
      list.sublist("Tuning").set("Mode", "Measure").set("File", file.name());
      for (int times = 0; times < 2; ++times) {  // measured, and from the table
        const std::string text = ran(list);
        TEST_INEQUALITY(text.find(wanted), std::string::npos);
        TEST_INEQUALITY(text.find("tuning table"), std::string::npos);
      }
      list.remove("Tuning");
      list.set("Algorithm", "Serial");  // which is for contractions
      Kontract::setDefaultOptions(Kontract::Options(list));
      const std::string text = ran();
      Kontract::setDefaultOptions(Kontract::Options());
      TEST_INEQUALITY(text.find(wanted), std::string::npos);
    }
    // What is fastest by atomics may not serve colors, so each way has its own entry.
    TEST_EQUALITY_CONST(file.entries(), 2u);
  });
}

/// Threads of a host take colors if there are blocks for all of them, in a workset as in all cells.
TEUCHOS_UNIT_TEST(Scatter, waysThatAreChosen) {
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    if constexpr (Kontract::Impl::is_host_space<Space>) {
      if (space.concurrency() < 2) return;
      const int cells = 4096 * space.concurrency();
      const Kokkos::View<int**, Kokkos::HostSpace> numbers("numbers", cells, 1);
      for (int c = 0; c < cells; ++c) numbers(c, 0) = c;
      const Kontract::CellNumbers<Space> unknowns(numbers, cells);
      const Kokkos::View<Real**, Kokkos::HostSpace> values("values", 1, 1),
          measures("measures", cells, 1);
      const Kokkos::View<Real*, Kokkos::HostSpace> output("output", cells);
      for (const int last : {cells, 16}) {
        const auto of_part = Kokkos::subview(measures, std::make_pair(0, last), Kokkos::ALL);
        const std::string text =
            Kontract::explain<Space>(
                "vectors", Kontract::scattered(output, unknowns.cells(0, last)),
                Kontract::geometry(of_part),
                Kontract::load(Form::source(FunctionSpace::HGRAD), values, of_part))
                .text();
        const std::string wanted = last == cells ? "Scatter = Colored" : "Scatter = Atomic";
        TEST_INEQUALITY(text.find(wanted), std::string::npos);
      }
    }
  });
}

/// On hosts colors give the bits of sums in the order of colors, blocks and cells, however many
/// threads there are.
TEUCHOS_UNIT_TEST(Scatter, bitsOfColors) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Integration = Kontract::Integration<Space>;
  for (unsigned seed = 200; seed < 230; ++seed) {
    const Drawn<Space> drawn(seed);
    if (drawn.blocks != 1 || drawn.cells == 0) continue;
    const Kokkos::View<Real***, Kokkos::LayoutRight, Kokkos::HostSpace> own(
        "own", drawn.cells, drawn.lefts, drawn.rights);
    const auto colors = drawn.row_numbers.impl().colors();
    for (const char* kernel : {"Per Cell", "Interleaved Cells"}) {
      Integration::matrices(own, drawn.ownCells(), drawn.term(),
                            Way{"Register Blocking", kernel, "Auto"}.options());
      std::vector<Real> expected(drawn.graph.columns.size(), Real(0));
      for (std::int64_t i = 0; i < colors.starts[colors.colors]; ++i) {
        const int first = int(colors.blocks[i] * colors.block_cells);
        const int last = std::min(drawn.cells, first + int(colors.block_cells));
        for (int c = first; c < last; ++c) {
          for (int l = 0; l < drawn.lefts; ++l) {
            for (int r = 0; r < drawn.rights; ++r) {
              const int row = drawn.rows(c, l), column = drawn.columns(c, r);
              if (row < 0 || column < 0) continue;
              expected[std::size_t(drawn.graph.find(row, column))] += own(c, l, r);
            }
          }
        }
      }
      const Kokkos::View<Real*, Kokkos::HostSpace> output("output", expected.size());
      Integration::matrices(Kontract::scattered(output, drawn.plan), drawn.gatheredCells(),
                            drawn.term(), Way{"Register Blocking", kernel, "Colored"}.options());
      std::size_t differing = 0;
      for (std::size_t i = 0; i < expected.size(); ++i) differing += output(i) != expected[i];
      TEST_EQUALITY(differing, 0u);
    }
  }
}

/// Where nothing can compute a form so, it is refused.
TEUCHOS_UNIT_TEST(Scatter, colorsThatNobodyServes) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  const Drawn<Space> drawn(1);
  const Kokkos::View<Real**, Space> signs("signs", drawn.cells, drawn.lefts),
      right_signs("signs", drawn.cells, drawn.rights);
  const Kokkos::View<Real*, Kokkos::HostSpace> output("output", drawn.graph.columns.size());
  const auto mass =
      Kontract::term(Form::mass(FunctionSpace::HGRAD), drawn.left_values, drawn.right_values);
  TEST_ASSERT(refusalOf([&] {
                Kontract::Integration<Space>::matrices(
                    Kontract::scattered(output, drawn.plan), drawn.gatheredCells(), mass,
                    mass.withSigns(signs, right_signs), Way{"Auto", "", "Colored"}.options());
              }).says("all terms must have the same signs"));
}

/// Unknowns with given values: their rows and columns have a diagonal alone.
TEUCHOS_UNIT_TEST(Scatter, fixedUnknowns) {
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    using Memory = typename Space::memory_space;
    std::mt19937 random(3);
    const DrawnNumbers numbers(20, 4, 17, true, random);
    const DrawnGraph graph(numbers, numbers, 0, true, random);
    struct Graph {
      Kokkos::View<std::size_t*, Memory> row_map;
      Kokkos::View<int*, Memory> entries;
    };
    const Graph placed_graph{placed<std::size_t, Memory>(graph.starts),
                             placed<int, Memory>(graph.columns)};
    std::vector<int> fixed(17, 0);
    for (const int number : {0, 3, 4, 16}) fixed[std::size_t(number)] = 1;
    const Kontract::CellNumbers<Space> unknowns(placed<int, Kokkos::LayoutRight, Memory>(numbers),
                                                17);
    const auto plan =
        Kontract::ScatterPlan<Space>::withFixed(placed_graph, unknowns, placed<int, Memory>(fixed));
    Kokkos::View<Real**, Memory> values("values", 4, 1);
    Kokkos::View<Real**, Memory> measures("measures", 20, 1);
    Kokkos::deep_copy(values, Real(1));
    Kokkos::deep_copy(measures, Real(1));
    Kokkos::View<Real*, Memory> output("output", graph.columns.size());
    Kontract::Integration<Space>::matrices(
        Kontract::scattered(output, plan), Kontract::geometry(measures),
        Kontract::term(Form::mass(FunctionSpace::HGRAD), values, values));
    std::vector<double> expected(graph.columns.size(), 0);
    for (int c = 0; c < 20; ++c) {
      for (int l = 0; l < 4; ++l) {
        for (int r = 0; r < 4; ++r) {
          const int row = numbers(c, l), column = numbers(c, r);
          if (row < 0 || column < 0) continue;
          const bool is_fixed = fixed[std::size_t(row)] + fixed[std::size_t(column)] > 0;
          if (row == column || !is_fixed) expected[std::size_t(graph.find(row, column))] += 1;
        }
      }
    }
    const auto got = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), output);
    for (std::size_t i = 0; i < expected.size(); ++i) TEST_EQUALITY(double(got(i)), expected[i]);
  });
}

/// Graphs of numbers: what plain loops find, rows sorted.
TEUCHOS_UNIT_TEST(Scatter, graphs) {
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    using Memory = typename Space::memory_space;
    std::mt19937 random(8);
    // 1365 x 3 columns of a row are the most that a team has memory for; more are sorted.
    for (const int cells : {0, 1, 40, 500, 1365, 1366, 2000}) {
      DrawnNumbers rows(cells, 5, 61, true, random);
      const DrawnNumbers columns(cells, 3, 50, true, random);
      if (cells >= 1365) {  // row 7 is of each cell once
        for (int& number : rows.numbers) number = number == 7 ? 8 : number;
        for (int c = 0; c < cells; ++c) rows.numbers[std::size_t(5 * c)] = 7;
      }
      std::vector<std::set<int>> expected(61);
      for (int c = 0; c < cells; ++c) {
        for (int l = 0; l < 5; ++l) {
          for (int r = 0; r < 3; ++r) {
            if (rows(c, l) >= 0 && columns(c, r) >= 0)
              expected[std::size_t(rows(c, l))].insert(columns(c, r));
          }
        }
      }
      const Kontract::CellNumbers<Space> of_rows(placed<int, Kokkos::LayoutLeft, Memory>(rows), 61);
      const Kontract::CellNumbers<Space> of_columns(
          placed<int, Kokkos::LayoutRight, Memory>(columns), 50);
      const Kontract::CellGraph<Space> graph(of_rows, of_columns);
      const auto starts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), graph.row_map);
      const auto entries = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), graph.entries);
      TEST_EQUALITY(starts.extent(0), 62u);
      for (std::size_t row = 0; row < 61; ++row) {
        const std::vector<int> found(entries.data() + starts(row),
                                     entries.data() + starts(row + 1));
        const std::vector<int> wanted(expected[row].begin(), expected[row].end());
        TEST_ASSERT(found == wanted);
      }
      const Kontract::ScatterPlan<Space> plan(graph, of_rows, of_columns);
      TEST_EQUALITY(plan.numEntries(), std::int64_t(entries.extent(0)));
    }
  });
}

}  // namespace
}  // namespace KontractTest
