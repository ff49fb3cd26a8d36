// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SIDEVECTORS_HPP
#define KONTRACT_SIDEVECTORS_HPP

#include "Kontract_Intrepid2Geometry.hpp"

// Sides of reference cells are Intrepid2's.
#ifdef KONTRACT_HAS_INTREPID2_GEOMETRY

#include <type_traits>

#include "Kontract_CheckSide.hpp"
#include "Kontract_MatrixCall.hpp"

namespace Kontract {
namespace Impl {

/// Tangents and normals of one side of each cell: Jacobians, or their cofactors, times the vector
/// of the side of the reference cell, which is the same at all points.
template <class DeviceType>
class SideVectors {
  using Cells = Intrepid2::CellTools<DeviceType>;

 public:
  /// (space,) tangents, Jacobians, edge, cell (, options)
  template <class... Arguments>
  static void edgeTangents(const Arguments&... arguments) {
    withSpace(
        [](const auto& space, const auto& tangents, const auto& jacobians, int edge,
           const shards::CellTopology& cell, const auto&... options) {
          constexpr auto function = Function::getPhysicalEdgeTangents;
          check(signatureOf(function), space, 1, tangents, jacobians, edge, cell);
          const auto tangent = referenceVector(jacobians, cell);
          fromMaps([&] { Cells::getReferenceEdgeTangent(tangent, edge, cell); });
          multiply(function, space, tangents, jacobians, tangent, options...);
        },
        arguments...);
  }

  /// (space,) tangents, second tangents, Jacobians, face, cell (, options)
  template <class... Arguments>
  static void faceTangents(const Arguments&... arguments) {
    withSpace(
        [](const auto& space, const auto& u, const auto& v, const auto& jacobians, int face,
           const shards::CellTopology& cell, const auto&... options) {
          constexpr auto function = Function::getPhysicalFaceTangents;
          using Space = std::decay_t<decltype(space)>;
          Signature second = signatureOf(function);
          second.out_name = faceTangentPair().right_name;
          check(signatureOf(function), space, 2, u, jacobians, face, cell);
          check(second, space, 2, v, jacobians, face, cell);
          checkShapes(faceTangentPair(), false, describe<Space>(u), ArrayDescription(),
                      describe<Space>(v));
          const auto tangent_u = referenceVector(jacobians, cell);
          const auto tangent_v = referenceVector(jacobians, cell);
          fromMaps([&] { Cells::getReferenceFaceTangents(tangent_u, tangent_v, face, cell); });
          // Options may not suit the scalars of v alone: u is not to be written then.
          product(function, ValidateOnly(), space, v, jacobians, tangent_v, options...);
          multiply(function, space, u, jacobians, tangent_u, options...);
          multiply(function, space, v, jacobians, tangent_v, options...);
        },
        arguments...);
  }

  /// Normals of faces, or of edges of plane cells: (space,) normals, Jacobians, side, cell (,
  /// options)
  template <class... Arguments>
  static void normals(Function function, const Arguments&... arguments) {
    withSpace(
        [function](const auto& space, const auto& normals, const auto& jacobians, int side,
                   const shards::CellTopology& cell, const auto&... options) {
          const bool is_face = function == Function::getPhysicalFaceNormals;
          SideChecker<DeviceType>::requireTopology(signatureOf(function), cell);
          check(signatureOf(function), space, is_face ? 2 : int(cell.getDimension()) - 1, normals,
                jacobians, side, cell);
          const auto normal = referenceVector(jacobians, cell);
          fromMaps([&] { Cells::getReferenceSideNormal(normal, side, cell); });
          finish(space, [&] {
            actMatrices(
                function, PointwiseKind::Cofactor,
                callOf<DeviceType, 3, NoFlag>(space, normals, jacobians, normal, options...));
          });
        },
        arguments...);
  }

 private:
  template <class F, class First, class... Rest>
  static void withSpace(const F& f, const First& first, const Rest&... rest) {
    if constexpr (Kokkos::is_execution_space<First>::value) {
      f(first, rest...);
    } else {
      f(typename DeviceType::execution_space(), first, rest...);
    }
  }

  template <class Space, class Vectors, class Jacobians>
  static void check(const Signature& signature, const Space&, int side_dimension,
                    const Vectors& vectors, const Jacobians& jacobians, int side,
                    const shards::CellTopology& cell) {
    const ArrayDescription described = describe<Space>(jacobians);
    ArrayDescription vector;  // stands for that of the side, which fits
    vector.rank = 1;
    vector.extents[0] = described.rank == 4 ? described.extents[3] : 1;
    checkShapes(signature, false, describe<Space>(vectors), described, vector);
    SideChecker<DeviceType>::check(signature, side_dimension, described.extents[3], side, cell);
  }

  /// Of plain scalars, so that what is computed with Jacobians of such is compiled in the library.
  template <class Jacobians>
  static auto referenceVector(const Jacobians&, const shards::CellTopology& cell) {
    using Value = typename Jacobians::non_const_value_type;
    using Scalar = std::conditional_t<is_plain<Value>, Value, double>;
    return Kokkos::DynRankView<Scalar, DeviceType>("Kontract::side", cell.getDimension());
  }

  template <class F>
  static void fromMaps(const F& f) {
    const ReferenceCellsLock lock;
    f();
  }

  /// The vector of the side is computed on the default instance, and goes when a call returns.
  template <class Space, class F>
  static void finish(const Space& space, const F& f) {
    if constexpr (!is_host_space<Space>) typename DeviceType::execution_space().fence();
    f();
    if constexpr (!is_host_space<Space>) space.fence();
  }

  template <class Space, class Vectors, class Jacobians, class Vector, class... Options>
  static void multiply(Function function, const Space& space, const Vectors& vectors,
                       const Jacobians& jacobians, const Vector& vector,
                       const Options&... options) {
    finish(space, [&] { product(function, Run(), space, vectors, jacobians, vector, options...); });
  }

  template <class Mode, class... Arguments>
  static void product(Function function, Mode mode, const Arguments&... arguments) {
    actPointwise(Called(Operation::matvecProductDataData, signatureOf(function)),
                 PointwiseKind::Product, false, callOf<DeviceType, 3, NoFlag>(arguments...), mode);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
