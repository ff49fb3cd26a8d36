// SPDX-License-Identifier: BSD-3-Clause
//
// Assemblies straight into Tpetra's matrices and vectors, and of element arrays, beside Tpetra's
// own sumInto: meshes of all shapes of cells and of orders up to four, by atomic additions and by
// colors, with unknowns that are left out, fixed, constrained, and with cells of a list.

#include <Kokkos_Core.hpp>
#include <Teuchos_DefaultSerialComm.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Vector.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <sstream>
#include <vector>

#include "DenseConstraints.hpp"
#include "KeepLargest.hpp"
#include "Kontract_ElementScatter.hpp"
#include "Kontract_Integration.hpp"
#include "StructuredMesh.hpp"
#include "Tally.hpp"

namespace KontractTest {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using TpetraMatrix = Tpetra::CrsMatrix<double>;
using TpetraVector = Tpetra::Vector<double>;
using Space = TpetraMatrix::execution_space;
using Unknowns = Kontract::CellNumbers<Space>;
using Plan = Kontract::ScatterPlan<Space>;
using Integration = Kontract::Integration<Space>;
using ElementScatter = Kontract::ElementScatter<Space>;
template <class T>
using View = Kokkos::View<T, Kokkos::LayoutRight, Space>;

/// An array of a test as a view of its own.
template <class T>
View<T> viewOf(const Numbers& numbers) {
  std::size_t n[4] = {1, 1, 1, 1};
  for (std::size_t i = 0; i < numbers.extents().size(); ++i) n[i] = numbers.extents()[i];
  View<T> view;
  if constexpr (View<T>::rank == 1) view = View<T>("array", n[0]);
  if constexpr (View<T>::rank == 2) view = View<T>("array", n[0], n[1]);
  if constexpr (View<T>::rank == 3) view = View<T>("array", n[0], n[1], n[2]);
  for (std::size_t i = 0; i < view.size(); ++i) view.data()[i] = numbers.values()[i];
  return view;
}

/// What unknowns of a mesh are subject to.
enum class Condition { None, LeftOut, Fixed, Constrained };
const char* nameOf(Condition condition) {
  switch (condition) {
    case Condition::None: return "";
    case Condition::LeftOut: return ", some unknowns left out";
    case Condition::Fixed: return ", boundary fixed";
    default: return ", some unknowns constrained";
  }
}

/// A mesh with element arrays of diffusion and a load, and numbers of unknowns.
struct Assembly {
  Numbering numbering;
  Condition condition;
  View<double***> nodes, node_gradients, gradients;
  View<double**> values;
  View<double*> weights;
  View<double**> source;  ///< (C,1)
  View<int**> numbers;
  Rows rows{0};  ///< of constraints
  View<double***> matrices;
  View<double**> vectors;

  auto geometry() const { return Kontract::geometry(nodes, node_gradients, weights); }
  auto term() const { return Kontract::term(Form::gradGrad(), gradients, gradients); }
  auto load() const { return Kontract::load(Form::source(FunctionSpace::HGRAD), values, source); }

  Assembly(const StructuredMesh& mesh, int order, Condition of_unknowns, std::mt19937& random)
      : numbering(mesh, order), condition(of_unknowns) {
    const CellShape shape = mesh.functions.shape;
    const CellsAtPoints cells(mesh.functions, mesh.nodes, 2 * order);
    const ReferenceBasis basis{shape, FunctionSpace::HGRAD, order};
    nodes = viewOf<double***>(mesh.nodes);
    node_gradients = viewOf<double***>(cells.gradients);
    weights = viewOf<double*>(cells.cubature.weights);
    values = viewOf<double**>(valuesAt(cells.cubature.points, basis));
    gradients = viewOf<double***>(valuesAt(cells.cubature.points, basis, Derivative::Gradient));
    source = View<double**>("source", mesh.cells(), 1);
    numbers = View<int**>("numbers", mesh.cells(), gradients.extent(0));
    for (std::size_t c = 0; c < mesh.cells(); ++c) {
      source(c, 0) = 1 + double(c % 7);
      for (std::size_t f = 0; f < numbers.extent(1); ++f) {
        numbers(c, f) = numbering.cells[c][f];
        if (condition == Condition::LeftOut && random() % 8 == 0) numbers(c, f) = -1;
      }
    }
    rows = condition == Condition::Constrained ? drawnRows(numbering.size(), random)
                                               : Rows(numbering.size());
    matrices = View<double***>("matrices", mesh.cells(), numbers.extent(1), numbers.extent(1));
    vectors = View<double**>("vectors", mesh.cells(), numbers.extent(1));
    Integration::matrices(matrices, geometry(), term());
    Integration::vectors(vectors, geometry(), load());
  }

