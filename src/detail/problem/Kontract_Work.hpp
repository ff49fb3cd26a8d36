// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_WORK_HPP
#define KONTRACT_WORK_HPP

#include <cstdint>

#include "Kontract_FormWork.hpp"

namespace Kontract {
namespace Impl {

/// The independent pieces of a problem as a box of three extents, whichever family it is of:
/// (cell, left, right) outputs of a contraction, runs of (cell, field, point) places of a product.
struct Box {
  std::int64_t extents[3] = {1, 1, 1};
  std::int64_t size() const { return extents[0] * extents[1] * extents[2]; }
};

/// The matrices of one cell of a contraction, out(l,r) (+)= sum over k of left(l,k) * right(r,k),
/// as libraries of matrix products describe them.
struct CellMatrices {
  bool has_one_step = false;  ///< all terms are one step apart
  std::int64_t lefts = 0, rights = 0, terms = 0;
  std::int64_t out_cell = 0, out_left = 0, out_right = 0;
  std::int64_t left_cell = 0, right_cell = 0;
  std::int64_t left_field = 0, left_term = 0;
  std::int64_t right_field = 0, right_term = 0;
};

/// How much a call has to do, whoever does it: the basis of every estimate and roofline.
struct Work {
  double flops = 0;           ///< multiplications and additions of scalars
  double bytes = 0;           ///< that must move at least once between memory and the processor
  Box box;                    ///< independent pieces
  bool cell_fastest = false;  ///< neighbours in memory are neighbouring cells
  bool is_contraction = false;
  std::int64_t terms = 1;  ///< products summed for each output element
  /// An input has neighbouring terms side by side.
  bool unit_left = false, unit_right = false;
  /// Fields of a side are side by side, half a cache line or more, and so are the outputs.
  bool has_field_rows = false;
  bool neighbour_cells = false;  ///< both inputs have neighbouring cells side by side
  /// Of all three arrays: terms are side by side, then fields, then cells.
  bool cells_without_gaps = false;
  bool is_single = false;       ///< all arrays are float, or all complex of it
  bool is_complex = false;      ///< the output is
  bool is_fad = false;          ///< the output is of Fads
  std::int64_t components = 1;  ///< of one of those: its derivatives and its value
  std::int64_t products = 1;    ///< of scalars, for each product of two elements
  /// Components of each Fad are one step apart, the value being the last; or side by side.
  bool has_component_step = false, has_component_rows = false;
  int scalar_bytes[3] = {0, 0, 0};  ///< sizes of an element of output, left and right
  CellMatrices matrices;            ///< of a contraction
  bool is_form = false;
  FormWork form;  ///< if it is one
};

/// How much a form has to do that sums over points.
/// \param scalar_bytes  size of the numbers that are summed
Work workOfPlainSums(const FormShape& shape, int scalar_bytes);

}  // namespace Impl
}  // namespace Kontract

#endif
