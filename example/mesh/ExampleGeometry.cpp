// SPDX-License-Identifier: BSD-3-Clause
#include "ExampleGeometry.hpp"

#include <sstream>

#include "ExampleAssembly.hpp"

#include "Intrepid2_CellTools.hpp"

namespace Example {

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
  gatherCoordinates(nodes, mesh, CellsFrom{first});
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
  forEachWorkset(mesh.numCells(), workset_size, [&](int first, int num_cells) {
    Geometry geometry(num_cells, element, quadrature);
    gatherCoordinates(geometry.nodes, mesh, CellsFrom{first});
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
  });
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

}  // namespace Example
