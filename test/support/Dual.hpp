// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_DUAL_HPP
#define KONTRACT_TEST_DUAL_HPP

#include <array>

namespace KontractTest {

/// A value with derivatives, by the rules of sum, product and quotient written out: what Sacado's
/// Fad types are compared with.
struct Dual {
  static constexpr int derivatives = 3;

  long double value = 0;
  std::array<long double, derivatives> dx{};

  Dual() = default;
  Dual(long double x) : value(x) {}  // NOLINT: a constant

  Dual& operator+=(const Dual& other) {
    value += other.value;
    for (int i = 0; i < derivatives; ++i) dx[i] += other.dx[i];
    return *this;
  }
};

inline Dual operator*(const Dual& a, const Dual& b) {
  Dual c(a.value * b.value);
  for (int i = 0; i < Dual::derivatives; ++i) c.dx[i] = a.dx[i] * b.value + a.value * b.dx[i];
  return c;
}

inline Dual operator/(const Dual& a, const Dual& b) {
  Dual c(a.value / b.value);
  for (int i = 0; i < Dual::derivatives; ++i) {
    c.dx[i] = (a.dx[i] * b.value - a.value * b.dx[i]) / (b.value * b.value);
  }
  return c;
}

inline Dual operator-(const Dual& a, const Dual& b) {
  Dual c(a.value - b.value);
  for (int i = 0; i < Dual::derivatives; ++i) c.dx[i] = a.dx[i] - b.dx[i];
  return c;
}

}  // namespace KontractTest

#endif
