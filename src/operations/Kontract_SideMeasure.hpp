// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SIDEMEASURE_HPP
#define KONTRACT_SIDEMEASURE_HPP

// Geometry is Intrepid2's; without it there are no measures of sides.
#if __has_include(<Intrepid2_CellTools.hpp>)
#define KONTRACT_HAS_INTREPID2_GEOMETRY

#include <Intrepid2_CellTools.hpp>
#include <Intrepid2_RealSpaceTools.hpp>
#include <Intrepid2_TransformedVectorData.hpp>
#include <string>

#include "Kontract_Error.hpp"
#include "Kontract_Operate.hpp"

namespace Kontract {
namespace Impl {

/// A view of any kind as Intrepid2 takes it.
template <class View>
auto asDynRankView(const View& view) {
  if constexpr (Kokkos::is_dyn_rank_view<View>::value) {
    return view;
  } else {
    return Kokkos::DynRankView<typename View::value_type, typename View::array_layout,
                               typename View::device_type, typename View::memory_traits>(view);
  }
}

/// Measures of one side of each cell: the lengths of its normals or tangents, times weights.
template <class DeviceType>
class SideMeasure {
  using Cells = Intrepid2::CellTools<DeviceType>;

 public:
  template <class Output, class Jacobian, class Weights, class Scratch>
  static void ofFace(const Output& output, const Jacobian& jacobian, const Weights& weights,
                     int face, const shards::CellTopology& cell, const Scratch& scratch) {
    const auto vectors =
        checked(Function::computeFaceMeasure, 2, output, jacobian, weights, face, cell, scratch);
    Cells::getPhysicalFaceNormals(vectors, asDynRankView(jacobian), face, cell);
    weigh(output, vectors, weights);
  }

  template <class Output, class Jacobian, class Weights, class Scratch>
  static void ofEdge(const Output& output, const Jacobian& jacobian, const Weights& weights,
                     int edge, const shards::CellTopology& cell, const Scratch& scratch) {
    const auto vectors =
        checked(Function::computeEdgeMeasure, 1, output, jacobian, weights, edge, cell, scratch);
    Cells::getPhysicalEdgeTangents(vectors, asDynRankView(jacobian), edge, cell);
    weigh(output, vectors, weights);
  }

 private:
  /// Checks a call.
  /// \return its scratch memory as an array of vectors (C,P,D)
  template <class Output, class Jacobian, class Weights, class Scratch>
  static auto checked(Function function, int side_dimension, const Output& output,
                      const Jacobian& jacobian, const Weights& weights, int side,
                      const shards::CellTopology& cell, const Scratch& scratch) {
    const Signature& signature = signatureOf(function);
    const auto refuseCall = [&](const std::string& why) { refuse(signature.name, why); };
    using Space = typename DeviceType::execution_space;
    checkShapes(signature, false, describe<Space>(output), describe<Space>(jacobian),
                describe<Space>(weights));
    const int dimension = static_cast<int>(cell.getDimension());
    if (side_dimension == 2 && dimension != 3) {
      refuseCall("parentCell is " + std::string(cell.getName()) + ", which has no faces");
    }
    if (static_cast<int>(jacobian.extent(2)) != dimension) {
      refuseCall("inputJac has dimension " + std::to_string(jacobian.extent(2)) +
                 " but parentCell is " + cell.getName() + ", of dimension " +
                 std::to_string(dimension));
    }
    const int sides = static_cast<int>(cell.getSubcellCount(side_dimension));
    if (side < 0 || side >= sides) {
      refuseCall("there is no side " + std::to_string(side) + " in parentCell " + cell.getName() +
                 ", which has " + std::to_string(sides));
    }
    const auto cells = jacobian.extent(0), points = jacobian.extent(1), dims = jacobian.extent(2);
    const auto needed = cells * points * dims;
    if (rankOf(scratch) != 1 || scratch.span() < needed) {
      refuseCall("scratch has rank " + std::to_string(rankOf(scratch)) + " and " +
                 std::to_string(scratch.span()) + " elements, but it must have rank 1 and " +
                 std::to_string(needed) + " elements (C P D) at least");
    }
    using Vectors = Kokkos::DynRankView<typename Scratch::value_type, DeviceType>;
    const auto properties = Kokkos::common_view_alloc_prop(scratch);
    return Vectors(Kokkos::view_wrap(scratch.data(), properties), cells, points, dims);
  }

  template <class Output, class Vectors, class Weights>
  static void weigh(const Output& output, const Vectors& vectors, const Weights& weights) {
    Intrepid2::RealSpaceTools<DeviceType>::vectorNorm(asDynRankView(output), vectors,
                                                      Intrepid2::NORM_TWO);
    scale<DeviceType>(Operation::scalarMultiplyDataData, Run(), output, output, weights);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
