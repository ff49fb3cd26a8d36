// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_HostKokkosKernels.hpp"

#include "detail/support/Kontract_Config.hpp"

#ifdef KONTRACT_HAVE_KOKKOSKERNELS
#include <Kokkos_Core.hpp>
// Decl before Impl, which newer versions include by themselves.
#include <KokkosBatched_Gemm_Decl.hpp>
#include <KokkosBatched_Gemm_Serial_Impl.hpp>

namespace Kontract {
namespace Impl {
namespace {

/// A matrix in the caller's memory.
template <class T>
using Matrix = Kokkos::View<T**, Kokkos::LayoutStride, Kokkos::HostSpace,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class T>
Matrix<T> matrix(T* data, std::int64_t rows, std::int64_t row_step, std::int64_t columns,
                 std::int64_t column_step) {
  return Matrix<T>(data, Kokkos::LayoutStride(std::size_t(rows), std::size_t(row_step),
                                              std::size_t(columns), std::size_t(column_step)));
}

template <class T>
void multiply(const CellMatrices& m, const T* left, const T* right, T* out, bool add) {
  using namespace KokkosBatched;
  using Gemm = SerialGemm<Trans::NoTranspose, Trans::NoTranspose, Algo::Gemm::Blocked>;
  Gemm::invoke(T(1), matrix(left, m.lefts, m.left_field, m.terms, m.left_term),
               matrix(right, m.terms, m.right_term, m.rights, m.right_field), T(add ? 1 : 0),
               matrix(out, m.lefts, m.out_left, m.rights, m.out_right));
}

}  // namespace

void multiplyByKokkosKernels(const CellMatrices& matrices, const float* left, const float* right,
                             float* out, bool add) {
  multiply(matrices, left, right, out, add);
}
void multiplyByKokkosKernels(const CellMatrices& matrices, const double* left, const double* right,
                             double* out, bool add) {
  multiply(matrices, left, right, out, add);
}
void multiplyByKokkosKernels(const CellMatrices& matrices, const Kokkos::complex<float>* left,
                             const Kokkos::complex<float>* right, Kokkos::complex<float>* out,
                             bool add) {
  multiply(matrices, left, right, out, add);
}
void multiplyByKokkosKernels(const CellMatrices& matrices, const Kokkos::complex<double>* left,
                             const Kokkos::complex<double>* right, Kokkos::complex<double>* out,
                             bool add) {
  multiply(matrices, left, right, out, add);
}

}  // namespace Impl
}  // namespace Kontract
#endif