  Unknowns unknowns() const {
    const Unknowns plain(numbers, numbering.size());
    if (condition != Condition::Constrained) return plain;
    return plain.constrained(rows.constraints<Kontract::LinearConstraints<Space>>());
  }
  Plan plan(const TpetraMatrix& matrix) const {
    const auto local = matrix.getLocalMatrixDevice();
    if (condition != Condition::Fixed) return Plan(local, unknowns());
    const View<bool*> is_fixed("is fixed", numbering.size());
    for (int i = 0; i < numbering.size(); ++i) is_fixed(i) = numbering.on_boundary[std::size_t(i)];
    return Plan::withFixed(local, unknowns(), is_fixed);
  }
};

/// What a row of an element array adds to: unknowns and weights.
using Targets = std::vector<std::pair<int, double>>;

/// The same assembly as a user of Tpetra writes it.
struct ByTpetra {
  Teuchos::RCP<TpetraMatrix> matrix;
  Teuchos::RCP<TpetraVector> vector;

  explicit ByTpetra(const Assembly& assembly) : _assembly(assembly) {
    const int count = assembly.numbering.size();
    if (assembly.condition == Condition::Constrained) {
      const Dense of_all = assembly.rows.dense();
      for (int i = 0; i < count; ++i) {
        _targets.emplace_back();
        for (int j = 0; j < count; ++j) {
          const double weight = of_all(std::size_t(i), std::size_t(j));
          if (weight != 0) _targets.back().push_back({j, weight});
        }
      }
    } else {
      for (int i = 0; i < count; ++i) _targets.push_back({{i, 1.}});
    }
    std::vector<std::set<int>> columns(static_cast<std::size_t>(count));
    forEachEntry([&](int i, int j, double) { columns[std::size_t(i)].insert(j); });
    const Teuchos::RCP<const Teuchos::Comm<int>> alone = Teuchos::rcp(new Teuchos::SerialComm<int>);
    const auto map = Teuchos::rcp(new TpetraMatrix::map_type(std::size_t(count), 0, alone));
    std::vector<std::size_t> lengths;
    for (const auto& row : columns) lengths.push_back(row.size());
    const auto graph = Teuchos::rcp(new TpetraMatrix::crs_graph_type(
        map, map, Teuchos::ArrayView<const std::size_t>(lengths.data(), lengths.size())));
    for (int i = 0; i < count; ++i) {
      const std::vector<int> row(columns[std::size_t(i)].begin(), columns[std::size_t(i)].end());
      graph->insertLocalIndices(i, int(row.size()), row.data());
    }
    graph->fillComplete();
    matrix = Teuchos::rcp(new TpetraMatrix(graph));
    matrix->resumeFill();
    vector = Teuchos::rcp(new TpetraVector(map));
  }

  /// \return whether Tpetra had a place for all
  bool add() {
    bool had_places = true;
    forEachEntry([&](int i, int j, double value) {
      had_places = matrix->sumIntoLocalValues(i, 1, &value, &j) == 1 && had_places;
    });
    const auto& of = _assembly;
    for (std::size_t c = 0; c < of.numbers.extent(0); ++c) {
      for (std::size_t f = 0; f < of.numbers.extent(1); ++f) {
        if (of.numbers(c, f) < 0) continue;
        for (const auto& [i, weight] : _targets[std::size_t(of.numbers(c, f))]) {
          vector->sumIntoLocalValue(i, weight * of.vectors(c, f));
        }
      }
    }
    return had_places;
  }

