// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FormDescription.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {

ArrayDescription SharedDescription::ofEachCell(std::initializer_list<std::int64_t> trailing) const {
  ArrayDescription each;
  const auto add = [&each](std::int64_t extent) {
    each.extents[each.rank] = extent;
    each.strides[each.rank++] = 0;
  };
  add(cells);
  add(fields);
  for (const std::int64_t extent : trailing) add(extent);
  return each;
}

bool FormDescription::isOfSurface() const {
  const bool have_ranks =
      has_nodes ? mapping.rank == 3 && gradients.rank == 3 : has_mapping && mapping.rank == 4;
  if (!have_ranks) return false;
  const std::int64_t of_space = mapping.extents[2];
  const std::int64_t of_cells = has_nodes ? gradients.extents[2] : mapping.extents[3];
  return 0 < of_cells && of_cells < of_space && of_space <= 3;
}

bool isSame(const ArrayDescription& a, const ArrayDescription& b) {
  return a.address == b.address && a.unit_bytes == b.unit_bytes && a.is_fad == b.is_fad &&
         a.rank == b.rank && std::equal(a.strides, a.strides + a.rank, b.strides) &&
         a.derivative_stride == b.derivative_stride && a.value_at == b.value_at;
}
bool isSame(const ValuesDescription& a, const ValuesDescription& b) {
  if ((a.basis == nullptr) != (b.basis == nullptr)) return false;
  if (a.basis == nullptr) return isSame(a.array, b.array);
  bool is_same = a.basis->directions == b.basis->directions;
  for (int d = 0; d < a.basis->directions && is_same; ++d) {
    const auto& [count, values, derivatives] = *a.basis;
    const BasisDescription& other = *b.basis;
    is_same = std::equal(values[d].extents, values[d].extents + 2, other.values[d].extents) &&
              isSame(values[d], other.values[d]) && isSame(derivatives[d], other.derivatives[d]);
  }
  return is_same;
}

namespace {

/// Of a square matrix with so many entries.
std::int64_t rowsOf(std::int64_t entries) {
  std::int64_t rows = 1;
  while (rows * rows < entries) ++rows;
  return rows;
}

}  // namespace

FormStrides stridesOf(const ArrayDescription& array, const char* pattern) {
  FormStrides strides;
  bool has_row = false;
  for (int i = 0; i < array.rank && pattern[i] != '\0'; ++i) {
    const std::int64_t stride = array.strides[i];
    switch (pattern[i]) {
      case 'C': strides.cell = stride; break;
      case 'P':
      case 'p': strides.point = stride; break;
      case '1': break;
      case 'H': strides.row = stride; break;
      case 'M':
        strides.column = stride;
        strides.row = stride * rowsOf(array.extents[i]);
        break;
      case 'D':
      case 'd':
      case 'S':
      case 's':
        (has_row ? strides.column : strides.row) = stride;
        has_row = true;
        break;
      default: strides.field = stride;
    }
  }
  return strides;
}

}  // namespace Impl
}  // namespace Kontract
