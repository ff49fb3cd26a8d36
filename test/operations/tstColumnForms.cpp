// SPDX-License-Identifier: BSD-3-Clause
//
// What devices have for tensor-product bases in registers, columns of vectors and products and
// tiles of matrices, run by threads of the host, against plain sums: forms by chance, in all orders
// of threads from barrier to barrier, in scratch memory and outputs of NaNs.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

#include "BlockOfThreads.hpp"
#include "DrawnNodes.hpp"
#include "HostTeams.hpp"
#include "Kontract_CellGraph.hpp"
#include "Kontract_CellNumbers.hpp"
#include "Kontract_Integration.hpp"
#include "Kontract_ScatterPlan.hpp"
#include "Refusal.hpp"
#include "Runner.hpp"
#include "detail/algorithms/Kontract_TeamReduction.hpp"
#include "detail/algorithms/Kontract_TensorMatrixForms.hpp"
#include "detail/algorithms/Kontract_WorkOfForm.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Kontract::Impl::ColumnPlan;
using Kontract::Impl::FormKind;
using Kontract::Impl::Operation;

#ifndef KONTRACT_TEST_FORM_SCALAR
#define KONTRACT_TEST_FORM_SCALAR double
#endif
using Real = KONTRACT_TEST_FORM_SCALAR;
using Space = Kokkos::DefaultHostExecutionSpace;
using Integration = Kontract::Integration<Space>;

/// In the place of dispatch.
struct RunColumns {
  int threads, cells;
  bool is_backwards;
  bool by_families = false;  ///< matrices by what is for any bases
  int shared_kilobytes = 0;  ///< by matrix instructions of blocks that have so much
  using Functions = std::integer_sequence<int, 2, 3>;

  void nothingToDo(Operation) const {}
  template <class Call>
  void operator()(const Call&, Operation, const Kontract::Impl::PlainForm<Real>& given,
                  const Kontract::Impl::CallOptions&) const {
    using namespace Kontract::Impl;
#ifndef __CUDACC__
    if (shared_kilobytes > 0) return runByInstructions(given);
#endif
    LaunchSettings settings;
    settings.team_size = threads;
    settings.cells_per_team = cells;
    const HostTeamLauncher launcher{is_backwards};
    if (given.kind == FormKind::Matrices) {
      const FormWork work = workOf(given).form;
      auto plan = matrixPlan(work, int(sizeof(Real)), settings, plannedDevice());
      plan.many_teams = 2;
      if (!plan.fits) throw std::invalid_argument("not for tiles");
      const auto form = scatteringForm(Space(), given, settings, "matrices");
      if (work.columns.has_families || by_families) {
        return runFactorizedMatrices<true, Functions>(launcher, form, plan);
      }
      return runFactorizedMatrices<false, Functions>(launcher, form, plan);
    }
    ColumnPlan plan =
        columnPlan(workOf(given).form.columns, int(sizeof(Real)), settings, plannedDevice());
    if (!plan.fits) throw std::invalid_argument("not for columns");
    // More threads have no registers, which a launch would find after the output is cleared.
    Plan<TeamReduction::Settings> asked;
    asked.launch.team_size = 2 * max_column_threads;
    if (TeamReduction::whyNot(workOf(given), plannedDevice(), asked).empty()) {
      throw std::logic_error("teams of too many threads are not refused");
    }
    plan.many_teams = 2;  // so that teams have several batches of cells
    const auto form = scatteringForm(Space(), given, settings, "columns");
    if (plan.layout.sizes.has_families || (by_families && form.kind == FormKind::Products)) {
      return runFamilyColumns<Functions>(launcher, form, plan);
    }
    if (form.kind == FormKind::Vectors) {
      runColumnForms<FormKind::Vectors, Functions>(launcher, form, plan);
    } else {
      runColumnForms<FormKind::Products, Functions>(launcher, form, plan);
    }
  }

#ifndef __CUDACC__  // there its functions are for devices alone
  void runByInstructions(const Kontract::Impl::PlainForm<Real>& given) const {
    using namespace Kontract::Impl;
    Machine device = plannedDevice();
    device.compute_capability = 90;
    device.block_shared_bytes = shared_kilobytes << 10;
    const Work work = workOf(given);
    if (given.kind == FormKind::Matrices) return runMatricesByInstructions(given, work, device);
    if (!hasTensorColumns(work, device)) throw std::invalid_argument("there is no kernel");
    const HostTensorColumnLauncher launcher{threads, is_backwards};
    using Known = std::integer_sequence<int, 2, 3, 6>;  // others at run time
    using Families = std::integer_sequence<int, 3>;
    const auto form = scatteringForm(Space(), given, {}, "columns");
    if (form.outputs() == 0) return;
    if (form.kind == FormKind::Vectors) {
      runTensorColumns<FormKind::Vectors, Known, Families>(launcher, form, device);
    } else {
      runTensorColumns<FormKind::Products, Known, Families>(launcher, form, device);
    }
  }

  /// One pair of functions of the last direction at a time, or as many as the plan has.
  void runMatricesByInstructions(const Kontract::Impl::PlainForm<Real>& given,
                                 const Kontract::Impl::Work& work,
                                 Kontract::Impl::Machine device) const {
    using namespace Kontract::Impl;
    auto plan = tensorMatrixPlan(work, device);
    while (!plan.fits && device.block_shared_bytes < (227 << 10)) {
      device.block_shared_bytes += 8 << 10;
      plan = tensorMatrixPlan(work, device);
    }
    if (!plan.fits) throw std::invalid_argument("not for matrices by instructions");
    const auto form = scatteringForm(Space(), given, {}, "matrices");
    if (form.outputs() == 0) return;
    using Known = std::integer_sequence<int, 2, 3, 4>;  // others at run time
    // Kernels that know their sizes have the threads of the plan, the others one or two warps.
    if (threads > 32) plan.layout.block.threads = threads;
    runTensorMatrices<Known>(HostTensorMatrixLauncher{is_backwards}, form, plan);
  }
#endif
};

