// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Newton's method with Jacobians by automatic differentiation, as Panzer does it.

#include "LawDiffusion.hpp"
#include "NonlinearDiffusion.hpp"

#include <cmath>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>

#include "Teuchos_CommandLineProcessor.hpp"
#include "Teuchos_SerialDenseMatrix.hpp"
#include "Teuchos_SerialDenseSolver.hpp"
#include "Teuchos_SerialDenseVector.hpp"

namespace Evaluator {
namespace {

using Matrix = Teuchos::SerialDenseMatrix<int, double>;
using Vector = Teuchos::SerialDenseVector<int, double>;
using Fad = Jacobian::Scalar;

constexpr int num_rows = 8;  // of as many cells
constexpr int num_unknowns = (num_rows - 1) * (num_rows - 1);
constexpr double source = 60;
constexpr double rounding = 1e-12;

void expectSmall(const char* name, double value, double limit) {
  std::printf("%-52s %.1e, at most %.0e\n", name, value, limit);
  if (!(value <= limit)) throw std::runtime_error(std::string(name) + " is not zero");
}

/// The unknowns of cells; those of Fads are what derivatives are taken by.
template <class Field>
void gather(const Field& field, const Workset& workset, const Vector& solution) {
  for (int c = 0; c < workset.numCells(); ++c)
    for (int f = 0; f < workset.numFields(); ++f) {
      const int i = workset.unknowns[c][f];
      const double value = i < 0 ? 0 : solution[i];
      if constexpr (std::is_same_v<typename Field::value_type, double>)
        field(c, f) = value;
      else
        field(c, f) = Fad(workset.numFields(), f, value);
    }
}

/// Adds residuals of cells to the whole residual, and their derivatives to the Jacobian.
void scatter(const NonlinearDiffusion<Jacobian>& cells, const Workset& workset, Vector& residual,
             Matrix& jacobian) {
  for (int c = 0; c < workset.numCells(); ++c)
    for (int f = 0; f < workset.numFields(); ++f) {
      const int row = workset.unknowns[c][f];
      if (row < 0) continue;
      const Fad value = cells.residuals(c, f);
      residual[row] += value.val();
      for (int g = 0; g < workset.numFields(); ++g) {
        const int column = workset.unknowns[c][g];
        if (column >= 0) jacobian(row, column) += value.dx(g);
      }
    }
}

/// Of two arrays, relative to the second one, in the Frobenius norm.
class Difference {
 public:
  void add(double a, double b) {
    _difference2 += (a - b) * (a - b);
    _size2 += b * b;
  }
  double relative() const { return std::sqrt(_difference2 / _size2); }

