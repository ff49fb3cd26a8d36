// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_KOKKOSKERNELS_HPP
#define KONTRACT_KOKKOSKERNELS_HPP

#include "Kontract_CellProducts.hpp"
#include "Kontract_HostKokkosKernels.hpp"

namespace Kontract {
namespace Impl {

/// KokkosBatched's serial gemm for each cell, on hosts: a peer to compare with, and a check.
struct KokkosKernels : CellProductsOf<HostKokkosKernels> {
  static constexpr const char* name = "Kokkos Kernels";
  static constexpr const char* summary = "KokkosBatched's serial gemm for each cell";
};

}  // namespace Impl
}  // namespace Kontract

#endif
