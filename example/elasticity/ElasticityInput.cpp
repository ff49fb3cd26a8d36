// SPDX-License-Identifier: BSD-3-Clause
#include "ElasticityInput.hpp"

#include <limits>

#include "ExampleInput.hpp"

namespace Elasticity {
namespace {

bool isZero(const Vec& v) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

}  // namespace

std::optional<Input> readInput(const Teuchos::Comm<int>& comm, const Arguments& arguments) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  // Centimetres and newtons: a bracket of steel, its own weight, and four kilonewtons in its bore.
  std::string file = "part_with_hole.geo", cell = "Tetrahedron";
  std::string clamped = "bolt holes", loaded = "bore";
  Input input;
  input.mesh.order = 2;
  input.loads.traction = {300, 0, -300};
  input.loads.body_force = {0, 0, -0.077};
  input.output = "displacement";

  CommandLine options(
      "Linear elasticity of a part that Gmsh meshes: element matrices, loads and reactions by\n"
      "Kontract::Integration. All units are those of the mesh and of the numbers given.\n");
  options.text("mesh", &file, ".geo or .msh");
  options.oneOf("cell", &cell, {"Tetrahedron", "Hexahedron"}, "Tetrahedron or Hexahedron");
  options.integer("order", &input.mesh.order, 1, Element::max_order,
                  "1 to 4, of cells and displacements");
  options.integer("refinements", &input.mesh.refinements, 0, 8, "uniform, after meshing");
  options.number("size-factor", &input.mesh.size_factor, 0, infinity,
                 "scales the mesh size of the geometry");
  options.text("clamped", &clamped, "group of surfaces that cannot move");
  options.text("loaded", &loaded, "group of surfaces under the traction");
  options.vector("traction", &input.loads.traction[0], "force per area, three numbers");
  options.vector("body-force", &input.loads.body_force[0], "force per volume, three numbers");
  options.number("young", &input.material.young, 0, infinity, "Young's modulus, force per area");
  options.number("poisson", &input.material.poisson, -1, 0.5, "Poisson's ratio");
  options.integer("workset-size", &input.workset_size, 1, 1 << 30, "cells a workset");
  options.integer("repetitions", &input.repetitions, 1, 1000, "of the timed assembly");
  options.number("tolerance", &input.solver.tolerance, 0, 1,
                 "of the residual over the right-hand side");
  options.flag("patch", &input.patch,
               "instead of loads, check that linear displacements are reproduced");
  options.text("output", &input.output, "path without extension; empty: write no files");
  if (!options.read(comm, arguments)) return {};

  input.mesh.file = programFile(file);
  input.mesh.shape = shapeNamed(cell);
  input.mesh.whole_boundary = input.patch;
  if (!input.patch) {
    input.mesh.boundary_values[clamped] = 0;
    input.mesh.face_groups = {loaded};
  }
  if (isZero(input.loads.traction) && isZero(input.loads.body_force))
    throw InputError("command line: --traction and --body-force are both zero: nothing to solve");
  if (input.patch) input.loads = Loads();
  requireOutput(comm, input.output, ".vtu");
  return input;
}

}  // namespace Elasticity
