// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_PLACED_HPP
#define KONTRACT_TEST_PLACED_HPP

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "Offsets.hpp"
#include "ReusedMemory.hpp"
#include "Scalars.hpp"

namespace KontractTest {

/// T*** and the like: the data type of a View of that rank.
template <class T, int rank>
struct RankedData {
  using type = typename RankedData<T, rank - 1>::type*;
};
template <class T>
struct RankedData<T, 0> {
  using type = T;
};

/// An array in the memory of a device, laid out as asked for, with guards around it and, for
/// LayoutStride, between its elements: strides there are in random order and have gaps.
template <class T, class Layout, class Device>
class Placed {
 public:
  /// Elements before and after an array: an odd number, so that none begins where allocations do;
  /// and one that leaves it as aligned as they are.
  static constexpr std::size_t odd_margin = 5, aligned_margin = 16;

  /// \param values  in the order of the last index fastest
  Placed(const std::vector<std::size_t>& extents, const std::vector<T>& values,
         std::size_t margin = odd_margin)
      : _margin(margin), _extents(extents), _shown(extents), _strides(makeStrides(extents)) {
    std::size_t span = 1;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      if (extents[i] > 1) span += (extents[i] - 1) * _strides[i];
    }
    _device = memoryFor<T, Device>(span + 2 * margin);
    _host = Kokkos::create_mirror_view(_device);
    _before.assign(span + 2 * margin, guard<T>());
    forEachOffset([&](std::size_t n, std::size_t offset) { _before[offset] = values[n]; });
    for (std::size_t i = 0; i < _before.size(); ++i) _host(i) = _before[i];
    Kokkos::deep_copy(_device, _host);
  }

  template <int rank>
  auto view() const {
    return viewOf<typename RankedData<T, rank>::type>(rank);
  }
  template <int rank>
  auto constView() const {
    return viewOf<typename RankedData<const T, rank>::type>(rank);
  }
  auto dynRankView() const {
    Layout layout = makeLayout(8);
    return Kokkos::DynRankView<T, Layout, Device>(_device.data() + _margin, layout);
  }

  /// Makes views that come after lack the last of the given index; strides stay.
  void hideLast(std::size_t index) {
    static_assert(std::is_same_v<Layout, Kokkos::LayoutStride>, "other layouts fix the strides");
    --_shown[index];
  }

  /// The elements as they are now, in the order of the last index fastest.
  std::vector<T> values() {
    Kokkos::deep_copy(_host, _device);
    std::vector<T> now;
    forEachOffset([&](std::size_t, std::size_t offset) { now.push_back(_host(offset)); });
    return now;
  }

  /// Whether nothing but elements changed since the beginning; after values().
  bool guardsAreUntouched() const {
    std::vector<bool> is_element(_before.size(), false);
    forEachOffset([&](std::size_t, std::size_t offset) { is_element[offset] = true; });
    for (std::size_t i = 0; i < _before.size(); ++i) {
      if (!is_element[i] && !isSame(i)) return false;
    }
    return true;
  }

  /// Whether nothing changed at all, bit for bit.
  bool isUntouched() {
    Kokkos::deep_copy(_host, _device);
    for (std::size_t i = 0; i < _before.size(); ++i) {
      if (!isSame(i)) return false;
    }
    return true;
  }

 private:
  using Buffer = Kokkos::View<T*, Device>;

  static std::vector<std::size_t> makeStrides(const std::vector<std::size_t>& extents) {
    const std::size_t rank = extents.size();
    std::vector<std::size_t> order(rank), strides(rank);
    std::iota(order.begin(), order.end(), 0);  // from the smallest stride to the largest
    constexpr bool has_gaps = std::is_same_v<Layout, Kokkos::LayoutStride>;
    if (has_gaps) {
      for (std::size_t i = rank; i > 1; --i) std::swap(order[i - 1], order[random().below(i)]);
    } else if (std::is_same_v<Layout, Kokkos::LayoutRight>) {
      std::reverse(order.begin(), order.end());
    }
    std::size_t stride = has_gaps ? 1 + random().below(3) : 1;
    for (const std::size_t i : order) {
      strides[i] = stride;
      stride *= std::max<std::size_t>(extents[i], 1);
      if (has_gaps) stride += random().below(4);
    }
    return strides;
  }

  template <class Data>
  Kokkos::View<Data, Layout, Device> viewOf(int rank) const {
    return Kokkos::View<Data, Layout, Device>(_device.data() + _margin, makeLayout(rank));
  }

  /// \param defined  how many of the layout's extents are given or defaulted; what lies between the
  ///   rank and that is marked as not there, which is how DynRankView finds its rank
  Layout makeLayout(int defined) const {
    Layout layout;
    for (int i = 0; i < defined; ++i) {
      const bool is_there = i < static_cast<int>(_extents.size());
      layout.dimension[i] = is_there ? _shown[i] : KOKKOS_INVALID_INDEX;
      if constexpr (std::is_same_v<Layout, Kokkos::LayoutStride>) {
        layout.stride[i] = is_there ? _strides[i] : 0;
      }
    }
    return layout;
  }

  template <class F>
  void forEachOffset(const F& f) const {
    KontractTest::forEachOffset(_extents, _strides, _margin, f);
  }

  bool isSame(std::size_t i) const { return std::memcmp(&_host(i), &_before[i], sizeof(T)) == 0; }

  std::size_t _margin;
  std::vector<std::size_t> _extents, _shown, _strides;
  Buffer _device;
  decltype(Kokkos::create_mirror(std::declval<Buffer>())) _host;
  std::vector<T> _before;
};

}  // namespace KontractTest

#endif
