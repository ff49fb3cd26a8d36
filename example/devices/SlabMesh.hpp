// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Layers of hexahedra of a bent cube, and the functions of their cells.
#ifndef DEVICES_SLABMESH_HPP
#define DEVICES_SLABMESH_HPP

#include <array>

#include "Kontract_CellNumbers.hpp"
#include "Processes.hpp"

namespace Devices {

using CellNumbers = Kontract::CellNumbers<Device>;

/// Layers first to last - 1 of a cube of n^3 hexahedra of an order. Unknowns are those of a
/// lattice, plane by plane from below, so that those of the lowest and of the highest plane are
/// each side by side.
struct SlabMesh {
  SlabMesh(int n, int order, int first, int last);

  int n, order, first, last;
  int plane_unknowns;   ///< of a plane
  int unknowns;         ///< of all planes, the highest one included
  CellNumbers numbers;  ///< of unknowns, layer by layer
  CellNumbers nodes;    ///< of vertices
  Array<double**> coordinates;

  int cellsOfLayer() const { return n * n; }
  int cells() const { return cellsOfLayer() * (last - first); }
  int beginOfHighestPlane() const { return unknowns - plane_unknowns; }
};

/// Functions of Lagrange at points of Gauss and Legendre, in one direction and trilinear ones.
struct SlabElement {
  explicit SlabElement(int order);

  Array<double**> values, derivatives;  ///< by function and point
  Array<double***> node_gradients;      ///< by vertex, point and direction
  Array<double*> weights;               ///< of the points of a cell
};

}  // namespace Devices

#endif
