// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief What the program prints.
#ifndef POISSON_REPORT_HPP
#define POISSON_REPORT_HPP

#include <vector>

#include "ExampleReport.hpp"
#include "PoissonComparison.hpp"
#include "PoissonInput.hpp"
#include "PoissonNorms.hpp"

namespace Poisson {

// Collective.
void printMesh(const Report& report, const MeshInput& input, const Mesh& mesh);
void printSolution(const Report& report, const Solution& solution, const Norms& norms,
                   bool is_manufactured);
void printConvergence(const Report& report, const std::vector<double>& errors,
                      const std::vector<double>& orders, double expected);

}  // namespace Poisson

#endif
