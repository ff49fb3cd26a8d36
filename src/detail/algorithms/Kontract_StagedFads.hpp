// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_STAGEDFADS_HPP
#define KONTRACT_STAGEDFADS_HPP

#include <algorithm>
#include <cstdint>

#include "detail/kernels/cuda/Kontract_StagedSide.hpp"
#include "detail/problem/Kontract_Work.hpp"

namespace Kontract {
namespace Impl {

/// Cuts an extent into as few even groups of at most so many as there can be.
/// \return the number of groups
inline int evenGroups(std::int64_t extent, std::int64_t most, int& each) {
  const std::int64_t groups = (extent + most - 1) / most;
  each = static_cast<int>((extent + groups - 1) / groups);
  return static_cast<int>((extent + each - 1) / each);
}

/// Terms of a sum that kernels count in 32 bits, with those of a stage beyond the last one.
constexpr std::int64_t most_staged_terms = std::int64_t(1) << 30;

/// Whether an index leads no farther than lists of what is copied can say.
inline bool isWithinReach(std::int64_t step, std::int64_t count) {
  return step >= 0 && step <= StagedSide::reach_of_index / std::max<std::int64_t>(1, count);
}
/// The same for fields, and for the terms of a stage.
inline bool areWithinReach(const CellMatrices& m, int terms) {
  return isWithinReach(m.left_field, m.lefts) && isWithinReach(m.right_field, m.rights) &&
         isWithinReach(m.left_term, terms) && isWithinReach(m.right_term, terms);
}

}  // namespace Impl
}  // namespace Kontract

#endif
