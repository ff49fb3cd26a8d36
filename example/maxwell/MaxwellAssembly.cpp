// SPDX-License-Identifier: BSD-3-Clause
#include "MaxwellAssembly.hpp"

#include "ExamplePlaces.hpp"

#include "Intrepid2_FunctionSpaceTools.hpp"
#include "Kontract_FunctionSpaceTools.hpp"

namespace Maxwell {
namespace {

using Kontract::Form;
using Kontract::FunctionSpace;
using Integration = Kontract::Integration<Device>;

/// What forms need of C cells beside their vertices.
struct CellModel {
  Array signs;                 ///< (C,F)
  Array inverse_permeability;  ///< (C,1): one value a cell
  Array conductivity;          ///< (C,1)
  Array source;                ///< (C,P,D)

  CellModel(int num_cells, const EdgeElement& element, const Material& material)
      : signs("signs", num_cells, element.numFields()),
        inverse_permeability("inverse_permeability", num_cells, 1),
        conductivity("conductivity", num_cells, 1),
        source("source", num_cells, element.numPoints(), space_dim) {
    Kokkos::deep_copy(inverse_permeability, 1 / material.permeability);
    Kokkos::deep_copy(conductivity, material.conductivity);
  }

  int numCells() const { return signs.extent_int(0); }

  void gatherSigns(const EdgeMesh& mesh, int first) {
    const std::pair<int, int> cells(first, first + numCells());
    Kokkos::deep_copy(signs, Kokkos::subview(mesh.signs, cells, Kokkos::ALL));
  }

  auto curlCurl(const EdgeElement& element) const {
    return Kontract::term(Form::curlCurl(), element.curls, element.curls, inverse_permeability)
        .withSigns(signs, signs);
  }
  auto mass(const EdgeElement& element) const {
    return Kontract::term(Form::mass(FunctionSpace::HCURL), element.values, element.values,
                          conductivity)
        .withSigns(signs, signs);
  }
  auto load(const EdgeElement& element) const {
    return Kontract::load(Form::source(FunctionSpace::HCURL), element.values, source)
        .withSigns(signs);
  }
};

/// Arrays of each cell that all methods with worksets have.
struct Workset : CellModel {
  Array nodes;     ///< (C,N,D)
  CellMap map;     ///< the places alone
  Array matrices;  ///< (C,F,F)
  Array loads;     ///< (C,F)

  Workset(int num_cells, const EdgeElement& element, const Material& material)
      : CellModel(num_cells, element, material),
        nodes("nodes", num_cells, element.vertex_gradients.extent(0), space_dim),
        map(num_cells, element),
        matrices("matrices", num_cells, element.numFields(), element.numFields()),
        loads("loads", num_cells, element.numFields()) {}
};

/// Matrices and loads straight from the vertices of cells and the functions on the reference cell.
struct FormsWorkset : Workset {
  using Workset::Workset;

  void updateJacobians(const EdgeElement&) {}

