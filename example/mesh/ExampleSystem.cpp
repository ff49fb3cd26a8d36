// SPDX-License-Identifier: BSD-3-Clause
#include "ExampleSystem.hpp"

#include <algorithm>
#include <cmath>

#include "Kokkos_DualView.hpp"
#include "Tpetra_Import.hpp"

namespace Example {

namespace {

RCP<const Map> mapOfComponents(const Map& nodes, int num_components) {
  std::vector<GlobalOrdinal> dofs;
  for (const auto node : localElements(nodes))
    for (int i = 0; i < num_components; ++i) dofs.push_back(node * num_components + i);
  return rcp(new Map(nodes.getGlobalNumElements() * num_components,
                     Teuchos::arrayViewFromVector(dofs), nodes.getIndexBase(), nodes.getComm()));
}

/// Fills the arrays of the components from those of the nodes.
void expand(const Mesh& mesh, const Dofs& dofs) {
  const int components = dofs.num_components;
  const auto nodes = mesh.cell_nodes;
  const auto node_is_fixed = mesh.is_fixed;
  const auto node_values = mesh.fixed_values;
  const auto numbers = dofs.cell_dofs;
  const auto is_fixed = dofs.is_fixed;
  const auto values = dofs.fixed_values;
  using CellFields = Kokkos::MDRangePolicy<ExecutionSpace, Kokkos::Rank<2>>;
  Kokkos::parallel_for(
      "Example::expandCells",
      CellFields({0, 0},
                 {static_cast<int>(numbers.extent(0)), static_cast<int>(numbers.extent(1))}),
      KOKKOS_LAMBDA(int cell, int i) {
        numbers(cell, i) = nodes(cell, i / components) * components + i % components;
      });
  Kokkos::parallel_for(
      "Example::expandNodes", Kokkos::RangePolicy<ExecutionSpace>(0, is_fixed.extent(0)),
      KOKKOS_LAMBDA(int i) {
        is_fixed(i) = node_is_fixed(i / components);
        values(i) = node_values(i / components);
      });
}

}  // namespace

Dofs::Dofs(const Mesh& mesh, int components)
    : num_components(components),
      owned(mesh.owned_nodes),
      local(mesh.local_nodes),
      cell_dofs(mesh.cell_nodes),
      is_fixed(mesh.is_fixed),
      fixed_values(mesh.fixed_values) {
  if (components == 1) return;
  owned = mapOfComponents(*mesh.owned_nodes, components);
  local = mapOfComponents(*mesh.local_nodes, components);
  const auto num_fields = mesh.cell_nodes.extent(1) * components;
  const int num_dofs = mesh.numNodes() * components;
  cell_dofs = decltype(cell_dofs)("cell_dofs", mesh.numCells(), num_fields);
  is_fixed = decltype(is_fixed)("is_fixed", num_dofs);
  fixed_values = decltype(fixed_values)("fixed_values", num_dofs);
  expand(mesh, *this);
}

RCP<const Graph> makeGraph(const Dofs& dofs) {
  const auto numbers = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dofs.cell_dofs);
  const std::size_t num_rows = localElements(*dofs.local).size();
  std::vector<std::vector<GlobalOrdinal>> neighbors(num_rows);
  for (std::size_t cell = 0; cell < numbers.extent(0); ++cell)
    for (std::size_t i = 0; i < numbers.extent(1); ++i)
      for (std::size_t j = 0; j < numbers.extent(1); ++j)
        neighbors[numbers(cell, i)].push_back(dofs.local->getGlobalElement(numbers(cell, j)));

  Kokkos::DualView<std::size_t*, Device> counts("counts", num_rows);
  counts.modify_host();
  for (std::size_t row = 0; row < num_rows; ++row) {
    auto& columns = neighbors[row];
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    counts.h_view(row) = columns.size();
  }
  counts.sync_device();

  const auto graph = rcp(new Graph(dofs.owned, dofs.local, counts));
  graph->beginAssembly();
  for (std::size_t row = 0; row < num_rows; ++row)
    graph->insertGlobalIndices(dofs.local->getGlobalElement(static_cast<LocalOrdinal>(row)),
                               Teuchos::arrayViewFromVector(neighbors[row]));
  graph->endAssembly();
  return graph;
}

CellColumns makeCellColumns(const Dofs& dofs, const Graph& graph) {
  const auto numbers = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dofs.cell_dofs);
  CellColumns columns("cell_columns", numbers.extent(0), numbers.extent(1));
  const auto host = Kokkos::create_mirror_view(columns);
  for (std::size_t cell = 0; cell < numbers.extent(0); ++cell)
    for (std::size_t i = 0; i < numbers.extent(1); ++i)
      host(cell, i) =
          graph.getColMap()->getLocalElement(dofs.local->getGlobalElement(numbers(cell, i)));
  Kokkos::deep_copy(columns, host);
  return columns;
}

System makeSystem(const Dofs& dofs, const RCP<const Graph>& graph) {
  return {rcp(new Matrix(graph)), rcp(new Vector(dofs.owned))};
}

MultiVector toLocal(const Vector& owned, const Dofs& dofs) {
  MultiVector local(dofs.local, 1);
  local.doImport(owned, Tpetra::Import<LocalOrdinal, GlobalOrdinal, Node>(dofs.owned, dofs.local),
                 Tpetra::INSERT);
  return local;
}

double relativeDifference(const Matrix& a, const Matrix& b) {
  const auto va = a.getLocalMatrixHost().values;
  const auto vb = b.getLocalMatrixHost().values;
  double local[2] = {0, 0};
  for (std::size_t i = 0; i < vb.extent(0); ++i) {
    local[0] += (va(i) - vb(i)) * (va(i) - vb(i));
    local[1] += vb(i) * vb(i);
  }
  double global[2];
  Teuchos::reduceAll(*b.getComm(), Teuchos::REDUCE_SUM, 2, local, global);
  return std::sqrt(global[0] / global[1]);
}

double relativeDifference(const Vector& a, const Vector& b) {
  Vector difference(b, Teuchos::Copy);
  difference.update(1, a, -1);
  const double norm = b.norm2();
  return norm == 0 ? difference.norm2() : difference.norm2() / norm;
}

}  // namespace Example
