// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_STAGEDOUTPUT_HPP
#define KONTRACT_STAGEDOUTPUT_HPP

#include <cstdint>

#include "detail/support/Kontract_Scalar.hpp"

namespace Kontract {
namespace Impl {

/// Where sums go: out(c,l,r), overwritten or added to.
template <class T>
struct StagedOutput {
  T* data;
  std::int64_t cells, lefts, rights;
  std::int64_t cell, left, right;  ///< strides
  bool sum_into;
  std::int64_t component = 0;  ///< stride, of Fads whose components are far apart

  KOKKOS_FORCEINLINE_FUNCTION void put(T& element, const T& sum) const {
    if (sum_into) {
      store<true>(element, sum);
    } else {
      store<false>(element, sum);
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