  void integrate(const EdgeElement& element, AssemblyTimes&) {
    const auto cells = Kontract::geometry(nodes, element.vertex_gradients, element.weights);
    Integration::matrices(matrices, cells, curlCurl(element), mass(element));
    Integration::vectors(loads, cells, load(element));
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

  void updateJacobians(const EdgeElement& element) { map.updateJacobians(nodes, element); }

  void integrate(const EdgeElement& element, AssemblyTimes& times) {
    Tools::computeCellMeasure(measure, map.determinant, element.weights);

    Tools::HCURLtransformCURL(curls, map.jacobian, map.determinant, element.curls);
    Tools::multiplyMeasure(weighted_curls, measure, curls);
    Tools::scalarMultiplyDataField(fluxes, inverse_permeability, curls);

    Tools::HCURLtransformVALUE(values, map.inverse, element.values);
    Tools::multiplyMeasure(weighted_values, measure, values);
    Tools::scalarMultiplyDataField(current_densities, conductivity, values);

    constexpr bool adds = true;
    addSeconds(times.contractions, [&] {
      Tools::integrate(matrices, weighted_curls, fluxes);
      Tools::integrate(matrices, weighted_values, current_densities, adds);
      Tools::integrate(loads, source, weighted_values);
    });
    Tools::applyLeftFieldSigns(matrices, signs);
    Tools::applyRightFieldSigns(matrices, signs);
    Tools::applyFieldSigns(loads, signs);
  }
};

/// The source at the points of a workset.
void evaluateSource(const Workset& w, const Cavity& problem) {
  evaluateAt(
      w.map.places, w.source,
      KOKKOS_LAMBDA(const double* x, int d) { return problem.source(x, d); });
}

/// The same in the cells from \a first on, without an array of places.
void evaluateSource(const CellModel& model, const Places& places, int first,
                    const Cavity& problem) {
  const auto source = model.source;
  Kokkos::parallel_for(
      "Maxwell::evaluateSource", CellPoints({0, 0}, {source.extent_int(0), source.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int point) {
        double x[space_dim];
        places.set(x, first + cell, point);
        for (int d = 0; d < space_dim; ++d) source(cell, point, d) = problem.source(x, d);
      });
}

template <class SomeWorkset>
AssemblyTimes assembleBy(const Discretization& discretization, const Dofs& edges,
                         const Cavity& problem, const System& system) {
  const auto& mesh = discretization.mesh;
  const auto& element = discretization.element;
  Worksets<SomeWorkset> worksets(mesh.numCells(), discretization.workset_size, [&](int num_cells) {
    return SomeWorkset(num_cells, element, problem.material);
  });
  AssemblyTimes times;
  const SystemSum sum(edges, *discretization.graph);
  sum.assemble(system, times, [&](const auto& add) {
    worksets.forEach([&](SomeWorkset& w, int first) {
      addSeconds(times.geometry, [&] {
        gatherCoordinates(w.nodes, mesh, CellsFrom{first});
        w.map.updatePlaces(w.nodes, element);
        w.updateJacobians(element);
      });
      w.gatherSigns(mesh, first);
      evaluateSource(w, problem);
      addSeconds(times.integration, [&] { w.integrate(element, times); });
      add(w.matrices, w.loads, first);
    });
  });
  return times;
}

}  // namespace

AssemblyTimes assemble(Method method, const Discretization& discretization, const Dofs& edges,
                       const Cavity& problem, const System& system) {
  const auto by = method == Method::Forms ? assembleBy<FormsWorkset>
                  : method == Method::Chain
                      ? assembleBy<ChainWorkset<Kontract::FunctionSpaceTools<Device>>>
                      : assembleBy<ChainWorkset<Intrepid2::FunctionSpaceTools<Device>>>;
  return by(discretization, edges, problem, system);
}

AssemblyTimes assembleDirectly(const SystemPlan& plan, const Discretization& discretization,
                               const Cavity& problem, const System& system) {
  // Arrays of the source are small: these cells' stay in a cache.
  constexpr int cells_of_model = 2048;
  const auto& mesh = discretization.mesh;
  const auto& element = discretization.element;
  const Places places(mesh, element.vertex_values);
  Worksets<CellModel> models(mesh.numCells(), cells_of_model, [&](int num_cells) {
    return CellModel(num_cells, element, problem.material);
  });
  AssemblyTimes times;
  plan.assemble(system, times, [&](const auto& add) {
    models.forEach([&](CellModel& model, int first) {
      model.gatherSigns(mesh, first);
      evaluateSource(model, places, first, problem);
      add(first, model.numCells(), [&](const SystemCells& of) {
        const auto cells = Kontract::geometry(Kontract::gathered(mesh.coordinates, of.nodes),
                                              element.vertex_gradients, element.weights);
        addForms(of, cells, model.load(element), model.curlCurl(element), model.mass(element));
      });
    });
  });
  return times;
}

}  // namespace Maxwell
