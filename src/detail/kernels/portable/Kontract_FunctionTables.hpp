// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FUNCTIONTABLES_HPP
#define KONTRACT_FUNCTIONTABLES_HPP

#include <Kokkos_Core.hpp>

namespace Kontract {
namespace Impl {

/// A function of one coordinate at a point. Kernels read both numbers at once.
template <class Real>
struct alignas(2 * sizeof(Real)) FunctionAt {
  Real value, derivative;
};

/// Fills in the functions of a tensor-product basis by direction, point and function.
/// \tparam N  functions in each direction
/// \tparam has_derivatives  or those are left as they are
template <int N, bool has_derivatives, class Team, class Basis, class Real>
KOKKOS_FORCEINLINE_FUNCTION void fillTables(const Team& team, const Basis& basis, int dimension,
                                            const int (&points)[3], FunctionAt<Real>* to) {
  for (int d = 0; d < dimension; ++d) {
    const int count = N * points[d];
    team.share(count, [&](int n) {
      const int f = static_cast<int>(n) % N, p = static_cast<int>(n) / N;
      to[n].value = Real(basis.values[d].at(f, p));
      if constexpr (has_derivatives) to[n].derivative = Real(basis.derivatives[d].at(f, p));
    });
    to += count;
  }
}

/// The functions of a direction among those.
template <int N, class Real>
KOKKOS_FORCEINLINE_FUNCTION const FunctionAt<Real>* tableOf(const FunctionAt<Real>* tables,
                                                            const int (&points)[3], int direction) {
  for (int d = 0; d < direction; ++d) tables += N * points[d];
  return tables;
}

}  // namespace Impl
}  // namespace Kontract

#endif
