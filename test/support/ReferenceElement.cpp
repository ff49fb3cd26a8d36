// SPDX-License-Identifier: BSD-3-Clause
#include "ReferenceElement.hpp"

#include <Intrepid2_CellTools.hpp>
#include <Intrepid2_DefaultCubatureFactory.hpp>
#include <Intrepid2_HCURL_HEX_In_FEM.hpp>
#include <Intrepid2_HCURL_QUAD_In_FEM.hpp>
#include <Intrepid2_HCURL_TET_In_FEM.hpp>
#include <Intrepid2_HCURL_TRI_In_FEM.hpp>
#include <Intrepid2_HCURL_WEDGE_I1_FEM.hpp>
#include <Intrepid2_HDIV_HEX_In_FEM.hpp>
#include <Intrepid2_HDIV_QUAD_In_FEM.hpp>
#include <Intrepid2_HDIV_TET_In_FEM.hpp>
#include <Intrepid2_HDIV_TRI_In_FEM.hpp>
#include <Intrepid2_HDIV_WEDGE_I1_FEM.hpp>
#include <Intrepid2_HGRAD_HEX_C1_FEM.hpp>
#include <Intrepid2_HGRAD_HEX_C2_FEM.hpp>
#include <Intrepid2_HGRAD_HEX_Cn_FEM.hpp>
#include <Intrepid2_HGRAD_PYR_C1_FEM.hpp>
#include <Intrepid2_HGRAD_QUAD_C1_FEM.hpp>
#include <Intrepid2_HGRAD_QUAD_C2_FEM.hpp>
#include <Intrepid2_HGRAD_QUAD_Cn_FEM.hpp>
#include <Intrepid2_HGRAD_TET_C1_FEM.hpp>
#include <Intrepid2_HGRAD_TET_C2_FEM.hpp>
#include <Intrepid2_HGRAD_TET_Cn_FEM.hpp>
#include <Intrepid2_HGRAD_TRI_C1_FEM.hpp>
#include <Intrepid2_HGRAD_TRI_C2_FEM.hpp>
#include <Intrepid2_HGRAD_TRI_Cn_FEM.hpp>
#include <Intrepid2_HGRAD_WEDGE_C1_FEM.hpp>
#include <Intrepid2_HGRAD_WEDGE_C2_FEM.hpp>
#include <Intrepid2_HVOL_C0_FEM.hpp>
#include <Intrepid2_HVOL_HEX_Cn_FEM.hpp>
#include <Intrepid2_HVOL_QUAD_Cn_FEM.hpp>
#include <Intrepid2_HVOL_TET_Cn_FEM.hpp>
#include <Intrepid2_HVOL_TRI_Cn_FEM.hpp>

#include "Intrepid2Bases.hpp"

