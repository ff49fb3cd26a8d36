// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Norms of the solution and of its error.
#ifndef POISSON_NORMS_HPP
#define POISSON_NORMS_HPP

#include "ExampleElement.hpp"
#include "ExampleMesh.hpp"
#include "PoissonFields.hpp"

namespace Poisson {

/// The L2 norm of a nodal field, and of its difference from a wave. Collective.
struct Norms {
  double solution = 0;
  double error = 0;
};
Norms l2Norms(const Mesh& mesh, const Element& element, const Model& model,
              const MultiVector& local_solution, int workset_size);

}  // namespace Poisson

#endif
