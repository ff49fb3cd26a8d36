// SPDX-License-Identifier: BSD-3-Clause
#include "ExampleMesh.hpp"

#include <algorithm>
#include <numeric>

#include "Tpetra_Import.hpp"
#include "Zoltan2_BasicVectorAdapter.hpp"
#include "Zoltan2_PartitioningProblem.hpp"

namespace Example {
namespace {

using Indices = std::vector<GlobalOrdinal>;
using IndexVector = Tpetra::MultiVector<GlobalOrdinal, LocalOrdinal, GlobalOrdinal, Node>;

/// The part of each cell, by recursive multisection of the centroids.
std::vector<int> partition(const Communicator& root_comm, const SerialMesh& mesh, int num_nodes,
                           int num_parts) {
  const auto num_cells = static_cast<std::size_t>(mesh.numCells());
  if (num_parts == 1) return std::vector<int>(num_cells, 0);
  std::vector<double> centroids[space_dim];
  for (int d = 0; d < space_dim; ++d) {
    centroids[d].assign(num_cells, 0);
    for (std::size_t cell = 0; cell < num_cells; ++cell)
      for (int i = 0; i < num_nodes; ++i)
        centroids[d][cell] +=
            mesh.coordinates[mesh.cell_nodes[cell * num_nodes + i] * space_dim + d] / num_nodes;
  }
  Indices ids(num_cells);
  std::iota(ids.begin(), ids.end(), 0);

  using Adapter =
      Zoltan2::BasicVectorAdapter<Zoltan2::BasicUserTypes<double, LocalOrdinal, GlobalOrdinal>>;
  Adapter adapter(static_cast<LocalOrdinal>(num_cells), ids.data(), centroids[0].data(),
                  centroids[1].data(), centroids[2].data());
  Teuchos::ParameterList parameters;
  parameters.set("algorithm", "multijagged");
  parameters.set("num_global_parts", num_parts);
  Zoltan2::PartitioningProblem<Adapter> problem(&adapter, &parameters, root_comm);
  problem.solve();
  const auto* parts = problem.getSolution().getPartListView();
  return std::vector<int>(parts, parts + num_cells);
}

/// The columns of integers that a cell is sent with: its nodes, the groups of its faces, its tag.
int numColumns(const Element& element) { return element.numNodes() + element.numFaces() + 1; }

/// Sorts cells by part and nodes by the lowest part that holds them, so that each rank's cells and
/// owned nodes are one range of numbers.
void renumber(SerialMesh& mesh, const Element& element, const std::vector<int>& cell_part,
              std::vector<int>& cell_counts, std::vector<int>& node_counts) {
  const int num_nodes = element.numNodes();
  const int num_faces = element.numFaces();
  const int num_parts = static_cast<int>(cell_counts.size());
  std::vector<int> node_part(mesh.numNodes(), num_parts);
  for (std::size_t cell = 0; cell < cell_part.size(); ++cell) {
    ++cell_counts[cell_part[cell]];
    for (int i = 0; i < num_nodes; ++i) {
      int& part = node_part[mesh.cell_nodes[cell * num_nodes + i]];
      part = std::min(part, cell_part[cell]);
    }
  }
  for (const int part : node_part) ++node_counts[part];

  const auto sortBy = [](const std::vector<int>& part) {
    Indices order(part.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return part[a] < part[b]; });
    return order;
  };
  const auto node_order = sortBy(node_part);
  Indices new_number(node_order.size());
  SerialMesh sorted;
  for (std::size_t i = 0; i < node_order.size(); ++i) {
    const auto old = node_order[i];
    new_number[old] = static_cast<GlobalOrdinal>(i);
    const auto* x = &mesh.coordinates[old * space_dim];
    sorted.coordinates.insert(sorted.coordinates.end(), x, x + space_dim);
    sorted.is_fixed.push_back(mesh.is_fixed[old]);
    sorted.fixed_values.push_back(mesh.fixed_values[old]);
  }
  for (const auto old : sortBy(cell_part)) {
    sorted.cell_tags.push_back(mesh.cell_tags[old]);
    for (int i = 0; i < num_nodes; ++i)
      sorted.cell_nodes.push_back(new_number[mesh.cell_nodes[old * num_nodes + i]]);
    const auto* groups = &mesh.face_groups[old * num_faces];
    sorted.face_groups.insert(sorted.face_groups.end(), groups, groups + num_faces);
  }
  mesh = std::move(sorted);
}

/// All on rank 0, as the serial mesh is.
RCP<const Map> rootMap(const Communicator& comm, GlobalOrdinal size) {
  const std::size_t local = comm->getRank() == 0 ? size : 0;
  return rcp(new Map(size, local, 0, comm));
}

/// Nodes, groups of faces and Gmsh's tags of the cells of this rank.
IndexVector importCells(const RCP<const Map>& root, const RCP<const Map>& target,
                        const SerialMesh& serial, const Element& element) {
  const int num_nodes = element.numNodes();
  const int num_faces = element.numFaces();
  IndexVector from(root, numColumns(element));
  {
    auto host = from.getLocalViewHost(Tpetra::Access::OverwriteAll);
    for (std::size_t cell = 0; cell < host.extent(0); ++cell) {
      for (int i = 0; i < num_nodes; ++i) host(cell, i) = serial.cell_nodes[cell * num_nodes + i];
      for (int i = 0; i < num_faces; ++i)
        host(cell, num_nodes + i) = serial.face_groups[cell * num_faces + i];
      host(cell, num_nodes + num_faces) = serial.cell_tags[cell];
    }
  }
  IndexVector to(target, numColumns(element));
  to.doImport(from, Tpetra::Import<LocalOrdinal, GlobalOrdinal, Node>(root, target),
              Tpetra::INSERT);
  return to;
}

/// Coordinates, whether the node is fixed, and its value, in five columns.
MultiVector importNodes(const RCP<const Map>& root, const RCP<const Map>& target,
                        const SerialMesh& serial) {
  MultiVector from(root, space_dim + 2);
  {
    auto host = from.getLocalViewHost(Tpetra::Access::OverwriteAll);
    for (std::size_t node = 0; node < host.extent(0); ++node) {
      for (int d = 0; d < space_dim; ++d) host(node, d) = serial.coordinates[node * space_dim + d];
      host(node, space_dim) = serial.is_fixed[node];
      host(node, space_dim + 1) = serial.fixed_values[node];
    }
  }
  MultiVector to(target, space_dim + 2);
  to.doImport(from, Tpetra::Import<LocalOrdinal, GlobalOrdinal, Node>(root, target),
              Tpetra::INSERT);
  return to;
}

/// The owned nodes and after them those that only other ranks own.
RCP<const Map> localNodeMap(const Map& owned, const IndexVector& cells, int num_nodes) {
  Indices others;
  const auto host = cells.getLocalViewHost(Tpetra::Access::ReadOnly);
  for (std::size_t cell = 0; cell < host.extent(0); ++cell)
    for (int i = 0; i < num_nodes; ++i)
      if (!owned.isNodeGlobalElement(host(cell, i))) others.push_back(host(cell, i));
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  const auto mine = localElements(owned);
  Indices all(mine.begin(), mine.end());
  all.insert(all.end(), others.begin(), others.end());
  const auto invalid = Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid();
  return rcp(new Map(invalid, Teuchos::arrayViewFromVector(all), 0, owned.getComm()));
}

void copyToDevice(const IndexVector& cells, const MultiVector& nodes, const Element& element,
                  Mesh& mesh) {
  const int num_nodes = element.numNodes();
  const int num_faces = element.numFaces();
  const auto cell_data = cells.getLocalViewHost(Tpetra::Access::ReadOnly);
  const auto node_data = nodes.getLocalViewHost(Tpetra::Access::ReadOnly);
  mesh.cell_nodes = decltype(mesh.cell_nodes)("cell_nodes", cell_data.extent(0), num_nodes);
  mesh.coordinates = Array("coordinates", node_data.extent(0), space_dim);
  mesh.is_fixed = decltype(mesh.is_fixed)("is_fixed", node_data.extent(0));
  mesh.fixed_values = decltype(mesh.fixed_values)("fixed_values", node_data.extent(0));

  const auto cell_nodes = Kokkos::create_mirror_view(mesh.cell_nodes);
  for (std::size_t cell = 0; cell < cell_data.extent(0); ++cell) {
    for (int i = 0; i < num_nodes; ++i)
      cell_nodes(cell, i) = mesh.local_nodes->getLocalElement(cell_data(cell, i));
    for (int i = 0; i < num_faces; ++i)
      mesh.face_groups.push_back(static_cast<int>(cell_data(cell, num_nodes + i)));
    mesh.cell_tags.push_back(cell_data(cell, num_nodes + num_faces));
  }
  const auto coordinates = Kokkos::create_mirror_view(mesh.coordinates);
  const auto is_fixed = Kokkos::create_mirror_view(mesh.is_fixed);
  const auto fixed_values = Kokkos::create_mirror_view(mesh.fixed_values);
  for (std::size_t node = 0; node < node_data.extent(0); ++node) {
    for (int d = 0; d < space_dim; ++d) coordinates(node, d) = node_data(node, d);
    is_fixed(node) = node_data(node, space_dim) != 0 ? 1 : 0;
    fixed_values(node) = node_data(node, space_dim + 1);
  }
  Kokkos::deep_copy(mesh.cell_nodes, cell_nodes);
  Kokkos::deep_copy(mesh.coordinates, coordinates);
  Kokkos::deep_copy(mesh.is_fixed, is_fixed);
  Kokkos::deep_copy(mesh.fixed_values, fixed_values);
}

}  // namespace

