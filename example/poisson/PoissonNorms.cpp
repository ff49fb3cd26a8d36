// SPDX-License-Identifier: BSD-3-Clause
#include "PoissonNorms.hpp"

#include <algorithm>
#include <cmath>

#include "ExampleGeometry.hpp"
#include "ExampleWorkset.hpp"

namespace Poisson {

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
