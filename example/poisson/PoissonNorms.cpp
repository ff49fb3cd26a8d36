// SPDX-License-Identifier: BSD-3-Clause
#include "PoissonNorms.hpp"

#include <cmath>

#include "ExampleAssembly.hpp"
#include "ExampleGeometry.hpp"

namespace Poisson {

namespace {

/// Squares of both norms over a workset.
/// \param nodal  values of the solution, (C,F)
Norms squares(const Geometry& geometry, const Quadrature& quadrature, Array nodal,
              const Wave& wave) {
  const auto weights = quadrature.weights;
  const auto basis = quadrature.values;
  const auto points = geometry.points;
  const auto determinant = geometry.determinant;
  const int num_nodes = nodal.extent_int(1);
  Norms result;
  Kokkos::parallel_reduce(
      "Poisson::l2Norms", CellPoints({0, 0}, {points.extent_int(0), points.extent_int(1)}),
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
      result.solution, result.error);
  return result;
}

}  // namespace

Norms l2Norms(const Mesh& mesh, const Element& element, const Model& model,
              const MultiVector& local_solution, int workset_size) {
  // More than the assembly needs, so that the norm's own error does not show.
  const auto quadrature = element.quadrature(2 * element.order() + 4);
  const auto solution = local_solution.getLocalViewDevice(Tpetra::Access::ReadOnly);
  double local[2] = {0, 0};
  forEachWorkset(mesh.numCells(), workset_size, [&](int first, int num_cells) {
    Geometry geometry(num_cells, element, quadrature);
    geometry.updatePoints(mesh, element, quadrature, first);
    geometry.updateJacobians(quadrature);
    Array nodal("nodal", num_cells, element.numNodes());
    gatherValues(nodal, mesh, solution, first);
    const auto sums = squares(geometry, quadrature, nodal, model.wave);
    local[0] += sums.solution;
    local[1] += sums.error;
  });
  double global[2];
  Teuchos::reduceAll(*mesh.comm, Teuchos::REDUCE_SUM, 2, local, global);
  return {std::sqrt(global[0]), std::sqrt(global[1])};
}

}  // namespace Poisson
