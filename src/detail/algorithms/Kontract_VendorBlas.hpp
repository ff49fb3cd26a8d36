// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_VENDORBLAS_HPP
#define KONTRACT_VENDORBLAS_HPP

#include "Kontract_CellProducts.hpp"
#include "Kontract_HostBlas.hpp"

namespace Kontract {
namespace Impl {

/// One gemm of the host's BLAS for each cell: a peer to compare with, and a check.
struct VendorBlas : CellProductsOf<HostBlas> {
  static constexpr const char* name = "Vendor BLAS";
  static constexpr const char* summary = "a gemm of the host's BLAS for each cell";
};

}  // namespace Impl
}  // namespace Kontract

#endif
