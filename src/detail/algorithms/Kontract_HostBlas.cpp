// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_HostBlas.hpp"

#include <Teuchos_config.h>

#include <Kokkos_Complex.hpp>
#include <algorithm>

#ifndef F77_BLAS_MANGLE
#define F77_BLAS_MANGLE(name, NAME) name##_
#endif

#define KONTRACT_GEMM(T, name, NAME)                                                            \
  extern "C" void F77_BLAS_MANGLE(name, NAME)(const char*, const char*, const int*, const int*, \
                                              const int*, const T*, const T*, const int*,       \
                                              const T*, const int*, const T*, T*, const int*);  \
  static void gemm(char trans_a, char trans_b, int m, int n, int k, const T* a, int lda,        \
                   const T* b, int ldb, T beta, T* c, int ldc) {                                \
    const T one(1);                                                                             \
    F77_BLAS_MANGLE(name, NAME)                                                                 \
    (&trans_a, &trans_b, &m, &n, &k, &one, a, &lda, b, &ldb, &beta, c, &ldc);                   \
  }
#ifdef KONTRACT_HAVE_BLAS
KONTRACT_GEMM(float, sgemm, SGEMM)
KONTRACT_GEMM(double, dgemm, DGEMM)
KONTRACT_GEMM(Kokkos::complex<float>, cgemm, CGEMM)
KONTRACT_GEMM(Kokkos::complex<double>, zgemm, ZGEMM)
#endif

namespace Kontract {
namespace Impl {
namespace {

/// A matrix as gemm wants it: neighbours in one index side by side, at least a column apart in the
/// other.
struct GemmMatrix {
  bool is_possible = false;
  bool is_transposed = false;  ///< neighbours are side by side in the column index
  int leading = 1;
};

/// Strides of an index of one element do not matter.
GemmMatrix gemmMatrix(std::int64_t rows, std::int64_t row_step, std::int64_t columns,
                      std::int64_t column_step) {
  const auto fits = [](std::int64_t inner, std::int64_t inner_step, std::int64_t outer,
                       std::int64_t outer_step) {
    return (inner <= 1 || inner_step == 1) && (outer <= 1 || outer_step >= inner);
  };
  const auto leading = [](std::int64_t inner, std::int64_t outer, std::int64_t outer_step) {
    const std::int64_t least = std::max<std::int64_t>(1, inner);
    return static_cast<int>(outer <= 1 ? least : std::max(least, outer_step));
  };
  if (fits(rows, row_step, columns, column_step)) {
    return {true, false, leading(rows, columns, column_step)};
  }
  if (fits(columns, column_step, rows, row_step)) {
    return {true, true, leading(columns, rows, row_step)};
  }
  return {};
}

struct GemmMatrices {
  GemmMatrix out, left, right;
  explicit GemmMatrices(const CellMatrices& m)
      : out(gemmMatrix(m.lefts, m.out_left, m.rights, m.out_right)),
        left(gemmMatrix(m.lefts, m.left_field, m.terms, m.left_term)),
        right(gemmMatrix(m.rights, m.right_field, m.terms, m.right_term)) {}
};

}  // namespace

std::string HostBlas::whyNot(const CellMatrices& m) {
  const GemmMatrices gemm(m);
  const auto why = [](const char* array, std::int64_t field, std::int64_t other,
                      const char* other_name) {
    return std::string("needs ") + array + " with unit stride along its fields or " + other_name +
           " and at least a row or column in the other; they are " + std::to_string(field) +
           " and " + std::to_string(other);
  };
  if (!gemm.left.is_possible) {
    return why("a left input", m.left_field, m.left_term, "the contracted indices");
  }
  if (!gemm.right.is_possible) {
    return why("a right input", m.right_field, m.right_term, "the contracted indices");
  }
  if (!gemm.out.is_possible) return why("an output", m.out_left, m.out_right, "right fields");
  return {};
}

#ifdef KONTRACT_HAVE_BLAS
/// gemm computes columns: of out(l,r) = left(l,k) right(r,k), or of its transpose.
template <class T>
void HostBlas::multiply(const CellMatrices& m, const T* left, const T* right, T* out, bool add) {
  const GemmMatrices gemm_of(m);
  const int lefts = int(m.lefts), rights = int(m.rights), terms = int(m.terms);
  const T beta(add ? 1 : 0);
  const auto as_is = [](const GemmMatrix& matrix) { return matrix.is_transposed ? 'T' : 'N'; };
  const auto turned = [](const GemmMatrix& matrix) { return matrix.is_transposed ? 'N' : 'T'; };
  const GemmMatrix &a = gemm_of.left, &b = gemm_of.right;
  if (!gemm_of.out.is_transposed) {
    gemm(as_is(a), turned(b), lefts, rights, terms, left, a.leading, right, b.leading, beta, out,
         gemm_of.out.leading);
  } else {
    gemm(as_is(b), turned(a), rights, lefts, terms, right, b.leading, left, a.leading, beta, out,
         gemm_of.out.leading);
  }
}

template void HostBlas::multiply(const CellMatrices&, const float*, const float*, float*, bool);
template void HostBlas::multiply(const CellMatrices&, const double*, const double*, double*, bool);
template void HostBlas::multiply(const CellMatrices&, const Kokkos::complex<float>*,
                                 const Kokkos::complex<float>*, Kokkos::complex<float>*, bool);
template void HostBlas::multiply(const CellMatrices&, const Kokkos::complex<double>*,
                                 const Kokkos::complex<double>*, Kokkos::complex<double>*, bool);
#endif

}  // namespace Impl
}  // namespace Kontract
