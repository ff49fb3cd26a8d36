// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_DESCRIBEVIEW_HPP
#define KONTRACT_DESCRIBEVIEW_HPP

#include <Kokkos_Core.hpp>
#include <type_traits>

#include "Kontract_Accessor.hpp"
#include "Kontract_ArrayDescription.hpp"
#include "Kontract_FadView.hpp"

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

/// A DynRankView as the View of its greatest rank that it is, and a View as itself.
template <class View>
const auto& asView(const View& view) {
  if constexpr (Kokkos::is_dyn_rank_view<View>::value) {
    return view.ConstDownCast();
  } else {
    return view;
  }
}

/// Fills in address and strides of a view of proxies by asking for the addresses of neighbours: the
/// layouts of Fad views keep their strides to themselves.
template <class View>
void describeNeighbours(const View& view, ArrayDescription& array) {
  std::int64_t index[ArrayDescription::max_rank] = {};
  const auto proxy = [&] { return proxyAt(view, index); };
  // Of the first derivative, if there is one: proxies may find the value by a product in 32 bits.
  const auto first_of = [&] {
    return array.derivatives > 0 ? &proxy().fastAccessDx(0) : &proxy().val();
  };
  const auto* const first = first_of();
  for (int i = 0; i < array.rank; ++i) {
    if (array.extents[i] < 2) continue;
    index[i] = 1;
    array.strides[i] = first_of() - first;
    index[i] = 0;
  }
  const auto* const next = array.derivatives > 1 ? &proxy().fastAccessDx(1) : &proxy().val();
  array.derivative_stride = next - first;
  array.value_at = &proxy().val() - first;
  array.address = reinterpret_cast<std::uintptr_t>(first);
}

/// Describes a view of proxies.
template <class View>
void describeProxies(const View& view, ArrayDescription& array) {
  array.is_fad = true;
  array.unit_bytes = sizeof(std::remove_pointer_t<typename View::pointer_type>);
  array.derivatives = derivativesOf(view);
  array.has_fixed_derivatives = typename View::non_const_value_type().size() > 0;
  if (array.size() == 0) return;
  if (isPastProxies(view)) {
    describeScalars(view, array);
  } else {
    describeNeighbours(view, array);
    mendDerivativeStride(view, array);
  }
}

/// Describes a Kokkos::View or Kokkos::DynRankView; costs O(rank), touches no element.
template <class Space, class View>
ArrayDescription describe(const View& view) {
  static_assert(is_array<View>, "Kontract: an argument is no Kokkos::View or Kokkos::DynRankView");
  ArrayDescription array;
  array.rank = rankOf(view);
  for (int i = 0; i < array.rank; ++i) {
    array.extents[i] = static_cast<std::int64_t>(view.extent(i));
    array.strides[i] = 0;
  }
  array.is_reachable = Kokkos::SpaceAccessibility<Space, typename View::memory_space>::accessible;
  if constexpr (has_proxies<View>) {
    describeProxies(asView(view), array);
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
auto accessorOf(const View& view, const ArrayDescription& array) {
  using Value = typename View::non_const_value_type;
  if constexpr (has_proxies<View>) {
    using Scalar = std::remove_pointer_t<typename View::pointer_type>;
    return ProxyAccessor<Value, typename View::reference_type, Scalar>{
        reinterpret_cast<Scalar*>(array.address), array.value_at,
        static_cast<int>(array.derivatives), array.derivative_stride};
  } else {
    using T = std::conditional_t<input, const Value, typename View::value_type>;
    return Accessor<T>{view.data()};
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
