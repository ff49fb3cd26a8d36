// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Error.hpp"

#include <stdexcept>

namespace Kontract {
namespace Impl {

void refuse(const std::string& where, const std::string& why) {
  throw std::invalid_argument("Kontract::" + where + ": " + why);
}

}  // namespace Impl
}  // namespace Kontract
