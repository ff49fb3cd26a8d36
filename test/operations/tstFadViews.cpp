// SPDX-License-Identifier: BSD-3-Clause
//
// Where Kontract finds values and derivatives of views of Fads is where Sacado has them.

#include "FadArrays.hpp"

// Kontract after Sacado.
#include <Teuchos_UnitTestHarness.hpp>

#include "detail/view/Kontract_DescribeView.hpp"
#include "detail/view/Kontract_Overlap.hpp"

namespace KontractTest {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using L = Kokkos::LayoutLeft;
using R = Kokkos::LayoutRight;
using S = Kokkos::LayoutStride;
using SFad = Sacado::Fad::SFad<double, 3>;
using SLFad = Sacado::Fad::SLFad<double, 5>;
using DFad = Sacado::Fad::DFad<double>;

/// A kernel, as memory may be a device's, that counts the elements which are where an accessor and
/// a description have them.
template <class View, class Elements>
struct RightElements {
  View view;
  Elements elements;
  Kontract::Impl::ArrayDescription array;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n, std::int64_t& right) const {
    std::size_t index[3] = {};
    std::int64_t at = 0;
    for (int i = array.rank; i-- > 0; n /= array.extents[i]) {
      index[i] = std::size_t(n % array.extents[i]);
      at += n % array.extents[i] * array.strides[i];
    }
    if constexpr (Kokkos::is_dyn_rank_view<View>::value) {
      switch (array.rank) {
        case 0: right += isRight(view(), at); return;
        case 1: right += isRight(view(index[0]), at); return;
        case 2: right += isRight(view(index[0], index[1]), at); return;
        default: right += isRight(view(index[0], index[1], index[2]), at);
      }
    } else {
      constexpr std::size_t rank = View::rank;
      right += isRight(elementOf(view, index, std::make_index_sequence<rank>()), at);
    }
  }

 private:
  template <class Element>
  KOKKOS_INLINE_FUNCTION bool isRight(Element&& element, std::int64_t at) const {
    const double* const first = elements.derivatives + at;
    bool is_right = &element.val() == first + elements.value_at;
    for (int d = 0; d < int(array.derivatives); ++d) {
      is_right = is_right && &element.fastAccessDx(d) == first + d * elements.stride;
    }
    return is_right;
  }
};

/// \param rank  not the type's, for views of any rank
template <class View>
void requireAddresses(const View& view, int rank, int derivatives, Teuchos::FancyOStream& out,
                      bool& success) {
  const Kontract::Impl::ArrayDescription array = Kontract::Impl::describe<Space>(view);
  const auto elements = Kontract::Impl::accessorOf<true>(view, array);
  TEST_ASSERT(array.is_fad);
  TEST_ASSERT(!array.has_lost_stride);
  TEST_EQUALITY(array.rank, rank);
  TEST_EQUALITY(array.derivatives, derivatives);
  for (int i = 0; i < rank; ++i) TEST_EQUALITY(array.extents[i], std::int64_t(view.extent(i)));
  if (array.rank != rank || array.derivatives != derivatives) return;
  std::int64_t right = 0;
  Kokkos::parallel_reduce(
      "right elements", Kokkos::RangePolicy<Space>(0, array.size()),
      RightElements<View, std::decay_t<decltype(elements)>>{view, elements, array}, right);
  TEST_EQUALITY(right, array.size());
}

/// Views of an array, from all of it to one element, and views of constants.
template <class Fad, class Layout, bool dyn_rank>
void requireAddressesOfParts(int derivatives, Teuchos::FancyOStream& out, bool& success) {
  const auto require = [&](const auto& view, int rank) {
    requireAddresses(view, rank, derivatives, out, success);
  };
  const auto make = [&](const std::vector<std::size_t>& extents) {
    if constexpr (dyn_rank) {
      return makeDynRankView<Fad, Layout, Space>(extents, derivatives);
    } else {
      return makeView<3, Fad, Layout, Space>(extents, derivatives);
    }
  };
  const auto all = make({4, 3, 5});
  const auto two = std::make_pair(1, 3);
  const auto every = Kokkos::ALL();
  require(all, 3);
  require(make({1, 1, 1}), 3);
  require(make({4, 0, 5}), 3);
  require(Kokkos::subview(all, two, every, every), 3);
  require(Kokkos::subview(all, every, every, two), 3);
  require(Kokkos::subview(all, 2, every, every), 2);
  require(Kokkos::subview(all, every, every, 2), 2);
  require(Kokkos::subview(all, every, 1, two), 2);
  require(Kokkos::subview(all, 3, every, 2), 1);
  require(Kokkos::subview(all, 3, 2, 4), 0);
  if constexpr (dyn_rank) {
    require(typename decltype(all)::const_type(all), 3);
    require(make({4}), 1);
  } else {
    using Const = Kokkos::View<const Fad***, Layout, Space>;
    using Unmanaged = Kokkos::View<Fad***, Layout, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    require(Const(all), 3);
    require(Kokkos::subview(Const(all), two, every, 1), 2);
    require(Unmanaged(all), 3);
  }
}

