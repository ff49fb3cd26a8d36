// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FormArrays.hpp"

namespace Kontract {
namespace Impl {

FormArrays arraysOfForm(const FormShape& s, int scalar_bytes) {
  FormArrays arrays;
  arrays.scalar_bytes = scalar_bytes;
  const int jacobian = s.dimension * s.dimension;
  arrays.shared = 1 + static_cast<int>(s.nodes) * s.dimension;
  if (s.nodes > 0) {
    arrays.of_cell = static_cast<int>(s.nodes) * s.dimension;
  } else if (s.has_mapping) {
    (s.has_one_jacobian ? arrays.of_cell : arrays.of_point) = jacobian;
  }
  return arrays;
}

PointInputSizes pointInputSizes(const FormArrays& arrays, int cells, int points) {
  PointInputSizes sizes;
  sizes.cells = cells;
  while (1 << sizes.cell_bits < cells) ++sizes.cell_bits;
  sizes.points = points;
  sizes.cells_at = arrays.sharedScalars(points);
  sizes.input_step = arrays.step(points);
  sizes.has_inverses = arrays.need_inverses;
  return sizes;
}

std::int64_t sharedMemoryOf(const Machine& machine, int blocks) {
  constexpr std::int64_t reserve = 1 << 10;  // of each block
  return (machine.block_shared_bytes + reserve) / blocks - reserve;
}

}  // namespace Impl
}  // namespace Kontract
