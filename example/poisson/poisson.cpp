// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Solves -div(K grad u) = f on a part, assembled by Kontract and by Intrepid2.

#include <vector>

#include "ExampleProgram.hpp"
#include "ExampleVtk.hpp"
#include "PoissonComparison.hpp"
#include "PoissonInput.hpp"
#include "PoissonReport.hpp"

#include "Kontract_Options.hpp"

namespace Poisson {
namespace {

/// The nodes of the wave's boundary take its values.
void fixToWave(const Wave& wave, const Mesh& mesh) {
  const auto x = mesh.coordinates;
  const auto is_fixed = mesh.is_fixed;
  const auto fixed_values = mesh.fixed_values;
  Kokkos::parallel_for(
      "Poisson::fixToWave", Kokkos::RangePolicy<ExecutionSpace>(0, mesh.numNodes()),
      KOKKOS_LAMBDA(int node) {
        Vec point;
        for (int d = 0; d < space_dim; ++d) point[d] = x(node, d);
        fixed_values(node) = is_fixed(node) ? wave.value(point) : 0.0;
      });
}

/// From the mesh to the solution. \return the L2 error of a manufactured problem.
double run(const Communicator& comm, const Input& input, Progress& progress, const Report& report) {
  const Element element(input.mesh.shape, input.mesh.order);
  progress.phase("meshing");
  const Mesh mesh = makeMesh(comm, input.mesh, element);
  if (input.model.manufactured) fixToWave(input.model.wave, mesh);

  const auto comparison = compareAssemblies(mesh, element, input.model, input.assembly, progress);
  progress.phase("solving");
  const auto solution = solve(comparison.system(input.assembly.method), input.solver);
  const auto local = toLocal(*solution.values, mesh);
  const auto norms = l2Norms(mesh, element, input.model, local, input.assembly.workset_size);

  progress.phase("writing");
  std::vector<std::string> files;
  if (!input.output.base.empty() && !input.convergence) {
    const auto& output = input.output;
    files = {writeVtk(mesh, element, {{"solution", local}}, output.base)};
    if (output.picture && report.isPrinting())
      files.push_back(drawPicture(files[0], output.base + ".png",
                                  {"--title", output.title, "--quantity", output.quantity}));
    files.push_back(comparison.ways.write(output.base, "Poisson, " + describe(input.mesh, mesh)));
  }
  printMesh(report, input.mesh, mesh);
  comparison.ways.print(report, input.assembly.workset_size, comparison.plan_seconds);
  printSolution(report, solution, norms, input.model.manufactured);
  if (!files.empty()) report.files(files);
  comparison.ways.requireEqual();
  return norms.error;
}

/// Three refinements; the error must fall as the mesh size to the power p + 1.
void runConvergence(const Communicator& comm, Input input, Progress& progress,
                    const Report& report) {
  constexpr double slack = 0.2;
  std::vector<double> errors;
  // Gmsh's first refinement of tetrahedra makes other shapes than it found, the later ones do not.
  const int coarsest = input.mesh.refinements + 1;
  for (int i = 0; i < 3; ++i) {
    input.mesh.refinements = coarsest + i;
    errors.push_back(run(comm, input, progress, report));
  }
  const double expected = input.mesh.order + 1;
  const auto orders = ordersOf(errors);
  printConvergence(report, errors, orders, expected);
  require(orders.back() > expected - slack, "the order of convergence is " +
                                                std::to_string(orders.back()) + ", expected is " +
                                                std::to_string(expected));
}

void runPoisson(const Communicator& comm, const Arguments& arguments) {
  const auto input = readInput(*comm, arguments);
  if (!input) return;
  Kontract::setDefaultOptions(Kontract::Options(input->kontract));
  Progress progress(comm->getRank());
  const Report report(*comm);
  if (input->convergence)
    runConvergence(comm, *input, progress, report);
  else
    run(comm, *input, progress, report);
}

}  // namespace
}  // namespace Poisson

int main(int argc, char* argv[]) {
  return Example::runProgram("Kontract_poisson", KONTRACT_EXAMPLE_DIR, argc, argv,
                             Poisson::runPoisson);
}
