// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Stiffness and body forces of a body, assembled by forms and by chains of functions.
#ifndef ELASTICITY_ASSEMBLY_HPP
#define ELASTICITY_ASSEMBLY_HPP

#include "ElasticityBody.hpp"
#include "ExampleComparison.hpp"

namespace Elasticity {

struct Comparison {
  AssemblyComparison ways;
  double plan_seconds = 0;  ///< to find where forms add, once
};

/// Assembles the stiffness and the body forces several times in each way. Collective.
Comparison compareAssemblies(const Body& body, int repetitions);

}  // namespace Elasticity

#endif
