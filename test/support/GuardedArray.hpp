// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_GUARDEDARRAY_HPP
#define KONTRACT_TEST_GUARDEDARRAY_HPP

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "GuardedPages.hpp"
#include "Offsets.hpp"
#include "ReusedMemory.hpp"
#include "Scalars.hpp"

namespace KontractTest {

/// The layout of an array: Left, Right, or strides in random order with gaps; some may be zero.
inline std::vector<std::size_t> drawStrides(const std::vector<std::size_t>& extents,
                                            const std::vector<bool>& is_shared) {
  const std::size_t rank = extents.size(), layout = random().below(4);
  std::vector<std::size_t> order(rank), strides(rank);
  std::iota(order.begin(), order.end(), 0);  // from the smallest stride to the largest
  if (layout == 0) std::reverse(order.begin(), order.end());
  const bool has_gaps = layout > 1;
  if (has_gaps) {
    for (std::size_t i = rank; i > 1; --i) std::swap(order[i - 1], order[random().below(i)]);
  }
  std::size_t stride = has_gaps ? 1 + random().below(3) : 1;
  for (const std::size_t i : order) {
    if (is_shared[i]) continue;
    strides[i] = stride;
    stride *= std::max<std::size_t>(extents[i], 1);
    if (has_gaps) stride += random().below(4);
  }
  return strides;
}

/// An array in the memory of a device at strides by chance. On hosts it ends, or begins, where a
/// guard page does; where there is room between and next to its elements are NaN in an input and
/// marks in an output.
template <class T, class Device>
class GuardedArray {
 public:
  using View = Kokkos::DynRankView<T, Kokkos::LayoutStride, Device>;

  /// \param values     in the order of the last index fastest
  /// \param is_shared  the indices whose stride is zero
  GuardedArray(const std::vector<std::size_t>& extents, const std::vector<double>& values,
               const std::vector<bool>& is_shared, bool is_output)
      : _extents(extents), _strides(drawStrides(extents, is_shared)) {
    std::size_t span = 1;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      if (extents[i] == 0) span = 1;
      if (extents[i] > 1) span += (extents[i] - 1) * _strides[i];
    }
    allocate(span);
    _before.assign(_front + span + _back,
                   is_output ? guard<T>() : std::numeric_limits<T>::quiet_NaN());
    _is_element.assign(_before.size(), false);
    forEachOffset([&](std::size_t n, std::size_t offset) {
      _before[offset] = T(values[n]);
      _is_element[offset] = true;
    });
    Kokkos::deep_copy(memory(), image(_before));
  }

  View view() const { return view(_extents, _strides, data()); }
  /// \param data  where the first element is, if it is not where it should be
  static View view(const std::vector<std::size_t>& extents, const std::vector<std::size_t>& strides,
                   T* data) {
    Kokkos::LayoutStride layout;
    for (std::size_t i = 0; i < 8; ++i) {
      const bool is_there = i < extents.size();
      layout.dimension[i] = is_there ? extents[i] : KOKKOS_INVALID_INDEX;
      layout.stride[i] = is_there ? strides[i] : 0;
    }
    return View(data, layout);
  }
  T* data() const { return _data; }
  const std::vector<std::size_t>& extents() const { return _extents; }
  const std::vector<std::size_t>& strides() const { return _strides; }

  /// The elements as they are now, in the order of the last index fastest.
  std::vector<T> values() {
    fetch();
    std::vector<T> values;
    forEachOffset([&](std::size_t, std::size_t offset) { values.push_back(_now[offset]); });
    return values;
  }
  /// Whether nothing but elements changed; after values().
  bool guardsAreUntouched() const {
    for (std::size_t i = 0; i < _before.size(); ++i) {
      if (!_is_element[i] && std::memcmp(&_now[i], &_before[i], sizeof(T)) != 0) return false;
    }
    return true;
  }
  /// Whether nothing changed at all, bit for bit.
  bool isUntouched() {
    fetch();
    return std::memcmp(_now.data(), _before.data(), _before.size() * sizeof(T)) == 0;
  }

 private:
  using Memory = Kokkos::View<T*, Device, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Image = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  static constexpr std::size_t most_margin = 16;

  void allocate(std::size_t span) {
#ifdef KONTRACT_TEST_HAS_GUARD_PAGES
    if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                                             typename Device::memory_space>::accessible) {
      const auto pages = std::make_shared<GuardedPages>(span * sizeof(T));
      T *const begin = reinterpret_cast<T*>(pages->begin()), *const end =
                                                                 reinterpret_cast<T*>(pages->end());
      const std::size_t room = std::size_t(end - begin) - span;
      const std::size_t before =
          random().below(2) == 0
              ? room
              : std::min<std::size_t>(room, random().below(3) * random().below(8));
      _data = begin + before;
      _front = std::min(before, most_margin);
      _back = std::min(room - before, most_margin);
      _keeper = pages;
      return;
    }
#endif
    _front = random().below(2) == 0 ? most_margin : 5;
    _back = most_margin;
    const auto memory = memoryFor<T, Device>(_front + span + _back);
    _data = memory.data() + _front;
    _keeper = std::make_shared<Kokkos::View<T*, Device>>(memory);
  }

  Memory memory() const { return Memory(_data - _front, _before.size()); }
  static Image image(std::vector<T>& values) { return Image(values.data(), values.size()); }

  void fetch() {
    _now.resize(_before.size());
    Kokkos::deep_copy(image(_now), memory());
  }

  template <class F>
  void forEachOffset(const F& f) const {
    KontractTest::forEachOffset(_extents, _strides, _front, f);
  }

  std::vector<std::size_t> _extents, _strides;
  std::shared_ptr<void> _keeper;
  T* _data = nullptr;
  std::size_t _front = 0, _back = 0;
  std::vector<T> _before, _now;
  std::vector<bool> _is_element;
};

}  // namespace KontractTest

#endif
