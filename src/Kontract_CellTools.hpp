// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLTOOLS_HPP
#define KONTRACT_CELLTOOLS_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include "detail/call/Kontract_CellMapping.hpp"
#include "detail/call/Kontract_MatrixCall.hpp"
#include "detail/call/Kontract_SideVectors.hpp"

namespace Kontract {

#ifndef KONTRACT_HAS_INTREPID2_GEOMETRY
namespace Impl {

/// In the place of a class of Intrepid2 that is not there.
template <class DeviceType>
struct NoIntrepid2 {};

}  // namespace Impl
#endif

/// Geometry of cells: functions of Intrepid2::CellTools, with the same names, argument order,
/// defaults and meaning.
///
/// What is said of ArrayTools about arguments, errors and cost holds here: every function takes an
/// execution space instance first and options last, views of any kind and scalars of any type, and
/// refuses wrong input before an output is written. An instance of a device is waited for where
/// values of a basis or of a side are made.
///
/// Shapes: cells C, nodes N, points P; F maps the reference cell, of dimension D2, into space, of
/// dimension D. D > D2 for shells and edges in space, whose Jacobians are rectangular.
///
/// Options and labels are those of the operation of ArrayTools that a function resembles:
/// matmatProductDataData (setJacobian, setJacobianInv), dotMultiplyDataData (setJacobianDet),
/// matvecProductDataData (mapToPhysicalFrame, normals, tangents).
///
/// Without Intrepid2's headers there are setJacobian from gradients, mapToPhysicalFrame from
/// values, setJacobianInv and setJacobianDet. What Kontract does not compute is Intrepid2's: all
/// else of its class, and what is no view, as its Data. \tparam DeviceType  a Kokkos::Device or an
/// execution space
template <class DeviceType>
class CellTools {
 public:
  /// \name Mappings of cells
  /// @{

  /// Jacobians, jacobian(c,p,i,j) = sum over n of worksetCell(c,n,i) d phi(n)/dx(j) at point p.
  ///
  /// (C,P,D,D2) = (C,N,D) x (N,P|1,D2) or (C,N,P,D2), gradients; or at points (P,D2) or (C,P,D2) of
  /// the reference cell, with the basis of a mapping, or the topology of cells whose Lagrange basis
  /// it is. Those of each cell are evaluated by one launch for all. Gradients on simplices of first
  /// order are evaluated at one point. Nodes past the functions of the basis are not read; where
  /// the output has one point, Jacobians are there once.
  ///
  /// Cells startCell to endCell (not included; -1 for all that follow) of the workset are taken.
  /// \param arguments  [space,] jacobian, worksetCell, gradients [, startCell = 0 [, endCell = -1]]
  ///   [, options], or [space,] jacobian, points, worksetCell, basis or cellTopo [, ...]
  template <class... Arguments>
  static void setJacobian(const Arguments&... arguments) {
    Impl::CellMapping<DeviceType, Function::setJacobian>::run(arguments...);
  }

  /// Inverses of Jacobians: (C[,P],D,D) = (C[,P],D,D). A degenerate cell has infinities or NaN.
  /// \param arguments  [space,] jacobianInv, jacobian [, options]
  template <class... Arguments>
  static void setJacobianInv(Arguments&&... arguments) {
    if constexpr (are_views<Arguments...>) {
      Impl::ofMatrices<DeviceType>(Function::setJacobianInv, Kind::Inverse, arguments...);
    } else {
      Theirs::setJacobianInv(arguments...);
    }
  }

  /// Determinants of Jacobians: (C[,P]) = (C[,P],D,D).
  /// \param arguments  [space,] jacobianDet, jacobian [, options]
  template <class... Arguments>
  static void setJacobianDet(Arguments&&... arguments) {
    if constexpr (are_views<Arguments...>) {
      Impl::ofMatrices<DeviceType>(Function::setJacobianDet, Kind::Determinant, arguments...);
    } else {
      Theirs::setJacobianDet(arguments...);
    }
  }

  /// Points in space, physPoints(c,p,i) = sum over n of worksetCell(c,n,i) phi(n) at point p.
  ///
  /// (C,P,D) = (C,N,D) x (N,P) or (C,N,P), values; or at points as setJacobian.
  /// \param arguments  [space,] physPoints, refPoints, worksetCell, basis or cellTopo [, options],
  /// or
  ///   [space,] physPoints, worksetCell, values [, options]
  template <class... Arguments>
  static void mapToPhysicalFrame(const Arguments&... arguments) {
    Impl::CellMapping<DeviceType, Function::mapToPhysicalFrame>::run(arguments...);
  }

