// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_LAUNCH_HPP
#define KONTRACT_LAUNCH_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>

#include "Kontract_LaunchSettings.hpp"
#include "Kontract_Piece.hpp"

namespace Kontract {
namespace Impl {

using Position = Kokkos::IndexType<std::int64_t>;

/// Runs functor(i) for i from 0 to n on that instance. All launches go through this file, so that
/// every kernel has its label and none leaves the caller's instance.
template <class Space, class Functor>
void launch(const Space& space, const std::string& label, std::int64_t n, const Functor& functor) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Position>(space, 0, n), functor);
}

/// The same for a few items of work that take longer, on whichever thread is free.
template <class Space, class Functor>
void launchUneven(const Space& space, const std::string& label, std::int64_t n,
                  const Functor& functor) {
  using Policy = Kokkos::RangePolicy<Space, Position, Kokkos::Schedule<Kokkos::Dynamic>>;
  Kokkos::parallel_for(label, Policy(space, 0, n, Kokkos::ChunkSize(1)), functor);
}

/// Extents of a tile of a box; all 0 leaves the choice to Kokkos.
using Tile = Box;

/// Runs functor(i, j, k) over a box, neighbours in the last index first, or in the first one where
/// cells are neighbours in memory. Tile extents of 0 leave the choice to Kokkos.
template <class Space, class Functor>
void launch(const Space& space, const std::string& label, const Box& box, bool first_fastest,
            const Tile& tile, const Functor& functor) {
  const auto run = [&](auto order) {
    constexpr Kokkos::Iterate iterate = decltype(order)::value;
    using Policy = Kokkos::MDRangePolicy<Space, Position, Kokkos::Rank<3, iterate, iterate>>;
    const auto& [i, j, k] = box.extents;
    const auto& [a, b, c] = tile.extents;
    if (tile.size() == 0) {
      Kokkos::parallel_for(label, Policy(space, {{0, 0, 0}}, {{i, j, k}}), functor);
    } else {
      Kokkos::parallel_for(label, Policy(space, {{0, 0, 0}}, {{i, j, k}}, {{a, b, c}}), functor);
    }
  };
  if (first_fastest) {
    run(std::integral_constant<Kokkos::Iterate, Kokkos::Iterate::Left>());
  } else {
    run(std::integral_constant<Kokkos::Iterate, Kokkos::Iterate::Right>());
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
