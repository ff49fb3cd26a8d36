// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FADVIEW_HPP
#define KONTRACT_FADVIEW_HPP

// What differs between the releases of Sacado and Kokkos in views of Fad types, in one place.

#include <Kokkos_Core.hpp>

// Rank-dynamic views of Fad types come before the plain ones. Up to Trilinos 16.1 this header has
// them; where it is gone, Sacado.hpp brings them along.
#if defined(SACADO_HPP) || defined(KOKKOS_VIEW_FAD_HPP)
#if __has_include(<Kokkos_DynRankView_Fad.hpp>)
#include <Kokkos_DynRankView_Fad.hpp>
#endif
#endif
#include <Kokkos_DynRankView.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "Kontract_ArrayDescription.hpp"

namespace Kontract {
namespace Impl {

/// Whether proxies of a view are made by an accessor, as since Kokkos 5 in views that are built on
/// mdspan, and not by the view's mapping, as in Trilinos 13.2 and 16.1.
template <class View, class = void>
inline constexpr bool has_fad_accessor = false;
template <class View>
inline constexpr bool has_fad_accessor<
    View, std::void_t<decltype(std::declval<const View&>().accessor().fad_size())>> = true;

/// One element of a view of proxies. That computes addresses and reads nothing, and unlike the
/// view itself what is asked here does so for any memory.
template <class View, std::size_t... I>
auto proxyAt(const View& view, [[maybe_unused]] const std::int64_t* index,
             std::index_sequence<I...>) {
  if constexpr (has_fad_accessor<View>) {
    return view.accessor().access(view.data_handle(), view.mapping()(index[I]...));
  } else {
    return view.impl_map().reference(index[I]...);
  }
}

template <class View>
auto proxyAt(const View& view, const std::int64_t* index) {
  return proxyAt(view, index, std::make_index_sequence<std::size_t(View::rank)>());
}

/// Number of derivatives of each element of a view of proxies, also of one without elements.
template <class View>
std::int64_t derivativesOf(const View& view) {
  const std::int64_t index[ArrayDescription::max_rank] = {};
  return proxyAt(view, index).size();
}

// Not std::is_same, which Sacado of Trilinos 16.1 specializes for its layouts of the same order.
template <class Layout>
inline constexpr bool is_layout_left = false;
template <>
inline constexpr bool is_layout_left<Kokkos::LayoutLeft> = true;
template <class Layout>
inline constexpr bool is_layout_stride = false;
template <>
inline constexpr bool is_layout_stride<Kokkos::LayoutStride> = true;

/// Whether derivatives of a view of proxies may be behind all of its elements.
template <class View>
inline constexpr bool may_have_distant_derivatives =
    is_layout_left<typename View::array_layout> || is_layout_stride<typename View::array_layout>;

/// Whether proxies, which keep distances in 32 bits, do not tell where the scalars of a view are,
/// but the view of its scalars does. There is none where an accessor makes the proxies.
template <class View>
bool isPastProxies(const View& view) {
  if constexpr (has_fad_accessor<View> || !may_have_distant_derivatives<View>) {
    return false;
  } else {
    return view.span() > std::size_t(std::numeric_limits<int>::max());
  }
}

/// Fills in address and strides of a view of proxies by the view of its scalars, whose last index
/// counts derivatives and then the value.
template <class View>
void describeScalars(const View& view, ArrayDescription& array) {
  if constexpr (!has_fad_accessor<View> && may_have_distant_derivatives<View>) {
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

/// Takes the distance between derivatives that proxies of a view have for the one that their
/// accessor keeps, without a sign. It is the number of elements that the allocation spans, which no
/// view of it exceeds, in 32 bits. Where they are too few, what is left of it may look like that of
/// derivatives side by side; views of small parts of such an array cannot tell, nor can Sacado.
template <class View>
void mendDerivativeStride(const View& view, ArrayDescription& array) {
  if constexpr (has_fad_accessor<View> && may_have_distant_derivatives<View>) {
    if (array.derivatives == 0) return;
    array.derivative_stride = static_cast<std::uint32_t>(array.derivative_stride);
    array.value_at = array.derivatives * array.derivative_stride;
    const std::size_t span = view.mapping().required_span_size();
    constexpr bool is_left = is_layout_left<typename View::array_layout>;
    const bool is_distant = array.derivative_stride != 1;
    array.has_lost_stride = is_distant
                                ? static_cast<std::size_t>(array.derivative_stride) < span
                                : is_left && span > std::numeric_limits<std::uint32_t>::max();
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
