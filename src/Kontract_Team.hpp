// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEAM_HPP
#define KONTRACT_TEAM_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include "Kontract_TensorBasis.hpp"
#include "detail/kernels/portable/Kontract_CellCalls.hpp"

namespace Kontract {

/// Contractions, pointwise products and bases of one cell, for the code of a caller's own kernel: a
/// constitutive law, an integration and a scatter in one launch, with nothing stored in between.
///
///     using Tools = Kontract::team::ArrayTools<Kontract::team::TeamVector>;
///     Kokkos::parallel_for(
///         Kokkos::TeamPolicy<Space>(cells, 64).set_scratch_size(0, Kokkos::PerTeam(bytes)),
///         KOKKOS_LAMBDA(const Member& member) {
///           const int c = member.league_rank();
///           const auto weighted = Scratch(member.team_scratch(0), fields, points, dim);
///           const auto gradients = Kokkos::subview(all, c, Kokkos::ALL, Kokkos::ALL, Kokkos::ALL);
///           Tools::matvecProductDataField(member, weighted, ofCell(tensor, c), gradients);
///           member.team_barrier();
///           Tools::contractFieldFieldVector(member, ofCell(output, c), gradients, weighted);
///         });
///
/// **Modes.** Serial computes in the calling thread and takes no member: it is for any kernel, of a
/// RangePolicy say. Team and TeamVector take the member of a team first and are called by all of
/// its threads, from code of the team, not from inside of a nested parallel_for. TeamVector uses
/// the vector lanes as well.
///
/// **Arrays** are a Kokkos::View of any layout and memory that the kernel reaches, scratch memory
/// among them, a subview of one cell; of plain scalars also a Kokkos::DynRankView. Value types are
/// those of Kontract::ArrayTools and may be mixed; arrays of Sacado's Fads are views of theirs,
/// whose numbers of derivatives are the output's or none. On devices those are fastest whose fields
/// are neighbours in memory (LayoutLeft), or whose fields are an odd number of elements apart,
/// because threads have neighbouring fields.
///
/// **Barriers.** No function has one, but where its comment says so: whoever reads in other threads
/// what was written, output or input, calls member.team_barrier() in between. Nothing is allocated.
///
/// **Errors.** Builds without NDEBUG, and those where Kokkos checks bounds, compare ranks and
/// extents in each call, print function, cell (member.league_rank()) and extents, and end in
/// Kokkos::abort. Other builds check nothing. On the host, before a launch, Kontract::explain() of
/// the function of the same name refuses arrays of all cells that do not match.
namespace team {

/// The functions of Kontract::ArrayTools for one cell: the same names, arrays without the index of
/// cells, and the same meaning.
///
/// Source: the names and their meaning are Intrepid2's; serial, team and team-vector functions are
/// those of Kokkos Kernels' batched linear algebra (K. Kim and others, "Designing vector-friendly
/// compact BLAS and LAPACK kernels", 2017).
/// \tparam Mode  Serial, Team or TeamVector
template <class Mode>
class ArrayTools {
 public:
  /// \name Contractions
  /// Arguments are ([member,] output, left, right [, bool sumInto = false] [, scratch]). With
  /// sumInto they add to the output. L and R count fields, P points, D and E components; "P|1" may
  /// be one point for all. They take 2 flops for each output, point and component.
  ///
  /// Hosts use the kernels of their instruction set, whatever the caller is compiled for, in 64 KB
  /// of the stack. What needs more, large cells whose terms are not contiguous, needs `scratch`
  /// for that: a view of rank 1 of the calling thread's own memory (thread_scratch(), say), of at
  /// least scratchExtent() elements. Devices use registers alone.
  /// @{

