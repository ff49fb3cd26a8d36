// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_DECISION_HPP
#define KONTRACT_DECISION_HPP

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
};

/// What a call of Integration ran, and why.
struct FormDecision {
  const char* function;
  const char* algorithm;  ///< empty if there was nothing to do
  const char* kernel;     ///< which of the algorithm's, empty if it has one
  bool is_asked_for;
  std::string why_not_defaults;  ///< why default options do not apply; empty if they do
  double flops, bytes;
};

/// Keeps the decision of the call that this thread has just made.
void rememberCall(const Decision& decision);
void rememberCall(const FormDecision& decision);

/// A decision in words.
Explanation explainDecision(const Decision& decision);
Explanation explainDecision(const FormDecision& decision);

}  // namespace Impl

/// What the last call of this host thread ran, and why. Of functions of Integration, settings name
/// the kernel, and flops are those of plain sums over points, whatever the kernel saves.
/// \throws std::logic_error if this thread has made no call yet
Explanation explain();

}  // namespace Kontract

#endif
