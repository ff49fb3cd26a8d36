// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_HostKokkosKernels.hpp"

#include <cstdint>
#include <limits>

#ifdef KONTRACT_HAVE_KOKKOSKERNELS
#include <Kokkos_Core.hpp>
// Decl before Impl, which newer versions include by themselves.
#include <KokkosBatched_Gemm_Decl.hpp>
#include <KokkosBatched_Gemm_Serial_Impl.hpp>
#endif

namespace Kontract {
namespace Impl {

std::string HostKokkosKernels::whyNot(const CellMatrices& m) {
  for (const std::int64_t span : {m.lefts * m.out_left + m.rights * m.out_right,
                                  m.lefts * m.left_field + m.terms * m.left_term,
                                  m.rights * m.right_field + m.terms * m.right_term}) {
    if (span > std::numeric_limits<int>::max()) {
      return "needs matrices within 2^31 elements of memory, not " + std::to_string(span);
    }
  }
  return {};
}

#ifdef KONTRACT_HAVE_KOKKOSKERNELS
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

}  // namespace

template <class T>
void HostKokkosKernels::multiply(const CellMatrices& m, const T* left, const T* right, T* out,
                                 bool add) {
  using namespace KokkosBatched;
  using Gemm = SerialGemm<Trans::NoTranspose, Trans::NoTranspose, Algo::Gemm::Blocked>;
  Gemm::invoke(T(1), matrix(left, m.lefts, m.left_field, m.terms, m.left_term),
               matrix(right, m.terms, m.right_term, m.rights, m.right_field), T(add ? 1 : 0),
               matrix(out, m.lefts, m.out_left, m.rights, m.out_right));
}

template void HostKokkosKernels::multiply(const CellMatrices&, const float*, const float*, float*,
                                          bool);
template void HostKokkosKernels::multiply(const CellMatrices&, const double*, const double*,
                                          double*, bool);
template void HostKokkosKernels::multiply(const CellMatrices&, const Kokkos::complex<float>*,
                                          const Kokkos::complex<float>*, Kokkos::complex<float>*,
                                          bool);
template void HostKokkosKernels::multiply(const CellMatrices&, const Kokkos::complex<double>*,
                                          const Kokkos::complex<double>*, Kokkos::complex<double>*,
                                          bool);
#endif

}  // namespace Impl
}  // namespace Kontract
