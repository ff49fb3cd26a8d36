// SPDX-License-Identifier: BSD-3-Clause
#include "OrientedElement.hpp"

#include <Intrepid2_OrientationTools.hpp>

#include "Intrepid2Bases.hpp"

namespace KontractTest {
namespace {

using Tools = Intrepid2::OrientationTools<Intrepid2Device>;
using Orientations = Kokkos::DynRankView<Intrepid2::Orientation, Intrepid2Device>;

Orientations intrepid2Orientations(const Basis& basis, const Vertices& cells) {
  const std::size_t vertices = cells.empty() ? 0 : cells[0].size();
  Kokkos::DynRankView<int, Intrepid2Device> nodes("nodes", cells.size(), vertices);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    for (std::size_t v = 0; v < vertices; ++v) nodes(c, v) = cells[c][v];
  }
  Orientations orientations("orientations", cells.size());
  Tools::getOrientation(orientations, nodes, basis.getBaseCellTopology());
  return orientations;
}

}  // namespace

Kontract::CellOrientations<HostDevice> orientationsOf(const ReferenceBasis& wanted,
                                                      const Vertices& cells) {
  const BasisPointer basis = basisOf(wanted);
  return {*basis, intrepid2Orientations(*basis, cells)};
}

Numbers orientedValues(const ReferenceBasis& wanted, const Numbers& values, const Vertices& cells) {
  const BasisPointer basis = basisOf(wanted);
  std::vector<std::size_t> extents = values.extents();
  extents.insert(extents.begin(), cells.size());
  const Intrepid2Array input = emptyArray(extents), output = emptyArray(extents);
  for (std::size_t i = 0; i < input.size(); ++i)
    input.data()[i] = values.values()[i % values.size()];
  Tools::modifyBasisByOrientation(output, input, intrepid2Orientations(*basis, cells),
                                  basis.getRawPtr());
  return numbersOf("C" + values.letters(), output);
}

std::vector<FieldOfPart> fieldsOfParts(const ReferenceBasis& wanted, const std::vector<int>& cell) {
  const BasisPointer basis = basisOf(wanted);
  const auto topology = basis->getBaseCellTopology();
  const auto tags = basis->getAllDofTags();
  const unsigned dimension = topology.getDimension();
  std::vector<FieldOfPart> fields;
  for (std::size_t f = 0; f < tags.extent(0); ++f) {
    const unsigned part_dimension = unsigned(tags(f, 0)), part = unsigned(tags(f, 1));
    FieldOfPart field{{}, int(tags(f, 2)), part_dimension == dimension};
    if (field.is_inside) {
      field.vertices = cell;
    } else if (part_dimension == 0) {
      field.vertices = {cell[part]};
    } else {
      for (unsigned n = 0; n < topology.getVertexCount(part_dimension, part); ++n) {
        field.vertices.push_back(cell[topology.getNodeMap(part_dimension, part, n)]);
      }
    }
    std::sort(field.vertices.begin(), field.vertices.end());
    fields.push_back(field);
  }
  return fields;
}

}  // namespace KontractTest
