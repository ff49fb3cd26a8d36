// SPDX-License-Identifier: BSD-3-Clause
#include "ArenaOf.hpp"

namespace KontractBench {

template std::unique_ptr<Arena> makeArenaOf<double>(const Case&, LayoutKind, double);

}  // namespace KontractBench