Mesh distribute(const Communicator& comm, const Element& element, SerialMesh serial) {
  const int num_nodes = element.numNodes();
  const int num_ranks = comm->getSize();
  std::vector<int> cell_counts(num_ranks), node_counts(num_ranks);
  const auto root_comm = comm->createSubcommunicator(Teuchos::tuple<int>(0));
  if (comm->getRank() == 0)
    renumber(serial, element, partition(root_comm, serial, num_nodes, num_ranks), cell_counts,
             node_counts);
  Teuchos::broadcast(*comm, 0, num_ranks, cell_counts.data());
  Teuchos::broadcast(*comm, 0, num_ranks, node_counts.data());

  Mesh mesh;
  mesh.comm = comm;
  mesh.num_global_cells = std::accumulate(cell_counts.begin(), cell_counts.end(), 0LL);
  const auto num_global_nodes = std::accumulate(node_counts.begin(), node_counts.end(), 0LL);
  const int rank = comm->getRank();
  const RCP<const Map> cell_map = rcp(new Map(mesh.num_global_cells, cell_counts[rank], 0, comm));
  mesh.owned_nodes = rcp(new Map(num_global_nodes, node_counts[rank], 0, comm));

  const auto cells = importCells(rootMap(comm, mesh.num_global_cells), cell_map, serial, element);
  mesh.local_nodes = localNodeMap(*mesh.owned_nodes, cells, num_nodes);
  const auto nodes = importNodes(rootMap(comm, num_global_nodes), mesh.local_nodes, serial);
  copyToDevice(cells, nodes, element, mesh);
  return mesh;
}

Mesh makeMesh(const Communicator& comm, const MeshInput& input, const Element& element) {
  SerialMesh serial;
  std::string error;
  if (comm->getRank() == 0) try {
      serial = readMesh(input, element);
    } catch (const std::exception& e) {
      error = e.what();
    }
  throwTogether(*comm, error);
  return distribute(comm, element, std::move(serial));
}

}  // namespace Example
