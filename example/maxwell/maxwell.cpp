// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Solves curl(curl E / mu) + sigma E = f with edge elements, assembled by Kontract and by
/// Intrepid2.

#include <algorithm>
#include <vector>

#include "ExampleComparison.hpp"
#include "ExamplePicture.hpp"
#include "MaxwellAssembly.hpp"
#include "MaxwellChecks.hpp"
#include "MaxwellInput.hpp"
#include "MaxwellOutput.hpp"
#include "MaxwellSolution.hpp"

namespace Maxwell {
namespace {

constexpr double max_curl_of_gradient = 1e-12;
constexpr double min_order = 0.9;

/// Assembles several times by each method.
AssemblyComparison compareAssemblies(const Discretization& discretization, const Input& input,
                                     const Report& report) {
  const auto& mesh = discretization.mesh;
  const SystemPlan plan(nodeNumbers(mesh), mesh.edges, discretization.graph);
  AssemblyComparison ways(mesh.edges, discretization.graph);
  const auto add = [&](const char* name, Method method) {
    ways.add(name, [&, method](const System& system) {
      return assemble(method, discretization, mesh.edges, input.problem, system);
    });
  };
  add("Intrepid2", Method::Intrepid2);
  add("chain", Method::Chain);
  add("forms", Method::Forms);
  ways.add("direct", [&](const System& system) {
    return assembleDirectly(plan, discretization, input.problem, system);
  });
  ways.run(input.repetitions);
  ways.print(report, input.workset_size, plan.seconds());
  ways.requireEqual();
  return ways;
}

/// The matrix of curls alone and of all edges: without conductivity, nothing fixed.
void checkGradients(const Discretization& discretization, const Input& input,
                    const Report& report) {
  const auto& mesh = discretization.mesh;
  Dofs edges = mesh.edges;
  edges.is_fixed = decltype(edges.is_fixed)("is_fixed", edges.is_fixed.extent(0));
  Cavity problem = input.problem;
  problem.material.conductivity = 0;
  const auto system = makeSystem(edges, discretization.graph);
  assemble(Method::Forms, discretization, edges, problem, system);
  const double curl = curlOfGradient(mesh, *system.matrix);
  report("null space  the curls of a gradient are %.1e\n", curl);
  require(curl < max_curl_of_gradient, "the curl-curl matrix does not map gradients to zero");
}

/// From the grid to the errors.
Errors run(const Communicator& comm, const Input& input, const Grid& grid) {
  const Report report(*comm);
  const auto mesh = makeEdgeMesh(comm, grid);
  report("grid        %d x %d x %d cells, %llu edges\n", grid.num_cells, grid.num_cells,
         grid.num_cells, static_cast<unsigned long long>(mesh.edges.owned->getGlobalNumElements()));
  report.ranks();

  const Discretization discretization{mesh, EdgeElement(input.degree), makeGraph(mesh.edges),
                                      input.workset_size};
  const auto ways = compareAssemblies(discretization, input, report);
  checkGradients(discretization, input, report);
  const auto solution = solve(ways.system("direct"), input.solver);
  report.solver(solution);
  const auto coefficients = toLocal(*solution.values, mesh.edges);
  // More points than the assembly has, so that the norms' own error does not show.
  const auto errors = errorsOf(mesh, EdgeElement(input.degree + 4), input.problem, coefficients,
                               input.workset_size);
  report("error       %.6e in L2, %.6e in the energy norm\n", errors.l2, errors.energy);
  if (input.output.empty() || input.convergence) return errors;

  const auto file = input.output + ".vtk";
  writeVtk(mesh, coefficients, file);
  const auto times =
      ways.write(input.output, "Maxwell: " + std::to_string(grid.num_cells) + "^3 bent hexahedra");
  if (report.isPrinting())
    report.files({file, drawByScript("plot_field.py", file, input.output + ".png"), times});
  return errors;
}

/// On three grids; the errors must fall as the size of cells.
void runConvergence(const Communicator& comm, const Input& input) {
  std::vector<double> in_l2, in_energy;
  for (const int coarsening : {4, 2, 1}) {
    const auto errors = run(comm, input, {input.grid.num_cells / coarsening, input.grid.bend});
    in_l2.push_back(errors.l2);
    in_energy.push_back(errors.energy);
  }
  const auto l2 = ordersOf(in_l2), energy = ordersOf(in_energy);
  const Report report(*comm);
  for (std::size_t i = 0; i < l2.size(); ++i)
    report("order       %.2f in L2, %.2f in the energy norm; expected 1\n", l2[i], energy[i]);
  const double order = std::min(l2.back(), energy.back());
  require(order > min_order, "the order of convergence is " + std::to_string(order) +
                                 " on the finest grids, expected is 1; with more --cells it is "
                                 "nearer to that");
}

void runMaxwell(const Communicator& comm, const Arguments& arguments) {
  const auto input = readInput(*comm, arguments);
  if (!input) return;
  if (input->convergence)
    runConvergence(comm, *input);
  else
    run(comm, *input, input->grid);
}

}  // namespace
}  // namespace Maxwell

int main(int argc, char* argv[]) {
  return Example::runProgram("Kontract_maxwell", KONTRACT_EXAMPLE_DIR, argc, argv,
                             Maxwell::runMaxwell);
}
