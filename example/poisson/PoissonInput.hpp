// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief What the user asks for: command line and parameter list.
#ifndef POISSON_INPUT_HPP
#define POISSON_INPUT_HPP

#include <map>
#include <optional>
#include <string>

#include "PoissonElement.hpp"
#include "PoissonFields.hpp"
#include "PoissonTypes.hpp"

#include "Teuchos_ParameterList.hpp"

namespace Poisson {

struct MeshInput {
  std::string file;
  Shape shape = Shape::Tetrahedron;
  int order = 1;
  double size_factor = 1;
  int refinements = 0;
  /// Value of the solution on each named group of surfaces; ignored if whole_boundary is set.
  std::map<std::string, double> boundary_values;
  bool whole_boundary = false;
};

enum class Method { Fused, Chain, Intrepid2 };

struct AssemblyInput {
  Method method = Method::Fused;  ///< whose system is solved
  int workset_size = 100;
  int repetitions = 5;
};

struct SolverInput {
  double tolerance = 1e-10;
  int max_iterations = 500;
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
std::optional<Input> readInput(const Teuchos::Comm<int>& comm, int argc, char* argv[],
                               bool wants_help);

/// A file that belongs to the program: from the working directory or else the build directory.
std::string programFile(const std::string& name);

}  // namespace Poisson

#endif
