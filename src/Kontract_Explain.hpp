// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_EXPLAIN_HPP
#define KONTRACT_EXPLAIN_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include <string>

#include "detail/call/Kontract_Operate.hpp"

namespace Kontract {
namespace Impl {

inline constexpr int no_flag = -1000;

/// \throws std::invalid_argument if an operation does not take that many arrays
void checkArguments(Operation operation, int arrays);

/// \return the flag of a call of that operation, or its default if no_flag was given
/// \throws std::invalid_argument if there is one and the operation has none
int checkFlag(Operation operation, int flag);

}  // namespace Impl

/// What a call would run, and why, without running it.
///
/// \param function   name of a function of ArrayTools
/// \param arguments  what that function would be given: ([space,] output, inputs [, flag]
///   [, options]); only shapes are looked at
/// \tparam DeviceType  as that of ArrayTools
/// \return algorithm, settings, flops, bytes, expected seconds and the reason for the choice
/// \throws std::invalid_argument for an unknown function, and wherever the call itself would
template <class DeviceType = Kokkos::DefaultExecutionSpace, class... Arguments>
Explanation explain(const std::string& function, const Arguments&... arguments) {
  Explanation explanation;
  const Impl::Explain action{explanation};
  const Impl::Operation operation = Impl::operationOf(function);
  constexpr int arrays = (int(Impl::is_array<Arguments>) + ...);
  static_assert(arrays == 2 || arrays == 3, "Kontract: explain takes the arguments of the call");
  Impl::checkArguments(operation, arrays);
  if constexpr (arrays == 2) {
    Impl::clone<DeviceType>(operation, action, arguments...);
  } else {
    // The flag is a bool or a char; which of them, or none, is known only with the name.
    const auto call = Impl::callOf<DeviceType, 3, int>(arguments...);
    const int flag = Impl::checkFlag(operation, call.flag(Impl::no_flag));
    if (Impl::isContraction(operation)) {
      Impl::actContraction(operation, flag != 0, call, action);
    } else {
      const bool takes_letter = Impl::signatureOf(operation).transposable;
      const bool transposed = takes_letter && Impl::isTransposed(operation, char(flag));
      const auto kind =
          Impl::kindOf(operation, !takes_letter && flag != 0, Impl::rankOf(call.out()));
      Impl::actPointwise(operation, kind, transposed, call, action);
    }
  }
  return explanation;
}

}  // namespace Kontract

#endif
