// SPDX-License-Identifier: BSD-3-Clause
#include "ExampleSolver.hpp"

#include <sstream>

#include "BelosLinearProblem.hpp"
#include "BelosPseudoBlockCGSolMgr.hpp"
#include "BelosTpetraAdapter.hpp"

namespace Example {
namespace {

double relativeResidual(const Operator& matrix, const Vector& x, const Vector& load) {
  Vector residual(load, Teuchos::Copy);
  matrix.apply(x, residual, Teuchos::NO_TRANS, -1.0, 1.0);
  const double of_load = load.norm2();
  return of_load > 0 ? residual.norm2() / of_load : residual.norm2();
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
  // What the iterations keep up to date drifts from the residual by rounding.
  const bool is_solved = status == Belos::Converged && solution.residual <= 10 * input.tolerance;
  if (!is_solved) {
    std::ostringstream message;
    message << "conjugate gradients stopped after " << solution.iterations
            << " iterations with a relative residual of " << solution.residual << "; asked for "
            << input.tolerance;
    throw InputError(message.str());
  }
  return solution;
}

}  // namespace Example