namespace KontractTest {
namespace {

using Kontract::FunctionSpace;
shards::CellTopology topologyOf(CellShape shape) {
  switch (shape) {
    case CellShape::Triangle: return shards::getCellTopologyData<shards::Triangle<3>>();
    case CellShape::Quadrilateral: return shards::getCellTopologyData<shards::Quadrilateral<4>>();
    case CellShape::Tetrahedron: return shards::getCellTopologyData<shards::Tetrahedron<4>>();
    case CellShape::Hexahedron: return shards::getCellTopologyData<shards::Hexahedron<8>>();
    case CellShape::Wedge: return shards::getCellTopologyData<shards::Wedge<6>>();
    default: return shards::getCellTopologyData<shards::Pyramid<5>>();
  }
}

template <template <class, class, class> class Family, class... Arguments>
BasisPointer make(const Arguments&... arguments) {
  return Teuchos::rcp(new Family<Intrepid2Device, double, double>(arguments...));
}

template <
    template <class, class, class> class Gradients, template <class, class, class> class Curls,
    template <class, class, class> class Divergences, template <class, class, class> class Volumes>
BasisPointer makeOfFamilies(FunctionSpace space, int order) {
  switch (space) {
    case FunctionSpace::HGRAD: return make<Gradients>(order);
    case FunctionSpace::HCURL: return make<Curls>(order);
    case FunctionSpace::HDIV: return make<Divergences>(order);
    default: return make<Volumes>(order);
  }
}

template <template <class, class, class> class Linear,
          template <class, class, class> class Quadratic>
BasisPointer makeLinearOrQuadratic(int order) {
  return order == 1 ? make<Linear>() : make<Quadratic>();
}

/// HGRAD of order one or two, whose nodes are in the order of Shards' topologies.
BasisPointer makeOfTopology(CellShape shape, int order) {
  using namespace Intrepid2;
  switch (shape) {
    case CellShape::Triangle:
      return makeLinearOrQuadratic<Basis_HGRAD_TRI_C1_FEM, Basis_HGRAD_TRI_C2_FEM>(order);
    case CellShape::Quadrilateral:
      return makeLinearOrQuadratic<Basis_HGRAD_QUAD_C1_FEM, Basis_HGRAD_QUAD_C2_FEM>(order);
    case CellShape::Tetrahedron:
      return makeLinearOrQuadratic<Basis_HGRAD_TET_C1_FEM, Basis_HGRAD_TET_C2_FEM>(order);
    case CellShape::Hexahedron:
      return makeLinearOrQuadratic<Basis_HGRAD_HEX_C1_FEM, Basis_HGRAD_HEX_C2_FEM>(order);
    case CellShape::Wedge:
      return makeLinearOrQuadratic<Basis_HGRAD_WEDGE_C1_FEM, Basis_HGRAD_WEDGE_C2_FEM>(order);
    default: return order == 1 ? make<Basis_HGRAD_PYR_C1_FEM>() : BasisPointer();
  }
}

/// Null if Intrepid2 has none.
BasisPointer findBasis(const ReferenceBasis& wanted) {
  using namespace Intrepid2;
  const auto [shape, space, order] = wanted;
  if (space == FunctionSpace::HVOL && order == 0) {
    return make<Basis_HVOL_C0_FEM>(topologyOf(shape));
  }
  if (order < 1) return BasisPointer();
  if (space == FunctionSpace::HGRAD && order <= 2) return makeOfTopology(shape, order);
  switch (shape) {
    case CellShape::Triangle:
      return makeOfFamilies<Basis_HGRAD_TRI_Cn_FEM, Basis_HCURL_TRI_In_FEM, Basis_HDIV_TRI_In_FEM,
                            Basis_HVOL_TRI_Cn_FEM>(space, order);
    case CellShape::Quadrilateral:
      return makeOfFamilies<Basis_HGRAD_QUAD_Cn_FEM, Basis_HCURL_QUAD_In_FEM,
                            Basis_HDIV_QUAD_In_FEM, Basis_HVOL_QUAD_Cn_FEM>(space, order);
    case CellShape::Tetrahedron:
      return makeOfFamilies<Basis_HGRAD_TET_Cn_FEM, Basis_HCURL_TET_In_FEM, Basis_HDIV_TET_In_FEM,
                            Basis_HVOL_TET_Cn_FEM>(space, order);
    case CellShape::Hexahedron:
      return makeOfFamilies<Basis_HGRAD_HEX_Cn_FEM, Basis_HCURL_HEX_In_FEM, Basis_HDIV_HEX_In_FEM,
                            Basis_HVOL_HEX_Cn_FEM>(space, order);
    case CellShape::Wedge:
      if (order > 1) return BasisPointer();
      if (space == FunctionSpace::HCURL) return make<Basis_HCURL_WEDGE_I1_FEM>();
      return space == FunctionSpace::HDIV ? make<Basis_HDIV_WEDGE_I1_FEM>() : BasisPointer();
    default: return BasisPointer();
  }
}

Intrepid2::EOperator operatorOf(Derivative derivative) {
  switch (derivative) {
    case Derivative::Gradient: return Intrepid2::OPERATOR_GRAD;
    case Derivative::Curl: return Intrepid2::OPERATOR_CURL;
    case Derivative::Divergence: return Intrepid2::OPERATOR_DIV;
    default: return Intrepid2::OPERATOR_VALUE;
  }
}

/// Whether values, or derivatives, are vectors.
bool haveComponents(const ReferenceBasis& basis, Derivative derivative) {
  const bool is_of_vectors =
      basis.space == FunctionSpace::HCURL || basis.space == FunctionSpace::HDIV;
  switch (derivative) {
    case Derivative::None: return is_of_vectors;
    case Derivative::Gradient: return true;
    case Derivative::Curl: return dimensionOf(basis.shape) == 3 || !is_of_vectors;
    default: return false;
  }
}

}  // namespace

BasisPointer basisOf(const ReferenceBasis& wanted) {
  const BasisPointer basis = findBasis(wanted);
  if (basis.is_null()) {
    throw std::invalid_argument("Intrepid2 has no basis of space " +
                                std::to_string(int(wanted.space)) + " and order " +
                                std::to_string(wanted.order) + " on a " + nameOf(wanted.shape));
  }
  return basis;
}

std::string nameOf(CellShape shape) { return topologyOf(shape).getName(); }

Cubature cubatureOf(CellShape shape, int degree) {
  const auto cubature =
      Intrepid2::DefaultCubatureFactory::create<Intrepid2Device>(topologyOf(shape), degree);
  const Intrepid2Array points("points", cubature->getNumPoints(), cubature->getDimension()),
      weights("weights", cubature->getNumPoints());
  cubature->getCubature(points, weights);
  return {numbersOf("PD", points), numbersOf("P", weights)};
}

bool ReferenceBasis::isThere() const { return !findBasis(*this).is_null(); }

Numbers valuesAt(const Numbers& points, const ReferenceBasis& wanted, Derivative derivative) {
  const BasisPointer basis = basisOf(wanted);
  std::vector<std::size_t> extents{std::size_t(basis->getCardinality()), points.extents()[0]};
  if (haveComponents(wanted, derivative)) extents.push_back(points.extents()[1]);
  const auto values = emptyArray(extents);
  basis->getValues(values, arrayOf(points), operatorOf(derivative));
  return numbersOf(values.rank() == 2 ? "FP" : "FPD", values);
}

Numbers nodesOf(const ReferenceBasis& wanted) {
  const BasisPointer basis = basisOf(wanted);
  const Intrepid2Array nodes("nodes", basis->getCardinality(), dimensionOf(wanted.shape));
  basis->getDofCoords(nodes);
  return numbersOf("FD", nodes);
}

std::vector<std::size_t> insideFields(const ReferenceBasis& wanted) {
  const auto tags = basisOf(wanted)->getAllDofTags();  // the first is the dimension of its place
  std::vector<std::size_t> fields;
  for (std::size_t f = 0; f < tags.extent(0); ++f) {
    if (tags(f, 0) == dimensionOf(wanted.shape)) fields.push_back(f);
  }
  return fields;
}

Numbers jacobiansOf(const ReferenceBasis& basis, const Numbers& nodes, const Numbers& points) {
  const std::size_t d = points.extents()[1];
  const Intrepid2Array jacobians("jacobians", nodes.extents()[0], points.extents()[0], d, d);
  Intrepid2::CellTools<Intrepid2Device>::setJacobian(jacobians, arrayOf(points), arrayOf(nodes),
                                                     basisOf(basis));
  return numbersOf("CPDE", jacobians);
}

}  // namespace KontractTest
