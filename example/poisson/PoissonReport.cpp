// SPDX-License-Identifier: BSD-3-Clause
#include "PoissonReport.hpp"

#include <cstdio>
#include <filesystem>

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

void Report::mesh(const MeshInput& input, const Mesh& mesh, const Element& element) const {
  const auto num_nodes = mesh.owned_nodes->getGlobalNumElements();
  if (!_is_printing) return;
  std::printf("mesh        %s: %lld cells (%s of order %d), %llu nodes\n",
              std::filesystem::path(input.file).filename().string().c_str(),
              static_cast<long long>(mesh.num_global_cells), name(element.shape()).c_str(),
              element.order(), static_cast<unsigned long long>(num_nodes));
  std::printf("ranks       %d, on %s\n", mesh.comm->getSize(), ExecutionSpace::name());
}

void Report::assembly(const Comparison& c, const AssemblyInput& input) const {
  if (!_is_printing) return;
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

void Report::solution(const Solution& solution, const Vector& values, const Norms& norms,
                      bool is_manufactured) const {
  const auto local = values.getLocalViewHost(Tpetra::Access::ReadOnly);
  double extremes[2] = {-1e300, -1e300};  // of -u and u
  for (std::size_t i = 0; i < local.extent(0); ++i) {
    extremes[0] = std::max(extremes[0], -local(i, 0));
    extremes[1] = std::max(extremes[1], local(i, 0));
  }
  double global[2];
  Teuchos::reduceAll(*values.getMap()->getComm(), Teuchos::REDUCE_MAX, 2, extremes, global);
  if (!_is_printing) return;
  std::printf("solver      CG with %s: %d iterations, residual %.1e\n",
              solution.preconditioner.c_str(), solution.iterations, solution.residual);
  std::printf("solution    %.6g to %.6g, L2 norm %.10g\n", -global[0], global[1], norms.solution);
  if (is_manufactured) std::printf("error       %.4e in L2\n", norms.error);
}

void Report::files(const std::string& vtk, const std::string& picture) const {
  if (!_is_printing || vtk.empty()) return;
  std::printf("files       %s%s%s\n", vtk.c_str(), picture.empty() ? "" : ", ", picture.c_str());
}

void Report::convergence(const std::vector<double>& errors, const std::vector<double>& rates,
                         double expected) const {
  if (!_is_printing) return;
  std::printf("convergence %.4e", errors[0]);
  for (std::size_t i = 0; i < rates.size(); ++i)
    std::printf(" -> %.4e (order %.2f)", errors[i + 1], rates[i]);
  std::printf("; expected %.0f\n", expected);
}

}  // namespace Poisson
