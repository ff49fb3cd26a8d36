// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_ISMAPPING_HPP
#define KONTRACT_ISMAPPING_HPP

#include <type_traits>
#include <utility>

namespace Kontract {
namespace Impl {

// What names cells is known by what it can do, so that this needs no header of Shards or Intrepid2.
template <class T, class = void>
inline constexpr bool is_topology = false;
template <class T>
inline constexpr bool
    is_topology<T, std::void_t<decltype(std::declval<const T&>().getCellTopologyData())>> = true;

template <class T, class = void>
inline constexpr bool is_basis_pointer = false;
template <class T>
inline constexpr bool
    is_basis_pointer<T, std::void_t<decltype(std::declval<const T&>()->getBaseCellTopology())>> =
        true;

/// Whether an argument names cells: a topology of Shards, or a basis of Intrepid2 behind a pointer.
template <class T>
inline constexpr bool is_mapping = is_topology<T> || is_basis_pointer<T>;

}  // namespace Impl
}  // namespace Kontract

#endif
