// SPDX-License-Identifier: BSD-3-Clause
//
// Times the assembly of element matrices of grad-grad on hexahedra, geometry included, order by
// order: by Integration from the values of a tensor-product basis and the nodes of cells, by the
// chain of Intrepid2's FunctionSpaceTools ("Standard" of its StructuredIntegrationPerformance), and
// by its IntegrationTools with values that are tensor products ("Non-Affine Tensor" there). All
// three work on the same cells, in one process, on the default execution space, and their matrices
// are compared. What each keeps between cells is allocated before it is timed. The last column is
// the memory that forms take beyond nodes and matrices, in percent of those. Usage:
// Kontract_compareAssembly [first order = 1] [last order = 8] [MB of matrices = 256]
//   [seconds for each = 0.5]

#include <Intrepid2_CellGeometry.hpp>
#include <Intrepid2_CellTools.hpp>
#include <Intrepid2_DefaultCubatureFactory.hpp>
#include <Intrepid2_FunctionSpaceTools.hpp>
#include <Intrepid2_HGRAD_HEX_C1_FEM.hpp>
#include <Intrepid2_IntegrationTools.hpp>
#include <Intrepid2_TestUtils.hpp>
#include <Kokkos_Core.hpp>
#include <Shards_CellTopology.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "Intrepid2Releases.hpp"
#include "KeepLargest.hpp"
#include "Kontract_Integration.hpp"
#include "MedianSeconds.hpp"

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Device = Kokkos::Device<Space, Space::memory_space>;
using Array = Kokkos::DynRankView<double, Device>;
using Geometry = Intrepid2::CellGeometry<double, 3, Device>;
using CellTools = Intrepid2::CellTools<Device>;
using Tools = Intrepid2::FunctionSpaceTools<Device>;
using Integration = Kontract::Integration<Device>;

constexpr std::size_t vertices = 8;
double least_seconds = 0.5;

/// Seconds of a call; one that takes long is not made again.
template <class Call>
double secondsOf(const Call& call) {
  const Kokkos::Timer timer;
  call();
  Space().fence();
  const double first = timer.seconds();
  return first > 4 * least_seconds ? first
                                   : KontractTest::medianSeconds<Space>(call, least_seconds);
}

/// Cells that are not affine, each another: x = (X + s Y Z, Y + s Z X, Z + s X Y). Their Jacobians
/// are symmetric, because IntegrationTools of Intrepid2 13.2 multiplies gradients with inverse
/// Jacobians where it should with transposed ones.
Array nodesOfCells(int cells) {
  const Array nodes("nodes", cells, vertices, 3);
  const auto host = Kokkos::create_mirror_view(nodes);
  for (int c = 0; c < cells; ++c) {
    const double s = 0.2 * std::sin(7. * c);
    for (int n = 0; n < int(vertices); ++n) {
      const double corner[] = {n % 4 == 1 || n % 4 == 2 ? 1. : 0., n % 4 >= 2 ? 1. : 0.,
                               n >= 4 ? 1. : 0.};
      for (int d = 0; d < 3; ++d) {
        host(c, n, d) = corner[d] + s * corner[(d + 1) % 3] * corner[(d + 2) % 3];
      }
    }
  }
  Kokkos::deep_copy(nodes, host);
  return nodes;
}

/// The same cells as Intrepid2's class has them.
Geometry geometryOf(const Array& nodes) {
  const int cells = int(nodes.extent(0));
  Kokkos::DynRankView<int, Device> of_cells("nodes of cells", cells, vertices);
  Array all("all nodes", cells * vertices, 3);
  const auto of_cells_host = Kokkos::create_mirror_view(of_cells);
  const auto all_host = Kokkos::create_mirror_view(all);
  const auto nodes_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), nodes);
  for (int c = 0; c < cells; ++c) {
    for (int n = 0; n < int(vertices); ++n) {
      const int node = c * int(vertices) + n;
      of_cells_host(c, n) = node;
      for (int d = 0; d < 3; ++d) all_host(node, d) = nodes_host(c, n, d);
    }
  }
  Kokkos::deep_copy(of_cells, of_cells_host);
  Kokkos::deep_copy(all, all_host);
  const bool is_affine = false;
  return Geometry(shards::CellTopology(shards::getCellTopologyData<shards::Hexahedron<8>>()),
                  of_cells, all, is_affine);
}

/// What all three work on: a basis of some order, a cubature, and cells.
struct Assembly {
  Teuchos::RCP<Intrepid2::Basis<Device, double, double>> basis;
  Teuchos::RCP<Intrepid2::Cubature<Device, double, double>> cubature;
  shards::CellTopology topology{shards::getCellTopologyData<shards::Hexahedron<8>>()};
  Array nodes, points, weights;
  int order, cells, fields, numPoints;

