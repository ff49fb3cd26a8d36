// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_INTEGRATION_HPP
#define KONTRACT_INTEGRATION_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include "Kontract_CellNumbers.hpp"
#include "Kontract_ScatterPlan.hpp"
#include "detail/call/Kontract_Integrate.hpp"

namespace Kontract {

/// Element matrices and vectors of finite elements, straight from values on the reference cell and
/// the geometry of cells: transformations, measures, coefficients and sums over points in one
/// kernel, without an array of fields at points (C,F,P[,D]) anywhere.
///
///     using Integration = Kontract::Integration<Device>;
///     const auto cells = Kontract::geometry(jacobians, weights);
///     const auto diffusion =
///         Kontract::term(Kontract::Form::gradGrad(), grads, grads, conductivity);
///     const auto mass = Kontract::term(Kontract::Form::mass(HGRAD), values, values);
///     Integration::matrices(matrices, cells, diffusion, mass);
///
/// **Arguments.** Every function takes
///
///     function([space,] output, [vector,] geometry, term(s) [, bool sumInto = false] [, options])
///
/// - `space`: an execution space instance. All work is done on it; without one, on the default
///   instance of `DeviceType::execution_space`. Nothing is allocated and no function waits.
/// - arrays: any mix of `Kokkos::View` and `Kokkos::DynRankView`, of LayoutLeft, LayoutRight or
///   LayoutStride, subviews, const inputs, and value types, Sacado's Fads among them.
/// - `geometry`: geometry(jacobians, weights), geometry(nodes, gradients, weights) or
///   geometry(measures).
/// - terms: term(form, left, right [, coefficient]) or load(form, values, source); their sum is
///   computed in one pass.
/// - `sumInto`: adds to the output instead of overwriting it.
/// - `options`: a Kontract::Options or a Teuchos::ParameterList.
///
/// Shapes: C cells, L and R left and right fields, P points, D space dimensions, N nodes; "P|1"
/// means that the array may have one point, whose value then holds at every point.
///
/// **Meaning.** What was in an output that is overwritten is never read. Where left and right
/// values are one array and the coefficient is no full matrix, matrices are symmetric: one half is
/// computed, and the other is a copy of it; of affine cells both are computed where that is faster,
/// and agree but for rounding.
///
/// **Errors.** Wrong input is refused before anything runs; the output is left untouched.
/// \throws std::invalid_argument whose text names the function, the array, what it is and what it
///   needs
///
/// **Cost.** A term of matrices takes 2 C P (L R NL + R NL NR) flops, NL and NR components of left
/// and right values (half the first part if symmetric), and moves the geometry, the coefficient and
/// the output once.
///
/// Source: P. Vos, S. Sherwin, R. Kirby, "From h to p efficiently" (2010), for the local
/// evaluation; Intrepid2 for names and meaning.
/// \tparam DeviceType  a Kokkos::Device or an execution space
template <class DeviceType>
class Integration {
 public:
  /// Element matrices, output(c,l,r) = sum of terms:
  ///
  ///     sum over p of measure(c,p) pullback(left)(c,l,p) . coefficient(c,p) pullback(right)(c,r,p)
  ///
  /// (C,L,R), or (C,L D,R D) with elasticity.
  /// \param arguments  [space,] output, geometry, term(s) [, bool sumInto = false] [, options]
  template <class... Arguments>
  static void matrices(const Arguments&... arguments) {
    Impl::integrateForm<DeviceType, Impl::FormKind::Matrices>(Impl::Operation::matrices,
                                                              Impl::Run(), arguments...);
  }

  /// Element vectors, output(c,f) = sum of loads:
  ///
  ///     sum over p of measure(c,p) pullback(values)(c,f,p) . source(c,p)
  ///
  /// (C,F), or (C,F D) with sources of D components.
  /// \param arguments  [space,] output, geometry, load(s) [, bool sumInto = false] [, options]
  template <class... Arguments>
  static void vectors(const Arguments&... arguments) {
    Impl::integrateForm<DeviceType, Impl::FormKind::Vectors>(Impl::Operation::vectors, Impl::Run(),
                                                             arguments...);
  }

