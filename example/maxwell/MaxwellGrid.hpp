// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief A cube of bent hexahedra: numbers and places of vertices and edges.
#ifndef MAXWELL_GRID_HPP
#define MAXWELL_GRID_HPP

#include <array>

#include "ExampleTypes.hpp"

namespace Maxwell {

using namespace Example;

/// The grid of n x n x n cells in the unit cube whose vertices x are moved, in all directions
/// alike, by bend sin(2 pi x_0) sin(2 pi x_1) sin(2 pi x_2): cells are not affine, the boundary is
/// where it was.
///
/// Vertex (i,j,k) has the number i + (n+1) (j + (n+1) k). An edge has that of its lower vertex,
/// times 3, plus its direction; it points from its lower to its higher vertex.
struct Grid {
  int num_cells;  ///< n, along a side
  double bend;

  GlobalOrdinal vertex(int i, int j, int k) const;
  /// Difference of the numbers of neighbors in direction 0, 1 or 2.
  GlobalOrdinal stride(int direction) const;
  /// The position of a vertex in the grid, 0 to n in each direction.
  std::array<int, space_dim> position(GlobalOrdinal vertex) const;
  std::array<double, space_dim> coordinates(GlobalOrdinal vertex) const;

  GlobalOrdinal edge(GlobalOrdinal vertex, GlobalOrdinal other) const;
  GlobalOrdinal lowerVertex(GlobalOrdinal edge) const { return edge / space_dim; }
  GlobalOrdinal higherVertex(GlobalOrdinal edge) const;
  bool isOnBoundary(GlobalOrdinal edge) const;
};

}  // namespace Maxwell

#endif
