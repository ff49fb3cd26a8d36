// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The linear system over the ranks: degrees of freedom, sparsity and storage.
#ifndef EXAMPLE_SYSTEM_HPP
#define EXAMPLE_SYSTEM_HPP

#include "ExampleMesh.hpp"
#include "ExampleTypes.hpp"

namespace Example {

/// Degrees of freedom at the nodes of a mesh: those of scalar fields, or \a num_components at each
/// node for vectors; component i of node n is n * num_components + i, in cells as over the ranks.
/// All components of a fixed node are fixed at the node's value. Scalar ones share the mesh's
/// arrays, so that a mesh may stand for them.
struct Dofs {
  int num_components = 1;
  RCP<const Map> owned;
  RCP<const Map> local;                            ///< those of the mesh's local nodes
  Kokkos::View<LocalOrdinal**, Device> cell_dofs;  ///< (C,F), numbers in local
  Kokkos::View<char*, Device> is_fixed;            ///< (N)
  Kokkos::View<double*, Device> fixed_values;      ///< (N)

  Dofs() = default;
  Dofs(const Mesh& mesh, int num_components = 1);
};

/// A matrix and a right-hand side whose rows live on the owners of the degrees of freedom.
struct System {
  RCP<Matrix> matrix;
  RCP<Vector> load;
};

/// Local column numbers of the degrees of freedom of each cell, (C,F). Tpetra numbers columns by
/// their owners, as multigrid needs it; the numbers of the rows are those of Dofs.
using CellColumns = Kokkos::View<LocalOrdinal**, Device>;

/// Which degrees of freedom share a cell.
RCP<const Graph> makeGraph(const Dofs& dofs);

CellColumns makeCellColumns(const Dofs& dofs, const Graph& graph);

/// A system of zeros that is ready for assembly.
System makeSystem(const Dofs& dofs, const RCP<const Graph>& graph);

/// A vector of the owners, with the values of the other ranks that the local cells need.
/// Collective.
MultiVector toLocal(const Vector& owned, const Dofs& dofs);

/// |A - B| / |B| in the Frobenius norm, for matrices of one graph. Collective.
double relativeDifference(const Matrix& a, const Matrix& b);
/// The same for vectors of one map.
double relativeDifference(const Vector& a, const Vector& b);

}  // namespace Example

#endif
