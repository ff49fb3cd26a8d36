// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_LAUNCH_HPP
#define KONTRACT_LAUNCH_HPP

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "Kontract_LaunchSettings.hpp"
#include "detail/kernels/host_simd/common/Kontract_ThreadMemory.hpp"
#include "detail/kernels/portable/Kontract_Piece.hpp"
#include "detail/kernels/portable/Kontract_Workers.hpp"
#include "detail/support/Kontract_Error.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

using Position = Kokkos::IndexType<std::int64_t>;

/// A policy for a functor of that type. On devices it sends the functor as an argument of the
/// kernel: what Kokkos does with larger ones unasked, through constant memory, waits for the kernel
/// before and cannot be captured in a graph.
template <class Functor, class Policy>
auto policyFor(const Policy& policy) {
  if constexpr (is_host_space<typename Policy::execution_space>) {
    return policy;
  } else {
    constexpr std::size_t arguments_bytes = 4096, policy_bytes = 512;
    static_assert(sizeof(Functor) + policy_bytes <= arguments_bytes,
                  "Kontract: a kernel's functor does not fit into its arguments");
    return Kokkos::Experimental::require(policy,
                                         Kokkos::Experimental::WorkItemProperty::HintLightWeight);
  }
}

/// Starts a kernel.
template <class Policy, class Functor>
void start(const std::string& label, const Policy& policy, const Functor& functor) {
  Kokkos::parallel_for(label, policyFor<Functor>(policy), functor);
}

/// The launch bounds of a kernel that names some as its type launch_bounds.
template <class Functor, class = void>
struct BoundsOf {
  using type = Kokkos::LaunchBounds<>;
};
template <class Functor>
struct BoundsOf<Functor, std::void_t<typename Functor::launch_bounds>> {
  using type = typename Functor::launch_bounds;
};

/// Runs functor(i) for i from 0 to n on that instance. All launches go through this file and
/// Kontract_CudaLaunch.hpp, so that every kernel has its label and none leaves the caller's
/// instance.
template <class Space, class Functor>
void launch(const Space& space, const std::string& label, std::int64_t n, const Functor& functor) {
  using Policy = Kokkos::RangePolicy<Space, Position, typename BoundsOf<Functor>::type>;
  constexpr std::int64_t most = most_threads_of_launch<Space>;
  if constexpr (most > 0) {
    for (std::int64_t first = 0; first < n; first += most) {
      start(label, Policy(space, first, std::min(n, first + most)), functor);
    }
  } else {
    start(label, Policy(space, 0, n), functor);
  }
}

/// The same for functor(i, any), and waits.
/// \return whether one of them set any to 1
template <class Space, class Functor>
bool launchForAny(const Space& space, const std::string& label, std::int64_t n,
                  const Functor& functor) {
  int any = 0;
  Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Space, Position>(space, 0, n), functor,
                          Kokkos::LOr<int>(any));
  return any != 0;
}

/// The same for functor(i, sum, is_final), a scan.
template <class Space, class Functor>
void launchScan(const Space& space, const std::string& label, std::int64_t n,
                const Functor& functor) {
  Kokkos::parallel_scan(label, Kokkos::RangePolicy<Space, Position>(space, 0, n), functor);
}

/// The same for functor(i, first), and waits.
/// \return the least number that one of them set first to; -1 if none did
template <class Space, class Functor>
std::int64_t launchForFirst(const Space& space, const std::string& label, std::int64_t n,
                            const Functor& functor) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::int64_t first = none;
  Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Space, Position>(space, 0, n), functor,
                          Kokkos::Min<std::int64_t>(first));
  return first < none ? first : -1;
}

/// The same for functor(i, most), and waits.
/// \return the greatest number that one of them set most to; 0 if none did
template <class Space, class Functor>
std::int64_t launchForMost(const Space& space, const std::string& label, std::int64_t n,
                           const Functor& functor) {
  std::int64_t most = 0;
  Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Space, Position>(space, 0, n), functor,
                          Kokkos::Max<std::int64_t>(most));
  return n > 0 ? most : 0;
}

/// The same for a few items of work that take longer, on whichever thread is free.
template <class Space, class Functor>
void launchUneven(const Space& space, const std::string& label, std::int64_t n,
                  const Functor& functor) {
  using Policy = Kokkos::RangePolicy<Space, Position, Kokkos::Schedule<Kokkos::Dynamic>>;
  start(label, Policy(space, 0, n, Kokkos::ChunkSize(1)), functor);
}

