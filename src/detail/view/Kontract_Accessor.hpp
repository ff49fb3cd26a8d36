// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_ACCESSOR_HPP
#define KONTRACT_ACCESSOR_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace Kontract {
namespace Impl {

/// The elements of an array seen through a pointer: what algorithms index, with strides of their
/// problem. T is const for inputs.
template <class T>
struct Accessor {
  using value_type = std::remove_const_t<T>;
  T* data;
  KOKKOS_FORCEINLINE_FUNCTION T& operator[](std::int64_t offset) const { return data[offset]; }
};

/// The elements of a view whose elements are proxies (Sacado's Fad types): a run of derivatives
/// and a value, each a plain scalar somewhere in memory. Strides count those scalars.
template <class Value, class Reference, class Scalar>
struct ProxyAccessor {
  using value_type = Value;
  Scalar* derivatives;    ///< first derivative of the element at offset 0
  std::int64_t value_at;  ///< distance from there to its value
  int count;              ///< number of derivatives
  std::int64_t stride;    ///< from one derivative to the next

  /// The proxy of an element; only where hasReferences().
  KOKKOS_FORCEINLINE_FUNCTION Reference operator[](std::int64_t offset) const {
    return Reference(derivatives + offset, derivatives + offset + value_at, count,
                     static_cast<int>(stride));
  }

  /// How far from the first derivative proxies find others: they count in 32 bits.
  static constexpr std::int64_t reach = std::numeric_limits<int>::max();
  bool hasReferences() const {
    return count < 2 || (stride <= reach / (count - 1) && stride >= -reach / (count - 1));
  }
};

/// What a Fad is made of, whatever its type: derivatives, and a value, each an S.
template <class S>
struct FadComponents {};

/// An array of Fads as the scalars that it is made of, whatever its Fad type; an array of plain
/// scalars is one of Fads without derivatives.
template <class T>
struct FadArray {
  using value_type = FadComponents<std::remove_const_t<T>>;
  T* derivatives;         ///< of the element at offset 0
  std::int64_t value_at;  ///< distance from there to its value
  std::int64_t count;     ///< number of derivatives
  std::int64_t stride;    ///< from one derivative to the next

  KOKKOS_FORCEINLINE_FUNCTION T* value() const { return derivatives + value_at; }
};

/// The elements from that offset on.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Accessor<T> from(const Accessor<T>& elements, std::int64_t offset) {
  return {elements.data + offset};
}
template <class Value, class Reference, class Scalar>
KOKKOS_FORCEINLINE_FUNCTION ProxyAccessor<Value, Reference, Scalar> from(
    ProxyAccessor<Value, Reference, Scalar> elements, std::int64_t offset) {
  elements.derivatives += offset;
  return elements;
}


/// Number of scalars of an element, and how many bytes those take.
template <class T>
std::int64_t scalarsOf(const Accessor<T>&) {
  return 1;
}
template <class Value, class Reference, class Scalar>
std::int64_t scalarsOf(const ProxyAccessor<Value, Reference, Scalar>& elements) {
  return elements.count + 1;
}
template <class T>
std::int64_t scalarsOf(const FadArray<T>& elements) {
  return elements.count + 1;
}
template <class T>
int bytesOf(const Accessor<T>&) {
  return sizeof(T);
}
template <class T>
int bytesOf(const FadArray<T>& elements) {
  return static_cast<int>(scalarsOf(elements) * std::int64_t(sizeof(T)));
}
template <class Value, class Reference, class Scalar>
int bytesOf(const ProxyAccessor<Value, Reference, Scalar>& elements) {
  return static_cast<int>(scalarsOf(elements) * std::int64_t(sizeof(Scalar)));
}

template <class T>
inline constexpr bool are_proxies = false;
template <class Value, class Reference, class Scalar>
inline constexpr bool are_proxies<ProxyAccessor<Value, Reference, Scalar>> = true;

/// Whether elements are Fads, by themselves or by their scalars.
template <class T>
inline constexpr bool are_fads = are_proxies<T>;
template <class T>
inline constexpr bool are_fads<FadArray<T>> = true;

/// Why elements cannot be had as references; empty if they can.
template <class T>
std::string whyNoReferences(const Accessor<T>&) {
  return {};
}
template <class Value, class Reference, class Scalar>
std::string whyNoReferences(const ProxyAccessor<Value, Reference, Scalar>& elements) {
  if (elements.hasReferences()) return {};
  return "has derivatives with stride " + std::to_string(elements.stride) +
         ", but Sacado's elements, which this call uses, reach " + std::to_string(elements.reach) +
         " from the first one: it needs fewer elements in its allocation, or LayoutRight";
}

/// Whether a view hands out proxies: its memory is then not made of its value type.
template <class View>
inline constexpr bool has_proxies =
    !std::is_same_v<std::remove_const_t<std::remove_pointer_t<typename View::pointer_type>>,
                    typename View::non_const_value_type>;

}  // namespace Impl
}  // namespace Kontract

#endif
