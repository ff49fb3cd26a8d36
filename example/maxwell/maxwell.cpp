// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Solves curl(curl E / mu) + sigma E = f with edge elements, assembled by Kontract and by
/// Intrepid2.

#include <algorithm>
#include <vector>

#include "ExamplePicture.hpp"
#include "ExampleReport.hpp"
#include "ExampleTimes.hpp"
#include "MaxwellAssembly.hpp"
#include "MaxwellChecks.hpp"
#include "MaxwellInput.hpp"
#include "MaxwellOutput.hpp"
#include "MaxwellSolution.hpp"

namespace Maxwell {
namespace {

constexpr double max_difference = 1e-12;
constexpr double max_curl_of_gradient = 1e-12;
constexpr double min_order = 0.9;

/// Of the matrices in the Frobenius norm, or of the loads; the larger one.
double relativeDifference(const System& a, const System& b) {
  Vector difference(*a.load, Teuchos::Copy);
  difference.update(-1.0, *b.load, 1.0);
  return std::max(Example::relativeDifference(*a.matrix, *b.matrix),
                  difference.norm2() / b.load->norm2());
}

void printRow(const Report& report, const char* name, const Times (&times)[3]) {
  const double forms = times[0].median(), chain = times[1].median(), intrepid2 = times[2].median();
  report("    %-16s %9.2f ms %9.2f ms %9.2f ms %8.2fx %8.2fx\n", name, 1e3 * forms, 1e3 * chain,
         1e3 * intrepid2, intrepid2 / chain, intrepid2 / forms);
}

/// Assembles several times by each method, in turn, after one assembly each that is not timed.
/// \return the system of the forms.
System compareAssemblies(const Discretization& discretization, const Input& input,
                         const Report& report) {
  const auto& mesh = discretization.mesh;
  System systems[3];
  Times integration[3], total[3];
  for (int i = 0; i <= input.repetitions; ++i)
    for (const auto method : {Method::Forms, Method::Chain, Method::Intrepid2}) {
      const auto assembly = assemble(method, discretization, mesh.edges, input.problem);
      const int m = static_cast<int>(method);
      systems[m] = assembly.system;
      if (i == 0) continue;
      integration[m].add(assembly.integration, *mesh.comm);
      total[m].add(assembly.total, *mesh.comm);
    }
  report("assembly    worksets of %d cells; median of %d\n", input.workset_size, input.repetitions);
  report("    %-16s %12s %12s %12s %9s %9s\n", "", "forms", "chain", "Intrepid2", "I2/chain",
         "I2/forms");
  printRow(report, "integration", integration);
  printRow(report, "whole assembly", total);

  const double of_forms = relativeDifference(systems[0], systems[2]);
  const double of_chain = relativeDifference(systems[1], systems[2]);
  report("    %-16s %9.1e    %9.1e    from Intrepid2, relative\n", "difference", of_forms,
         of_chain);
  require(of_forms < max_difference && of_chain < max_difference,
          "the systems of Kontract and Intrepid2 differ by more than 1e-12");
  return systems[0];
}

/// The matrix of curls alone and of all edges: without conductivity, nothing fixed.
void checkGradients(const Discretization& discretization, const Input& input,
                    const Report& report) {
  const auto& mesh = discretization.mesh;
  Dofs edges = mesh.edges;
  edges.is_fixed = decltype(edges.is_fixed)("is_fixed", edges.is_fixed.extent(0));
  Cavity problem = input.problem;
  problem.material.conductivity = 0;
  const auto assembly = assemble(Method::Forms, discretization, edges, problem);
  const double curl = curlOfGradient(mesh, *assembly.system.matrix);
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
  const auto system = compareAssemblies(discretization, input, report);
  checkGradients(discretization, input, report);
  const auto solution = solve(system, input.solver);
  report.solver(solution);
  const auto coefficients = toLocal(*solution.values, mesh.edges);
  // More points than the assembly has, so that the norms' own error does not show.
  const auto errors = errorsOf(mesh, EdgeElement(input.degree + 4), input.problem, coefficients,
                               input.workset_size);
  report("error       %.6e in L2, %.6e in the energy norm\n", errors.l2, errors.energy);
  if (input.output.empty() || input.convergence) return errors;

  const auto file = input.output + ".vtk";
  writeVtk(mesh, coefficients, file);
  if (report.isPrinting())
    report.files(file, drawByScript("plot_field.py", file, input.output + ".png"));
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
                                 " on the finest grids, expected is 1");
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