/// Cells, bases and numbers of unknowns by chance.
template <class Layout>
class Drawn {
 public:
  template <class T>
  using Array = Kokkos::View<T, Layout, Kokkos::HostSpace>;
  using Table = Array<Real**>;

  /// \param of_dimension  2 or 3, or 0: by chance
  /// \param more_points   than functions, in all directions; or -1: by chance
  explicit Drawn(unsigned seed, int of_dimension = 0, int fewest_functions = 2,
                 int most_functions = 3, int more_points = -1)
      : random(seed),
        dimension(of_dimension > 0 ? of_dimension : draw(2, 3)),
        functions(draw(fewest_functions, most_functions)),
        cells(std::array<int, 6>{0, 1, 2, 7, 33,
                                 70}[std::size_t(draw(0, most_functions > 4 ? 3 : 5))]),
        blocks(draw(0, 2) == 0 ? dimension : 1),
        has_two_bases(draw(0, 1) == 0),
        sum_into(draw(0, 1) == 0) {
    fields = points = 1;
    for (int d = 0; d < dimension; ++d) {
      const int most_points = most_functions > 3 ? functions + 2 : dimension == 3 ? 5 : 7;
      points_of[std::size_t(d)] = draw(0, 30) == 0 ? 0 : draw(1, most_points);
      if (more_points >= 0) points_of[std::size_t(d)] = functions + more_points;
      points *= points_of[std::size_t(d)];
      fields *= functions;
      for (auto* basis : {&left, &right}) {
        basis->values[std::size_t(d)] = array<Real**>(functions, points_of[std::size_t(d)]);
        basis->derivatives[std::size_t(d)] = array<Real**>(functions, points_of[std::size_t(d)]);
      }
    }
    if (!has_two_bases) right = left;
    weights = array<Real*>(points);
    measures = array<Real**>(cells, points);
    scalar = array<Real**>(cells, draw(0, 2) == 0 ? 1 : points);
    vector = array<Real***>(cells, points, dimension);
    tensor = array<Real****>(cells, points, dimension, dimension);
    jacobians = array<Real****>(cells, draw(0, 2) == 0 ? 1 : points, dimension, dimension);
    moveFromSingular(jacobians);
    signs = array<Real**>(cells, fields);
    const int count = fields * blocks;
    x = array<Real**>(cells, count);
    unknowns = 3 + cells * count / 2;
    global_x = array<Real*>(unknowns);
    numbers = Array<int**>("numbers", std::size_t(cells), std::size_t(count));
    for (int c = 0; c < cells; ++c) {
      for (int f = 0; f < count; ++f) numbers(c, f) = draw(-1, unknowns - 1);
    }
    const auto any = [&](int first, int last) { return draw(first, last); };
    of_nodes = dimension == 3 && draw(0, 1) == 0
                   ? DrawnNodes<Real, Layout>(cells, points_of, any, *this)
                   : DrawnNodes<Real, Layout>(cells, points, dimension, any, *this);
  }

  int draw(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random); }

  template <class T, class... Extents>
  Array<T> array(Extents... extents) {
    const Array<T> view("array", std::size_t(extents)...);
    std::uniform_real_distribution<double> any(-1, 1);
    for (std::size_t i = 0; i < view.size(); ++i) view.data()[i] = Real(any(random));
    return view;
  }

  struct Basis {
    std::array<Table, 3> values, derivatives;
  };
  auto basis(const Basis& of, std::integral_constant<int, 2>) const {
    return Kontract::tensorBasis(std::array<Table, 2>{of.values[0], of.values[1]},
                                 std::array<Table, 2>{of.derivatives[0], of.derivatives[1]});
  }
  auto basis(const Basis& of, std::integral_constant<int, 3>) const {
    return Kontract::tensorBasis(of.values, of.derivatives);
  }

  std::mt19937 random;
  int dimension, functions, cells, blocks;
  bool has_two_bases, sum_into;
  std::array<int, 3> points_of{};
  int fields = 1, points = 1, unknowns = 0;
  Basis left, right;
  Array<Real*> weights, global_x;
  Array<Real**> measures, scalar, signs, x;
  Array<Real***> vector;
  Array<Real****> tensor, jacobians;
  Array<int**> numbers;
  DrawnNodes<Real, Layout> of_nodes;
};

template <class Layout>
class Comparison {
 public:
  Comparison(Drawn<Layout>& drawn, const RunColumns& runner, Teuchos::FancyOStream& out,
             bool& success)
      : _drawn(drawn), _runner(runner), _out(out), _success(success) {}

