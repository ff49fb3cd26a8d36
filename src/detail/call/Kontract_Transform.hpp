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
  using Space = typename std::decay_t<decltype(call)>::space_type;
  checkShapes(determinantsOf(function), false, describe<Space>(call.out()),
              describe<Space>(call.template array<2>()), ArrayDescription());
  const auto division = rearranged<2, 0>(call);
  actDivision<true>(function, division, ValidateOnly());
  actPointwise(Called(Operation::matvecProductDataField, signatureOf(function)),
               PointwiseKind::Product, false, rearranged<1, 3>(call), Run());
  actDivision<true>(function, division, Run());
}

/// Whether a view is that of an array, and not one that was default constructed. An array of no
/// cells or no points has other extents.
template <class View>
bool isThere(const View& view) {
  if (view.data() != nullptr) return true;
  for (int i = 0; i < rankOf(view); ++i) {
    if (view.extent(i) != 0) return true;
  }
  return false;
}

/// Curls of HCURL fields: as above in space; in the plane, where they are scalars, the Jacobian may
/// be missing, and output = field / determinant. The rank of the output tells which.
template <class DeviceType, class... Arguments>
void transformCurl(const Arguments&... arguments) {
  constexpr auto function = Function::HCURLtransformCURL;
  constexpr int arrays = (int(is_array<Arguments>) + ...) == 3 ? 3 : 4;
  const auto call = callOf<DeviceType, arrays, NoFlag>(arguments...);
  using Space = typename std::decay_t<decltype(call)>::space_type;
  // Checked here is what is not divided: the Jacobian, which no vectors can do without.
  const auto check = [&](const ArrayDescription& jacobian) {
    checkShapes(signatureOf(function), false, describe<Space>(call.out()), jacobian,
                describe<Space>(call.right()));
  };
  if constexpr (arrays == 3) {
    check(ArrayDescription());
    actDivision<false>(function, call, Run());
  } else {
    const auto& jacobian = call.template array<1>();
    const bool is_there = isThere(jacobian);
    if (is_there && rankOf(call.out()) == 4) {
      transformByPiola<DeviceType>(function, arguments...);
    } else {
      check(is_there ? describe<Space>(jacobian) : ArrayDescription());
      actDivision<false>(function, rearranged<2, 3>(call), Run());
    }
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
