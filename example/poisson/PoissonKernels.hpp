// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The model at the points of a workset.
#ifndef POISSON_KERNELS_HPP
#define POISSON_KERNELS_HPP

#include "ExamplePlaces.hpp"
#include "PoissonFields.hpp"

namespace Poisson {

/// Conductivity, (C,P) or (C,P,D,D), and right-hand side (C,P) at a point.
KOKKOS_INLINE_FUNCTION void evaluateModelAt(const Array& conductivity, const Array& right_hand_side,
                                            int cell, int point, const Vec& x, const Model& m) {
  right_hand_side(cell, point) = m.rightHandSide(x);
  const double k = m.conductivity.scalar(x);
  if (!m.conductivity.is_tensor) {
    conductivity(cell, point) = k;
    return;
  }
  for (int i = 0; i < space_dim; ++i)
    for (int j = 0; j < space_dim; ++j)
      conductivity(cell, point, i, j) = k * m.conductivity.anisotropy(i, j);
}

/// The model at the points (C,P,D).
inline void evaluateModel(Array conductivity, Array right_hand_side, Array points,
                          const Model& model) {
  const Model m = model;
  Kokkos::parallel_for(
      "Poisson::evaluateModel", CellPoints({0, 0}, {points.extent_int(0), points.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int point) {
        Vec x;
        for (int d = 0; d < space_dim; ++d) x[d] = points(cell, point, d);
        evaluateModelAt(conductivity, right_hand_side, cell, point, x, m);
      });
}

/// The model in the cells from \a first on, whose points are made of their nodes.
inline void evaluateModel(Array conductivity, Array right_hand_side, const Places& places,
                          int first, const Model& model) {
  const Model m = model;
  const Places at = places;
  Kokkos::parallel_for(
      "Poisson::evaluateModel",
      CellPoints({0, 0}, {right_hand_side.extent_int(0), right_hand_side.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int point) {
        Vec x;
        at.set(x, first + cell, point);
        evaluateModelAt(conductivity, right_hand_side, cell, point, x, m);
      });
}

}  // namespace Poisson

#endif