  /// All forms that columns are for, with one way to know cells.
  template <class Dimension, class Geometry>
  void checkGeometry(const Dimension& dimension, const Geometry& geometry, bool has_mapping) {
    const auto l = _drawn.basis(_drawn.left, dimension), r = _drawn.basis(_drawn.right, dimension);
    const Form mass = Form::mass(FunctionSpace::HGRAD), stiffness = Form::gradGrad();
    const Form source = Form::source(FunctionSpace::HGRAD);
    if (_drawn.blocks > 1) {
      load(geometry, Kontract::load(source, l, _drawn.vector));
      if (!has_mapping) return;
      if (hasMatrices()) checkElasticMatrices(geometry, l, r);
      if (_runner.shared_kilobytes > 0) checkElasticProducts(geometry, l, r);
      return;
    }
    if (hasMatrices()) {
      if (has_mapping) checkMatrices(geometry, l, r);
      matrix(geometry, Kontract::term(mass, l, r, _drawn.scalar));
    }
    load(geometry, Kontract::load(source, l, _drawn.scalar));
    product(geometry, Kontract::term(mass, l, r));
    product(geometry,
            Kontract::term(mass, l, r, _drawn.scalar).withSigns(_drawn.signs, _drawn.signs));
    if (!has_mapping) return;
    product(geometry, Kontract::term(stiffness, l, r));
    // Terms with other signs, and whose sides have the same tables or not.
    product(geometry,
            Kontract::term(stiffness, l, l, _drawn.scalar).withSigns(_drawn.signs, _drawn.signs),
            Kontract::term(mass, l, r, _drawn.scalar));
    product(geometry,
            Kontract::term(stiffness, l, r, _drawn.vector).withSigns(_drawn.signs, _drawn.signs));
    product(geometry, Kontract::term(stiffness, l, r, _drawn.tensor));
    product(geometry, Kontract::term(stiffness, l, l),
            Kontract::term(Form::advection(), l, r, _drawn.vector));
    load(geometry, Kontract::load(stiffness, l, _drawn.vector));
    const int d = _drawn.dimension;
    product(
        Kontract::geometry(),
        factored(geometry, Kontract::term(stiffness, l, l, _drawn.scalar), d * (d + 1) / 2),
        factored(geometry,
                 Kontract::term(mass, l, r, _drawn.scalar).withSigns(_drawn.signs, _drawn.signs),
                 1));
    product(Kontract::geometry(),
            factored(geometry, Kontract::term(stiffness, l, r, _drawn.tensor), d * d));
  }

  /// Matrices of some cells, and those of as many fields on both sides in a matrix that they share.
  template <class Geometry, class... Terms>
  void matrixOf(int cells, int lefts, int rights, const Geometry& geometry, const Terms&... terms) {
    using Matrices = typename Drawn<Layout>::template Array<Real***>;
    using Values = typename Drawn<Layout>::template Array<Real*>;
    const auto call = [&](const auto& out, const auto& how) {
      how.template run<FormKind::Matrices>(Operation::matrices, out, geometry, terms...,
                                           _drawn.sum_into);
    };
    const auto matrices = [&](const std::string& name) {
      return Matrices(name, std::size_t(cells), std::size_t(lefts), std::size_t(rights));
    };
    compare(matrices("found"), matrices("wanted"), call);
    if (lefts != rights) return;
    const int all = 3 + cells * lefts / 2;
    const typename Drawn<Layout>::template Array<int**> numbers("numbers", std::size_t(cells),
                                                                std::size_t(lefts));
    for (int c = 0; c < cells; ++c) {
      for (int f = 0; f < lefts; ++f) numbers(c, f) = _drawn.draw(-1, all - 1);
    }
    const Kontract::CellNumbers<Space> unknowns(numbers, all);
    const Kontract::ScatterPlan<Space> plan(Kontract::CellGraph<Space>(unknowns), unknowns);
    compare(Values("found", plan.numEntries()), Values("wanted", plan.numEntries()),
            [&](const auto& out, const auto& how) { call(Kontract::scattered(out, plan), how); });
  }

  /// Products of some cells with a vector.
  template <class Geometry, class... Terms>
  void productOf(int cells, int lefts, int rights, const Geometry& geometry,
                 const Terms&... terms) {
    using Vectors = typename Drawn<Layout>::template Array<Real**>;
    const auto x = _drawn.template array<Real**>(cells, rights);
    compare(Vectors("found", std::size_t(cells), std::size_t(lefts)),
            Vectors("wanted", std::size_t(cells), std::size_t(lefts)),
            [&](const auto& out, const auto& how) {
              how.template run<FormKind::Products>(Operation::apply, out, x, geometry, terms...,
                                                   _drawn.sum_into);
            });
  }

  /// Vectors of some cells.
  template <class Geometry, class Load>
  void vectorOf(int cells, int lefts, const Geometry& geometry, const Load& load) {
    using Vectors = typename Drawn<Layout>::template Array<Real**>;
    compare(Vectors("found", std::size_t(cells), std::size_t(lefts)),
            Vectors("wanted", std::size_t(cells), std::size_t(lefts)),
            [&](const auto& out, const auto& how) {
              how.template run<FormKind::Vectors>(Operation::vectors, out, geometry, load,
                                                  _drawn.sum_into);
            });
  }

  /// Threads of a host take long for those of many functions.
  bool hasMatrices() const {
    constexpr int most_functions = 5;
    return _runner.shared_kilobytes == 0 || _drawn.functions <= most_functions;
  }

  int compared = 0;

 private:
  /// Columns in registers are not for products that couple components.
  template <class Geometry, class Basis>
  void checkElasticProducts(const Geometry& geometry, const Basis& l, const Basis& r) {
    const Form elasticity = Form::elasticity(), mass = Form::mass(FunctionSpace::HGRAD);
    const auto& lambda = _drawn.scalar;
    const auto mu = _drawn.template array<Real**>(_drawn.cells, 1);
    const auto& signs = _drawn.signs;
    product(geometry, Kontract::term(elasticity, l, r, lambda, mu).withSigns(signs, signs));
    product(geometry, Kontract::term(mass, l, l, lambda),
            Kontract::term(elasticity, l, l, mu, lambda));
  }

  template <class Geometry, class Basis>
  void checkElasticMatrices(const Geometry& geometry, const Basis& l, const Basis& r) {
    const Form elasticity = Form::elasticity(), mass = Form::mass(FunctionSpace::HGRAD);
    const auto& lambda = _drawn.scalar;
    const auto mu = _drawn.template array<Real**>(_drawn.cells, 1);
    matrix(geometry, Kontract::term(elasticity, l, r, lambda, mu));
    matrix(geometry, Kontract::term(elasticity, l, l, lambda, mu));
    // Whichever comes first clears what it does not couple.
    matrix(geometry, Kontract::term(mass, l, l, lambda),
           Kontract::term(elasticity, l, l, lambda, mu));
    matrix(geometry, Kontract::term(elasticity, l, l, lambda, mu), Kontract::term(mass, l, r));
  }

