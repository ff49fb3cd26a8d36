// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLARRAY_HPP
#define KONTRACT_CELLARRAY_HPP

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <cstdint>
#include <utility>

#include "detail/view/Kontract_Accessor.hpp"

namespace Kontract {
namespace Impl {

/// An array that a kernel has of its cell: as ArrayDescription and an accessor, but made inside of
/// kernels, of views in any memory that they reach.
template <class Access>
struct CellArray {
  using value_type = typename Access::value_type;
  static constexpr int max_rank = 4;

  Access elements;
  int rank;
  std::int64_t extents[max_rank];  ///< 1 beyond the rank
  std::int64_t strides[max_rank];  ///< 0 where the extent is 1

  /// The stride of an index that goes to this extent: 0 where the array has one element for all.
  KOKKOS_INLINE_FUNCTION std::int64_t strideOf(int index, std::int64_t extent) const {
    return extents[index] == extent ? strides[index] : 0;
  }
};

template <class View>
KOKKOS_FORCEINLINE_FUNCTION int rankInKernel(const View& view) {
  if constexpr (Kokkos::is_dyn_rank_view<View>::value) {
    return static_cast<int>(view.rank());
  } else {
    return static_cast<int>(View::rank);
  }
}

/// The element with all indices 0, but for one that is 1; none if that is negative.
template <class View, std::size_t... I>
KOKKOS_FORCEINLINE_FUNCTION decltype(auto) elementBeside(const View& view, int index,
                                                         std::index_sequence<I...>) {
  return view((static_cast<int>(I) == index ? 1 : 0)...);
}
template <class View>
KOKKOS_FORCEINLINE_FUNCTION decltype(auto) elementBeside(const View& view, int index) {
  return elementBeside(view, index, std::make_index_sequence<std::size_t(View::rank)>());
}

/// Where derivatives and values of the elements of a view of Fads are, by the addresses of
/// neighbours.
template <class Access, class View>
KOKKOS_INLINE_FUNCTION void describeFads(const View& view, CellArray<Access>& array) {
  const auto first_of = [&](int index) {
    auto&& element = elementBeside(view, index);
    return array.elements.count > 0 ? &element.fastAccessDx(0) : &element.val();
  };
  auto&& element = elementBeside(view, -1);
  array.elements.count = static_cast<int>(element.size());
  auto* const first = first_of(-1);
  array.elements.derivatives = first;
  array.elements.value_at = &element.val() - first;
  array.elements.stride = array.elements.count > 1 ? &element.fastAccessDx(1) - first : 1;
  for (int i = 0; i < array.rank; ++i) {
    array.strides[i] = array.extents[i] > 1 ? first_of(i) - first : 0;
  }
}

/// An array of a cell: what a kernel's code is given as a view.
/// \tparam input  elements are read through const
template <bool input, class View>
KOKKOS_INLINE_FUNCTION auto cellArray(const View& view) {
  static_assert(Kokkos::is_view<View>::value || Kokkos::is_dyn_rank_view<View>::value,
                "Kontract::team: an argument is no Kokkos::View or Kokkos::DynRankView");
  using Value = typename View::non_const_value_type;
  if constexpr (has_proxies<View>) {
    static_assert(Kokkos::is_view<View>::value,
                  "Kontract::team: arrays of Fads are Kokkos::View, not Kokkos::DynRankView");
    using Scalar = std::remove_pointer_t<typename View::pointer_type>;
    CellArray<ProxyAccessor<Value, typename View::reference_type, Scalar>> array{};
    array.rank = rankInKernel(view);
    std::int64_t elements = 1;
    for (int i = 0; i < array.max_rank; ++i) {
      array.extents[i] = i < array.rank ? static_cast<std::int64_t>(view.extent(i)) : 1;
      elements *= array.extents[i];
    }
    if (elements > 0) describeFads(view, array);
    return array;
  } else {
    using T = std::conditional_t<input, const Value, typename View::value_type>;
    CellArray<Accessor<T>> array{};
    array.elements.data = view.data();
    array.rank = rankInKernel(view);
    std::int64_t strides[9] = {};
    view.stride(strides);
    for (int i = 0; i < array.max_rank; ++i) {
      array.extents[i] = i < array.rank ? static_cast<std::int64_t>(view.extent(i)) : 1;
      array.strides[i] = array.extents[i] > 1 ? strides[i] : 0;
    }
    return array;
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
