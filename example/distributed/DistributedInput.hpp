// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief What the user asks for on the command line.
#ifndef DISTRIBUTED_INPUT_HPP
#define DISTRIBUTED_INPUT_HPP

#include <optional>
#include <string>

#include "ExampleProgram.hpp"
#include "ExampleSerialMesh.hpp"
#include "ExampleSolver.hpp"

namespace Distributed {

using namespace Example;

struct Input {
  MeshInput mesh;
  SolverInput solver;
  int repetitions = 20;
  std::string output;  ///< path without extension; empty: no files
};

/// Reads the command line. Collective.
/// \return nothing if the user wants help, which is then printed.
/// \throws InputError with one line.
std::optional<Input> readInput(const Teuchos::Comm<int>& comm, const Arguments& arguments);

}  // namespace Distributed

#endif