  template <class Geometry, class Basis>
  void checkMatrices(const Geometry& geometry, const Basis& l, const Basis& r) {
    const Form mass = Form::mass(FunctionSpace::HGRAD), stiffness = Form::gradGrad();
    matrix(geometry, Kontract::term(stiffness, l, l, _drawn.scalar));
    matrix(geometry,
           Kontract::term(stiffness, l, l, _drawn.vector).withSigns(_drawn.signs, _drawn.signs));
    matrix(geometry, Kontract::term(stiffness, l, r, _drawn.tensor));
    matrix(geometry, Kontract::term(Form::advection(), l, r, _drawn.vector),
           Kontract::term(mass, l, l),
           Kontract::term(Form::advectionTransposed(), r, l, _drawn.vector));
    const int d = _drawn.dimension;
    matrix(Kontract::geometry(),
           factored(geometry, Kontract::term(stiffness, l, l, _drawn.scalar), d * (d + 1) / 2),
           factored(geometry, Kontract::term(mass, l, r), 1));
  }

  template <class Geometry, class Term>
  auto factored(const Geometry& geometry, const Term& term, int count) {
    const auto factors = _drawn.template array<Real***>(_drawn.cells, count, _drawn.points);
    Integration::factors(factors, geometry, term);
    return Kontract::factored(term, factors);
  }

  template <class Geometry, class... Terms>
  void product(const Geometry& geometry, const Terms&... terms) {
    const auto gathered = Kontract::gathered(_drawn.global_x, unknowns());
    onCells([&](const auto& out, const auto& how) {
      how.template run<FormKind::Products>(Operation::apply, out, _drawn.x, geometry, terms...,
                                           _drawn.sum_into);
    });
    onUnknowns([&](const auto& out, const auto& how) {
      how.template run<FormKind::Products>(Operation::apply, Kontract::scattered(out, unknowns()),
                                           gathered, geometry, terms..., _drawn.sum_into);
    });
  }
  /// Teams of threads compute these slowly, so there are few cells.
  template <class Geometry, class... Terms>
  void matrix(const Geometry& geometry, const Terms&... terms) {
    constexpr int many_cells = 7;
    if (_drawn.cells > many_cells) return;
    const int fields = _drawn.fields * _drawn.blocks;
    matrixOf(_drawn.cells, fields, fields, geometry, terms...);
  }
  template <class Geometry, class Load>
  void load(const Geometry& geometry, const Load& load) {
    onCells([&](const auto& out, const auto& how) {
      how.template run<FormKind::Vectors>(Operation::vectors, out, geometry, load, _drawn.sum_into);
    });
    onUnknowns([&](const auto& out, const auto& how) {
      how.template run<FormKind::Vectors>(Operation::vectors, Kontract::scattered(out, unknowns()),
                                          geometry, load, _drawn.sum_into);
    });
  }

  Kontract::CellNumbers<Space> unknowns() const { return {_drawn.numbers, _drawn.unknowns}; }

  /// How a call is run: by columns, or by plain sums.
  struct ByColumns {
    const RunColumns& runner;
    template <FormKind kind, class... Arguments>
    void run(Operation operation, const Arguments&... arguments) const {
      Kontract::Impl::integrateForm<Space, kind>(operation, runner, arguments...);
    }
  };
  struct ByPlainSums {
    Kontract::Options options = optionsOfAlgorithm("Flat").options;
    template <FormKind kind, class... Arguments>
    void run(Operation, const Arguments&... arguments) const {
      if constexpr (kind == FormKind::Products) {
        Integration::apply(arguments..., options);
      } else if constexpr (kind == FormKind::Matrices) {
        Integration::matrices(arguments..., options);
      } else {
        Integration::vectors(arguments..., options);
      }
    }
  };

  template <class Call>
  void onCells(const Call& call) {
    using View = typename Drawn<Layout>::template Array<Real**>;
    const std::size_t fields = std::size_t(_drawn.fields * _drawn.blocks);
    compare(View("found", std::size_t(_drawn.cells), fields),
            View("wanted", std::size_t(_drawn.cells), fields), call);
  }
  template <class Call>
  void onUnknowns(const Call& call) {
    using View = typename Drawn<Layout>::template Array<Real*>;
    compare(View("found", std::size_t(_drawn.unknowns)),
            View("wanted", std::size_t(_drawn.unknowns)), call);
  }

  template <class View, class Call>
  void compare(const View& found, const View& wanted, const Call& call) {
    const Real before = _drawn.sum_into ? Real(3) : std::numeric_limits<Real>::quiet_NaN();
    Kokkos::deep_copy(found, before);
    Kokkos::deep_copy(wanted, before);
    call(found, ByColumns{_runner});
    call(wanted, ByPlainSums());
    Teuchos::FancyOStream& out = _out;
    bool& success = _success;
    TEST_COMPARE(differenceOfAll(found, wanted), <=,
                 1000 * double(std::numeric_limits<Real>::epsilon()));
    ++compared;
  }

  Drawn<Layout>& _drawn;
  const RunColumns& _runner;
  Teuchos::FancyOStream& _out;
  bool& _success;
};

