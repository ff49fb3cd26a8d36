// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_HOSTBLAS_HPP
#define KONTRACT_HOSTBLAS_HPP

#include <Kokkos_Complex.hpp>
#include <string>

#include "detail/problem/Kontract_Work.hpp"

namespace Kontract {
namespace Impl {

/// Why gemm cannot take matrices: it wants one unit stride in each of them; empty if it can.
std::string whyNoGemm(const CellMatrices& matrices);

/// out (+)= left * right^T for matrices that gemm takes. Where Kontract was built without a BLAS,
/// these are not there.
void multiplyByBlas(const CellMatrices& matrices, const float* left, const float* right, float* out,
                    bool add);
void multiplyByBlas(const CellMatrices& matrices, const double* left, const double* right,
                    double* out, bool add);
void multiplyByBlas(const CellMatrices& matrices, const Kokkos::complex<float>* left,
                    const Kokkos::complex<float>* right, Kokkos::complex<float>* out, bool add);
void multiplyByBlas(const CellMatrices& matrices, const Kokkos::complex<double>* left,
                    const Kokkos::complex<double>* right, Kokkos::complex<double>* out, bool add);

}  // namespace Impl
}  // namespace Kontract

#endif
