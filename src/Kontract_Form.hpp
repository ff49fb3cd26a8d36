// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORM_HPP
#define KONTRACT_FORM_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include "Kontract_Pullback.hpp"

namespace Kontract {

/// The spaces of finite elements whose values have pullbacks of their own.
enum class FunctionSpace { HGRAD, HCURL, HDIV, HVOL };

/// A form of two fields, u on the right and v on the left, or of one on the left and a source:
///
///     integral over the cell of  (coefficient * pullback(u)) . pullback(v)
///
/// Named ones say what reference values they are given: values, gradients, curls or divergences of
/// a basis as Intrepid2's getValues leaves them.
struct Form {
  Pullback left = Pullback::Scalar;   ///< of left values
  Pullback right = Pullback::Scalar;  ///< of right values
  bool is_elastic = false;            ///< it is that of elasticity()
  bool is_factored = false;           ///< it is that of a factored() term

  /// Any form: left and right values with their pullbacks, and a coefficient between them.
  static constexpr Form product(Pullback left, Pullback right) { return {left, right, false}; }

  /// (u, v): values of that space on both sides.
  static constexpr Form mass(FunctionSpace space) {
    return product(valueOf(space), valueOf(space));
  }
  /// (grad u, grad v): gradients of HGRAD on both sides.
  static constexpr Form gradGrad() { return product(Pullback::Covariant, Pullback::Covariant); }
  /// (curl u, curl v): curls of HCURL on both sides; in the plane they are scalars.
  static constexpr Form curlCurl() { return product(Pullback::Curl, Pullback::Curl); }
  /// (div u, div v): divergences of HDIV on both sides.
  static constexpr Form divDiv() { return product(Pullback::Density, Pullback::Density); }
  /// (b . grad u, v): left values and right gradients of HGRAD; the coefficient is the vector b.
  static constexpr Form advection() { return product(Pullback::Scalar, Pullback::Covariant); }
  /// (u, b . grad v): left gradients and right values of HGRAD; the coefficient is the vector b.
  static constexpr Form advectionTransposed() {
    return product(Pullback::Covariant, Pullback::Scalar);
  }
  /// (div u, q): left values of HVOL, right divergences of HDIV.
  static constexpr Form divergence() { return product(Pullback::Density, Pullback::Density); }
  /// (grad u, v): left values of HCURL, right gradients of HGRAD.
  static constexpr Form gradient() { return product(Pullback::Covariant, Pullback::Covariant); }
  /// Linear elasticity, lambda (div u)(div v) + 2 mu e(u) : e(v): gradients of HGRAD on both sides,
  /// each field D times, for the components of displacements; component i of field f is field
  /// f D + i of the output. Coefficients are lambda and mu.
  static constexpr Form elasticity() { return {Pullback::Covariant, Pullback::Covariant, true}; }
  /// (f, v): values of that space on the left. The source f is a scalar for HGRAD and HVOL and a
  /// vector for the others; a vector for HGRAD is a source of displacements, with fields as in
  /// elasticity().
  static constexpr Form source(FunctionSpace space) {
    return product(valueOf(space), Pullback::Scalar);
  }

  /// The same form of values that are transformed already, (C,F,P) or (C,F,P,D).
  constexpr Form ofPhysicalValues() const {
    return {Pullback::Physical, Pullback::Physical, is_elastic, is_factored};
  }

  /// How values of a space are pulled back.
  static constexpr Pullback valueOf(FunctionSpace space) {
    switch (space) {
      case FunctionSpace::HCURL: return Pullback::Covariant;
      case FunctionSpace::HDIV: return Pullback::Contravariant;
      case FunctionSpace::HVOL: return Pullback::Density;
      default: return Pullback::Scalar;
    }
  }
};

}  // namespace Kontract

#endif
