// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SIDEMEASURE_HPP
#define KONTRACT_SIDEMEASURE_HPP

#include "Kontract_Intrepid2Geometry.hpp"

// Geometry is Intrepid2's; without it there are no measures of sides.
#ifdef KONTRACT_HAS_INTREPID2_GEOMETRY

#include <stdexcept>
#include <string>

#include "Kontract_Operate.hpp"
#include "detail/problem/Kontract_CheckScratch.hpp"
#include "detail/support/Kontract_Error.hpp"
#include "detail/view/Kontract_DescribeView.hpp"

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
  using Space = typename DeviceType::execution_space;

 public:
  template <class Output, class Jacobian, class Weights, class Scratch>
  static void ofFace(const Output& output, const Jacobian& jacobian, const Weights& weights,
                     int face, const shards::CellTopology& cell, const Scratch& scratch) {
    check(Function::computeFaceMeasure, 2, output, jacobian, weights, face, cell, scratch);
    weigh(output, jacobian, weights, scratch, [&](const auto& vectors) {
      Cells::getPhysicalFaceNormals(vectors, asDynRankView(jacobian), face, cell);
    });
  }

  template <class Output, class Jacobian, class Weights, class Scratch>
  static void ofEdge(const Output& output, const Jacobian& jacobian, const Weights& weights,
                     int edge, const shards::CellTopology& cell, const Scratch& scratch) {
    check(Function::computeEdgeMeasure, 1, output, jacobian, weights, edge, cell, scratch);
    weigh(output, jacobian, weights, scratch, [&](const auto& vectors) {
      Cells::getPhysicalEdgeTangents(vectors, asDynRankView(jacobian), edge, cell);
    });
  }

 private:
  template <class Output, class Jacobian, class Weights, class Scratch>
  static void check(Function function, int side_dimension, const Output& output,
                    const Jacobian& jacobian, const Weights& weights, int side,
                    const shards::CellTopology& cell, const Scratch& scratch) {
    static_assert(!std::is_integral_v<typename Scratch::non_const_value_type>,
                  "Kontract: scratch holds vectors, which integers would cut");
    const Signature& signature = signatureOf(function);
    const ArrayDescription out = describe<Space>(output), jacobians = describe<Space>(jacobian),
                           weight = describe<Space>(weights);
    checkShapes(signature, false, out, jacobians, weight);
    checkSide(signature, side_dimension, jacobians.extents[2], side, cell);
    const std::int64_t needed = jacobians.extents[0] * jacobians.extents[1] * jacobians.extents[2];
    checkScratch(signature, needed, describe<Space>(scratch), out, jacobians, weight);
    scale<DeviceType>(Operation::scalarMultiplyDataData, ValidateOnly(), output, output, weights);
  }

  static void checkSide(const Signature& signature, int side_dimension,
                        std::int64_t jacobian_extent, int side, const shards::CellTopology& cell) {
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
    if (!hasReferenceMaps(side_dimension, cell)) {
      refuseCall(parent + ", whose sides Intrepid2 has no maps from reference sides for");
    }
  }

  /// Whether Intrepid2 knows the sides of such cells, in their dimension.
  static bool hasReferenceMaps(int side_dimension, const shards::CellTopology& cell) {
    try {
      const auto maps =
          Intrepid2::RefSubcellParametrization<DeviceType>::get(side_dimension, cell.getKey());
      return maps.extent(0) >= cell.getSubcellCount(side_dimension) &&
             maps.extent(1) == cell.getDimension();
    } catch (const std::invalid_argument&) {
      return false;
    }
  }

  /// Scratch memory as (C,P,D). Fads count their derivatives and the value after the indices.
  template <class Vectors, class Scratch, class Jacobian>
  static Vectors vectorsIn(const Scratch& scratch, const Jacobian& jacobian) {
    const auto cells = jacobian.extent(0), points = jacobian.extent(1),
               dimension = jacobian.extent(2);
    if constexpr (has_proxies<Scratch>) {
      return Vectors(scratch.data(), cells, points, dimension, derivativesOf(asView(scratch)) + 1);
    } else {
      return Vectors(scratch.data(), cells, points, dimension);
    }
  }

  /// Puts lengths of vectors (C,P,D), which are made in scratch memory, times weights into the
  /// output.
  template <class Output, class Jacobian, class Weights, class Scratch, class MakeVectors>
  static void weigh(const Output& output, const Jacobian& jacobian, const Weights& weights,
                    const Scratch& scratch, const MakeVectors& makeVectors) {
    using Vectors = Kokkos::DynRankView<typename Scratch::value_type, DeviceType>;
    if (jacobian.extent(0) > 0 && jacobian.extent(1) > 0) {
      const auto vectors = vectorsIn<Vectors>(scratch, jacobian);
      makeVectors(vectors);
      Intrepid2::RealSpaceTools<DeviceType>::vectorNorm(asDynRankView(output), vectors,
                                                        Intrepid2::NORM_TWO);
    }
    scale<DeviceType>(Operation::scalarMultiplyDataData, Run(), output, output, weights);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
