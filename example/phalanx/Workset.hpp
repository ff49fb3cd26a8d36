// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Worksets of a grid of bent hexahedra of order two in the unit cube.
#ifndef PHALANXEXAMPLE_WORKSET_HPP
#define PHALANXEXAMPLE_WORKSET_HPP

#include <Sacado.hpp>

// Views of Fad types before those of plain ones, and both before Kontract. Where this header is
// gone, Sacado.hpp has them.
#if __has_include(<Kokkos_DynRankView_Fad.hpp>)
#include <Kokkos_DynRankView_Fad.hpp>
#endif

#include <cmath>
#include <vector>

#include "Intrepid2_CellTools.hpp"
#include "Intrepid2_DefaultCubatureFactory.hpp"
#include "Intrepid2_FunctionSpaceTools.hpp"
#include "Intrepid2_HGRAD_HEX_C2_FEM.hpp"
#include "Kontract_CellGraph.hpp"
#include "Kontract_ScatterPlan.hpp"
#include "Shards_BasicTopologies.hpp"

namespace PhalanxExample {

constexpr int space_dim = 3;

/// DFads allocate memory of the host.
using Space = Kokkos::DefaultHostExecutionSpace;
using Device = Kokkos::Device<Space, Space::memory_space>;
using Array = Kokkos::DynRankView<double, Device>;
using Numbers = Kokkos::View<int**, Device>;

/// C cells, a layer of the grid, with their basis, cubature and geometry.
struct Workset {
  Numbers unknowns;                    ///< (C,F); -1 on the boundary
  Array reference_values;              ///< (F,P)
  Array reference_gradients;           ///< (F,P,D)
  Array weights;                       ///< (P)
  Array jacobians;                     ///< (C,P,D,D)
  Array values, gradients;             ///< (C,F,P), (C,F,P,D)
  Array weighted_values;               ///< (C,F,P)
  Array weighted_gradients;            ///< (C,F,P,D)
  Kontract::ScatterPlan<Device> plan;  ///< of these cells in the matrix

  int numCells() const { return values.extent_int(0); }
  int numFields() const { return values.extent_int(1); }
  int numPoints() const { return values.extent_int(2); }
};

/// A system of equations in compressed rows.
struct System {
  Kontract::CellGraph<Device> graph;
  Kokkos::View<double*, Device> matrix, residual;

  int numRows() const { return residual.extent_int(0); }
};

/// The worksets of n layers of n by n cells.
class Grid {
 public:
  explicit Grid(int n) : _n(n) {
    for (int layer = 0; layer < n; ++layer) worksets.push_back(makeLayer(layer));
    Numbers all("all", n * n * n, worksets[0].numFields());
    for (int layer = 0; layer < n; ++layer) {
      const auto cells = std::make_pair(layer * n * n, (layer + 1) * n * n);
      Kokkos::deep_copy(Kokkos::subview(all, cells, Kokkos::ALL()), worksets[layer].unknowns);
    }
    const int rows = numUnknowns();
    const Kontract::CellNumbers<Device> numbers(all, rows);
    system.graph = Kontract::CellGraph<Device>(numbers);
    system.matrix = Kokkos::View<double*, Device>("matrix", system.graph.entries.extent(0));
    system.residual = Kokkos::View<double*, Device>("residual", rows);
    for (Workset& w : worksets) {
      const Kontract::CellNumbers<Device> of_layer(w.unknowns, rows);
      w.plan = Kontract::ScatterPlan<Device>(system.graph, of_layer);
    }
  }

  std::vector<Workset> worksets;
  System system;

 private:
  int numUnknowns() const { return (2 * _n - 1) * (2 * _n - 1) * (2 * _n - 1); }

  Workset makeLayer(int layer) const {
    using Tools = Intrepid2::FunctionSpaceTools<Device>;
    using Cells = Intrepid2::CellTools<Device>;
    const shards::CellTopology topology(shards::getCellTopologyData<shards::Hexahedron<8>>());
    const Intrepid2::Basis_HGRAD_HEX_C2_FEM<Device, double, double> basis;
    const auto cubature =
        Intrepid2::DefaultCubatureFactory::create<Device, double, double>(topology, 5);
    const int c = _n * _n, f = basis.getCardinality(), p = cubature->getNumPoints();

    Array places("places", f, space_dim), nodes("nodes", c, f, space_dim);
    basis.getDofCoords(places);
    Workset w;
    w.unknowns = Numbers("unknowns", c, f);
    for (int cell = 0; cell < c; ++cell) {
      const int corner[] = {2 * (cell % _n), 2 * (cell / _n), 2 * layer};
      for (int i = 0; i < f; ++i) setNode(corner, cell, i, places, nodes, w.unknowns);
    }

    Array points("points", p, space_dim), inverse("inverse", c, p, space_dim, space_dim);
    Array determinant("determinant", c, p), measures("measures", c, p);
    w.weights = Array("weights", p);
    w.reference_values = Array("reference_values", f, p);
    w.reference_gradients = Array("reference_gradients", f, p, space_dim);
    w.jacobians = Array("jacobians", c, p, space_dim, space_dim);
    w.values = Array("values", c, f, p);
    w.gradients = Array("gradients", c, f, p, space_dim);
    w.weighted_values = Array("weighted_values", c, f, p);
    w.weighted_gradients = Array("weighted_gradients", c, f, p, space_dim);
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

  /// The unknowns are numbered along the lattice of all nodes inside.
  void setNode(const int (&corner)[space_dim], int cell, int i, const Array& places,
               const Array& nodes, const Numbers& unknowns) const {
    const int last = 2 * _n;
    int at[space_dim], number = 0;
    bool is_inside = true;
    for (int d = space_dim - 1; d >= 0; --d) {
      at[d] = corner[d] + int(std::lround(places(i, d))) + 1;
      is_inside = is_inside && at[d] > 0 && at[d] < last;
      number = number * (last - 1) + at[d] - 1;
    }
    unknowns(cell, i) = is_inside ? number : -1;
    for (int d = 0; d < space_dim; ++d) {
      const double bend = is_inside ? 0.1 * std::sin(3. * at[(d + 1) % space_dim]) : 0;
      nodes(cell, i, d) = (at[d] + bend) / last;
    }
  }

  int _n;
};

}  // namespace PhalanxExample

#endif
