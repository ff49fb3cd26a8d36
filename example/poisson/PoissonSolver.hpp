// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Conjugate gradients from Belos with the preconditioner that the build has.
#ifndef POISSON_SOLVER_HPP
#define POISSON_SOLVER_HPP

#include <string>

#include "PoissonInput.hpp"
#include "PoissonSystem.hpp"

namespace Poisson {

struct Solution {
  RCP<Vector> values;  ///< on the owners
  int iterations = 0;
  double residual = 0;  ///< |b - A x| / |b|, computed anew
  std::string preconditioner;
};

/// \throws InputError if the iterations do not suffice.
Solution solve(const System& system, const SolverInput& input);

}  // namespace Poisson

#endif
