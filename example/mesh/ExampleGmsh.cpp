// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <unordered_map>

#include "ExampleSerialMesh.hpp"

#include "gmsh.h"

namespace Example {
namespace {

/// Gmsh is one global model; this opens and closes it.
class GmshSession {
 public:
  GmshSession() {
    gmsh::initialize();
    gmsh::option::setNumber("General.Terminal", 0);
  }
  ~GmshSession() { gmsh::finalize(); }
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;
};

struct ElementType {
  int type = 0;
  std::string name;
  ReferencePoints nodes;
  int num_corners = 0;
};

ElementType describe(int type) {
  ElementType t;
  t.type = type;
  int dim, order, num_nodes;
  std::vector<double> local;
  gmsh::model::mesh::getElementProperties(type, t.name, dim, order, num_nodes, local,
                                          t.num_corners);
  for (int i = 0; i < num_nodes; ++i) {
    std::array<double, space_dim> x{0, 0, 0};
    for (int d = 0; d < dim; ++d) x[d] = local[i * dim + d];
    t.nodes.push_back(x);
  }
  return t;
}

/// The one type of the cells, of the highest dimension in the mesh.
ElementType cellType(const std::string& file) {
  for (int dim = space_dim; dim >= 1; --dim) {
    std::vector<int> types;
    gmsh::model::mesh::getElementTypes(types, dim);
    if (types.empty()) continue;
    std::string names;
    for (const int type : types) names += (names.empty() ? "" : ", ") + describe(type).name;
    if (dim < space_dim) throw InputError("'" + file + "' has no volume cells, only " + names);
    for (const int type : types) {
      const auto t = describe(type);
      if (t.name.rfind("Tetrahedron", 0) != 0 && t.name.rfind("Hexahedron", 0) != 0)
        throw InputError("'" + file + "' has elements of type " + t.name +
                         "; supported are Tetrahedron and Hexahedron");
    }
    if (types.size() > 1)
      throw InputError("'" + file + "' mixes elements of types " + names +
                       "; supported is one type a mesh");
    return describe(types.front());
  }
  throw InputError("'" + file + "' has no elements");
}

bool isShape(const ElementType& type, Shape shape) { return type.name.rfind(name(shape), 0) == 0; }

void openModel(const MeshInput& input) {
  const auto extension = std::filesystem::path(input.file).extension();
  if (extension != ".geo" && extension != ".msh")
    throw InputError("'" + input.file + "' is neither a .geo nor a .msh file");
  if (!std::ifstream(input.file)) throw InputError("cannot read '" + input.file + "'");
  // Geometries may look at this number to make a mesh of hexahedra themselves.
  gmsh::onelab::setNumber("Hexahedra", {input.shape == Shape::Hexahedron ? 1.0 : 0.0});
  gmsh::option::setNumber("Mesh.MeshSizeFactor", input.size_factor);
  gmsh::open(input.file);
  if (extension == ".geo") gmsh::model::mesh::generate(space_dim);
}

void refine(const MeshInput& input, int subdivision) {
  gmsh::option::setNumber("Mesh.SubdivisionAlgorithm", subdivision);
  const auto before = cellType(input.file).type;
  gmsh::model::mesh::refine();
  if (subdivision == 0 && cellType(input.file).type != before)
    throw InputError("'" + input.file + "' cannot be refined");
}

/// Brings the mesh to the shape and the order that the input asks for.
/// \return the numbers of the cells before Gmsh gives them new ones for another order.
std::vector<std::size_t> adaptMesh(const MeshInput& input, const Element& element) {
  const auto type = cellType(input.file);
  const bool is_other_shape = !isShape(type, input.shape);
  if (is_other_shape && input.shape == Shape::Tetrahedron)
    throw InputError("'" + input.file + "' has elements of type " + type.name +
                     ", but the input asks for Tetrahedron");
  if (is_other_shape || input.refinements > 0) gmsh::model::mesh::setOrder(1);
  constexpr int all_hexahedra = 2;
  if (is_other_shape) refine(input, all_hexahedra);
  for (int i = 0; i < input.refinements; ++i) refine(input, 0);

  const auto adapted = cellType(input.file);
  std::vector<std::size_t> tags, nodes;
  gmsh::model::mesh::getElementsByType(adapted.type, tags, nodes);
  if (static_cast<int>(adapted.nodes.size()) != element.numNodes()) {
    gmsh::model::mesh::setOrder(1);  // else cells without nodes inside would stay as they are
    gmsh::model::mesh::setOrder(input.order);
  }
  return tags;
}

using NodeNumbers = std::unordered_map<std::size_t, GlobalOrdinal>;

/// Numbers the nodes of the cells from zero in the order in which the cells meet them.
NodeNumbers readCells(const MeshInput& input, const Element& element, SerialMesh& mesh) {
  const auto type = cellType(input.file);
  const auto permutation = element.permutationFrom(type.nodes);
  std::vector<std::size_t> tags, nodes;
  gmsh::model::mesh::getElementsByType(type.type, tags, nodes);
  NodeNumbers numbers;
  const auto num_nodes = permutation.size();
  if (tags.size() != mesh.cell_tags.size())
    throw InputError("'" + input.file + "' cannot be brought to order " +
                     std::to_string(input.order));
  for (std::size_t cell = 0; cell < tags.size(); ++cell) {
    for (const int i : permutation) {
      const auto tag = nodes[cell * num_nodes + i];
      const auto number = static_cast<GlobalOrdinal>(numbers.size());
      mesh.cell_nodes.push_back(numbers.emplace(tag, number).first->second);
    }
  }
  return numbers;
}

void readNodes(const NodeNumbers& numbers, SerialMesh& mesh) {
  std::vector<std::size_t> tags;
  std::vector<double> coordinates, parameters;
  gmsh::model::mesh::getNodes(tags, coordinates, parameters);
  mesh.coordinates.resize(numbers.size() * space_dim);
  mesh.is_fixed.assign(numbers.size(), 0);
  mesh.fixed_values.assign(numbers.size(), 0.0);
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const auto found = numbers.find(tags[i]);
    if (found == numbers.end()) continue;
    std::copy_n(&coordinates[i * space_dim], space_dim,
                &mesh.coordinates[found->second * space_dim]);
  }
}

/// The tag of a named group of surfaces.
int surfaceGroup(const MeshInput& input, const std::string& wanted) {
  std::map<std::string, int> groups;
  gmsh::vectorpair pairs;
  gmsh::model::getPhysicalGroups(pairs, space_dim - 1);
  for (const auto& [dim, tag] : pairs) {
    std::string name;
    gmsh::model::getPhysicalName(dim, tag, name);
    if (!name.empty()) groups[name] = tag;
  }
  const auto found = groups.find(wanted);
  if (found != groups.end()) return found->second;
  std::string names;
  for (const auto& group : groups) names += (names.empty() ? "" : ", ") + group.first;
  throw InputError("'" + input.file + "' has no group of surfaces '" + wanted +
                   "'; it has: " + (names.empty() ? "none" : names));
}

void readBoundaryValues(const MeshInput& input, const NodeNumbers& numbers, SerialMesh& mesh) {
  for (const auto& [name, value] : input.boundary_values) {
    std::vector<std::size_t> tags;
    std::vector<double> coordinates;
    gmsh::model::mesh::getNodesForPhysicalGroup(space_dim - 1, surfaceGroup(input, name), tags,
                                                coordinates);
    for (const auto tag : tags) {
      const auto found = numbers.find(tag);
      if (found == numbers.end()) continue;
      mesh.is_fixed[found->second] = 1;
      mesh.fixed_values[found->second] = value;
    }
  }
}

/// What a face is known by: its corners, sorted.
using Corners = std::array<GlobalOrdinal, 4>;

Corners sorted(Corners corners) {
  std::sort(corners.begin(), corners.end());
  return corners;
}

Corners cornersOf(const Element& element, const SerialMesh& mesh, GlobalOrdinal cell, int face) {
  Corners corners{-1, -1, -1, -1};
  for (int i = 0; i < element.numFaceCorners(); ++i)
    corners[i] = mesh.cell_nodes[cell * element.numNodes() + element.faces()[face][i]];
  return sorted(corners);
}

/// The faces of a group of surfaces.
std::vector<Corners> readFaces(int group, const NodeNumbers& numbers) {
  std::vector<Corners> faces;
  std::vector<int> surfaces;
  gmsh::model::getEntitiesForPhysicalGroup(space_dim - 1, group, surfaces);
  for (const int surface : surfaces) {
    std::vector<int> types;
    std::vector<std::vector<std::size_t>> tags, nodes;
    gmsh::model::mesh::getElements(types, tags, nodes, space_dim - 1, surface);
    for (std::size_t i = 0; i < types.size(); ++i) {
      const auto type = describe(types[i]);
      for (std::size_t first = 0; first < nodes[i].size(); first += type.nodes.size()) {
        Corners corners{-1, -1, -1, -1};
        for (int k = 0; k < type.num_corners; ++k) {
          const auto found = numbers.find(nodes[i][first + k]);
          if (found != numbers.end()) corners[k] = found->second;
        }
        faces.push_back(sorted(corners));
      }
    }
  }
  return faces;
}

void readFaceGroups(const MeshInput& input, const Element& element, const NodeNumbers& numbers,
                    SerialMesh& mesh) {
  std::map<Corners, int> group_of;
  for (std::size_t i = 0; i < input.face_groups.size(); ++i)
    for (const auto& face : readFaces(surfaceGroup(input, input.face_groups[i]), numbers))
      group_of[face] = static_cast<int>(i);
  for (GlobalOrdinal cell = 0; cell < mesh.numCells(); ++cell)
    for (int face = 0; face < element.numFaces(); ++face) {
      const auto found = group_of.find(cornersOf(element, mesh, cell, face));
      mesh.face_groups.push_back(found == group_of.end() ? -1 : found->second);
    }
}

}  // namespace

