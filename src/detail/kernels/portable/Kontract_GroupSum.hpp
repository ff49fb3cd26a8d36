// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_GROUPSUM_HPP
#define KONTRACT_GROUPSUM_HPP

#include "Kontract_Workers.hpp"

namespace Kontract {
namespace Impl {

/// Sums up the values of each group of neighbouring workers into its first one: a tree, whose order
/// of additions depends on the size of a group alone.
template <class Acc, class Member>
KOKKOS_INLINE_FUNCTION void addUpGroups(const Workers<Member>& workers, Acc* values, int group) {
  const int used = workers.count() / group * group;
  for (int left = group; left > 1;) {
    const int half = (left + 1) / 2;
    workers.wait();
    workers.each([&](const int worker) {
      if (worker < used && worker % group + half < left) values[worker] += values[worker + half];
    });
    left = half;
  }
  workers.wait();
}

/// Sums of a team, each by a group of neighbouring workers, as many at once as there are groups.
///
/// addShare(acc, i, j) adds what worker j of its group has to add to sum i; finish(i, acc) takes
/// the sum, in one worker.
/// \param values  scratch memory with a place for each worker, unused by groups of one
template <class Acc, class Member, class AddShare, class Finish>
KOKKOS_INLINE_FUNCTION void sumInGroups(const Workers<Member>& workers, Acc* values, int group,
                                        std::int64_t sums, const AddShare& addShare,
                                        const Finish& finish) {
  const int at_once = workers.count() / group;
  for (std::int64_t first = 0; first < sums; first += at_once) {
    const std::int64_t now = sums - first < at_once ? sums - first : at_once;
    workers.each([&](const int worker) {
      if (worker >= at_once * group) return;
      const int i = worker / group;
      Acc acc(0);
      if (i < now) addShare(acc, first + i, worker - i * group);
      if (group > 1) {
        values[worker] = acc;
      } else if (i < now) {
        finish(first + i, acc);
      }
    });
    if (group == 1) continue;
    addUpGroups(workers, values, group);
    workers.each([&](const int worker) {
      const int i = worker / group;
      if (i < now && worker == i * group) finish(first + i, values[worker]);
    });
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
