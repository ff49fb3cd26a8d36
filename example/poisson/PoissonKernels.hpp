// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The model at the points of a workset.
#ifndef POISSON_KERNELS_HPP
#define POISSON_KERNELS_HPP

#include "ExampleWorkset.hpp"
#include "PoissonFields.hpp"

namespace Poisson {

/// Conductivity, (C,P) or (C,P,D,D), and right-hand side (C,P) at the points (C,P,D).
inline void evaluateModel(Array conductivity, Array right_hand_side, Array points,
                          const Model& model) {
  const Model m = model;
  Kokkos::parallel_for(
      "Poisson::evaluateModel", CellPoints({0, 0}, {points.extent_int(0), points.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int point) {
        Vec x;
        for (int d = 0; d < space_dim; ++d) x[d] = points(cell, point, d);
        right_hand_side(cell, point) = m.rightHandSide(x);
        const double k = m.conductivity.scalar(x);
        if (!m.conductivity.is_tensor) {
          conductivity(cell, point) = k;
          return;
        }
        for (int i = 0; i < space_dim; ++i)
          for (int j = 0; j < space_dim; ++j)
            conductivity(cell, point, i, j) = k * m.conductivity.anisotropy(i, j);
      });
}

}  // namespace Poisson

#endif
