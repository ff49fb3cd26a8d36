// SPDX-License-Identifier: BSD-3-Clause
//
// What devices have for cells of few fields, a cell in each thread, run by threads of the host,
// against plain sums: forms by chance, in all orders of threads from barrier to barrier, in scratch
// memory and outputs of NaNs.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

#include "DrawnNodes.hpp"
#include "HostTeams.hpp"
#include "Kontract_CellGraph.hpp"
#include "Kontract_CellNumbers.hpp"
#include "Kontract_Integration.hpp"
#include "Kontract_ScatterPlan.hpp"
#include "Runner.hpp"
#include "detail/algorithms/Kontract_RegisterBlocking.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Kontract::Impl::FormKind;
using Kontract::Impl::Operation;

#ifndef KONTRACT_TEST_FORM_SCALAR
#define KONTRACT_TEST_FORM_SCALAR double
#endif
using Real = KONTRACT_TEST_FORM_SCALAR;
using Space = Kokkos::DefaultHostExecutionSpace;
using Integration = Kontract::Integration<Space>;

/// In the place of dispatch.
struct RunCells {
  int threads, cells;
  bool is_backwards;

  void nothingToDo(Operation) const {}
  template <class Call>
  void operator()(const Call&, Operation, const Kontract::Impl::PlainForm<Real>& given,
                  const Kontract::Impl::CallOptions&) const {
    using namespace Kontract::Impl;
    auto plan = cellFormPlan(given, int(sizeof(Real)), plannedDevice());
    if (!plan.fits) throw std::invalid_argument("not for a cell in each thread");
    plan.many_teams = 2;  // so that teams have several batches of cells
    plan.layout.cells = cells;
    plan.teams.threads = threads;
    runCellForms(HostTeamLauncher{is_backwards},
                 scatteringForm(Space(), given, LaunchSettings(), "matrices"), plan);
  }
};

/// Cells with few fields by chance.
template <class Layout>
class Drawn {
 public:
  template <class T>
  using Array = Kokkos::View<T, Layout, Kokkos::HostSpace>;

  explicit Drawn(unsigned seed)
      : random(seed),
        dimension(draw(2, 3)),
        cells(std::array<int, 6>{0, 1, 2, 7, 33, 70}[std::size_t(draw(0, 5))]),
        lefts(draw(1, 8)),
        rights(draw(0, 1) == 0 ? lefts : draw(1, 8)),
        points(draw(0, 20) == 0 ? 0 : draw(1, 6)),
        blocks(draw(0, 2) == 0 ? dimension : 1),
        sum_into(draw(0, 1) == 0),
        left(array<Real**>(lefts, points)),
        right(array<Real**>(rights, points)),
        weights(array<Real*>(points)),
        scalar(array<Real**>(cells, draw(0, 2) == 0 ? 1 : points)),
        left_signs(array<Real**>(cells, lefts)),
        right_signs(array<Real**>(cells, rights)),
        left_gradients(array<Real***>(lefts, points, dimension)),
        right_gradients(array<Real***>(rights, points, dimension)),
        vector(array<Real***>(cells, points, dimension)),
        tensor(array<Real****>(cells, points, dimension, dimension)),
        jacobians(array<Real****>(cells, draw(0, 2) == 0 ? 1 : points, dimension, dimension)) {
    moveFromSingular(jacobians);
    unknowns = 3 + cells * (lefts + rights) * blocks / 3;
    rows = drawnNumbers(lefts * blocks);
    columns = drawnNumbers(rights * blocks);
    of_nodes = DrawnNodes<Real, Layout>(
        cells, points, dimension, [&](int first, int last) { return draw(first, last); }, *this);
  }

  int draw(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random); }

  template <class T, class... Extents>
  Array<T> array(Extents... extents) {
    const Array<T> view("array", std::size_t(extents)...);
    std::uniform_real_distribution<double> any(-1, 1);
    for (std::size_t i = 0; i < view.size(); ++i) view.data()[i] = Real(any(random));
    return view;
  }

  std::mt19937 random;
  int dimension, cells, lefts, rights, points, blocks;
  bool sum_into;
  Array<Real**> left, right;
  Array<Real*> weights;
  Array<Real**> scalar, left_signs, right_signs;
  Array<Real***> left_gradients, right_gradients, vector;
  Array<Real****> tensor, jacobians;
  int unknowns = 0;
  Array<int**> rows, columns;
  DrawnNodes<Real, Layout> of_nodes;

 private:
  Array<int**> drawnNumbers(int fields) {
    const Array<int**> numbers("numbers", std::size_t(cells), std::size_t(fields));
    for (int c = 0; c < cells; ++c) {
      for (int f = 0; f < fields; ++f) numbers(c, f) = draw(-1, unknowns - 1);
    }
    return numbers;
  }
};

