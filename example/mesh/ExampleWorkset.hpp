// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The loops over a workset that no library has: from the mesh to cells and back.
#ifndef EXAMPLE_WORKSET_HPP
#define EXAMPLE_WORKSET_HPP

#include <type_traits>

#include "ExampleMesh.hpp"
#include "ExampleSystem.hpp"
#include "ExampleTypes.hpp"

namespace Example {

template <class Space>
constexpr bool isSerial() {
#ifdef KOKKOS_ENABLE_SERIAL
  return std::is_same<Space, Kokkos::Serial>::value;
#else
  return false;
#endif
}

using CellPoints = Kokkos::MDRangePolicy<ExecutionSpace, Kokkos::Rank<2>>;

/// The cells of a workset that follow each other in the mesh; a list of them is a view.
struct CellsFrom {
  int first;
  KOKKOS_INLINE_FUNCTION int operator()(int cell) const { return first + cell; }
};
using CellList = Kokkos::View<int*, Device>;

/// Coordinates (C,N,D) of the nodes of cells.
/// \param mesh  has cell_nodes and coordinates
template <class SomeMesh, class Cells>
void gatherCoordinates(Array cell_coordinates, const SomeMesh& mesh, const Cells& cells) {
  const auto nodes = mesh.cell_nodes;
  const auto coordinates = mesh.coordinates;
  Kokkos::parallel_for(
      "Example::gatherCoordinates",
      CellPoints({0, 0}, {cell_coordinates.extent_int(0), cell_coordinates.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int node) {
        for (int d = 0; d < space_dim; ++d)
          cell_coordinates(cell, node, d) = coordinates(nodes(cells(cell), node), d);
      });
}

/// Values (C,F) of a vector of local degrees of freedom in the cells from \a first on.
template <class Values>
void gatherValues(Array cell_values, const Dofs& dofs, const Values& values, int first) {
  const auto numbers = dofs.cell_dofs;
  Kokkos::parallel_for(
      "Example::gatherValues",
      CellPoints({0, 0}, {cell_values.extent_int(0), cell_values.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int i) {
        cell_values(cell, i) = values(numbers(first + cell, i), 0);
      });
}

/// Adds vectors (C,F) of cells to a vector of local degrees of freedom.
template <class LocalVector, class Cells>
void addVectors(const LocalVector& vector, Array cell_vectors, const Dofs& dofs,
                const Cells& cells) {
  const auto numbers = dofs.cell_dofs;
  Kokkos::parallel_for(
      "Example::addVectors",
      CellPoints({0, 0}, {cell_vectors.extent_int(0), cell_vectors.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int i) {
        Kokkos::atomic_add(&vector(numbers(cells(cell), i), 0), cell_vectors(cell, i));
      });
}

/// Adds element matrices (C,F,F) and loads (C,F) to the local rows. A fixed degree of freedom keeps
/// the sum of its diagonal entries and the load that makes its value the given one; what it adds to
/// other rows moves to their loads. So the matrix stays symmetric, and no rank needs to know the
/// whole row.
template <class LocalMatrix, class LocalVector>
void scatter(const LocalMatrix& matrix, const LocalVector& load, Array element_matrices,
             Array element_loads, const Dofs& dofs, const CellColumns& columns, int first) {
  const auto numbers = dofs.cell_dofs;
  const auto is_fixed = dofs.is_fixed;
  const auto fixed_values = dofs.fixed_values;
  const int num_fields = element_loads.extent_int(1);
  constexpr bool is_sorted = true;
  // Cells that share a node run at the same time wherever threads do.
  constexpr bool is_atomic = !isSerial<ExecutionSpace>();
  Kokkos::parallel_for(
      "Example::scatter", CellPoints({0, 0}, {element_loads.extent_int(0), num_fields}),
      KOKKOS_LAMBDA(int cell, int i) {
        const LocalOrdinal row = numbers(first + cell, i);
        double row_load = element_loads(cell, i);
        for (int j = 0; j < num_fields; ++j) {
          const LocalOrdinal other = numbers(first + cell, j);
          const LocalOrdinal column = columns(first + cell, j);
          const double entry = element_matrices(cell, i, j);
          if (is_fixed(row) && i == j) row_load = entry * fixed_values(row);
          if (is_fixed(other) && !is_fixed(row)) row_load -= entry * fixed_values(other);
          const bool is_kept = i == j || !(is_fixed(row) || is_fixed(other));
          if (is_kept) matrix.sumIntoValues(row, &column, 1, &entry, is_sorted, is_atomic);
        }
        Kokkos::atomic_add(&load(row, 0), row_load);
      });
}

}  // namespace Example

#endif
