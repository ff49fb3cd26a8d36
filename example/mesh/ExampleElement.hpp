// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The reference element: topology, nodal basis, cubature, and the node orders of others.
#ifndef EXAMPLE_ELEMENT_HPP
#define EXAMPLE_ELEMENT_HPP

#include <array>
#include <string>
#include <vector>

#include "ExampleTypes.hpp"

#include "Shards_CellTopology.hpp"

namespace Example {

enum class Shape { Tetrahedron, Hexahedron };

using ReferencePoints = std::vector<std::array<double, space_dim>>;

/// Values and gradients of the basis at the points of a cubature.
struct Quadrature {
  Array points;     ///< (P,D)
  Array weights;    ///< (P)
  Array values;     ///< (F,P)
  Array gradients;  ///< (F,P,D)
  // Of hexahedra, whose functions are products of N of one coordinate, at Q points a direction:
  Array line_values;       ///< (N,Q)
  Array line_derivatives;  ///< (N,Q,1)
};

/// A Lagrange element on equispaced nodes; the same basis maps the cell (isoparametric).
class Element {
 public:
  static constexpr int max_order = 4;

  /// \throws std::invalid_argument if the order is not 1 to max_order.
  Element(Shape shape, int order);

  Shape shape() const { return _shape; }
  int order() const { return _order; }
  int numNodes() const { return static_cast<int>(_nodes.size()); }
  const shards::CellTopology& topology() const { return _topology; }
  const RCP<Basis>& basis() const { return _basis; }

  /// The nodes in Intrepid2's order.
  const ReferencePoints& nodes() const { return _nodes; }

  /// For each face, in the order of Shards, all its nodes, the corners first (three or four of
  /// them).
  const std::vector<std::vector<int>>& faces() const { return _faces; }
  int numFaces() const { return static_cast<int>(_faces.size()); }
  int numFaceCorners() const { return _shape == Shape::Tetrahedron ? 3 : 4; }

  /// A cubature that is exact for polynomials of \a degree on the reference cell.
  Quadrature quadrature(int degree) const;

  /// The same on one face: points lie in the cell, weights are those of the reference face.
  Quadrature faceQuadrature(int face, int degree) const;

  /// The basis at the nodes, without weights.
  Quadrature atNodes() const;

  /// Position i of the answer says which of \a points is the node i of this element.
  /// \throws std::logic_error if the points are not the nodes in another order.
  std::vector<int> permutationFrom(const ReferencePoints& points) const;

 private:
  /// The basis at points (P,D).
  void evaluateBasis(Quadrature& quadrature) const;
  /// The functions of one coordinate at the points of a cubature on a line.
  void evaluateOnLine(Quadrature& quadrature, int degree) const;

  Shape _shape;
  int _order;
  shards::CellTopology _topology;
  RCP<Basis> _basis;
  ReferencePoints _nodes;
  std::vector<std::vector<int>> _faces;
};

std::string name(Shape shape);

/// \param name  one of theirs
Shape shapeNamed(const std::string& name);

/// The nodes of an element in the order of the VTK file formats.
ReferencePoints vtkNodes(Shape shape, int order);

}  // namespace Example

#endif