template <class Layout>
class Comparison {
 public:
  Comparison(Drawn<Layout>& drawn, const RunCells& runner, Teuchos::FancyOStream& out,
             bool& success)
      : _drawn(drawn), _runner(runner), _out(out), _success(success) {}

  template <class Geometry>
  void check(const Geometry& geometry) {
    const Form mass = Form::mass(FunctionSpace::HGRAD), stiffness = Form::gradGrad();
    const auto &l = _drawn.left, &r = _drawn.right;
    const auto &dl = _drawn.left_gradients, &dr = _drawn.right_gradients;
    const auto &one = _drawn.scalar, &ls = _drawn.left_signs, &rs = _drawn.right_signs;
    if (_drawn.blocks > 1) {
      const Form elasticity = Form::elasticity();
      const auto mu = _drawn.template array<Real**>(_drawn.cells, 1);
      matrix(geometry, Kontract::term(elasticity, dl, dr, one, mu));
      if (_drawn.lefts == _drawn.rights) {
        matrix(geometry, Kontract::term(elasticity, dl, dl, one, mu));
        matrix(geometry, Kontract::term(mass, l, l, one),
               Kontract::term(elasticity, dl, dl, one, mu).withSigns(ls, ls));
      }
      return;
    }
    matrix(geometry, Kontract::term(mass, l, r));
    matrix(geometry, Kontract::term(stiffness, dl, dr, _drawn.tensor).withSigns(ls, rs));
    matrix(geometry, Kontract::term(Form::advection(), l, dr, _drawn.vector),
           Kontract::term(mass, l, r, one), Kontract::term(stiffness, dl, dr, _drawn.vector),
           Kontract::term(Form::advectionTransposed(), dl, r, _drawn.vector));
    if (_drawn.lefts != _drawn.rights) return;
    matrix(geometry, Kontract::term(stiffness, dl, dl, one));
    matrix(geometry, Kontract::term(stiffness, dl, dl, _drawn.vector).withSigns(ls, ls),
           Kontract::term(mass, l, l, one).withSigns(ls, ls));
    const int d = _drawn.dimension;
    const auto factors =
        _drawn.template array<Real***>(_drawn.cells, d * (d + 1) / 2, _drawn.points);
    const auto term = Kontract::term(stiffness, dl, dl, one);
    Integration::factors(factors, geometry, term);
    matrix(Kontract::geometry(), Kontract::factored(term, factors));
  }

  int compared = 0;

 private:
  template <class Geometry, class... Terms>
  void matrix(const Geometry& geometry, const Terms&... terms) {
    using Matrices = typename Drawn<Layout>::template Array<Real***>;
    using Values = typename Drawn<Layout>::template Array<Real*>;
    const std::size_t cells = std::size_t(_drawn.cells),
                      rows = std::size_t(_drawn.lefts * _drawn.blocks),
                      columns = std::size_t(_drawn.rights * _drawn.blocks);
    const auto compare = [&](const auto& found, const auto& wanted, const auto& placed) {
      fill(found, wanted);
      Kontract::Impl::integrateForm<Space, FormKind::Matrices>(
          Operation::matrices, _runner, placed(found), geometry, terms..., _drawn.sum_into);
      Integration::matrices(placed(wanted), geometry, terms..., _drawn.sum_into,
                            optionsOfAlgorithm("Flat").options);
      this->compare(found, wanted);
    };
    compare(Matrices("found", cells, rows, columns), Matrices("wanted", cells, rows, columns),
            [](const auto& view) { return view; });
    const Kontract::CellNumbers<Space> of_rows(_drawn.rows, _drawn.unknowns),
        of_columns(_drawn.columns, _drawn.unknowns);
    const Kontract::CellGraph<Space> graph(of_rows, of_columns);
    const Kontract::ScatterPlan<Space> plan(graph, of_rows, of_columns);
    compare(Values("found", plan.numEntries()), Values("wanted", plan.numEntries()),
            [&](const auto& view) { return Kontract::scattered(view, plan); });
  }

  template <class View>
  void fill(const View& found, const View& wanted) const {
    const Real before = _drawn.sum_into ? Real(3) : std::numeric_limits<Real>::quiet_NaN();
    Kokkos::deep_copy(found, before);
    Kokkos::deep_copy(wanted, before);
  }

