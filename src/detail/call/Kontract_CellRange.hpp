// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLRANGE_HPP
#define KONTRACT_CELLRANGE_HPP

#include <cstddef>
#include <cstdint>
#include <utility>

#include "detail/problem/Kontract_Signature.hpp"

namespace Kontract {
namespace Impl {

/// The cells of a workset that a call is for, from `start` on and before `end`; -1 stands for all
/// that follow.
/// \throws std::invalid_argument if it does not have them
std::pair<std::size_t, std::size_t> cellsOf(const Signature& signature, std::int64_t cells,
                                            std::int64_t start, std::int64_t end);

}  // namespace Impl
}  // namespace Kontract

#endif
