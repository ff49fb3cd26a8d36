// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_PULLBACK_HPP
#define KONTRACT_PULLBACK_HPP

// Sources for one instruction set, which say so, see neither Kokkos nor the standard library.
#ifndef KONTRACT_INSTRUCTION_SET
#include "detail/support/Kontract_Requirements.hpp"
#endif

namespace Kontract {

/// How values on the reference cell become values in a cell with Jacobian J.
///
/// Source: Boffi, Brezzi and Fortin, "Mixed Finite Element Methods and Applications" (2013),
/// section 2.1; Intrepid2's FunctionSpaceTools.
enum class Pullback {
  Scalar,         ///< v = v^: values of HGRAD
  Physical,       ///< v = v^: scalars (C,F,P) or vectors (C,F,P,D) that are transformed already
  Covariant,      ///< v = J^-T v^: gradients of HGRAD, values of HCURL
  Contravariant,  ///< v = J v^ / det J: values of HDIV, curls of HCURL in space
  Density,        ///< v = v^ / det J: values of HVOL, divergences of HDIV
  Curl            ///< Contravariant in space, Density in the plane: curls of HCURL
};

namespace Impl {

/// What a coefficient is at a point, between left and right values.
enum class CoefficientKind {
  None,
  Scalar,
  Diagonal,  ///< (D)
  Full,      ///< (D,D); or (D) between a scalar and a vector
  Elastic,   ///< Lame's parameters, in place of a product
  Normal,    ///< the unit normal of a side, times a scalar if there is one, as Full
  Symmetric  ///< the upper half of (D,D), row by row
};

}  // namespace Impl
}  // namespace Kontract

#endif
