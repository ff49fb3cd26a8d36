// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Hexahedra of the unit cube, their basis and quadrature.
#ifndef NEWTON_CUBE_HPP
#define NEWTON_CUBE_HPP

#include <Kokkos_DynRankView.hpp>
#include <cmath>

#include "Intrepid2_CellTools.hpp"
#include "Intrepid2_DefaultCubatureFactory.hpp"
#include "Intrepid2_HGRAD_HEX_Cn_FEM.hpp"
#include "NewtonLaws.hpp"
#include "Shards_BasicTopologies.hpp"

namespace Newton {

/// SFad is used on the host here.
using Space = Kokkos::DefaultHostExecutionSpace;
using Device = Kokkos::Device<Space, Space::memory_space>;
using Array = Kokkos::DynRankView<double, Kokkos::LayoutRight, Device>;

/// n^3 cells of an order; unknown k of a node has number node K + k.
struct Cube {
  int cells, fields, points, nodes;
  Kokkos::View<int**, Kokkos::LayoutRight, Device> node_of;               ///< (C,F)
  Kokkos::View<double* [space_dim], Kokkos::LayoutRight, Device> places;  ///< of nodes
  Array values, gradients, weights;                                       ///< (F,P), (F,P,D), (P)
  Array jacobians, inverses, measures;  ///< (C,P,D,D), (C,P,D,D), (C,P)

  Cube(int n, int order) : cells(n * n * n) {
    const Intrepid2::Basis_HGRAD_HEX_Cn_FEM<Device, double, double> basis(
        order, Intrepid2::POINTTYPE_EQUISPACED);
    const auto topology = basis.getBaseCellTopology();
    const auto cubature =
        Intrepid2::DefaultCubatureFactory::create<Device, double, double>(topology, 2 * order + 1);
    fields = basis.getCardinality();
    points = cubature->getNumPoints();
    Array at("points", points, space_dim);
    weights = Array("weights", points);
    values = Array("values", fields, points);
    gradients = Array("gradients", fields, points, space_dim);
    cubature->getCubature(at, weights);
    basis.getValues(values, at, Intrepid2::OPERATOR_VALUE);
    basis.getValues(gradients, at, Intrepid2::OPERATOR_GRAD);
    number(n, order, basis);
    computeGeometry();
  }

 private:
  template <class Basis>
  void number(int n, int order, const Basis& basis) {
    Array reference("reference", fields, space_dim);
    basis.getDofCoords(reference);
    const int side = n * order + 1;
    nodes = side * side * side;
    node_of = decltype(node_of)("nodes of cells", cells, fields);
    places = decltype(places)("places", nodes);
    for (int c = 0; c < cells; ++c) {
      const int cell[space_dim] = {c % n, c / n % n, c / (n * n)};
      for (int f = 0; f < fields; ++f) {
        int node = 0;
        double x[space_dim];
        for (int d = space_dim; d-- > 0;) {
          const int at = int(std::lround((reference(f, d) + 1) / 2 * order)) + cell[d] * order;
          node = node * side + at;
          x[d] = double(at) / (side - 1);
        }
        node_of(c, f) = node;
        for (int d = 0; d < space_dim; ++d) places(node, d) = x[d];
      }
    }
  }

  /// Inside of the cube cells are bent.
  void computeGeometry() {
    using Cells = Intrepid2::CellTools<Device>;
    Array corners("corners", cells, fields, space_dim), determinants("determinants", cells, points);
    for (int c = 0; c < cells; ++c) {
      for (int f = 0; f < fields; ++f) {
        const int node = node_of(c, f);
        double bubble = 1;
        for (int d = 0; d < space_dim; ++d) bubble *= std::sin(M_PI * places(node, d));
        for (int d = 0; d < space_dim; ++d) {
          corners(c, f, d) = places(node, d) + 0.05 * (d + 1) * bubble;
        }
      }
    }
    jacobians = Array("jacobians", cells, points, space_dim, space_dim);
    inverses = Array("inverses", cells, points, space_dim, space_dim);
    measures = Array("measures", cells, points);
    Cells::setJacobian(jacobians, corners, gradients);
    Cells::setJacobianInv(inverses, jacobians);
    Cells::setJacobianDet(determinants, jacobians);
    for (int c = 0; c < cells; ++c) {
      for (int p = 0; p < points; ++p) measures(c, p) = weights(p) * std::abs(determinants(c, p));
    }
  }
};

}  // namespace Newton

#endif