 private:
  template <class F>
  void forEachEntry(const F& f) const {
    const auto& of = _assembly;
    const std::size_t fields = of.numbers.extent(1);
    for (std::size_t c = 0; c < of.numbers.extent(0); ++c) {
      for (std::size_t l = 0; l < fields; ++l) {
        for (std::size_t r = 0; r < fields; ++r) {
          if (of.numbers(c, l) < 0 || of.numbers(c, r) < 0) continue;
          for (const auto& [i, left] : _targets[std::size_t(of.numbers(c, l))]) {
            for (const auto& [j, right] : _targets[std::size_t(of.numbers(c, r))]) {
              if (isLeftOut(i, j)) continue;
              f(i, j, left * right * of.matrices(c, l, r));
            }
          }
        }
      }
    }
  }
  bool isLeftOut(int i, int j) const {
    const auto& fixed = _assembly.numbering.on_boundary;
    return _assembly.condition == Condition::Fixed && i != j &&
           (fixed[std::size_t(i)] || fixed[std::size_t(j)]);
  }

  const Assembly& _assembly;
  std::vector<Targets> _targets;
};

/// The largest difference, in parts of the largest value.
template <class A, class B>
double differenceOf(const A& a, const B& b) {
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < a.extent(0); ++i) {
    const double d = std::abs(a(i) - b(i));
    keepLargest(difference, d);
    largest = std::max(largest, std::abs(b(i)));
  }
  return difference / largest;
}

void check(const Assembly& assembly, const std::string& name, Tally& tally) {
  ByTpetra tpetra(assembly);
  tally.add(name, tpetra.add() ? "" : "Tpetra lacks an entry");
  const Unknowns unknowns = assembly.unknowns();
  const Plan plan = assembly.plan(*tpetra.matrix);
  const auto local = tpetra.matrix->getLocalMatrixDevice();
  const View<double*> expected("expected", local.values.extent(0)),
      expected_vector("expected", std::size_t(assembly.numbering.size()));
  Kokkos::deep_copy(expected, local.values);
  const auto column =
      Kokkos::subview(tpetra.vector->getLocalViewDevice(Tpetra::Access::ReadOnly), Kokkos::ALL, 0);
  Kokkos::deep_copy(expected_vector, column);
  const View<double*> load("load", expected_vector.extent(0));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto compare = [&](const std::string& way) {
    std::ostringstream wrong;
    const double of_matrix = differenceOf(local.values, expected);
    const double of_vector = differenceOf(load, expected_vector);
    if (!(of_matrix <= 1e-13)) wrong << "matrices differ by " << of_matrix << "; ";
    if (!(of_vector <= 1e-13)) wrong << "vectors differ by " << of_vector;
    tally.add(name + ", " + way, wrong.str());
    Kokkos::deep_copy(local.values, nan);
    Kokkos::deep_copy(load, nan);
  };
  for (const char* const way : {"Auto", "Atomic", "Colored"}) {
    Teuchos::ParameterList list("Kontract");
    list.sublist("Launch").set("Scatter", way);
    const Kontract::Options options(list);
    Kokkos::deep_copy(local.values, nan);
    Kokkos::deep_copy(load, nan);
    Integration::matrices(Kontract::scattered(local.values, plan), assembly.geometry(),
                          assembly.term(), options);
    Integration::vectors(Kontract::scattered(load, unknowns), assembly.geometry(), assembly.load(),
                         options);
    compare(std::string("forms, ") + way);
    // On hosts arrays of constrained unknowns cannot be colored.
    if (assembly.condition == Condition::Constrained && way == std::string("Colored")) continue;
    ElementScatter::matrices(Kontract::scattered(local.values, plan), assembly.matrices, options);
    ElementScatter::vectors(Kontract::scattered(load, unknowns), assembly.vectors, options);
    compare(std::string("arrays, ") + way);
  }
}

TEUCHOS_UNIT_TEST(TpetraAssembly, equalsSumInto) {
  Tally tally(out);
  std::mt19937 random(7);
  for (const CellShape shape : cell_shapes) {
    for (int order = 1; order <= 4; ++order) {
      if (!ReferenceBasis{shape, FunctionSpace::HGRAD, order}.isThere()) continue;
      const int squares = dimensionOf(shape) == 2 ? 4 : order > 2 ? 1 : 2;
      const StructuredMesh mesh(shape, squares, Deformation::Multilinear);
      for (const Condition condition :
           {Condition::None, Condition::LeftOut, Condition::Fixed, Condition::Constrained}) {
        check(Assembly(mesh, order, condition, random),
              nameOf(shape) + " of order " + std::to_string(order) + nameOf(condition), tally);
      }
    }
  }
  TEST_ASSERT(tally.checks() >= 400);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

}  // namespace
}  // namespace KontractTest
