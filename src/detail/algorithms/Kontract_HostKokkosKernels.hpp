// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_HOSTKOKKOSKERNELS_HPP
#define KONTRACT_HOSTKOKKOSKERNELS_HPP

#include <string>

#include "detail/problem/Kontract_Work.hpp"
#include "detail/support/Kontract_Config.hpp"

namespace Kontract {
namespace Impl {

/// KokkosBatched on hosts, for CellProductsOf.
struct HostKokkosKernels {
#ifdef KONTRACT_HAVE_KOKKOSKERNELS
  static constexpr bool is_built_in = true;
#else
  static constexpr bool is_built_in = false;
#endif

  /// Why matrices are too long for KokkosBatched, which multiplies indices by strides in 32 bits;
  /// empty if they are not.
  static std::string whyNot(const CellMatrices& matrices);

  /// out (+)= left * right^T for matrices of any strides. Compiled in the library, if built in, so
  /// that users of Kontract need not compile Kokkos Kernels.
  template <class T>
  static void multiply(const CellMatrices& matrices, const T* left, const T* right, T* out,
                       bool add);
};

}  // namespace Impl
}  // namespace Kontract

#endif
