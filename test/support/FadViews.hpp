// SPDX-License-Identifier: BSD-3-Clause
//
// Sacado's views, which come before Kontract.
#ifndef KONTRACT_TEST_FADVIEWS_HPP
#define KONTRACT_TEST_FADVIEWS_HPP

#include <Sacado.hpp>

// Views of Fad types come before those of plain ones; where this header is gone, with those above.
#if __has_include(<Kokkos_DynRankView_Fad.hpp>)
#include <Kokkos_DynRankView_Fad.hpp>
#endif

namespace KontractTest {

// In Kokkos' namespace until Trilinos 16.1. Views of Kokkos 5 keep 32 bits of how far derivatives
// of an element are apart, those before all.
#if __has_include(<Sacado_Fad_Kokkos_LayoutContiguous.hpp>)
inline constexpr bool views_cut_strides = true;
using Sacado::inner_layout;
using Sacado::LayoutContiguous;
#else
inline constexpr bool views_cut_strides = false;
using Kokkos::inner_layout;
using Kokkos::LayoutContiguous;
#endif

}  // namespace KontractTest

#endif
