// SPDX-License-Identifier: BSD-3-Clause
#include "ElasticityAssembly.hpp"

#include "ExampleGeometry.hpp"
#include "ExampleSystemPlan.hpp"

#include "Intrepid2_ArrayTools.hpp"
#include "Kontract_ArrayTools.hpp"

namespace Elasticity {
namespace {

using Kontract::Form;

/// Arrays of a chain on a workset. Fields are those of displacements, N D a cell.
struct ChainWorkset {
  Geometry geometry;
  Array measure;                            ///< (C,P)
  Array gradients;                          ///< (C,N,P,D), of the functions of nodes
  Array derivatives, weighted_derivatives;  ///< (C,N D,P): the same, a field for each component
  Array products;                           ///< (C,N D,N D), integrals of products of derivatives
  Array values, weighted_values;            ///< (C,N,P)
  Array ones;                               ///< (C,1)
  Array integrals;                          ///< (C,N), of the values
  Array matrices;                           ///< (C,N D,N D)
  Array loads;                              ///< (C,N D)

  ChainWorkset(int num_cells, const Element& element, const Quadrature& quadrature)
      : geometry(num_cells, element, quadrature) {
    const int n = element.numNodes();
    const int f = n * space_dim;
    const int p = quadrature.points.extent_int(0);
    measure = Array("measure", num_cells, p);
    gradients = Array("gradients", num_cells, n, p, space_dim);
    derivatives = Array("derivatives", num_cells, f, p);
    weighted_derivatives = Array("weighted_derivatives", num_cells, f, p);
    products = Array("products", num_cells, f, f);
    values = Array("values", num_cells, n, p);
    weighted_values = Array("weighted_values", num_cells, n, p);
    ones = Array("ones", num_cells, 1);
    integrals = Array("integrals", num_cells, n);
    matrices = Array("matrices", num_cells, f, f);
    loads = Array("loads", num_cells, f);
    Kokkos::deep_copy(ones, 1);
  }
};

/// Derivative i of the function of node n becomes field n D + i.
void orderByField(Array derivatives, Array gradients) {
  Kokkos::parallel_for(
      "Elasticity::orderByField",
      CellPoints({0, 0}, {derivatives.extent_int(0), derivatives.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int field) {
        for (int point = 0; point < derivatives.extent_int(2); ++point)
          derivatives(cell, field, point) =
              gradients(cell, field / space_dim, point, field % space_dim);
      });
}

/// Stiffness from the integrals M of products of derivatives: with a constant material
///   K(n i, m j) = lambda M(n i, m j) + mu M(n j, m i) + mu (i == j) (sum over k of M(n k, m k)).
void combine(Array stiffness, Array products, const Material& material) {
  const double lambda = material.lambda(), mu = material.mu();
  Kokkos::parallel_for(
      "Elasticity::combine", CellPoints({0, 0}, {stiffness.extent_int(0), stiffness.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int left) {
        const int i = left % space_dim, n = left - i;
        for (int right = 0; right < stiffness.extent_int(2); ++right) {
          const int j = right % space_dim, m = right - j;
          double trace = 0;
          if (i == j)
            for (int k = 0; k < space_dim; ++k) trace += products(cell, n + k, m + k);
          stiffness(cell, left, right) =
              lambda * products(cell, left, right) + mu * (products(cell, n + j, m + i) + trace);
        }
      });
}

/// Loads of a constant body force from the integrals of the functions of nodes.
void setLoads(Array loads, Array integrals, const Vec& force) {
  Kokkos::parallel_for(
      "Elasticity::setLoads", CellPoints({0, 0}, {loads.extent_int(0), loads.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int field) {
        loads(cell, field) = force[field % space_dim] * integrals(cell, field / space_dim);
      });
}

/// By functions of \a Tools, Kontract's ArrayTools or Intrepid2's. One contraction integrates all
/// products of derivatives, which takes a sixth of the operations of products of strains and
/// stresses.
template <class Tools>
void integrate(ChainWorkset& w, const Body& body, AssemblyTimes& times) {
  const auto& quadrature = body.quadrature();
  Tools::scalarMultiplyDataData(w.measure, w.geometry.determinant, quadrature.weights);
  Tools::matvecProductDataField(w.gradients, w.geometry.inverse, quadrature.gradients, 'T');
  orderByField(w.derivatives, w.gradients);
  Tools::scalarMultiplyDataField(w.weighted_derivatives, w.measure, w.derivatives);
  Tools::cloneFields(w.values, quadrature.values);
  Tools::scalarMultiplyDataField(w.weighted_values, w.measure, w.values);
  addSeconds(times.contractions, [&] {
    Tools::contractFieldFieldScalar(w.products, w.derivatives, w.weighted_derivatives);
    Tools::contractDataFieldScalar(w.integrals, w.ones, w.weighted_values);
  });
  combine(w.matrices, w.products, body.material());
  setLoads(w.loads, w.integrals, body.bodyForce());
}

template <class Tools>
AssemblyTimes assembleByChain(const System& system, const Body& body, const SystemSum& sum,
                              Worksets<ChainWorkset>& worksets) {
  AssemblyTimes times;
  sum.assemble(system, times, [&](const auto& add) {
    worksets.forEach([&](ChainWorkset& w, int first) {
      addSeconds(times.geometry, [&] {
        gatherCoordinates(w.geometry.nodes, body.mesh(), CellsFrom{first});
        w.geometry.updateJacobians(body.quadrature());
      });
      addSeconds(times.integration, [&] { integrate<Tools>(w, body, times); });
      add(w.matrices, w.loads, first);
    });
  });
  return times;
}

AssemblyTimes assembleByForms(const System& system, const Body& body, const SystemSum& sum,
                              Worksets<Workset>& worksets) {
  AssemblyTimes times;
  const auto& quadrature = body.quadrature();
  sum.assemble(system, times, [&](const auto& add) {
    worksets.forEach([&](Workset& w, int first) {
      addSeconds(times.geometry,
                 [&] { gatherCoordinates(w.nodes, body.mesh(), CellsFrom{first}); });
      addSeconds(times.integration, [&] {
        const auto cells = Kontract::geometry(w.nodes, quadrature.gradients, quadrature.weights);
        Integration::matrices(w.matrices, cells, body.stiffness(w));
        Integration::vectors(w.vectors, cells, body.load(w));
      });
      add(w.matrices, w.vectors, first);
    });
  });
  return times;
}

/// No arrays but those of a material and a force that are the same in all cells.
AssemblyTimes assembleDirectly(const System& system, const Body& body, const SystemPlan& plan,
                               const CellModel& model) {
  AssemblyTimes times;
  const auto& quadrature = body.quadrature();
  plan.assemble(system, times, [&](const auto& add) {
    add(0, body.mesh().numCells(), [&](const SystemCells& of) {
      const auto cells = Kontract::geometry(Kontract::gathered(body.mesh().coordinates, of.nodes),
                                            quadrature.gradients, quadrature.weights);
      addForms(of, cells, body.load(model), body.stiffness(model));
    });
  });
  return times;
}

}  // namespace

Comparison compareAssemblies(const Body& body, int repetitions) {
  const auto& mesh = body.mesh();
  const auto graph = makeGraph(body.dofs());
  const SystemSum sum(body.dofs(), *graph);
  const SystemPlan plan(nodeNumbers(mesh), body.dofs(), graph);
  const CellModel model = body.cellModel(mesh.numCells());
  Worksets<ChainWorkset> of_chain(mesh.numCells(), body.worksetSize(), [&](int num_cells) {
    return ChainWorkset(num_cells, body.element(), body.quadrature());
  });
  Worksets<Workset> of_forms(mesh.numCells(), body.worksetSize(),
                             [&](int num_cells) { return body.workset(num_cells); });

  Comparison result{AssemblyComparison(body.dofs(), graph)};
  auto& ways = result.ways;
  ways.add("Intrepid2", [&](const System& system) {
    return assembleByChain<Intrepid2::ArrayTools<Device>>(system, body, sum, of_chain);
  });
  ways.add("chain", [&](const System& system) {
    return assembleByChain<Kontract::ArrayTools<Device>>(system, body, sum, of_chain);
  });
  ways.add("forms",
           [&](const System& system) { return assembleByForms(system, body, sum, of_forms); });
  ways.add("direct",
           [&](const System& system) { return assembleDirectly(system, body, plan, model); });
  ways.run(repetitions);
  result.plan_seconds = plan.seconds();
  return result;
}

}  // namespace Elasticity
