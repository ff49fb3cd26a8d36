// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_OPERATE_HPP
#define KONTRACT_OPERATE_HPP

#include "Kontract_Action.hpp"
#include "Kontract_Call.hpp"
#include "Kontract_CheckShapes.hpp"

namespace Kontract {
namespace Impl {

/// Checks the arrays of a call against its operation and acts on their canonical problem, whose
/// shape is shapeOf(indices).
template <class CallType, class Action, class ShapeOf>
void actOn(Operation operation, bool transposed, const CallType& call, const Action& action,
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
  const IndexTable indices = checkShapes(signatureOf(operation), transposed, out, left, right);
  const auto shape = shapeOf(indices);
  const auto out_elements = elementsOf<false>(call.out(), out);
  const auto left_elements = elementsOf<true>(call.left(), left);
  const auto right_elements = elementsOf<true>(call.right(), right);
  const Problem<std::decay_t<decltype(shape)>, std::decay_t<decltype(out_elements)>,
                std::decay_t<decltype(left_elements)>, std::decay_t<decltype(right_elements)>>
      problem{shape, out_elements, left_elements, right_elements};
  call.withOptions([&](const Options& options) {
    if (out.size() == 0) {
      action.nothingToDo(operation);
    } else {
      action(call, operation, problem, options);
    }
  });
}

/// Acts on a contraction of three arrays.
template <class CallType, class Action>
void actContraction(Operation operation, bool sum_into, const CallType& call,
                    const Action& action) {
  actOn(operation, false, call, action,
        [&](const IndexTable& indices) { return contractionOf(indices, sum_into); });
}

/// Acts on a pointwise product of three arrays, or on a copy of one into another.
template <class CallType, class Action>
void actPointwise(Operation operation, PointwiseKind kind, bool transposed, const CallType& call,
                  const Action& action) {
  constexpr bool on_host = is_host_space<typename CallType::space_type>;
  actOn(operation, transposed, call, action,
        [&](const IndexTable& indices) { return pointwiseOf(indices, kind, on_host); });
}

/// What a pointwise operation does at one point.
/// \param out_rank  rank of its output, which tells cross products in the plane from those in space
PointwiseKind kindOf(Operation operation, bool reciprocal, int out_rank);

/// Whether a product is with the transposed matrix.
/// \throws std::invalid_argument for a letter that is neither N nor T; small ones do, as in
/// Intrepid2
bool isTransposed(Operation operation, char transpose);

/// A contraction: (space,) output, left, right (, sumInto) (, options)
template <class DeviceType, class Action, class... Arguments>
void contract(Operation operation, const Action& action, const Arguments&... arguments) {
  const auto call = callOf<DeviceType, 3, bool>(arguments...);
  actContraction(operation, call.flag(false), call, action);
}

/// A scalar multiple: (space,) output, data, right (, reciprocal) (, options)
template <class DeviceType, class Action, class... Arguments>
void scale(Operation operation, const Action& action, const Arguments&... arguments) {
  const auto call = callOf<DeviceType, 3, bool>(arguments...);
  const auto kind = kindOf(operation, call.flag(false), rankOf(call.out()));
  actPointwise(operation, kind, false, call, action);
}

/// A dot, cross or outer product: (space,) output, left, right (, options)
template <class DeviceType, class Action, class... Arguments>
void multiply(Operation operation, const Action& action, const Arguments&... arguments) {
  const auto call = callOf<DeviceType, 3, NoFlag>(arguments...);
  actPointwise(operation, kindOf(operation, false, rankOf(call.out())), false, call, action);
}

/// A matrix product: (space,) output, left, right (, transpose) (, options)
template <class DeviceType, class Action, class... Arguments>
void multiplyMatrix(Operation operation, const Action& action, const Arguments&... arguments) {
  const auto call = callOf<DeviceType, 3, char>(arguments...);
  actPointwise(operation, PointwiseKind::Product, isTransposed(operation, call.flag('N')), call,
               action);
}

/// A copy into every cell: (space,) output, input (, options)
template <class DeviceType, class Action, class... Arguments>
void clone(Operation operation, const Action& action, const Arguments&... arguments) {
  const auto call = callOf<DeviceType, 2, NoFlag>(arguments...);
  actPointwise(operation, PointwiseKind::Copy, false, call, action);
}

}  // namespace Impl
}  // namespace Kontract

#endif
