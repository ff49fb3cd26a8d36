// SPDX-License-Identifier: BSD-3-Clause
#include "ElasticityBody.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ExampleGeometry.hpp"

#include "Intrepid2_CellTools.hpp"
#include "Kontract_FunctionSpaceTools.hpp"

namespace Elasticity {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
constexpr double huge = 1e300;

/// Exact for the stiffness of cells with flat faces, and for forces of linear displacements on
/// curved ones, which the patch test needs: cofactors of the Jacobian times gradients.
int quadratureDegree(const Element& element) {
  const int p = element.order();
  return std::max(2 * p, element.shape() == Shape::Tetrahedron ? 3 * (p - 1) : 3 * p - 1);
}

/// The same vector in each cell, (C,1,D).
void fill(Array cells, const Vec& vector) {
  for (int d = 0; d < space_dim; ++d)
    Kokkos::deep_copy(Kokkos::subview(cells, Kokkos::ALL(), 0, d), vector[d]);
}

/// See Body::rigidBodyForces.
double largestRigidBodyForce(const Workset& workset) {
  const auto matrices = workset.matrices;
  const auto nodes = workset.nodes;
  const int num_fields = matrices.extent_int(1);
  double largest = 0;
  Kokkos::parallel_reduce(
      "Elasticity::rigidBodyForces", CellPoints({0, 0}, {matrices.extent_int(0), num_rigid_modes}),
      KOKKOS_LAMBDA(int cell, int mode, double& result) {
        // About a node of the cell, so that the place of the cell does not add to the rounding.
        const auto displacement = [&](int i) {
          const auto x = [&](int d) { return nodes(cell, i / space_dim, d) - nodes(cell, 0, d); };
          return rigidMode(mode, i % space_dim, x);
        };
        double force = 0, size = 0;
        for (int i = 0; i < num_fields; ++i) {
          double sum = 0, sum_of_sizes = 0;
          for (int j = 0; j < num_fields; ++j) {
            const double term = matrices(cell, i, j) * displacement(j);
            sum += term;
            sum_of_sizes += std::fabs(term);
          }
          force = std::fmax(force, std::fabs(sum));
          size = std::fmax(size, sum_of_sizes);
        }
        const double ratio = force / size;
        result = std::fmax(result, ratio < huge ? ratio : huge);  // also if it is not a number
      },
      Kokkos::Max<double>(largest));
  return largest;
}

/// Gives the fixed nodes the displacements of the patch test.
void fixToLinear(const Mesh& mesh, const Dofs& dofs) {
  const auto coordinates = mesh.coordinates;
  const auto fixed_values = dofs.fixed_values;
  Kokkos::parallel_for(
      "Elasticity::fixToLinear",
      Kokkos::RangePolicy<ExecutionSpace>(0, static_cast<int>(fixed_values.extent(0))),
      KOKKOS_LAMBDA(int i) {
        const auto x = [&](int d) { return coordinates(i / space_dim, d); };
        fixed_values(i) = linearDisplacement(i % space_dim, x);
      });
}

/// The local cells of which the given face is loaded.
CellList loadedCells(const Mesh& mesh, const Element& element, int face) {
  std::vector<int> cells;
  for (int cell = 0; cell < mesh.numCells(); ++cell)
    if (mesh.face_groups[cell * element.numFaces() + face] == 0) cells.push_back(cell);
  CellList list("loaded_cells", cells.size());
  Kokkos::View<const int*, Kokkos::HostSpace> host(cells.data(), cells.size());
  Kokkos::deep_copy(list, host);
  return list;
}

}  // namespace

CellModel::CellModel(int num_cells, const Material& material, const Loads& loads)
    : lambda("lambda", num_cells, 1),
      mu("mu", num_cells, 1),
      body_force("body_force", num_cells, 1, space_dim) {
  Kokkos::deep_copy(lambda, material.lambda());
  Kokkos::deep_copy(mu, material.mu());
  fill(body_force, loads.body_force);
}

Workset::Workset(int num_cells, const Element& element, const Material& material,
                 const Loads& loads)
    : CellModel(num_cells, material, loads) {
  const int num_nodes = element.numNodes();
  const int num_fields = num_nodes * space_dim;
  nodes = Array("nodes", num_cells, num_nodes, space_dim);
  matrices = Array("matrices", num_cells, num_fields, num_fields);
  vectors = Array("vectors", num_cells, num_fields);
}

