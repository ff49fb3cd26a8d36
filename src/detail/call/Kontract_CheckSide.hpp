// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CHECKSIDE_HPP
#define KONTRACT_CHECKSIDE_HPP

#include "Kontract_Intrepid2Geometry.hpp"

#ifdef KONTRACT_HAS_INTREPID2_GEOMETRY

#include <stdexcept>
#include <string>

#include "detail/problem/Kontract_Signature.hpp"
#include "detail/support/Kontract_Error.hpp"

namespace Kontract {
namespace Impl {

/// Checks which side of which cells a call is about.
template <class DeviceType>
class SideChecker {
 public:
  /// \param side_dimension   1 for edges, 2 for faces
  /// \param jacobian_extent  dimension of the reference cell, as the Jacobians have it
  static void check(const Signature& signature, int side_dimension, std::int64_t jacobian_extent,
                    int side, const shards::CellTopology& cell) {
    requireTopology(signature, cell);
    const std::string name = cell.getName(), parent = "parentCell is " + name;
    const auto refuseCall = [&](const std::string& why) { refuse(signature.name, why); };
    const int dimension = static_cast<int>(cell.getDimension());
    if (side_dimension == 2 && dimension != 3) refuseCall(parent + ", which has no faces");
    if (jacobian_extent != dimension) {
      refuseCall(std::string(signature.left_name) + " has dimension " +
                 std::to_string(jacobian_extent) + " but " + parent + ", of dimension " +
                 std::to_string(dimension));
    }
    const int sides = static_cast<int>(cell.getSubcellCount(side_dimension));
    if (side < 0 || side >= sides) {
      refuseCall("there is no side " + std::to_string(side) + " in parentCell " + name +
                 ", which has " + std::to_string(sides));
    }
    if (!hasReferenceMaps(signature, side_dimension, cell)) {
      refuseCall(parent + ", whose sides Intrepid2 has no maps from reference sides for");
    }
  }

  /// A cell that was made without a topology has no dimension to ask for.
  static void requireTopology(const Signature& signature, const shards::CellTopology& cell) {
    if (cell.getCellTopologyData() == nullptr) {
      refuse(signature.name, "parentCell has no topology, as it was made without one");
    }
  }

 private:
  /// Whether Intrepid2 knows the sides of such cells, in their dimension.
  static bool hasReferenceMaps(const Signature& signature, int side_dimension,
                               const shards::CellTopology& cell) {
    using Maps = Intrepid2::RefSubcellParametrization<DeviceType>;
    const ReferenceCellsLock lock;
    // Intrepid2 makes the maps of all cells when one is asked for first.
    static const bool are_made = [&] {
      needDefaultHostSpace(signature);
      return Maps::get(2, shards::Hexahedron<8>::key).extent(0) > 0;
    }();
    if (!are_made) return false;
    try {
      const auto maps = Maps::get(side_dimension, cell.getKey());
      return maps.extent(0) >= cell.getSubcellCount(side_dimension) &&
             maps.extent(1) == cell.getDimension();
    } catch (const std::invalid_argument&) {
      return false;
    }
  }

  /// Intrepid2 makes its maps by way of arrays of the default host space, which older releases of
  /// Kokkos have for the thread alone that initialized them. If one of these cannot be made, maps
  /// that were are left to be freed after Kokkos has ended, which ends the program.
  static void needDefaultHostSpace(const Signature& signature) {
    using Space = Kokkos::DefaultHostExecutionSpace;
    try {
      const Kokkos::View<int*, Space> any("Kontract::side", 1);
    } catch (const std::runtime_error&) {
      refuse(signature.name,
             std::string("the first call for sides of cells has to come from the thread that "
                         "initialized Kokkos: this Kokkos has no ") +
                 Space::name() + " for other threads, and Intrepid2 makes its maps of sides there");
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
