// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Conductivity, source and manufactured solution as functions of the place.
#ifndef POISSON_FIELDS_HPP
#define POISSON_FIELDS_HPP

#include <cmath>

#include "ExampleTypes.hpp"

#include "Kokkos_Core.hpp"

namespace Poisson {

using namespace Example;

/// A point or a vector of the physical frame that can be used in a kernel.
struct Vec {
  double v[space_dim] = {0, 0, 0};
  KOKKOS_INLINE_FUNCTION double& operator[](int d) { return v[d]; }
  KOKKOS_INLINE_FUNCTION double operator[](int d) const { return v[d]; }
};

KOKKOS_INLINE_FUNCTION double dot(const Vec& a, const Vec& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// K(x) = value (1 + sin(g.x) / 2) (I + (ratio - 1) d d^T): one formula for constant, graded and
/// fibre-reinforced materials. A scalar if ratio is 1.
struct Conductivity {
  double value = 1;
  Vec gradation;  ///< g; zero for a homogeneous material
  Vec fibre;      ///< unit vector d
  double ratio = 1;
  bool is_tensor = false;

  KOKKOS_INLINE_FUNCTION double scalar(const Vec& x) const {
    return value * (1 + 0.5 * std::sin(dot(gradation, x)));
  }

  /// The gradient of scalar(x) is this number times the gradation.
  KOKKOS_INLINE_FUNCTION double slope(const Vec& x) const {
    return value * 0.5 * std::cos(dot(gradation, x));
  }

  KOKKOS_INLINE_FUNCTION double anisotropy(int i, int j) const {
    return (i == j ? 1.0 : 0.0) + (ratio - 1) * fibre[i] * fibre[j];
  }

  /// a^T (I + (ratio - 1) d d^T) b
  KOKKOS_INLINE_FUNCTION double form(const Vec& a, const Vec& b) const {
    return dot(a, b) + (ratio - 1) * dot(fibre, a) * dot(fibre, b);
  }
};

/// The exact solution u(x) = sin(k.x) of the manufactured problem.
struct Wave {
  Vec k;

  KOKKOS_INLINE_FUNCTION double value(const Vec& x) const { return std::sin(dot(k, x)); }

  /// -div(K grad u), by hand: grad u = k cos(k.x), and K's derivatives come from its gradation.
  KOKKOS_INLINE_FUNCTION double source(const Vec& x, const Conductivity& conductivity) const {
    return conductivity.scalar(x) * conductivity.form(k, k) * value(x) -
           conductivity.slope(x) * conductivity.form(conductivity.gradation, k) *
               std::cos(dot(k, x));
  }
};

/// Uniform heating, or a spot that fades as a Gaussian from its centre.
struct Source {
  double value = 0;
  Vec centre;
  double radius = 0;  ///< 0: uniform

  KOKKOS_INLINE_FUNCTION double operator()(const Vec& x) const {
    if (radius == 0) return value;
    double distance2 = 0;
    for (int d = 0; d < space_dim; ++d) distance2 += (x[d] - centre[d]) * (x[d] - centre[d]);
    return value * std::exp(-distance2 / (radius * radius));
  }
};

/// The problem -div(K grad u) = f.
struct Model {
  Conductivity conductivity;
  Source source;
  Wave wave;
  bool manufactured = false;

  KOKKOS_INLINE_FUNCTION double rightHandSide(const Vec& x) const {
    return manufactured ? wave.source(x, conductivity) : source(x);
  }
};

}  // namespace Poisson

#endif
