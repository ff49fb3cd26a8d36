// SPDX-License-Identifier: BSD-3-Clause
#include "OfKontract.hpp"
#include "Peers.hpp"

namespace KontractOperators {

std::unique_ptr<Contestant> makeOfKontractDouble(const Problem& problem, Geometry geometry) {
  return std::make_unique<OfKontract<double>>(problem, geometry);
}

}  // namespace KontractOperators