 private:
  double _difference2 = 0;
  double _size2 = 0;
};

/// Compares residuals and derivatives of FunctionSpaceTools with those of Integration.
void compareWays(const NonlinearDiffusion<Jacobian>& cells, const Workset& workset,
                 Difference& difference) {
  for (int c = 0; c < workset.numCells(); ++c)
    for (int f = 0; f < workset.numFields(); ++f) {
      const Fad a = cells.residuals(c, f), b = cells.residuals_by_forms(c, f);
      difference.add(a.val(), b.val());
      for (int g = 0; g < workset.numFields(); ++g) difference.add(a.dx(g), b.dx(g));
    }
}

/// Compares residuals and derivatives by Fads with those of the law.
void compareWithLaw(const NonlinearDiffusion<Jacobian>& cells, const LawDiffusion& law,
                    const Workset& workset, Difference& difference) {
  for (int c = 0; c < workset.numCells(); ++c)
    for (int f = 0; f < workset.numFields(); ++f) {
      const Fad value = cells.residuals(c, f);
      difference.add(law.residuals(c, f), value.val());
      for (int g = 0; g < workset.numFields(); ++g)
        difference.add(law.jacobians(c, f, g), value.dx(g));
    }
}

/// Compares derivatives of cells with central differences of their residuals.
void compareWithQuotients(const NonlinearDiffusion<Jacobian>& jacobian,
                          NonlinearDiffusion<Residual>& residual, const Workset& workset,
                          const Vector& solution, Difference& difference) {
  constexpr double step = 1e-5;
  Array before("before", workset.numCells(), workset.numFields());
  for (int g = 0; g < workset.numFields(); ++g) {
    const auto evaluateAt = [&](double shift) {
      gather(residual.unknowns, workset, solution);
      for (int c = 0; c < workset.numCells(); ++c) residual.unknowns(c, g) += shift;
      residual.evaluateFields(workset);
    };
    evaluateAt(-step);
    Kokkos::deep_copy(before, residual.residuals);
    evaluateAt(step);
    for (int c = 0; c < workset.numCells(); ++c)
      for (int f = 0; f < workset.numFields(); ++f) {
        const Fad value = jacobian.residuals(c, f);
        difference.add(value.dx(g), (residual.residuals(c, f) - before(c, f)) / (2 * step));
      }
  }
}

template <class F>
double secondsOf(const F& f) {
  const Kokkos::Timer timer;
  f();
  Kokkos::fence();
  return timer.seconds();
}

Vector solve(Matrix& matrix, Vector& right_hand_side) {
  Vector result(right_hand_side.length());
  Teuchos::SerialDenseSolver<int, double> solver;
  solver.setMatrix(Teuchos::rcpFromRef(matrix));
  solver.setVectors(Teuchos::rcpFromRef(result), Teuchos::rcpFromRef(right_hand_side));
  if (solver.solve() != 0) throw std::runtime_error("the Jacobian is singular");
  return result;
}

/// The order of convergence at the last of three errors.
double orderOf(const std::vector<double>& errors) {
  const auto* last = &errors.back();
  return std::log(last[0] / last[-1]) / std::log(last[-1] / last[-2]);
}

void run() {
  std::vector<Workset> worksets;
  for (int row = 0; row < num_rows; ++row) worksets.push_back(makeRow(row, num_rows));
  NonlinearDiffusion<Jacobian> jacobians(worksets[0], source);
  NonlinearDiffusion<Residual> residuals(worksets[0], source);
  LawDiffusion law(worksets[0], source);

  Vector solution(num_unknowns);
  std::vector<double> norms;
  Difference of_ways, of_law, from_quotients;
  double seconds_of_fads = 0, seconds_of_law = 0;
  double order = 0;
  std::printf("Newton   residual    order\n");
  while (norms.empty() || !(norms.back() <= rounding * norms.front())) {
    if (norms.size() == 12) throw std::runtime_error("Newton's method does not converge");
    Vector residual(num_unknowns);
    Matrix jacobian(num_unknowns, num_unknowns);
    for (const auto& workset : worksets) {
      gather(jacobians.unknowns, workset, solution);
      seconds_of_fads += secondsOf([&] { jacobians.evaluateFields(workset); });
      gather(law.unknowns, workset, solution);
      seconds_of_law += secondsOf([&] { law.evaluateFields(workset); });
      scatter(jacobians, workset, residual, jacobian);
      compareWays(jacobians, workset, of_ways);
      compareWithLaw(jacobians, law, workset, of_law);
      compareWithQuotients(jacobians, residuals, workset, solution, from_quotients);
    }
    norms.push_back(residual.normFrobenius());
    std::printf("%6zu   %.2e", norms.size() - 1, norms.back());
    if (norms.size() > 2) std::printf("   %.2f", orderOf(norms));
    std::printf("\n");
    // Rounding hides the order of what is smaller.
    if (norms.size() > 2 && norms.back() > rounding * norms.front()) order = orderOf(norms);
    residual.scale(-1);
    solution += solve(jacobian, residual);
  }
  std::printf("largest unknown %.6f\n", solution.normInf());
  std::printf("Jacobians by Fads, tools and forms: %.3f ms, by the law: %.3f ms\n",
              1e3 * seconds_of_fads, 1e3 * seconds_of_law);
  expectSmall("residuals and derivatives, law minus Fads", of_law.relative(), 1e-13);
  expectSmall("residuals and derivatives, tools minus forms", of_ways.relative(), 1e-13);
  expectSmall("derivatives minus quotients of differences", from_quotients.relative(), 1e-7);
  expectSmall("2 minus the order before rounding", 2 - order, 0.2);
}

}  // namespace
}  // namespace Evaluator

int main(int argc, char* argv[]) {
  try {
    Teuchos::CommandLineProcessor options(false);
    options.setDocString(
        "Nonlinear diffusion by an evaluator with Fads, and by a law at points; has no options.\n");
    switch (options.parse(argc, argv)) {
      case Teuchos::CommandLineProcessor::PARSE_SUCCESSFUL: break;
      case Teuchos::CommandLineProcessor::PARSE_HELP_PRINTED: return 0;
      default: return 1;
    }
    const Kokkos::ScopeGuard guard(argc, argv);
    Evaluator::run();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "Kontract_evaluator: " << error.what() << "\n";
    return 1;
  }
}
