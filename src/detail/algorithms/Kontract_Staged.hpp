// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_STAGED_HPP
#define KONTRACT_STAGED_HPP

#include "Kontract_TensorMap.hpp"
#include "detail/kernels/cuda/Kontract_StageRing.hpp"
#include "detail/problem/Kontract_Contraction.hpp"
#include "detail/view/Kontract_Accessor.hpp"

#ifdef KOKKOS_ENABLE_CUDA

namespace Kontract {
namespace Impl {

/// Strides of an input in elements.
struct InputStrides {
  std::int64_t cell, field, term;
};

/// The first of the numbers that an array is made of.
template <class T>
T* numbersOf(const Accessor<T>& array) {
  return array.data;
}
template <class T>
T* numbersOf(const FadArray<T>& array) {
  return array.count == 0 ? array.value() : array.derivatives;
}

/// From one component of a Fad to the next.
template <class T>
std::int64_t componentStep(const Accessor<T>&) {
  return 0;
}
template <class T>
std::int64_t componentStep(const FadArray<T>& array) {
  return array.stride;
}

template <class T, class Array>
void setInput(StagedInput<T>& input, const Array& array, const InputStrides& strides,
              std::int64_t fields) {
  input.data = numbersOf(array);
  input.component = componentStep(array);
  input.derivatives = static_cast<int>(scalarsOf(array) - 1);
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

/// Tells the copy engine of one side of a contraction.
/// \return whether it can fill the stages: it takes addresses and strides in multiples of 16 bytes
template <class T>
bool stage(StagedInput<T>& input, const ContractionShape& shape, Rows rows, bool permuted,
           int terms_each, int cells_each) {
  constexpr int in_row = row_bytes / static_cast<int>(sizeof(T)), bytes = sizeof(T);
  if (rows == Rows::OfComponents) {
    return input.cell == 1 &&
           describe({input.data,
                     bytes,
                     {shape.cells, input.fields, shape.terms(), input.derivatives + 1},
                     {input.field, input.term, input.component},
                     {in_row, input.box_fields, terms_each, 1},
                     128,
                     permuted,
                     4},
                    input.maps[0]);
  }
  if (rows == Rows::OfCells) {
    return input.cell == 1 && describe({input.data,
                                        bytes,
                                        {shape.cells, input.fields, shape.terms()},
                                        {input.field, input.term},
                                        {in_row, input.box_fields, terms_each},
                                        128,
                                        permuted},
                                       input.maps[0]);
  }
  // What comes next in a row is read soon; it pays off where rows are long.
  const int fetch_bytes = shape.terms() * bytes >= 3072 ? 256 : 128;
  return input.term == 1 && describe({input.data,
                                      bytes,
                                      {shape.terms(), input.fields, shape.cells},
                                      {input.field, input.cell},
                                      {in_row, input.box_fields, cells_each},
                                      fetch_bytes,
                                      permuted},
                                     input.maps[0]);
}

/// The same for rows of an odd number of cells: see StagedInput.
template <class T>
bool stageOddCells(StagedInput<T>& input, const ContractionShape& shape, int terms_each) {
  constexpr int in_row = row_bytes / static_cast<int>(sizeof(T)), bytes = sizeof(T);
  if (input.cell != 1 || input.fields < 2 || shape.terms() < 2) return false;
  for (int region = 0; region < input.regions; ++region) {
    const int field = region % 2, term = region / 2, odd = input.isOdd(region);
    const TensorBox box{
        input.data + field * input.field + term * input.term - odd,
        bytes,
        {shape.cells + odd, (input.fields - field + 1) / 2, (shape.terms() - term + 1) / 2},
        {2 * input.field, 2 * input.term},
        {in_row, input.box_fields, terms_each / 2},
        128,
        true};
    if (!describe(box, input.maps[region])) return false;
  }
  return true;
}

}  // namespace Impl
}  // namespace Kontract

#endif
#endif
