// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_MATRIXCALL_HPP
#define KONTRACT_MATRIXCALL_HPP

#include "Kontract_Operate.hpp"

namespace Kontract {
namespace Impl {

/// Refuses a call whose matrices, of extent D, or the output of integers, its kind does not take.
void requireMatrices(const Signature& signature, PointwiseKind kind, const IndexTable& indices,
                     bool has_integers);

/// The operation whose options and name hold for a function that is one of its kind.
constexpr Operation operationOf(PointwiseKind kind) {
  switch (kind) {
    case PointwiseKind::Copy: return Operation::cloneData;
    case PointwiseKind::Inverse: return Operation::matmatProductDataData;
    case PointwiseKind::Cofactor: return Operation::matvecProductDataData;
    default: return Operation::dotMultiplyDataData;
  }
}

/// Runs a problem by the arithmetic of its elements' own types: components of a Fad's determinant
/// are no sums of products of a few components.
struct RunOfMatrices : Run {
  template <class CallType, class Problem>
  void operator()(const CallType& call, Operation operation, const Problem& problem,
                  const CallOptions& options) const {
    dispatch(call.space(), operation, problem, options);
  }
};

/// Acts on matrices or vectors at points: output and input, or three arrays.
template <class CallType>
void actMatrices(Function function, PointwiseKind kind, const CallType& call) {
  using Out = typename std::decay_t<decltype(call.out())>::non_const_value_type;
  constexpr bool on_host = is_host_space<typename CallType::space_type>;
  const Called called(operationOf(kind), signatureOf(function));
  actOn(called, false, call, RunOfMatrices(), [&](const IndexTable& indices) {
    requireMatrices(*called.signature, kind, indices, is_of_integers<Out>);
    return pointwiseOf(indices, kind, on_host);
  });
}

/// One input: (space,) output, input (, options)
template <class DeviceType, class... Arguments>
void ofMatrices(Function function, PointwiseKind kind, const Arguments&... arguments) {
  actMatrices(function, kind, callOf<DeviceType, 2, NoFlag>(arguments...));
}

/// A product under another name: (space,) output, left, right (, options)
template <class DeviceType, class... Arguments>
void productOf(Function function, Operation operation, PointwiseKind kind,
               const Arguments&... arguments) {
  actPointwise(Called(operation, signatureOf(function)), kind, false,
               callOf<DeviceType, 3, NoFlag>(arguments...), Run());
}

}  // namespace Impl
}  // namespace Kontract

#endif
