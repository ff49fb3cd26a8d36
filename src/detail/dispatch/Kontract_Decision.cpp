// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Decision.hpp"

#include <optional>
#include <stdexcept>

namespace Kontract {
namespace Impl {
namespace {

thread_local std::optional<Decision> last_call;

}  // namespace

void rememberCall(const Decision& decision) { last_call = decision; }

Explanation explainDecision(const Decision& d) {
  Explanation explanation =
      explainChoice(d.operation, d.choice, d.request, d.work, d.machine, d.applicable);
  if (!d.why_not_defaults.empty()) {
    explanation.why += "; default options do not apply: " + d.why_not_defaults;
  }
  return explanation;
}

}  // namespace Impl

Explanation explain() {
  if (!Impl::last_call) {
    throw std::logic_error("Kontract::explain: this thread has made no call yet");
  }
  return Impl::explainDecision(*Impl::last_call);
}

}  // namespace Kontract
