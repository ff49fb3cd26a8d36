// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_ARRAYTOOLS_HPP
#define KONTRACT_ARRAYTOOLS_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include "Kontract_Explain.hpp"
#include "Kontract_Options.hpp"
#include "detail/call/Kontract_Operate.hpp"

namespace Kontract {

/// Contractions and products of the arrays of finite-element assembly: the 23 functions of
/// Intrepid2::ArrayTools, with the same names, argument order, defaults and meaning.
///
/// Shapes are written with C cells, F (left L, right R) fields, P points, D and D2 space
/// dimensions. "P|1" means that the array may have one point, whose value then holds at every
/// point; "[C,]" that it may lack the cells and is then the same in every cell.
///
/// **Arguments.** Every function takes
///
///     function([space,] output, input(s) [, flag] [, options])
///
/// - `space`: an execution space instance. All work is done on it; without one, on the default
///   instance of `DeviceType::execution_space`. Nothing is allocated and no function waits
///   (fences).
/// - arrays: any mix of `Kokkos::View` and `Kokkos::DynRankView`, of LayoutLeft, LayoutRight or
///   LayoutStride, subviews, const inputs, and value types (float, double, Kokkos::complex, Sacado
///   Fad). Sums are kept in the output's value type or a wider one.
/// - `flag`: bool `sumInto` or `reciprocal`, char `transpose`; see each function.
/// - `options`: a Kontract::Options, or a Teuchos::ParameterList that becomes one; without them,
///   Kontract::defaultOptions().
///
/// **Meaning.** What was in an output that is overwritten is never read. Extents may be zero.
/// Indices are of 64 bits. Results are the same bit for bit from run to run with one algorithm. An
/// output may not overlap an input, but for scalarMultiply*, and matvec and matmat with scalar or
/// diagonal data, where it may be the input itself.
///
/// **Errors.** Wrong input is refused before anything runs, in release builds too, at a cost of
/// O(rank): ranks and extents that do not fit, numbers of derivatives that differ, memory that
/// `space` cannot reach, overlap, letters other than N and T, and options that do not apply. The
/// output is left untouched.
/// \throws std::invalid_argument whose text names the function, the argument, what it is and what
///   it needs
///
/// **Cost.** A contraction takes 2 C L R K flops (K = P D D2) and moves C (L K + R K + L R) scalars
/// at least; every other function moves its arrays once.
///
/// Source of the interface and its meaning: Intrepid2 (P. Bochev, D. Ridzal, K. Kim and others).
/// \tparam DeviceType  a Kokkos::Device or an execution space
template <class DeviceType>
class ArrayTools {
 public:
  /// \name Contractions
  /// @{

  /// output(c,l,r) = sum over p of left(c,l,p) right(c,r,p).
  ///
  /// (C,L,R) = (C,L,P) x (C,R,P); sumInto adds to the output.
  /// \param arguments  [space,] output, leftFields, rightFields [, bool sumInto = false] [,
  ///   options]
  template <class... Arguments>
  static void contractFieldFieldScalar(const Arguments&... arguments) {
    Impl::contract<DeviceType>(Impl::Operation::contractFieldFieldScalar, Impl::Run(),
                               arguments...);
  }

  /// output(c,l,r) = sum over p, d of left(c,l,p,d) right(c,r,p,d).
  ///
  /// (C,L,R) = (C,L,P,D) x (C,R,P,D); sumInto adds to the output.
  /// \param arguments  [space,] output, leftFields, rightFields [, bool sumInto = false] [,
  ///   options]
  template <class... Arguments>
  static void contractFieldFieldVector(const Arguments&... arguments) {
    Impl::contract<DeviceType>(Impl::Operation::contractFieldFieldVector, Impl::Run(),
                               arguments...);
  }