template <class Layout>
int checkDrawn(Drawn<Layout>& drawn, const RunColumns& runner, Teuchos::FancyOStream& out,
               bool& success) {
  Comparison<Layout> comparison(drawn, runner, out, success);
  const auto check = [&](auto dimension) {
    switch (drawn.draw(0, 3)) {
      case 0: return comparison.checkGeometry(dimension, Kontract::geometry(drawn.measures), false);
      case 1:
        return comparison.checkGeometry(dimension,
                                        Kontract::geometry(drawn.jacobians, drawn.weights), true);
      case 2:
        return comparison.checkGeometry(
            dimension,
            Kontract::geometry(drawn.of_nodes.nodes, drawn.of_nodes.gradients, drawn.weights),
            true);
      default:
        const Kontract::CellNumbers<Space> nodes(drawn.of_nodes.numbers,
                                                 drawn.cells * drawn.of_nodes.count);
        return comparison.checkGeometry(
            dimension,
            Kontract::geometry(Kontract::gathered(drawn.of_nodes.coordinates, nodes),
                               drawn.of_nodes.gradients, drawn.weights),
            true);
    }
  };
  if (drawn.dimension == 2) {
    check(std::integral_constant<int, 2>());
  } else {
    check(std::integral_constant<int, 3>());
  }
  return comparison.compared;
}

template <class Layout>
int checkDrawn(unsigned seed, Teuchos::FancyOStream& out, bool& success) {
  Drawn<Layout> drawn(seed);
  const RunColumns runner{drawn.draw(1, 20), drawn.draw(0, 6), drawn.draw(0, 1) == 0,
                          drawn.draw(0, 2) == 0};
  const int compared = checkDrawn(drawn, runner, out, success);
  if (!success) out << "seed " << seed << "\n";
  return compared;
}

#ifndef __CUDACC__
/// The same by matrix instructions, with one or two warps and shared memory for more or fewer
/// cells.
template <class Layout>
int checkInstructions(unsigned seed, int fewest_functions, int most_functions,
                      Teuchos::FancyOStream& out, bool& success) {
  Drawn<Layout> drawn(seed, 3, fewest_functions, most_functions);
  RunColumns runner{32 * drawn.draw(1, 2), 0, drawn.draw(0, 1) == 0};
  runner.shared_kilobytes = most_functions > 3 || drawn.draw(0, 1) == 0 ? 227 : 24;
  const int compared = checkDrawn(drawn, runner, out, success);
  if (!success) out << "seed " << seed << "\n";
  return compared;
}

TEUCHOS_UNIT_TEST(ColumnForms, byMatrixInstructions) {
  int compared = 0, &trilinear = HostTensorColumnLauncher::trilinearLaunches();
  trilinear = 0;
  for (unsigned seed = 0; seed < 12 && success; ++seed) {
    compared += checkInstructions<Kokkos::LayoutRight>(seed, 2, 4, out, success);
    compared += checkInstructions<Kokkos::LayoutLeft>(seed + 1000, 2, 4, out, success);
  }
  TEST_COMPARE(compared, >, 100);
  TEST_COMPARE(trilinear, >, 4);
}

/// Matrices whose kernels know their sizes when compiled.
template <class Layout>
void checkKnown(unsigned seed, int functions, int more_points, Teuchos::FancyOStream& out,
                bool& success) {
  Drawn<Layout> drawn(seed, 3, functions, functions, more_points);
  RunColumns runner{32, 0, drawn.draw(0, 1) == 0};
  runner.shared_kilobytes = 227;
  checkDrawn(drawn, runner, out, success);
  if (!success) out << functions << " functions, seed " << seed << "\n";
}

TEUCHOS_UNIT_TEST(ColumnForms, matricesOfKnownSizes) {
  int& launches = HostTensorMatrixLauncher::knownLaunches();
  for (int functions = 2; functions <= 4; ++functions) {
    launches = 0;
    for (unsigned seed = 0; seed < (functions < 4 ? 8 : 5) && success; ++seed) {
      for (int more_points = 0; more_points <= 1; ++more_points) {
        checkKnown<Kokkos::LayoutRight>(seed, functions, more_points, out, success);
        checkKnown<Kokkos::LayoutLeft>(seed + 1000, functions, more_points, out, success);
      }
    }
    TEST_COMPARE(launches, >, 4);
  }
}

TEUCHOS_UNIT_TEST(ColumnForms, byMatrixInstructionsOfHighOrder) {
  int compared = 0;
  for (unsigned seed = 0; seed < 4 && success; ++seed) {
    compared += checkInstructions<Kokkos::LayoutRight>(seed, 5, 12, out, success);
    compared += checkInstructions<Kokkos::LayoutLeft>(seed + 1000, 5, 12, out, success);
  }
  TEST_COMPARE(compared, >, 10);
}
#endif

TEUCHOS_UNIT_TEST(ColumnForms, formsByChance) {
  int compared = 0;
  for (unsigned seed = 0; seed < 60 && success; ++seed) {
    compared += checkDrawn<Kokkos::LayoutRight>(seed, out, success);
    compared += checkDrawn<Kokkos::LayoutLeft>(seed + 1000, out, success);
  }
  TEST_COMPARE(compared, >, 600);
}

/// Bases of HGRAD, HCURL and HDIV by chance, with functions of each direction on their own, on
/// cells that have Jacobians.
template <class Layout, std::size_t D>
class DrawnFamilies {
 public:
  template <class T>
  using Array = typename Drawn<Layout>::template Array<T>;
  using Tables = std::array<Array<Real**>, D>;

