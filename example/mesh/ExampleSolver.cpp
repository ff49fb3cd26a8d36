// SPDX-License-Identifier: BSD-3-Clause
#include "ExampleSolver.hpp"

#include <sstream>

#include "BelosLinearProblem.hpp"
#include "BelosPseudoBlockCGSolMgr.hpp"
#include "BelosTpetraAdapter.hpp"
#ifdef KONTRACT_EXAMPLE_HAVE_MUELU
#include "MueLu_CreateTpetraPreconditioner.hpp"
#else
#include "Ifpack2_Factory.hpp"
#endif

namespace Example {
namespace {

#ifdef KONTRACT_EXAMPLE_HAVE_MUELU
constexpr auto preconditioner_name = "MueLu smoothed aggregation";

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
constexpr auto preconditioner_name = "Ifpack2 symmetric Gauss-Seidel";

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

double relativeResidual(const Operator& matrix, const Vector& x, const Vector& load) {
  Vector residual(load, Teuchos::Copy);
  matrix.apply(x, residual, Teuchos::NO_TRANS, -1.0, 1.0);
  return residual.norm2() / load.norm2();
}

}  // namespace

Solution conjugateGradients(const RCP<const Operator>& matrix,
                            const RCP<const Operator>& preconditioner, const std::string& name,
                            const RCP<Vector>& values, const RCP<const Vector>& load,
                            const SolverInput& input) {
  Solution solution;
  solution.values = values;
  solution.preconditioner = name;
  using Problem = Belos::LinearProblem<double, MultiVector, Operator>;
  const auto problem = rcp(new Problem(matrix, values, load));
  if (!preconditioner.is_null()) problem->setLeftPrec(preconditioner);
  problem->setProblem();

  const auto parameters = Teuchos::parameterList();
  parameters->set("Convergence Tolerance", input.tolerance);
  parameters->set("Maximum Iterations", input.max_iterations);
  Belos::PseudoBlockCGSolMgr<double, MultiVector, Operator> cg(problem, parameters);
  Belos::ReturnType status = Belos::Unconverged;
  try {
    status = cg.solve();
  } catch (const Belos::CGIterateFailure&) {
    throw InputError(
        "conjugate gradients broke down: matrix or preconditioner is not positive definite");
  }
  solution.iterations = cg.getNumIters();
  solution.residual = relativeResidual(*matrix, *values, *load);
  if (status != Belos::Converged) {
    std::ostringstream message;
    message << "conjugate gradients stopped after " << solution.iterations
            << " iterations with a relative residual of " << solution.residual << "; asked for "
            << input.tolerance;
    throw InputError(message.str());
  }
  return solution;
}

Solution solve(const System& system, const SolverInput& input,
               const RCP<MultiVector>& near_null_space, int num_components) {
  const auto values = rcp(new Vector(system.matrix->getDomainMap()));
  if (system.load->norm2() == 0) {
    Solution zero;
    zero.values = values;
    zero.preconditioner = preconditioner_name;
    return zero;
  }
  return conjugateGradients(system.matrix,
                            makePreconditioner(system.matrix, near_null_space, num_components),
                            preconditioner_name, values, system.load, input);
}

}  // namespace Example