  template <class View>
  void compare(const View& found, const View& wanted) {
    Teuchos::FancyOStream& out = _out;
    bool& success = _success;
    TEST_COMPARE(differenceOfAll(found, wanted), <=,
                 1000 * double(std::numeric_limits<Real>::epsilon()));
    ++compared;
  }

  Drawn<Layout>& _drawn;
  const RunCells& _runner;
  Teuchos::FancyOStream& _out;
  bool& _success;
};

template <class Layout>
int checkDrawn(unsigned seed, Teuchos::FancyOStream& out, bool& success) {
  Drawn<Layout> drawn(seed);
  const RunCells runner{drawn.draw(1, 20), drawn.draw(1, 12), drawn.draw(0, 1) == 0};
  Comparison<Layout> comparison(drawn, runner, out, success);
  // Threads have as many nodes as fields.
  const int fields = std::max(drawn.lefts, drawn.rights);
  const bool are_few = drawn.of_nodes.count <= (fields <= 4 ? 4 : fields <= 6 ? 6 : 8);
  switch (are_few ? drawn.draw(0, 2) : 0) {
    case 0: comparison.check(Kontract::geometry(drawn.jacobians, drawn.weights)); break;
    case 1:
      comparison.check(
          Kontract::geometry(drawn.of_nodes.nodes, drawn.of_nodes.gradients, drawn.weights));
      break;
    default:
      const Kontract::CellNumbers<Space> nodes(drawn.of_nodes.numbers,
                                               drawn.cells * drawn.of_nodes.count);
      comparison.check(Kontract::geometry(Kontract::gathered(drawn.of_nodes.coordinates, nodes),
                                          drawn.of_nodes.gradients, drawn.weights));
  }
  if (!success) out << "seed " << seed << "\n";
  return comparison.compared;
}

TEUCHOS_UNIT_TEST(CellForms, formsByChance) {
  int compared = 0;
  for (unsigned seed = 0; seed < 60 && success; ++seed) {
    compared += checkDrawn<Kokkos::LayoutRight>(seed, out, success);
    compared += checkDrawn<Kokkos::LayoutLeft>(seed + 1000, out, success);
  }
  TEST_COMPARE(compared, >, 600);
}

/// Every such form of up to 27 points has a plan that fits a device, and no other form is served.
TEUCHOS_UNIT_TEST(CellForms, plans) {
  using namespace Kontract::Impl;
  Work work;
  work.is_form = true;
  work.scalar_bytes[0] = 8;
  FormShape& s = work.form.shape;
  for (s.dimension = 2; s.dimension <= 3; ++s.dimension) {
    s.space_dimension = s.dimension;
    for (const int fields : {1, 3, 4, 5, 6, 8}) {
      s.cells = 1000;
      s.points = 27;
      s.lefts = s.rights = fields;
      s.nodes = fields;
      s.term_count = 1;
      const CellFormPlan plan = cellFormPlan(s, 8, plannedDevice());
      TEST_ASSERT(plan.fits && plan.layout.fields >= fields && plan.layout.fields <= 8);
      TEST_ASSERT(plan.teams.threads == plan.layout.cells && plan.teams.threads % 32 == 0);
      TEST_COMPARE(plan.teams.scratch_bytes, <=, plannedDevice().scratch_bytes[0]);
      TEST_EQUALITY(whyNotFormCells(work, plannedDevice()), "");
    }
    s.rights = 9;
    TEST_ASSERT(!cellFormPlan(s, 8, plannedDevice()).fits);
    TEST_ASSERT(whyNotFormCells(work, plannedDevice()).find("at most 8 fields") !=
                std::string::npos);
    s.rights = 8;
    s.points = 1 << 20;
    TEST_ASSERT(whyNotFormCells(work, plannedDevice()).find("do not fit") != std::string::npos);
    s.points = 8;
    s.nodes = 9;
    TEST_ASSERT(whyNotFormCells(work, plannedDevice()).find("cells have 9 nodes") !=
                std::string::npos);
    s.nodes = 8;
    s.kind = FormKind::Vectors;
    TEST_ASSERT(whyNotFormCells(work, plannedDevice()).find("for matrices") != std::string::npos);
    s.kind = FormKind::Matrices;
    TEST_ASSERT(!cellFormPlan(s, 8, Machine()).fits);
  }
}

}  // namespace
}  // namespace KontractTest
