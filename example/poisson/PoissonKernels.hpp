// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The loops over a workset that no library has.
#ifndef POISSON_KERNELS_HPP
#define POISSON_KERNELS_HPP

#include <type_traits>

#include "PoissonFields.hpp"
#include "PoissonMesh.hpp"
#include "PoissonSystem.hpp"
#include "PoissonTypes.hpp"

namespace Poisson {

template <class Space>
constexpr bool isSerial() {
#ifdef KOKKOS_ENABLE_SERIAL
  return std::is_same<Space, Kokkos::Serial>::value;
#else
  return false;
#endif
}

using CellPoints = Kokkos::MDRangePolicy<ExecutionSpace, Kokkos::Rank<2>>;

/// Coordinates (C,F,D) of the nodes of the cells from \a first on.
inline void gatherCoordinates(Array cell_coordinates, const Mesh& mesh, int first) {
  const auto nodes = mesh.cell_nodes;
  const auto coordinates = mesh.coordinates;
  Kokkos::parallel_for(
      "Poisson::gatherCoordinates",
      CellPoints({0, 0}, {cell_coordinates.extent_int(0), cell_coordinates.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int node) {
        for (int d = 0; d < space_dim; ++d)
          cell_coordinates(cell, node, d) = coordinates(nodes(first + cell, node), d);
      });
}

/// Values (C,F) of a nodal field of the cells from \a first on.
template <class Values>
void gatherValues(Array cell_values, const Mesh& mesh, const Values& values, int first) {
  const auto nodes = mesh.cell_nodes;
  Kokkos::parallel_for(
      "Poisson::gatherValues",
      CellPoints({0, 0}, {cell_values.extent_int(0), cell_values.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int node) {
        cell_values(cell, node) = values(nodes(first + cell, node), 0);
      });
}

/// Conductivity, (C,P) or (C,P,D,D), and right-hand side (C,P) at the points (C,P,D).
inline void evaluateModel(Array conductivity, Array right_hand_side, Array points,
                          const Model& model) {
  const Model m = model;
  Kokkos::parallel_for(
      "Poisson::evaluateModel", CellPoints({0, 0}, {points.extent_int(0), points.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int point) {
        Vec x;
        for (int d = 0; d < space_dim; ++d) x[d] = points(cell, point, d);
        right_hand_side(cell, point) = m.rightHandSide(x);
        const double k = m.conductivity.scalar(x);
        if (!m.conductivity.is_tensor) {
          conductivity(cell, point) = k;
          return;
        }
        for (int i = 0; i < space_dim; ++i)
          for (int j = 0; j < space_dim; ++j)
            conductivity(cell, point, i, j) = k * m.conductivity.anisotropy(i, j);
      });
}

/// Adds element matrices (C,F,F) and loads (C,F) to the local rows. A fixed node keeps the sum of
/// its diagonal entries and the load that makes its value the given one; what it adds to other
/// rows moves to their loads. So the matrix stays symmetric, and no rank needs to know the whole
/// row.
template <class LocalMatrix, class LocalVector>
void scatter(const LocalMatrix& matrix, const LocalVector& load, Array element_matrices,
             Array element_loads, const Mesh& mesh, const CellColumns& columns, int first) {
  const auto nodes = mesh.cell_nodes;
  const auto is_fixed = mesh.is_fixed;
  const auto fixed_values = mesh.fixed_values;
  const int num_nodes = element_loads.extent_int(1);
  constexpr bool is_sorted = true;
  // Cells that share a node run at the same time wherever threads do.
  constexpr bool is_atomic = !isSerial<ExecutionSpace>();
  Kokkos::parallel_for(
      "Poisson::scatter", CellPoints({0, 0}, {element_loads.extent_int(0), num_nodes}),
      KOKKOS_LAMBDA(int cell, int i) {
        const LocalOrdinal row = nodes(first + cell, i);
        double row_load = element_loads(cell, i);
        for (int j = 0; j < num_nodes; ++j) {
          const LocalOrdinal other = nodes(first + cell, j);
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

}  // namespace Poisson

#endif
