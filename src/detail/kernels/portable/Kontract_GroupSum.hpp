// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_GROUPSUM_HPP
#define KONTRACT_GROUPSUM_HPP

#include "Kontract_Shuffle.hpp"
#include "Kontract_Workers.hpp"

namespace Kontract {
namespace Impl {

/// Groups of workers that share a sum each. The members of a group are `stride` apart, so that as
/// many neighbouring workers are in groups of neighbouring sums.
struct WorkerGroups {
  int size = 1, stride = 1;

  KOKKOS_FORCEINLINE_FUNCTION int span() const { return size * stride; }
  KOKKOS_FORCEINLINE_FUNCTION int sumsAtOnce(int workers) const {
    return workers / span() * stride;
  }
  KOKKOS_FORCEINLINE_FUNCTION int sumOf(int worker) const {
    return stride == 1 ? worker / size : worker / span() * stride + worker % stride;
  }
  KOKKOS_FORCEINLINE_FUNCTION int memberOf(int worker) const {
    return stride == 1 ? worker % size : worker / stride % size;
  }
  /// Whether workers can exchange registers with all of their group.
  /// \param lanes that exchange registers
  KOKKOS_FORCEINLINE_FUNCTION bool exchange(int workers, int lanes) const {
    const auto is_power = [](int n) { return (n & (n - 1)) == 0; };
    return span() <= lanes && is_power(size) && is_power(stride) && workers % lanes == 0;
  }
};

/// Sums up the values of a group in all of its workers, all of a warp together.
template <class Acc>
KOKKOS_FORCEINLINE_FUNCTION void exchangeSums(Acc& acc, const WorkerGroups& groups) {
  for (int bit = groups.span() / 2; bit >= groups.stride; bit /= 2) acc += shuffleXor(acc, bit);
}

/// Sums up the values of each group of workers into its first one: a tree, whose order of additions
/// depends on the size of a group alone.
template <class Acc, class Member>
KOKKOS_INLINE_FUNCTION void addUpGroups(const Workers<Member>& workers, Acc* values,
                                        const WorkerGroups& groups) {
  const int used = workers.count() / groups.span() * groups.span();
  for (int left = groups.size; left > 1;) {
    const int half = (left + 1) / 2;
    workers.wait();
    workers.each([&](const int worker) {
      if (worker < used && groups.memberOf(worker) + half < left) {
        values[worker] += values[worker + half * groups.stride];
      }
    });
    left = half;
  }
  workers.wait();
}

/// Sums of a team, each by a group of workers, as many at once as there are groups. Devices add up
/// groups within a warp by exchanging registers, as a tree of the same order.
///
/// addShare(acc, i, j) adds what member j of its group has to add to sum i; finish(i, acc) takes
/// the sum, in one worker.
/// \param values  scratch memory with a place for each worker, unused by groups of one
template <class Acc, class Member, class AddShare, class Finish>
KOKKOS_INLINE_FUNCTION void sumInGroups(const Workers<Member>& workers, Acc* values,
                                        const WorkerGroups& groups, std::int64_t sums,
                                        const AddShare& addShare, const Finish& finish) {
  constexpr int lanes = lanes_of_exchange<typename Member::execution_space>;
  const int at_once = groups.sumsAtOnce(workers.count());
  const bool by_exchange = groups.exchange(workers.count(), lanes);
  for (std::int64_t first = 0; first < sums; first += at_once) {
    const std::int64_t now = sums - first < at_once ? sums - first : at_once;
    workers.each([&](const int worker) {
      const int i = groups.sumOf(worker);
      Acc acc(0);
      if (i < now) addShare(acc, first + i, groups.memberOf(worker));
      if (by_exchange) {
        exchangeSums(acc, groups);
        if (i < now && groups.memberOf(worker) == 0) finish(first + i, acc);
      } else if (groups.size > 1) {
        if (i < at_once) values[worker] = acc;
      } else if (i < now) {
        finish(first + i, acc);
      }
    });
    if (by_exchange || groups.size == 1) continue;
    addUpGroups(workers, values, groups);
    workers.each([&](const int worker) {
      const int i = groups.sumOf(worker);
      if (i < now && groups.memberOf(worker) == 0) finish(first + i, values[worker]);
    });
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