  /// \param are_usual  functions of all directions are those of the drawn bases, and open ones one
  ///                   less
  DrawnFamilies(Drawn<Layout>& drawn, const RunColumns& runner, Teuchos::FancyOStream& out,
                bool& success, bool are_usual = false)
      : _drawn(drawn),
        _runner(runner),
        _out(out),
        _success(success),
        _are_like(are_usual || drawn.draw(0, 3) == 0) {
    const int most = drawn.functions > 3 ? 6 : 3;
    const int closed = are_usual ? drawn.functions : drawn.draw(1, most);
    for (std::size_t d = 0; d < D; ++d) {
      _closed[d] = _are_like ? closed : drawn.draw(1, most);
      _open[d] = _are_like ? closed - 1 : drawn.draw(drawn.draw(0, 4) == 0 ? 0 : 1, most);
    }
    if (are_usual && drawn.draw(0, 3) == 0) _open[std::size_t(drawn.draw(0, int(D) - 1))] = 0;
    _cells = drawn.draw(1, 6);
    _jacobians = drawn.template array<Real****>(_cells, drawn.points, int(D), int(D));
    moveFromSingular(_jacobians);
    _scalar = drawn.template array<Real**>(_cells, drawn.points);
    _tensor = drawn.template array<Real****>(_cells, drawn.points, int(D), int(D));
    _values = tables(_closed);
    _slopes = tables(_closed);
    _open_values = tables(_open);
  }

  void check() {
    const auto nodes = Kontract::tensorBasis(_values, _slopes);
    const auto edges = vectors(FunctionSpace::HCURL), faces = vectors(FunctionSpace::HDIV);
    const auto others = vectors(FunctionSpace::HCURL);  // families in another order
    const int of_nodes = fieldsOf(FunctionSpace::HGRAD), of_edges = fieldsOf(FunctionSpace::HCURL),
              of_faces = fieldsOf(FunctionSpace::HDIV);
    const Form mass = Form::mass(FunctionSpace::HCURL), curls = Form::curlCurl();
    compare(of_edges, of_edges, Kontract::term(curls, edges, edges, _scalar),
            Kontract::term(mass, edges, edges));
    compare(of_edges, of_edges, Kontract::term(curls, edges, others, _scalar));
    compare(of_edges, of_edges, Kontract::term(mass, edges, others, _tensor));
    const auto signs = _drawn.template array<Real**>(_cells, of_edges);
    compare(of_edges, of_edges, Kontract::term(mass, edges, edges).withSigns(signs, signs));
    compare(of_faces, of_faces, Kontract::term(Form::divDiv(), faces, faces, _scalar),
            Kontract::term(Form::mass(FunctionSpace::HDIV), faces, faces, _scalar));
    compare(of_edges, of_nodes, Kontract::term(Form::gradient(), edges, nodes, _tensor));
    compare(of_faces, of_nodes, Kontract::term(Form::divergence(), faces, nodes, _scalar));
    compare(of_nodes, of_nodes, Kontract::term(Form::gradGrad(), nodes, nodes, _scalar));
    if constexpr (D == 3) {
      const Form curl = Form::product(Kontract::Pullback::Contravariant, Kontract::Pullback::Curl);
      compare(of_faces, of_edges, Kontract::term(curl, faces, edges, _tensor));
    }
    compare(of_nodes, of_edges, Kontract::term(Form::gradient(), nodes, edges, _scalar));
    if constexpr (D == 3) {
      const auto cells = Kontract::tensorBasis(_open_values, _open_values);
      const int of_cells = _open[0] * _open[1] * _open[2];
      compare(of_cells, of_faces, Kontract::term(Form::divergence(), cells, faces, _scalar));
      compare(of_faces, of_cells, Kontract::term(Form::divergence(), faces, cells, _scalar));
    }
    if (_runner.shared_kilobytes > 0) {
      checkLoads(of_edges, edges, of_nodes, nodes);
      compareFactors(of_edges, Kontract::term(curls, edges, edges, _scalar), 6);
      compareFactors(of_edges, Kontract::term(mass, edges, others, _tensor), 9);
      compareFactors(of_faces, Kontract::term(Form::divDiv(), faces, faces, _scalar), 1);
    }
    if (_drawn.blocks == 1) return;
    const auto mu = _drawn.template array<Real**>(_cells, 1);
    compare<true>(of_nodes * int(D), of_nodes * int(D),
                  Kontract::term(Form::elasticity(), nodes, nodes, _scalar, mu),
                  Kontract::term(Form::mass(FunctionSpace::HGRAD), nodes, nodes));
  }

  int compared = 0;

 private:
  Tables tables(const std::array<int, D>& functions) {
    Tables all;
    for (std::size_t d = 0; d < D; ++d) {
      all[d] = _drawn.template array<Real**>(functions[d], _drawn.points_of[d]);
    }
    return all;
  }

  auto vectors(FunctionSpace space) {
    std::array<int, D> components, signs;
    for (std::size_t d = 0; d < D; ++d) {
      components[d] = int(d);
      signs[d] = _drawn.draw(0, 1) == 0 ? 1 : -1;
    }
    std::swap(components[0], components[std::size_t(_drawn.draw(0, int(D) - 1))]);
    return Kontract::tensorBasis(space, Kontract::tensorBasis(_values, _slopes), _open_values)
        .withFamilies(components, signs);
  }

  int fieldsOf(FunctionSpace space) const {
    int sum = 0;
    for (std::size_t axis = 0; axis < (space == FunctionSpace::HGRAD ? 1 : D); ++axis) {
      int fields = 1;
      for (std::size_t d = 0; d < D; ++d) {
        const bool is_open =
            space != FunctionSpace::HGRAD && (space == FunctionSpace::HCURL) == (d == axis);
        fields *= is_open ? _open[d] : _closed[d];
      }
      sum += fields;
    }
    return sum;
  }

  /// Of products of elasticity by matrix instructions all directions have the same functions.
  template <bool has_elasticity = false, class... Terms>
  void compare(int lefts, int rights, const Terms&... terms) {
    const auto geometry = Kontract::geometry(_jacobians, _drawn.weights);
    const bool by_instructions = _runner.shared_kilobytes > 0;
    Comparison<Layout> comparison(_drawn, _runner, _out, _success);
    if (comparison.hasMatrices()) comparison.matrixOf(_cells, lefts, rights, geometry, terms...);
    const auto product = [&] { comparison.productOf(_cells, lefts, rights, geometry, terms...); };
    if (!has_elasticity || (by_instructions && _are_like && _closed[0] > 1)) {
      product();
    } else if (by_instructions) {
      _success = _success && refusalOf(product).says("of elasticity as many in each");
    }
    compared += comparison.compared;
  }

