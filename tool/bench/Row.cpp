// SPDX-License-Identifier: BSD-3-Clause
#include "Row.hpp"

#include <algorithm>

#include "Contestants.hpp"

namespace KontractBench {

const Row* Result::find(const std::string& contestant) const {
  for (const Row& row : rows) {
    if (row.contestant == contestant) return &row;
  }
  return nullptr;
}

void Result::compareRows() {
  const auto fastest = [this](auto&& isCandidate) {
    const Row* best = nullptr;
    for (const Row& row : rows) {
      if (!row.isTimed() || !row.computes() || !isCandidate(row)) continue;
      if (best == nullptr || row.timing.seconds < best->timing.seconds) best = &row;
    }
    return best;
  };
  const Row* const intrepid2 =
      fastest([](const Row& row) { return row.contestant == nameOf(Peer::Intrepid2); });
  const Row* const peer = fastest([](const Row& row) { return row.is_peer; });
  const Row* const own =
      fastest([](const Row& row) { return !row.is_peer && row.contestant != automatic_name; });
  const Row* const traffic = find(nameOf(Peer::Traffic));
  if (peer != nullptr) best_peer = peer->contestant;
  for (Row& row : rows) {
    if (!row.isTimed()) continue;
    const double seconds = row.timing.seconds;
    if (!row.is_launch_only) {
      row.gbytes = bytes / seconds * 1e-9;
      row.roof = least_seconds / seconds;
    }
    if (!row.computes()) continue;
    if (intrepid2 != nullptr) row.over_intrepid2 = intrepid2->timing.seconds / seconds;
    if (peer != nullptr) row.over_best_peer = peer->timing.seconds / seconds;
    if (own != nullptr && !row.is_peer) row.of_best = seconds / own->timing.seconds;
    row.gflops = flops / seconds * 1e-9;
    if (traffic != nullptr && traffic->isTimed()) {
      row.of_limit = std::max(arithmetic_seconds, traffic->timing.seconds) / seconds;
    }
  }
}

}  // namespace KontractBench
