// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_ArrayText.hpp"

namespace Kontract {
namespace Impl {
namespace {

std::string listText(const std::int64_t* numbers, int count) {
  std::string text = "(";
  for (int i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + std::to_string(numbers[i]);
  return text + ")";
}

}  // namespace

std::string extentsText(const ArrayDescription& array) {
  return listText(array.extents, array.rank);
}

std::string stridesText(const ArrayDescription& array) {
  const std::string text = "strides " + listText(array.strides, array.rank);
  if (array.derivatives == 0) return text;
  return text + ", " + std::to_string(array.derivative_stride) + " for derivatives,";
}

std::string whyNoElements(const ArrayDescription& array) {
  if (array.lacksMemory()) return " but its data() is null: it needs memory";
  if (!array.is_reachable) return ", in a memory space that the execution space cannot reach";
  if (array.has_lost_stride) {
    return " but has derivatives further apart than 2^32 scalars, and Sacado's views keep 32 bits "
           "of "
           "that distance: it needs fewer elements in its allocation, or LayoutRight";
  }
  return {};
}

}  // namespace Impl
}  // namespace Kontract