SerialMesh readMesh(const MeshInput& input, const Element& element) {
  SerialMesh mesh;
  const GmshSession session;
  try {
    openModel(input);
    const auto tags = adaptMesh(input, element);
    mesh.cell_tags.assign(tags.begin(), tags.end());
    const auto numbers = readCells(input, element, mesh);
    readNodes(numbers, mesh);
    readFaceGroups(input, element, numbers, mesh);
    if (input.whole_boundary)
      fixWholeBoundary(element, mesh);
    else
      readBoundaryValues(input, numbers, mesh);
  } catch (const std::string& message) {  // what Gmsh throws
    throw InputError("Gmsh cannot mesh '" + input.file + "': " + message);
  } catch (const int code) {
    throw InputError("Gmsh cannot mesh '" + input.file + "': error " + std::to_string(code));
  }
  return mesh;
}

void fixWholeBoundary(const Element& element, SerialMesh& mesh) {
  std::map<Corners, int> num_cells;
  for (GlobalOrdinal cell = 0; cell < mesh.numCells(); ++cell)
    for (int face = 0; face < element.numFaces(); ++face)
      ++num_cells[cornersOf(element, mesh, cell, face)];
  for (GlobalOrdinal cell = 0; cell < mesh.numCells(); ++cell)
    for (int face = 0; face < element.numFaces(); ++face) {
      if (num_cells[cornersOf(element, mesh, cell, face)] > 1) continue;
      for (const int i : element.faces()[face])
        mesh.is_fixed[mesh.cell_nodes[cell * element.numNodes() + i]] = 1;
    }
}

}  // namespace Example
