// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The map from the reference cell to the cells of a workset.
#ifndef EXAMPLE_GEOMETRY_HPP
#define EXAMPLE_GEOMETRY_HPP

#include "ExampleElement.hpp"
#include "ExampleMesh.hpp"
#include "ExampleTypes.hpp"

namespace Example {

/// The map's values and derivatives at the points of a quadrature.
struct Geometry {
  Array nodes;        ///< (C,F,D)
  Array points;       ///< (C,P,D)
  Array jacobian;     ///< (C,P,D,D)
  Array inverse;      ///< (C,P,D,D)
  Array determinant;  ///< (C,P)

  Geometry(int num_cells, const Element& element, const Quadrature& quadrature);

  /// Evaluates nodes and points for the cells from \a first on.
  void updatePoints(const Mesh& mesh, const Element& element, const Quadrature& quadrature,
                    int first);
  /// Evaluates Jacobians, their inverses and determinants from the nodes.
  void updateJacobians(const Quadrature& quadrature);
};

/// Refuses cells whose map is not positive at a point of the quadrature. Collective.
/// \throws InputError with the number of the worst cell and its determinant.
void checkOrientation(const Mesh& mesh, const Element& element, const Quadrature& quadrature,
                      int workset_size);

}  // namespace Example

#endif
