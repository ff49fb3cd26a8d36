// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_KNOWNDIVISOR_HPP
#define KONTRACT_KNOWNDIVISOR_HPP

#include <Kokkos_Macros.hpp>
#include <cstdint>

namespace Kontract {
namespace Impl {

/// What FastDivisor does, by a number that is known when compiling: takes the index that has this
/// extent off a count of several.
template <int extent>
KOKKOS_FORCEINLINE_FUNCTION int takeKnown(std::uint32_t& count) {
  const std::uint32_t index = count % extent;
  count /= extent;
  return static_cast<int>(index);
}

}  // namespace Impl
}  // namespace Kontract

#endif