  /// Products by what is held of points. \param count  numbers of a point
  template <class Term>
  void compareFactors(int fields, const Term& term, int count) {
    const auto factors = _drawn.template array<Real***>(_cells, count, _drawn.points);
    Integration::factors(factors, Kontract::geometry(_jacobians, _drawn.weights), term);
    Comparison<Layout> comparison(_drawn, _runner, _out, _success);
    comparison.productOf(_cells, fields, fields, Kontract::geometry(),
                         Kontract::factored(term, factors));
    compared += comparison.compared;
  }

  template <class Edges, class Nodes>
  void checkLoads(int of_edges, const Edges& edges, int of_nodes, const Nodes& nodes) {
    const auto geometry = Kontract::geometry(_jacobians, _drawn.weights);
    const auto source = _drawn.template array<Real***>(_cells, _drawn.points, int(D));
    Comparison<Layout> comparison(_drawn, _runner, _out, _success);
    const Form of_curls = Form::product(Kontract::Pullback::Curl, Kontract::Pullback::Scalar);
    comparison.vectorOf(_cells, of_edges, geometry,
                        Kontract::load(Form::source(FunctionSpace::HCURL), edges, source));
    comparison.vectorOf(_cells, of_edges, geometry, Kontract::load(of_curls, edges, source));
    comparison.vectorOf(_cells, of_nodes, geometry,
                        Kontract::load(Form::source(FunctionSpace::HGRAD), nodes, _scalar));
    compared += comparison.compared;
  }

  Drawn<Layout>& _drawn;
  const RunColumns& _runner;
  Teuchos::FancyOStream& _out;
  bool& _success;
  const bool _are_like;  ///< functions of all directions
  int _cells;
  std::array<int, D> _closed, _open;
  Tables _values, _slopes, _open_values;
  Array<Real****> _jacobians, _tensor;
  Array<Real**> _scalar;
};

template <class Layout>
int checkFamilies(unsigned seed, Teuchos::FancyOStream& out, bool& success) {
  Drawn<Layout> drawn(seed);
  const RunColumns runner{drawn.draw(1, 20), drawn.draw(0, 6), drawn.draw(0, 1) == 0};
  const auto check = [&](auto families) {
    families.check();
    if (!success) out << "seed " << seed << "\n";
    return families.compared;
  };
  return drawn.dimension == 2 ? check(DrawnFamilies<Layout, 2>(drawn, runner, out, success))
                              : check(DrawnFamilies<Layout, 3>(drawn, runner, out, success));
}

/// Matrices of bases that have other functions in some directions, on some side or in some family.
TEUCHOS_UNIT_TEST(ColumnForms, familiesByChance) {
  int compared = 0;
  for (unsigned seed = 0; seed < 30 && success; ++seed) {
    compared += checkFamilies<Kokkos::LayoutRight>(seed, out, success);
    compared += checkFamilies<Kokkos::LayoutLeft>(seed + 1000, out, success);
  }
  TEST_COMPARE(compared, >, 600);
}

#ifndef __CUDACC__
/// Products and vectors of such bases by matrix instructions.
/// \param are_usual  with functions and points that have kernels of their own
template <class Layout>
int checkFamiliesByInstructions(unsigned seed, bool are_usual, Teuchos::FancyOStream& out,
                                bool& success) {
  const int most_functions = !are_usual && seed % 3 == 0 ? 5 : 3;
  Drawn<Layout> drawn(seed, 3, are_usual ? 3 : 2, most_functions, are_usual ? int(seed % 2) : -1);
  RunColumns runner{32 * drawn.draw(1, 2), 0, drawn.draw(0, 1) == 0};
  runner.shared_kilobytes = drawn.draw(0, 1) == 0 ? 227 : 64;
  DrawnFamilies<Layout, 3> families(drawn, runner, out, success, are_usual);
  families.check();
  if (!success) out << "seed " << seed << "\n";
  return families.compared;
}

TEUCHOS_UNIT_TEST(ColumnForms, familiesByMatrixInstructions) {
  int compared = 0;
  for (unsigned seed = 0; seed < 8 && success; ++seed) {
    compared += checkFamiliesByInstructions<Kokkos::LayoutRight>(seed, false, out, success);
    compared += checkFamiliesByInstructions<Kokkos::LayoutLeft>(seed + 1000, false, out, success);
  }
  TEST_COMPARE(compared, >, 160);
  int& known = HostTensorColumnLauncher::knownFamilyLaunches();
  known = 0;
  for (unsigned seed = 0; seed < 4 && success; ++seed) {
    checkFamiliesByInstructions<Kokkos::LayoutRight>(seed, true, out, success);
    checkFamiliesByInstructions<Kokkos::LayoutLeft>(seed + 1000, true, out, success);
  }
  TEST_COMPARE(known, >, 60);
}
#endif

