// SPDX-License-Identifier: BSD-3-Clause
#include "MaxwellInput.hpp"

#include <sstream>

namespace Maxwell {
namespace {

template <class Number>
void checkRange(const char* option, Number value, Number low, Number high) {
  if (value >= low && value <= high) return;  // not a number is neither
  std::ostringstream message;
  message << "--" << option << "=" << value << " is not " << low << " to " << high;
  throw InputError(message.str());
}

void check(const Input& input) {
  constexpr double tiny = 1e-12, huge = 1e12;
  constexpr int max_degree = 16;
  checkRange("cells", input.grid.num_cells, input.convergence ? 4 : 1, 256);
  if (input.convergence && input.grid.num_cells % 4 != 0)
    throw InputError("--cells=" + std::to_string(input.grid.num_cells) +
                     " cannot be halved twice, as --convergence does");
  // With more, the determinant of the grid's map comes near zero: it is 1 - 7.3 |bend| or more.
  checkRange("bend", input.grid.bend, -0.1, 0.1);
  checkRange("mu", input.problem.material.permeability, tiny, huge);
  checkRange("sigma", input.problem.material.conductivity, tiny, huge);
  checkRange("degree", input.degree, 1, max_degree);
  checkRange("workset", input.workset_size, 1, 1 << 24);
  checkRange("repetitions", input.repetitions, 1, 1000);
}

}  // namespace

std::optional<Input> readInput(const Teuchos::Comm<int>& comm, const Arguments& arguments) {
  Input input;
  input.solver.max_iterations = 5000;
  constexpr bool throws = false;
  Teuchos::CommandLineProcessor options(throws);
  options.setDocString(
      "Solves curl(curl E / mu) + sigma E = f in a cube of bent hexahedra with edge elements.\n"
      "Assembles by Kontract's forms, by a chain of Kontract's FunctionSpaceTools and by the same\n"
      "chain of Intrepid2's, and compares the three.\n");
  options.setOption("cells", &input.grid.num_cells, "cells along a side of the cube");
  options.setOption("bend", &input.grid.bend, "how far vertices are moved, 0: cells are cubes");
  options.setOption("mu", &input.problem.material.permeability, "permeability");
  options.setOption("sigma", &input.problem.material.conductivity, "conductivity");
  options.setOption("degree", &input.degree,
                    "of polynomials that the assembly's cubature is exact for");
  options.setOption("workset", &input.workset_size, "cells a workset");
  options.setOption("repetitions", &input.repetitions, "of the timed assembly");
  options.setOption("output", &input.output, "path without extension; empty: write no files");
  options.setOption("convergence", "no-convergence", &input.convergence,
                    "check the order of convergence with a quarter of the cells, half and all");
  if (!parse(options, comm, arguments)) return {};
  check(input);
  return input;
}

}  // namespace Maxwell
