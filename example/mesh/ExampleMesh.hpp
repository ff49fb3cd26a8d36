// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The mesh spread over the ranks.
#ifndef EXAMPLE_MESH_HPP
#define EXAMPLE_MESH_HPP

#include <vector>

#include "ExampleElement.hpp"
#include "ExampleSerialMesh.hpp"
#include "ExampleTypes.hpp"

namespace Example {

/// Each cell lies on one rank; a node that cells of several ranks share is owned by one of them.
struct Mesh {
  Communicator comm;
  RCP<const Map> owned_nodes;
  /// All nodes of the local cells and the owned ones, the owned first.
  RCP<const Map> local_nodes;
  Kokkos::View<LocalOrdinal**, Device> cell_nodes;  ///< (C,F), numbers in local_nodes
  Array coordinates;                                ///< (N,D)
  Kokkos::View<char*, Device> is_fixed;             ///< (N)
  Kokkos::View<double*, Device> fixed_values;       ///< (N)
  std::vector<GlobalOrdinal> cell_tags;             ///< Gmsh's numbers of the local cells
  std::vector<int> face_groups;                     ///< of each face of each cell, its group or -1
  GlobalOrdinal num_global_cells = 0;

  int numCells() const { return static_cast<int>(cell_nodes.extent(0)); }
  int numNodes() const { return static_cast<int>(is_fixed.extent(0)); }
};

/// Reads or makes the mesh on rank 0 and spreads it. Collective.
/// \throws InputError on all ranks with one line that says what is wrong with the file.
Mesh makeMesh(const Communicator& comm, const MeshInput& input, const Element& element);

/// Spreads the mesh of rank 0 with Zoltan2. Collective; \a serial is empty on other ranks.
Mesh distribute(const Communicator& comm, const Element& element, SerialMesh serial);

}  // namespace Example

#endif
