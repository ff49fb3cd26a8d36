// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The linear system over the ranks: sparsity and storage.
#ifndef POISSON_SYSTEM_HPP
#define POISSON_SYSTEM_HPP

#include "PoissonMesh.hpp"
#include "PoissonTypes.hpp"

namespace Poisson {

/// A matrix and a right-hand side whose rows live on the owners of the nodes.
struct System {
  RCP<Matrix> matrix;
  RCP<Vector> load;
};

/// Local column numbers of the nodes of each cell, (C,F). Tpetra numbers columns by their owners,
/// as multigrid needs it; the numbers of the rows are those of the mesh.
using CellColumns = Kokkos::View<LocalOrdinal**, Device>;

/// Which nodes share a cell.
RCP<const Graph> makeGraph(const Mesh& mesh);

CellColumns makeCellColumns(const Mesh& mesh, const Graph& graph);

/// A system of zeros that is ready for assembly.
System makeSystem(const Mesh& mesh, const RCP<const Graph>& graph);

/// |A - B| / |B| in the Frobenius norm, for matrices of one graph. Collective.
double relativeDifference(const Matrix& a, const Matrix& b);

}  // namespace Poisson

#endif
