// SPDX-License-Identifier: BSD-3-Clause
#include "MaxwellAssembly.hpp"

#include "ExampleAssembly.hpp"

#include "Intrepid2_FunctionSpaceTools.hpp"
#include "Kokkos_Timer.hpp"
#include "Kontract_FunctionSpaceTools.hpp"
#include "Kontract_Integration.hpp"

namespace Maxwell {
namespace {

/// What goes into the integrals over C cells, and what comes out.
struct Workset {
  Array nodes;                 ///< (C,N,D)
  Array signs;                 ///< (C,F)
  CellMap map;                 ///< the places alone
  Array inverse_permeability;  ///< (C,1): one value a cell
  Array conductivity;          ///< (C,1)
  Array source;                ///< (C,P,D)
  Array matrices;              ///< (C,F,F)
  Array loads;                 ///< (C,F)

  Workset(int num_cells, const EdgeElement& element, const Material& material)
      : nodes("nodes", num_cells, element.vertex_gradients.extent(0), space_dim),
        signs("signs", num_cells, element.numFields()),
        map(num_cells, element),
        inverse_permeability("inverse_permeability", num_cells, 1),
        conductivity("conductivity", num_cells, 1),
        source("source", num_cells, element.numPoints(), space_dim),
        matrices("matrices", num_cells, element.numFields(), element.numFields()),
        loads("loads", num_cells, element.numFields()) {
    Kokkos::deep_copy(inverse_permeability, 1 / material.permeability);
    Kokkos::deep_copy(conductivity, material.conductivity);
  }

  void gather(const EdgeMesh& mesh, int first) {
    const std::pair<int, int> cells(first, first + nodes.extent_int(0));
    Kokkos::deep_copy(nodes, Kokkos::subview(mesh.nodes, cells, Kokkos::ALL, Kokkos::ALL));
    Kokkos::deep_copy(signs, Kokkos::subview(mesh.signs, cells, Kokkos::ALL));
  }
};

/// Matrices and loads straight from the vertices of cells and the functions on the reference cell.
struct FormsWorkset : Workset {
  using Workset::Workset;

  void integrate(const EdgeElement& element) {
    using Kontract::Form;
    using Kontract::FunctionSpace;
    using Integration = Kontract::Integration<Device>;
    const auto cells = Kontract::geometry(nodes, element.vertex_gradients, element.weights);
    Integration::matrices(
        matrices, cells,
        Kontract::term(Form::curlCurl(), element.curls, element.curls, inverse_permeability)
            .withSigns(signs, signs),
        Kontract::term(Form::mass(FunctionSpace::HCURL), element.values, element.values,
                       conductivity)
            .withSigns(signs, signs));
    Integration::vectors(loads, cells,
                         Kontract::load(Form::source(FunctionSpace::HCURL), element.values, source)
                             .withSigns(signs));
  }
};

/// The same by functions of \a Tools, Kontract's FunctionSpaceTools or Intrepid2's, through arrays
/// of fields at points.
template <class Tools>
struct ChainWorkset : Workset {
  Array measure;                                     ///< (C,P)
  Array curls, weighted_curls, fluxes;               ///< (C,F,P,D)
  Array values, weighted_values, current_densities;  ///< (C,F,P,D)

  ChainWorkset(int num_cells, const EdgeElement& element, const Material& material)
      : Workset(num_cells, element, material), measure("measure", num_cells, element.numPoints()) {
    for (Array* fields :
         {&curls, &weighted_curls, &fluxes, &values, &weighted_values, &current_densities})
      *fields = Array("fields", num_cells, element.numFields(), element.numPoints(), space_dim);
  }

  void integrate(const EdgeElement& element) {
    map.updateJacobians(nodes, element);
    Tools::computeCellMeasure(measure, map.determinant, element.weights);

    Tools::HCURLtransformCURL(curls, map.jacobian, map.determinant, element.curls);
    Tools::multiplyMeasure(weighted_curls, measure, curls);
    Tools::scalarMultiplyDataField(fluxes, inverse_permeability, curls);
    Tools::integrate(matrices, weighted_curls, fluxes);

    Tools::HCURLtransformVALUE(values, map.inverse, element.values);
    Tools::multiplyMeasure(weighted_values, measure, values);
    Tools::scalarMultiplyDataField(current_densities, conductivity, values);
    constexpr bool adds = true;
    Tools::integrate(matrices, weighted_values, current_densities, adds);
    Tools::applyLeftFieldSigns(matrices, signs);
    Tools::applyRightFieldSigns(matrices, signs);

    Tools::integrate(loads, source, weighted_values);
    Tools::applyFieldSigns(loads, signs);
  }
};

/// The source at the points of a workset.
void evaluateSource(const Workset& w, const Cavity& problem) {
  evaluateAt(
      w.map.places, w.source,
      KOKKOS_LAMBDA(const double* x, int d) { return problem.source(x, d); });
}

template <class SomeWorkset>
Assembly assembleBy(const Discretization& discretization, const Dofs& edges,
                    const Cavity& problem) {
  const auto& mesh = discretization.mesh;
  const auto& element = discretization.element;
  Worksets<SomeWorkset> worksets(mesh.numCells(), discretization.workset_size, [&](int num_cells) {
    return SomeWorkset(num_cells, element, problem.material);
  });
  Assembly result;
  result.system = makeSystem(edges, discretization.graph);
  const SystemSum sum(edges, *discretization.graph);
  result.total = sum.assemble(result.system, [&](const auto& add) {
    worksets.forEach([&](SomeWorkset& w, int first) {
      w.gather(mesh, first);
      w.map.updatePlaces(w.nodes, element);
      evaluateSource(w, problem);
      ExecutionSpace().fence();
      Kokkos::Timer integration;
      w.integrate(element);
      ExecutionSpace().fence();
      result.integration += integration.seconds();
      add(w.matrices, w.loads, first);
    });
  });
  return result;
}

}  // namespace

Assembly assemble(Method method, const Discretization& discretization, const Dofs& edges,
                  const Cavity& problem) {
  const auto by = method == Method::Forms ? assembleBy<FormsWorkset>
                  : method == Method::Chain
                      ? assembleBy<ChainWorkset<Kontract::FunctionSpaceTools<Device>>>
                      : assembleBy<ChainWorkset<Intrepid2::FunctionSpaceTools<Device>>>;
  return by(discretization, edges, problem);
}

}  // namespace Maxwell
