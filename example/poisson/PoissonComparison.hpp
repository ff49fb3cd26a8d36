// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The same assembly by Kontract's forms and by chains of Kontract's and Intrepid2's
/// functions.
#ifndef POISSON_COMPARISON_HPP
#define POISSON_COMPARISON_HPP

#include "ExampleComparison.hpp"
#include "PoissonAssembly.hpp"
#include "PoissonInput.hpp"
#include "PoissonProgress.hpp"

namespace Poisson {

struct Comparison {
  AssemblyComparison ways;
  double plan_seconds = 0;  ///< to find where forms add, once

  /// What the chosen method assembled.
  const System& system(Method method) const;
};

/// Assembles several times by each method.
Comparison compareAssemblies(const Mesh& mesh, const Element& element, const Model& model,
                             const AssemblyInput& input, Progress& progress);

}  // namespace Poisson

#endif
