// SPDX-License-Identifier: BSD-3-Clause
#include "DistributedInput.hpp"

#include <limits>

#include "ExampleInput.hpp"

namespace Distributed {

std::optional<Input> readInput(const Teuchos::Comm<int>& comm, const Arguments& arguments) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::string file = "part_with_hole.geo", cell = "Tetrahedron";
  std::string hot = "bore", cold = "bolt holes";
  Input input;
  input.mesh.order = 2;
  input.solver.max_iterations = 5000;
  input.output = "temperature";

  CommandLine options(
      "Solves -div grad u = 1 on a part by conjugate gradients without a matrix. Cells whose\n"
      "unknowns are all owned are computed while values travel between the ranks.\n");
  options.text("mesh", &file, ".geo or .msh");
  options.oneOf("cell", &cell, {"Tetrahedron", "Hexahedron"}, "Tetrahedron or Hexahedron");
  options.integer("order", &input.mesh.order, 1, Element::max_order,
                  "1 to 4, of cells and solution");
  options.number("size-factor", &input.mesh.size_factor, 0, infinity,
                 "scales the mesh size of the geometry");
  options.text("hot", &hot, "group of surfaces at 90; empty, as --cold: none");
  options.text("cold", &cold, "group of surfaces at 20; if both are empty, 0 on the boundary");
  options.integer("repetitions", &input.repetitions, 1, 100000, "of the timed product");
  options.number("tolerance", &input.solver.tolerance, 0, 1,
                 "of the residual over the right-hand side");
  options.text("output", &input.output, "path without extension; empty: write no files");
  if (!options.read(comm, arguments)) return {};

  input.mesh.file = programFile(file);
  input.mesh.shape = shapeNamed(cell);
  if (!hot.empty()) input.mesh.boundary_values[hot] = 90;
  if (!cold.empty()) input.mesh.boundary_values[cold] = 20;
  input.mesh.whole_boundary = input.mesh.boundary_values.empty();
  requireOutput(comm, input.output, ".vtu");
  return input;
}

}  // namespace Distributed