/// Work of a thread of the host in memory of its own.
template <class Functor>
struct WorkInMemory {
  Functor functor;
  std::int64_t bytes;
  std::atomic<bool>* is_refused;

  void operator()(std::int64_t i) const {
    // Without memory nothing is done; an exception in a parallel region would end the program.
    void* const memory = threadMemory(bytes);
    if (memory == nullptr && bytes > 0) {
      *is_refused = true;
    } else {
      functor(i, memory);
    }
  }
};

/// Runs functor(i, memory) for i from 0 to n, as launchUneven() does, on threads of the host, each
/// with that much memory, aligned to 64 bytes.
/// \throws std::bad_alloc if a thread got none; what its work writes is then undefined
template <class Space, class Functor>
void launchInMemory(const Space& space, const std::string& label, std::int64_t n,
                    std::int64_t bytes, const Functor& functor) {
  static_assert(is_host_space<Space>, "Kontract: threads of devices have no memory of their own");
  std::atomic<bool> is_refused{false};
  launchUneven(space, label, n, WorkInMemory<Functor>{functor, bytes, &is_refused});
  if (is_refused) throw std::bad_alloc();
}

/// Extents of a tile of a box; all 0 leaves the choice to Kokkos.
using Tile = Box;

/// A functor that takes its indices the other way round.
template <class Functor>
struct Reversed {
  Functor functor;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t k, std::int64_t j, std::int64_t i) const {
    functor(i, j, k);
  }
};

template <Kokkos::Iterate iterate, class Space, class Functor>
void launchTiles(const Space& space, const std::string& label, const Box& box, const Tile& tile,
                 const Functor& functor) {
  using Policy = Kokkos::MDRangePolicy<Space, Position, Kokkos::Rank<3, iterate, iterate>>;
  const auto& [i, j, k] = box.extents;
  const auto& [a, b, c] = tile.extents;
  if (tile.size() == 0) {
    start(label, Policy(space, {{0, 0, 0}}, {{i, j, k}}), functor);
  } else {
    start(label, Policy(space, {{0, 0, 0}}, {{i, j, k}}, {{a, b, c}}), functor);
  }
}

/// Runs functor(i, j, k) over a box, neighbours in the last index first, or in the first one where
/// cells are neighbours in memory. Tile extents of 0 leave the choice to Kokkos.
template <class Space, class Functor>
void launch(const Space& space, const std::string& label, const Box& box, bool first_fastest,
            const Tile& tile, const Functor& functor) {
  if (first_fastest) {
    launchTiles<Kokkos::Iterate::Left>(space, label, box, tile, functor);
  } else if constexpr (is_host_space<Space>) {
    launchTiles<Kokkos::Iterate::Right>(space, label, box, tile, functor);
  } else {
    // Kokkos gives neighbouring threads of a device to the first index, whatever the order.
    const auto reversed = [](Box of) {
      std::swap(of.extents[0], of.extents[2]);
      return of;
    };
    launchTiles<Kokkos::Iterate::Left>(space, label, reversed(box), reversed(tile),
                                       Reversed<Functor>{functor});
  }
}

/// Teams as a kernel wants them.
struct Teams {
  std::int64_t pieces = 1;  ///< of work, each done by a team
  int threads = 1;          ///< of a team
  int vector_length = 1;    ///< of a thread
  std::int64_t scratch_bytes = 0;
  int scratch_level = 0;       ///< of hosts; devices have level 0
  LaunchSettings launch = {};  ///< whose launch bounds launchBounded() heeds
};

/// Pieces of work as a kernel of teams. There may be more pieces than a league has teams.
template <class Space, class Functor>
struct TeamPieces {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  Functor functor;
  Teams teams;

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    void* scratch = nullptr;
    if (teams.scratch_bytes > 0) {
      // A level known when compiling tells a device that these are addresses of shared memory.
      const int level = is_host_space<Space> ? teams.scratch_level : 0;
      scratch = member.team_scratch(level).get_shmem_aligned(teams.scratch_bytes, 16);
    }
    const Workers<Member> workers{member, teams.vector_length, scratch};
    for (std::int64_t piece = member.league_rank(); piece < teams.pieces;) {
      functor(workers, piece);
      piece += member.league_size();
      if (piece < teams.pieces) workers.wait();  // nobody reads scratch of the last piece any more
    }
  }
};

