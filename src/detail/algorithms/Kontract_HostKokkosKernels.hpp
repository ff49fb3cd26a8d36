// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_HOSTKOKKOSKERNELS_HPP
#define KONTRACT_HOSTKOKKOSKERNELS_HPP

#include <Kokkos_Complex.hpp>

#include "detail/problem/Kontract_Work.hpp"

namespace Kontract {
namespace Impl {

/// out (+)= left * right^T for matrices of any strides. Where Kontract was built without Kokkos
/// Kernels, these are not there.
void multiplyByKokkosKernels(const CellMatrices& matrices, const float* left, const float* right,
                             float* out, bool add);
void multiplyByKokkosKernels(const CellMatrices& matrices, const double* left, const double* right,
                             double* out, bool add);
void multiplyByKokkosKernels(const CellMatrices& matrices, const Kokkos::complex<float>* left,
                             const Kokkos::complex<float>* right, Kokkos::complex<float>* out,
                             bool add);
void multiplyByKokkosKernels(const CellMatrices& matrices, const Kokkos::complex<double>* left,
                             const Kokkos::complex<double>* right, Kokkos::complex<double>* out,
                             bool add);

}  // namespace Impl
}  // namespace Kontract

#endif