Body::Body(const Communicator& comm, const Input& input)
    : _element(input.mesh.shape, input.mesh.order),
      _mesh(makeMesh(comm, input.mesh, _element)),
      _dofs(_mesh, space_dim),
      _material(input.material),
      _loads(input.loads),
      _quadrature(_element.quadrature(quadratureDegree(_element))),
      _workset_size(input.workset_size),
      _model(_mesh.numCells(), _material, _loads),
      _nodes(nodeNumbers(_mesh)),
      _unknowns(_dofs.cell_dofs, _dofs.is_fixed.extent_int(0)),
      _exporter(_dofs.local, _dofs.owned) {
  checkOrientation(_mesh, _element, _quadrature, worksetSize());
  if (input.patch) fixToLinear(_mesh, _dofs);
}

double Body::rigidBodyForces() const {
  double largest = 0;
  Worksets<Workset>(_mesh.numCells(), worksetSize(), [&](int num_cells) {
    return workset(num_cells);
  }).forEach([&](Workset& w, int first) {
    gatherCoordinates(w.nodes, _mesh, CellsFrom{first});
    Integration::matrices(w.matrices,
                          Kontract::geometry(w.nodes, _quadrature.gradients, _quadrature.weights),
                          stiffness(w));
    largest = std::max(largest, largestRigidBodyForce(w));
  });
  double largest_of_all = 0;
  Teuchos::reduceAll(*_mesh.comm, Teuchos::REDUCE_MAX, largest, Teuchos::outArg(largest_of_all));
  return largest_of_all;
}

RCP<Vector> Body::bodyForces() const {
  Vector local(_dofs.local);
  Integration::vectors(
      Kontract::scattered(local.getLocalViewDevice(Tpetra::Access::OverwriteAll), _unknowns),
      geometry(), load(_model));
  return toOwners(local);
}

RCP<Vector> Body::tractions() const {
  Vector local(_dofs.local);
  for (int face = 0; face < _element.numFaces(); ++face) addTractions(local, face);
  return toOwners(local);
}

/// A workset of the cells of which that face is loaded: the values of the basis on it are the same.
void Body::addTractions(Vector& local, int face) const {
  const auto cells = loadedCells(_mesh, _element, face);
  const int num_cells = static_cast<int>(cells.extent(0));
  if (num_cells == 0) return;
  const auto quadrature = _element.faceQuadrature(face, 2 * _element.order() + 1);
  const int num_points = quadrature.points.extent_int(0);
  Workset w(num_cells, _element, Material(), _loads);
  Array jacobians("jacobians", num_cells, num_points, space_dim, space_dim);
  Array measures("measures", num_cells, num_points);
  Array tractions("tractions", num_cells, 1, space_dim);
  Array scratch("scratch", num_cells * num_points * space_dim);
  fill(tractions, _loads.traction);
  gatherCoordinates(w.nodes, _mesh, cells);
  Intrepid2::CellTools<Device>::setJacobian(jacobians, w.nodes, quadrature.gradients);
  Kontract::FunctionSpaceTools<Device>::computeFaceMeasure(measures, jacobians, quadrature.weights,
                                                           face, _element.topology(), scratch);
  Integration::vectors(
      w.vectors, Kontract::geometry(measures),
      Kontract::load(Form::source(FunctionSpace::HGRAD), quadrature.values, tractions));
  addVectors(local.getLocalViewDevice(Tpetra::Access::ReadWrite), w.vectors, _dofs, cells);
}

RCP<Vector> Body::internalForces(const MultiVector& local_displacements) const {
  Vector local(_dofs.local);
  Integration::apply(
      Kontract::scattered(local.getLocalViewDevice(Tpetra::Access::OverwriteAll), _unknowns),
      Kontract::gathered(local_displacements.getLocalViewDevice(Tpetra::Access::ReadOnly),
                         _unknowns),
      geometry(), stiffness(_model));
  return toOwners(local);
}

RCP<Vector> Body::toOwners(const Vector& local) const {
  const auto owned = rcp(new Vector(_dofs.owned));
  owned->doExport(local, _exporter, Tpetra::ADD);
  return owned;
}

RCP<MultiVector> Body::rigidBodyModes() const {
  const auto modes = rcp(new MultiVector(_dofs.owned, num_rigid_modes));
  const auto x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), _mesh.coordinates);
  const auto values = modes->getLocalViewHost(Tpetra::Access::OverwriteAll);
  for (int i = 0; i < static_cast<int>(values.extent(0)); ++i)
    for (int mode = 0; mode < num_rigid_modes; ++mode)
      values(i, mode) = rigidMode(mode, i % space_dim, [&](int d) { return x(i / space_dim, d); });
  return modes;
}

}  // namespace Elasticity
