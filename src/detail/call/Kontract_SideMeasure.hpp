// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SIDEMEASURE_HPP
#define KONTRACT_SIDEMEASURE_HPP

#include "Kontract_Intrepid2Geometry.hpp"

// Geometry is Intrepid2's; without it there are no measures of sides.
#ifdef KONTRACT_HAS_INTREPID2_GEOMETRY

#include "Kontract_CheckSide.hpp"
#include "Kontract_Operate.hpp"
#include "Kontract_SideVectors.hpp"
#include "detail/problem/Kontract_CheckScratch.hpp"
#include "detail/view/Kontract_DescribeView.hpp"

namespace Kontract {
namespace Impl {

/// Measures of one side of each cell: the lengths of its normals or tangents, times weights.
template <class DeviceType>
class SideMeasure {
  using Vectors = SideVectors<DeviceType>;
  using Space = typename DeviceType::execution_space;

 public:
  template <class Output, class Jacobian, class Weights, class Scratch>
  static void ofFace(const Output& output, const Jacobian& jacobian, const Weights& weights,
                     int face, const shards::CellTopology& cell, const Scratch& scratch) {
    check(Function::computeFaceMeasure, 2, output, jacobian, weights, face, cell, scratch);
    weigh(output, jacobian, weights, scratch, [&](const auto& vectors) {
      Vectors::normals(Function::getPhysicalFaceNormals, vectors, jacobian, face, cell);
    });
  }

  template <class Output, class Jacobian, class Weights, class Scratch>
  static void ofEdge(const Output& output, const Jacobian& jacobian, const Weights& weights,
                     int edge, const shards::CellTopology& cell, const Scratch& scratch) {
    check(Function::computeEdgeMeasure, 1, output, jacobian, weights, edge, cell, scratch);
    weigh(output, jacobian, weights, scratch,
          [&](const auto& vectors) { Vectors::edgeTangents(vectors, jacobian, edge, cell); });
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
    SideChecker<DeviceType>::check(signature, side_dimension, jacobians.extents[2], side, cell);
    const std::int64_t needed = jacobians.extents[0] * jacobians.extents[1] * jacobians.extents[2];
    checkScratch(signature, needed, describe<Space>(scratch), out, jacobians, weight);
    scale<DeviceType>(Operation::scalarMultiplyDataData, ValidateOnly(), output, output, weights);
  }

  /// Scratch memory as (C,P,D). Fads count their derivatives and the value after the indices.
  template <class Array, class Scratch, class Jacobian>
  static Array vectorsIn(const Scratch& scratch, const Jacobian& jacobian) {
    const auto cells = jacobian.extent(0), points = jacobian.extent(1),
               dimension = jacobian.extent(2);
    if constexpr (has_proxies<Scratch>) {
      return Array(scratch.data(), cells, points, dimension, derivativesOf(asView(scratch)) + 1);
    } else {
      return Array(scratch.data(), cells, points, dimension);
    }
  }

  /// Puts lengths of vectors (C,P,D), which are made in scratch memory, times weights into the
  /// output.
  template <class Output, class Jacobian, class Weights, class Scratch, class MakeVectors>
  static void weigh(const Output& output, const Jacobian& jacobian, const Weights& weights,
                    const Scratch& scratch, const MakeVectors& makeVectors) {
    using Array = Kokkos::DynRankView<typename Scratch::value_type, DeviceType>;
    if (jacobian.extent(0) > 0 && jacobian.extent(1) > 0) {
      const auto vectors = vectorsIn<Array>(scratch, jacobian);
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
