// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_GEOMETRY_HPP
#define KONTRACT_GEOMETRY_HPP

#include "detail/support/Kontract_Requirements.hpp"

namespace Kontract {
namespace Impl {

/// In the place of a view that is not there.
struct NoView {};

}  // namespace Impl

/// What Integration knows of cells: see the functions geometry().
/// \tparam Mapping    view of Jacobians, or of nodes of cells
/// \tparam Gradients  view of gradients of the nodes' functions, if Mapping is of nodes
/// \tparam Weights    view of weights of points, or of measures
template <class Mapping, class Gradients, class Weights>
struct Geometry {
  Mapping mapping;      ///< Jacobians, or nodes of cells
  Gradients gradients;  ///< of the nodes' functions, or nothing
  Weights weights;      ///< of points, or measures
};

/// Cells by their Jacobians (C,P|1,D,D) at the points, as CellTools::setJacobian leaves them, and
/// the points' weights: (P), those of a cubature, which are multiplied by |det J|; or (C,P|1),
/// measures as they are, for example of faces.
template <class Jacobians, class Weights>
Geometry<Jacobians, Impl::NoView, Weights> geometry(const Jacobians& jacobians,
                                                    const Weights& weights) {
  return {jacobians, {}, weights};
}

/// Cells by their nodes (C,N,D) and the gradients (N,P|1,D) of the nodes' functions at the points
/// on the reference cell: Jacobians are never stored. Weights as above.
template <class Nodes, class Gradients, class Weights>
Geometry<Nodes, Gradients, Weights> geometry(const Nodes& nodes, const Gradients& gradients,
                                             const Weights& weights) {
  return {nodes, gradients, weights};
}

/// Cells by measures (C,P|1) alone, for values that need no other geometry: those of HGRAD, and
/// those that are transformed already.
template <class Measures>
Geometry<Impl::NoView, Impl::NoView, Measures> geometry(const Measures& measures) {
  return {{}, {}, measures};
}

}  // namespace Kontract

#endif
