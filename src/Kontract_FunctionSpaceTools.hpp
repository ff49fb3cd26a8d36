// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FUNCTIONSPACETOOLS_HPP
#define KONTRACT_FUNCTIONSPACETOOLS_HPP

#include "Kontract_ArrayTools.hpp"
#include "detail/call/Kontract_CellMeasure.hpp"
#include "detail/call/Kontract_Evaluate.hpp"
#include "detail/call/Kontract_FieldSigns.hpp"
#include "detail/call/Kontract_SideMeasure.hpp"
#include "detail/call/Kontract_Transform.hpp"

namespace Kontract {

/// Transformations of fields from the reference cell, measures, products and integrals: the
/// functions of Intrepid2::FunctionSpaceTools, with the same names, argument order, defaults and
/// meaning, on the operations of ArrayTools.
///
/// What is said of ArrayTools about arguments, meaning, errors and cost holds here: every function
/// takes
///
///     function([space,] output, input(s) [, flag] [, options])
///
/// with views of any kind and scalars of any type, and refuses wrong input before anything runs.
/// Options of the operations that a function runs apply to it. As in Intrepid2 the output's value
/// type may be named: `integrate<double>(...)`.
///
/// Shapes are written as there. J is the Jacobian of a cell's mapping F from the reference cell,
/// "P|1" an array that may have one point, as those of affine cells; "[C,]" one that may lack the
/// cells.
///
/// Different from Intrepid2 13.2, on purpose: an output of a wrong rank is refused, never left as
/// it is; computeCellMeasure looks at the determinant of every point, not of the first.
///
/// Functions that need the geometry of Intrepid2 are there if its headers are:
/// computeFaceMeasure, computeEdgeMeasure, and those that Intrepid2 computes itself.
/// \tparam DeviceType  a Kokkos::Device or an execution space
template <class DeviceType>
class FunctionSpaceTools {
 public:
  /// \name Transformations of fields
  /// @{

