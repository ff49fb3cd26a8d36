// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_ONHOST_HPP
#define KONTRACT_TEST_ONHOST_HPP

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "Scalars.hpp"

namespace KontractTest {

/// What the host needs to work with the elements of a view in any memory and of any layout: a copy
/// of all the memory that the view spans, indexed as the view is. Padded views and subviews of a
/// device cannot be copied element by element without a kernel.
template <class View>
class OnHost {
 public:
  using Value = typename View::non_const_value_type;

  explicit OnHost(const View& view) {
    view.stride(_strides);
    std::size_t span = view.size() == 0 ? 0 : 1;  // view.span() may end behind the allocation
    for (int i = 0; i < most_rank && span > 0; ++i) span += (view.extent(i) - 1) * _strides[i];
    _there = Memory(const_cast<Value*>(view.data()), span);
    _here = Kokkos::create_mirror(_there);
    Kokkos::deep_copy(_here, _there);
  }

  /// The element of those indices.
  template <class... Indices>
  Value& operator()(Indices... indices) const {
    std::size_t offset = 0;
    int i = 0;
    ((offset += std::size_t(indices) * _strides[i++]), ...);
    return _here(offset);
  }

  /// The memory that the view spans, gaps included.
  std::size_t span() const { return _here.extent(0); }
  Value& at(std::size_t offset) const { return _here(offset); }

  /// Copies it back.
  void putBack() const { Kokkos::deep_copy(_there, _here); }

 private:
  using Memory =
      Kokkos::View<Value*, typename View::device_type, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  static constexpr int most_rank = 7;
  Memory _there;
  decltype(Kokkos::create_mirror(std::declval<Memory>())) _here;
  std::size_t _strides[most_rank + 2] = {};
};

/// Random numbers in all the memory that a view spans.
template <class View>
void fillRandomly(const View& view) {
  const OnHost<View> host(view);
  for (std::size_t i = 0; i < host.span(); ++i) host.at(i) = random().real();
  host.putBack();
}

}  // namespace KontractTest

#endif
