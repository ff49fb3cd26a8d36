// SPDX-License-Identifier: BSD-3-Clause
#include "ExampleElement.hpp"

#include <cmath>

#include "Intrepid2_CellTools.hpp"
#include "Intrepid2_DefaultCubatureFactory.hpp"
#include "Intrepid2_HGRAD_HEX_Cn_FEM.hpp"
#include "Intrepid2_HGRAD_LINE_Cn_FEM.hpp"
#include "Intrepid2_HGRAD_TET_C1_FEM.hpp"
#include "Intrepid2_HGRAD_TET_C2_FEM.hpp"
#include "Intrepid2_HGRAD_TET_Cn_FEM.hpp"
#include "Shards_BasicTopologies.hpp"

namespace Example {
namespace {

constexpr double tolerance = 1e-10;

constexpr auto nodes_at = Intrepid2::POINTTYPE_EQUISPACED;

/// Hexahedra count nodes direction by direction at every order, as products of functions do.
RCP<Basis> makeBasis(Shape shape, int order) {
  using namespace Intrepid2;
  if (shape == Shape::Hexahedron)
    return rcp(new Basis_HGRAD_HEX_Cn_FEM<Device, double, double>(order, nodes_at));
  if (order == 1) return rcp(new Basis_HGRAD_TET_C1_FEM<Device, double, double>());
  if (order == 2) return rcp(new Basis_HGRAD_TET_C2_FEM<Device, double, double>());
  return rcp(new Basis_HGRAD_TET_Cn_FEM<Device, double, double>(order, nodes_at));
}

shards::CellTopology makeTopology(Shape shape) {
  return shape == Shape::Tetrahedron
             ? shards::CellTopology(shards::getCellTopologyData<shards::Tetrahedron<4>>())
             : shards::CellTopology(shards::getCellTopologyData<shards::Hexahedron<8>>());
}

bool coincide(const std::array<double, space_dim>& a, const std::array<double, space_dim>& b) {
  return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]) < tolerance;
}

/// For each face of the reference cell, in the order of Shards, a function that is zero on it
/// alone.
std::vector<double> faceDistances(Shape shape, const std::array<double, space_dim>& x) {
  if (shape == Shape::Tetrahedron) return {x[1], 1 - x[0] - x[1] - x[2], x[0], x[2]};
  return {1 + x[1], 1 - x[0], 1 - x[1], 1 + x[0], 1 + x[2], 1 - x[2]};
}

}  // namespace

std::string name(Shape shape) { return shape == Shape::Tetrahedron ? "Tetrahedron" : "Hexahedron"; }

Shape shapeNamed(const std::string& name) {
  return name == "Tetrahedron" ? Shape::Tetrahedron : Shape::Hexahedron;
}

Element::Element(Shape shape, int order)
    : _shape(shape), _order(order), _topology(makeTopology(shape)) {
  if (order < 1 || order > max_order)
    throw std::invalid_argument("order " + std::to_string(order) + " is not 1 to " +
                                std::to_string(max_order) + ", the limit of this program");
  _basis = makeBasis(shape, order);

  Array coordinates("nodes", _basis->getCardinality(), space_dim);
  _basis->getDofCoords(coordinates);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), coordinates);
  for (int i = 0; i < _basis->getCardinality(); ++i)
    _nodes.push_back({host(i, 0), host(i, 1), host(i, 2)});

  const int num_faces = static_cast<int>(_topology.getSideCount());
  for (int face = 0; face < num_faces; ++face) {
    std::vector<int> corners;
    std::vector<int> others;
    for (int i = 0; i < numNodes(); ++i) {
      const auto distances = faceDistances(shape, _nodes[i]);
      if (std::abs(distances[face]) > tolerance) continue;
      const int tag_dim = _basis->getDofTag(i)(0);
      (tag_dim == 0 ? corners : others).push_back(i);
    }
    corners.insert(corners.end(), others.begin(), others.end());
    _faces.push_back(corners);
  }
}

Quadrature Element::quadrature(int degree) const {
  const auto cubature =
      Intrepid2::DefaultCubatureFactory::create<Device, double, double>(_topology, degree);
  const int num_points = cubature->getNumPoints();
  Quadrature q;
  q.points = Array("points", num_points, space_dim);
  q.weights = Array("weights", num_points);
  cubature->getCubature(q.points, q.weights);
  evaluateBasis(q);
  if (_shape == Shape::Hexahedron) evaluateOnLine(q, degree);
  return q;
}

Quadrature Element::faceQuadrature(int face, int degree) const {
  constexpr int face_dim = space_dim - 1;
  const shards::CellTopology topology(_topology.getCellTopologyData(face_dim, face));
  const auto cubature =
      Intrepid2::DefaultCubatureFactory::create<Device, double, double>(topology, degree);
  const int num_points = cubature->getNumPoints();
  Array face_points("face_points", num_points, face_dim);
  Quadrature q;
  q.points = Array("points", num_points, space_dim);
  q.weights = Array("weights", num_points);
  cubature->getCubature(face_points, q.weights);
  Intrepid2::CellTools<Device>::mapToReferenceSubcell(q.points, face_points, face_dim, face,
                                                      _topology);
  evaluateBasis(q);
  return q;
}

Quadrature Element::atNodes() const {
  Quadrature q;
  q.points = Array("points", numNodes(), space_dim);
  _basis->getDofCoords(q.points);
  evaluateBasis(q);
  return q;
}

void Element::evaluateBasis(Quadrature& q) const {
  const int num_points = q.points.extent_int(0);
  q.values = Array("values", numNodes(), num_points);
  q.gradients = Array("gradients", numNodes(), num_points, space_dim);
  _basis->getValues(q.values, q.points, Intrepid2::OPERATOR_VALUE);
  _basis->getValues(q.gradients, q.points, Intrepid2::OPERATOR_GRAD);
}

void Element::evaluateOnLine(Quadrature& q, int degree) const {
  const shards::CellTopology line(shards::getCellTopologyData<shards::Line<2>>());
  const auto cubature =
      Intrepid2::DefaultCubatureFactory::create<Device, double, double>(line, degree);
  const int num_points = cubature->getNumPoints();
  Array points("points", num_points, 1), weights("weights", num_points);
  cubature->getCubature(points, weights);
  q.line_values = Array("line_values", _order + 1, num_points);
  q.line_derivatives = Array("line_derivatives", _order + 1, num_points, 1);
  Intrepid2::Basis_HGRAD_LINE_Cn_FEM<Device, double, double> basis(_order, nodes_at);
  basis.getValues(q.line_values, points, Intrepid2::OPERATOR_VALUE);
  basis.getValues(q.line_derivatives, points, Intrepid2::OPERATOR_GRAD);
}

std::vector<int> Element::permutationFrom(const ReferencePoints& points) const {
  std::vector<int> permutation;
  for (const auto& node : _nodes)
    for (int i = 0; i < static_cast<int>(points.size()); ++i)
      if (coincide(node, points[i])) permutation.push_back(i);
  if (permutation.size() != _nodes.size() || points.size() != _nodes.size())
    throw std::logic_error("the nodes of " + name(_shape) + " of order " + std::to_string(_order) +
                           " do not match those of Intrepid2");
  return permutation;
}

}  // namespace Example
