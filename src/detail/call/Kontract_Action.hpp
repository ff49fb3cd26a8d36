// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_ACTION_HPP
#define KONTRACT_ACTION_HPP

#include <vector>

#include "Kontract_FadsAsScalars.hpp"

namespace Kontract {
namespace Impl {

/// What becomes of a checked call: it is run.
struct Run {
  /// Whether arrays in that memory can be moved to where the execution space reaches them.
  template <class Memory>
  static constexpr bool moves_from = false;

  template <class CallType, class Problem>
  void operator()(const CallType& call, Operation operation, const Problem& problem,
                  const CallOptions& options) const {
    withScalarsOfFads(call.space(), problem, [&](const auto& canonical) {
      dispatch(call.space(), operation, canonical, options);
    });
  }
  void nothingToDo(Operation operation) const {
    Decision decision;
    decision.operation = operation;
    rememberCall(decision);
  }
};

/// What becomes of a checked call: it is found out whether its options let it run, because another
/// one writes before it does.
struct ValidateOnly {
  template <class Memory>
  static constexpr bool moves_from = false;

  template <class CallType, class Problem>
  void operator()(const CallType& call, Operation operation, const Problem& problem,
                  const CallOptions& options) const {
    if (options.of(operation).algorithm == Request::automatic) return;  // something always can
    withScalarsOfFads(call.space(), problem, [&](const auto& canonical) {
      decide(call.space(), operation, canonical, options);
    });
  }
  void nothingToDo(Operation) const {}
};

/// What becomes of a checked call: it is explained, and not run.
struct Explain {
  std::vector<Decision>& parts;  ///< of the call

  template <class Memory>
  static constexpr bool moves_from = false;

  template <class CallType, class Problem>
  void operator()(const CallType& call, Operation operation, const Problem& problem,
                  const CallOptions& options) const {
    withScalarsOfFads(call.space(), problem, [&](const auto& canonical) {
      parts.push_back(decide(call.space(), operation, canonical, options));
    });
  }
  void nothingToDo(Operation operation) const {
    Decision decision;
    decision.operation = operation;
    parts.push_back(decision);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
