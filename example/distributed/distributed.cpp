// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Solves -div grad u = 1 over MPI without a matrix, while values travel, by several
/// preconditioners.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "DistributedInput.hpp"
#include "DistributedPreconditioners.hpp"
#include "DistributedStiffness.hpp"
#include "ExampleGeometry.hpp"
#include "ExampleReport.hpp"
#include "ExampleTimes.hpp"
#include "ExampleVtk.hpp"

namespace Distributed {
namespace {

constexpr int workset_size = 1000;  // where cells are checked

/// The same system with a matrix, by forms that add to it where a plan of the local rows says:
/// those of the owned unknowns and of the ghosts, which go to their owners.
/// \param what  for the report
System assemble(const Mesh& mesh, const Element& element, const Quadrature& quadrature,
                const char* what, const Report& report) {
  const auto graph = makeGraph(mesh);
  const auto system = makeSystem(mesh, graph);
  const SystemPlan plan(nodeNumbers(mesh), mesh, graph);
  const Array source("source", mesh.numCells(), 1);
  Kokkos::deep_copy(source, 1);
  AssemblyTimes times;
  plan.assemble(system, times, [&](const auto& add) {
    add(0, mesh.numCells(), [&](const SystemCells& of) {
      const auto cells = Kontract::geometry(Kontract::gathered(mesh.coordinates, of.nodes),
                                            quadrature.gradients, quadrature.weights);
      const auto load = Kontract::load(Kontract::Form::source(Kontract::FunctionSpace::HGRAD),
                                       quadrature.values, source);
      if (element.shape() == Shape::Hexahedron) {
        const auto basis =
            Kontract::tensorBasis<space_dim>(quadrature.line_values, quadrature.line_derivatives);
        addForms(of, cells, load, Kontract::term(Kontract::Form::gradGrad(), basis, basis));
      } else {
        addForms(
            of, cells, load,
            Kontract::term(Kontract::Form::gradGrad(), quadrature.gradients, quadrature.gradients));
      }
    });
  });
  Times plan_time, total, forms;
  plan_time.add(plan.seconds(), *mesh.comm);
  total.add(times.total, *mesh.comm);
  forms.add(times.direct, *mesh.comm);
  report("%-11s assembled in %.2f ms, of them forms %.2f ms; the plan took %.2f ms once\n", what,
         1e3 * total.median(), 1e3 * forms.median(), 1e3 * plan_time.median());
  return system;
}

/// A vector that depends on the places of nodes alone, and is zero where values are fixed.
Vector probe(const Mesh& mesh) {
  Vector x(mesh.owned_nodes);
  const auto values = x.getLocalViewDevice(Tpetra::Access::OverwriteAll);
  const auto places = mesh.coordinates;
  const auto is_fixed = mesh.is_fixed;
  Kokkos::parallel_for(
      "Distributed::probe",
      Kokkos::RangePolicy<ExecutionSpace>(0, static_cast<int>(values.extent(0))),
      KOKKOS_LAMBDA(int i) {
        values(i, 0) =
            is_fixed(i) ? 0 : std::sin(3 * places(i, 0) + 5 * places(i, 1) + 7 * places(i, 2));
      });
  return x;
}

/// The median over the repetitions of the slowest rank's milliseconds for each action; they take
/// turns, so that what disturbs them disturbs all.
template <std::size_t N>
std::array<double, N> milliseconds(const Teuchos::Comm<int>& comm, int repetitions,
                                   const std::array<std::function<void()>, N>& actions) {
  std::array<Times, N> times;
  for (int i = 0; i <= repetitions; ++i)
    for (std::size_t a = 0; a < N; ++a) {
      double seconds = 0;
      comm.barrier();
      addSeconds(seconds, actions[a]);
      if (i > 0) times[a].add(seconds, comm);
    }
  std::array<double, N> medians;
  for (std::size_t a = 0; a < N; ++a) medians[a] = 1e3 * times[a].median();
  return medians;
}

void compareProducts(const Stiffness& stiffness, const Matrix& matrix, const Mesh& mesh,
                     int repetitions, const Report& report) {
  constexpr double max_difference = 1e-12;
  const auto& comm = *mesh.comm;
  const Vector x = probe(mesh);
  Vector overlapped(mesh.owned_nodes), waited(mesh.owned_nodes), by_matrix(mesh.owned_nodes);
  Vector none(mesh.owned_nodes);
  const std::array<std::function<void()>, 5> actions = {
      [&] { stiffness.multiply(x, overlapped, Exchange::Overlapped); },
      [&] { stiffness.multiply(x, waited, Exchange::Waited); },
      [&] { stiffness.computeCells(x, none); }, [&] { stiffness.exchange(x, none); },
      [&] { matrix.apply(x, by_matrix); }};
  const auto [with, without, cells, exchange, assembled] = milliseconds(comm, repetitions, actions);
  report(
      "product     %.3f ms with overlap, %.3f ms without; cells alone %.3f ms, exchange alone "
      "%.3f ms; matrix %.3f ms\n",
      with, without, cells, exchange, assembled);
  const double differences[] = {relativeDifference(overlapped, by_matrix),
                                relativeDifference(waited, by_matrix)};
  report("            norm %.10g, difference from the matrix's %.1e with overlap, %.1e without\n",
         overlapped.norm2(), differences[0], differences[1]);
  require(differences[0] < max_difference && differences[1] < max_difference,
          "the products differ from that of the matrix by more than 1e-12");
}

void printCells(const Stiffness& stiffness, const Teuchos::Comm<int>& comm, const Report& report) {
  const int local[] = {stiffness.numInteriorCells(), stiffness.numOtherCells()};
  int global[2];
  Teuchos::reduceAll(comm, Teuchos::REDUCE_SUM, 2, local, global);
  report("cells       %d have owned unknowns alone, %d wait for others\n", global[0], global[1]);
}

/// Solves with an operator, and tells what that takes, the making of the preconditioner apart.
/// \param make  a preconditioner, which may be null
template <class Make>
Solution timedSolution(const RCP<const Operator>& matrix, const RCP<const Vector>& load,
                       const RCP<Vector>& first_guess, const Make& make, const std::string& name,
                       const Input& input, const Report& report) {
  Solution solution;
  double making = 0, solving = 0;
  RCP<const Operator> preconditioner;
  addSeconds(making, [&] { preconditioner = make(); });
  addSeconds(solving, [&] {
    solution = conjugateGradients(matrix, preconditioner, name, first_guess, load, input.solver);
  });
  Times of_making, of_solving;
  of_making.add(making, *load->getMap()->getComm());
  of_solving.add(solving, *load->getMap()->getComm());
  report.solver(solution);
  report("            %.1f ms, and %.1f ms to make the preconditioner\n", 1e3 * of_solving.median(),
         1e3 * of_making.median());
  return solution;
}

/// Solutions without a matrix: with no preconditioner, with what diagonals() gives, and, of
/// hexahedra, with that of the matrix of first order on the same nodes; and one with the matrix.
/// \return the first of them
Solution compareSolvers(const RCP<Stiffness>& stiffness, const System& system, const Mesh& mesh,
                        const Element& element, const Input& input, const Report& report) {
  const auto load = stiffness->load();
  const auto solve = [&](const std::string& name, const auto& make) {
    return timedSolution(stiffness, load, stiffness->firstGuess(), make, name, input, report);
  };
  const std::string multigrid = preconditionerName();
  std::vector<Solution> solutions;
  solutions.push_back(solve("no matrix", [] { return RCP<const Operator>(); }));
  solutions.push_back(solve("no matrix, Jacobi", [&] {
    return RCP<const Operator>(rcp(new Jacobi(stiffness->diagonal())));
  }));
  if (element.shape() == Shape::Hexahedron && element.order() > 1) {
    const Element linear(Shape::Hexahedron, 1);
    const auto quadrature = linear.quadrature(2);
    const Mesh low = lowOrderMesh(mesh, element.order());
    solutions.push_back(solve("no matrix, " + multigrid + " of first order", [&] {
      const System of_low = assemble(low, linear, quadrature, "first order", report);
      return RCP<const Operator>(makePreconditioner(of_low.matrix));
    }));
  }
  solutions.push_back(timedSolution(
      system.matrix, system.load, stiffness->firstGuess(),
      [&] { return RCP<const Operator>(makePreconditioner(system.matrix)); }, multigrid, input,
      report));
  double difference = 0;
  for (const Solution& other : solutions) {
    const double of_other = relativeDifference(*solutions.front().values, *other.values);
    require(!std::isnan(of_other), "a solution is not a number");
    difference = std::max(difference, of_other);
  }
  report("solution    norm %.10g, largest difference of another's %.1e\n",
         solutions.front().values->norm2(), difference);
  // Errors are residuals times the condition of the matrix.
  require(difference < 1e5 * input.solver.tolerance, "the solutions differ");
  return solutions.front();
}

void run(const Communicator& comm, const Input& input) {
  const Report report(*comm);
  const Element element(input.mesh.shape, input.mesh.order);
  const Mesh mesh = makeMesh(comm, input.mesh, element);
  const auto quadrature = element.quadrature(2 * element.order());
  checkOrientation(mesh, element, quadrature, workset_size);
  report.mesh(input.mesh, mesh, mesh.owned_nodes->getGlobalNumElements(), "nodes");
  report.ranks();

  const auto stiffness = rcp(new Stiffness(mesh, element, quadrature));
  printCells(*stiffness, *comm, report);
  const auto system = assemble(mesh, element, quadrature, "matrix", report);
  compareProducts(*stiffness, *system.matrix, mesh, input.repetitions, report);

  const auto solution = compareSolvers(stiffness, system, mesh, element, input, report);
  if (input.output.empty()) return;
  const auto local = toLocal(*solution.values, mesh);
  const auto vtk = writeVtk(mesh, element, {{"solution", local}}, input.output);
  if (report.isPrinting())
    report.files(
        {vtk, drawPicture(vtk, input.output + ".png",
                          {"--title", "Solved without a matrix", "--quantity", "temperature"})});
}

void runDistributed(const Communicator& comm, const Arguments& arguments) {
  const auto input = readInput(*comm, arguments);
  if (input) run(comm, *input);
}

}  // namespace
}  // namespace Distributed

int main(int argc, char* argv[]) {
  return Example::runProgram("Kontract_distributed", KONTRACT_EXAMPLE_DIR, argc, argv,
                             Distributed::runDistributed);
}
