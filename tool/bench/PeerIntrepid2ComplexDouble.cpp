// SPDX-License-Identifier: BSD-3-Clause
#include "PeerIntrepid2Of.hpp"

KONTRACT_BENCH_INTREPID2(Kokkos::complex<double>, LayoutRight)
KONTRACT_BENCH_INTREPID2(Kokkos::complex<double>, LayoutLeft)
KONTRACT_BENCH_INTREPID2(Kokkos::complex<double>, LayoutStride)
