// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Decision.hpp"

#include <stdexcept>
#include <variant>

namespace Kontract {
namespace Impl {
namespace {

thread_local std::variant<std::monostate, Decision, FormDecision> last_call;

}  // namespace

void rememberCall(const Decision& decision) { last_call = decision; }
void rememberCall(const FormDecision& decision) { last_call = decision; }

Explanation explainDecision(const Decision& d) {
  return explainChoice(d.operation, d.choice, d.request, d.work, d.machine, d.applicable);
}

namespace {

std::string whyChosen(const FormDecision& d) {
  if (d.algorithm[0] == '\0') return nothing_to_do;
  if (d.is_asked_for) return "asked for by name";
  std::string why = "the fastest that serves the call";
  if (!d.why_not_defaults.empty()) why += "; default options do not apply: " + d.why_not_defaults;
  return why;
}

}  // namespace

Explanation explainDecision(const FormDecision& d) {
  Explanation explanation;
  explanation.operation = d.function;
  explanation.algorithm = d.algorithm;
  explanation.settings = d.kernel;
  explanation.why = whyChosen(d);
  explanation.flops = d.flops;
  explanation.bytes = d.bytes;
  return explanation;
}

namespace {

struct ExplainLastCall {
  Explanation operator()(std::monostate) const {
    throw std::logic_error("Kontract::explain: this thread has made no call yet");
  }
  template <class AnyDecision>
  Explanation operator()(const AnyDecision& decision) const {
    return explainDecision(decision);
  }
};

}  // namespace
}  // namespace Impl

Explanation explain() { return std::visit(Impl::ExplainLastCall(), Impl::last_call); }

}  // namespace Kontract
