// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The problem curl(curl E / mu) + sigma E = f with a known solution.
#ifndef MAXWELL_PROBLEM_HPP
#define MAXWELL_PROBLEM_HPP

#include <cmath>

#include "ExampleTypes.hpp"

namespace Maxwell {

using namespace Example;

struct Material {
  double permeability = 1;  ///< mu
  double conductivity = 1;  ///< sigma
};

/// Three modes of a cavity with walls that conduct: with each coordinate times pi
///
///     E = (sin y sin z, sin z sin x, sin x sin y)
///
/// has no tangential components on the boundary of the unit cube and no divergence, and so
/// curl curl E = -laplace E = 2 pi^2 E.
struct Cavity {
  static constexpr double pi = 3.14159265358979323846;
  Material material;

  /// Component d of E at the point x.
  template <class Point>
  KOKKOS_INLINE_FUNCTION double field(const Point& x, int d) const {
    return std::sin(pi * x[(d + 1) % 3]) * std::sin(pi * x[(d + 2) % 3]);
  }
  /// Component d of curl E.
  template <class Point>
  KOKKOS_INLINE_FUNCTION double curl(const Point& x, int d) const {
    return pi * std::sin(pi * x[d]) *
           (std::cos(pi * x[(d + 1) % 3]) - std::cos(pi * x[(d + 2) % 3]));
  }
  /// Component d of f.
  template <class Point>
  KOKKOS_INLINE_FUNCTION double source(const Point& x, int d) const {
    return (2 * pi * pi / material.permeability + material.conductivity) * field(x, d);
  }
};

/// Writes value(x, d), component d at the place x, to an array (C,P,D).
template <class Value>
void evaluateAt(const Array& places, const Array& values, const Value& value) {
  Kokkos::parallel_for(
      "Maxwell::evaluateAt",
      Kokkos::MDRangePolicy<ExecutionSpace, Kokkos::Rank<2>>(
          {0, 0}, {places.extent_int(0), places.extent_int(1)}),
      KOKKOS_LAMBDA(int cell, int point) {
        const double x[] = {places(cell, point, 0), places(cell, point, 1), places(cell, point, 2)};
        for (int d = 0; d < space_dim; ++d) values(cell, point, d) = value(x, d);
      });
}

}  // namespace Maxwell

#endif
