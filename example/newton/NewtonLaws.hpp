// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief What happens at a point: the only code of a problem that is not linear.
#ifndef NEWTON_LAWS_HPP
#define NEWTON_LAWS_HPP

#include <Sacado.hpp>
// Views of Fads come before all others. Where this header is gone, Sacado.hpp brings them along.
#if __has_include(<Kokkos_DynRankView_Fad.hpp>)
#include <Kokkos_DynRankView_Fad.hpp>
#endif
// Kontract after Sacado.
#include <Kontract_NonlinearForm.hpp>
#include <cmath>

namespace Newton {

constexpr int space_dim = 3;
using Kontract::Coupling;
template <class Scalar, int K>
using State = Kontract::PointState<Scalar, K, space_dim>;
template <class Scalar, int K>
using Result = Kontract::PointResult<Scalar, K, space_dim>;

/// Each law also says which unknowns of the unit cube's boundary are given, and what they are.
struct Boundary {
  static bool isOnSurface(const double* x) {
    for (int d = 0; d < space_dim; ++d) {
      if (x[d] == 0 || x[d] == 1) return true;
    }
    return false;
  }
};

/// -div((1 + u^2) grad u) = f, u = 0 on the surface.
struct Diffusion : Boundary {
  static constexpr int unknowns = 1;
  static constexpr const char* name = "nonlinear diffusion";
  static constexpr unsigned couplings =
      Kontract::couplings(Coupling::FluxOfValue, Coupling::FluxOfGradient);

  template <class Scalar>
  KOKKOS_FUNCTION void operator()(const State<Scalar, 1>& u, Result<Scalar, 1>& r) const {
    const Scalar conductivity = 1 + u.value[0] * u.value[0];
    for (int d = 0; d < space_dim; ++d) r.flux[0][d] = conductivity * u.gradient[0][d];
    r.source[0] = -80.0;
  }

  static bool isGiven(const double* x) { return isOnSurface(x); }
  static double given(const double*, int) { return 0; }
};

/// Two species that flow with a velocity b, diffuse and react, A + 2 B -> 3 B, while A is fed and B
/// is taken away:
///
///     b . grad a - d_a lap a = -a b^2 + feed (1 - a)
///     b . grad b - d_b lap b =  a b^2 - (feed + kill) b
struct Reaction : Boundary {
  static constexpr int unknowns = 2;
  static constexpr const char* name = "reaction and convection";
  static constexpr unsigned couplings = Kontract::couplings(
      Coupling::SourceOfValue, Coupling::SourceOfGradient, Coupling::FluxOfGradient);

  template <class Scalar>
  KOKKOS_FUNCTION void operator()(const State<Scalar, 2>& u, Result<Scalar, 2>& r) const {
    constexpr double diffusivity[2] = {0.5, 0.25}, velocity[space_dim] = {2, 1, 0.5};
    constexpr double speed = 8, feed = 1.5, kill = 0.5;
    const Scalar reaction = speed * u.value[0] * u.value[1] * u.value[1];
    for (int k = 0; k < 2; ++k) {
      for (int d = 0; d < space_dim; ++d) {
        r.flux[k][d] = diffusivity[k] * u.gradient[k][d];
        r.source[k] += velocity[d] * u.gradient[k][d];
      }
    }
    r.source[0] += reaction - feed * (1 - u.value[0]);
    r.source[1] += (feed + kill) * u.value[1] - reaction;
  }

  static bool isGiven(const double* x) { return isOnSurface(x); }
  static double given(const double* x, int k) { return k == 0 ? 1 : 0.5 * (1 - x[0]); }
};

/// A neo-Hookean block, P = mu (F - F^-T) + lambda log(det F) F^-T with F = 1 + grad u, held at the
/// bottom; its top is pulled and turned.
struct Hyperelasticity : Boundary {
  static constexpr int unknowns = 3;
  static constexpr const char* name = "hyperelasticity";
  static constexpr unsigned couplings = Kontract::couplings(Coupling::FluxOfGradient);

  template <class Scalar>
  KOKKOS_FUNCTION void operator()(const State<Scalar, 3>& u, Result<Scalar, 3>& r) const {
    using std::log;
    constexpr double lambda = 2, mu = 1;
    Scalar f[3][3], cofactor[3][3];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) f[i][j] = u.gradient[i][j] + (i == j ? 1.0 : 0.0);
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
        cofactor[i][j] = f[a][c] * f[b][d] - f[a][d] * f[b][c];
      }
    }
    const Scalar det =
        f[0][0] * cofactor[0][0] + f[0][1] * cofactor[0][1] + f[0][2] * cofactor[0][2];
    const Scalar pressure = (lambda * log(det) - mu) / det;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) r.flux[i][j] = mu * f[i][j] + pressure * cofactor[i][j];
    }
  }

  static bool isGiven(const double* x) { return x[2] == 0 || x[2] == 1; }
  static double given(const double* x, int k) {
    if (x[2] == 0) return 0;
    constexpr double stretch = 0.1, turn = 0.2;
    const double side[2] = {x[0] - 0.5, x[1] - 0.5};
    if (k == 2) return stretch;
    const double turned = k == 0 ? std::cos(turn) * side[0] - std::sin(turn) * side[1]
                                 : std::sin(turn) * side[0] + std::cos(turn) * side[1];
    return turned - side[k];
  }
};

}  // namespace Newton

#endif
