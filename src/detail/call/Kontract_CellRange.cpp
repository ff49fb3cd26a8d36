// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_CellRange.hpp"

#include <string>

#include "detail/support/Kontract_Error.hpp"

namespace Kontract {
namespace Impl {

std::pair<std::size_t, std::size_t> cellsOf(const Signature& signature, std::int64_t cells,
                                            std::int64_t start, std::int64_t end) {
  const std::int64_t last = end == -1 ? cells : end;
  if (start < 0 || start > last || last > cells) {
    refuse(signature.name, "startCell is " + std::to_string(start) + " and endCell " +
                               std::to_string(end) + ": " + signature.left_name + " has " +
                               std::to_string(cells) + " cells, and needs those of this range");
  }
  return {static_cast<std::size_t>(start), static_cast<std::size_t>(last)};
}

}  // namespace Impl
}  // namespace Kontract
