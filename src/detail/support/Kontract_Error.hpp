// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_ERROR_HPP
#define KONTRACT_ERROR_HPP

#include <string>

namespace Kontract {
namespace Impl {

/// Refuses a call: the one place that throws for wrong input.
/// \throws std::invalid_argument with the text "Kontract::<where>: <why>", always.
[[noreturn]] void refuse(const std::string& where, const std::string& why);

}  // namespace Impl
}  // namespace Kontract

#endif
