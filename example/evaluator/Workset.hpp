// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Worksets of a grid of bent quadrilaterals in the unit square.
#ifndef EVALUATOR_WORKSET_HPP
#define EVALUATOR_WORKSET_HPP

#include <Sacado.hpp>

// Views of Fad types before those of plain ones, and both before Kontract. Where this header is
// gone, Sacado.hpp has them.
#if __has_include(<Kokkos_DynRankView_Fad.hpp>)
#include <Kokkos_DynRankView_Fad.hpp>
#endif

#include <array>
#include <cmath>
#include <vector>

#include "Intrepid2_CellTools.hpp"
#include "Intrepid2_DefaultCubatureFactory.hpp"
#include "Intrepid2_HGRAD_QUAD_C1_FEM.hpp"
#include "Kontract_FunctionSpaceTools.hpp"
#include "Shards_BasicTopologies.hpp"

namespace Evaluator {

constexpr int space_dim = 2;

/// DFads allocate memory of the host.
using Space = Kokkos::DefaultHostExecutionSpace;
using Device = Kokkos::Device<Space, Space::memory_space>;
using Array = Kokkos::DynRankView<double, Device>;

/// C cells with their basis, cubature and geometry.
struct Workset {
  std::vector<std::array<int, 4>> unknowns;  ///< of the fields of each cell; -1 on the boundary
  Array reference_values;                    ///< (F,P)
  Array reference_gradients;                 ///< (F,P,D)
  Array weights;                             ///< (P)
  Array jacobians;                           ///< (C,P,D,D)
  Array values;                              ///< (C,F,P)
  Array gradients;                           ///< (C,F,P,D)
  Array weighted_values;                     ///< (C,F,P)
  Array weighted_gradients;                  ///< (C,F,P,D)

  int numCells() const { return values.extent_int(0); }
  int numFields() const { return values.extent_int(1); }
  int numPoints() const { return values.extent_int(2); }
};

/// A row of n bent cells in a grid of n by n.
inline Workset makeRow(int row, int n) {
  using Tools = Kontract::FunctionSpaceTools<Device>;
  using Cells = Intrepid2::CellTools<Device>;
  const shards::CellTopology topology(shards::getCellTopologyData<shards::Quadrilateral<4>>());
  const Intrepid2::Basis_HGRAD_QUAD_C1_FEM<Device, double, double> basis;
  const auto cubature =
      Intrepid2::DefaultCubatureFactory::create<Device, double, double>(topology, 4);
  const int f = basis.getCardinality(), p = cubature->getNumPoints();

  Workset w;
  Array nodes("nodes", n, f, space_dim);
  for (int c = 0; c < n; ++c) {
    const int corners[4][2] = {{c, row}, {c + 1, row}, {c + 1, row + 1}, {c, row + 1}};
    w.unknowns.emplace_back();
    for (int i = 0; i < f; ++i) {
      const auto [x, y] = corners[i];
      const bool is_inside = x > 0 && x < n && y > 0 && y < n;
      w.unknowns[c][i] = is_inside ? (y - 1) * (n - 1) + x - 1 : -1;
      nodes(c, i, 0) = (x + 0.2 * is_inside * std::sin(3. * y)) / n;
      nodes(c, i, 1) = (y + 0.2 * is_inside * std::sin(5. * x)) / n;
    }
  }

  Array points("points", p, space_dim), inverse("inverse", n, p, space_dim, space_dim);
  Array determinant("determinant", n, p), measures("measures", n, p);
  w.weights = Array("weights", p);
  w.reference_values = Array("reference_values", f, p);
  w.reference_gradients = Array("reference_gradients", f, p, space_dim);
  w.jacobians = Array("jacobians", n, p, space_dim, space_dim);
  w.values = Array("values", n, f, p);
  w.gradients = Array("gradients", n, f, p, space_dim);
  w.weighted_values = Array("weighted_values", n, f, p);
  w.weighted_gradients = Array("weighted_gradients", n, f, p, space_dim);
  cubature->getCubature(points, w.weights);
  basis.getValues(w.reference_values, points, Intrepid2::OPERATOR_VALUE);
  basis.getValues(w.reference_gradients, points, Intrepid2::OPERATOR_GRAD);
  Cells::setJacobian(w.jacobians, nodes, w.reference_gradients);
  Cells::setJacobianInv(inverse, w.jacobians);
  Cells::setJacobianDet(determinant, w.jacobians);
  Tools::computeCellMeasure(measures, determinant, w.weights);
  Tools::HGRADtransformVALUE(w.values, w.reference_values);
  Tools::HGRADtransformGRAD(w.gradients, inverse, w.reference_gradients);
  Tools::multiplyMeasure(w.weighted_values, measures, w.values);
  Tools::multiplyMeasure(w.weighted_gradients, measures, w.gradients);
  return w;
}

}  // namespace Evaluator

#endif
