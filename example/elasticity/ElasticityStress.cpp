// SPDX-License-Identifier: BSD-3-Clause
#include "ElasticityStress.hpp"

#include <cmath>

#include "ExampleAssembly.hpp"
#include "ExampleGeometry.hpp"

#include "Kontract_FunctionSpaceTools.hpp"
#include "Tpetra_Export.hpp"

namespace Elasticity {
namespace {

using Tools = Kontract::FunctionSpaceTools<Device>;

/// Isotropic linear elasticity at one point.
struct PointStress {
  double stress[space_dim][space_dim];
  double energy = 0;  ///< per volume

  /// \param gradient  gradient(i,d), of component i in direction d
  template <class Gradient>
  KOKKOS_INLINE_FUNCTION PointStress(const Gradient& gradient, double lambda, double mu) {
    double trace = 0;
    for (int i = 0; i < space_dim; ++i) trace += gradient(i, i);
    for (int i = 0; i < space_dim; ++i)
      for (int j = 0; j < space_dim; ++j) {
        const double strain = (gradient(i, j) + gradient(j, i)) / 2;
        stress[i][j] = 2 * mu * strain + (i == j ? lambda * trace : 0);
        energy += stress[i][j] * strain / 2;
      }
  }

  KOKKOS_INLINE_FUNCTION double vonMises() const {
    double mean = 0, deviator2 = 0;
    for (int i = 0; i < space_dim; ++i) mean += stress[i][i] / space_dim;
    for (int i = 0; i < space_dim; ++i)
      for (int j = 0; j < space_dim; ++j) {
        const double deviator = stress[i][j] - (i == j ? mean : 0);
        deviator2 += deviator * deviator;
      }
    return std::sqrt(1.5 * deviator2);
  }
};

template <class Values>
void gatherDisplacements(Array displacements, const Mesh& mesh, const Values& values, int first) {
  const auto nodes = mesh.cell_nodes;
  Kokkos::parallel_for(
      "Elasticity::gatherDisplacements",
      CellPoints({0, 0}, {displacements.extent_int(0), displacements.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int node) {
        for (int i = 0; i < space_dim; ++i)
          displacements(cell, node, i) = values(nodes(first + cell, node) * space_dim + i, 0);
      });
}

/// Calls action(first cell, geometry, gradients) for each workset, with the gradients of
/// displacements (C,P,D,D): derivatives of component i at (c,p,i).
template <class Action>
void forEachGradient(const Body& body, const Quadrature& quadrature,
                     const MultiVector& local_displacements, const Action& action) {
  const Mesh& mesh = body.mesh();
  const auto values = local_displacements.getLocalViewDevice(Tpetra::Access::ReadOnly);
  const int num_nodes = body.element().numNodes();
  const int num_points = quadrature.points.extent_int(0);
  const auto all = Kokkos::ALL();
  Example::forEachWorkset(mesh.numCells(), body.worksetSize(), [&](int first, int num_cells) {
    Geometry geometry(num_cells, body.element(), quadrature);
    Array basis_gradients("basis_gradients", num_cells, num_nodes, num_points, space_dim);
    Array displacements("displacements", num_cells, num_nodes, space_dim);
    Array gradients("gradients", num_cells, num_points, space_dim, space_dim);
    gatherCoordinates(geometry.nodes, mesh, CellsFrom{first});
    gatherDisplacements(displacements, mesh, values, first);
    geometry.updateJacobians(quadrature);
    Tools::HGRADtransformGRAD(basis_gradients, geometry.inverse, quadrature.gradients);
    for (int i = 0; i < space_dim; ++i)
      Tools::evaluate(Kokkos::subview(gradients, all, all, i, all),
                      Kokkos::subview(displacements, all, all, i), basis_gradients);
    action(first, geometry, gradients);
  });
}

/// Energy of a workset from gradients (C,P,D,D) and measures (C,P).
double energyOf(Array gradients, Array measures, const Material& material) {
  const double lambda = material.lambda();
  const double mu = material.mu();
  double energy = 0;
  Kokkos::parallel_reduce(
      "Elasticity::energy", CellPoints({0, 0}, {measures.extent_int(0), measures.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int point, double& sum) {
        const auto gradient = [&](int i, int d) { return gradients(cell, point, i, d); };
        sum += measures(cell, point) * PointStress(gradient, lambda, mu).energy;
      },
      energy);
  return energy;
}

/// Adds, at the nodes of cells, the stresses from gradients (C,F,D,D) to the first column and one
/// to the second.
template <class Sums>
void addStresses(const Sums& sums, Array gradients, const Mesh& mesh, const Material& material,
                 int first) {
  const auto nodes = mesh.cell_nodes;
  const double lambda = material.lambda();
  const double mu = material.mu();
  Kokkos::parallel_for(
      "Elasticity::addStresses",
      CellPoints({0, 0}, {gradients.extent_int(0), gradients.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int i) {
        const auto gradient = [&](int j, int d) { return gradients(cell, i, j, d); };
        const LocalOrdinal node = nodes(first + cell, i);
        Kokkos::atomic_add(&sums(node, 0), PointStress(gradient, lambda, mu).vonMises());
        Kokkos::atomic_add(&sums(node, 1), 1.0);
      });
}

}  // namespace

double strainEnergy(const Body& body, const MultiVector& local_displacements) {
  double local = 0;
  forEachGradient(body, body.quadrature(), local_displacements,
                  [&](int, const Geometry& geometry, Array gradients) {
                    Array measures("measures", gradients.extent(0), gradients.extent(1));
                    Tools::computeCellMeasure(measures, geometry.determinant,
                                              body.quadrature().weights);
                    local += energyOf(gradients, measures, body.material());
                  });
  double energy = 0;
  Teuchos::reduceAll(*body.mesh().comm, Teuchos::REDUCE_SUM, local, Teuchos::outArg(energy));
  return energy;
}

RCP<Vector> vonMisesStress(const Body& body, const MultiVector& local_displacements) {
  const Mesh& mesh = body.mesh();
  MultiVector local(mesh.local_nodes, 2), owned(mesh.owned_nodes, 2);
  forEachGradient(body, body.element().atNodes(), local_displacements,
                  [&](int first, const Geometry&, Array gradients) {
                    addStresses(local.getLocalViewDevice(Tpetra::Access::ReadWrite), gradients,
                                mesh, body.material(), first);
                  });
  const Tpetra::Export<LocalOrdinal, GlobalOrdinal, Node> exporter(mesh.local_nodes,
                                                                   mesh.owned_nodes);
  owned.doExport(local, exporter, Tpetra::ADD);
  local.doImport(owned, exporter, Tpetra::INSERT);  // the other way
  const auto means = rcp(new Vector(mesh.local_nodes));
  const auto sums = local.getLocalViewHost(Tpetra::Access::ReadOnly);
  const auto values = means->getLocalViewHost(Tpetra::Access::OverwriteAll);
  for (std::size_t node = 0; node < values.extent(0); ++node)
    values(node, 0) = sums(node, 0) / sums(node, 1);
  return means;
}

}  // namespace Elasticity
