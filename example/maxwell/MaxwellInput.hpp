// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief What the user asks for on the command line.
#ifndef MAXWELL_INPUT_HPP
#define MAXWELL_INPUT_HPP

#include <optional>
#include <string>

#include "ExampleProgram.hpp"
#include "ExampleSolver.hpp"
#include "MaxwellGrid.hpp"
#include "MaxwellProblem.hpp"

namespace Maxwell {

struct Input {
  Grid grid = {16, 0.05};
  Cavity problem;
  int degree = 2;
  int workset_size = 100;
  int repetitions = 5;
  SolverInput solver;
  std::string output = "field";
  bool convergence = false;
};

/// \return nothing if the user wants help, which is then printed.
/// \throws InputError with one line on all ranks.
std::optional<Input> readInput(const Teuchos::Comm<int>& comm, const Arguments& arguments);

}  // namespace Maxwell

#endif
