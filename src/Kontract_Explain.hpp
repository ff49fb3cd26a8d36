// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_EXPLAIN_HPP
#define KONTRACT_EXPLAIN_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include <string>
#include <vector>

#include "detail/call/Kontract_ExplainCall.hpp"

namespace Kontract {

/// What a call would run, and why, without running it.
///
/// \param function   name of a function of ArrayTools, or "matrices", "vectors", "apply",
///   "factors" or "diagonals" of Integration
/// \param arguments  what that function would be given: ([space,] output, inputs [, flag]
///   [, options]), or ([space,] output, [vector,] geometry, terms [, sumInto] [, options]); what
///   is in the arrays is not looked at
/// \tparam DeviceType  as that of ArrayTools and Integration
/// \return algorithm, settings, flops, bytes, expected seconds and the reason for the choice; a
///   word where large arrays of the host lie in small pages although the system offers large ones
/// \throws std::invalid_argument for an unknown function, and wherever the call itself would
template <class DeviceType = Kokkos::DefaultExecutionSpace, class... Arguments>
Explanation explain(const std::string& function, const Arguments&... arguments) {
  std::vector<Impl::Decision> parts;
  Impl::explainCall<DeviceType>(Impl::operationOf(function), Impl::Explain{parts}, arguments...);
  Explanation explanation = Impl::explainDecisions(parts);
  (Impl::adviseLargePages(explanation, arguments), ...);
  return explanation;
}

}  // namespace Kontract

#endif