  /// output(l,r) = sum over p of left(l,p) right(r,p); (L,R) = (L,P) x (R,P)
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void contractFieldFieldScalar(const Arguments&... arguments) {
    Impl::contractInKernel<Mode>({"contractFieldFieldScalar", "LR", "LP", "RP"}, arguments...);
  }
  /// (L,R) = (L,P,D) x (R,P,D)
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void contractFieldFieldVector(const Arguments&... arguments) {
    Impl::contractInKernel<Mode>({"contractFieldFieldVector", "LR", "LPD", "RPD"}, arguments...);
  }
  /// (L,R) = (L,P,D,E) x (R,P,D,E)
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void contractFieldFieldTensor(const Arguments&... arguments) {
    Impl::contractInKernel<Mode>({"contractFieldFieldTensor", "LR", "LPDE", "RPDE"}, arguments...);
  }
  /// (R) = (P|1) x (R,P)
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void contractDataFieldScalar(const Arguments&... arguments) {
    Impl::contractInKernel<Mode>({"contractDataFieldScalar", "R", "p", "RP"}, arguments...);
  }
  /// (R) = (P|1,D) x (R,P,D)
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void contractDataFieldVector(const Arguments&... arguments) {
    Impl::contractInKernel<Mode>({"contractDataFieldVector", "R", "pD", "RPD"}, arguments...);
  }
  /// (R) = (P|1,D,E) x (R,P,D,E)
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void contractDataFieldTensor(const Arguments&... arguments) {
    Impl::contractInKernel<Mode>({"contractDataFieldTensor", "R", "pDE", "RPDE"}, arguments...);
  }
  /// () = (P) x (P); by one thread
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void contractDataDataScalar(const Arguments&... arguments) {
    Impl::contractInKernel<Mode>({"contractDataDataScalar", "", "P", "P"}, arguments...);
  }
  /// () = (P,D) x (P,D); by one thread
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void contractDataDataVector(const Arguments&... arguments) {
    Impl::contractInKernel<Mode>({"contractDataDataVector", "", "PD", "PD"}, arguments...);
  }
  /// () = (P,D,E) x (P,D,E); by one thread
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void contractDataDataTensor(const Arguments&... arguments) {
    Impl::contractInKernel<Mode>({"contractDataDataTensor", "", "PDE", "PDE"}, arguments...);
  }

  /// Elements of the scratch memory of a thread that a contraction of one cell uses, to be asked
  /// on the host before a launch.
  /// \tparam Space   where the kernel runs
  /// \tparam Scalar  value type of all arrays, and of the scratch view
  /// \param lefts, rights  fields of both sides, 1 where there are none
  /// \param terms          P, P D or P D E
  /// \return 0 for devices, where the stack suffices, and for scalars that hosts have no kernels
  /// for
  template <class Space, class Scalar>
  static std::int64_t scratchExtent(std::int64_t lefts, std::int64_t rights, std::int64_t terms) {
    return Impl::scratchOfContraction<Space, Scalar>(lefts, rights, terms);
  }
  /// @}

  /// \name Pointwise products of data with fields
  /// Arguments are ([member,] output, data, fields), of matrix products also [, char transpose =
  /// 'N'], where 'T' transposes full matrices. The output may be the fields where each element
  /// needs one element, as in scalarMultiply.
  /// @{

  /// (F,P[,D[,E]]) = (P|1) x (F,P[,D[,E]])
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void scalarMultiplyDataField(const Arguments&... arguments) {
    multiply<1>("scalarMultiplyDataField", Impl::CellProduct::Scalar, arguments...);
  }
  /// (F,P) = (P|1[,D[,E]]) . (F,P[,D[,E]])
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void dotMultiplyDataField(const Arguments&... arguments) {
    multiply<1>("dotMultiplyDataField", Impl::CellProduct::Dot, arguments...);
  }
  /// (F,P,3) = (P|1,3) x (F,P,3), or (F,P) = (P|1,2) x (F,P,2)
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void crossProductDataField(const Arguments&... arguments) {
    multiply<1>("crossProductDataField", Impl::CellProduct::Cross, arguments...);
  }
  /// (F,P,D,E) = (P|1,D) (F,P,E)
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void outerProductDataField(const Arguments&... arguments) {
    multiply<1>("outerProductDataField", Impl::CellProduct::Outer, arguments...);
  }
  /// (F,P,D) = (P|1[,D[,D]]) (F,P,D): data are a number, a diagonal or a matrix
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void matvecProductDataField(const Arguments&... arguments) {
    multiply<1>("matvecProductDataField", Impl::CellProduct::Matvec, arguments...);
  }
  /// (F,P,D,E) = (P|1[,D[,D]]) (F,P,D,E)
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void matmatProductDataField(const Arguments&... arguments) {
    multiply<1>("matmatProductDataField", Impl::CellProduct::Matmat, arguments...);
  }
  /// @}

