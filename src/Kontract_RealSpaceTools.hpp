// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_REALSPACETOOLS_HPP
#define KONTRACT_REALSPACETOOLS_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include "detail/call/Kontract_Intrepid2Geometry.hpp"
#include "detail/call/Kontract_MatrixCall.hpp"

namespace Kontract {

/// Small matrices and vectors at points: functions of Intrepid2::RealSpaceTools, with the same
/// names, argument order and meaning.
///
/// What is said of ArrayTools about arguments, errors and cost holds here: every function takes
///
///     function([space,] output, input(s) [, options])
///
/// with views of any kind and scalars of any type, and refuses wrong input before anything runs.
/// Nothing is computed in place. Shapes are written as there; arrays of rank one less lack P, as
/// Intrepid2's do.
///
/// Options and labels are those of the operation of ArrayTools that a function resembles:
/// matmatProductDataData (inverse), dotMultiplyDataData (det, vectorNorm, dot),
/// matvecProductDataData (matvec), crossProductDataData (vecprod), cloneData (transpose).
///
/// What else Intrepid2 has is Intrepid2's, where its headers are there: clone, absval, add,
/// subtract, scale, AtA, extractScalarValues.
/// \tparam DeviceType  a Kokkos::Device or an execution space
template <class DeviceType>
class RealSpaceTools {
 public:
  /// Inverses of matrices, by cofactors: (C[,P],D,D) = (C[,P],D,D), D at most 3.
  ///
  /// A singular matrix gives infinities or NaN, as Intrepid2 does.
  /// \param arguments  [space,] inverseMats, inMats [, options]
  template <class... Arguments>
  static void inverse(const Arguments&... arguments) {
    Impl::ofMatrices<DeviceType>(Function::inverse, Kind::Inverse, arguments...);
  }

  /// Determinants: (C[,P]) = (C[,P],D,D), D at most 3.
  /// \param arguments  [space,] detArray, inMats [, options]
  template <class... Arguments>
  static void det(const Arguments&... arguments) {
    Impl::ofMatrices<DeviceType>(Function::det, Kind::Determinant, arguments...);
  }

  /// Transposed matrices: ([C[,P],]D,D2) = ([C[,P],]D2,D).
  /// \param arguments  [space,] transposeMats, inMats [, options]
  template <class... Arguments>
  static void transpose(const Arguments&... arguments) {
    Impl::ofMatrices<DeviceType>(Function::transpose, Kind::Copy, arguments...);
  }

  /// Matrices times vectors: ([C[,P],]D) = ([C[,P],]D,D2) x ([C[,P],]D2). Either input may be one
  /// for all. \param arguments  [space,] matVecs, inMats, inVecs [, options]
  template <class... Arguments>
  static void matvec(const Arguments&... arguments) {
    Impl::productOf<DeviceType>(Function::matvec, Impl::Operation::matvecProductDataData,
                                Kind::Product, arguments...);
  }

  /// Scalar products of vectors: (C[,P]) = (C[,P],D) x (C[,P],D).
  /// \param arguments  [space,] dotArray, inVecs1, inVecs2 [, options]
  template <class... Arguments>
  static void dot(const Arguments&... arguments) {
    Impl::productOf<DeviceType>(Function::dot, Impl::Operation::dotMultiplyDataData, Kind::Product,
                                arguments...);
  }

  /// Cross products in space: ([C[,P],]3) = ([C[,P],]3) x ([C[,P],]3).
  /// \param arguments  [space,] vecProd, inLeft, inRight [, options]
  template <class... Arguments>
  static void vecprod(const Arguments&... arguments) {
    Impl::productOf<DeviceType>(Function::vecprod, Impl::Operation::crossProductDataData,
                                Kind::Cross3, arguments...);
  }

#ifdef KONTRACT_HAS_INTREPID2_GEOMETRY
  /// \name With Intrepid2
  /// @{

  /// Norms of vectors: (C[,P]) = (C[,P],D), of real scalars or Fads.
  /// \param normArray  norms
  /// \param inVecs     vectors
  /// \param normType   Intrepid2::NORM_ONE, NORM_TWO or NORM_INF
  /// \param options    may be given
  template <class Norms, class Vectors, class... Options>
  static void vectorNorm(const Norms& normArray, const Vectors& inVecs, Intrepid2::ENorm normType,
                         const Options&... options) {
    static_assert(!Impl::IsComplex<typename Vectors::non_const_value_type>::value,
                  "Kontract: norms are those of real vectors");
    Kind kind = Kind::NormTwo;
    switch (normType) {
      case Intrepid2::NORM_ONE: kind = Kind::NormOne; break;
      case Intrepid2::NORM_TWO: break;
      case Intrepid2::NORM_INF: kind = Kind::NormMax; break;
      default:
        Impl::refuse("vectorNorm", "normType is " + std::to_string(int(normType)) +
                                       ": it needs NORM_ONE, NORM_TWO or NORM_INF");
    }
    Impl::ofMatrices<DeviceType>(Function::vectorNorm, kind, normArray, inVecs, options...);
  }

  KONTRACT_OF_INTREPID2(RealSpaceTools, extractScalarValues)
  KONTRACT_OF_INTREPID2(RealSpaceTools, clone)
  KONTRACT_OF_INTREPID2(RealSpaceTools, absval)
  KONTRACT_OF_INTREPID2(RealSpaceTools, add)
  KONTRACT_OF_INTREPID2(RealSpaceTools, subtract)
  KONTRACT_OF_INTREPID2(RealSpaceTools, scale)
  KONTRACT_OF_INTREPID2(RealSpaceTools, AtA)

  /// @}
#endif

 private:
  using Kind = Impl::PointwiseKind;
  using Function = Impl::Function;
};

}  // namespace Kontract

#endif
