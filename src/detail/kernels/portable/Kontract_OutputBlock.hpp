// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_OUTPUTBLOCK_HPP
#define KONTRACT_OUTPUTBLOCK_HPP

#include <Kokkos_Macros.hpp>
#include <cstdint>

#include "detail/problem/Kontract_Work.hpp"

namespace Kontract {
namespace Impl {

/// The place of an output: cell, left and right field.
struct OutputPlace {
  std::int64_t c, l, r;
};

/// Some neighbouring cells, left fields and right fields of a contraction: what a team works on.
struct OutputBlock {
  OutputPlace first;
  std::int64_t cells, lefts, rights;  ///< how many

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t size() const { return cells * lefts * rights; }

  /// Output i of the block, neighbours in memory next to each other.
  KOKKOS_FORCEINLINE_FUNCTION OutputPlace at(std::int64_t i, bool cell_fastest) const {
    // Dividing 32-bit numbers takes half the time.
    return (i | cells | lefts | rights) >> 32 == 0 ? split<std::uint32_t>(i, cell_fastest)
                                                   : split<std::uint64_t>(i, cell_fastest);
  }

 private:
  template <class Unsigned>
  KOKKOS_FORCEINLINE_FUNCTION OutputPlace split(std::int64_t i, bool cell_fastest) const {
    const Unsigned fastest = static_cast<Unsigned>(cell_fastest ? cells : rights);
    const Unsigned middle = static_cast<Unsigned>(lefts), place = static_cast<Unsigned>(i);
    const Unsigned rest = place / fastest;
    const std::int64_t a = place - rest * fastest, b = rest % middle, c = rest / middle;
    return cell_fastest ? OutputPlace{first.c + a, first.l + b, first.r + c}
                        : OutputPlace{first.c + c, first.l + b, first.r + a};
  }
};

/// The outputs of a contraction cut into blocks of the same size, but for those at the ends.
struct OutputBlocks {
  Box box;    ///< all outputs
  Box block;  ///< extents of a block

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t along(int i) const {
    return (box.extents[i] + block.extents[i] - 1) / block.extents[i];
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t count() const { return along(0) * along(1) * along(2); }

  /// Block i; those that share cells and left fields follow each other.
  KOKKOS_FORCEINLINE_FUNCTION OutputBlock operator[](std::int64_t i) const {
    const std::int64_t rest = i / along(2);
    const std::int64_t places[3] = {rest / along(1), rest % along(1), i % along(2)};
    std::int64_t first[3], extents[3];
    for (int d = 0; d < 3; ++d) {
      first[d] = places[d] * block.extents[d];
      const std::int64_t left_over = box.extents[d] - first[d];
      extents[d] = left_over < block.extents[d] ? left_over : block.extents[d];
    }
    return {{first[0], first[1], first[2]}, extents[0], extents[1], extents[2]};
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