template <class Fad>
void requireAddressesOfAll(int derivatives, Teuchos::FancyOStream& out, bool& success) {
  requireAddressesOfParts<Fad, L, false>(derivatives, out, success);
  requireAddressesOfParts<Fad, R, false>(derivatives, out, success);
  requireAddressesOfParts<Fad, LayoutContiguous<L>, false>(derivatives, out, success);
  requireAddressesOfParts<Fad, LayoutContiguous<R>, false>(derivatives, out, success);
  requireAddressesOfParts<Fad, L, true>(derivatives, out, success);
  requireAddressesOfParts<Fad, R, true>(derivatives, out, success);
}

TEUCHOS_UNIT_TEST(FadViews, addressesOfSFadAreFound) {
  requireAddressesOfAll<SFad>(3, out, success);
}
TEUCHOS_UNIT_TEST(FadViews, addressesOfSLFadAreFound) {
  requireAddressesOfAll<SLFad>(5, out, success);
  requireAddressesOfAll<SLFad>(2, out, success);
}
TEUCHOS_UNIT_TEST(FadViews, addressesOfDFadAreFound) {
  for (const int derivatives : {0, 1, 2, 7}) {
    requireAddressesOfAll<DFad>(derivatives, out, success);
  }
}

/// Views with strides of arrays whose derivatives are side by side, and of those where they are
/// not.
TEUCHOS_UNIT_TEST(FadViews, addressesOfStridedViewsAreFound) {
  const Kokkos::View<SFad**, L, Space> left("left", 4, 3, 4);
  const Kokkos::View<SFad**, R, Space> right("right", 4, 3, 4);
  const auto every = Kokkos::ALL();
  requireAddresses(Kokkos::View<SFad**, S, Space>(left), 2, 3, out, success);
  requireAddresses(Kokkos::View<SFad**, S, Space>(right), 2, 3, out, success);
  requireAddresses(Kokkos::View<const SFad*, S, Space>(Kokkos::subview(right, every, 1)), 1, 3, out,
                   success);
}

// Their derivatives are side by side, whatever the order of elements.
static_assert(Kontract::Impl::may_have_distant_derivatives<Kokkos::View<SFad**, L, Space>>);
static_assert(!Kontract::Impl::may_have_distant_derivatives<
              Kokkos::View<SFad**, LayoutContiguous<L>, Space>>);

#ifdef KONTRACT_TEST_HAS_PARTITIONS
/// Every so many of the derivatives: the value stays behind all of them.
TEUCHOS_UNIT_TEST(FadViews, viewsOfSomeDerivativesAreDescribed) {
  const auto require = [&](auto layout, int derivatives) {
    using Layout = LayoutContiguous<decltype(layout)>;
    const auto all = makeView<2, DFad, Layout, Space>({4, 3}, derivatives);
    for (const int step : {1, 2, 3}) {
      for (int first = 0; first < std::min(step, derivatives); ++first) {
        const int some = (derivatives - first + step - 1) / step;
        const auto view = Kokkos::partition<0>(all, first, step);
        requireAddresses(view, 2, some, out, success);
        TEST_ASSERT(!Kontract::Impl::hasCoincidingElements(Kontract::Impl::describe<Space>(view)));
      }
    }
  };
  for (const int derivatives : {1, 4, 5}) {
    require(L(), derivatives);
    require(R(), derivatives);
  }
}
#endif

TEUCHOS_UNIT_TEST(FadViews, emptyViewsAreDescribed) {
  requireAddresses(Kokkos::View<SFad**, L, Space>(), 2, 3, out, success);
  requireAddresses(Kokkos::View<DFad, R, Space>("zero", 3), 0, 2, out, success);
}

}  // namespace
}  // namespace KontractTest
