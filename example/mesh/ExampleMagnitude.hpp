// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The magnitude of numbers that may be NaN.
#ifndef EXAMPLE_MAGNITUDE_HPP
#define EXAMPLE_MAGNITUDE_HPP

#include <cmath>
#include <limits>

namespace Example {

/// |x|, or infinity where x is NaN: std::max and reductions over MPI ranks may drop a NaN.
inline double magnitude(double x) {
  return std::isnan(x) ? std::numeric_limits<double>::infinity() : std::abs(x);
}

}  // namespace Example

#endif
