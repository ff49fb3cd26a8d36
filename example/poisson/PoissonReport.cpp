// SPDX-License-Identifier: BSD-3-Clause
#include "PoissonReport.hpp"

#include <algorithm>
#include <cstdio>

namespace Poisson {
namespace {

/// A row of times and ratios; forms have no contractions of their own, and no time of them.
void row(const char* name, double fused, double chain, double intrepid2) {
  const bool has_forms = fused > 0;
  std::printf("    %-16s", name);
  std::printf(has_forms ? " %9.2f ms" : "            -", 1e3 * fused);
  std::printf(" %9.2f ms %9.2f ms %8.2fx", 1e3 * chain, 1e3 * intrepid2, intrepid2 / chain);
  std::printf(has_forms ? " %8.2fx\n" : "         -\n", has_forms ? intrepid2 / fused : 0);
}

}  // namespace

void printMesh(const Report& report, const MeshInput& input, const Mesh& mesh) {
  report.mesh(input, mesh, mesh.owned_nodes->getGlobalNumElements(), "nodes");
  report.ranks();
}

void printAssembly(const Report& report, const Comparison& c, const AssemblyInput& input) {
  if (!report.isPrinting()) return;
  std::printf("assembly    %d worksets of up to %d cells; median of %d\n", c.num_worksets,
              input.workset_size, input.repetitions);
  std::printf("    %-16s %12s %12s %12s %9s %9s\n", "", "forms", "chain", "Intrepid2", "I2/chain",
              "I2/forms");
  row("contractions", c.fused.contractions, c.chain.contractions, c.intrepid2.contractions);
  row("integration", c.fused.integration, c.chain.integration, c.intrepid2.integration);
  row("whole assembly", c.fused.total, c.chain.total, c.intrepid2.total);
  if (c.sum_factorized.total > 0) {
    std::printf("    sum factorization: integration %.2f ms, whole assembly %.2f ms\n",
                1e3 * c.sum_factorized.integration, 1e3 * c.sum_factorized.total);
  }
  std::printf("    %-16s %.1e (relative, Frobenius)\n", "matrix difference", c.difference);
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
