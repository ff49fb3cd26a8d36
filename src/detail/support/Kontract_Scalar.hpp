// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SCALAR_HPP
#define KONTRACT_SCALAR_HPP

#include <Kokkos_Complex.hpp>
#include <Kokkos_Core.hpp>
#include <type_traits>

namespace Kontract {
namespace Impl {

template <class T>
struct IsComplex : std::false_type {};
template <class T>
struct IsComplex<Kokkos::complex<T>> : std::true_type {};

/// Scalars whose arithmetic is spelt out here; every other type (Fad and the like) brings its own.
template <class T>
inline constexpr bool is_plain = std::is_arithmetic_v<T> || IsComplex<T>::value;

/// Whether values are integers, or Fads of integers.
template <class T, class = void>
inline constexpr bool is_of_integers = std::is_integral_v<T>;
template <class T>
inline constexpr bool
    is_of_integers<T, std::void_t<std::enable_if_t<!is_plain<T>>, typename T::value_type>> =
        is_of_integers<typename T::value_type>;

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<Kokkos::complex<T>> {
  using type = T;
};

/// The type in which sums are kept: the output's value type, or wider where an input is wider.
template <class Out, class Left, class Right, bool plain = is_plain<Out>>
struct Accumulator {
  using type = Out;
};
template <class Out, class Left, class Right>
struct Accumulator<Out, Left, Right, true> {
  static_assert(
      is_plain<Left> && is_plain<Right>,
      "Kontract: an output of plain scalars cannot hold Fad (or other class type) inputs");
  static_assert(IsComplex<Out>::value || !(IsComplex<Left>::value || IsComplex<Right>::value),
                "Kontract: complex inputs need a complex output");
  using Real = std::common_type_t<typename RealOf<Out>::type, typename RealOf<Left>::type,
                                  typename RealOf<Right>::type>;
  using type = std::conditional_t<IsComplex<Out>::value, Kokkos::complex<Real>, Real>;
};

/// Brings an operand to the precision of the accumulator; a real operand of a complex sum stays
/// real, which saves half of the products.
template <class Acc, class T>
KOKKOS_FORCEINLINE_FUNCTION auto widen(const T& x) {
  if constexpr (is_plain<Acc> && IsComplex<T>::value) {
    using Real = typename RealOf<Acc>::type;
    return Kokkos::complex<Real>(static_cast<Real>(x.real()), static_cast<Real>(x.imag()));
  } else if constexpr (is_plain<Acc>) {
    return static_cast<typename RealOf<Acc>::type>(x);
  } else {
    return static_cast<typename Acc::value_type>(x);
  }
}

/// A class-type operand of a class-type sum (Fad times Fad) is used as it is, without a copy.
template <class Acc, class T>
inline constexpr bool used_as_is = !is_plain<Acc> && !is_plain<T>;

/// acc + a * b in real numbers. On devices it is rounded once, whatever the loop around it:
/// compilers fuse as they like, and a sum would depend on how a kernel was compiled.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real fusedOnDevices(Real acc, Real a, Real b) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__) || defined(__SYCL_DEVICE_ONLY__)
  if constexpr (std::is_floating_point_v<Real>) return fma(a, b, acc);
#endif
  return acc + a * b;
}

/// acc += a * b
template <class Acc, class A, class B>
KOKKOS_FORCEINLINE_FUNCTION void multiplyAdd(Acc& acc, const A& a, const B& b) {
  if constexpr (used_as_is<Acc, A> && used_as_is<Acc, B>) {
    acc += a * b;
  } else if constexpr (used_as_is<Acc, A>) {
    acc += a * widen<Acc>(b);
  } else if constexpr (used_as_is<Acc, B>) {
    acc += widen<Acc>(a) * b;
  } else if constexpr (IsComplex<A>::value && IsComplex<B>::value) {
    // In real and imaginary parts, so that each becomes two fused multiply-adds.
    const auto x = widen<Acc>(a);
    const auto y = widen<Acc>(b);
    acc.real(fusedOnDevices(fusedOnDevices(acc.real(), x.real(), y.real()), -x.imag(), y.imag()));
    acc.imag(fusedOnDevices(fusedOnDevices(acc.imag(), x.real(), y.imag()), x.imag(), y.real()));
  } else if constexpr (std::is_arithmetic_v<Acc>) {
    acc = fusedOnDevices<Acc>(acc, widen<Acc>(a), widen<Acc>(b));
  } else {
    acc += widen<Acc>(a) * widen<Acc>(b);
  }
}

/// b / a, in the precision of the accumulator
template <class Acc, class A, class B>
KOKKOS_FORCEINLINE_FUNCTION Acc quotient(const B& b, const A& a) {
  if constexpr (used_as_is<Acc, A> && used_as_is<Acc, B>) {
    return Acc(b / a);
  } else if constexpr (used_as_is<Acc, A>) {
    return Acc(widen<Acc>(b) / a);
  } else if constexpr (used_as_is<Acc, B>) {
    return Acc(b / widen<Acc>(a));
  } else {
    return Acc(widen<Acc>(b) / widen<Acc>(a));
  }
}

/// Writes a finished sum into an output element, which may be narrower, or a Fad proxy.
template <bool add, class Acc, class Reference>
KOKKOS_FORCEINLINE_FUNCTION void store(Reference&& out, const Acc& acc) {
  using Out = std::decay_t<Reference>;
  if constexpr (!is_plain<Acc>) {
    if constexpr (add) {
      out += acc;
    } else {
      out = acc;
    }
  } else if constexpr (IsComplex<Out>::value) {
    using Real = typename RealOf<Out>::type;
    const Out narrow(static_cast<Real>(acc.real()), static_cast<Real>(acc.imag()));
    out = add ? out + narrow : narrow;
  } else {
    out = add ? static_cast<Out>(out + acc) : static_cast<Out>(acc);
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
