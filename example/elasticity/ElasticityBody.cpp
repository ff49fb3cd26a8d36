// SPDX-License-Identifier: BSD-3-Clause
#include "ElasticityBody.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ExampleGeometry.hpp"

#include "Intrepid2_CellTools.hpp"
#include "Kokkos_Timer.hpp"
#include "Kontract_FunctionSpaceTools.hpp"
#include "Kontract_Integration.hpp"

namespace Elasticity {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Integration = Kontract::Integration<Device>;

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

double slowest(const Teuchos::Comm<int>& comm, double seconds) {
  double result = 0;
  Teuchos::reduceAll(comm, Teuchos::REDUCE_MAX, seconds, Teuchos::outArg(result));
  return result;
}

}  // namespace

Workset::Workset(int num_cells, const Element& element, const Material& material,
                 const Loads& loads) {
  const int num_nodes = element.numNodes();
  const int num_fields = num_nodes * space_dim;
  nodes = Array("nodes", num_cells, num_nodes, space_dim);
  matrices = Array("matrices", num_cells, num_fields, num_fields);
  displacements = Array("displacements", num_cells, num_fields);
  vectors = Array("vectors", num_cells, num_fields);
  lambda = Array("lambda", num_cells, 1);
  mu = Array("mu", num_cells, 1);
  body_force = Array("body_force", num_cells, 1, space_dim);
  Kokkos::deep_copy(lambda, material.lambda());
  Kokkos::deep_copy(mu, material.mu());
  fill(body_force, loads.body_force);
}

Body::Body(const Communicator& comm, const Input& input)
    : _element(input.mesh.shape, input.mesh.order),
      _mesh(makeMesh(comm, input.mesh, _element)),
      _dofs(_mesh, space_dim),
      _material(input.material),
      _loads(input.loads),
      _quadrature(_element.quadrature(quadratureDegree(_element))),
      _worksets(_mesh.numCells(), input.workset_size,
                [&](int num_cells) { return Workset(num_cells, _element, _material, _loads); }),
      _exporter(_dofs.local, _dofs.owned) {
  checkOrientation(_mesh, _element, _quadrature, worksetSize());
  if (input.patch) fixToLinear(_mesh, _dofs);
}

template <class Action>
void Body::forEachWorkset(const Action& action) {
  _worksets.forEach([&](Workset& workset, int first) {
    gatherCoordinates(workset.nodes, _mesh, CellsFrom{first});
    const auto cells =
        Kontract::geometry(workset.nodes, _quadrature.gradients, _quadrature.weights);
    const auto stiffness = Kontract::term(Form::elasticity(), _quadrature.gradients,
                                          _quadrature.gradients, workset.lambda, workset.mu);
    action(workset, first, cells, stiffness);
  });
}

System Body::assembleStiffness(AssemblyTimes& times) {
  const auto graph = makeGraph(_dofs);
  const auto system = makeSystem(_dofs, graph);
  const double total = SystemSum(_dofs, *graph).assemble(system, [&](const auto& add) {
    forEachWorkset([&](Workset& w, int first, const auto& cells, const auto& stiffness) {
      ExecutionSpace().fence();
      Kokkos::Timer timer;
      Integration::matrices(w.matrices, cells, stiffness);
      ExecutionSpace().fence();
      times.matrices += timer.seconds();
      Kokkos::deep_copy(w.vectors, 0);
      add(w.matrices, w.vectors, first);
    });
  });
  times.total = slowest(*_mesh.comm, total);
  times.matrices = slowest(*_mesh.comm, times.matrices);
  return system;
}

double Body::rigidBodyForces() {
  double largest = 0;
  forEachWorkset([&](Workset& w, int, const auto& cells, const auto& stiffness) {
    Integration::matrices(w.matrices, cells, stiffness);
    largest = std::max(largest, largestRigidBodyForce(w));
  });
  return slowest(*_mesh.comm, largest);
}

RCP<Vector> Body::loads() {
  Vector local(_dofs.local);
  const auto sum = local.getLocalViewDevice(Tpetra::Access::ReadWrite);
  forEachWorkset([&](Workset& w, int first, const auto& cells, const auto&) {
    Integration::vectors(
        w.vectors, cells,
        Kontract::load(Form::source(FunctionSpace::HGRAD), _quadrature.values, w.body_force));
    addVectors(sum, w.vectors, _dofs, CellsFrom{first});
  });
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

RCP<Vector> Body::internalForces(const MultiVector& local_displacements) {
  Vector local(_dofs.local);
  const auto displacements = local_displacements.getLocalViewDevice(Tpetra::Access::ReadOnly);
  const auto sum = local.getLocalViewDevice(Tpetra::Access::ReadWrite);
  forEachWorkset([&](Workset& w, int first, const auto& cells, const auto& stiffness) {
    gatherValues(w.displacements, _dofs, displacements, first);
    Integration::apply(w.vectors, w.displacements, cells, stiffness);
    addVectors(sum, w.vectors, _dofs, CellsFrom{first});
  });
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
