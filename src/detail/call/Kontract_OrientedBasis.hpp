// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_ORIENTEDBASIS_HPP
#define KONTRACT_ORIENTEDBASIS_HPP

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "detail/problem/Kontract_CellOperators.hpp"
#include "detail/support/Kontract_Error.hpp"
#include "detail/view/Kontract_DescribeView.hpp"

namespace Intrepid2 {
template <typename DeviceType>
class OrientationTools;
}

namespace Kontract {
namespace Impl {

// What is known of Intrepid2's orientations: how many an edge or a face has, and how they are read.

/// Edges and faces of a cell.
struct OrientedParts {
  static constexpr int most_edges = 12, most_faces = 6, most_orientations = 8;
  int edges = 0, faces = 0, orientations_of_face[most_faces] = {};

  template <class Topology>
  explicit OrientedParts(const Topology& topology) {
    if (topology.getDimension() > 1) edges = static_cast<int>(topology.getEdgeCount());
    if (topology.getDimension() > 2) faces = static_cast<int>(topology.getFaceCount());
    for (int f = 0; f < faces; ++f) {
      orientations_of_face[f] = 2 * static_cast<int>(topology.getSideCount(2, unsigned(f)));
    }
  }
  int count(int dimension) const { return dimension == 1 ? edges : faces; }
  int orientations(int dimension, int part) const {
    return dimension == 1 ? 2 : orientations_of_face[part];
  }
};

/// The matrices by which Intrepid2 transforms all fields of cells whose edges and faces all have
/// orientation 0, 1, 2 ...: (most_orientations,F,F). It is asked, because releases of Intrepid2
/// differ in which side of a matrix they multiply from.
template <class DeviceType, class Orientation, class Basis>
auto transformationsOf(const Basis& basis, const OrientedParts& parts) {
  using Values = Kokkos::DynRankView<double, DeviceType>;
  const std::size_t fields = static_cast<std::size_t>(basis.getCardinality());
  constexpr std::size_t most = OrientedParts::most_orientations;
  Kokkos::DynRankView<Orientation, DeviceType> orientations("Kontract::CellOrientations", most);
  const auto of_host = Kokkos::create_mirror_view(orientations);
  for (int o = 0; o < int(most); ++o) {
    int of_edges[OrientedParts::most_edges], of_faces[OrientedParts::most_faces];
    for (int e = 0; e < parts.edges; ++e) of_edges[e] = o % 2;
    for (int f = 0; f < parts.faces; ++f) of_faces[f] = o % parts.orientations_of_face[f];
    Orientation orientation;
    if (parts.edges > 0) orientation.setEdgeOrientation(parts.edges, of_edges);
    if (parts.faces > 0) orientation.setFaceOrientation(parts.faces, of_faces);
    of_host(o) = orientation;
  }
  Kokkos::deep_copy(orientations, of_host);
  const Values output("Kontract::CellOrientations", most, fields, fields),
      input("Kontract::CellOrientations", most, fields, fields);
  const auto identities = Kokkos::create_mirror_view(input);
  for (std::size_t o = 0; o < most; ++o) {
    for (std::size_t f = 0; f < fields; ++f) identities(o, f, f) = 1;
  }
  Kokkos::deep_copy(input, identities);
  Intrepid2::OrientationTools<DeviceType>::modifyBasisByOrientation(output, input, orientations,
                                                                    &basis);
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), output);
}

/// Weights that come from solving small systems: -1, 0 and 1 where nothing but rounding is missing.
inline double withoutRounding(double weight) {
  const double whole = std::nearbyint(weight);
  return std::abs(whole) <= 1 && std::abs(weight - whole) < 1e-12 ? whole : weight;
}

/// Blocks of a basis for each edge and face in each orientation.
struct OrientedBlocks {
  std::array<std::int32_t, OrientedParts::most_orientations> of_edges[OrientedParts::most_edges],
      of_faces[OrientedParts::most_faces];
};

template <class DeviceType, class Orientation, class Basis>
OrientedBlocks blocksOf(const Basis& basis, const OrientedParts& parts, OperatorStore& store) {
  OrientedBlocks blocks;
  for (auto& block : blocks.of_edges) block.fill(-1);
  for (auto& block : blocks.of_faces) block.fill(-1);
  if (!basis.requireOrientation()) return blocks;
  const auto matrices = transformationsOf<DeviceType, Orientation>(basis, parts);
  const auto ordinals = basis.getAllDofOrdinal();
  for (int dimension = 1; dimension <= (parts.faces > 0 ? 2 : 1); ++dimension) {
    for (int part = 0; part < parts.count(dimension); ++part) {
      const int count = static_cast<int>(basis.getDofCount(dimension, part));
      std::vector<std::int32_t> fields;
      for (int i = 0; i < count; ++i) {
        fields.push_back(static_cast<std::int32_t>(ordinals(dimension, part, i)));
      }
      for (int o = 0; o < parts.orientations(dimension, part) && count > 0; ++o) {
        std::vector<double> weights;
        for (const std::int32_t row : fields) {
          for (const std::int32_t column : fields) {
            weights.push_back(withoutRounding(matrices(o, row, column)));
          }
        }
        auto& of = dimension == 1 ? blocks.of_edges[part] : blocks.of_faces[part];
        of[static_cast<std::size_t>(o)] = store.addBlock(fields, weights);
      }
    }
  }
  return blocks;
}

/// Refuses orientations that are not those of cells one after another, or that have no memory.
template <class Orientations>
void requireOrientations(const Orientations& orientations) {
  static_assert(is_array<Orientations>,
                "Kontract: orientations of cells are a Kokkos::View or Kokkos::DynRankView");
  if (rankOf(orientations) != 1) {
    refuse("CellOrientations", "orientations have rank " + std::to_string(rankOf(orientations)) +
                                   ", but they must be (C)");
  }
  if (orientations.data() == nullptr && orientations.size() > 0) {
    refuse("CellOrientations", "orientations have no memory: their data() is null");
  }
}

/// The operators of cells of a basis.
template <class DeviceType, class Basis, class Orientations>
CellOperators operatorsOf(const Basis& basis, const Orientations& orientations) {
  requireOrientations(orientations);
  using Orientation = typename Orientations::non_const_value_type;
  const OrientedParts parts(basis.getBaseCellTopology());
  auto store = std::make_shared<OperatorStore>(static_cast<std::int64_t>(basis.getCardinality()));
  const OrientedBlocks blocks = blocksOf<DeviceType, Orientation>(basis, parts, *store);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), orientations);
  for (std::size_t c = 0; c < host.extent(0); ++c) {
    int of_edges[OrientedParts::most_edges], of_faces[OrientedParts::most_faces];
    if (parts.edges > 0) host(c).getEdgeOrientation(of_edges, parts.edges);
    if (parts.faces > 0) host(c).getFaceOrientation(of_faces, parts.faces);
    for (int e = 0; e < parts.edges; ++e) {
      store->give(blocks.of_edges[e][static_cast<std::size_t>(of_edges[e])]);
    }
    for (int f = 0; f < parts.faces; ++f) {
      store->give(blocks.of_faces[f][static_cast<std::size_t>(of_faces[f])]);
    }
    store->endCell();
  }
  return CellOperators(store);
}

}  // namespace Impl
}  // namespace Kontract

#endif
