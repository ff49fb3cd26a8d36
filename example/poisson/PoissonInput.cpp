// SPDX-License-Identifier: BSD-3-Clause
#include "PoissonInput.hpp"

#include <cmath>
#include <filesystem>

#include "ExampleInput.hpp"

#include "Teuchos_StandardParameterEntryValidators.hpp"

namespace Poisson {
namespace {

using Teuchos::ParameterList;
using Triple = Teuchos::Array<double>;

template <class Integral>
RCP<Teuchos::ParameterEntryValidator> range(Integral low, Integral high) {
  return rcp(new Teuchos::EnhancedNumberValidator<Integral>(low, high));
}

RCP<Teuchos::ParameterEntryValidator> oneOf(const Teuchos::Array<std::string>& names) {
  return rcp(new Teuchos::StringValidator(names));
}

std::vector<std::string> cells() { return {"Tetrahedron", "Hexahedron"}; }
std::vector<std::string> methods() {
  return {"Direct", "Fused", "SumFactorization", "Chain", "Intrepid2"};
}

/// Every parameter with its default, meaning and validator.
ParameterList validParameters() {
  const double huge = 1e300;
  const double tiny = 1e-300;
  const int many = 1 << 30;
  ParameterList list("Poisson");
  list.set("Problem", "Conduction", "Conduction, or Manufactured: u = sin(k.x) is imposed",
           oneOf(Teuchos::tuple<std::string>("Conduction", "Manufactured")));
  list.set("Wave Vector", Triple(space_dim, 1.0), "k of the manufactured solution");

  auto& mesh = list.sublist("Mesh");
  mesh.set("File", "part_with_hole.geo", ".geo or .msh, relative to the list");
  mesh.set("Cell", "Tetrahedron", "what the part is meshed with", oneOf(cells()));
  mesh.set("Order", 1, "of the cells and of the solution");
  mesh.set("Size Factor", 1.0, "scales the mesh size of the geometry", range(tiny, huge));
  mesh.set("Refinements", 0, "uniform, after meshing", range(0, 8));

  auto& coefficient = list.sublist("Coefficient");
  coefficient.set("Kind", "Constant", "Constant and Graded are scalars, Fibres is a full tensor",
                  oneOf(Teuchos::tuple<std::string>("Constant", "Graded", "Fibres")));
  coefficient.set("Value", 1.0, "conductivity", range(tiny, huge));
  coefficient.set("Gradation", Triple(space_dim, 0.0), "g in value (1 + sin(g.x) / 2)");
  coefficient.set("Fibre Direction", Triple(Teuchos::tuple(1.0, 0.0, 0.0)), "any length");
  coefficient.set("Fibre Ratio", 10.0, "conductivity along the fibres over across them",
                  range(tiny, huge));

  auto& source = list.sublist("Source");
  source.set("Kind", "Uniform", "Uniform, or Spot: value exp(-|x - centre|^2 / radius^2)",
             oneOf(Teuchos::tuple<std::string>("Uniform", "Spot")));
  source.set("Value", 1.0, "heat per volume and time");
  source.set("Centre", Triple(space_dim, 0.0), "of the spot");
  source.set("Radius", 1.0, "of the spot", range(tiny, huge));

  // The names in this list are those of the mesh, which is not read yet.
  list.sublist("Boundary Values").disableRecursiveValidation();

  auto& assembly = list.sublist("Assembly");
  assembly.set("Method", "Direct",
               "whose system is solved: Direct (forms that write into the matrix), Fused (forms), "
               "SumFactorization (forms of hexahedra), Chain (Kontract's ArrayTools) or Intrepid2",
               oneOf(methods()));
  assembly.set("Workset Size", 100, "cells a workset", range(1, many));
  assembly.set("Repetitions", 5, "of the timed assembly", range(1, 1000));

  auto& solver = list.sublist("Solver");
  solver.set("Tolerance", 1e-10, "of the residual over the right-hand side", range(1e-15, 1.0));
  solver.set("Maximum Iterations", 500, "of conjugate gradients", range(1, many));

  auto& output = list.sublist("Output");
  output.set("File", "solution", "path without extension; empty: write no files");
  output.set("Picture", true, "draw the solution with Python's matplotlib");
  output.set("Title", "Steady heat conduction", "of the picture");
  output.set("Quantity", "temperature", "name and unit of the solution in the picture");

  list.sublist("Kontract").disableRecursiveValidation();
  return list;
}

Vec toVec(const ParameterList& list, const std::string& name) {
  const auto& triple = list.get<Triple>(name);
  if (triple.size() != space_dim)
    throw InputError("'" + name + "' has " + std::to_string(triple.size()) + " numbers, not 3");
  Vec x;
  for (int d = 0; d < space_dim; ++d) x[d] = triple[d];
  return x;
}

Conductivity toConductivity(const ParameterList& list) {
  Conductivity k;
  k.value = list.get<double>("Value");
  const auto kind = list.get<std::string>("Kind");
  if (kind != "Constant") k.gradation = toVec(list, "Gradation");
  if (kind == "Fibres") {
    k.is_tensor = true;
    k.ratio = list.get<double>("Fibre Ratio");
    k.fibre = toVec(list, "Fibre Direction");
    const double length = std::sqrt(dot(k.fibre, k.fibre));
    if (length == 0) throw InputError("'Fibre Direction' is zero");
    for (double& component : k.fibre.v) component /= length;
  }
  return k;
}

Source toSource(const ParameterList& list) {
  Source source;
  source.value = list.get<double>("Value");
  if (list.get<std::string>("Kind") == "Spot") {
    source.centre = toVec(list, "Centre");
    source.radius = list.get<double>("Radius");
  }
  return source;
}

Input toInput(ParameterList list) {
  const auto valid = validParameters();
  checkNames(list, valid, "the list");
  list.validateParametersAndSetDefaults(valid);

  Input input;
  const auto& mesh = list.sublist("Mesh");
  input.mesh.file = mesh.get<std::string>("File");
  input.mesh.shape = shapeNamed(mesh.get<std::string>("Cell"));
  input.mesh.order = mesh.get<int>("Order");
  if (input.mesh.order < 1 || input.mesh.order > Element::max_order)
    throw InputError("order " + std::to_string(input.mesh.order) + " is not 1 to " +
                     std::to_string(Element::max_order) + ", the limit of this program");
  input.mesh.size_factor = mesh.get<double>("Size Factor");
  input.mesh.refinements = mesh.get<int>("Refinements");

  input.model.conductivity = toConductivity(list.sublist("Coefficient"));
  input.model.source = toSource(list.sublist("Source"));
  input.model.wave.k = toVec(list, "Wave Vector");
  input.model.manufactured = list.get<std::string>("Problem") == "Manufactured";

  const auto& boundary = list.sublist("Boundary Values");
  for (auto entry = boundary.begin(); entry != boundary.end(); ++entry)
    input.mesh.boundary_values[boundary.name(entry)] = boundary.get<double>(boundary.name(entry));
  input.mesh.whole_boundary = input.model.manufactured || input.mesh.boundary_values.empty();

  const auto method = list.sublist("Assembly").get<std::string>("Method");
  input.assembly.method = method == "Direct"             ? Method::Direct
                          : method == "Fused"            ? Method::Fused
                          : method == "SumFactorization" ? Method::SumFactorization
                          : method == "Chain"            ? Method::Chain
                                                         : Method::Intrepid2;
  input.assembly.workset_size = list.sublist("Assembly").get<int>("Workset Size");
  input.assembly.repetitions = list.sublist("Assembly").get<int>("Repetitions");
  input.solver.tolerance = list.sublist("Solver").get<double>("Tolerance");
  input.solver.max_iterations = list.sublist("Solver").get<int>("Maximum Iterations");

  const auto& output = list.sublist("Output");
  input.output.base = output.get<std::string>("File");
  input.output.picture = output.get<bool>("Picture");
  input.output.title = output.get<std::string>("Title");
  input.output.quantity = output.get<std::string>("Quantity");
  input.kontract = list.sublist("Kontract");
  return input;
}

}  // namespace

std::optional<Input> readInput(const Teuchos::Comm<int>& comm, const Arguments& arguments) {
  const std::string from_list = "as in the list";
  std::string file = programFile("poisson.xml");
  std::string mesh = from_list;
  std::string cell = from_list;
  std::string order = from_list;
  std::string method = from_list;
  std::string output = from_list;
  bool convergence = false;

  CommandLine command_line(
      "Solves -div(K grad u) = f on a part that Gmsh meshes. Assembles by Kontract's forms,\n"
      "straight into the matrix and through element matrices, by a chain of Kontract's ArrayTools\n"
      "and by the same chain of Intrepid2's, hexahedra by sum factorization, too, and compares\n"
      "them.\n");
  command_line.text("input", &file, "XML parameter list; see README.md");
  command_line.text("mesh", &mesh, "Mesh/File of the list: .geo or .msh");
  command_line.oneOf("cell", &cell, cells(), "Mesh/Cell: Tetrahedron or Hexahedron");
  command_line.oneOf("order", &order, {"1", "2", "3", "4"},
                     "Mesh/Order, 1 to 4: of cells and solution");
  command_line.oneOf("method", &method, methods(),
                     "Assembly/Method: Direct, Fused, SumFactorization, Chain or Intrepid2");
  command_line.text("output", &output, "Output/File: path without extension");
  command_line.flag("convergence", &convergence,
                    "check the order of convergence on three refinements; writes no files");
  if (!command_line.read(comm, arguments)) return {};

  auto list = readList(comm, file);
  list.setName("Poisson");
  // A file that the list names lies beside the list, one on the command line where the user is;
  // else it is the program's own.
  auto& mesh_list = list.sublist("Mesh");
  if (mesh != from_list) {
    mesh_list.set("File", programFile(mesh));
  } else {
    const auto name = mesh_list.get<std::string>("File", "part_with_hole.geo");
    const auto beside = std::filesystem::path(file).parent_path() / name;
    mesh_list.set("File", std::filesystem::exists(beside) ? beside.string() : programFile(name));
  }
  if (cell != from_list) mesh_list.set("Cell", cell);
  if (order != from_list) mesh_list.set("Order", std::stoi(order));
  if (method != from_list) list.sublist("Assembly").set("Method", method);
  if (output != from_list) list.sublist("Output").set("File", output);
  if (convergence) list.set("Problem", "Manufactured");
  Input input;
  try {
    input = toInput(list);
  } catch (const InputError& e) {
    throw InputError("'" + file + "': " + e.what());
  } catch (const std::exception& e) {
    throw InputError("'" + file + "': " + oneLine(e.what()));
  }
  // Each may be of the list or of the command line.
  if (input.assembly.method == Method::SumFactorization && input.mesh.shape != Shape::Hexahedron)
    throw InputError("the method SumFactorization needs hexahedra: --cell=Hexahedron");
  input.convergence = convergence;
  if (!convergence) requireOutput(comm, input.output.base, ".vtu");
  return input;
}

}  // namespace Poisson