  Assembly(int p, double megabytes) : order(p) {
    basis = Intrepid2::getBasis<Intrepid2::DerivedNodalBasisFamily<Device>>(
        topology, Intrepid2::FUNCTION_SPACE_HGRAD, order);
    cubature = Intrepid2::DefaultCubatureFactory::create<Device>(topology, 2 * order);
    fields = basis->getCardinality();
    numPoints = cubature->getNumPoints();
    points = Array("points", numPoints, 3);
    weights = Array("weights", numPoints);
    cubature->getCubature(points, weights);
    cells = int(std::min(4096., std::max(2., megabytes * 1e6 / (8. * fields * fields))));
    nodes = nodesOfCells(cells);
  }
};

/// Bytes of memory that this program holds, or has held at most since forgetPeak(); 0 where nobody
/// tells.
double memoryBytes(const char* which) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == which && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}
void forgetPeak() { std::ofstream("/proc/self/clear_refs") << "5"; }

/// Seconds, and memory beyond the arrays that are given.
struct Cost {
  double seconds, bytes;
};

/// By forms.
Cost byForms(const Assembly& a, const Array& matrices) {
  auto points = a.cubature->allocateCubaturePoints();
  auto weights = a.cubature->allocateCubatureWeights();
  a.cubature->getCubature(points, weights);
  auto values = a.basis->allocateBasisValues(points, Intrepid2::OPERATOR_VALUE);
  auto gradients = a.basis->allocateBasisValues(points, Intrepid2::OPERATOR_GRAD);
  a.basis->getValues(values, points, Intrepid2::OPERATOR_VALUE);
  a.basis->getValues(gradients, points, Intrepid2::OPERATOR_GRAD);
  const auto basis = Kontract::tensorBasis(values, gradients);
  const Array gradients_of_nodes("gradients of nodes", vertices, a.numPoints, 3);
  Intrepid2::Basis_HGRAD_HEX_C1_FEM<Device, double, double>().getValues(
      gradients_of_nodes, a.points, Intrepid2::OPERATOR_GRAD);
  forgetPeak();
  const double before = memoryBytes("VmRSS:");
  const double seconds = secondsOf([&] {
    Integration::matrices(matrices, Kontract::geometry(a.nodes, gradients_of_nodes, a.weights),
                          Kontract::term(Kontract::Form::gradGrad(), basis, basis));
  });
  return {seconds, memoryBytes("VmHWM:") - before};
}

/// By the chain of Intrepid2's FunctionSpaceTools, in worksets of cells.
double byChain(const Assembly& a, const Array& matrices) {
  const double of_cell = 8. * 3 * a.fields * a.numPoints;
  const int workset = std::max(1, std::min(a.cells, int(4e6 / of_cell)));  // as it is best
  const Array reference("reference", a.fields, a.numPoints, 3);
  a.basis->getValues(reference, a.points, Intrepid2::OPERATOR_GRAD);
  Array jacobian("jacobian", workset, a.numPoints, 3, 3),
      inverse("inverse", workset, a.numPoints, 3, 3),
      determinant("determinant", workset, a.numPoints), measure("measure", workset, a.numPoints),
      gradients("gradients", workset, a.fields, a.numPoints, 3),
      weighted("weighted", workset, a.fields, a.numPoints, 3);
  return secondsOf([&] {
    for (int first = 0; first < a.cells; first += workset) {
      const int n = std::min(workset, a.cells - first);
      const auto some = Kokkos::make_pair(0, n);
      const auto all = Kokkos::ALL();
      const auto j = Kokkos::subview(jacobian, some, all, all, all);
      const auto i = Kokkos::subview(inverse, some, all, all, all);
      const auto d = Kokkos::subview(determinant, some, all);
      const auto m = Kokkos::subview(measure, some, all);
      const auto g = Kokkos::subview(gradients, some, all, all, all);
      const auto w = Kokkos::subview(weighted, some, all, all, all);
      const auto cells = Kokkos::make_pair(first, first + n);
      CellTools::setJacobian(j, a.points, Kokkos::subview(a.nodes, cells, all, all), a.topology);
      CellTools::setJacobianInv(i, j);
      CellTools::setJacobianDet(d, j);
      Tools::computeCellMeasure(m, d, a.weights);
      Tools::HGRADtransformGRAD(g, i, reference);
      Tools::multiplyMeasure(w, m, g);
      Tools::integrate(Kokkos::subview(matrices, cells, all, all), g, w);
    }
  });
}

