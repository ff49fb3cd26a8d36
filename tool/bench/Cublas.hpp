// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_CUBLAS_HPP
#define KONTRACT_BENCH_CUBLAS_HPP

#include <cublas_v2.h>

#include <stdexcept>
#include <string>

#include "Types.hpp"

namespace KontractBench {

inline void checkCublas(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string("cuBLAS failed: ") + cublasGetStatusString(status));
}

/// cuBLAS on the stream of the default instance; there is one for the whole program.
inline cublasHandle_t cublasHandle() {
  static const cublasHandle_t handle = [] {
    cublasHandle_t fresh = nullptr;
    checkCublas(cublasCreate(&fresh));
    checkCublas(cublasSetStream(fresh, Space().cuda_stream()));
    Kokkos::push_finalize_hook([fresh] { cublasDestroy(fresh); });
    return fresh;
  }();
  return handle;
}

/// A matrix in each cell: where the first one begins, how far apart two columns and two cells are.
template <class Scalar>
struct CublasMatrices {
  Scalar* data;
  long long column, cell;
};

// One name for the four types. Matrices are column-major, as everywhere in cuBLAS:
// c (m x n) = a (k x m) transposed times b (k x n), and y = a (k x n) transposed times x.
#define KONTRACT_BENCH_CUBLAS(T, NATIVE, LETTER)                                                \
  inline void cublasProduct(int cells, int m, int n, int k, const CublasMatrices<T>& a,         \
                            const CublasMatrices<T>& b, const CublasMatrices<T>& c) {           \
    const T one(1), zero(0);                                                                    \
    const auto native = [](const T* data) { return reinterpret_cast<const NATIVE*>(data); };    \
    checkCublas(cublas##LETTER##gemmStridedBatched(                                             \
        cublasHandle(), CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, native(&one), native(a.data),        \
        int(a.column), a.cell, native(b.data), int(b.column), b.cell, native(&zero),            \
        reinterpret_cast<NATIVE*>(c.data), int(c.column), c.cell, cells));                      \
  }                                                                                             \
  inline void cublasProduct(int cells, int n, int k, const CublasMatrices<T>& a,                \
                            const CublasMatrices<T>& x, const CublasMatrices<T>& y) {           \
    const T one(1), zero(0);                                                                    \
    const auto native = [](const T* data) { return reinterpret_cast<const NATIVE*>(data); };    \
    checkCublas(cublas##LETTER##gemvStridedBatched(                                             \
        cublasHandle(), CUBLAS_OP_T, k, n, native(&one), native(a.data), int(a.column), a.cell, \
        native(x.data), 1, x.cell, native(&zero), reinterpret_cast<NATIVE*>(y.data),            \
        int(y.column), y.cell, cells));                                                         \
  }
KONTRACT_BENCH_CUBLAS(float, float, S)
KONTRACT_BENCH_CUBLAS(double, double, D)
KONTRACT_BENCH_CUBLAS(Kokkos::complex<float>, cuComplex, C)
KONTRACT_BENCH_CUBLAS(Kokkos::complex<double>, cuDoubleComplex, Z)
#undef KONTRACT_BENCH_CUBLAS

#if CUBLAS_VERSION >= 120500
/// Pointers to matrices, on the device.
template <class Scalar>
struct CublasPointers {
  Scalar* const* data;
  int column;  ///< from one to the next
};

#define KONTRACT_BENCH_CUBLAS_GROUPED(T, LETTER)                                                   \
  inline void cublasGroupedProduct(int cells, int m, int n, int k, const CublasPointers<T>& a,     \
                                   const CublasPointers<T>& b, const CublasPointers<T>& c) {       \
    const T one(1), zero(0);                                                                       \
    const cublasOperation_t transposed = CUBLAS_OP_T, plain = CUBLAS_OP_N;                         \
    checkCublas(cublas##LETTER##gemmGroupedBatched(cublasHandle(), &transposed, &plain, &m, &n,    \
                                                   &k, &one, a.data, &a.column, b.data, &b.column, \
                                                   &zero, c.data, &c.column, 1, &cells));          \
  }
KONTRACT_BENCH_CUBLAS_GROUPED(float, S)
KONTRACT_BENCH_CUBLAS_GROUPED(double, D)
#undef KONTRACT_BENCH_CUBLAS_GROUPED
#endif

}  // namespace KontractBench

#endif
