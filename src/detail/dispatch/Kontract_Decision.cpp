// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Decision.hpp"

#include <cstddef>
#include <stdexcept>

namespace Kontract {
namespace Impl {
namespace {

enum class Parts { None, First, Next };  ///< what the next call is of another one

thread_local std::vector<Decision> last_call;
thread_local Parts parts = Parts::None;

Explanation explainDecision(const Decision& d) {
  Explanation explanation =
      explainChoice(d.operation, d.choice, d.request, d.work, d.machine, d.applicable);
  if (!d.why_not_defaults.empty()) {
    explanation.why += "; default options do not apply: " + d.why_not_defaults;
  }
  return explanation;
}

}  // namespace

PartsOfCall::PartsOfCall() { parts = Parts::First; }
PartsOfCall::~PartsOfCall() { parts = Parts::None; }

void rememberCall(const Decision& decision) {
  if (parts != Parts::Next) last_call.clear();
  if (parts == Parts::First) parts = Parts::Next;
  last_call.push_back(decision);
}

Explanation explainDecisions(const std::vector<Decision>& parts_of_call) {
  Explanation sum = explainDecision(parts_of_call.back());
  const auto count = parts_of_call.size();
  if (count == 1) return sum;
  bool are_measured = sum.measured_seconds > 0;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const Explanation part = explainDecision(parts_of_call[i]);
    sum.flops += part.flops;
    sum.bytes += part.bytes;
    sum.expected_seconds += part.expected_seconds;
    sum.measured_seconds += part.measured_seconds;
    are_measured = are_measured && part.measured_seconds > 0;
  }
  if (!are_measured) sum.measured_seconds = 0;
  sum.why += "; that is for the value, after " + std::to_string(count - 1) +
             " forms of scalars for derivatives; flops, bytes and seconds are those of all";
  return sum;
}

}  // namespace Impl

Explanation explain() {
  if (Impl::last_call.empty()) {
    throw std::logic_error("Kontract::explain: this thread has made no call yet");
  }
  return Impl::explainDecisions(Impl::last_call);
}

}  // namespace Kontract