  /// output(c,l,r) = sum over p, d, e of left(c,l,p,d,e) right(c,r,p,d,e).
  ///
  /// (C,L,R) = (C,L,P,D,D2) x (C,R,P,D,D2); sumInto adds to the output.
  /// \param arguments  [space,] output, leftFields, rightFields [, bool sumInto = false] [,
  ///   options]
  template <class... Arguments>
  static void contractFieldFieldTensor(const Arguments&... arguments) {
    Impl::contract<DeviceType>(Impl::Operation::contractFieldFieldTensor, Impl::Run(),
                               arguments...);
  }

  /// output(c,f) = sum over p of data(c,p) field(c,f,p).
  ///
  /// (C,F) = (C,P|1) x (C,F,P); sumInto adds to the output.
  /// \param arguments  [space,] output, inputData, inputFields [, bool sumInto = false] [,
  ///   options]
  template <class... Arguments>
  static void contractDataFieldScalar(const Arguments&... arguments) {
    Impl::contract<DeviceType>(Impl::Operation::contractDataFieldScalar, Impl::Run(), arguments...);
  }

  /// output(c,f) = sum over p, d of data(c,p,d) field(c,f,p,d).
  ///
  /// (C,F) = (C,P|1,D) x (C,F,P,D); sumInto adds to the output.
  /// \param arguments  [space,] output, inputData, inputFields [, bool sumInto = false] [,
  ///   options]
  template <class... Arguments>
  static void contractDataFieldVector(const Arguments&... arguments) {
    Impl::contract<DeviceType>(Impl::Operation::contractDataFieldVector, Impl::Run(), arguments...);
  }

  /// output(c,f) = sum over p, d, e of data(c,p,d,e) field(c,f,p,d,e).
  ///
  /// (C,F) = (C,P|1,D,D2) x (C,F,P,D,D2); sumInto adds to the output.
  /// \param arguments  [space,] output, inputData, inputFields [, bool sumInto = false] [,
  ///   options]
  template <class... Arguments>
  static void contractDataFieldTensor(const Arguments&... arguments) {
    Impl::contract<DeviceType>(Impl::Operation::contractDataFieldTensor, Impl::Run(), arguments...);
  }

  /// output(c) = sum over p of left(c,p) right(c,p).
  ///
  /// (C) = (C,P|1) x (C,P|1); sumInto adds to the output.
  /// \param arguments  [space,] output, inputDataLeft, inputDataRight [, bool sumInto = false] [,
  ///   options]
  template <class... Arguments>
  static void contractDataDataScalar(const Arguments&... arguments) {
    Impl::contract<DeviceType>(Impl::Operation::contractDataDataScalar, Impl::Run(), arguments...);
  }

  /// output(c) = sum over p, d of left(c,p,d) right(c,p,d).
  ///
  /// (C) = (C,P|1,D) x (C,P|1,D); sumInto adds to the output.
  /// \param arguments  [space,] output, inputDataLeft, inputDataRight [, bool sumInto = false] [,
  ///   options]
  template <class... Arguments>
  static void contractDataDataVector(const Arguments&... arguments) {
    Impl::contract<DeviceType>(Impl::Operation::contractDataDataVector, Impl::Run(), arguments...);
  }

  /// output(c) = sum over p, d, e of left(c,p,d,e) right(c,p,d,e).
  ///
  /// (C) = (C,P|1,D,D2) x (C,P|1,D,D2); sumInto adds to the output.
  /// \param arguments  [space,] output, inputDataLeft, inputDataRight [, bool sumInto = false] [,
  ///   options]
  template <class... Arguments>
  static void contractDataDataTensor(const Arguments&... arguments) {
    Impl::contract<DeviceType>(Impl::Operation::contractDataDataTensor, Impl::Run(), arguments...);
  }

  /// @}

  /// \name Products with scalars
  /// @{

  /// output(c,f,p,...) = data(c,p) field(c,f,p,...), or field / data.
  ///
  /// (C,F,P[,D[,D2]]) = (C,P|1) x ([C,]F,P[,D[,D2]]); reciprocal divides by the data. The output
  /// may be the field itself; where it is divided it has no integers.
  /// \param arguments  [space,] output, inputData, inputFields [, bool reciprocal = false] [,
  ///   options]
  template <class... Arguments>
  static void scalarMultiplyDataField(const Arguments&... arguments) {
    Impl::scale<DeviceType>(Impl::Operation::scalarMultiplyDataField, Impl::Run(), arguments...);
  }

