// SPDX-License-Identifier: BSD-3-Clause
#include "ExampleSolver.hpp"

#ifdef KONTRACT_EXAMPLE_HAVE_MUELU
#include "MueLu_CreateTpetraPreconditioner.hpp"
#else
#include "Ifpack2_Factory.hpp"
#endif

namespace Example {

#ifdef KONTRACT_EXAMPLE_HAVE_MUELU
const char* preconditionerName() { return "MueLu smoothed aggregation"; }

RCP<Operator> makePreconditioner(const RCP<Matrix>& matrix, const RCP<MultiVector>& near_null_space,
                                 int num_components) {
  Teuchos::ParameterList parameters;
  parameters.set("verbosity", "none");
  parameters.set("number of equations", num_components);
  if (!near_null_space.is_null()) parameters.sublist("user data").set("Nullspace", near_null_space);
  // On more than one rank CG does not converge with MueLu's direct solvers in Debian's
  // Trilinos 13.2 (nor does a plain Laplace matrix), so the coarsest level has a smoother too, and
  // is small enough for it. Gauss-Seidel stays positive definite, where Chebyshev depends on an
  // estimate of the largest eigenvalue.
  parameters.set("coarse: max size", 100);
  parameters.set("coarse: type", "RELAXATION");
  auto& coarse = parameters.sublist("coarse: params");
  coarse.set("relaxation: type", "Symmetric Gauss-Seidel");
  coarse.set("relaxation: sweeps", 10);
  const RCP<Operator> op = matrix;
  return MueLu::CreateTpetraPreconditioner(op, parameters);
}
#else
const char* preconditionerName() { return "Ifpack2 symmetric Gauss-Seidel"; }

RCP<Operator> makePreconditioner(const RCP<Matrix>& matrix, const RCP<MultiVector>&, int) {
  using RowMatrix = Tpetra::RowMatrix<double, LocalOrdinal, GlobalOrdinal, Node>;
  const RCP<const RowMatrix> rows = matrix;
  const auto preconditioner = Ifpack2::Factory::create("RELAXATION", rows);
  Teuchos::ParameterList parameters;
  parameters.set("relaxation: type", "Symmetric Gauss-Seidel");
  parameters.set("relaxation: sweeps", 2);
  preconditioner->setParameters(parameters);
  preconditioner->initialize();
  preconditioner->compute();
  return preconditioner;
}
#endif

Solution solve(const System& system, const SolverInput& input,
               const RCP<MultiVector>& near_null_space, int num_components) {
  const auto values = rcp(new Vector(system.matrix->getDomainMap()));
  if (system.load->norm2() == 0) {
    Solution zero;
    zero.values = values;
    zero.preconditioner = preconditionerName();
    return zero;
  }
  return conjugateGradients(system.matrix,
                            makePreconditioner(system.matrix, near_null_space, num_components),
                            preconditionerName(), values, system.load, input);
}

}  // namespace Example
