// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_OPERATE_HPP
#define KONTRACT_OPERATE_HPP

#include "Kontract_Action.hpp"
#include "Kontract_Call.hpp"
#include "detail/problem/Kontract_CheckShapes.hpp"
#include "detail/problem/Kontract_FunctionSignature.hpp"
#include "detail/support/Kontract_Error.hpp"

namespace Kontract {
namespace Impl {

/// Whether a problem's elements are used as their view has them, and not as the scalars behind
/// them.
template <class Shape, class Out, class Left, class Right>
bool usesReferences(const Problem<Shape, Out, Left, Right>& problem) {
  if constexpr (!has_fad_components<Problem<Shape, Out, Left, Right>>) {
    return true;
  } else if constexpr (std::is_same_v<Shape, PointwiseShape>) {
    return !hasComponents(problem.shape.kind);
  } else {
    return false;
  }
}

/// \throws std::invalid_argument if there are no references to elements of an argument
template <class Accessor>
void requireReferences(const Signature& signature, const char* argument, const Accessor& elements) {
  const std::string why = whyNoReferences(elements);
  if (!why.empty()) refuse(signature.name, argument + (" " + why));
}
template <class Problem>
void requireReferences(const Signature& signature, const Problem& problem) {
  requireReferences(signature, signature.out_name, problem.out);
  requireReferences(signature, signature.left_name, problem.left);
  requireReferences(signature, signature.right_name, problem.right);
}

/// Checks the arrays of a call against its operation and acts on their canonical problem, whose
/// shape is shapeOf(indices).
template <class CallType, class Action, class ShapeOf>
void actOn(const Called& called, bool transposed, const CallType& call, const Action& action,
           const ShapeOf& shapeOf) {
  using Space = typename CallType::space_type;
  const auto described = [](const auto& view) {
    using Memory = typename std::decay_t<decltype(view)>::memory_space;
    ArrayDescription array = describe<Space>(view);
    array.is_reachable = array.is_reachable || Action::template moves_from<Memory>;
    return array;
  };
  const ArrayDescription out = described(call.out());
  const ArrayDescription right = described(call.right());
  const ArrayDescription left = CallType::has_left ? described(call.left()) : ArrayDescription();
  const IndexTable indices = checkShapes(*called.signature, transposed, out, left, right);
  const auto shape = shapeOf(indices);
  const auto out_elements = accessorOf<false>(call.out(), out);
  const auto left_elements = accessorOf<true>(call.left(), left);
  const auto right_elements = accessorOf<true>(call.right(), right);
  const Problem<std::decay_t<decltype(shape)>, std::decay_t<decltype(out_elements)>,
                std::decay_t<decltype(left_elements)>, std::decay_t<decltype(right_elements)>>
      problem{shape, out_elements, left_elements, right_elements};
  if (usesReferences(problem)) requireReferences(*called.signature, problem);
  call.withOptions([&](const CallOptions& options) {
    if (out.size() == 0) {
      action.nothingToDo(called.operation);
    } else {
      action(call, called.operation, problem, options);
    }
  });
}

/// Integers hold neither quotients nor what divisions by zero give.
[[noreturn]] void refuseQuotientsOfIntegers(const Signature& signature);

/// Acts on a contraction of three arrays.
template <class CallType, class Action>
void actContraction(const Called& called, bool sum_into, const CallType& call,
                    const Action& action) {
  actOn(called, false, call, action,
        [&](const IndexTable& indices) { return contractionOf(indices, sum_into); });
}

/// Acts on a pointwise product of three arrays, or on a copy of one into another.
template <class CallType, class Action>
void actPointwise(const Called& called, PointwiseKind kind, bool transposed, const CallType& call,
                  const Action& action) {
  constexpr bool on_host = is_host_space<typename CallType::space_type>;
  using Out = typename std::decay_t<decltype(call.out())>::non_const_value_type;
  if (is_of_integers<Out> && kind == PointwiseKind::Quotient) {
    refuseQuotientsOfIntegers(*called.signature);
  }
  actOn(called, transposed, call, action,
        [&](const IndexTable& indices) { return pointwiseOf(indices, kind, on_host); });
}

/// The contraction whose output and left input have those ranks; any, if none has: its shapes are
/// then refused.
Operation integralOf(int out_rank, int left_rank);

/// What a pointwise operation does at one point.
/// \param out_rank  rank of its output, which tells cross products in the plane from those in space
PointwiseKind kindOf(Operation operation, bool reciprocal, int out_rank);

/// Whether a product is with the transposed matrix.
/// \throws std::invalid_argument for a letter that is neither N nor T; small ones do, as in
/// Intrepid2
bool isTransposed(const Called& called, char transpose);

/// A contraction: (space,) output, left, right (, sumInto) (, options)
template <class DeviceType, class Action, class... Arguments>
void contract(const Called& called, const Action& action, const Arguments&... arguments) {
  const auto call = callOf<DeviceType, 3, bool>(arguments...);
  actContraction(called, call.flag(false), call, action);
}

/// A scalar multiple: (space,) output, data, right (, reciprocal) (, options)
template <class DeviceType, class Action, class... Arguments>
void scale(const Called& called, const Action& action, const Arguments&... arguments) {
  const auto call = callOf<DeviceType, 3, bool>(arguments...);
  const auto kind = kindOf(called.operation, call.flag(false), rankOf(call.out()));
  actPointwise(called, kind, false, call, action);
}

/// A dot, cross or outer product: (space,) output, left, right (, options)
template <class DeviceType, class Action, class... Arguments>
void multiply(const Called& called, const Action& action, const Arguments&... arguments) {
  const auto call = callOf<DeviceType, 3, NoFlag>(arguments...);
  actPointwise(called, kindOf(called.operation, false, rankOf(call.out())), false, call, action);
}

/// A matrix product: (space,) output, left, right (, transpose) (, options)
template <class DeviceType, class Action, class... Arguments>
void multiplyMatrix(const Called& called, const Action& action, const Arguments&... arguments) {
  const auto call = callOf<DeviceType, 3, char>(arguments...);
  actPointwise(called, PointwiseKind::Product, isTransposed(called, call.flag('N')), call, action);
}

/// A copy into every cell: (space,) output, input (, options)
template <class DeviceType, class Action, class... Arguments>
void clone(const Called& called, const Action& action, const Arguments&... arguments) {
  const auto call = callOf<DeviceType, 2, NoFlag>(arguments...);
  actPointwise(called, PointwiseKind::Copy, false, call, action);
}

}  // namespace Impl
}  // namespace Kontract

#endif
