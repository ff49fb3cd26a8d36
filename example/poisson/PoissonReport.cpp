// SPDX-License-Identifier: BSD-3-Clause
#include "PoissonReport.hpp"

#include <algorithm>

namespace Poisson {
void printMesh(const Report& report, const MeshInput& input, const Mesh& mesh) {
  report.mesh(input, mesh, mesh.owned_nodes->getGlobalNumElements(), "nodes");
  report.ranks();
}

void printSolution(const Report& report, const Solution& solution, const Norms& norms,
                   bool is_manufactured) {
  const auto local = solution.values->getLocalViewHost(Tpetra::Access::ReadOnly);
  double extremes[2] = {-1e300, -1e300};  // of -u and u
  for (std::size_t i = 0; i < local.extent(0); ++i) {
    extremes[0] = std::max(extremes[0], -local(i, 0));
    extremes[1] = std::max(extremes[1], local(i, 0));
  }
  double global[2];
  Teuchos::reduceAll(*solution.values->getMap()->getComm(), Teuchos::REDUCE_MAX, 2, extremes,
                     global);
  report.solver(solution);
  report("solution    %.6g to %.6g, L2 norm %.10g\n", -global[0], global[1], norms.solution);
  if (is_manufactured) report("error       %.4e in L2\n", norms.error);
}

void printConvergence(const Report& report, const std::vector<double>& errors,
                      const std::vector<double>& orders, double expected) {
  report("convergence %.4e", errors[0]);
  for (std::size_t i = 0; i < orders.size(); ++i)
    report(" -> %.4e (order %.2f)", errors[i + 1], orders[i]);
  report("; expected %.0f\n", expected);
}

}  // namespace Poisson
