// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The grid spread over the ranks, and its edges as degrees of freedom.
#ifndef MAXWELL_MESH_HPP
#define MAXWELL_MESH_HPP

#include "ExampleSystem.hpp"
#include "MaxwellGrid.hpp"

namespace Maxwell {

/// The cells of a rank, which are layers of the grid in the direction 2.
struct EdgeMesh {
  Communicator comm;
  Grid grid;
  Array coordinates;                                ///< (N,D) of the vertices of the rank's cells
  Kokkos::View<LocalOrdinal**, Device> cell_nodes;  ///< (C,8), numbers of the vertices of cells
  Array signs;  ///< (C,F), 1 where an edge of the grid points as that of the reference cell, or -1
  Dofs edges;   ///< zero on the boundary; the owned ones come first in edges.local

  int numCells() const { return static_cast<int>(edges.cell_dofs.extent(0)); }
};

/// \throws InputError if there are more ranks than layers.
EdgeMesh makeEdgeMesh(const Communicator& comm, const Grid& grid);

}  // namespace Maxwell

#endif
