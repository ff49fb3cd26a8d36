// SPDX-License-Identifier: BSD-3-Clause
#include "MaxwellOutput.hpp"

#include <fstream>

#include "MaxwellSolution.hpp"

#include "Tpetra_Import.hpp"

namespace Maxwell {
namespace {

/// The vectors (C,1,D) of the cells of all ranks, on rank 0; ranks have layers in their order.
MultiVector onRoot(const EdgeMesh& mesh, const Array& vectors) {
  const auto n = static_cast<Tpetra::global_size_t>(mesh.grid.num_cells);
  const auto cells = rcp(new Map(n * n * n, mesh.numCells(), 0, mesh.comm));
  const auto root =
      rcp(new Map(n * n * n, mesh.comm->getRank() == 0 ? n * n * n : 0, 0, mesh.comm));
  MultiVector of_cells(cells, space_dim), all(root, space_dim);
  {
    const auto values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), vectors);
    const auto to = of_cells.getLocalViewHost(Tpetra::Access::OverwriteAll);
    for (int cell = 0; cell < mesh.numCells(); ++cell)
      for (int d = 0; d < space_dim; ++d) to(cell, d) = values(cell, 0, d);
  }
  all.doImport(of_cells, Tpetra::Import<LocalOrdinal, GlobalOrdinal, Node>(cells, root),
               Tpetra::INSERT);
  return all;
}

void writeVectors(std::ostream& out, const std::string& name, const MultiVector& vectors) {
  const auto v = vectors.getLocalViewHost(Tpetra::Access::ReadOnly);
  out << "VECTORS " << name << " double\n";
  for (std::size_t i = 0; i < v.extent(0); ++i)
    out << v(i, 0) << ' ' << v(i, 1) << ' ' << v(i, 2) << '\n';
}

void writeGrid(std::ostream& out, const Grid& grid) {
  const int side = grid.num_cells + 1;
  out << "# vtk DataFile Version 3.0\nElectric field of a cavity\nASCII\nDATASET STRUCTURED_GRID\n"
      << "DIMENSIONS " << side << ' ' << side << ' ' << side << '\n';
  const GlobalOrdinal num_vertices = static_cast<GlobalOrdinal>(side) * side * side;
  out << "POINTS " << num_vertices << " double\n";
  for (GlobalOrdinal vertex = 0; vertex < num_vertices; ++vertex) {
    const auto x = grid.coordinates(vertex);
    out << x[0] << ' ' << x[1] << ' ' << x[2] << '\n';
  }
}

}  // namespace

void writeVtk(const EdgeMesh& mesh, const MultiVector& coefficients, const std::string& file) {
  const EdgeElement at_centre(1);
  const auto values = evaluate(mesh, at_centre, coefficients);
  const auto field = onRoot(mesh, values.field);
  const auto curl = onRoot(mesh, values.curl);
  std::string error;
  if (mesh.comm->getRank() == 0) {
    std::ofstream out(file);
    writeGrid(out, mesh.grid);
    out << "CELL_DATA " << field.getLocalLength() << '\n';
    writeVectors(out, "E", field);
    writeVectors(out, "curl_E", curl);
    out.close();
    if (!out) error = "cannot write '" + file + "'";
  }
  throwTogether(*mesh.comm, error);
}

}  // namespace Maxwell