  /// output(c,p,...) = left(c,p) right(c,p,...), or right / left.
  ///
  /// (C,P[,D[,D2]]) = (C,P|1) x ([C,]P[,D[,D2]]); reciprocal divides by the data. The output may be
  /// either input; where it is divided it has no integers.
  /// \param arguments  [space,] output, inputDataLeft, inputDataRight [, bool reciprocal = false]
  ///   [, options]
  template <class... Arguments>
  static void scalarMultiplyDataData(const Arguments&... arguments) {
    Impl::scale<DeviceType>(Impl::Operation::scalarMultiplyDataData, Impl::Run(), arguments...);
  }

  /// @}

  /// \name Dot, cross and outer products
  /// @{

  /// output(c,f,p) = sum over d, e of data(c,p,d,e) field(c,f,p,d,e).
  ///
  /// (C,F,P) = (C,P|1[,D[,D2]]) x ([C,]F,P[,D[,D2]]); the rank of the field tells whether it has
  /// cells.
  /// \param arguments  [space,] output, inputData, inputFields [, options]
  template <class... Arguments>
  static void dotMultiplyDataField(const Arguments&... arguments) {
    Impl::multiply<DeviceType>(Impl::Operation::dotMultiplyDataField, Impl::Run(), arguments...);
  }

  /// output(c,p) = sum over d, e of left(c,p,d,e) right(c,p,d,e).
  ///
  /// (C,P) = (C,P|1[,D[,D2]]) x ([C,]P[,D[,D2]]); the rank of the right side tells whether it has
  /// cells.
  /// \param arguments  [space,] output, inputDataLeft, inputDataRight [, options]
  template <class... Arguments>
  static void dotMultiplyDataData(const Arguments&... arguments) {
    Impl::multiply<DeviceType>(Impl::Operation::dotMultiplyDataData, Impl::Run(), arguments...);
  }

  /// output(c,f,p) = data(c,p) x field(c,f,p), the cross product.
  ///
  /// In space (C,F,P,3) = (C,P|1,3) x ([C,]F,P,3); in the plane (C,F,P) = (C,P|1,2) x ([C,]F,P,2).
  /// \param arguments  [space,] output, inputData, inputFields [, options]
  template <class... Arguments>
  static void crossProductDataField(const Arguments&... arguments) {
    Impl::multiply<DeviceType>(Impl::Operation::crossProductDataField, Impl::Run(), arguments...);
  }

  /// output(c,p) = left(c,p) x right(c,p), the cross product.
  ///
  /// In space (C,P,3) = (C,P|1,3) x ([C,]P,3); in the plane (C,P) = (C,P|1,2) x ([C,]P,2).
  /// \param arguments  [space,] output, inputDataLeft, inputDataRight [, options]
  template <class... Arguments>
  static void crossProductDataData(const Arguments&... arguments) {
    Impl::multiply<DeviceType>(Impl::Operation::crossProductDataData, Impl::Run(), arguments...);
  }

  /// output(c,f,p,i,j) = data(c,p,i) field(c,f,p,j).
  ///
  /// (C,F,P,D,D) = (C,P|1,D) x ([C,]F,P,D).
  /// \param arguments  [space,] output, inputData, inputFields [, options]
  template <class... Arguments>
  static void outerProductDataField(const Arguments&... arguments) {
    Impl::multiply<DeviceType>(Impl::Operation::outerProductDataField, Impl::Run(), arguments...);
  }

  /// output(c,p,i,j) = left(c,p,i) right(c,p,j).
  ///
  /// (C,P,D,D) = (C,P|1,D) x ([C,]P,D).
  /// \param arguments  [space,] output, inputDataLeft, inputDataRight [, options]
  template <class... Arguments>
  static void outerProductDataData(const Arguments&... arguments) {
    Impl::multiply<DeviceType>(Impl::Operation::outerProductDataData, Impl::Run(), arguments...);
  }

