// SPDX-License-Identifier: BSD-3-Clause
#include "ElasticityInput.hpp"

#include <filesystem>
#include <limits>
#include <sstream>
#include <vector>

namespace Elasticity {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

[[noreturn]] void refuse(const std::string& option, const std::string& text,
                         const std::string& needed) {
  throw InputError("command line: --" + option + "='" + text + "' is not " + needed);
}

template <class Number>
std::string toText(Number number) {
  std::ostringstream out;
  out << number;
  return out.str();
}

/// All numbers in a text; none if there is something else in it.
template <class Number>
std::vector<Number> toNumbers(const std::string& text) {
  std::istringstream in(text);
  std::vector<Number> numbers;
  for (Number number; in >> number;) numbers.push_back(number);
  if (!in.eof()) numbers.clear();
  return numbers;
}

/// Teuchos would take 2x for 2, so numbers come as text.
int toInteger(const std::string& option, const std::string& text, int low, int high) {
  const auto numbers = toNumbers<int>(text);
  if (numbers.size() != 1 || numbers[0] < low || numbers[0] > high)
    refuse(option, text, "a number from " + toText(low) + " to " + toText(high));
  return numbers[0];
}

/// A number between two others, which are not allowed themselves.
double toNumber(const std::string& option, const std::string& text, double low, double high) {
  const auto numbers = toNumbers<double>(text);
  if (numbers.size() != 1 || !(numbers[0] > low && numbers[0] < high))
    refuse(option, text, "a number between " + toText(low) + " and " + toText(high));
  return numbers[0];
}

Vec toVec(const std::string& option, const std::string& text) {
  const auto numbers = toNumbers<double>(text);
  if (numbers.size() != space_dim) refuse(option, text, "three numbers");
  return {numbers[0], numbers[1], numbers[2]};
}

Shape toShape(const std::string& option, const std::string& text) {
  for (const Shape shape : {Shape::Tetrahedron, Shape::Hexahedron})
    if (text == name(shape)) return shape;
  refuse(option, text, "Tetrahedron or Hexahedron");
}

}  // namespace

std::optional<Input> readInput(const Teuchos::Comm<int>& comm, const Arguments& arguments) {
  // Centimetres and newtons: a bracket of steel, its own weight, and four kilonewtons in its bore.
  std::string mesh = "part_with_hole.geo", cell = "Tetrahedron", order = "2", refinements = "0";
  std::string size_factor = "1", clamped = "bolt holes", loaded = "bore";
  std::string traction = "300 0 -300", body_force = "0 0 -0.077";
  std::string young = "21e6", poisson = "0.3", workset_size = "100", tolerance = "1e-10";
  Input input;
  input.output = "displacement";

  constexpr bool throws = false;
  Teuchos::CommandLineProcessor options(throws);
  options.setDocString(
      "Linear elasticity of a part that Gmsh meshes: element matrices, loads and reactions by\n"
      "Kontract::Integration. All units are those of the mesh and of the numbers given.\n");
  options.setOption("mesh", &mesh, ".geo or .msh");
  options.setOption("cell", &cell, "Tetrahedron or Hexahedron");
  options.setOption("order", &order, "1 to 4, of cells and displacements");
  options.setOption("refinements", &refinements, "uniform, after meshing");
  options.setOption("size-factor", &size_factor, "scales the mesh size of the geometry");
  options.setOption("clamped", &clamped, "group of surfaces that cannot move");
  options.setOption("loaded", &loaded, "group of surfaces under the traction");
  options.setOption("traction", &traction, "force per area, three numbers");
  options.setOption("body-force", &body_force, "force per volume, three numbers");
  options.setOption("young", &young, "Young's modulus, force per area");
  options.setOption("poisson", &poisson, "Poisson's ratio");
  options.setOption("workset-size", &workset_size, "cells a workset");
  options.setOption("tolerance", &tolerance, "of the residual over the right-hand side");
  options.setOption("patch", "no-patch", &input.patch,
                    "instead of loads, check that linear displacements are reproduced");
  options.setOption("output", &input.output, "path without extension; empty: write no files");
  if (!parse(options, comm, arguments)) return {};

  input.mesh.file = std::filesystem::exists(mesh) ? mesh : programFile(mesh);
  input.mesh.shape = toShape("cell", cell);
  input.mesh.order = toInteger("order", order, 1, Element::max_order);
  input.mesh.refinements = toInteger("refinements", refinements, 0, 8);
  input.mesh.size_factor = toNumber("size-factor", size_factor, 0, infinity);
  input.mesh.whole_boundary = input.patch;
  if (!input.patch) {
    input.mesh.boundary_values[clamped] = 0;
    input.mesh.face_groups = {loaded};
  }
  input.material.young = toNumber("young", young, 0, infinity);
  input.material.poisson = toNumber("poisson", poisson, -1, 0.5);
  input.loads.traction = toVec("traction", traction);
  input.loads.body_force = toVec("body-force", body_force);
  const auto isZero = [](const Vec& v) { return v[0] == 0 && v[1] == 0 && v[2] == 0; };
  if (isZero(input.loads.traction) && isZero(input.loads.body_force))
    throw InputError("command line: --traction and --body-force are both zero: nothing to solve");
  if (input.patch) input.loads = Loads();
  input.workset_size = toInteger("workset-size", workset_size, 1, 1 << 30);
  input.solver.tolerance = toNumber("tolerance", tolerance, 0, 1);
  return input;
}

}  // namespace Elasticity
