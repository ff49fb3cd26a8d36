// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_DECISION_HPP
#define KONTRACT_DECISION_HPP

#include <string>
#include <vector>

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

/// Keeps the decision of the call that this thread has just made, or of a part of it.
void rememberCall(const Decision& decision);

/// While there is one, what this thread calls are parts of one call: forms of scalars that a form
/// of Fads is made of.
class PartsOfCall {
 public:
  PartsOfCall();
  ~PartsOfCall();
  PartsOfCall(const PartsOfCall&) = delete;
  PartsOfCall& operator=(const PartsOfCall&) = delete;
};

/// Decisions of the parts of a call in words: flops, bytes and seconds of all, and what else is to
/// be told of the last one.
Explanation explainDecisions(const std::vector<Decision>& parts);

}  // namespace Impl

}  // namespace Kontract

#endif
