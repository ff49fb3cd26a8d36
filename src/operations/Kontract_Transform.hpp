// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TRANSFORM_HPP
#define KONTRACT_TRANSFORM_HPP

#include "Kontract_Operate.hpp"

namespace Kontract {
namespace Impl {

/// output = field / determinant
template <bool in_place, class CallType, class Action>
void actDivision(Function function, const CallType& call, const Action& action) {
  const Called called(Operation::scalarMultiplyDataField, divisionOf(function, in_place));
  actPointwise(called, PointwiseKind::Quotient, false, call, action);
}

/// The contravariant Piola transformation, output = Jacobian field / determinant: (space,) output,
/// Jacobian, determinant, field (, options). Both of its operations are checked before one runs.
template <class DeviceType, class... Arguments>
void transformByPiola(Function function, const Arguments&... arguments) {
  const auto call = callOf<DeviceType, 4, NoFlag>(arguments...);
  const auto division = rearranged<2, 0>(call);
  actDivision<true>(function, division, Check());
  actPointwise(Called(Operation::matvecProductDataField, signatureOf(function)),
               PointwiseKind::Product, false, rearranged<1, 3>(call), Run());
  actDivision<true>(function, division, Run());
}

/// Curls of HCURL fields: as above in space; in the plane, where they are scalars, the Jacobian may
/// be missing or empty, and output = field / determinant.
template <class DeviceType, class... Arguments>
void transformCurl(const Arguments&... arguments) {
  constexpr auto function = Function::HCURLtransformCURL;
  constexpr int arrays = (int(is_array<Arguments>) + ...);
  if constexpr (arrays == 3) {
    actDivision<false>(function, callOf<DeviceType, 3, NoFlag>(arguments...), Run());
  } else {
    const auto call = callOf<DeviceType, 4, NoFlag>(arguments...);
    const auto& jacobian = call.template array<1>();
    if (jacobian.data() == nullptr || (rankOf(jacobian) == 4 && jacobian.extent(2) == 2)) {
      actDivision<false>(function, rearranged<2, 3>(call), Run());
    } else {
      transformByPiola<DeviceType>(function, arguments...);
    }
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