  /// output(c,f,p) = input(f,p): values of HGRAD fields.
  ///
  /// (C,F,P[,D[,D2]]) = (F,P[,D[,D2]]), or input and output of the same shape.
  /// \param arguments  [space,] output, input [, options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void HGRADtransformVALUE(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    Impl::clone<DeviceType>(as(Operation::cloneFields, Function::HGRADtransformVALUE), Impl::Run(),
                            arguments...);
  }

  /// output(c,f,p,:) = J^-T input(f,p,:): gradients of HGRAD fields.
  ///
  /// (C,F,P,D) = (C,P|1,D,D) x ([C,]F,P,D); a diagonal inverse may be (C,P|1,D), a multiple of the
  /// identity (C,P|1).
  /// \param arguments  [space,] outputVals, jacobianInverse, inputVals [, options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void HGRADtransformGRAD(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    transformByInverse(Function::HGRADtransformGRAD, arguments...);
  }

  /// output(c,f,p,:) = J^-T input(f,p,:): values of HCURL fields (covariant Piola).
  ///
  /// (C,F,P,D) = (C,P|1,D,D) x ([C,]F,P,D); as HGRADtransformGRAD.
  /// \param arguments  [space,] outputVals, jacobianInverse, inputVals [, options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void HCURLtransformVALUE(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    transformByInverse(Function::HCURLtransformVALUE, arguments...);
  }

  /// Curls of HCURL fields: vectors in space, scalars in the plane; the rank of the output tells
  /// which.
  ///
  /// In space output(c,f,p,:) = J input(f,p,:) / det J: (C,F,P,3) = (C,P|1,3,3) x (C,P|1) x
  /// ([C,]F,P,3); a diagonal Jacobian may be (C,P|1,3), a multiple of the identity (C,P|1). The
  /// output must not overlap jacobianDet.
  ///
  /// In the plane output(c,f,p) = input(f,p) / det J: (C,F,P) = (C,P|1) x ([C,]F,P). The Jacobian,
  /// (C,P|1,2,2), is not read there and may be left out, or be a view that was default constructed.
  /// An array without cells or points is not one that is left out.
  /// \param arguments  [space,] outputVals, [jacobian,] jacobianDet, inputVals [, options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void HCURLtransformCURL(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    Impl::transformCurl<DeviceType>(arguments...);
  }

  /// output(c,f,p,:) = J input(f,p,:) / det J: curls, in the plane, of HGRAD fields.
  ///
  /// (C,F,P,2) = (C,P|1,2,2) x (C,P|1) x ([C,]F,P,2). The output must not overlap jacobianDet.
  /// \param arguments  [space,] outputVals, jacobian, jacobianDet, inputVals [, options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void HGRADtransformCURL(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    Impl::transformByPiola<DeviceType>(Function::HGRADtransformCURL, arguments...);
  }

  /// output(c,f,p,:) = J input(f,p,:) / det J: values of HDIV fields (contravariant Piola).
  ///
  /// (C,F,P,D) = (C,P|1,D,D) x (C,P|1) x ([C,]F,P,D); a diagonal Jacobian may be (C,P|1,D), a
  /// multiple of the identity (C,P|1). The output must not overlap jacobianDet.
  /// \param arguments  [space,] outputVals, jacobian, jacobianDet, inputVals [, options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void HDIVtransformVALUE(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    Impl::transformByPiola<DeviceType>(Function::HDIVtransformVALUE, arguments...);
  }

  /// output(c,f,p,...) = input(f,p,...) / det J: divergences of HDIV fields.
  ///
  /// (C,F,P[,D[,D2]]) = (C,P|1) x ([C,]F,P[,D[,D2]]); components of vectors and tensors are divided
  /// one by one.
  /// \param arguments  [space,] outputVals, jacobianDet, inputVals [, options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void HDIVtransformDIV(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    divide(Function::HDIVtransformDIV, arguments...);
  }

  /// output(c,f,p,...) = input(f,p,...) / det J: values of HVOL fields.
  ///
  /// (C,F,P[,D[,D2]]) = (C,P|1) x ([C,]F,P[,D[,D2]]); components of vectors and tensors are divided
  /// one by one.
  /// \param arguments  [space,] outputVals, jacobianDet, inputVals [, options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void HVOLtransformVALUE(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    divide(Function::HVOLtransformVALUE, arguments...);
  }

  /// @}

  /// \name Measures
  /// @{

  /// output(c,p) = |det J(c,p)| weight(p): measures of cells.
  ///
  /// (C,P) = (C,P|1) x (P). Waits for its result.
  /// \param arguments  [space,] outputVals, inputDet, inputWeights [, options]
  /// \return whether a determinant is negative
  template <class OutputValue = void, class... Properties, class... Arguments>
  static bool computeCellMeasure(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    return Impl::measureCells<DeviceType>(arguments...);
  }

  /// output(c,f,p,...) = measure(c,p) input(c,f,p,...): weighted fields.
  ///
  /// (C,F,P[,D[,D2]]) = (C,P|1) x ([C,]F,P[,D[,D2]]).
  /// \param arguments  [space,] outputVals, inputMeasure, inputVals [, options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void multiplyMeasure(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    Impl::scale<DeviceType>(as(Operation::scalarMultiplyDataField, Function::multiplyMeasure),
                            Impl::Run(), arguments...);
  }

  /// @}

  /// \name Integrals
  /// @{

  /// Integrates over cells: one of the nine contractions of ArrayTools, by the ranks of the output
  /// and of the left values.
  ///
  /// (C,L,R) = (C,L,P[,D[,D2]]) x (C,R,P[,D[,D2]]): fields with fields;
  /// (C,F) = (C,P|1[,D[,D2]]) x (C,F,P[,D[,D2]]): data with fields;
  /// (C) = (C,P|1[,D[,D2]]) x the same: data with data. sumInto adds to the output.
  /// \param arguments  [space,] outputValues, leftValues, rightValues [, bool sumInto = false]
  ///   [, options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void integrate(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    const auto call = Impl::callOf<DeviceType, 3, bool>(arguments...);
    const Operation operation =
        Impl::integralOf(Impl::rankOf(call.out()), Impl::rankOf(call.left()));
    Impl::actContraction(as(operation, Function::integrate), call.flag(false), call, Impl::Run());
  }

  /// @}

  /// \name Products of data with fields and data
  /// @{

  /// As ArrayTools::scalarMultiplyDataField.
  /// \param arguments  see there
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void scalarMultiplyDataField(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    ArrayTools<DeviceType>::scalarMultiplyDataField(arguments...);
  }

  /// As ArrayTools::scalarMultiplyDataData.
  /// \param arguments  see there
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void scalarMultiplyDataData(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    ArrayTools<DeviceType>::scalarMultiplyDataData(arguments...);
  }

  /// As ArrayTools::dotMultiplyDataField.
  /// \param arguments  see there
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void dotMultiplyDataField(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    ArrayTools<DeviceType>::dotMultiplyDataField(arguments...);
  }

  /// As ArrayTools::dotMultiplyDataData.
  /// \param arguments  see there
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void dotMultiplyDataData(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    ArrayTools<DeviceType>::dotMultiplyDataData(arguments...);
  }

  /// The cross product (output of rank 3 in the plane, 4 in space) or the outer product (rank 5).
  ///
  /// As ArrayTools::crossProductDataField and ArrayTools::outerProductDataField.
  /// \param arguments  [space,] outputFields, inputData, inputFields [, options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void vectorMultiplyDataField(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    multiplyVectors(Function::vectorMultiplyDataField, Operation::crossProductDataField,
                    Operation::outerProductDataField, 5, arguments...);
  }

  /// The cross product (output of rank 2 in the plane, 3 in space) or the outer product (rank 4).
  ///
  /// As ArrayTools::crossProductDataData and ArrayTools::outerProductDataData.
  /// \param arguments  [space,] outputData, inputDataLeft, inputDataRight [, options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void vectorMultiplyDataData(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    multiplyVectors(Function::vectorMultiplyDataData, Operation::crossProductDataData,
                    Operation::outerProductDataData, 4, arguments...);
  }

  /// The matrix-vector (output of rank 4) or matrix-matrix product (rank 5).
  ///
  /// As ArrayTools::matvecProductDataField and ArrayTools::matmatProductDataField.
  /// \param arguments  [space,] outputFields, inputData, inputFields [, char transpose = 'N'] [,
  ///   options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void tensorMultiplyDataField(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    multiplyTensors(Function::tensorMultiplyDataField, Operation::matvecProductDataField,
                    Operation::matmatProductDataField, 5, arguments...);
  }

  /// The matrix-vector (output of rank 3) or matrix-matrix product (rank 4).
  ///
  /// As ArrayTools::matvecProductDataData and ArrayTools::matmatProductDataData.
  /// \param arguments  [space,] outputData, inputDataLeft, inputDataRight [, char transpose = 'N']
  /// [,
  ///   options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void tensorMultiplyDataData(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    multiplyTensors(Function::tensorMultiplyDataData, Operation::matvecProductDataData,
                    Operation::matmatProductDataData, 4, arguments...);
  }

  /// @}

  /// \name Signs of fields
  /// @{

  /// operator(c,l,r) = sign(c,l) operator(c,l,r), in place.
  ///
  /// (C,L,R) with (C,L).
  /// \param arguments  [space,] inoutOperator, fieldSigns [, options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void applyLeftFieldSigns(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    Impl::applySigns<DeviceType>(Function::applyLeftFieldSigns, arguments...);
  }

  /// operator(c,l,r) = operator(c,l,r) sign(c,r), in place.
  ///
  /// (C,L,R) with (C,R).
  /// \param arguments  [space,] inoutOperator, fieldSigns [, options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void applyRightFieldSigns(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    Impl::applySigns<DeviceType>(Function::applyRightFieldSigns, arguments...);
  }

  /// function(c,f,...) = sign(c,f) function(c,f,...), in place.
  ///
  /// (C,F[,P[,D[,D2]]]) with (C,F).
  /// \param arguments  [space,] inoutFunction, fieldSigns [, options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void applyFieldSigns(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    Impl::applySigns<DeviceType>(Function::applyFieldSigns, arguments...);
  }

  /// @}

  /// \name Values at points
  /// @{

  /// output(c,p,...) += sum over f of coefficient(c,f) field(c,f,p,...).
  ///
  /// (C,P[,D[,D2]]) with (C,F) x (C,F,P[,D[,D2]]). Adds to what is in the output: clear it first.
  /// \param arguments  [space,] outputPointVals, inputCoeffs, inputFields [, options]
  template <class OutputValue = void, class... Properties, class... Arguments>
  static void evaluate(const Arguments&... arguments) {
    checkNamed<OutputValue, Arguments...>();
    Impl::evaluate<DeviceType>(arguments...);
  }

  /// @}

