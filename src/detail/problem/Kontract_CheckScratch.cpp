// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_CheckScratch.hpp"

#include <string>

#include "detail/support/Kontract_Error.hpp"
#include "detail/view/Kontract_ArrayText.hpp"
#include "detail/view/Kontract_Overlap.hpp"

namespace Kontract {
namespace Impl {
namespace {

/// "scratch is (24)"
std::string textOf(const char* name, const ArrayDescription& array) {
  return std::string(name) + " is " + extentsText(array);
}

/// Whether an array of rank 1 is one piece of memory: values, or Fads with their derivatives.
bool isOnePiece(const ArrayDescription& array) {
  if (array.size() < 2) return true;
  const std::int64_t scalars = array.derivatives + 1, stride = array.strides[0];
  if (!array.is_fad || scalars == 1) return stride == 1;
  if (array.value_at != array.derivatives * array.derivative_stride) return false;
  return (array.derivative_stride == 1 && stride == scalars) ||
         (stride == 1 && array.derivative_stride == array.size());
}

/// The first elements of one piece of memory, as the scalars that they are.
ArrayDescription scalarsOf(const ArrayDescription& array, std::int64_t elements) {
  ArrayDescription scalars;
  scalars.rank = 1;
  scalars.extents[0] = elements * (array.is_fad ? array.derivatives + 1 : 1);
  scalars.strides[0] = scalars.extents[0] < 2 ? 0 : 1;
  scalars.address = array.address;
  scalars.unit_bytes = array.unit_bytes;
  return scalars;
}

}  // namespace

void checkScratch(const Signature& signature, std::int64_t needed, const ArrayDescription& scratch,
                  const ArrayDescription& out, const ArrayDescription& left,
                  const ArrayDescription& right) {
  const std::string given = textOf("scratch", scratch);
  const auto refuseCall = [&](const std::string& why) { refuse(signature.name, given + why); };
  if (scratch.rank != 1 || scratch.extents[0] < needed) {
    refuseCall(", but it must have rank 1 and " + std::to_string(needed) +
               " elements (C P D) at least");
  }
  if (!isOnePiece(scratch)) {
    refuseCall(" with stride " + std::to_string(scratch.strides[0]) +
               ", but its elements must be side by side");
  }
  const std::string why = whyNoElements(scratch);
  if (!why.empty()) refuseCall(why);
  const bool is_of_constants = left.derivatives == 0 && scratch.derivatives == 0;
  if (needed > 0 && scratch.derivatives != out.derivatives && !is_of_constants) {
    refuseCall(" with " + std::to_string(scratch.derivatives) + " derivatives but " +
               textOf(signature.out_name, out) + " with " + std::to_string(out.derivatives) +
               ": the numbers of derivatives must agree");
  }
  const ArrayDescription used = scalarsOf(scratch, needed);
  const auto requireApart = [&](const char* name, const ArrayDescription& other) {
    if (!provenToOverlap(used, other)) return;
    refuseCall(std::string(" and overlaps ") + name + ": it must not overlap other arguments");
  };
  requireApart(signature.out_name, out);
  requireApart(signature.left_name, left);
  requireApart(signature.right_name, right);
}

}  // namespace Impl
}  // namespace Kontract
