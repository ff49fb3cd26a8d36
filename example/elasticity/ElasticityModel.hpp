// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Material, loads, and displacement fields that are known.
#ifndef ELASTICITY_MODEL_HPP
#define ELASTICITY_MODEL_HPP

#include "ExampleTypes.hpp"

#include "Kokkos_Array.hpp"

namespace Elasticity {

using namespace Example;

using Vec = Kokkos::Array<double, space_dim>;

/// An isotropic linear material.
struct Material {
  double young = 21e6;   ///< Young's modulus, force per area
  double poisson = 0.3;  ///< Poisson's ratio, -1 to 0.5

  double lambda() const { return young * poisson / ((1 + poisson) * (1 - 2 * poisson)); }
  double mu() const { return young / (2 * (1 + poisson)); }
};

struct Loads {
  Vec body_force{0, 0, 0};  ///< force per volume, everywhere
  Vec traction{0, 0, 0};    ///< force per area, on the faces of group 0 of the mesh
};

constexpr int num_rigid_modes = 6;

/// Component \a i at \a x of a displacement that does not strain: translations along the axes, and
/// after them rotations e_k x x about them.
template <class Point>
KOKKOS_INLINE_FUNCTION double rigidMode(int mode, int i, const Point& x) {
  if (mode < space_dim) return mode == i ? 1 : 0;
  const int axis = mode - space_dim;
  if (axis == i) return 0;
  const bool is_cyclic = (i + 1) % space_dim == axis;
  return is_cyclic ? x(space_dim - i - axis) : -x(space_dim - i - axis);
}

/// Component \a i at \a x of the displacement of the patch test: strained alike everywhere, and
/// turned a little.
template <class Point>
KOKKOS_INLINE_FUNCTION double linearDisplacement(int i, const Point& x) {
  constexpr double gradient[space_dim][space_dim] = {
      {1e-3, 2e-3, -1e-3}, {0.5e-3, -2e-3, 1e-3}, {-0.5e-3, 1.5e-3, 0.7e-3}};
  double u = 0;
  for (int d = 0; d < space_dim; ++d) u += gradient[i][d] * x(d);
  return u;
}

}  // namespace Elasticity

#endif
