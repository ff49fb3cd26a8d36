// SPDX-License-Identifier: BSD-3-Clause
#include "DistributedPreconditioners.hpp"

namespace Distributed {

Jacobi::Jacobi(const Vector& diagonal) : _inverse(diagonal.getMap()) {
  _inverse.reciprocal(diagonal);
}

void Jacobi::apply(const MultiVector& x, MultiVector& y, Teuchos::ETransp, double alpha,
                   double beta) const {
  y.elementWiseMultiply(alpha, _inverse, x, beta);
}

Mesh lowOrderMesh(const Mesh& mesh, int order) {
  const int n = order, cells_of_each = n * n * n;
  const auto nodes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mesh.cell_nodes);
  // Nodes count the first direction fastest, those of a cell of first order, too.
  const Kokkos::View<LocalOrdinal**, Device> corners("corners", mesh.numCells() * cells_of_each, 8);
  const auto on_host = Kokkos::create_mirror_view(corners);
  const auto place = [](int i, int j, int k, int extent) { return i + extent * (j + extent * k); };
  for (int cell = 0; cell < mesh.numCells(); ++cell) {
    for (int part = 0; part < cells_of_each; ++part) {
      const int i = part % n, j = part / n % n, k = part / n / n;
      for (int corner = 0; corner < 8; ++corner) {
        const int node = place(i + corner % 2, j + corner / 2 % 2, k + corner / 4, n + 1);
        on_host(cell * cells_of_each + part, corner) = nodes(cell, node);
      }
    }
  }
  Kokkos::deep_copy(corners, on_host);
  Mesh low = mesh;
  low.cell_nodes = corners;
  low.num_global_cells *= cells_of_each;
  low.cell_tags.clear();  // of cells that are no more
  low.face_groups.clear();
  return low;
}

}  // namespace Distributed
