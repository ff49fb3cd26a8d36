// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The same assembly by Kontract's forms and by chains of Kontract's and Intrepid2's
/// functions.
#ifndef POISSON_COMPARISON_HPP
#define POISSON_COMPARISON_HPP

#include "PoissonAssembly.hpp"
#include "PoissonInput.hpp"
#include "PoissonProgress.hpp"

namespace Poisson {

struct Comparison {
  System system;  ///< what the chosen method assembled
  /// Medians over the repetitions of the slowest rank's times.
  AssemblyTimes direct, fused, chain, intrepid2;
  AssemblyTimes sum_factorized;  ///< of hexahedra
  double difference = 0;  ///< of Kontract's matrices from Intrepid2's, relative; the largest one
  double load_difference = 0;  ///< of the load by forms straight into it from Intrepid2's
  double plan_seconds = 0;     ///< to find where forms add, once
  int num_worksets = 0;        ///< on all ranks
};

/// Assembles several times by each method, in turn, after one assembly each that is not timed.
Comparison compareAssemblies(const Mesh& mesh, const Element& element, const Model& model,
                             const AssemblyInput& input, Progress& progress);

}  // namespace Poisson

#endif
