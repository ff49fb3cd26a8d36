// SPDX-License-Identifier: BSD-3-Clause
//
// Views in any memory, of Fads or plain scalars, written and read on the host.
#ifndef KONTRACT_TEST_FADMIRRORS_HPP
#define KONTRACT_TEST_FADMIRRORS_HPP

#include "FadViews.hpp"

// All else after Sacado.
#include <Kokkos_Core.hpp>

namespace KontractTest {

/// Calls f(here), which writes all elements of a view that is on the host.
template <class View, class F>
void writeOnHost(const View& view, F&& f) {
  const auto here = Kokkos::create_mirror_view(view);
  f(here);
  Kokkos::deep_copy(view, here);
}

/// A view with the same elements that is on the host, itself if it is.
template <class View>
auto readOnHost(const View& view) {
  const auto here = Kokkos::create_mirror_view(view);
  Kokkos::deep_copy(here, view);
  return here;
}

}  // namespace KontractTest

#endif
