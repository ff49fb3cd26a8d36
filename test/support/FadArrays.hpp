// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_FADARRAYS_HPP
#define KONTRACT_TEST_FADARRAYS_HPP

#include "FadMirrors.hpp"

// All else after Sacado.
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "Array.hpp"
#include "Dual.hpp"
#include "Placed.hpp"

namespace KontractTest {

template <class T>
inline constexpr bool is_fad = Sacado::IsFad<T>::value;

/// A layout of those extents, with the derivatives' after them where there are any.
template <class Layout>
Layout fadLayout(const std::vector<std::size_t>& extents, std::size_t derivatives_and_value) {
  Layout layout;
  for (int i = 0; i < 8; ++i) layout.dimension[i] = KOKKOS_INVALID_INDEX;
  std::size_t rank = 0;
  for (const std::size_t extent : extents) layout.dimension[rank++] = extent;
  if (derivatives_and_value > 0) layout.dimension[rank] = derivatives_and_value;
  return layout;
}

/// \param derivatives  of each element if T is a Fad
template <class T, class Layout, class Device>
Kokkos::DynRankView<T, Layout, Device> makeDynRankView(const std::vector<std::size_t>& extents,
                                                       int derivatives) {
  return Kokkos::DynRankView<T, Layout, Device>(
      "array", fadLayout<Layout>(extents, is_fad<T> ? derivatives + 1 : 0));
}

/// A View on memory or with a label. Not of a layout, from which those of Kokkos 5 take no number
/// of derivatives.
template <class View, class Origin, std::size_t... I>
View makeViewOf(const Origin& origin, const std::vector<std::size_t>& extents,
                [[maybe_unused]] std::size_t derivatives_and_value, std::index_sequence<I...>) {
  if constexpr (is_fad<typename View::non_const_value_type>) {
    return View(origin, extents[I]..., derivatives_and_value);
  } else {
    return View(origin, extents[I]...);
  }
}

template <int rank, class T, class Layout, class Device>
auto makeView(const std::vector<std::size_t>& extents, int derivatives) {
  return makeViewOf<Kokkos::View<typename RankedData<T, rank>::type, Layout, Device>>(
      "array", extents, derivatives + 1, std::make_index_sequence<std::size_t(rank)>());
}

template <class View, std::size_t... I>
KOKKOS_INLINE_FUNCTION decltype(auto) elementOf(const View& view, const std::size_t* i,
                                                std::index_sequence<I...>) {
  return view(i[I]...);
}

/// One element by its indices.
template <class View, class F>
void withElement(const View& view, const std::size_t* i, F&& f) {
  if constexpr (Kokkos::is_dyn_rank_view<View>::value) {
    switch (view.rank()) {
      case 0: return f(view());
      case 1: return f(view(i[0]));
      case 2: return f(view(i[0], i[1]));
      case 3: return f(view(i[0], i[1], i[2]));
      case 4: return f(view(i[0], i[1], i[2], i[3]));
      default: return f(view(i[0], i[1], i[2], i[3], i[4]));
    }
  } else {
    f(elementOf(view, i, std::make_index_sequence<std::size_t(View::rank)>()));
  }
}

/// The extents of a View, without that of derivatives.
template <class View>
std::vector<std::size_t> extentsOf(const View& view) {
  std::vector<std::size_t> extents;
  for (std::size_t i = 0; i < std::size_t(View::rank); ++i) extents.push_back(view.extent(i));
  return extents;
}

/// Calls f(n, element) for all elements of a view, the last index fastest; n counts them.
template <class View, class F>
void forEachElement(const View& view, const std::vector<std::size_t>& extents, F&& f) {
  std::size_t index[8] = {}, size = 1;
  for (const std::size_t extent : extents) size *= extent;
  for (std::size_t n = 0; n < size; ++n) {
    withElement(view, index, [&](auto&& element) { f(n, element); });
    for (std::size_t i = extents.size(); i-- > 0;) {
      if (++index[i] < extents[i]) break;
      index[i] = 0;
    }
  }
}

/// Calls f(n, element) for all elements of a view in any memory, in order to write them.
template <class View, class F>
void writeElements(const View& view, const std::vector<std::size_t>& extents, F&& f) {
  writeOnHost(view, [&](const auto& here) { forEachElement(here, extents, f); });
}
/// The same in order to read them.
template <class View, class F>
void readElements(const View& view, const std::vector<std::size_t>& extents, F&& f) {
  forEachElement(readOnHost(view), extents, f);
}

/// Puts values, and derivatives where the view has them, into a view.
template <class View>
void fill(const View& view, const Array<Dual>& from) {
  writeElements(view, from.extents(), [&](std::size_t n, auto& element) {
    const Dual& dual = from.values()[n];
    if constexpr (is_fad<typename View::non_const_value_type>) {
      element.val() = static_cast<double>(dual.value);
      for (int i = 0; i < element.size(); ++i) {
        element.fastAccessDx(i) = static_cast<double>(dual.dx[i]);
      }
    } else {
      element = static_cast<double>(dual.value);
    }
  });
}

/// \return empty if a view of Fads holds these values and derivatives, else what is wrong first
template <class View>
std::string compareFads(const View& view, const Array<Dual>& expected, double tolerance) {
  std::string wrong;
  readElements(view, expected.extents(), [&](std::size_t n, auto& element) {
    const Dual& dual = expected.values()[n];
    const auto require = [&](double found, long double wanted, const std::string& what) {
      if (std::abs(found - static_cast<double>(wanted)) <= tolerance || !wrong.empty()) return;
      wrong = what + " of element " + std::to_string(n) + " is " + std::to_string(found) +
              " but should be " + std::to_string(static_cast<double>(wanted));
    };
    require(element.val(), dual.value, "the value");
    for (int i = 0; i < Dual::derivatives; ++i) {
      const double dx = i < element.size() ? element.fastAccessDx(i) : 0.0;
      require(dx, dual.dx[i], "derivative " + std::to_string(i));
    }
  });
  return wrong;
}

}  // namespace KontractTest

#endif
