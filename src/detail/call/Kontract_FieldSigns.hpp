// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FIELDSIGNS_HPP
#define KONTRACT_FIELDSIGNS_HPP

#include "Kontract_Operate.hpp"

namespace Kontract {
namespace Impl {

/// Signs scale their array as data scale data at points: what has a sign takes the part of points,
/// and the rest those of fields and dimensions. No function has all of the letters.
inline IndexTable withSignsAtPoints(const IndexTable& indices, Function function) {
  IndexTable table;
  table['C'] = indices['C'];
  if (function == Function::applyLeftFieldSigns) {
    table['P'] = indices['L'];
    table['D'] = indices['R'];
  } else if (function == Function::applyRightFieldSigns) {
    table['F'] = indices['L'];
    table['P'] = indices['R'];
  } else {
    table['P'] = indices['F'];
    table['F'] = indices['P'];
    table['D'] = indices['D'];
    table['E'] = indices['E'];
  }
  return table;
}

/// Multiplies an array by signs in place: (space,) array, signs (, options)
template <class DeviceType, class... Arguments>
void applySigns(Function function, const Arguments&... arguments) {
  const auto call = rearranged<1, 0>(callOf<DeviceType, 2, NoFlag>(arguments...));
  constexpr bool on_host = is_host_space<typename decltype(call)::space_type>;
  const Called called(Operation::scalarMultiplyDataData, signatureOf(function));
  actOn(called, false, call, Run(), [&](const IndexTable& indices) {
    return pointwiseOf(withSignsAtPoints(indices, function), PointwiseKind::Product, on_host);
  });
}

}  // namespace Impl
}  // namespace Kontract

#endif
