// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "PeersOnMatrices.hpp"

#ifdef KONTRACT_BENCH_HAVE_OPENBLAS
#include <cblas.h>
#endif

namespace KontractBench {
#ifdef KONTRACT_BENCH_HAVE_OPENBLAS
namespace {

// One name for the four types. Row-major: out (m x n) = left (m x k) times right (n x k)
// transposed.
#define KONTRACT_BENCH_REAL_BLAS(T, LETTER)                                                      \
  void gemm(int m, int n, int k, const T* a, int lda, const T* b, int ldb, T* c, int ldc) {      \
    cblas_##LETTER##gemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1, a, lda, b, ldb, 0, \
                         c, ldc);                                                                \
  }                                                                                              \
  void gemv(int n, int k, const T* b, int ldb, const T* x, T* y, int step) {                     \
    cblas_##LETTER##gemv(CblasRowMajor, CblasNoTrans, n, k, 1, b, ldb, x, 1, 0, y, step);        \
  }                                                                                              \
  void dot(int k, const T* a, const T* b, T* c) { *c = cblas_##LETTER##dot(k, a, 1, b, 1); }
#define KONTRACT_BENCH_COMPLEX_BLAS(T, LETTER)                                                   \
  void gemm(int m, int n, int k, const T* a, int lda, const T* b, int ldb, T* c, int ldc) {      \
    const T one(1), zero(0);                                                                     \
    cblas_##LETTER##gemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, &one, a, lda, b, ldb, \
                         &zero, c, ldc);                                                         \
  }                                                                                              \
  void gemv(int n, int k, const T* b, int ldb, const T* x, T* y, int step) {                     \
    const T one(1), zero(0);                                                                     \
    cblas_##LETTER##gemv(CblasRowMajor, CblasNoTrans, n, k, &one, b, ldb, x, 1, &zero, y, step); \
  }                                                                                              \
  void dot(int k, const T* a, const T* b, T* c) { cblas_##LETTER##dotu_sub(k, a, 1, b, 1, c); }
KONTRACT_BENCH_REAL_BLAS(float, s)
KONTRACT_BENCH_REAL_BLAS(double, d)
KONTRACT_BENCH_COMPLEX_BLAS(Kokkos::complex<float>, c)
KONTRACT_BENCH_COMPLEX_BLAS(Kokkos::complex<double>, z)

}  // namespace

template <class Scalar>
Offer openBlas(const Matrices& problem, const Copies<Scalar>& copies) {
  if (!on_host) return {nullptr, "it runs on the host"};
  if (problem.left.column != 1 || problem.right.column != 1 ||
      (problem.columns > 1 && problem.rows > 1 && problem.out.column != 1)) {
    return {nullptr, "it needs points side by side"};
  }
  // Threads of the execution space share the cells; a cell is one thread's.
  openblas_set_num_threads(1);
  return {[problem, copies](int copy) {
            const Pointers<Scalar> at = copies[copy];
            const auto& [cells, rows, columns, terms, out, left, right, refusal, operation] =
                problem;
            const int m = int(rows), n = int(columns), k = int(terms);
            const bool is_dot = m == 1 && n == 1, is_vector = m == 1;
            const Matrices::Strides o = out, l = left, r = right;
            forEachCell(cells, [=](std::int64_t begin, std::int64_t end) {
              for (std::int64_t c = begin; c < end; ++c) {
                Scalar* const to = at.out + c * o.cell;
                const Scalar* const a = at.left + c * l.cell;
                const Scalar* const b = at.right + c * r.cell;
                if (is_dot) {
                  dot(k, a, b, to);
                } else if (is_vector) {
                  gemv(n, k, b, int(r.row), a, to, int(std::max<std::int64_t>(1, o.column)));
                } else {
                  gemm(m, n, k, a, int(l.row), b, int(r.row), to, int(o.row));
                }
              }
            });
          },
          ""};
}
#else
template <class Scalar>
Offer openBlas(const Matrices&, const Copies<Scalar>&) {
  return {nullptr, "it is not in this program"};
}
#endif

#define KONTRACT_BENCH_INSTANTIATE(SCALAR) \
  template Offer openBlas(const Matrices&, const Copies<SCALAR>&);
KONTRACT_BENCH_FOR_SCALARS(KONTRACT_BENCH_INSTANTIATE)

}  // namespace KontractBench
