// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief What the user asks for: command line and parameter list.
#ifndef POISSON_INPUT_HPP
#define POISSON_INPUT_HPP

#include <optional>
#include <string>

#include "ExampleProgram.hpp"
#include "ExampleSerialMesh.hpp"
#include "ExampleSolver.hpp"
#include "PoissonFields.hpp"

#include "Teuchos_ParameterList.hpp"

namespace Poisson {

enum class Method { Direct, Fused, SumFactorization, Chain, Intrepid2 };

struct AssemblyInput {
  Method method = Method::Direct;  ///< whose system is solved
  int workset_size = 100;
  int repetitions = 5;
};

struct OutputInput {
  std::string base;  ///< path without extension; empty: no files
  bool picture = true;
  std::string title;
  std::string quantity;
};

struct Input {
  MeshInput mesh;
  AssemblyInput assembly;
  SolverInput solver;
  OutputInput output;
  Model model;
  bool convergence = false;
  Teuchos::ParameterList kontract;  ///< Kontract validates it
};

/// Reads the command line and the list that it names. Collective.
/// \return nothing if the user wants help, which is then printed.
/// \throws InputError with one line.
std::optional<Input> readInput(const Teuchos::Comm<int>& comm, const Arguments& arguments);

}  // namespace Poisson

#endif