  /// @}
#ifdef KONTRACT_HAS_INTREPID2_GEOMETRY
  /// \name Sides of cells
  /// Of the same side of each cell. The length of a normal, or of the tangent of an edge, is what a
  /// piece of the reference side grows by: measures of sides are such lengths times weights.
  /// @{

  /// Tangents of an edge: (C,P,D) = (C,P,D,D2).
  /// \param arguments  [space,] edgeTangents, worksetJacobians, worksetEdgeOrd, parentCell [,
  /// options]
  template <class... Arguments>
  static void getPhysicalEdgeTangents(const Arguments&... arguments) {
    Impl::SideVectors<DeviceType>::edgeTangents(arguments...);
  }

  /// Two tangents of a face: (C,P,D) and the same = (C,P,D,D2).
  /// \param arguments  [space,] faceTanU, faceTanV, worksetJacobians, worksetFaceOrd, parentCell
  ///   [, options]
  template <class... Arguments>
  static void getPhysicalFaceTangents(const Arguments&... arguments) {
    Impl::SideVectors<DeviceType>::faceTangents(arguments...);
  }

  /// Normals of a face, the cofactors of the Jacobian times the normal of the reference cell:
  /// (C,P,3) = (C,P,3,3).
  /// \param arguments  [space,] faceNormals, worksetJacobians, worksetFaceOrd, parentCell [,
  /// options]
  template <class... Arguments>
  static void getPhysicalFaceNormals(const Arguments&... arguments) {
    Impl::SideVectors<DeviceType>::normals(Function::getPhysicalFaceNormals, arguments...);
  }

  /// Normals of a side, which is an edge of a plane cell and a face of one in space:
  /// (C,P,D) = (C,P,D,D).
  /// \param arguments  [space,] sideNormals, worksetJacobians, worksetSideOrd, parentCell [,
  /// options]
  template <class... Arguments>
  static void getPhysicalSideNormals(const Arguments&... arguments) {
    Impl::SideVectors<DeviceType>::normals(Function::getPhysicalSideNormals, arguments...);
  }

  /// @}

  /// \name Functions of the installed Intrepid2
  /// @{

  KONTRACT_OF_INTREPID2(CellTools, hasReferenceCell)
  KONTRACT_OF_INTREPID2(CellTools, allocateJacobianDet)
  KONTRACT_OF_INTREPID2(CellTools, allocateJacobianInv)
  KONTRACT_OF_INTREPID2(CellTools, setJacobianDetInv)
  KONTRACT_OF_INTREPID2(CellTools, setJacobianDividedByDet)
  KONTRACT_OF_INTREPID2_CELLS(CellTools, getReferenceCellCenter)
  KONTRACT_OF_INTREPID2_CELLS(CellTools, getReferenceVertex)
  KONTRACT_OF_INTREPID2_CELLS(CellTools, getReferenceSubcellVertices)
  KONTRACT_OF_INTREPID2_CELLS(CellTools, getReferenceNode)
  KONTRACT_OF_INTREPID2_CELLS(CellTools, getReferenceSubcellNodes)
  KONTRACT_OF_INTREPID2_CELLS(CellTools, getReferenceEdgeTangent)
  KONTRACT_OF_INTREPID2_CELLS(CellTools, getReferenceFaceTangents)
  KONTRACT_OF_INTREPID2_CELLS(CellTools, getReferenceSideNormal)
  KONTRACT_OF_INTREPID2_CELLS(CellTools, getReferenceFaceNormal)
  KONTRACT_OF_INTREPID2_CELLS(CellTools, mapToReferenceFrame)
  KONTRACT_OF_INTREPID2_CELLS(CellTools, mapToReferenceFrameInitGuess)
  KONTRACT_OF_INTREPID2_CELLS(CellTools, mapToReferenceSubcell)
  KONTRACT_OF_INTREPID2_CELLS(CellTools, getSubcvCoords)
  KONTRACT_OF_INTREPID2(CellTools, checkPointInclusion)
  KONTRACT_OF_INTREPID2(CellTools, checkPointwiseInclusion)

  /// @}
#endif

 private:
  using Kind = Impl::PointwiseKind;
  using Function = Impl::Function;
#ifdef KONTRACT_HAS_INTREPID2_GEOMETRY
  using Theirs = Intrepid2::CellTools<DeviceType>;
  /// Whether a call is Kontract's: Intrepid2 computes with its Data.
  template <class... Arguments>
  static constexpr bool are_views = (Impl::is_array<std::decay_t<Arguments>> || ...);
#else
  using Theirs = Impl::NoIntrepid2<DeviceType>;
  template <class... Arguments>
  static constexpr bool are_views = true;
#endif
};

}  // namespace Kontract

#endif
