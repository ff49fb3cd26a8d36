// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_REPLACEDFUNCTIONS_HPP
#define KONTRACT_REPLACEDFUNCTIONS_HPP

#include <type_traits>

#include "detail/call/Kontract_Call.hpp"

namespace Kontract {
namespace Impl {

/// Whether Kontract takes an argument of a function of Intrepid2: a view that it can describe, in
/// memory that DeviceType reaches, or a flag.
template <class DeviceType, class T>
constexpr bool takesArgument() {
  if constexpr (is_array<T>) {
    using Layout = typename T::array_layout;
    return (std::is_base_of_v<Kokkos::LayoutLeft, Layout> ||
            std::is_base_of_v<Kokkos::LayoutRight, Layout> ||
            std::is_base_of_v<Kokkos::LayoutStride, Layout>)&&Kokkos::
        SpaceAccessibility<typename DeviceType::execution_space,
                           typename T::memory_space>::accessible;
  } else {
    return std::is_arithmetic_v<T>;
  }
}

/// Whether a call can go to Kontract; known when compiling.
template <class DeviceType, class... Arguments>
inline constexpr bool takes_call = (takesArgument<DeviceType, Arguments>() && ...);

}  // namespace Impl
}  // namespace Kontract

/// A function of Intrepid2 that is Kontract's for all calls that it takes, and Intrepid2's else.
/// Ours and Theirs are the classes; a call may name the value type of its output.
#define KONTRACT_REPLACED(RESULT, FUNCTION)                                    \
  template <class OutputValue = void, class... Properties, class... Arguments> \
  static RESULT FUNCTION(const Arguments&... arguments) {                      \
    if constexpr (Kontract::Impl::takes_call<DeviceType, Arguments...>) {      \
      return Ours::FUNCTION(arguments...);                                     \
    } else {                                                                   \
      return Theirs::FUNCTION(arguments...);                                   \
    }                                                                          \
  }

#endif
