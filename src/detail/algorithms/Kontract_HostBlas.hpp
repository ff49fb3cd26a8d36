// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_HOSTBLAS_HPP
#define KONTRACT_HOSTBLAS_HPP

#include <string>

#include "detail/problem/Kontract_Work.hpp"
#include "detail/support/Kontract_Config.hpp"

namespace Kontract {
namespace Impl {

/// The host's BLAS, for CellProductsOf.
struct HostBlas {
#ifdef KONTRACT_HAVE_BLAS
  static constexpr bool is_built_in = true;
#else
  static constexpr bool is_built_in = false;
#endif

  /// Why gemm cannot take matrices: it wants one unit stride in each of them; empty if it can.
  static std::string whyNot(const CellMatrices& matrices);

  /// out (+)= left * right^T for matrices that gemm takes. Compiled in the library, if built in.
  template <class T>
  static void multiply(const CellMatrices& matrices, const T* left, const T* right, T* out,
                       bool add);
};

}  // namespace Impl
}  // namespace Kontract

#endif
