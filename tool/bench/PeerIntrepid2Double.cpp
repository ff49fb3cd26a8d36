// SPDX-License-Identifier: BSD-3-Clause
#include "PeerIntrepid2Of.hpp"

KONTRACT_BENCH_INTREPID2(double, LayoutRight)
KONTRACT_BENCH_INTREPID2(double, LayoutLeft)
KONTRACT_BENCH_INTREPID2(double, LayoutStride)
