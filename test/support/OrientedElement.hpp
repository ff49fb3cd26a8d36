// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_ORIENTEDELEMENT_HPP
#define KONTRACT_TEST_ORIENTEDELEMENT_HPP

#include <Kokkos_Core.hpp>
#include <vector>

#include "Kontract_CellOrientations.hpp"
#include "ReferenceElement.hpp"

namespace KontractTest {

using HostDevice = Kokkos::DefaultHostExecutionSpace::device_type;

/// The vertices of cells, by their numbers in a mesh.
using Vertices = std::vector<std::vector<int>>;

/// Of cells with these vertices, as Intrepid2 finds them.
Kontract::CellOrientations<HostDevice> orientationsOf(const ReferenceBasis& basis,
                                                      const Vertices& cells);

/// Values (F,P) or (F,P,D) as Intrepid2's modifyBasisByOrientation() transforms them for each cell:
/// (C,F,P) or (C,F,P,D).
Numbers orientedValues(const ReferenceBasis& basis, const Numbers& values, const Vertices& cells);

/// What a field belongs to: the vertices of a vertex, edge, face or cell, ascending, and its place
/// among the fields of that.
struct FieldOfPart {
  std::vector<int> vertices;
  int place;
  bool is_inside;  ///< it belongs to the cell

  bool operator<(const FieldOfPart& other) const {
    return vertices != other.vertices ? vertices < other.vertices : place < other.place;
  }
};
std::vector<FieldOfPart> fieldsOfParts(const ReferenceBasis& basis, const std::vector<int>& cell);

}  // namespace KontractTest

#endif
