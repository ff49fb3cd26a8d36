// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TABLEPAIR_HPP
#define KONTRACT_TABLEPAIR_HPP

namespace Kontract {
namespace Impl {

/// Two numbers of a table that a lane of a warp gives to matrix instructions together.
struct alignas(16) TablePair {
  double first, second;
};

}  // namespace Impl
}  // namespace Kontract

#endif
