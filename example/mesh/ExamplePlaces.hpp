// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Places of points, made of the nodes of their cells where they are needed.
#ifndef EXAMPLE_PLACES_HPP
#define EXAMPLE_PLACES_HPP

#include "ExampleWorkset.hpp"

namespace Example {

/// A copy as a View, whose elements take fewer operations than those of a DynRankView.
inline Kokkos::View<double**, Device> asTable(const Array& array) {
  const Kokkos::View<double**, Device> table("table", array.extent(0), array.extent(1));
  Kokkos::parallel_for(
      "Example::asTable", CellPoints({0, 0}, {array.extent_int(0), array.extent_int(1)}),
      KOKKOS_LAMBDA(int i, int j) { table(i, j) = array(i, j); });
  return table;
}

/// What places of points are made of, instead of an array (C,P,D) of them.
class Places {
 public:
  /// \param mesh    has coordinates (N,D) and cell_nodes (C,F)
  /// \param values  (F,P) of the functions that map the cells
  template <class SomeMesh>
  Places(const SomeMesh& mesh, const Array& values)
      : _cell_nodes(mesh.cell_nodes),
        _coordinates(asTable(mesh.coordinates)),
        _values(asTable(values)) {}

  /// Sets x to the place of a point in a cell of the mesh.
  template <class Point>
  KOKKOS_INLINE_FUNCTION void set(Point& x, int cell, int point) const {
    for (int d = 0; d < space_dim; ++d) x[d] = 0;
    for (int i = 0; i < static_cast<int>(_cell_nodes.extent(1)); ++i) {
      const LocalOrdinal node = _cell_nodes(cell, i);
      for (int d = 0; d < space_dim; ++d) x[d] += _values(i, point) * _coordinates(node, d);
    }
  }

 private:
  Kokkos::View<LocalOrdinal**, Device> _cell_nodes;
  Kokkos::View<double**, Device> _coordinates;
  Kokkos::View<double**, Device> _values;
};

}  // namespace Example

#endif