  /// Matrix-free products, output(c,l) = sum over r of matrix(c,l,r) vector(c,r), the matrices
  /// being those of matrices() and never stored.
  ///
  /// (C,L) = (C,R); or of V vectors at once, (C,L,V) = (C,R,V), and (N,V) of unknowns that cells
  /// share, as a Tpetra::MultiVector has them: on hosts some cells are multiplied by one vector
  /// after another, so that their geometry, coefficients and numbers are read from memory once.
  /// \param arguments  [space,] output, vector, geometry, term(s) [, bool sumInto = false] [,
  ///   options]
  /// \throws std::invalid_argument as all functions do; if output and vector have not as many
  ///   vectors; for several ones of scalars that are neither all float or all double, nor of an
  ///   output of Fads of these whose derivatives are those of the vector or of coefficients (of
  ///   elasticity of both parameters)
  template <class... Arguments>
  static void apply(const Arguments&... arguments) {
    Impl::integrateForm<DeviceType, Impl::FormKind::Products>(Impl::Operation::apply, Impl::Run(),
                                                              arguments...);
  }

  /// What stands between left and right reference values of a term at each point: pullbacks,
  /// coefficient, measure and weight in one small matrix k,
  ///
  ///     output(c,n,p) = entry n of  measure(c,p) pullback^T coefficient(c,p) pullback,
  ///
  /// so that matrices and products of a factored() term read no geometry: six numbers a point of
  /// grad-grad in three dimensions instead of nine of the Jacobian and a coefficient. On devices
  /// that pays from the second or third product on the same cells on; hosts gain from order 6 on.
  ///
  /// (C,n,P), n = NL NR components of left and right values, row by row; or, where both sides are
  /// vectors with the same pullback, n = D (D + 1) / 2: the upper half, row by row. Whether a full
  /// coefficient is symmetric is not checked. On devices LayoutRight is faster. The term's values
  /// are not read: their shapes tell components and points. \param arguments  [space,] output,
  /// geometry, term [, bool sumInto = false] [, options] \throws std::invalid_argument as all
  /// functions do; for elasticity, which couples components
  ///
  /// Source: the quadrature data of "partial assembly", R. Anderson and others, "MFEM: a modular
  /// finite element methods library" (2021).
  template <class... Arguments>
  static void factors(const Arguments&... arguments) {
    Impl::integrateForm<DeviceType, Impl::FormKind::Factors>(Impl::Operation::factors, Impl::Run(),
                                                             arguments...);
  }

  /// Diagonals of element matrices, which are not stored: what Jacobi's and Chebyshev's methods ask
  /// of an operator that apply() multiplies by,
  ///
  ///     output(c,f) = matrix(c,f,f)   with matrix as of matrices()
  ///
  /// (C,F), or (C,F D) with elasticity; or blocks of components, (C,F D,D):
  ///
  ///     output(c,f D + i,j) = matrix(c,f D + i,f D + j)
  ///
  /// Scattered by CellNumbers, cells add to the diagonal of the matrix that matrices() would
  /// assemble.
  ///
  /// \param arguments  [space,] output, geometry, term(s) [, bool sumInto = false] [, options]
  /// \throws std::invalid_argument as all functions do; if left and right fields are not as many;
  ///   for unknowns with orientations or constraints, whose diagonals need other entries
  ///
  /// **Cost.** A term takes 2 C P F NL (NR + 1) flops and, for each eight fields, the geometry of a
  /// cell; of tensor-product bases that have the same N functions of a direction on both sides
  /// a multiple of C NL NR P N, because sums go direction by direction.
  /// Moves the geometry, the coefficient and the output once.
  template <class... Arguments>
  static void diagonals(const Arguments&... arguments) {
    Impl::integrateForm<DeviceType, Impl::FormKind::Diagonals>(Impl::Operation::diagonals,
                                                               Impl::Run(), arguments...);
  }
};

}  // namespace Kontract

#endif
