// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_STAGED_HPP
#define KONTRACT_STAGED_HPP

#include "Kontract_Contraction.hpp"
#include "Kontract_StageRing.hpp"
#include "Kontract_TensorMap.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// Describes one side of a contraction to a ring of stages.
/// \param side the member of a sum's level that is this side's stride
/// \return whether the copy engine can fill the stages
template <class T>
bool stage(StagedInput<T>& input, const ContractionShape& shape, Rows rows, bool permuted,
           int terms_each, int cells_each) {
  constexpr int in_row = row_bytes / static_cast<int>(sizeof(T));
  TensorBox box{input.data, sizeof(T), {}, {}, {}, permuted};
  if (rows == Rows::OfCells) {
    box = {input.data,
           sizeof(T),
           {shape.cells, input.fields, shape.terms()},
           {input.field, input.term},
           {in_row, input.box_fields, terms_each},
           permuted};
    if (input.cell != 1) return false;
  } else {
    box = {input.data,
           sizeof(T),
           {shape.terms(), input.fields, shape.cells},
           {input.field, input.cell},
           {in_row, input.box_fields, cells_each},
           permuted};
    if (input.term != 1) return false;
  }
  return describe(box, input.map);
}

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
