// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_STAGED_HPP
#define KONTRACT_STAGED_HPP

#include <algorithm>

#include "Kontract_Contraction.hpp"
#include "Kontract_StageRing.hpp"
#include "Kontract_TensorMap.hpp"
#include "Kontract_TensorPlan.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// Strides of an input in elements.
struct InputStrides {
  std::int64_t cell, field, term;
};

template <class T>
void setInput(StagedInput<T>& input, const T* data, const InputStrides& strides,
              std::int64_t fields) {
  input.data = data;
  input.cell = strides.cell;
  input.field = strides.field;
  input.term = strides.term;
  input.fields = fields;
}

/// \param box_fields rows of a stage for each cell, or term
template <class T>
void setTile(StagedInput<T>& input, int tile_fields, int box_fields) {
  input.tile_fields = tile_fields;
  input.box_fields = box_fields;
}

/// How the rows of one side lie in shared memory, and what the copy engine has to know of them.
/// \param group_fields neighbouring fields of a tile that stay together in shared memory
/// \return whether the copy engine can fill the stages
template <class T>
bool stage(StagedInput<T>& input, const ContractionShape& shape, Rows rows, bool permuted,
           int terms_each, int cells_each, int group_fields) {
  constexpr int in_row = row_bytes / static_cast<int>(sizeof(T)), bytes = sizeof(T);
  if (rows == Rows::OfCells) {
    return input.cell == 1 && describe({input.data,
                                        bytes,
                                        {shape.cells, input.fields, shape.terms()},
                                        {input.field, input.term},
                                        {in_row, input.box_fields, terms_each},
                                        permuted},
                                       input.maps[0]);
  }
  if (input.term != 1) return false;
  if (describe({input.data,
                bytes,
                {shape.terms(), input.fields, shape.cells},
                {input.field, input.cell},
                {in_row, input.box_fields, cells_each},
                permuted},
               input.maps[0])) {
    return true;
  }
  // Every second or fourth row, cells on end.
  const int classes = std::max(2, rowClasses(input.field * bytes));
  const std::int64_t all_rows = shape.cells * input.fields;
  if (input.field < shape.terms() || input.cell != input.fields * input.field) return false;
  const std::int64_t of_tile = std::min<std::int64_t>(input.fields, input.tile_fields);
  const std::int64_t of_group = std::min<std::int64_t>(of_tile, group_fields);
  input.classes = classes;
  input.groups = static_cast<int>((of_tile + group_fields - 1) / group_fields);
  input.class_rows = group_fields / classes;
  input.class_box = static_cast<int>((of_group + classes - 1) / classes);
  input.box_fields = input.groups * group_fields;
  if (input.class_rows % 8 != 0) return false;
  for (int i = 0; i < classes; ++i) {
    if (!describe({input.data,
                   bytes,
                   {i * input.field + shape.terms(), (all_rows - i + classes - 1) / classes, 1},
                   {classes * input.field, 0},
                   {in_row, input.class_box, 1},
                   permuted},
                  input.maps[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
