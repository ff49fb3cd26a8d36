// SPDX-License-Identifier: BSD-3-Clause
#include "MaxwellInput.hpp"

#include <limits>

#include "ExampleInput.hpp"

namespace Maxwell {

std::optional<Input> readInput(const Teuchos::Comm<int>& comm, const Arguments& arguments) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  // With more, the determinant of the grid's map comes near zero: it is 1 - 7.3 |bend| or more.
  constexpr double max_bend = 0.1;
  Input input;
  input.solver.max_iterations = 5000;
  CommandLine options(
      "Solves curl(curl E / mu) + sigma E = f in a cube of bent hexahedra with edge elements.\n"
      "Assembles by Kontract's forms, by a chain of Kontract's FunctionSpaceTools and by the same\n"
      "chain of Intrepid2's, and compares the three.\n");
  options.integer("cells", &input.grid.num_cells, 1, 256, "cells along a side of the cube");
  options.number("bend", &input.grid.bend, -max_bend, max_bend,
                 "how far vertices are moved, 0: cells are cubes");
  options.number("mu", &input.problem.material.permeability, 0, infinity, "permeability");
  options.number("sigma", &input.problem.material.conductivity, 0, infinity, "conductivity");
  options.integer("degree", &input.degree, 1, 16,
                  "of polynomials that the assembly's cubature is exact for");
  options.integer("workset", &input.workset_size, 1, 1 << 24, "cells a workset");
  options.integer("repetitions", &input.repetitions, 1, 1000, "of the timed assembly");
  options.text("output", &input.output, "path without extension; empty: write no files");
  options.flag("convergence", &input.convergence,
               "check the order of convergence with a quarter, half and all cells; no files");
  if (!options.read(comm, arguments)) return {};
  const int cells = input.grid.num_cells;
  if (input.convergence && (cells % 4 != 0 || cells < 8))
    throw InputError("--cells=" + std::to_string(cells) +
                     " cannot be halved twice to two cells or more, as --convergence does");
  if (!input.convergence) requireOutput(comm, input.output, ".vtk");
  return input;
}

}  // namespace Maxwell
