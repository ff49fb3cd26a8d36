// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The evaluators of a field manager of Phalanx: by Intrepid2, by Kontract, and by forms.

#include "Evaluators.hpp"

#include <cmath>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "Kontract_FunctionSpaceTools.hpp"
#include "Teuchos_CommandLineProcessor.hpp"

namespace PhalanxExample {
namespace {

using FieldManager = PHX::FieldManager<Traits>;
using Residual = Traits::Residual;
using Jacobian = Traits::Jacobian;

constexpr double source = 60;
constexpr int num_rounds = 3;  ///< that are measured

/// The names of the three ways.
const std::string intrepid2 = "Intrepid2", kontract = "Kontract", law = "Law";

template <class EvalT>
void requireScatter(FieldManager& manager, const Layouts& layouts) {
  manager.requireField<EvalT>(PHX::Tag<double>("done", layouts.nothing));
}

/// The evaluators of Fads, whose tools are the one or the other.
template <class EvalT, class Tools>
void registerFads(FieldManager& manager, const std::string& way, const Layouts& layouts,
                  const System& system, const Kokkos::View<const double*, Device>& solution) {
  const auto add = [&](PHX::Evaluator<Traits>* evaluator) {
    manager.registerEvaluator<EvalT>(Teuchos::rcp(evaluator));
  };
  add(new Gather<EvalT>(way, layouts, solution));
  add(new Values<EvalT, Tools>(way, layouts));
  add(new Flux<EvalT>(way, layouts));
  add(new Integrate<EvalT, Tools>(way, layouts, source));
  add(new Scatter<EvalT>(way, layouts, system));
  requireScatter<EvalT>(manager, layouts);
}

template <class EvalT>
void registerLaw(FieldManager& manager, const Layouts& layouts, const Workset& first,
                 const System& system, const Kokkos::View<const double*, Device>& solution) {
  manager.registerEvaluator<EvalT>(Teuchos::rcp(new Gather<EvalT, double>(law, layouts, solution)));
  manager.registerEvaluator<EvalT>(
      Teuchos::rcp(new FormOfLaw<EvalT>(law, layouts, first, source, system)));
  requireScatter<EvalT>(manager, layouts);
}

/// What a way has computed.
struct Result {
  std::vector<double> residual, residual_with_matrix, matrix;
};

std::vector<double> copyOf(const Kokkos::View<double*, Device>& array) {
  return {array.data(), array.data() + array.extent(0)};
}

void setUp(FieldManager& manager, const Grid& grid) {
  const std::vector<PHX::index_size_type> derivatives{
      static_cast<PHX::index_size_type>(grid.worksets[0].numFields())};
  manager.setKokkosExtendedDataTypeDimensions<Jacobian>(derivatives);
  manager.postRegistrationSetup(nullptr);
}

/// Evaluates all worksets, for both evaluation types.
Result evaluate(FieldManager& manager, const Grid& grid) {
  const System& system = grid.system;
  Result result;
  Kokkos::deep_copy(system.residual, 0.0);
  for (const Workset& workset : grid.worksets) manager.evaluateFields<Residual>(workset);
  result.residual = copyOf(system.residual);
  Kokkos::deep_copy(system.residual, 0.0);
  Kokkos::deep_copy(system.matrix, 0.0);
  for (const Workset& workset : grid.worksets) manager.evaluateFields<Jacobian>(workset);
  result.residual_with_matrix = copyOf(system.residual);
  result.matrix = copyOf(system.matrix);
  return result;
}

double differenceOf(const std::vector<double>& a, const std::vector<double>& b) {
  double difference2 = 0, size2 = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference2 += (a[i] - b[i]) * (a[i] - b[i]);
    size2 += b[i] * b[i];
  }
  return std::sqrt(difference2 / size2);
}

void expectSame(const char* name, const std::vector<double>& found,
                const std::vector<double>& wanted) {
  const double difference = differenceOf(found, wanted);
  std::printf("%-44s %.1e\n", name, difference);
  if (!(difference <= 1e-13)) throw std::runtime_error(std::string(name) + ": not the same");
}

/// Microseconds a cell that an evaluator took; of one that a way does not have, nothing.
template <class EvalT>
void printRow(const char* name, int cells) {
  std::printf("%-20s", name);
  for (const std::string& way : {intrepid2, kontract, law}) {
    const auto timer = Teuchos::TimeMonitor::lookupCounter(Evaluator<EvalT>::timerName(way, name));
    if (timer.is_null()) {
      std::printf(" %10s", "-");
    } else {
      std::printf(" %10.2f", 1e6 * timer->totalElapsedTime() / (double(num_rounds) * cells));
    }
  }
  std::printf("\n");
}

template <class EvalT>
void printTable(const char* type, int cells) {
  std::printf("\n%-20s %10s %10s %10s   (us a cell)\n", type, intrepid2.c_str(), kontract.c_str(),
              law.c_str());
  for (const char* const name : {"gather", "values at points", "flux at points", "integrate",
                                 "scatter", "form of the law"}) {
    printRow<EvalT>(name, cells);
  }
}

void run(int n) {
  const Grid grid(n);
  const System& system = grid.system;
  const Layouts layouts(grid.worksets[0]);
  const Kokkos::View<double*, Device> solution("solution", system.numRows());
  for (int i = 0; i < system.numRows(); ++i) solution(i) = std::sin(double(i));
  std::printf("%d hexahedra of order two in %d worksets, %d unknowns\n", n * n * n, n,
              system.numRows());

  FieldManager by_intrepid2, by_kontract, by_law;
  using Theirs = Intrepid2::FunctionSpaceTools<Device>;
  using Ours = Kontract::FunctionSpaceTools<Device>;
  registerFads<Residual, Theirs>(by_intrepid2, intrepid2, layouts, system, solution);
  registerFads<Jacobian, Theirs>(by_intrepid2, intrepid2, layouts, system, solution);
  registerFads<Residual, Ours>(by_kontract, kontract, layouts, system, solution);
  registerFads<Jacobian, Ours>(by_kontract, kontract, layouts, system, solution);
  registerLaw<Residual>(by_law, layouts, grid.worksets[0], system, solution);
  registerLaw<Jacobian>(by_law, layouts, grid.worksets[0], system, solution);

  std::vector<Result> results;
  for (FieldManager* manager : {&by_intrepid2, &by_kontract, &by_law}) {
    setUp(*manager, grid);
    results.push_back(evaluate(*manager, grid));
  }
  Teuchos::TimeMonitor::zeroOutTimers();  // that was to warm up
  for (int round = 0; round < num_rounds; ++round) {
    for (FieldManager* manager : {&by_intrepid2, &by_kontract, &by_law}) evaluate(*manager, grid);
  }
  printTable<Residual>("Residual", n * n * n);
  printTable<Jacobian>("Jacobian", n * n * n);
  std::printf("\nrelative differences from Intrepid2:\n");
  for (const std::size_t way : {1, 2}) {
    const bool is_law = way == 2;
    const Result &found = results[way], &wanted = results[0];
    expectSame(is_law ? "residual, Law" : "residual, Kontract", found.residual, wanted.residual);
    expectSame(is_law ? "residual of Jacobian, Law" : "residual of Jacobian, Kontract",
               found.residual_with_matrix, wanted.residual_with_matrix);
    expectSame(is_law ? "matrix, Law" : "matrix, Kontract", found.matrix, wanted.matrix);
  }
}

}  // namespace
}  // namespace PhalanxExample

int main(int argc, char* argv[]) {
  Teuchos::CommandLineProcessor options(false);
  options.setDocString(
      "Residuals and Jacobians of nonlinear diffusion by the evaluators of Phalanx.\n");
  int cells = 8;
  options.setOption("cells", &cells, "cells along each edge of the cube, from 1 to 100");
  try {
    switch (options.parse(argc, argv)) {
      case Teuchos::CommandLineProcessor::PARSE_SUCCESSFUL: break;
      case Teuchos::CommandLineProcessor::PARSE_HELP_PRINTED: return 0;
      default: return 1;
    }
    if (cells < 1 || cells > 100) {
      throw std::invalid_argument("--cells is " + std::to_string(cells) +
                                  ", but has to be from 1 to 100");
    }
    const Kokkos::ScopeGuard guard(argc, argv);
    PhalanxExample::run(cells);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "Kontract_phalanx: " << error.what() << "\n";
    return 1;
  }
}
