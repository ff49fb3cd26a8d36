// SPDX-License-Identifier: BSD-3-Clause
#include "MaxwellMesh.hpp"

#include <algorithm>
#include <vector>

#include "MaxwellElement.hpp"

namespace Maxwell {
namespace {

using Numbers = std::vector<GlobalOrdinal>;

constexpr int num_nodes = 8, num_edges = 12;

/// The vertices of all cells in the layers [first, last), eight a cell in the order of Shards.
Numbers cellVertices(const Grid& grid, int first, int last) {
  Numbers vertices;
  for (int k = first; k < last; ++k)
    for (int j = 0; j < grid.num_cells; ++j)
      for (int i = 0; i < grid.num_cells; ++i)
        for (const int above : {k, k + 1})
          for (const auto& [x, y] : {std::pair(i, j), {i + 1, j}, {i + 1, j + 1}, {i, j + 1}})
            vertices.push_back(grid.vertex(x, y, above));
  return vertices;
}

Numbers sortedAndUnique(Numbers numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

void setNodes(EdgeMesh& mesh, const Numbers& vertices) {
  const auto local = sortedAndUnique(vertices);
  mesh.coordinates = Array("coordinates", local.size(), space_dim);
  const auto coordinates = Kokkos::create_mirror_view(mesh.coordinates);
  for (std::size_t n = 0; n < local.size(); ++n) {
    const auto x = mesh.grid.coordinates(local[n]);
    for (int d = 0; d < space_dim; ++d) coordinates(n, d) = x[d];
  }
  Kokkos::deep_copy(mesh.coordinates, coordinates);

  mesh.cell_nodes = decltype(mesh.cell_nodes)("cell_nodes", vertices.size() / num_nodes, num_nodes);
  const auto cell_nodes = Kokkos::create_mirror_view(mesh.cell_nodes);
  for (std::size_t i = 0; i < vertices.size(); ++i)
    cell_nodes(i / num_nodes, i % num_nodes) = static_cast<LocalOrdinal>(
        std::lower_bound(local.begin(), local.end(), vertices[i]) - local.begin());
  Kokkos::deep_copy(mesh.cell_nodes, cell_nodes);
}

/// Sets the signs. \return the global numbers of the edges of all cells.
Numbers setSigns(EdgeMesh& mesh, const Numbers& vertices) {
  const int num_cells = static_cast<int>(vertices.size()) / num_nodes;
  mesh.signs = Array("signs", num_cells, num_edges);
  const auto signs = Kokkos::create_mirror_view(mesh.signs);
  const auto cell = hexahedron();
  Numbers edges;
  for (int c = 0; c < num_cells; ++c)
    for (int e = 0; e < num_edges; ++e) {
      const auto begin = vertices[c * num_nodes + cell.getNodeMap(1, e, 0)];
      const auto end = vertices[c * num_nodes + cell.getNodeMap(1, e, 1)];
      signs(c, e) = begin < end ? 1 : -1;
      edges.push_back(mesh.grid.edge(begin, end));
    }
  Kokkos::deep_copy(mesh.signs, signs);
  return edges;
}

RCP<const Map> makeMap(const Communicator& comm, const Numbers& numbers) {
  const auto invalid = Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid();
  return rcp(new Map(invalid, Teuchos::arrayViewFromVector(numbers), 0, comm));
}

/// Sets the degrees of freedom from the global numbers of the edges of all cells.
void setEdges(EdgeMesh& mesh, const Numbers& cell_edges, int last_layer) {
  const auto local = sortedAndUnique(cell_edges);
  // Edges in the plane on top belong to the next rank; they have the highest numbers.
  const auto next = space_dim * mesh.grid.vertex(0, 0, last_layer);
  const auto end_of_owned = last_layer == mesh.grid.num_cells
                                ? local.end()
                                : std::lower_bound(local.begin(), local.end(), next);
  Dofs& edges = mesh.edges;
  edges.owned = makeMap(mesh.comm, Numbers(local.begin(), end_of_owned));
  edges.local = makeMap(mesh.comm, local);

  edges.fixed_values = decltype(edges.fixed_values)("fixed_values", local.size());
  edges.is_fixed = decltype(edges.is_fixed)("is_fixed", local.size());
  const auto is_fixed = Kokkos::create_mirror_view(edges.is_fixed);
  for (std::size_t i = 0; i < local.size(); ++i) is_fixed(i) = mesh.grid.isOnBoundary(local[i]);
  Kokkos::deep_copy(edges.is_fixed, is_fixed);

  edges.cell_dofs = decltype(edges.cell_dofs)("cell_edges", mesh.cell_nodes.extent(0), num_edges);
  const auto cell_dofs = Kokkos::create_mirror_view(edges.cell_dofs);
  for (std::size_t i = 0; i < cell_edges.size(); ++i)
    cell_dofs(i / num_edges, i % num_edges) = edges.local->getLocalElement(cell_edges[i]);
  Kokkos::deep_copy(edges.cell_dofs, cell_dofs);
}

}  // namespace

EdgeMesh makeEdgeMesh(const Communicator& comm, const Grid& grid) {
  const int num_ranks = comm->getSize();
  if (num_ranks > grid.num_cells)
    throw InputError(std::to_string(num_ranks) + " ranks are too many for " +
                     std::to_string(grid.num_cells) + " layers of cells");
  const int first_layer = grid.num_cells * comm->getRank() / num_ranks;
  const int last_layer = grid.num_cells * (comm->getRank() + 1) / num_ranks;

  EdgeMesh mesh;
  mesh.comm = comm;
  mesh.grid = grid;
  const auto vertices = cellVertices(grid, first_layer, last_layer);
  setNodes(mesh, vertices);
  setEdges(mesh, setSigns(mesh, vertices), last_layer);
  return mesh;
}

}  // namespace Maxwell