/// Older versions of Kokkos have one scratch memory for all instances of a host space, and all
/// threads that launch there.
template <class Space>
std::mutex& scratchOfHost() {
  static std::mutex one_at_a_time;
  return one_at_a_time;
}

/// The policy of a kernel of teams.
template <class Bounds = Kokkos::LaunchBounds<>, class Space, class Functor>
auto policyOf(const Space& space, const TeamPieces<Space, Functor>& kernel) {
  const Teams& teams = kernel.teams;
  std::int64_t league = std::min<std::int64_t>(teams.pieces, 1 << 26);
  constexpr std::int64_t most_threads = most_threads_of_launch<Space>;
  if (most_threads > 0) {
    league = std::min(league, most_threads / (std::int64_t(teams.threads) * teams.vector_length));
  }
  auto policy = policyFor<TeamPieces<Space, Functor>>(Kokkos::TeamPolicy<Space, Bounds>(
      space, static_cast<int>(league), teams.threads, teams.vector_length));
  if (teams.scratch_bytes > 0) {
    const int bytes = static_cast<int>(teams.scratch_bytes) + 16;  // to align them
    policy.set_scratch_size(teams.scratch_level, Kokkos::PerTeam(bytes));
  }
  return policy;
}

template <class Space, class Policy, class Functor>
void refuseTooLargeTeams(const std::string& label, const Policy& policy,
                         const TeamPieces<Space, Functor>& kernel) {
  if constexpr (!is_host_space<Space>) {
    const Teams& teams = kernel.teams;
    const int most = policy.team_size_max(kernel, Kokkos::ParallelForTag());
    if (teams.threads > most) {
      refuse(label.substr(label.find("::") + 2),
             "teams of " + std::to_string(teams.threads) + " x " +
                 std::to_string(teams.vector_length) + " do not fit; Team Size can be at most " +
                 std::to_string(most) + " with that Vector Length");
    }
  }
}

/// Refuses what launch() would refuse. What writes before it launches teams asks first, so that
/// nothing is written by then.
/// \throws std::invalid_argument where the device has no registers left for teams of that size
template <class Space, class Functor>
void refuseTooLargeTeams(const Space& space, const std::string& label, const Teams& teams,
                         const Functor& functor) {
  if constexpr (!is_host_space<Space>) {
    const TeamPieces<Space, Functor> kernel{functor, teams};
    refuseTooLargeTeams(label, policyOf(space, kernel), kernel);
  }
}

/// Runs functor(workers, piece) for each piece, with a team each.
/// \tparam Bounds launch bounds of the kernel
/// \throws std::invalid_argument where the device has no registers left for teams of that size
template <class Bounds = Kokkos::LaunchBounds<>, class Space, class Functor>
void launch(const Space& space, const std::string& label, const Teams& teams,
            const Functor& functor) {
  const TeamPieces<Space, Functor> kernel{functor, teams};
  const auto policy = policyOf<Bounds>(space, kernel);
  refuseTooLargeTeams(label, policy, kernel);
  if constexpr (is_host_space<Space>) {
    const std::lock_guard<std::mutex> lock(scratchOfHost<Space>());
    Kokkos::parallel_for(label, policy, kernel);
  } else {
    Kokkos::parallel_for(label, policy, kernel);
  }
}

/// The same with the launch bounds of teams.launch, which are among those that are compiled
/// (whyNotBounds()). Each of them is another kernel: for functors that are few.
template <int place = 0, class Space, class Functor>
void launchBounded(const Space& space, const std::string& label, const Teams& teams,
                   const Functor& functor) {
  if constexpr (!is_host_space<Space> && place < launch_bound_count) {
    if (teams.launch.givesBounds()) {
      constexpr LaunchBound bound = launch_bounds[place];
      if (launchBoundOf(teams.launch) == place) {
        launch<Kokkos::LaunchBounds<bound.threads, bound.blocks>>(space, label, teams, functor);
      } else {
        launchBounded<place + 1>(space, label, teams, functor);
      }
      return;
    }
  }
  launch(space, label, teams, functor);
}

}  // namespace Impl
}  // namespace Kontract

#endif
