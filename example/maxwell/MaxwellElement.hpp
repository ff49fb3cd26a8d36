// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The edge element of lowest order on hexahedra.
#ifndef MAXWELL_ELEMENT_HPP
#define MAXWELL_ELEMENT_HPP

#include "ExampleTypes.hpp"

#include "Shards_CellTopology.hpp"

namespace Maxwell {

using namespace Example;

/// The reference cell: vertices and edges.
shards::CellTopology hexahedron();

/// Intrepid2's HCURL_HEX_I1 at points of the reference cell: a function for each of the F = 12
/// edges, whose tangential component is 1 along it and 0 along the others. Cells are mapped by
/// their N = 8 vertices.
struct EdgeElement {
  Array points;            ///< (P,D)
  Array weights;           ///< (P)
  Array values;            ///< (F,P,D)
  Array curls;             ///< (F,P,D)
  Array vertex_values;     ///< (N,P), of the functions that map the cell
  Array vertex_gradients;  ///< (N,P,D)

  /// The points are those of a cubature that is exact for polynomials of \a degree; of degree 1 it
  /// is the centre.
  explicit EdgeElement(int degree);

  int numFields() const { return values.extent_int(0); }
  int numPoints() const { return points.extent_int(0); }
};

/// The map of cells at the points of an element.
struct CellMap {
  Array places;       ///< (C,P,D)
  Array jacobian;     ///< (C,P,D,D)
  Array inverse;      ///< (C,P,D,D)
  Array determinant;  ///< (C,P)

  CellMap(int num_cells, const EdgeElement& element);

  /// \param nodes  (C,N,D)
  void updatePlaces(const Array& nodes, const EdgeElement& element);
  void updateJacobians(const Array& nodes, const EdgeElement& element);
};

}  // namespace Maxwell

#endif
