// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_REFERENCEELEMENT_HPP
#define KONTRACT_TEST_REFERENCEELEMENT_HPP

#include <string>
#include <vector>

#include "Array.hpp"
#include "Kontract_Form.hpp"

namespace KontractTest {

using Numbers = Array<double>;

/// Shapes of reference cells.
enum class CellShape { Triangle, Quadrilateral, Tetrahedron, Hexahedron, Wedge, Pyramid };
inline constexpr CellShape cell_shapes[] = {CellShape::Triangle,    CellShape::Quadrilateral,
                                            CellShape::Tetrahedron, CellShape::Hexahedron,
                                            CellShape::Wedge,       CellShape::Pyramid};

std::string nameOf(CellShape shape);
inline int dimensionOf(CellShape shape) {
  return shape == CellShape::Triangle || shape == CellShape::Quadrilateral ? 2 : 3;
}
/// Whether a Jacobian does not vary where the cell's vertices alone are moved.
inline bool isSimplex(CellShape shape) {
  return shape == CellShape::Triangle || shape == CellShape::Tetrahedron;
}
/// Points (P,D) and weights (P) of Intrepid2's default cubature.
struct Cubature {
  Numbers points, weights;
};
/// \param degree  of polynomials that it integrates exactly
Cubature cubatureOf(CellShape shape, int degree);

/// A basis of Intrepid2 on a reference cell: C1 and C2, whose nodes are those of Shards'
/// topologies, the families Cn and In, or what there is of wedges and pyramids. Spaces of one
/// sequence have orders p, p, p and p - 1: HGRAD, HCURL, HDIV, HVOL.
struct ReferenceBasis {
  CellShape shape;
  Kontract::FunctionSpace space;
  int order;

  /// Whether Intrepid2 has it.
  bool isThere() const;
};

enum class Derivative { None, Gradient, Curl, Divergence };

/// Values (F,P) or (F,P,D) at points (P,D).
Numbers valuesAt(const Numbers& points, const ReferenceBasis& basis,
                 Derivative derivative = Derivative::None);

/// Where a basis of HGRAD has its degrees of freedom, (F,D): function f is one at point f and zero
/// at the others.
Numbers nodesOf(const ReferenceBasis& basis);

/// Fields of a basis whose traces on the boundary vanish: those that belong to the cell's inside.
std::vector<std::size_t> insideFields(const ReferenceBasis& basis);

/// Jacobians (C,P,D,D) at points (P,D) of cells with nodes (C,F,D) of a basis of HGRAD, by
/// Intrepid2's CellTools.
Numbers jacobiansOf(const ReferenceBasis& basis, const Numbers& nodes, const Numbers& points);

}  // namespace KontractTest

#endif