/// By Intrepid2's IntegrationTools, in worksets of cells.
double byTensors(const Assembly& a, const Array& matrices) {
  Geometry geometry = geometryOf(a.nodes);
  auto points = a.cubature->allocateCubaturePoints();
  auto weights = a.cubature->allocateCubatureWeights();
  a.cubature->getCubature(points, weights);
  auto gradients = a.basis->allocateBasisValues(points, Intrepid2::OPERATOR_GRAD);
  a.basis->getValues(gradients, points, Intrepid2::OPERATOR_GRAD);
  const int workset = std::max(1, std::min({a.cells, 256, int(4e6 / (8. * a.fields * a.fields))}));
  auto jacobian = geometry.allocateJacobianData(points, 0, workset);
  auto determinant = CellTools::allocateJacobianDet(jacobian);
  auto inverse = CellTools::allocateJacobianInv(jacobian);
  auto measure = geometry.allocateCellMeasure(determinant, weights);
  const auto transformed =
      Tools::getHGRADtransformGRAD(inverse, KontractTest::referenceGradients(gradients));
  auto integrals =
      Intrepid2::IntegrationTools<Device>::allocateIntegralData(transformed, measure, transformed);
  const auto reference = geometry.getJacobianRefData(points);
  return secondsOf([&] {
    for (int first = 0; first < a.cells; first += workset) {
      const int n = std::min(workset, a.cells - first);
      jacobian.setExtent(0, n);
      determinant.setExtent(0, n);
      inverse.setExtent(0, n);
      integrals.setExtent(0, n);
      measure.setFirstComponentExtentInDimension0(n);
      geometry.setJacobian(jacobian, points, reference, first, first + n);
      CellTools::setJacobianDet(determinant, jacobian);
      CellTools::setJacobianInv(inverse, jacobian);
      geometry.computeCellMeasure(measure, determinant, weights);
      Intrepid2::IntegrationTools<Device>::integrate(
          integrals,
          Tools::getHGRADtransformGRAD(inverse, KontractTest::referenceGradients(gradients)),
          measure,
          Tools::getHGRADtransformGRAD(inverse, KontractTest::referenceGradients(gradients)));
      const auto cells = Kokkos::make_pair(first, first + n);
      const auto some = Kokkos::make_pair(0, n);
      Kokkos::deep_copy(
          Kokkos::subview(matrices, cells, Kokkos::ALL(), Kokkos::ALL()),
          Kokkos::subview(integrals.getUnderlyingView(), some, Kokkos::ALL(), Kokkos::ALL()));
    }
  });
}

/// The largest difference of two arrays over the largest element.
double difference(const Array& a, const Array& b) {
  const auto a_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a);
  const auto b_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), b);
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a_host.data()[i]));
    const double here = std::abs(a_host.data()[i] - b_host.data()[i]);
    KontractTest::keepLargest(difference, here);
  }
  return difference / largest;
}

/// \return whether all matrices agree
bool row(int order, double megabytes) {
  const Assembly a(order, megabytes);
  const Array ours("ours", a.cells, a.fields, a.fields),
      chain("chain", a.cells, a.fields, a.fields), tensors("tensors", a.cells, a.fields, a.fields);
  const Cost cost = byForms(a, ours);
  const double forms = cost.seconds, arrays = 8. * double(ours.size() + a.nodes.size());
  const double by_chain = byChain(a, chain), by_tensors = byTensors(a, tensors);
  const double worst = std::max(difference(chain, ours), difference(chain, tensors));
  const auto microseconds = [&](double seconds) { return seconds / a.cells * 1e6; };
  std::printf("%5d %6d %6d %6d %12.2f %14.1f %8.1f %14.1f %8.1f %12.1e %7.2f %%\n", order, a.fields,
              a.numPoints, a.cells, microseconds(forms), microseconds(by_chain), by_chain / forms,
              microseconds(by_tensors), by_tensors / forms, worst, 100 * cost.bytes / arrays);
  std::fflush(stdout);
  return worst < 1e-11;
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const int first = argc > 1 ? std::atoi(argv[1]) : 1;
  const int last = argc > 2 ? std::atoi(argv[2]) : 8;
  const double megabytes = argc > 3 ? std::atof(argv[3]) : 256;
  if (argc > 4) least_seconds = std::atof(argv[4]);
  std::printf("grad-grad on hexahedra, double, on %s with concurrency %d, microseconds a cell\n",
              Space::name(), int(Space().concurrency()));
  std::printf(
      "order fields points  cells     Kontract       Standard   faster  Non-Aff. Tensor "
      "faster   difference    memory\n");
  bool all_agree = true;
  for (int order = first; order <= last; ++order) all_agree = row(order, megabytes) && all_agree;
  if (!all_agree) std::printf("the matrices differ\n");
  return all_agree ? 0 : 1;
}
