// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_PLAINARRAYS_HPP
#define KONTRACT_PLAINARRAYS_HPP

#include <cstdint>

#include "Kontract_BasisFamilies.hpp"
#include "Kontract_ExpandedCells.hpp"
#include "Kontract_FormShape.hpp"
#include "Kontract_Scatter.hpp"

namespace Kontract {
namespace Impl {

// A form whose scalars are all float or all double, as addresses and strides. Sources for one
// instruction set see this file, so it has no functions; they call none of FormShape's.

/// An array of a form, which may not be there; strides count scalars, 0 where it has one for all.
template <class Real>
struct PlainArray {
  const Real* data = nullptr;  ///< may be null where there are no elements, too
  std::int64_t cell = 0, field = 0, point = 0, row = 0, column = 0;
  bool is_there = false;
};

/// Functions of one coordinate at points, or their derivatives, by field and point.
template <class Real>
struct PlainTable {
  const Real* data = nullptr;
  std::int64_t field = 0, point = 0;
};

/// One direction of a tensor-product basis; open functions are those of some families.
template <class Real>
struct PlainDirection {
  std::int64_t functions = 1, open_functions = 0, points = 1;
  PlainTable<Real> values, derivatives, open_values;
};

/// Values of a side of a term: an array, or, if that is not there, those of a tensor-product basis.
template <class Real>
struct PlainValues : PlainArray<Real> {
  int directions = 0;  ///< of a tensor-product basis
  BasisFamilies families;
  PlainDirection<Real> direction[3];
};

/// A term of a form.
template <class Real>
struct PlainTerm : FormTermShape {
  PlainValues<Real> left, right;
  PlainArray<Real> coefficient, second, left_signs, right_signs;
};

/// A form's arrays. Terms are the caller's.
template <class Real>
struct PlainArrays : FormShape {
  Real* out = nullptr;
  std::int64_t out_cell = 0, out_row = 0, out_column = 0;
  PlainArray<Real> mapping, gradients, weights;
  PlainArray<Real> normals;  ///< of a side of the reference cell
  PlainArray<Real> vector;   ///< (C,R) of a matrix-free product
  std::int64_t next_vector = 0, next_out = 0;  ///< from one of several vectors to the next
  const PlainTerm<Real>* terms = nullptr;
  // Where cells share arrays: out, mapping and vector are then without cells.
  NumberTable node_numbers;    ///< of nodes, if they are gathered
  NumberTable vector_numbers;  ///< of unknowns, if the vector is gathered
  Scatter scatter;             ///< if the output is scattered
  // Between fields and the output, by rows and by columns, and between the vector and fields.
  FieldOperators left_operators, right_operators, vector_operators;
  ExpandedCells expanded_out, expanded_vector;  ///< of a scattered output, of a gathered vector
};

}  // namespace Impl
}  // namespace Kontract

#endif
