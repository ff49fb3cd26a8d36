// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_GEOMETRY_HPP
#define KONTRACT_GEOMETRY_HPP

#include "detail/support/Kontract_Requirements.hpp"

namespace Kontract {
namespace Impl {

/// In the place of a view that is not there.
struct NoView {};

}  // namespace Impl

/// What Integration knows of cells: see the functions geometry() and sideGeometry().
/// \tparam Mapping    view of Jacobians, or of nodes of cells
/// \tparam Gradients  view of gradients of the nodes' functions, if Mapping is of nodes
/// \tparam Weights    view of weights of points, or of measures
/// \tparam Normals    view of normals of a side of the reference cell, if points are on one
template <class Mapping, class Gradients, class Weights, class Normals = Impl::NoView>
struct Geometry {
  Mapping mapping;      ///< Jacobians, or nodes of cells
  Gradients gradients;  ///< of the nodes' functions, or nothing
  Weights weights;      ///< of points, or measures
  Normals normals{};    ///< of a side of the reference cell, or nothing
};

/// Cells by their Jacobians (C,P|1,D,D) at the points, as CellTools::setJacobian leaves them, and
/// the points' weights: (P), those of a cubature, which are multiplied by |det J|; or (C,P|1),
/// measures as they are, for example of faces.
///
/// Surfaces and curves have Jacobians (C,P|1,S,D) whose cells have fewer dimensions D than space,
/// S. Weights are multiplied by sqrt(det J^T J), the determinant in all pullbacks, and J^-T of
/// gradients is J (J^T J)^-1: gradients are tangential.
template <class Jacobians, class Weights>
Geometry<Jacobians, Impl::NoView, Weights> geometry(const Jacobians& jacobians,
                                                    const Weights& weights) {
  return {jacobians, {}, weights, {}};
}

/// Cells by their nodes (C,N,D) and the gradients (N,P|1,D) of the nodes' functions at the points
/// on the reference cell: Jacobians are never stored. Weights as above. Nodes of surfaces and
/// curves are (C,N,S), with more dimensions than gradients have.
template <class Nodes, class Gradients, class Weights>
Geometry<Nodes, Gradients, Weights> geometry(const Nodes& nodes, const Gradients& gradients,
                                             const Weights& weights) {
  return {nodes, gradients, weights, {}};
}

/// Cells by measures (C,P|1) alone, for values that need no other geometry: those of HGRAD, and
/// those that are transformed already.
template <class Measures>
Geometry<Impl::NoView, Impl::NoView, Measures> geometry(const Measures& measures) {
  return {{}, {}, measures, {}};
}

/// Cells of which factored() terms know all that is needed.
inline Geometry<Impl::NoView, Impl::NoView, Impl::NoView> geometry() { return {}; }

/// One side of each cell, the same of all: faces, edges of cells in the plane, ends of lines.
/// Values of terms are those of the cells' functions at points of that side.
///
/// The measure of a point is its weight times the length of det J J^-T n^, where n^ is the normal
/// of the side of the reference cell (E. J. Nanson 1878). Where a form needs a vector as its
/// coefficient or source, a scalar (C,P|1) stands for that times the unit normal that points out
/// of the cell, and no coefficient for the unit normal.
///
/// \param jacobians  of the cells at the points of the side, (C,P|1,D,D)
/// \param weights    (P), of a cubature of the side
/// \param normals    (P|1,D), n^: out of the reference cell, and as long as the measure of its side
///   by that of the domain of the cubature; Intrepid2's getReferenceSideNormal and
///   getReferenceFaceNormal leave those
template <class Jacobians, class Weights, class Normals>
Geometry<Jacobians, Impl::NoView, Weights, Normals> sideGeometry(const Jacobians& jacobians,
                                                                 const Weights& weights,
                                                                 const Normals& normals) {
  return {jacobians, {}, weights, normals};
}

/// The same by nodes (C,N,D) of the cells, or gathered() ones, and the gradients (N,P|1,D) of the
/// nodes' functions at the points of the side.
template <class Nodes, class Gradients, class Weights, class Normals>
Geometry<Nodes, Gradients, Weights, Normals> sideGeometry(const Nodes& nodes,
                                                          const Gradients& gradients,
                                                          const Weights& weights,
                                                          const Normals& normals) {
  return {nodes, gradients, weights, normals};
}

}  // namespace Kontract

#endif
