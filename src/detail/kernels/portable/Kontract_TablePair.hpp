// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TABLEPAIR_HPP
#define KONTRACT_TABLEPAIR_HPP

namespace Kontract {
namespace Impl {

/// Two numbers of a table that a lane of a warp gives to matrix instructions together.
struct alignas(16) TablePair {
  double first, second;
};

/// Tiles of eight entries that sums of a warp have, at most.
inline constexpr int most_table_tiles = 4;

}  // namespace Impl
}  // namespace Kontract

#endif
