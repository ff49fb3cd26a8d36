// SPDX-License-Identifier: BSD-3-Clause
#include "MaxwellSolution.hpp"

#include <cmath>

#include "ExampleAssembly.hpp"

#include "Kontract_FunctionSpaceTools.hpp"

namespace Maxwell {
namespace {

using Tools = Kontract::FunctionSpaceTools<Device>;

/// Cells of a workset with the functions of their edges at the points of an element.
struct Fields {
  CellMap map;
  Array coefficients;  ///< (C,F), with the signs of edges
  Array values;        ///< (C,F,P,D)
  Array curls;         ///< (C,F,P,D)

  template <class Coefficients>
  Fields(const EdgeMesh& mesh, const EdgeElement& element, const Coefficients& of_edges, int first,
         int num_cells)
      : map(num_cells, element),
        coefficients("coefficients", num_cells, element.numFields()),
        values("values", num_cells, element.numFields(), element.numPoints(), space_dim),
        curls("curls", num_cells, element.numFields(), element.numPoints(), space_dim) {
    const std::pair<int, int> cells(first, first + num_cells);
    Array nodes("nodes", num_cells, element.vertex_gradients.extent(0), space_dim);
    gatherCoordinates(nodes, mesh, CellsFrom{first});
    map.updatePlaces(nodes, element);
    map.updateJacobians(nodes, element);
    gatherValues(coefficients, mesh.edges, of_edges, first);
    Tools::applyFieldSigns(coefficients, Kokkos::subview(mesh.signs, cells, Kokkos::ALL));
    Tools::HCURLtransformVALUE(values, map.inverse, element.values);
    Tools::HCURLtransformCURL(curls, map.jacobian, map.determinant, element.curls);
  }

  /// Adds the field that the edges hold, and its curl, to arrays (C,P,D).
  void addTo(const FieldAtPoints& sum) const {
    Tools::evaluate(sum.field, coefficients, values);
    Tools::evaluate(sum.curl, coefficients, curls);
  }
};

/// The integral of the square of an array (C,P,D) over all cells.
double squareIntegral(const Array& values, const Array& measure) {
  Array weighted("weighted", values.extent(0), values.extent(1), values.extent(2));
  Array integrals("integrals", values.extent(0));
  Tools::scalarMultiplyDataData(weighted, measure, values);
  Tools::integrate(integrals, values, weighted);
  double sum = 0;
  Kokkos::parallel_reduce(
      "Maxwell::squareIntegral", Kokkos::RangePolicy<ExecutionSpace>(0, integrals.extent_int(0)),
      KOKKOS_LAMBDA(int cell, double& s) { s += integrals(cell); }, sum);
  return sum;
}

FieldAtPoints zeros(int num_cells, const EdgeElement& element) {
  return {Array("field", num_cells, element.numPoints(), space_dim),
          Array("curl", num_cells, element.numPoints(), space_dim)};
}

/// Sets arrays to minus the exact field and its curl.
void setToMinusExact(const FieldAtPoints& error, const Array& places, const Cavity& problem) {
  evaluateAt(
      places, error.field, KOKKOS_LAMBDA(const double* x, int d) { return -problem.field(x, d); });
  evaluateAt(
      places, error.curl, KOKKOS_LAMBDA(const double* x, int d) { return -problem.curl(x, d); });
}

}  // namespace

FieldAtPoints evaluate(const EdgeMesh& mesh, const EdgeElement& element,
                       const MultiVector& coefficients) {
  const auto of_edges = coefficients.getLocalViewDevice(Tpetra::Access::ReadOnly);
  const auto result = zeros(mesh.numCells(), element);
  Fields(mesh, element, of_edges, 0, mesh.numCells()).addTo(result);
  return result;
}

Errors errorsOf(const EdgeMesh& mesh, const EdgeElement& element, const Cavity& problem,
                const MultiVector& coefficients, int workset_size) {
  const auto of_edges = coefficients.getLocalViewDevice(Tpetra::Access::ReadOnly);
  double local[] = {0, 0};
  forEachWorkset(mesh.numCells(), workset_size, [&](int first, int num_cells) {
    const Fields fields(mesh, element, of_edges, first, num_cells);
    const auto error = zeros(num_cells, element);
    setToMinusExact(error, fields.map.places, problem);
    fields.addTo(error);
    Array measure("measure", num_cells, element.numPoints());
    Tools::computeCellMeasure(measure, fields.map.determinant, element.weights);
    local[0] += squareIntegral(error.field, measure);
    local[1] += squareIntegral(error.curl, measure);
  });
  double global[2];
  Teuchos::reduceAll(*mesh.comm, Teuchos::REDUCE_SUM, 2, local, global);
  const Material& material = problem.material;
  return {std::sqrt(global[0]),
          std::sqrt(global[1] / material.permeability + material.conductivity * global[0])};
}

}  // namespace Maxwell
