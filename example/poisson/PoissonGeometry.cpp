// SPDX-License-Identifier: BSD-3-Clause
#include "PoissonGeometry.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "PoissonKernels.hpp"

#include "Intrepid2_CellTools.hpp"

namespace Poisson {

Geometry::Geometry(int num_cells, const Element& element, const Quadrature& quadrature) {
  const int num_points = quadrature.points.extent_int(0);
  nodes = Array("nodes", num_cells, element.numNodes(), space_dim);
  points = Array("points", num_cells, num_points, space_dim);
  jacobian = Array("jacobian", num_cells, num_points, space_dim, space_dim);
  inverse = Array("inverse", num_cells, num_points, space_dim, space_dim);
  determinant = Array("determinant", num_cells, num_points);
}

void Geometry::updatePoints(const Mesh& mesh, const Element& element, const Quadrature& quadrature,
                            int first) {
  gatherCoordinates(nodes, mesh, first);
  Intrepid2::CellTools<Device>::mapToPhysicalFrame(points, quadrature.points, nodes,
                                                   element.basis());
}

void Geometry::updateJacobians(const Quadrature& quadrature) {
  using CellTools = Intrepid2::CellTools<Device>;
  CellTools::setJacobian(jacobian, nodes, quadrature.gradients);
  CellTools::setJacobianInv(inverse, jacobian);
  CellTools::setJacobianDet(determinant, jacobian);
}

void checkOrientation(const Mesh& mesh, const Element& element, const Quadrature& quadrature,
                      int workset_size) {
  double worst = 1;
  GlobalOrdinal worst_tag = 0;
  for (int first = 0; first < mesh.numCells(); first += workset_size) {
    const int num_cells = std::min(workset_size, mesh.numCells() - first);
    Geometry geometry(num_cells, element, quadrature);
    gatherCoordinates(geometry.nodes, mesh, first);
    Intrepid2::CellTools<Device>::setJacobian(geometry.jacobian, geometry.nodes,
                                              quadrature.gradients);
    Intrepid2::CellTools<Device>::setJacobianDet(geometry.determinant, geometry.jacobian);
    const auto determinant =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), geometry.determinant);
    for (int cell = 0; cell < num_cells; ++cell)
      for (std::size_t point = 0; point < determinant.extent(1); ++point)
        if (determinant(cell, point) < worst) {
          worst = determinant(cell, point);
          worst_tag = mesh.cell_tags[first + cell];
        }
  }
  double global_worst = 0;
  Teuchos::reduceAll(*mesh.comm, Teuchos::REDUCE_MIN, worst, Teuchos::outArg(global_worst));
  if (global_worst > 0) return;
  const GlobalOrdinal candidate = worst == global_worst ? worst_tag : 0;
  GlobalOrdinal tag = 0;
  Teuchos::reduceAll(*mesh.comm, Teuchos::REDUCE_MAX, candidate, Teuchos::outArg(tag));
  std::ostringstream message;
  message << "element " << tag << " has a Jacobian determinant of " << global_worst
          << ", which is not positive";
  throw InputError(message.str());
}

Norms l2Norms(const Mesh& mesh, const Element& element, const Model& model,
              const MultiVector& local_solution, int workset_size) {
  // More than the assembly needs, so that the norm's own error does not show.
  const auto quadrature = element.quadrature(2 * element.order() + 4);
  const auto solution = local_solution.getLocalViewDevice(Tpetra::Access::ReadOnly);
  const auto weights = quadrature.weights;
  const auto basis = quadrature.values;
  const Wave wave = model.wave;
  const int num_nodes = element.numNodes();
  double local[2] = {0, 0};
  for (int first = 0; first < mesh.numCells(); first += workset_size) {
    const int num_cells = std::min(workset_size, mesh.numCells() - first);
    Geometry geometry(num_cells, element, quadrature);
    geometry.updatePoints(mesh, element, quadrature, first);
    geometry.updateJacobians(quadrature);
    Array nodal("nodal", num_cells, num_nodes);
    gatherValues(nodal, mesh, solution, first);
    const auto points = geometry.points;
    const auto determinant = geometry.determinant;
    double solution2 = 0;
    double error2 = 0;
    Kokkos::parallel_reduce(
        "Poisson::l2Norms", CellPoints({0, 0}, {num_cells, points.extent_int(1)}),
        KOKKOS_LAMBDA(int cell, int point, double& sum_solution, double& sum_error) {
          double u = 0;
          for (int i = 0; i < num_nodes; ++i) u += basis(i, point) * nodal(cell, i);
          Vec x;
          for (int d = 0; d < space_dim; ++d) x[d] = points(cell, point, d);
          const double measure = weights(point) * determinant(cell, point);
          const double difference = u - wave.value(x);
          sum_solution += measure * u * u;
          sum_error += measure * difference * difference;
        },
        solution2, error2);
    local[0] += solution2;
    local[1] += error2;
  }
  double global[2];
  Teuchos::reduceAll(*mesh.comm, Teuchos::REDUCE_SUM, 2, local, global);
  return {std::sqrt(global[0]), std::sqrt(global[1])};
}

}  // namespace Poisson