#ifdef KONTRACT_HAS_INTREPID2_GEOMETRY
  /// \name Geometry of Intrepid2
  /// @{

  /// output(c,p) = |normal of the face at p| weight(p): measures of a face in each cell.
  ///
  /// (C,P) = (C,P,D,D) x (P); the normals are Intrepid2's CellTools::getPhysicalFaceNormals. Unlike
  /// products of data, this is not in place: outputVals must not overlap inputJac or inputWeights.
  /// \param outputVals    (C,P), measures
  /// \param inputJac      (C,P,D,D), Jacobians at the points of the face
  /// \param inputWeights  (P), weights of the face's cubature
  /// \param whichFace     number of the face in the cell
  /// \param parentCell    topology of the cells
  /// \param scratch       (C P D) or longer, memory for the vectors. Its elements are side by side
  ///   (stride 1), in memory that the execution space can reach; the first C P D of them overlap no
  ///   other argument, and the rest is left alone. Vectors are computed in its value type; Fads
  ///   have as many derivatives there as in outputVals, or none if inputJac has none
  template <class OutputValue = void, class... Properties, class Output, class Jacobian,
            class Weights, class Scratch>
  static void computeFaceMeasure(const Output& outputVals, const Jacobian& inputJac,
                                 const Weights& inputWeights, int whichFace,
                                 const shards::CellTopology& parentCell, const Scratch& scratch) {
    checkNamed<OutputValue, Output>();
    Impl::SideMeasure<DeviceType>::ofFace(outputVals, inputJac, inputWeights, whichFace, parentCell,
                                          scratch);
  }

  /// output(c,p) = |tangent of the edge at p| weight(p): measures of an edge in each cell.
  ///
  /// (C,P) = (C,P,D,D) x (P); the tangents are Intrepid2's CellTools::getPhysicalEdgeTangents.
  /// Unlike products of data, this is not in place: outputVals must not overlap inputJac or
  /// inputWeights.
  /// \param outputVals    (C,P), measures
  /// \param inputJac      (C,P,D,D), Jacobians at the points of the edge
  /// \param inputWeights  (P), weights of the edge's cubature
  /// \param whichEdge     number of the edge in the cell
  /// \param parentCell    topology of the cells
  /// \param scratch       (C P D) or longer, memory for the vectors. Its elements are side by side
  ///   (stride 1), in memory that the execution space can reach; the first C P D of them overlap no
  ///   other argument, and the rest is left alone. Vectors are computed in its value type; Fads
  ///   have as many derivatives there as in outputVals, or none if inputJac has none
  template <class OutputValue = void, class... Properties, class Output, class Jacobian,
            class Weights, class Scratch>
  static void computeEdgeMeasure(const Output& outputVals, const Jacobian& inputJac,
                                 const Weights& inputWeights, int whichEdge,
                                 const shards::CellTopology& parentCell, const Scratch& scratch) {
    checkNamed<OutputValue, Output>();
    Impl::SideMeasure<DeviceType>::ofEdge(outputVals, inputJac, inputWeights, whichEdge, parentCell,
                                          scratch);
  }

  /// @}

  /// \name Functions of the installed Intrepid2
  /// That work on its Data and BasisValues, or map data to reference cells. Intrepid2 computes
  /// them; which of them there are depends on its release (13.2: getHGRADtransformGRAD alone; 16.1:
  /// all).
  /// @{

  KONTRACT_OF_INTREPID2(FunctionSpaceTools, getHGRADtransformVALUE)
  KONTRACT_OF_INTREPID2(FunctionSpaceTools, getHGRADtransformGRAD)
  KONTRACT_OF_INTREPID2(FunctionSpaceTools, getHCURLtransformVALUE)
  KONTRACT_OF_INTREPID2(FunctionSpaceTools, getHCURLtransformCURL)
  KONTRACT_OF_INTREPID2(FunctionSpaceTools, getHCURLtransformCURL2D)
  KONTRACT_OF_INTREPID2(FunctionSpaceTools, getHDIVtransformVALUE)
  KONTRACT_OF_INTREPID2(FunctionSpaceTools, getHDIVtransformDIV)
  KONTRACT_OF_INTREPID2(FunctionSpaceTools, getHVOLtransformVALUE)
  KONTRACT_OF_INTREPID2(FunctionSpaceTools, mapHGradDataFromPhysToRef)
  KONTRACT_OF_INTREPID2(FunctionSpaceTools, mapHGradDataFromPhysSideToRefSide)
  KONTRACT_OF_INTREPID2(FunctionSpaceTools, mapHCurlDataFromPhysToRef)
  KONTRACT_OF_INTREPID2(FunctionSpaceTools, mapHCurlDataCrossNormalFromPhysSideToRefSide)
  KONTRACT_OF_INTREPID2(FunctionSpaceTools, mapHDivDataFromPhysToRef)
  KONTRACT_OF_INTREPID2(FunctionSpaceTools, mapHDivDataDotNormalFromPhysSideToRefSide)
  KONTRACT_OF_INTREPID2(FunctionSpaceTools, mapHVolDataFromPhysToRef)

  /// @}
