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

// In Kokkos' namespace up to Trilinos 16.1.
#if __has_include(<Sacado_Fad_Kokkos_LayoutContiguous.hpp>)
using Sacado::inner_layout;
using Sacado::LayoutContiguous;
#else
using Kokkos::inner_layout;
using Kokkos::LayoutContiguous;
#define KONTRACT_TEST_HAS_PARTITIONS
#endif

}  // namespace KontractTest

#endif
