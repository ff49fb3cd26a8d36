// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Choice.hpp"

#include <cstdio>
#include <limits>
#include <ostream>
#include <vector>

#include "detail/dispatch/tuning/Kontract_Tuner.hpp"
#include "detail/support/Kontract_Error.hpp"

namespace Kontract {
namespace Impl {
namespace {

std::string nameOf(int algorithm) {
  return Options::algorithmNames()[static_cast<std::size_t>(algorithm)];
}

/// "Flat, Register Blocking"
std::string namesOf(const Applicable& applicable) {
  std::string names;
  for (int i = 0; i < algorithm_count; ++i) {
    if (applicable[static_cast<std::size_t>(i)]) names += (names.empty() ? "" : ", ") + nameOf(i);
  }
  return names;
}

std::string seconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g s", value);
  return text;
}

/// Why an algorithm cannot run this with its settings; empty if it can.
std::string whyNot(int algorithm, const Request& request, const Work& work,
                   const Machine& machine) {
  std::string why;
  forEachAlgorithm([&](auto candidate, auto index) {
    if (algorithm != index) return;
    why = candidate.whyNot(work, machine, request.template plan<decltype(index)::value>());
  });
  return why;
}

/// Seconds that an algorithm's estimate is never below: 0 if it does not tell.
template <class Algorithm>
auto boundOf(Algorithm algorithm, const Work& work, const Machine& machine, int)
    -> decltype(algorithm.bound(work, machine)) {
  return algorithm.bound(work, machine);
}
template <class Algorithm>
double boundOf(Algorithm, const Work&, const Machine&, long) {
  return 0;
}

unsigned launchKnobsOf(int algorithm) {
  unsigned launch_knobs = 0;
  forEachAlgorithm([&](auto candidate, auto index) {
    if (algorithm == index) launch_knobs = candidate.launch_knobs;
  });
  return launch_knobs;
}

}  // namespace

std::string whyNotLaunch(const std::string& algorithm, unsigned launch_knobs,
                         LaunchSettings launch) {
  std::string why;
  unsigned knob = 1;
  launch.visit([&](const char* name, auto& value, const char*) {
    const bool is_heeded = (launch_knobs & knob) != 0;
    knob *= 2;
    if (!isGiven(value) || is_heeded || !why.empty()) return;
    const std::decay_t<decltype(value)> otherwise = notGiven(value);
    why = "the algorithm " + algorithm + " has no launch setting '" + name + "' (given " +
          textOf(value) + "); leave it at " + textOf(otherwise);
  });
  return why;
}

double estimate(int algorithm, const Work& work, const Machine& machine) {
  double expected = 0;
  forEachAlgorithm([&](auto candidate, auto index) {
    if (algorithm == index) expected = candidate.estimate(work, machine);
  });
  return expected;
}

std::string whyNot(const Request& request, const Work& work, const Machine& machine,
                   const Applicable& applicable) {
  if (!applicable[static_cast<std::size_t>(request.algorithm)]) {
    return "the algorithm " + nameOf(request.algorithm) +
           " was asked for by name but cannot run this on that execution space; what can is " +
           namesOf(applicable);
  }
  std::string why =
      whyNotLaunch(nameOf(request.algorithm), launchKnobsOf(request.algorithm), request.launch);
  if (!why.empty()) return why;
  why = whyNot(request.algorithm, request, work, machine);
  return why.empty() ? why : nameOf(request.algorithm) + ": " + why;
}

namespace {

/// Why no algorithm can run this.
std::string whyNone(const Request& request, const Work& work, const Machine& machine,
                    const Applicable& applicable) {
  std::string why;
  for (int i = 0; i < algorithm_count; ++i) {
    if (!applicable[static_cast<std::size_t>(i)]) continue;
    why += (why.empty() ? "" : "; ") + nameOf(i) + ": " + whyNot(i, request, work, machine);
  }
  return why;
}

}  // namespace

Choice choose(Operation operation, const Request& request, const Work& work, const Machine& machine,
              const Applicable& applicable) {
  if (request.algorithm != Request::automatic) {
    const std::string why = whyNot(request, work, machine, applicable);
    if (!why.empty()) refuse(signatureOf(operation).name, why);
    return {request.algorithm, false, 0};
  }
  Choice best;
  double least = std::numeric_limits<double>::infinity();
  forEachAlgorithm([&](auto candidate, auto index) {
    // Between those that are as good as equal, the order of the list decides.
    const double good = 0.97 * least;
    if (!applicable[index] || boundOf(candidate, work, machine, 0) >= good) return;
    const double expected = candidate.estimate(work, machine);
    if (expected >= good) return;
    if (!candidate.whyNot(work, machine, request.template plan<decltype(index)::value>()).empty()) {
      return;
    }
    best.algorithm = index;
    least = expected;
  });
  if (best.algorithm == Choice::nothing_to_do) {
    refuse(signatureOf(operation).name, whyNone(request, work, machine, applicable));
  }
  return best;
}

Explanation explainChoice(Operation operation, const Choice& choice, const Request& request,
                          const Work& work, const Machine& machine, const Applicable& applicable) {
  Explanation explanation;
  explanation.operation = signatureOf(operation).name;
  explanation.flops = work.flops;
  explanation.bytes = work.bytes;
  if (choice.algorithm == Choice::nothing_to_do) {
    explanation.why = nothing_to_do;
    return explanation;
  }
  explanation.algorithm = nameOf(choice.algorithm);
  explanation.expected_seconds = estimate(choice.algorithm, work, machine);
  const auto add_setting = [&](const char* name, const auto& value) {
    if (!explanation.settings.empty()) explanation.settings += ", ";
    explanation.settings += std::string(name) + " = " + textOf(value);
  };
  AlgorithmSettings settings = request.settings;
  forEachAlgorithm([&](auto, auto index) {
    if (choice.algorithm != index) return;
    std::get<decltype(index)::value>(settings).visit(
        [&](const char* name, auto& value, const char*) {
          constexpr bool is_number = std::is_same_v<decltype(value), int&>;
          if (is_number || isGiven(value)) add_setting(name, value);
        });
  });
  LaunchSettings launch = request.launch;
  launch.visit([&](const char* name, auto& value, const char*) {
    const bool is_heeded =
        work.form.shape.is_scattered || !choice.is_automatic || choice.measured_seconds > 0;
    if (is_heeded && isGiven(value)) add_setting(name, value);
  });
  if (!choice.is_automatic) {
    explanation.why = "asked for by name";
    return explanation;
  }
  if (choice.measured_seconds > 0) {
    explanation.measured_seconds = choice.measured_seconds;
    explanation.why = "measured " + seconds(choice.measured_seconds) +
                      ", the fastest in the tuning table " + request.tuner->file();
    return explanation;
  }
  explanation.why = "least expected time of";
  for (int i = 0; i < algorithm_count; ++i) {
    if (!applicable[static_cast<std::size_t>(i)]) continue;
    if (!whyNot(i, request, work, machine).empty()) continue;
    explanation.why += " " + nameOf(i) + " " + seconds(estimate(i, work, machine)) + ",";
  }
  explanation.why.pop_back();
  return explanation;
}

const std::string& regionName(Operation operation) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (int i = 0; i < operation_count; ++i) {
      all.push_back(std::string("Kontract::") + signatureOf(static_cast<Operation>(i)).name);
    }
    return all;
  }();
  return names[static_cast<std::size_t>(operation)];
}

const std::string& kernelLabel(Operation operation, int algorithm) {
  static const std::vector<std::string> labels = [] {
    std::vector<std::string> all;
    for (int i = 0; i < operation_count; ++i) {
      for (const std::string& name : Options::algorithmNames()) {
        all.push_back(regionName(static_cast<Operation>(i)) + "::" + name);
      }
    }
    return all;
  }();
  return labels[static_cast<std::size_t>(static_cast<int>(operation) * algorithm_count +
                                         algorithm)];
}

}  // namespace Impl

std::string Explanation::text() const {
  std::string line = operation + ": ";
  if (algorithm.empty()) return line + why;
  line += algorithm + (settings.empty() ? "" : " (" + settings + ")") + ", ";
  char numbers[96];
  std::snprintf(numbers, sizeof numbers, "%.3g flops, %.3g bytes, expected %.3g s; ", flops, bytes,
                expected_seconds);
  return line + numbers + why + (advice.empty() ? "" : "; " + advice);
}

std::ostream& operator<<(std::ostream& out, const Explanation& explanation) {
  return out << explanation.text();
}

}  // namespace Kontract
