// SPDX-License-Identifier: BSD-3-Clause
//
// A program that knows Intrepid2 alone: element matrices of grad-grad on hexahedra by its
// structured integration, and by the chain of its FunctionSpaceTools, which have to agree. Matrices
// are printed, or compared with those of another build. Usage: unchangedStructured [file of
// results]

#include <Intrepid2_IntegrationTools.hpp>
// Its first header is one that Kontract wraps.
#include <Intrepid2_CellGeometry.hpp>
#include <Intrepid2_CellTools.hpp>
#include <Intrepid2_DefaultCubatureFactory.hpp>
#include <Intrepid2_FunctionSpaceTools.hpp>
#include <Intrepid2_TestUtils.hpp>
#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Shards_CellTopology.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

#include "KeepLargest.hpp"
#include "Results.hpp"

namespace {

using Device = Kokkos::Device<Kokkos::DefaultHostExecutionSpace, Kokkos::HostSpace>;
using Array = Kokkos::DynRankView<double, Device>;
using CellTools = Intrepid2::CellTools<Device>;
using Tools = Intrepid2::FunctionSpaceTools<Device>;
using Integration = Intrepid2::IntegrationTools<Device>;

constexpr int cells = 3, vertices = 8, order = 2;

/// Cells that are not affine, each another: x = (X + s Y Z, Y + s Z X, Z + s X Y). Their Jacobians
/// are symmetric, because IntegrationTools of Trilinos 13 multiplies gradients with inverse
/// Jacobians where it should with transposed ones.
Array nodesOfCells() {
  const Array nodes("nodes", cells, vertices, 3);
  for (int c = 0; c < cells; ++c) {
    for (int n = 0; n < vertices; ++n) {
      const double corner[] = {n % 4 == 1 || n % 4 == 2 ? 1. : 0., n % 4 >= 2 ? 1. : 0.,
                               n >= 4 ? 1. : 0.};
      for (int d = 0; d < 3; ++d) {
        nodes(c, n, d) =
            corner[d] + 0.2 * std::sin(7. * c + 1) * corner[(d + 1) % 3] * corner[(d + 2) % 3];
      }
    }
  }
  return nodes;
}

/// What both ways work on.
struct Assembly {
  shards::CellTopology topology{shards::getCellTopologyData<shards::Hexahedron<vertices>>()};
  Teuchos::RCP<Intrepid2::Basis<Device, double, double>> basis =
      Intrepid2::getBasis<Intrepid2::DerivedNodalBasisFamily<Device>>(
          topology, Intrepid2::FUNCTION_SPACE_HGRAD, order);
  Teuchos::RCP<Intrepid2::Cubature<Device, double, double>> cubature =
      Intrepid2::DefaultCubatureFactory::create<Device>(topology, 2 * order);
  int fields = basis->getCardinality();
  Array nodes = nodesOfCells();
};

/// Gradients as getHGRADtransformGRAD has them, which takes values of any basis since Trilinos 14,
/// and vectors before.
template <class Inverse, class Values>
auto transformed(const Inverse& inverse, const Values& values, int)
    -> decltype(Tools::getHGRADtransformGRAD(inverse, values)) {
  return Tools::getHGRADtransformGRAD(inverse, values);
}
template <class Inverse, class Values>
auto transformed(const Inverse& inverse, const Values& values, long) {
  return Tools::getHGRADtransformGRAD(inverse, values.vectorData());
}

/// Matrices (C,F,F) by values that are tensor products.
Array byTensors(const Assembly& a) {
  Kokkos::DynRankView<int, Device> of_cells("nodes of cells", cells, vertices);
  Array nodes("nodes of all cells", cells * vertices, 3);
  for (int i = 0; i < cells * vertices; ++i) {
    of_cells(i / vertices, i % vertices) = i;
    for (int d = 0; d < 3; ++d) nodes(i, d) = a.nodes(i / vertices, i % vertices, d);
  }
  const bool is_affine = false;
  Intrepid2::CellGeometry<double, 3, Device> geometry(a.topology, of_cells, nodes, is_affine);
  auto points = a.cubature->allocateCubaturePoints();
  auto weights = a.cubature->allocateCubatureWeights();
  a.cubature->getCubature(points, weights);
  auto reference = a.basis->allocateBasisValues(points, Intrepid2::OPERATOR_GRAD);
  a.basis->getValues(reference, points, Intrepid2::OPERATOR_GRAD);

  auto jacobian = geometry.allocateJacobianData(points, 0, cells);
  geometry.setJacobian(jacobian, points, geometry.getJacobianRefData(points), 0, cells);
  auto determinant = CellTools::allocateJacobianDet(jacobian);
  CellTools::setJacobianDet(determinant, jacobian);
  auto inverse = CellTools::allocateJacobianInv(jacobian);
  CellTools::setJacobianInv(inverse, jacobian);
  auto measure = geometry.allocateCellMeasure(determinant, weights);
  geometry.computeCellMeasure(measure, determinant, weights);
  const auto gradients = transformed(inverse, reference, 0);
  auto integrals = Integration::allocateIntegralData(gradients, measure, gradients);
  Integration::integrate(integrals, gradients, measure, gradients);

  const Array matrices("matrices", cells, a.fields, a.fields);
  Kokkos::deep_copy(matrices, integrals.getUnderlyingView());
  return matrices;
}

/// The same by arrays.
Array byChain(const Assembly& a) {
  const int number = a.cubature->getNumPoints();
  const Array points("points", number, 3), weights("weights", number);
  a.cubature->getCubature(points, weights);
  const Array reference("reference", a.fields, number, 3);
  a.basis->getValues(reference, points, Intrepid2::OPERATOR_GRAD);
  const Array jacobian("jacobian", cells, number, 3, 3), inverse("inverse", cells, number, 3, 3),
      determinant("determinant", cells, number), measure("measure", cells, number),
      gradients("gradients", cells, a.fields, number, 3),
      weighted("weighted", cells, a.fields, number, 3),
      matrices("matrices", cells, a.fields, a.fields);
  CellTools::setJacobian(jacobian, points, a.nodes, a.topology);
  CellTools::setJacobianInv(inverse, jacobian);
  CellTools::setJacobianDet(determinant, jacobian);
  Tools::computeCellMeasure(measure, determinant, weights);
  Tools::HGRADtransformGRAD(gradients, inverse, reference);
  Tools::multiplyMeasure(weighted, measure, gradients);
  Tools::integrate(matrices, gradients, weighted);
  return matrices;
}

/// Keeps both, and checks that they agree.
bool assemble(KontractTest::Results& results) {
  const Assembly a;
  const Array tensors = byTensors(a), chain = byChain(a);
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    largest = std::max(largest, std::abs(chain.data()[i]));
    const double here = std::abs(chain.data()[i] - tensors.data()[i]);
    KontractTest::keepLargest(difference, here);
  }
  for (std::size_t i = 0; i < tensors.size(); i += 7) results.add("tensors", tensors.data()[i]);
  for (std::size_t i = 0; i < chain.size(); i += 7) results.add("chain", chain.data()[i]);
  if (difference <= 1e-12 * largest) return true;
  std::printf("the matrices differ by %.1e, of %.1e\n", difference, largest);
  return false;
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    KontractTest::Results results;
    if (!assemble(results)) return 1;
    return KontractTest::report(results, argc, argv);
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 2;
  }
}
