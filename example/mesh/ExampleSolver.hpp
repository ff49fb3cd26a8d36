// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Conjugate gradients from Belos.
#ifndef EXAMPLE_SOLVER_HPP
#define EXAMPLE_SOLVER_HPP

#include <string>

#include "ExampleSystem.hpp"

#include "Tpetra_Operator.hpp"

namespace Example {

struct SolverInput {
  double tolerance = 1e-10;
  int max_iterations = 500;
};

struct Solution {
  RCP<Vector> values;  ///< on the owners
  int iterations = 0;
  double residual = 0;  ///< |b - A x| / |b|, computed anew; |A x| where b is zero
  std::string preconditioner;
};

using Operator = Tpetra::Operator<double, LocalOrdinal, GlobalOrdinal, Node>;

/// Conjugate gradients of Belos from a first guess on. Collective.
/// \param preconditioner  may be null
/// \param name            of the preconditioner
/// \param values          first guess; becomes the solution
/// \throws InputError if the iterations do not suffice, or if the residual that is computed anew is
///   more than ten times what was asked for.
Solution conjugateGradients(const RCP<const Operator>& matrix,
                            const RCP<const Operator>& preconditioner, const std::string& name,
                            const RCP<Vector>& values, const RCP<const Vector>& load,
                            const SolverInput& input);

/// The preconditioner that the build has: MueLu's smoothed aggregation, else Gauss-Seidel of
/// Ifpack2. \param near_null_space, num_components  as below
RCP<Operator> makePreconditioner(const RCP<Matrix>& matrix,
                                 const RCP<MultiVector>& near_null_space = Teuchos::null,
                                 int num_components = 1);
/// Its name.
const char* preconditionerName();

/// With that preconditioner.
/// \param near_null_space  fields that a matrix without fixed values maps to zero, for multigrid;
///   null for scalar problems, where it is the constant
/// \param num_components   degrees of freedom at a node
/// \throws InputError if the iterations do not suffice.
Solution solve(const System& system, const SolverInput& input,
               const RCP<MultiVector>& near_null_space = Teuchos::null, int num_components = 1);

}  // namespace Example

#endif
