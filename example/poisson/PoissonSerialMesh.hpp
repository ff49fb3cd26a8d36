// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The whole mesh on one rank, as Gmsh gives it.
#ifndef POISSON_SERIAL_MESH_HPP
#define POISSON_SERIAL_MESH_HPP

#include <string>
#include <vector>

#include "PoissonElement.hpp"
#include "PoissonInput.hpp"

namespace Poisson {

struct SerialMesh {
  std::vector<double> coordinates;        ///< three a node
  std::vector<GlobalOrdinal> cell_nodes;  ///< nodes of each cell in Intrepid2's order
  std::vector<GlobalOrdinal> cell_tags;   ///< Gmsh's number of each cell
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

}  // namespace Poisson

#endif
