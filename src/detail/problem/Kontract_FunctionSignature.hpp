// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FUNCTIONSIGNATURE_HPP
#define KONTRACT_FUNCTIONSIGNATURE_HPP

#include "Kontract_Signature.hpp"

namespace Kontract {
namespace Impl {

/// Functions of FunctionSpaceTools, CellTools and RealSpaceTools that are operations by another
/// name, or one of several operations, told apart by the ranks of their arguments.
enum class Function : int {
  HGRADtransformVALUE,
  HGRADtransformGRAD,
  HCURLtransformVALUE,
  HCURLtransformCURL,
  HGRADtransformCURL,
  HDIVtransformVALUE,
  HDIVtransformDIV,
  HVOLtransformVALUE,
  integrate,
  computeCellMeasure,
  computeFaceMeasure,
  computeEdgeMeasure,
  multiplyMeasure,
  vectorMultiplyDataField,
  vectorMultiplyDataData,
  tensorMultiplyDataField,
  tensorMultiplyDataData,
  applyLeftFieldSigns,
  applyRightFieldSigns,
  applyFieldSigns,
  evaluate,
  setJacobian,
  setJacobianInv,
  setJacobianDet,
  mapToPhysicalFrame,
  getPhysicalEdgeTangents,
  getPhysicalFaceTangents,
  getPhysicalFaceNormals,
  getPhysicalSideNormals,
  inverse,
  det,
  vectorNorm,
  transpose,
  dot,
  matvec,
  vecprod
};

inline constexpr int function_count = static_cast<int>(Function::vecprod) + 1;

/// The signature of a function; names and shapes are its caller's.
const Signature& signatureOf(Function function);

/// The division by determinants of Jacobians that a transformation is, or ends with.
/// \param in_place  what is divided is in the output already
const Signature& divisionOf(Function function, bool in_place);

/// The determinants of a transformation that ends with a division in place: they are read when the
/// output has been written already, and so are no part of it.
const Signature& determinantsOf(Function function);

/// The points on the reference cell of setJacobian and mapToPhysicalFrame, from which their right
/// argument is made: they fit the output.
const Signature& pointsOf(Function function);

/// The two outputs of getPhysicalFaceTangents: they have the same shape, and do not overlap.
const Signature& faceTangentPair();

/// An operation under the name that its caller knows.
struct Called {
  Called(Operation called) : operation(called), signature(&signatureOf(called)) {}
  Called(Operation called, const Signature& as) : operation(called), signature(&as) {}

  Operation operation;
  const Signature* signature;
};

}  // namespace Impl
}  // namespace Kontract

#endif