#endif

 private:
  using Operation = Impl::Operation;
  using Function = Impl::Function;

  static Impl::Called as(Operation operation, Function function) {
    return Impl::Called(operation, Impl::signatureOf(function));
  }

  /// A value type that the caller names is that of the output, the first array.
  template <class OutputValue, class First, class... Rest>
  static void checkNamed() {
    if constexpr (!Impl::is_array<First> && sizeof...(Rest) > 0) {
      checkNamed<OutputValue, Rest...>();
    } else if constexpr (!std::is_void_v<OutputValue>) {
      static_assert(std::is_same_v<OutputValue, typename First::value_type>,
                    "Kontract: the value type that a call names is that of its output");
    }
  }

  template <class... Arguments>
  static void transformByInverse(Function function, const Arguments&... arguments) {
    const auto call = Impl::callOf<DeviceType, 3, Impl::NoFlag>(arguments...);
    Impl::actPointwise(as(Operation::matvecProductDataField, function),
                       Impl::PointwiseKind::Product, true, call, Impl::Run());
  }

  template <class... Arguments>
  static void divide(Function function, const Arguments&... arguments) {
    Impl::actDivision<false>(function, Impl::callOf<DeviceType, 3, Impl::NoFlag>(arguments...),
                             Impl::Run());
  }

  /// The cross product, or the outer product, whose output has that rank.
  template <class... Arguments>
  static void multiplyVectors(Function function, Operation cross, Operation outer, int outer_rank,
                              const Arguments&... arguments) {
    const auto call = Impl::callOf<DeviceType, 3, Impl::NoFlag>(arguments...);
    const Operation operation = Impl::rankOf(call.out()) == outer_rank ? outer : cross;
    Impl::multiply<DeviceType>(as(operation, function), Impl::Run(), arguments...);
  }

  /// The product with vectors, or with matrices, whose output has that rank.
  template <class... Arguments>
  static void multiplyTensors(Function function, Operation matvec, Operation matmat,
                              int matmat_rank, const Arguments&... arguments) {
    const auto call = Impl::callOf<DeviceType, 3, char>(arguments...);
    const Operation operation = Impl::rankOf(call.out()) == matmat_rank ? matmat : matvec;
    Impl::multiplyMatrix<DeviceType>(as(operation, function), Impl::Run(), arguments...);
  }
};

}  // namespace Kontract

#ifdef KONTRACT_HAS_INTREPID2_GEOMETRY
// Last, because this may be a header that gives Intrepid2's class the functions of the one above.
#include <Intrepid2_FunctionSpaceTools.hpp>
#endif

#endif
