// SPDX-License-Identifier: BSD-3-Clause
#include "PoissonReport.hpp"

#include <algorithm>
#include <cstdio>

namespace Poisson {
namespace {

void time(double seconds) {
  if (seconds > 0) {
    std::printf(" %9.2f ms", 1e3 * seconds);
  } else {
    std::printf("            -");
  }
}

void ratio(double slower, double faster) {
  if (faster > 0) {
    std::printf(" %8.2fx", slower / faster);
  } else {
    std::printf("         -");
  }
}

/// A row of times and ratios; forms have no contractions of their own, and no time of them.
void row(const char* name, double direct, double fused, double chain, double intrepid2) {
  std::printf("    %-16s", name);
  for (const double seconds : {direct, fused, chain, intrepid2}) time(seconds);
  for (const double seconds : {chain, fused, direct}) ratio(intrepid2, seconds);
  std::printf("\n");
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
  std::printf("    %-16s %12s %12s %12s %12s %9s %9s %9s\n", "", "direct", "forms", "chain",
              "Intrepid2", "I2/chain", "I2/forms", "I2/direct");
  row("contractions", c.direct.contractions, c.fused.contractions, c.chain.contractions,
      c.intrepid2.contractions);
  row("integration", c.direct.integration, c.fused.integration, c.chain.integration,
      c.intrepid2.integration);
  row("whole assembly", c.direct.total, c.fused.total, c.chain.total, c.intrepid2.total);
  std::printf("    direct: forms add to the matrix where a plan says, which took %.2f ms once\n",
              1e3 * c.plan_seconds);
  if (c.sum_factorized.total > 0) {
    std::printf("    sum factorization: integration %.2f ms, whole assembly %.2f ms\n",
                1e3 * c.sum_factorized.integration, 1e3 * c.sum_factorized.total);
  }
  std::printf("    %-16s %.1e (relative, Frobenius), of loads %.1e\n", "matrix difference",
              c.difference, c.load_difference);
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
