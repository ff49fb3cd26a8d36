// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_DECISION_HPP
#define KONTRACT_DECISION_HPP

#include <string>

#include "Kontract_Choice.hpp"

namespace Kontract {
namespace Impl {

/// Everything that led to a choice, kept as it is until somebody asks for it in words.
struct Decision {
  Operation operation{};
  Request request;
  Work work;
  Machine machine;
  Applicable applicable{};
  Choice choice;
  bool is_worth_measuring = false;  ///< the choice is to be measured, and none is known
  std::string why_not_defaults;     ///< why default options do not apply; empty if they do
};

/// Keeps the decision of the call that this thread has just made.
void rememberCall(const Decision& decision);

/// A decision in words.
Explanation explainDecision(const Decision& decision);

}  // namespace Impl

}  // namespace Kontract

#endif
