// SPDX-License-Identifier: BSD-3-Clause
#include "MaxwellElement.hpp"

#include "Intrepid2_CellTools.hpp"
#include "Intrepid2_DefaultCubatureFactory.hpp"
#include "Intrepid2_HCURL_HEX_I1_FEM.hpp"
#include "Intrepid2_HGRAD_HEX_C1_FEM.hpp"
#include "Shards_BasicTopologies.hpp"

namespace Maxwell {
namespace {

using CellTools = Intrepid2::CellTools<Device>;

}  // namespace

shards::CellTopology hexahedron() {
  return shards::CellTopology(shards::getCellTopologyData<shards::Hexahedron<8>>());
}

EdgeElement::EdgeElement(int degree) {
  const auto cubature =
      Intrepid2::DefaultCubatureFactory::create<Device, double, double>(hexahedron(), degree);
  const int p = cubature->getNumPoints();
  points = Array("points", p, space_dim);
  weights = Array("weights", p);
  cubature->getCubature(points, weights);

  Intrepid2::Basis_HCURL_HEX_I1_FEM<Device, double, double> edges;
  values = Array("values", edges.getCardinality(), p, space_dim);
  curls = Array("curls", edges.getCardinality(), p, space_dim);
  edges.getValues(values, points, Intrepid2::OPERATOR_VALUE);
  edges.getValues(curls, points, Intrepid2::OPERATOR_CURL);

  Intrepid2::Basis_HGRAD_HEX_C1_FEM<Device, double, double> vertices;
  vertex_values = Array("vertex_values", vertices.getCardinality(), p);
  vertex_gradients = Array("vertex_gradients", vertices.getCardinality(), p, space_dim);
  vertices.getValues(vertex_values, points, Intrepid2::OPERATOR_VALUE);
  vertices.getValues(vertex_gradients, points, Intrepid2::OPERATOR_GRAD);
}

CellMap::CellMap(int num_cells, const EdgeElement& element) {
  const int p = element.numPoints();
  places = Array("places", num_cells, p, space_dim);
  jacobian = Array("jacobian", num_cells, p, space_dim, space_dim);
  inverse = Array("inverse", num_cells, p, space_dim, space_dim);
  determinant = Array("determinant", num_cells, p);
}

void CellMap::updatePlaces(const Array& nodes, const EdgeElement& element) {
  CellTools::mapToPhysicalFrame(places, element.points, nodes, hexahedron());
}

void CellMap::updateJacobians(const Array& nodes, const EdgeElement& element) {
  CellTools::setJacobian(jacobian, nodes, element.vertex_gradients);
  CellTools::setJacobianInv(inverse, jacobian);
  CellTools::setJacobianDet(determinant, jacobian);
}

}  // namespace Maxwell
