// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The same assembly with Kontract's and with Intrepid2's ArrayTools.
#ifndef POISSON_COMPARISON_HPP
#define POISSON_COMPARISON_HPP

#include "PoissonAssembly.hpp"
#include "PoissonProgress.hpp"

namespace Poisson {

struct Comparison {
  System system;  ///< what Kontract assembled
  /// Medians over the repetitions of the slowest rank's times.
  AssemblyTimes kontract, intrepid2;
  double difference = 0;  ///< of the matrices, relative
  int num_worksets = 0;   ///< on all ranks
};

/// Assembles several times with both, in turn, after one assembly each that is not timed.
Comparison compareAssemblies(const Mesh& mesh, const Element& element, const Model& model,
                             int workset_size, int repetitions, Progress& progress);

}  // namespace Poisson

#endif
