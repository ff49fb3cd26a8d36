// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief What the user asks for on the command line.
#ifndef ELASTICITY_INPUT_HPP
#define ELASTICITY_INPUT_HPP

#include <optional>
#include <string>

#include "ElasticityModel.hpp"
#include "ExampleProgram.hpp"
#include "ExampleSerialMesh.hpp"
#include "ExampleSolver.hpp"

namespace Elasticity {

struct Input {
  MeshInput mesh;  ///< fixed nodes are clamped; group 0 of faces is loaded
  Material material;
  Loads loads;
  SolverInput solver;
  int workset_size = 100;
  int repetitions = 3;  ///< of the timed assembly
  bool patch = false;   ///< the patch test: linear displacements on the whole boundary, no loads
  std::string output;   ///< path without extension; empty: no files
};

/// Reads the command line. Collective.
/// \return nothing if the user wants help, which is then printed.
/// \throws InputError with one line.
std::optional<Input> readInput(const Teuchos::Comm<int>& comm, const Arguments& arguments);

}  // namespace Elasticity

#endif
