// SPDX-License-Identifier: BSD-3-Clause
#include "ExampleSystemPlan.hpp"

namespace Example {
namespace {

/// The unknowns of cells, (C,F); -1 for those that are fixed.
Kokkos::View<LocalOrdinal**, Device> freeRows(const Dofs& dofs) {
  const auto numbers = dofs.cell_dofs;
  const auto is_fixed = dofs.is_fixed;
  Kokkos::View<LocalOrdinal**, Device> free("free", numbers.extent(0), numbers.extent(1));
  Kokkos::parallel_for(
      "Example::findFreeRows",
      CellPoints({0, 0}, {static_cast<int>(free.extent(0)), static_cast<int>(free.extent(1))}),
      KOKKOS_LAMBDA(int cell, int i) {
        const LocalOrdinal row = numbers(cell, i);
        free(cell, i) = is_fixed(row) ? -1 : row;
      });
  return free;
}

/// Sets the places of the diagonal entries of fixed rows, and minus their values. Rows and columns
/// have numbers of their own: a fixed row finds its diagonal through a cell.
/// \return the largest of the values
template <class LocalGraph>
double findFixed(const Diagonals& diagonals, const Kokkos::View<double*, Device>& minus_fixed,
                 const LocalGraph& local_graph, const Dofs& dofs, const CellColumns& columns) {
  const auto numbers = dofs.cell_dofs;
  const auto is_fixed = dofs.is_fixed;
  const auto given = dofs.fixed_values;
  double largest = 0;
  Kokkos::parallel_reduce(
      "Example::findDiagonals", Kokkos::RangePolicy<ExecutionSpace>(0, numbers.extent(0)),
      KOKKOS_LAMBDA(int cell, double& most) {
        for (int i = 0; i < static_cast<int>(numbers.extent(1)); ++i) {
          const LocalOrdinal row = numbers(cell, i);
          if (!is_fixed(row)) continue;
          for (auto n = local_graph.row_map(row); n < local_graph.row_map(row + 1); ++n)
            if (local_graph.entries(n) == columns(cell, i))
              diagonals(row) = static_cast<std::int64_t>(n);
          minus_fixed(row) = -given(row);
          const double size = given(row) < 0 ? -given(row) : given(row);
          if (size > most) most = size;
        }
      },
      Kokkos::Max<double>(largest));
  return largest;
}

}  // namespace

SystemPlan::SystemPlan(const CellNumbers& nodes, const Dofs& dofs, const RCP<const Graph>& graph)
    : _dofs(dofs), _exporter(dofs.local, dofs.owned), _nodes(nodes) {
  const auto columns = makeCellColumns(dofs, *graph);
  const System system = makeSystem(dofs, graph);
  system.matrix->beginAssembly();
  const auto matrix = system.matrix->getLocalMatrixDevice();
  ExecutionSpace().fence();
  Kokkos::Timer timer;
  const auto num_columns = static_cast<std::int64_t>(localElements(*graph->getColMap()).size());
  const int num_rows = static_cast<int>(dofs.is_fixed.extent(0));
  _plan = ScatterPlan::withFixed(matrix, CellNumbers(dofs.cell_dofs, num_rows),
                                 CellNumbers(columns, num_columns), dofs.is_fixed);
  _free_rows = CellNumbers(freeRows(dofs), num_rows);
  _minus_fixed = Values("minus_fixed", num_rows);
  _diagonals = Diagonals("diagonals", num_rows);
  Kokkos::deep_copy(_diagonals, -1);
  _has_fixed_values = findFixed(_diagonals, _minus_fixed, matrix.graph, dofs, columns) > 0;
  ExecutionSpace().fence();
  _seconds = timer.seconds();
  system.matrix->endAssembly();
}

}  // namespace Example
