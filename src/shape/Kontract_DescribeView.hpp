// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_DESCRIBEVIEW_HPP
#define KONTRACT_DESCRIBEVIEW_HPP

#include <Kokkos_Core.hpp>
#if defined(SACADO_HPP) || \
    defined(               \
        KOKKOS_VIEW_FAD_HPP)  // rank-dynamic views of Fad types need this before the plain ones
#include <Kokkos_DynRankView_Fad.hpp>
#endif
#include <Kokkos_DynRankView.hpp>
#include <limits>
#include <utility>

#include "Kontract_ArrayDescription.hpp"
#include "Kontract_Elements.hpp"

namespace Kontract {
namespace Impl {

template <class T>
inline constexpr bool is_array = Kokkos::is_view<T>::value || Kokkos::is_dyn_rank_view<T>::value;

template <class View>
constexpr int rankOf(const View& view) {
  if constexpr (Kokkos::is_dyn_rank_view<View>::value) {
    return static_cast<int>(view.rank());
  } else {
    return static_cast<int>(View::rank);
  }
}

/// One element of a view of proxies, by as many indices as its mapping takes. That computes
/// addresses and reads nothing, and unlike the view its mapping does so for any memory.
template <class View, std::size_t... I>
decltype(auto) proxyAt(const View& view, const std::int64_t* index, std::index_sequence<I...>) {
  return view.impl_map().reference(index[I]...);
}
template <class View>
decltype(auto) proxyAt(const View& view, const std::int64_t* index) {
  constexpr std::size_t dyn_rank_arguments = 7;
  if constexpr (Kokkos::is_dyn_rank_view<View>::value) {
    return proxyAt(view, index, std::make_index_sequence<dyn_rank_arguments>());
  } else {
    return proxyAt(view, index, std::make_index_sequence<std::size_t(View::rank)>());
  }
}

/// Whether derivatives of a view of proxies are behind all of its elements, or anywhere, and there
/// is a view of its scalars.
template <class View, class = void>
inline constexpr bool has_distant_derivatives = false;
template <class View>
inline constexpr bool has_distant_derivatives<View, std::void_t<typename View::array_type>> =
    std::is_same_v<typename View::array_layout, Kokkos::LayoutLeft> ||
    std::is_same_v<typename View::array_layout, Kokkos::LayoutStride>;

/// Fills in address and strides of a view of proxies by the view of its scalars, whose last index
/// counts derivatives and then the value.
template <class View>
void describeScalars(const View& view, ArrayDescription& array) {
  if constexpr (Kokkos::is_dyn_rank_view<View>::value) {
    describeScalars(view.ConstDownCast(), array);
  } else {
    const typename View::array_type scalars(view);
    std::int64_t strides[ArrayDescription::max_rank + 1] = {};
    scalars.stride(strides);
    for (int i = 0; i < array.rank; ++i) {
      if (array.extents[i] > 1) array.strides[i] = strides[i];
    }
    if (array.derivatives > 0) array.derivative_stride = strides[std::size_t(View::rank)];
    array.value_at = array.derivatives * array.derivative_stride;
    array.address = reinterpret_cast<std::uintptr_t>(scalars.data());
  }
}

/// Fills in address and strides of a view of proxies by asking for the addresses of neighbours: the
/// layouts of Fad views keep their strides to themselves.
template <class View>
void describeProxies(const View& view, ArrayDescription& array) {
  using Scalar = std::remove_pointer_t<typename View::pointer_type>;
  array.is_fad = true;
  array.unit_bytes = sizeof(Scalar);
  array.derivatives = static_cast<std::int64_t>(dimension_scalar(view)) - 1;
  if (array.size() == 0) return;
  if constexpr (has_distant_derivatives<View>) {
    // Proxies keep distances in 32 bits.
    if (view.span() > std::size_t(std::numeric_limits<int>::max())) {
      return describeScalars(view, array);
    }
  }
  std::int64_t index[ArrayDescription::max_rank] = {};
  const auto value_of = [&] { return &proxyAt(view, index).val(); };
  const auto derivative_of = [&](int i) { return &proxyAt(view, index).fastAccessDx(i); };
  const Scalar* const origin = value_of();
  for (int i = 0; i < array.rank; ++i) {
    if (array.extents[i] < 2) continue;
    index[i] = 1;
    array.strides[i] = value_of() - origin;
    index[i] = 0;
  }
  const Scalar* const first = array.derivatives > 0 ? derivative_of(0) : origin;
  array.value_at = origin - first;
  array.derivative_stride = array.derivatives > 1 ? derivative_of(1) - first : array.value_at;
  array.address = reinterpret_cast<std::uintptr_t>(first);
}

/// Describes a Kokkos::View or Kokkos::DynRankView; costs O(rank), touches no element.
template <class Space, class View>
ArrayDescription describe(const View& view) {
  static_assert(is_array<View>, "Kontract: an argument is no Kokkos::View or Kokkos::DynRankView");
  ArrayDescription array;
  array.rank = rankOf(view);
  for (int i = 0; i < array.rank; ++i) array.extents[i] = static_cast<std::int64_t>(view.extent(i));
  array.is_reachable = Kokkos::SpaceAccessibility<Space, typename View::memory_space>::accessible;
  if constexpr (has_proxies<View>) {
    describeProxies(view, array);
  } else {
    using Layout = typename View::array_layout;  // or one derived, as Sacado's LayoutContiguous is
    static_assert(std::is_base_of_v<Kokkos::LayoutLeft, Layout> ||
                      std::is_base_of_v<Kokkos::LayoutRight, Layout> ||
                      std::is_base_of_v<Kokkos::LayoutStride, Layout>,
                  "Kontract: arrays are LayoutLeft, LayoutRight or LayoutStride");
    std::int64_t strides[ArrayDescription::max_rank + 1] = {};
    view.stride(strides);
    for (int i = 0; i < array.rank; ++i) array.strides[i] = array.extents[i] < 2 ? 0 : strides[i];
    array.unit_bytes = sizeof(typename View::value_type);
    array.address = reinterpret_cast<std::uintptr_t>(view.data());
  }
  return array;
}

/// The elements of a view as algorithms index them; inputs are always read through const.
template <bool input, class View>
auto elementsOf(const View& view, const ArrayDescription& array) {
  using Value = typename View::non_const_value_type;
  if constexpr (has_proxies<View>) {
    using Scalar = std::remove_pointer_t<typename View::pointer_type>;
    return ProxyElements<Value, typename View::reference_type, Scalar>{
        reinterpret_cast<Scalar*>(array.address), array.value_at,
        static_cast<int>(array.derivatives), array.derivative_stride};
  } else {
    using T = std::conditional_t<input, const Value, typename View::value_type>;
    return Elements<T>{view.data()};
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
