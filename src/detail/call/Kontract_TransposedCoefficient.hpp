// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TRANSPOSEDCOEFFICIENT_HPP
#define KONTRACT_TRANSPOSEDCOEFFICIENT_HPP

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <cstddef>

#include "detail/support/Kontract_Error.hpp"
#include "detail/support/Kontract_Scalar.hpp"
#include "detail/view/Kontract_DescribeView.hpp"

namespace Kontract {
namespace Impl {

/// The same elements with the last two of four indices exchanged; nothing is copied.
template <class View>
auto withExchangedIndices(const View& view) {
  static_assert(is_plain<typename View::non_const_value_type>,
                "Kontract: full coefficients of Fads are not transposed(); give term() the "
                "transposed coefficient");
  std::size_t strides[9] = {};
  view.stride(strides);
  const Kokkos::LayoutStride layout(view.extent(0), strides[0], view.extent(1), strides[1],
                                    view.extent(3), strides[3], view.extent(2), strides[2]);
  using Transposed = Kokkos::View<typename View::value_type****, Kokkos::LayoutStride,
                                  typename View::device_type, Kokkos::MemoryUnmanaged>;
  return Transposed(view.data(), layout);
}

/// The coefficient of the transposed of a term: of its arrays full matrices alone, (C,P|1,D,D), are
/// others.
/// \throws std::invalid_argument for full matrices in arrays that cannot be read the other way
template <class View>
auto transposedCoefficient(const View& view, bool is_factored) {
  if constexpr (!is_array<View>) {
    return view;
  } else {
    // Factors have all entries of a matrix in one index; of a symmetric one half of them.
    const std::size_t entries = is_factored && rankOf(view) == 3 ? view.extent(1) : 0;
    if (entries == 4 || entries == 9) {
      refuse("transposed", "factors have all " + std::to_string(entries) +
                               " entries of a matrix: make those of the transposed term");
    }
    if constexpr (Kokkos::is_view<View>::value) {
      if constexpr (int(View::rank) == 4) {
        return withExchangedIndices(view);
      } else {
        return view;
      }
    } else {
      if (rankOf(view) == 4) {
        refuse("transposed",
               "the coefficient is a full matrix in a Kokkos::DynRankView: give a Kokkos::View");
      }
      return view;
    }
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
