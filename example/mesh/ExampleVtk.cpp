// SPDX-License-Identifier: BSD-3-Clause
#include "ExampleVtk.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

#include "ExamplePicture.hpp"

namespace Example {
namespace {

namespace fs = std::filesystem;

int vtkCellType(const Element& element) {
  const int tetrahedra[] = {10, 24, 71};
  const int hexahedra[] = {12, 29, 72};
  const int i = std::min(element.order(), 3) - 1;
  return element.shape() == Shape::Tetrahedron ? tetrahedra[i] : hexahedra[i];
}

template <class Function>
void writeArray(std::ostream& out, const char* type, const char* name, int num_components,
                std::size_t size, Function entry) {
  out << "<DataArray type=\"" << type << "\" Name=\"" << name << "\" NumberOfComponents=\""
      << num_components << "\" format=\"ascii\">\n";
  for (std::size_t i = 0; i < size; ++i) {
    for (int d = 0; d < num_components; ++d) out << (d == 0 ? "" : " ") << entry(i, d);
    out << '\n';
  }
  out << "</DataArray>\n";
}

bool writePiece(const Mesh& mesh, const Element& element, const std::vector<NodalField>& fields,
                const std::string& file) {
  const auto nodes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mesh.cell_nodes);
  const auto x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mesh.coordinates);
  const auto num_points = static_cast<std::size_t>(mesh.numNodes());
  const auto num_cells = static_cast<std::size_t>(mesh.numCells());
  const int num_nodes = element.numNodes();

  // Position i in VTK's order holds which node of Intrepid2's.
  std::vector<int> order(num_nodes);
  const auto inverse = element.permutationFrom(vtkNodes(element.shape(), element.order()));
  for (int i = 0; i < num_nodes; ++i) order[inverse[i]] = i;

  std::ofstream out(file);
  out.precision(std::numeric_limits<double>::max_digits10);
  out << "<?xml version=\"1.0\"?>\n"
      << "<VTKFile type=\"UnstructuredGrid\" version=\"2.2\" byte_order=\"LittleEndian\">\n"
      << "<UnstructuredGrid>\n<Piece NumberOfPoints=\"" << num_points << "\" NumberOfCells=\""
      << num_cells << "\">\n<Points>\n";
  writeArray(out, "Float64", "Points", 3, num_points, [&](auto i, int d) { return x(i, d); });
  out << "</Points>\n<PointData>\n";
  for (const auto& field : fields) {
    const int n = field.num_components;
    const auto values = field.values.getLocalViewHost(Tpetra::Access::ReadOnly);
    writeArray(out, "Float64", field.name.c_str(), n, num_points,
               [&](auto i, int d) { return values(i * n + d, 0); });
  }
  writeArray(out, "Int64", "node", 1, num_points, [&](auto i, int) {
    return mesh.local_nodes->getGlobalElement(static_cast<LocalOrdinal>(i));
  });
  out << "</PointData>\n<CellData>\n";
  const int rank = mesh.comm->getRank();
  writeArray(out, "Int32", "rank", 1, num_cells, [&](auto, int) { return rank; });
  out << "</CellData>\n<Cells>\n";
  writeArray(out, "Int64", "connectivity", 1, num_cells * num_nodes,
             [&](auto i, int) { return nodes(i / num_nodes, order[i % num_nodes]); });
  writeArray(out, "Int64", "offsets", 1, num_cells,
             [&](auto cell, int) { return (cell + 1) * num_nodes; });
  const int type = vtkCellType(element);
  writeArray(out, "UInt8", "types", 1, num_cells, [&](auto, int) { return type; });
  out << "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  out.close();
  return !out.fail();
}

bool writeIndex(const std::string& file, const std::vector<NodalField>& fields,
                const std::vector<std::string>& pieces) {
  std::ofstream out(file);
  out << "<?xml version=\"1.0\"?>\n"
      << "<VTKFile type=\"PUnstructuredGrid\" version=\"2.2\" byte_order=\"LittleEndian\">\n"
      << "<PUnstructuredGrid GhostLevel=\"0\">\n"
      << "<PPoints><PDataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\"/>"
      << "</PPoints>\n<PPointData>\n";
  for (const auto& field : fields)
    out << "<PDataArray type=\"Float64\" Name=\"" << field.name << "\" NumberOfComponents=\""
        << field.num_components << "\"/>\n";
  out << "<PDataArray type=\"Int64\" Name=\"node\"/>\n</PPointData>\n"
      << "<PCellData><PDataArray type=\"Int32\" Name=\"rank\"/></PCellData>\n";
  for (const auto& piece : pieces)
    out << "<Piece Source=\"" << fs::path(piece).filename().string() << "\"/>\n";
  out << "</PUnstructuredGrid>\n</VTKFile>\n";
  out.close();
  return !out.fail();
}

}  // namespace

std::string writeVtk(const Mesh& mesh, const Element& element,
                     const std::vector<NodalField>& fields, const std::string& base) {
  const int num_ranks = mesh.comm->getSize();
  const int rank = mesh.comm->getRank();
  std::vector<std::string> pieces;
  for (int i = 0; i < num_ranks; ++i)
    pieces.push_back(num_ranks == 1 ? base + ".vtu" : base + "_" + std::to_string(i) + ".vtu");
  const std::string file = num_ranks == 1 ? pieces[0] : base + ".pvtu";

  bool is_good = writePiece(mesh, element, fields, pieces[rank]);
  if (num_ranks > 1 && rank == 0) is_good = writeIndex(file, fields, pieces) && is_good;
  const int local = is_good ? 1 : 0;
  int global = 0;
  Teuchos::reduceAll(*mesh.comm, Teuchos::REDUCE_MIN, local, Teuchos::outArg(global));
  if (global == 0) throw InputError("cannot write '" + file + "'");
  return file;
}

std::string drawPicture(const std::string& vtk_file, const std::string& picture,
                        const std::vector<std::string>& options) {
  return drawByScript("plot_solution.py", vtk_file, picture, options);
}

}  // namespace Example
