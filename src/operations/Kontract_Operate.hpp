// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_OPERATE_HPP
#define KONTRACT_OPERATE_HPP

#include "Kontract_Action.hpp"
#include "Kontract_Call.hpp"
#include "Kontract_IndexTable.hpp"

namespace Kontract {
namespace Impl {

/// Checks the arrays of a call against its operation and acts on the problem that
/// make(indices, out, left, right) forms of them.
template <class CallType, class Left, class Action, class Make>
void actOn(Operation operation, bool transposed, const CallType& call, const Left& left,
           const ArrayDescription& left_array, const Action& action, const Make& make) {
  using Space = typename CallType::space_type;
  const auto& out = call.out();
  const auto& right = call.right();
  const ArrayDescription out_array = describe<Space>(out);
  const ArrayDescription right_array = describe<Space>(right);
  const IndexTable indices =
      checkShapes(signatureOf(operation), transposed, out_array, left_array, right_array);
  if (out_array.size() == 0) {
    action.nothingToDo(operation);
    return;
  }
  const auto problem =
      make(indices, elementsOf<false>(out, out_array), elementsOf<true>(left, left_array),
           elementsOf<true>(right, right_array));
  call.withOptions(
      [&](const Options& options) { action(call.space(), operation, problem, options); });
}

/// Acts on a contraction of three arrays.
template <class CallType, class Action>
void actContraction(Operation operation, bool sum_into, const CallType& call,
                    const Action& action) {
  const auto left = describe<typename CallType::space_type>(call.left());
  actOn(operation, false, call, call.left(), left, action,
        [&](const IndexTable& indices, auto o, auto l, auto r) {
          return Contraction<decltype(o), decltype(l), decltype(r)>{
              contractionOf(indices, sum_into), o, l, r};
        });
}

/// Acts on a pointwise product of three arrays.
template <class CallType, class Action>
void actPointwise(Operation operation, PointwiseKind kind, bool transposed, const CallType& call,
                  const Action& action) {
  const auto left = describe<typename CallType::space_type>(call.left());
  actOn(operation, transposed, call, call.left(), left, action,
        [&](const IndexTable& indices, auto o, auto l, auto r) {
          constexpr bool on_host = is_host_space<typename CallType::space_type>;
          return Pointwise<decltype(o), decltype(l), decltype(r)>{
              pointwiseOf(indices, kind, on_host), o, l, r};
        });
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
  actOn(operation, false, call, call.right(), ArrayDescription(), action,
        [&](const IndexTable& indices, auto o, auto, auto r) {
          constexpr bool on_host = is_host_space<typename decltype(call)::space_type>;
          return Pointwise<decltype(o), decltype(r), decltype(r)>{
              pointwiseOf(indices, PointwiseKind::Copy, on_host), o, r, r};
        });
}

}  // namespace Impl
}  // namespace Kontract

#endif
