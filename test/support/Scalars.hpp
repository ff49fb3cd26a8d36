// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_SCALARS_HPP
#define KONTRACT_TEST_SCALARS_HPP

#include <Kokkos_Complex.hpp>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <random>
#include <type_traits>

namespace KontractTest {

/// What the oracle computes a scalar type in, and what the scalar type can hold.
template <class T>
struct ScalarOf {
  using Wide = long double;
  using Real = T;
  static Wide widen(T x) { return static_cast<Wide>(x); }
  static T make(double x, double) { return static_cast<T>(x); }
};
template <class T>
struct ScalarOf<Kokkos::complex<T>> {
  using Wide = std::complex<long double>;
  using Real = T;
  static Wide widen(const Kokkos::complex<T>& x) { return Wide(x.real(), x.imag()); }
  static Kokkos::complex<T> make(double x, double y) { return {T(x), T(y)}; }
};

template <class T>
using WideOf = typename ScalarOf<T>::Wide;

/// The rounding error of one operation in T; integers make none.
template <class T>
constexpr long double roundingOf() {
  using Real = typename ScalarOf<T>::Real;
  return std::is_integral_v<Real> ? 0.0L
                                  : static_cast<long double>(std::numeric_limits<Real>::epsilon());
}

/// What an output that is to be overwritten holds before: a value that poisons every sum.
template <class T>
T poison() {
  using Real = typename ScalarOf<T>::Real;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return std::is_integral_v<Real> ? ScalarOf<T>::make(101, 101) : ScalarOf<T>::make(nan, nan);
}

/// What lies around and between the elements of an array.
template <class T>
T guard() {
  return ScalarOf<T>::make(-77, 55);
}

/// Random values, the same in every run unless KONTRACT_TEST_SEED says otherwise.
class Random {
 public:
  Random() {
    const char* const given = std::getenv("KONTRACT_TEST_SEED");
    const unsigned long seed = given == nullptr ? 20231 : std::strtoul(given, nullptr, 10);
    std::cout << "(KONTRACT_TEST_SEED=" << seed << ") ";
    this->seed(seed);
  }

  void seed(unsigned long seed) { _engine.seed(static_cast<std::mt19937::result_type>(seed)); }

  /// Between 1/2 and 1 in absolute value, so that every term of a sum matters and division is safe;
  /// whole numbers from 1 to 4 for integers.
  template <class T>
  T value() {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(sign() * static_cast<int>(1 + below(4)));
    } else {
      const double x = real(), y = real();
      return ScalarOf<T>::make(x, y);
    }
  }

  double real() { return sign() * std::uniform_real_distribution<double>(0.5, 1.0)(_engine); }

  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(_engine);
  }

 private:
  int sign() { return below(2) == 0 ? -1 : 1; }
  std::mt19937 _engine;
};

/// The generator of this program.
inline Random& random() {
  static Random instance;
  return instance;
}

}  // namespace KontractTest

#endif
