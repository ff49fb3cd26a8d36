// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_HOSTSETS_HPP
#define KONTRACT_TEST_HOSTSETS_HPP

#include <complex>

#include "detail/kernels/host_simd/common/Kontract_HostKernels.hpp"

namespace KontractTest {

using Kontract::Impl::HostKernels;

/// The instruction sets that there may be kernels for.
inline const char* const set_names[] = {"baseline", "avx2", "avx512", "native"};

/// The real type of a scalar.
template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};

/// The kernels of a set for scalars of the type of the second argument.
inline const HostKernels::Of<double>& kernelsFor(const HostKernels& set, double) {
  return set.real_double;
}
inline const HostKernels::Of<float>& kernelsFor(const HostKernels& set, float) {
  return set.real_float;
}
inline const HostKernels::Of<double>& kernelsFor(const HostKernels& set, std::complex<double>) {
  return set.complex_double;
}
inline const HostKernels::Of<float>& kernelsFor(const HostKernels& set, std::complex<float>) {
  return set.complex_float;
}

}  // namespace KontractTest

#endif
