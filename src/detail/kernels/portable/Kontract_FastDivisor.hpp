// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FASTDIVISOR_HPP
#define KONTRACT_FASTDIVISOR_HPP

#include <Kokkos_Macros.hpp>
#include <cstdint>

namespace Kontract {
namespace Impl {

/// Divides numbers below 2^31 by the same number over and over, with a product and a shift.
/// Source: Granlund and Montgomery, "Division by invariant integers using multiplication" (1994).
class FastDivisor {
 public:
  static constexpr std::int64_t end = std::int64_t(1) << 31;  ///< of numbers and divisors

  FastDivisor() = default;
  explicit FastDivisor(std::int64_t divisor) : _divisor(static_cast<std::uint32_t>(divisor)) {
    while (divisor > std::int64_t(1) << (_shift - 31)) ++_shift;
    const std::uint64_t power = std::uint64_t(1) << _shift;
    _factor = static_cast<std::uint32_t>((power + _divisor - 1) / _divisor);
  }

  /// Takes the index that has this extent off a count of several: returns it and leaves the rest.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t takeFrom(std::uint32_t& count) const {
    const std::uint32_t quotient =
        static_cast<std::uint32_t>(std::uint64_t(count) * _factor >> _shift);
    const std::uint32_t index = count - quotient * _divisor;
    count = quotient;
    return index;
  }

 private:
  std::uint32_t _divisor = 1, _factor = std::uint32_t(1) << 31;
  int _shift = 31;
};

}  // namespace Impl
}  // namespace Kontract

#endif
