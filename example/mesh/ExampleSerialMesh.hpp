// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The whole mesh on one rank, as Gmsh gives it.
#ifndef EXAMPLE_SERIAL_MESH_HPP
#define EXAMPLE_SERIAL_MESH_HPP

#include <map>
#include <string>
#include <vector>

#include "ExampleElement.hpp"

namespace Example {

struct MeshInput {
  std::string file;  ///< .geo or .msh
  Shape shape = Shape::Tetrahedron;
  int order = 1;
  double size_factor = 1;
  int refinements = 0;
  /// Value of the solution on each named group of surfaces; ignored if whole_boundary is set.
  std::map<std::string, double> boundary_values;
  bool whole_boundary = false;
  /// Named groups of surfaces whose faces the mesh marks; each is known by its place in this list.
  std::vector<std::string> face_groups;
};

struct SerialMesh {
  std::vector<double> coordinates;        ///< three a node
  std::vector<GlobalOrdinal> cell_nodes;  ///< nodes of each cell in Intrepid2's order
  std::vector<GlobalOrdinal> cell_tags;   ///< Gmsh's number of each cell
  std::vector<int> face_groups;           ///< of each face of each cell, its group or -1
  std::vector<char> is_fixed;             ///< whether the boundary condition fixes a node
  std::vector<double> fixed_values;       ///< the value there, else zero

  GlobalOrdinal numNodes() const { return static_cast<GlobalOrdinal>(is_fixed.size()); }
  GlobalOrdinal numCells() const { return static_cast<GlobalOrdinal>(cell_tags.size()); }
};

/// Reads a mesh or meshes a geometry through Gmsh.
/// \throws InputError with one line that says what is wrong with the file.
SerialMesh readMesh(const MeshInput& input, const Element& element);

/// Marks the nodes of all faces that belong to one cell only.
void fixWholeBoundary(const Element& element, SerialMesh& mesh);

}  // namespace Example

#endif
