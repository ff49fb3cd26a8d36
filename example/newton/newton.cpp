// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Newton's method for three laws at points: nonlinear diffusion, reaction with convection,
/// and hyperelasticity. The law alone is differentiated; the Jacobian is never a matrix. Element
/// Jacobians are compared with those of Fads that are carried through everything.

#include "NewtonByFads.hpp"
#include "NewtonProblem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "BelosPseudoBlockGmresSolMgr.hpp"
#include "BelosTpetraAdapter.hpp"
#include "Teuchos_CommandLineProcessor.hpp"

namespace Newton {
namespace {

struct Input {
  std::string law = "all";
  int cells = 4, order = 1;
};

/// The shortest of several runs.
template <class F>
double secondsOf(const F& f) {
  double shortest = 0;
  for (int i = 0; i < 5; ++i) {
    const Kokkos::Timer timer;
    f();
    Kokkos::fence();
    const double seconds = timer.seconds();
    if (i == 0 || seconds < shortest) shortest = seconds;
  }
  return shortest;
}

/// Element Jacobians and residuals in both ways: microseconds and arrays of a cell.
/// \return the largest difference, relative to the largest entry
template <class Law, class Fad>
double compareWithFads(const Cube& cube, Problem<Law>& problem, const Law& law,
                       const Array& unknowns) {
  constexpr int K = Law::unknowns;
  const int n = cube.fields * K;
  ByFads<Law, Fad> by_fads(cube);
  const double of_fads = secondsOf([&] { by_fads.compute(unknowns, law); });
  const Kokkos::View<double***, Kokkos::LayoutRight, Device> matrices("matrices", cube.cells, n, n);
  const Kokkos::View<double**, Kokkos::LayoutRight, Device> residuals("residuals", cube.cells, n);
  const double of_law = secondsOf([&] {
    problem.form().residual(residuals, unknowns);
    problem.form().linearize(unknowns);
    problem.form().matrices(matrices);
  });
  double difference = 0, largest = 0;
  const auto keep = [](double& most, double number) {  // or NaN, once there is one
    if (!std::isnan(most) && !(std::abs(number) <= most)) most = std::abs(number);
  };
  for (int c = 0; c < cube.cells; ++c) {
    for (int i = 0; i < n; ++i) {
      const Fad wanted = by_fads.residuals[i % K](c, i / K);
      keep(difference, residuals(c, i) - wanted.val());
      for (int j = 0; j < n; ++j) {
        keep(difference, matrices(c, i, j) - wanted.dx(j));
        keep(largest, wanted.dx(j));
      }
    }
  }
  const double at_points = 8.0 * cube.points * K * (1 + space_dim) * (1 + K * (1 + space_dim));
  std::printf(
      "  element Jacobians of %d unknowns: %.2f us a cell and %.1f kB by the law, %.2f us "
      "and %.1f kB by Fads: %.1f times\n",
      n, 1e6 * of_law / cube.cells, at_points / 1e3, 1e6 * of_fads / cube.cells,
      by_fads.bytes() / 1e3, of_fads / of_law);
  return difference / largest;
}

/// Solves J step = -residual by GMRES.
template <class Law>
int solve(Problem<Law>& problem, const Teuchos::RCP<const Map>& map, Vector& step,
          const Vector& residual) {
  using Linear = Belos::LinearProblem<double, MultiVector, Operator>;
  const Teuchos::RCP<Vector> right_side(new Vector(residual, Teuchos::Copy));
  right_side->scale(-1);
  step.putScalar(0);
  const Teuchos::RCP<MultiVector> solution(new Vector(step, Teuchos::View));
  const Teuchos::RCP<Operator> jacobian(new Jacobian<Law>(problem, map));
  const Teuchos::RCP<Linear> linear(new Linear(jacobian, solution, right_side));
  linear->setProblem();
  const auto parameters = Teuchos::parameterList();
  parameters->set("Convergence Tolerance", 1e-10);
  parameters->set("Maximum Iterations", 2000);
  parameters->set("Num Blocks", 400);
  Belos::PseudoBlockGmresSolMgr<double, MultiVector, Operator> gmres(linear, parameters);
  if (gmres.solve() != Belos::Converged) throw std::runtime_error("GMRES does not converge");
  step.assign(*solution->getVector(0));
  return gmres.getNumIters();
}

void require(bool is_true, const std::string& what) {
  if (!is_true) throw std::runtime_error(what);
}

template <class Law, int fields>
void solveLaw(const Input& input) {
  constexpr int K = Law::unknowns;
  constexpr double tolerance = 1e-9;
  const Cube cube(input.cells, input.order);
  const Law law{};
  Problem<Law> problem(cube, law);
  const Teuchos::RCP<const Map> map(new Map(problem.unknowns(), 0, Tpetra::getDefaultComm()));
  Vector u(map), residual(map), step(map);
  {
    const auto values = u.getDataNonConst(0);
    for (int i = 0; i < problem.unknowns(); ++i) {
      values[i] = problem.isGiven(i) ? problem.given(i) : 0;
    }
  }
  std::printf("%s: %d cells of order %d, %d unknowns a point, %d in all\n", Law::name, cube.cells,
              input.order, K, problem.unknowns());
  std::printf("  Newton   residual    GMRES\n");
  std::vector<double> norms;
  while (true) {
    problem.residual(u, residual);
    norms.push_back(residual.norm2());
    std::printf("  %6zu   %.2e", norms.size() - 1, norms.back());
    if (norms.back() <= tolerance * norms.front()) break;
    require(norms.size() < 15 && norms.back() == norms.back(), "Newton's method does not converge");
    problem.form().linearize(problem.gather(u));
    std::printf("   %6d\n", solve(problem, map, step, residual));
    u.update(1, step, 1);
  }
  std::printf("\n  largest unknown %.6f\n", u.normInf());
  const double difference = compareWithFads<Law, Sacado::Fad::SFad<double, fields * K>>(
      cube, problem, law, problem.gather(u));
  std::printf("  residuals and derivatives, law minus Fads: %.1e\n", difference);
  require(difference < 1e-13, "derivatives differ from those of Fads");
  // Quadratic, until rounding and the tolerance of GMRES hide it.
  const std::size_t n = norms.size();
  require(n > 3 && norms[n - 2] < 0.2 * norms[n - 3], "Newton's method slows down");
}

template <class Law>
void solveOfOrder(const Input& input) {
  if (input.order == 1) return solveLaw<Law, 8>(input);
  solveLaw<Law, 27>(input);
}

void run(const Input& input) {
  const bool all = input.law == "all";
  require(input.cells > 0 && (input.order == 1 || input.order == 2),
          "--cells is above 0, and --order is 1 or 2");
  require(
      all || input.law == "diffusion" || input.law == "reaction" || input.law == "hyperelasticity",
      "no law '" + input.law + "': there are diffusion, reaction, hyperelasticity and all");
  require(Tpetra::getDefaultComm()->getSize() == 1, "this program is for one process");
  if (all || input.law == "diffusion") solveOfOrder<Diffusion>(input);
  if (all || input.law == "reaction") solveOfOrder<Reaction>(input);
  if (all || input.law == "hyperelasticity") solveOfOrder<Hyperelasticity>(input);
}

}  // namespace
}  // namespace Newton

int main(int argc, char* argv[]) {
  // Before Kokkos and MPI, which would take --help for a question to them.
  Newton::Input input;
  Teuchos::CommandLineProcessor line(false);
  line.setDocString("Solves problems whose laws at points are not linear by Newton's method.\n");
  line.setOption("law", &input.law, "diffusion, reaction, hyperelasticity or all");
  line.setOption("cells", &input.cells, "along an edge of the cube");
  line.setOption("order", &input.order, "of the hexahedra, 1 or 2");
  try {
    switch (line.parse(argc, argv)) {
      case Teuchos::CommandLineProcessor::PARSE_SUCCESSFUL: break;
      case Teuchos::CommandLineProcessor::PARSE_HELP_PRINTED: return 0;
      default: return 1;
    }
    const Tpetra::ScopeGuard guard(&argc, &argv);
    Newton::run(input);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "Kontract_newton: " << error.what() << "\n";
    return 1;
  }
}
