// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Linear elasticity of a part: -div(lambda (div u) I + 2 mu e(u)) = f.

#include <cmath>

#include "ElasticityAssembly.hpp"
#include "ElasticityChecks.hpp"
#include "ElasticityInput.hpp"
#include "ElasticityStress.hpp"
#include "ExampleReport.hpp"
#include "ExampleVtk.hpp"

namespace Elasticity {
namespace {

/// Loads go to the rows of free degrees of freedom; those of fixed ones say their values.
void addLoads(const System& system, const Vector& loads, const Dofs& dofs) {
  const auto sum = system.load->getLocalViewDevice(Tpetra::Access::ReadWrite);
  const auto load = loads.getLocalViewDevice(Tpetra::Access::ReadOnly);
  const auto is_fixed = dofs.is_fixed;
  Kokkos::parallel_for(
      "Elasticity::addLoads",
      Kokkos::RangePolicy<ExecutionSpace>(0, static_cast<int>(sum.extent(0))),
      KOKKOS_LAMBDA(int i) {
        if (!is_fixed(i)) sum(i, 0) += load(i, 0);
      });
}

void describe(const Body& body, const Input& input, const Report& report) {
  report.mesh(input.mesh, body.mesh(), body.dofs().owned->getGlobalNumElements(),
              "degrees of freedom");
  report.ranks();
}

/// The work of the loads, and their balance with the reactions.
void checkLoads(const Body& body, const Vector& loads, const Solution& solution, double energy,
                const MultiVector& local_displacements, double tolerance, const Report& report,
                Checks& checks) {
  const auto balance = balanceOf(loads, *body.internalForces(local_displacements),
                                 *body.rigidBodyModes(), body.dofs());
  const auto& f = balance.loads;
  const auto& r = balance.reactions;
  report("loads       (%.6g, %.6g, %.6g)\n", f[0], f[1], f[2]);
  report("reactions   (%.6g, %.6g, %.6g)\n", r[0], r[1], r[2]);
  const double half_work = solution.values->dot(loads) / 2;
  checks.expectSmall("strain energy minus half the work of the loads",
                     std::abs(energy - half_work) / half_work, tolerance);
  checks.expectSmall("loads plus reactions, forces and moments", balance.difference, tolerance);
}

void run(const Communicator& comm, const Input& input) {
  const Report report(*comm);
  Checks checks(report.isPrinting());
  const Body body(comm, input);
  describe(body, input, report);

  const auto comparison = compareAssemblies(body, input.repetitions);
  comparison.ways.print(report, body.worksetSize(), comparison.plan_seconds);
  comparison.ways.requireEqual();
  const System& system = comparison.ways.system("direct");
  const auto loads = body.tractions();
  addLoads(system, *loads, body.dofs());
  loads->update(1, *body.bodyForces(), 1);

  const auto solution = solve(system, input.solver, body.rigidBodyModes(), space_dim);
  report.solver(solution);
  const auto displacements = toLocal(*solution.values, body.dofs());
  const double energy = strainEnergy(body, displacements);
  report("solution    largest displacement %.6g, strain energy %.6g\n",
         largestDisplacement(displacements), energy);

  const double tolerance = 100 * input.solver.tolerance;
  checks.expectSmall("element matrices times rigid-body modes", body.rigidBodyForces(), 1e-12);
  if (input.patch)
    checkPatch(body, displacements, tolerance, checks);
  else
    checkLoads(body, *loads, solution, energy, displacements, tolerance, report, checks);

  if (!input.output.empty()) {
    const auto stresses = vonMisesStress(body, displacements);
    const auto vtk =
        writeVtk(body.mesh(), body.element(),
                 {{"displacement", displacements, space_dim}, {"stress", *stresses}}, input.output);
    const auto times =
        comparison.ways.write(input.output, "Elasticity, " + describe(input.mesh, body.mesh()));
    const auto picture =
        report.isPrinting()
            ? drawPicture(vtk, input.output + ".png",
                          {"--field", "stress", "--displacement", "displacement", "--title",
                           input.patch ? "Patch test" : "Elastic part under load", "--quantity",
                           "von Mises stress"})
            : "";
    report.files({vtk, picture, times});
  }
  checks.finish();
}

void runElasticity(const Communicator& comm, const Arguments& arguments) {
  const auto input = readInput(*comm, arguments);
  if (input) run(comm, *input);
}

}  // namespace
}  // namespace Elasticity

int main(int argc, char* argv[]) {
  return Example::runProgram("Kontract_elasticity", KONTRACT_EXAMPLE_DIR, argc, argv,
                             Elasticity::runElasticity);
}
