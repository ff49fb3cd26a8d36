// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_EVALUATE_HPP
#define KONTRACT_EVALUATE_HPP

#include "Kontract_Operate.hpp"
#include "detail/problem/Kontract_Evaluation.hpp"

namespace Kontract {
namespace Impl {

/// Runs the contractions of an evaluation one after another.
struct RunRepeatedly {
  template <class Memory>
  static constexpr bool moves_from = false;

  template <class CallType, class Out, class Left, class Right>
  void operator()(const CallType& call, Operation operation,
                  const Problem<EvaluationShape, Out, Left, Right>& problem,
                  const CallOptions& options) const {
    const auto& [outer, inner] = problem.shape.repeats;
    for (std::int64_t i = 0; i < outer.extent; ++i) {
      for (std::int64_t j = 0; j < inner.extent; ++j) {
        const Problem<ContractionShape, Out, Left, Right> contraction{
            problem.shape.contraction, from(problem.out, i * outer.out + j * inner.out),
            problem.left, from(problem.right, i * outer.right + j * inner.right)};
        Run()(call, operation, contraction, options);
      }
    }
  }
  void nothingToDo(Operation operation) const { Run().nothingToDo(operation); }
};

/// Values at points from coefficients, added to the output: (space,) output, coefficients, fields
/// (, options)
template <class DeviceType, class... Arguments>
void evaluate(const Arguments&... arguments) {
  const Called called(Operation::contractDataFieldScalar, signatureOf(Function::evaluate));
  const auto call = callOf<DeviceType, 3, NoFlag>(arguments...);
  actOn(called, false, call, RunRepeatedly(), evaluationOf);
}

}  // namespace Impl
}  // namespace Kontract

#endif
