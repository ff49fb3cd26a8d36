// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_POINTSTATE_HPP
#define KONTRACT_POINTSTATE_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include <Kokkos_Macros.hpp>
#include <cstdint>
#include <type_traits>

namespace Kontract {

/// What a law of a nonlinearForm() is given at a point: values and gradients of the unknowns, in
/// space, of a number type that may carry derivatives.
/// \tparam Scalar  float, double, or a number with derivatives
/// \tparam K       unknowns of a point
/// \tparam D       dimensions
template <class Scalar, int K, int D>
struct PointState {
  using scalar_type = Scalar;  ///< the number type
  Scalar value[K];             ///< u_k
  Scalar gradient[K][D];       ///< d u_k / d x_d
  std::int64_t cell;           ///< of the call
  std::int64_t point;          ///< of the cell
};

/// What a law says at a point; all zero before it is asked. The residual of unknown k is
///
///     integral of  source[k] v + sum over d of flux[k][d] dv/dx_d
template <class Scalar, int K, int D>
struct PointResult {
  Scalar source[K];   ///< what values of functions are multiplied by
  Scalar flux[K][D];  ///< what their gradients are multiplied by
};

/// Which derivatives of a law there are: what is left out in a law's `couplings` is taken for zero,
/// not stored, and not integrated.
enum class Coupling { SourceOfValue, SourceOfGradient, FluxOfValue, FluxOfGradient };

/// Couplings as a law names them: couplings(Coupling::FluxOfValue, Coupling::FluxOfGradient).
template <class... Each>
constexpr unsigned couplings(Each... each) {
  return ((1u << static_cast<unsigned>(each)) | ... | 0u);
}

/// The number type by which a law is differentiated: Sacado's SFad, if Sacado.hpp comes first.
/// Other types are made known by a specialization with a member `type`, which is constructed from
/// (number of derivatives, which one is 1, value), or from a value, and has dx(i).
template <class Real, int directions>
struct DerivativeNumber;

}  // namespace Kontract

#if defined(SACADO_HPP)
namespace Kontract {
template <class Real, int directions>
struct DerivativeNumber {
  using type = Sacado::Fad::SFad<Real, directions>;
};
}  // namespace Kontract
#endif

#endif
