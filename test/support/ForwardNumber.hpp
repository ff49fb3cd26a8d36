// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_FORWARDNUMBER_HPP
#define KONTRACT_TEST_FORWARDNUMBER_HPP

#include <Kokkos_Core.hpp>
#include <cmath>
#include <type_traits>

#include "Kontract_PointState.hpp"

namespace KontractTest {

/// A number with derivatives, by the rules written out: what a law is differentiated by where there
/// is no Sacado.
template <class Real, int count>
struct ForwardNumber {
  Real value;
  Real slopes[count];

  ForwardNumber() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  KOKKOS_FUNCTION ForwardNumber(T constant) : value(Real(constant)), slopes{} {}  // NOLINT
  KOKKOS_FUNCTION ForwardNumber(int, int direction, Real x) : value(x), slopes{} {
    slopes[direction] = 1;
  }
  KOKKOS_FUNCTION Real dx(int i) const { return slopes[i]; }

  /// The number f(a) where the derivative of f is that.
  KOKKOS_FUNCTION static ForwardNumber ofOne(Real f, const ForwardNumber& a, Real derivative) {
    return ofTwo(f, a, derivative, a, Real(0));
  }
  KOKKOS_FUNCTION static ForwardNumber ofTwo(Real f, const ForwardNumber& a, Real by_a,
                                             const ForwardNumber& b, Real by_b) {
    ForwardNumber result(f);
    for (int i = 0; i < count; ++i) result.slopes[i] = by_a * a.slopes[i] + by_b * b.slopes[i];
    return result;
  }

  KOKKOS_FUNCTION friend ForwardNumber operator+(const ForwardNumber& a, const ForwardNumber& b) {
    return ofTwo(a.value + b.value, a, 1, b, 1);
  }
  KOKKOS_FUNCTION friend ForwardNumber operator-(const ForwardNumber& a, const ForwardNumber& b) {
    return ofTwo(a.value - b.value, a, 1, b, -1);
  }
  KOKKOS_FUNCTION friend ForwardNumber operator*(const ForwardNumber& a, const ForwardNumber& b) {
    return ofTwo(a.value * b.value, a, b.value, b, a.value);
  }
  KOKKOS_FUNCTION friend ForwardNumber operator/(const ForwardNumber& a, const ForwardNumber& b) {
    return ofTwo(a.value / b.value, a, 1 / b.value, b, -a.value / (b.value * b.value));
  }
  KOKKOS_FUNCTION friend ForwardNumber log(const ForwardNumber& a) {
    using std::log;
    return ofOne(log(a.value), a, 1 / a.value);
  }
};

}  // namespace KontractTest

namespace Kontract {
template <class Real, int directions>
struct DerivativeNumber {
  using type = KontractTest::ForwardNumber<Real, directions>;
};
}  // namespace Kontract

#endif
