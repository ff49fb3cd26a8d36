// SPDX-License-Identifier: BSD-3-Clause
#include "PoissonSystem.hpp"

#include <algorithm>
#include <cmath>

#include "Kokkos_DualView.hpp"

namespace Poisson {

RCP<const Graph> makeGraph(const Mesh& mesh) {
  const auto nodes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mesh.cell_nodes);
  const std::size_t num_rows = mesh.local_nodes->getNodeNumElements();
  std::vector<std::vector<GlobalOrdinal>> neighbors(num_rows);
  for (std::size_t cell = 0; cell < nodes.extent(0); ++cell)
    for (std::size_t i = 0; i < nodes.extent(1); ++i)
      for (std::size_t j = 0; j < nodes.extent(1); ++j)
        neighbors[nodes(cell, i)].push_back(mesh.local_nodes->getGlobalElement(nodes(cell, j)));

  Kokkos::DualView<std::size_t*, Device> counts("counts", num_rows);
  counts.modify_host();
  for (std::size_t row = 0; row < num_rows; ++row) {
    auto& columns = neighbors[row];
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    counts.h_view(row) = columns.size();
  }
  counts.sync_device();

  const auto graph = rcp(new Graph(mesh.owned_nodes, mesh.local_nodes, counts));
  graph->beginAssembly();
  for (std::size_t row = 0; row < num_rows; ++row)
    graph->insertGlobalIndices(mesh.local_nodes->getGlobalElement(static_cast<LocalOrdinal>(row)),
                               Teuchos::arrayViewFromVector(neighbors[row]));
  graph->endAssembly();
  return graph;
}

CellColumns makeCellColumns(const Mesh& mesh, const Graph& graph) {
  const auto nodes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mesh.cell_nodes);
  CellColumns columns("cell_columns", nodes.extent(0), nodes.extent(1));
  const auto host = Kokkos::create_mirror_view(columns);
  for (std::size_t cell = 0; cell < nodes.extent(0); ++cell)
    for (std::size_t i = 0; i < nodes.extent(1); ++i)
      host(cell, i) =
          graph.getColMap()->getLocalElement(mesh.local_nodes->getGlobalElement(nodes(cell, i)));
  Kokkos::deep_copy(columns, host);
  return columns;
}

System makeSystem(const Mesh& mesh, const RCP<const Graph>& graph) {
  return {rcp(new Matrix(graph)), rcp(new Vector(mesh.owned_nodes))};
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

}  // namespace Poisson