/// Sides whose points are as many, but not the same in each direction, are not for columns; other
/// functions in another direction are.
TEUCHOS_UNIT_TEST(ColumnForms, otherPointsAndFunctions) {
  using Table = Kokkos::View<Real**, Kokkos::HostSpace>;
  const auto basis = [](std::size_t functions, std::size_t others, std::size_t first,
                        std::size_t second) {
    const Table x("x", functions, first), y("y", others, second);
    return Kontract::tensorBasis(std::array<Table, 2>{x, y}, std::array<Table, 2>{x, y});
  };
  const std::size_t cells = 3, points = 6;
  const Kokkos::View<Real**, Kokkos::HostSpace> measures("measures", cells, points);
  const auto isServed = [&](const auto& left, const auto& right) {
    const std::size_t fields = left.values[0].extent(0) * left.values[1].extent(0);
    const Kokkos::View<Real**, Kokkos::HostSpace> x("x", cells, fields), y("y", cells, fields);
    const auto mass = Kontract::term(Form::mass(FunctionSpace::HGRAD), left, right);
    // Nothing is thrown: a kernel that is not compiled is no refusal.
    return refusalOf([&] {
             Kontract::Impl::integrateForm<Space, FormKind::Products>(
                 Operation::apply, RunColumns{1, 0, false}, y, x, Kontract::geometry(measures),
                 mass);
           }).text == "no exception";
  };
  TEST_ASSERT(isServed(basis(2, 2, 2, 3), basis(2, 2, 2, 3)));
  TEST_ASSERT(!isServed(basis(2, 2, 2, 3), basis(2, 2, 3, 2)));
  TEST_ASSERT(isServed(basis(3, 1, 2, 3), basis(1, 3, 2, 3)));
  TEST_ASSERT(isServed(basis(1, 3, 2, 3), basis(3, 1, 2, 3)));
}

/// What columns are for has a plan that fits a device for all orders that are compiled, and no
/// other form has one.
TEUCHOS_UNIT_TEST(ColumnForms, plans) {
  using Kontract::Impl::ColumnSizes;
  for (int dimension = 2; dimension <= 3; ++dimension) {
    for (int functions = 2; functions <= Kontract::Impl::max_column_functions; ++functions) {
      for (int points = functions; points <= functions + 2; ++points) {
        ColumnSizes sizes;
        sizes.functions = functions;
        sizes.dimension = dimension;
        for (int d = 0; d < dimension; ++d) sizes.points[d] = points;
        sizes.first_arrays = sizes.sides = 2;
        sizes.second_arrays = dimension;
        sizes.nodes = 8;
        const ColumnPlan plan = columnPlan(sizes, 8, {}, plannedDevice());
        const bool fits = plan.fits && plan.teams.threads <= 256 && plan.teams.threads % 32 == 0 &&
                          plan.teams.scratch_bytes <= plannedDevice().scratch_bytes[0];
        // Two tables and a cell of as many points as this in each direction do not fit 40 KB.
        const bool is_large = dimension == 3 && functions * points * points > 9 * 9 * 10;
        TEST_EQUALITY(fits, !is_large);
        for (const std::int64_t cells : {1, 7, 1000, 3000000}) {
          const auto pieces = plan.teamsOf(cells).pieces;
          TEST_ASSERT(pieces >= 1 && pieces <= (cells + plan.cells - 1) / plan.cells);
        }
        sizes.functions = 0;
        TEST_ASSERT(!columnPlan(sizes, 8, {}, plannedDevice()).fits);
        sizes.functions = functions;
        TEST_ASSERT(!columnPlan(sizes, 8, {}, Kontract::Impl::Machine()).fits);
      }
    }
  }
}

/// The same for tiles of matrices: those of up to 7 functions in each direction fit a device, as do
/// symmetric ones and those that are not, and each tile has a thread where entries are staged.
TEUCHOS_UNIT_TEST(ColumnForms, plansOfMatrices) {
  using namespace Kontract::Impl;
  FormWork form;
  form.shape.kind = FormKind::Matrices;
  form.shape.cells = 1000;
  for (int dimension = 2; dimension <= 3; ++dimension) {
    for (int functions = 2; functions <= max_column_functions; ++functions) {
      for (const bool is_symmetric : {true, false}) {
        for (const bool is_scattered : {true, false}) {
          const int points = functions + 1;
          form.columns = {functions, dimension, {points, points, dimension == 3 ? points : 0}};
          form.columns.couplings = dimension * dimension;
          form.columns.point_numbers =
              is_symmetric ? dimension * (dimension + 1) / 2 : form.columns.couplings;
          form.shape.is_scattered = is_scattered;
          form.shape.lefts = form.columns.functions * functions * (dimension == 3 ? functions : 1);
          const MatrixPlan plan = matrixPlan(form, 8, {}, plannedDevice());
          if (dimension == 2 || functions <= 6 || (functions == 7 && is_symmetric)) {
            TEST_ASSERT(plan.fits);
          }
          if (!plan.fits) continue;
          const MatrixLayout& layout = plan.layout;
          TEST_ASSERT(plan.teams.threads <= max_matrix_threads && plan.teams.threads % 32 == 0);
          TEST_COMPARE(plan.teams.scratch_bytes, <=, plannedDevice().scratch_bytes[0]);
          TEST_ASSERT(layout.columns >= 1 && layout.columns <= functions);
          TEST_EQUALITY(layout.starts > 0, is_scattered);
          if (layout.is_staged) {
            TEST_COMPARE(layout.tiles() * layout.columns * plan.cells, <=, plan.teams.threads);
          }
          LaunchSettings one;
          one.team_size = 1;
          const MatrixPlan of_one = matrixPlan(form, 8, one, plannedDevice());
          TEST_ASSERT(of_one.fits && of_one.teams.threads == 1);
          TEST_ASSERT(!of_one.layout.is_staged || of_one.layout.tiles() == 1);
          for (const int cells : {1000, 1 << 25, std::numeric_limits<int>::max()}) {
            one.cells_per_team = cells;
            TEST_ASSERT(!matrixPlan(form, 8, one, plannedDevice()).fits);
          }
          TEST_ASSERT(!matrixPlan(form, 8, {}, Machine()).fits);
        }
      }
    }
  }
}

}  // namespace
}  // namespace KontractTest
