// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Solves -div(K grad u) = f on a part, assembled by Kontract and by Intrepid2.

#include <cmath>
#include <cstring>
#include <iostream>
#include <vector>

#include "PoissonComparison.hpp"
#include "PoissonInput.hpp"
#include "PoissonOutput.hpp"
#include "PoissonReport.hpp"
#include "PoissonSolver.hpp"

#include "Kontract_Options.hpp"
#include "Tpetra_Core.hpp"
#include "Tpetra_Import.hpp"
#ifdef HAVE_MPI
#include <mpi.h>
#endif

namespace Poisson {
namespace {

constexpr double max_difference = 1e-12;

/// Reads on rank 0, and lets the other ranks know when that fails.
Mesh readAndDistribute(const Communicator& comm, const MeshInput& input, const Element& element) {
  SerialMesh serial;
  std::string error;
  if (comm->getRank() == 0) try {
      serial = readMesh(input, element);
    } catch (const std::exception& e) {
      error = e.what();
    }
  throwTogether(*comm, error);
  return distribute(comm, element, std::move(serial));
}

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
double run(const Communicator& comm, const Input& input, Progress& progress, Report& report) {
  const Element element(input.mesh.shape, input.mesh.order);
  progress.phase("meshing");
  const Mesh mesh = readAndDistribute(comm, input.mesh, element);
  if (input.model.manufactured) fixToWave(input.model.wave, mesh);

  const auto comparison = compareAssemblies(mesh, element, input.model, input.assembly, progress);
  progress.phase("solving");
  const auto solution = solve(comparison.system, input.solver);
  MultiVector local(mesh.local_nodes, 1);
  local.doImport(
      *solution.values,
      Tpetra::Import<LocalOrdinal, GlobalOrdinal, Node>(mesh.owned_nodes, mesh.local_nodes),
      Tpetra::INSERT);
  const auto norms = l2Norms(mesh, element, input.model, local, input.assembly.workset_size);

  progress.phase("writing");
  std::string vtk, picture;
  if (!input.output.base.empty() && !input.convergence) {
    vtk = writeVtk(mesh, element, local, input.output.base);
    if (input.output.picture && comm->getRank() == 0) picture = drawPicture(vtk, input.output);
  }
  report.mesh(input.mesh, mesh, element);
  report.assembly(comparison, input.assembly);
  report.solution(solution, *solution.values, norms, input.model.manufactured);
  report.files(vtk, picture);
  // The negation also catches a difference that is not a number.
  if (!(comparison.difference < max_difference))
    throw InputError("the matrices of Kontract and Intrepid2 differ by more than 1e-12");
  return norms.error;
}

/// Three refinements; the error must fall as the mesh size to the power p + 1.
void runConvergence(const Communicator& comm, Input input, Progress& progress, Report& report) {
  constexpr double slack = 0.2;
  std::vector<double> errors;
  // Gmsh's first refinement of tetrahedra makes other shapes than it found, the later ones do not.
  const int coarsest = input.mesh.refinements + 1;
  for (int i = 0; i < 3; ++i) {
    input.mesh.refinements = coarsest + i;
    errors.push_back(run(comm, input, progress, report));
  }
  const double expected = input.mesh.order + 1;
  std::vector<double> rates;
  for (std::size_t i = 1; i < errors.size(); ++i)
    rates.push_back(std::log2(errors[i - 1] / errors[i]));
  report.convergence(errors, rates, expected);
  if (!(rates.back() > expected - slack))
    throw InputError("the order of convergence is " + std::to_string(rates.back()) +
                     ", expected is " + std::to_string(expected));
}

int runProgram(const Communicator& comm, int argc, char* argv[], bool wants_help) {
  const auto input = readInput(*comm, argc, argv, wants_help);
  if (!input) return 0;
  Kontract::setDefaultOptions(Kontract::Options(input->kontract));
  Progress progress(comm->getRank());
  Report report(comm->getRank() == 0);
  if (input->convergence)
    runConvergence(comm, *input, progress, report);
  else
    run(comm, *input, progress, report);
  return 0;
}

/// Takes --help away before Kokkos sees it and prints its own.
bool takeHelp(int& argc, char* argv[]) {
  int kept = 0;
  for (int i = 0; i < argc; ++i)
    if (std::strcmp(argv[i], "--help") != 0) argv[kept++] = argv[i];
  const bool found = kept < argc;
  argc = kept;
  argv[argc] = nullptr;
  return found;
}

/// For an error that the other ranks may not have: they must not wait for this one.
void leave(const Teuchos::Comm<int>& comm) {
#ifdef HAVE_MPI
  if (comm.getSize() > 1) MPI_Abort(MPI_COMM_WORLD, 1);
#else
  static_cast<void>(comm);
#endif
}

}  // namespace
}  // namespace Poisson

int main(int argc, char* argv[]) {
  const bool wants_help = Poisson::takeHelp(argc, argv);
  Tpetra::ScopeGuard scope(&argc, &argv);
  const auto comm = Tpetra::getDefaultComm();
  const auto say = [](const char* what) { std::cerr << "Kontract_poisson: " << what << std::endl; };
  try {
    return Poisson::runProgram(comm, argc, argv, wants_help);
  } catch (const Poisson::InputError& e) {
    if (comm->getRank() == 0) say(e.what());
  } catch (const std::exception& e) {
    say(e.what());
    Poisson::leave(*comm);
  }
  return 1;
}
