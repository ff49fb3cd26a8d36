// SPDX-License-Identifier: BSD-3-Clause
#include "Arena.hpp"

namespace KontractBench {

extern template std::unique_ptr<Arena> makeArenaOf<float>(const Case&, LayoutKind, double);
extern template std::unique_ptr<Arena> makeArenaOf<double>(const Case&, LayoutKind, double);
extern template std::unique_ptr<Arena> makeArenaOf<Kokkos::complex<float>>(const Case&, LayoutKind,
                                                                           double);
extern template std::unique_ptr<Arena> makeArenaOf<Kokkos::complex<double>>(const Case&, LayoutKind,
                                                                            double);

std::unique_ptr<Arena> makeArena(const Case& one, ScalarKind scalar, LayoutKind layout,
                                 double bytes) {
  switch (scalar) {
    case ScalarKind::Float: return makeArenaOf<float>(one, layout, bytes);
    case ScalarKind::Double: return makeArenaOf<double>(one, layout, bytes);
    case ScalarKind::ComplexFloat: return makeArenaOf<Kokkos::complex<float>>(one, layout, bytes);
    default: return makeArenaOf<Kokkos::complex<double>>(one, layout, bytes);
  }
}

}  // namespace KontractBench
