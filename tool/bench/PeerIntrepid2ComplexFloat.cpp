// SPDX-License-Identifier: BSD-3-Clause
#include "PeerIntrepid2Of.hpp"

KONTRACT_BENCH_INTREPID2(Kokkos::complex<float>, LayoutRight)
KONTRACT_BENCH_INTREPID2(Kokkos::complex<float>, LayoutLeft)
KONTRACT_BENCH_INTREPID2(Kokkos::complex<float>, LayoutStride)