  /// @}

  /// \name Matrix products
  /// @{

  /// output(c,f,p,:) = A(c,p) field(c,f,p,:).
  ///
  /// (C,F,P,D) = A x ([C,]F,P,D), where A is (C,P|1), a multiple of the unit matrix; (C,P|1,D), a
  /// diagonal; or (C,P|1,D,D2), a full matrix, which may be rectangular (the field then has D2).
  /// 'T' takes the full matrix transposed. With scalar or diagonal data the output may be the field
  /// itself.
  /// \param arguments  [space,] output, inputData, inputFields [, char transpose = 'N'] [,
  ///   options]
  template <class... Arguments>
  static void matvecProductDataField(const Arguments&... arguments) {
    Impl::multiplyMatrix<DeviceType>(Impl::Operation::matvecProductDataField, Impl::Run(),
                                     arguments...);
  }

  /// output(c,p,:) = A(c,p) right(c,p,:).
  ///
  /// (C,P,D) = A x ([C,]P,D), with A as in matvecProductDataField. 'T' takes the full matrix
  /// transposed. With scalar or diagonal data the output may be an input itself.
  /// \param arguments  [space,] output, inputDataLeft, inputDataRight [, char transpose = 'N'] [,
  ///   options]
  template <class... Arguments>
  static void matvecProductDataData(const Arguments&... arguments) {
    Impl::multiplyMatrix<DeviceType>(Impl::Operation::matvecProductDataData, Impl::Run(),
                                     arguments...);
  }

  /// output(c,f,p,:,:) = A(c,p) field(c,f,p,:,:).
  ///
  /// (C,F,P,D,D) = A x ([C,]F,P,D,D), with A as in matvecProductDataField; all matrices may be
  /// rectangular where their extents fit. 'T' takes the full matrix transposed. With scalar or
  /// diagonal data the output may be the field itself.
  /// \param arguments  [space,] output, inputData, inputFields [, char transpose = 'N'] [,
  ///   options]
  template <class... Arguments>
  static void matmatProductDataField(const Arguments&... arguments) {
    Impl::multiplyMatrix<DeviceType>(Impl::Operation::matmatProductDataField, Impl::Run(),
                                     arguments...);
  }

  /// output(c,p,:,:) = A(c,p) right(c,p,:,:).
  ///
  /// (C,P,D,D) = A x ([C,]P,D,D), with A as in matvecProductDataField; all matrices may be
  /// rectangular where their extents fit. 'T' takes the full matrix transposed. With scalar or
  /// diagonal data the output may be an input itself.
  /// \param arguments  [space,] output, inputDataLeft, inputDataRight [, char transpose = 'N'] [,
  ///   options]
  template <class... Arguments>
  static void matmatProductDataData(const Arguments&... arguments) {
    Impl::multiplyMatrix<DeviceType>(Impl::Operation::matmatProductDataData, Impl::Run(),
                                     arguments...);
  }

  /// @}

  /// \name Copies
  /// @{

  /// output(c,f,p,...) = field(f,p,...), the same in every cell.
  ///
  /// (C,F,P[,D[,D2]]) = (F,P[,D[,D2]]).
  /// \param arguments  [space,] outputFields, inputFields [, options]
  template <class... Arguments>
  static void cloneFields(const Arguments&... arguments) {
    Impl::clone<DeviceType>(Impl::Operation::cloneFields, Impl::Run(), arguments...);
  }

  /// output(c,p,...) = data(p,...), the same in every cell.
  ///
  /// (C,P[,D[,D2]]) = (P[,D[,D2]]).
  /// \param arguments  [space,] outputData, inputData [, options]
  template <class... Arguments>
  static void cloneData(const Arguments&... arguments) {
    Impl::clone<DeviceType>(Impl::Operation::cloneData, Impl::Run(), arguments...);
  }

  /// @}
};

}  // namespace Kontract

#endif
