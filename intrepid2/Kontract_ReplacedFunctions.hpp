// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_REPLACEDFUNCTIONS_HPP
#define KONTRACT_REPLACEDFUNCTIONS_HPP

#include <type_traits>

#include "detail/call/Kontract_Call.hpp"
#include "detail/call/Kontract_IsMapping.hpp"

namespace Kontract {
namespace Impl {

/// Whether Kontract takes an argument of a function of Intrepid2: a view that it can describe, in
/// memory that DeviceType reaches, a flag, number or kind of norm, or what names cells.
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
    return std::is_arithmetic_v<T> || std::is_enum_v<T> || is_mapping<T>;
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
  static RESULT FUNCTION(Arguments&&... arguments) {                           \
    using namespace Kontract::Impl;                                            \
    if constexpr (takes_call<DeviceType, std::decay_t<Arguments>...>) {        \
      return Ours::FUNCTION(arguments...);                                     \
    } else {                                                                   \
      return Theirs::FUNCTION(arguments...);                                   \
    }                                                                          \
  }

/// The same, of calls whose cells decide when they are made.
#define KONTRACT_REPLACED_MAPPING(FUNCTION)                                   \
  template <class... Arguments>                                               \
  static void FUNCTION(const Arguments&... arguments) {                       \
    using namespace Kontract::Impl;                                           \
    if constexpr (takes_call<DeviceType, Arguments...>) {                     \
      if (CellMapping<DeviceType, Function::FUNCTION>::takes(arguments...)) { \
        return Ours::FUNCTION(arguments...);                                  \
      }                                                                       \
    }                                                                         \
    Theirs::FUNCTION(arguments...);                                           \
  }

#endif