  /// \name Pointwise products of data with data
  /// As above, without the index of fields.
  /// @{

  /// (P[,D[,E]]) = (P|1) x (P[,D[,E]])
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void scalarMultiplyDataData(const Arguments&... arguments) {
    multiply<0>("scalarMultiplyDataData", Impl::CellProduct::Scalar, arguments...);
  }
  /// (P) = (P|1[,D[,E]]) . (P[,D[,E]])
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void dotMultiplyDataData(const Arguments&... arguments) {
    multiply<0>("dotMultiplyDataData", Impl::CellProduct::Dot, arguments...);
  }
  /// (P,3) = (P|1,3) x (P,3), or (P) = (P|1,2) x (P,2)
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void crossProductDataData(const Arguments&... arguments) {
    multiply<0>("crossProductDataData", Impl::CellProduct::Cross, arguments...);
  }
  /// (P,D,E) = (P|1,D) (P,E)
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void outerProductDataData(const Arguments&... arguments) {
    multiply<0>("outerProductDataData", Impl::CellProduct::Outer, arguments...);
  }
  /// (P,D) = (P|1[,D[,D]]) (P,D)
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void matvecProductDataData(const Arguments&... arguments) {
    multiply<0>("matvecProductDataData", Impl::CellProduct::Matvec, arguments...);
  }
  /// (P,D,E) = (P|1[,D[,D]]) (P,D,E)
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void matmatProductDataData(const Arguments&... arguments) {
    multiply<0>("matmatProductDataData", Impl::CellProduct::Matmat, arguments...);
  }
  /// @}

 private:
  template <int fields, class... Arguments>
  KOKKOS_INLINE_FUNCTION static void multiply(const char* name, Impl::CellProduct product,
                                              const Arguments&... arguments) {
    Impl::multiplyInKernel<Mode>(name, product, fields, arguments...);
  }
};

/// The functions of a basis at points of one cell: from coefficients of fields to values at points,
/// and back, the transpose, by which loads and residuals are integrated.
///
/// A basis is an array (F,P) of values or (F,P,D) of gradients, or a Kontract::TensorBasis, whose
/// sums then go direction by direction in scratch memory.
/// \tparam Mode  Serial, Team or TeamVector
template <class Mode>
class Basis {
 public:
  /// values(p) = sum over f of coefficients(f) basis(f,p); (P) = (F) x (F,P)
  /// gradients(p,d) = sum over f of coefficients(f) basis(f,p,d); (P,D) = (F) x (F,P,D)
  ///
  /// Of a tensor-product basis, outputs of rank 1 are values, and those of rank 2 gradients on the
  /// reference cell; arguments are ([member,] output, coefficients, basis, scratch [, sumInto]). It
  /// begins with a barrier and has others, so that all threads of a team have to call it; scratch
  /// may be that of the call before. Sums are of the type of scratch.
  ///
  /// \param arguments  [member,] output, coefficients, basis [, scratch] [, bool sumInto = false]
  ///
  /// Source: S. Orszag, "Spectral methods for problems in complex geometries" (1980).
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void evaluate(const Arguments&... arguments) {
    Impl::inMode<Mode>(Impl::EvaluateInKernel(), arguments...);
  }

  /// output(f) = sum over p of basis(f,p) values(p), or over p and d of basis(f,p,d) values(p,d);
  /// (F) = (F,P) x (P), or (F,P,D) x (P,D): values are weighted already.
  ///
  /// Of a tensor-product basis as evaluate(), and values of rank 2 go with its gradients.
  ///
  /// \param arguments  [member,] output, values, basis [, scratch] [, bool sumInto = false]
  template <class... Arguments>
  KOKKOS_INLINE_FUNCTION static void integrate(const Arguments&... arguments) {
    Impl::inMode<Mode>(Impl::IntegrateInKernel(), arguments...);
  }

  /// Elements of the scratch memory of a team (of the thread, in Serial mode) that both functions
  /// need for a tensor-product basis: none for arrays.
  /// \param basis  as the kernel gets it
  template <class Values, class Derivatives>
  KOKKOS_INLINE_FUNCTION static std::int64_t scratchExtent(
      const TensorBasis<Values, Derivatives>& basis) {
    return Impl::scratchOfBasis(basis);
  }
};

}  // namespace team
}  // namespace Kontract

#endif
