// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMSHAPE_HPP
#define KONTRACT_FORMSHAPE_HPP

#include <cstdint>

#include "Kontract_Pullback.hpp"

namespace Kontract {
namespace Impl {

/// Most terms of a form whose kernels are compiled once, in the library.
inline constexpr int max_form_terms = 8;

/// What a form computes on a cell.
enum class FormKind {
  Matrices,
  Vectors,   ///< of loads, which have a source in the place of a right side
  Products,  ///< of matrices, which are not stored, with vectors
  Factors,   ///< what stands between left and right values at points
  Diagonals  ///< of matrices, which are not stored
};

/// Weak forms on cells, the third canonical problem, without its scalars:
///
///     matrix(c,l,r) (+)= sum over terms, p, a, b of left(l,p,a) k(c,p)(a,b) right(r,p,b)
///
/// where k is what pointMatrixAt() computes from the geometry of the cell and a coefficient. A
/// vector is a matrix of one right field that is one everywhere; a product is a matrix times a
/// vector. Elasticity is D x D such problems over the same values. Of a diagonal l and r are one.
struct FormShape {
  FormKind kind = FormKind::Matrices;
  std::int64_t cells = 0, lefts = 0, rights = 1, points = 0, nodes = 0;
  int dimension = 1;                      ///< of cells
  int space_dimension = 1;                ///< more than that of surfaces and curves
  int left_blocks = 1, right_blocks = 1;  ///< components of each field, fields of the output
  std::int64_t vectors = 1;               ///< that products are of; kernels know one
  int term_count = 0;
  bool has_mapping = false;  ///< Jacobians or nodes are given
  bool weights_are_measures = false;
  bool is_side = false;                    ///< points are on a side of cells
  bool has_coefficients_of_space = false;  ///< some have directions, and cells fewer than space
  bool is_symmetric = false;               ///< matrix(l,r) = matrix(r,l): one half is computed
  bool sum_into = false;
  bool cell_fastest = false;             ///< neighbours in memory are neighbouring cells
  bool cell_fastest_mapping = false;     ///< of Jacobians or nodes, too
  bool has_one_jacobian = false;         ///< of each cell, for all its points
  bool have_same_signs = true;           ///< all terms have the signs of the first
  bool has_values_of_reference = true;   ///< values are the same in all cells
  bool is_affine = true;                 ///< all but values is constant in each cell
  bool has_tensor_bases_alone = false;   ///< no values are an array
  bool has_like_tensor_bases = false;    ///< in all terms they have the same functions and points
  bool has_square_tensor_bases = false;  ///< in each term both sides have the same
  bool is_scattered = false;             ///< cells share the elements of the output
  bool can_be_colored = false;           ///< it is scattered, and cells have colors
  bool has_operators = false;            ///< fields are transformed: see FieldOperators
  bool has_constraints = false;          ///< what cells add to is, by sums of unknowns
  std::int64_t shared_outputs = 0;       ///< elements of an output that is scattered
  std::int64_t cell_with_repeat = -1;    ///< of cells with colors, as in BlockColors
  int left_components = 0;               ///< of left values of all terms
  int right_components = 0;              ///< of right values, unless these are sources
  int point_components = 0;              ///< of the matrices of a point between values of all terms
  int factors = 0;                       ///< of a point, where these are the output
  int diagonal_columns = 1;      ///< of a diagonal: components, where blocks of them are the output
  double flops = 0;              ///< of plain sums over points, whatever a kernel saves
  double bytes = 0;              ///< of all arrays
  std::uint32_t terms_code = 0;  ///< a number that tells terms of other pullbacks and coefficients
  static constexpr std::int64_t cells_in_all = 0;  ///< forms are not cut into chunks of cells

  const FormShape& whole() const { return *this; }
  std::int64_t outputs() const {
    if (kind == FormKind::Factors) return cells * factors * points;
    return cells * lefts * left_blocks *
           (kind == FormKind::Matrices ? rights * right_blocks : diagonal_columns);
  }
};

/// A term of a form, without its arrays. Left and right values have one component or D.
struct FormTermShape {
  Pullback left_pullback = Pullback::Scalar, right_pullback = Pullback::Scalar;  ///< never Curl
  CoefficientKind kind = CoefficientKind::None;
  bool left_is_vector = false, right_is_vector = false;
  bool coefficient_is_vector_of_blocks = false;  ///< a load of D components: one for each block
};

/// Whether a term has no coefficient, or a scalar at each point for each component.
inline bool hasOneCoefficient(const FormTermShape& term) {
  return term.kind == CoefficientKind::None || term.kind == CoefficientKind::Scalar;
}

/// Flops of plain sums over points, of one term.
double flopsOf(const FormShape& shape, const FormTermShape& term);

/// A number that tells terms of other pullbacks and coefficients.
/// \param before  that of the terms before it
std::uint32_t codeOf(std::uint32_t before, const FormTermShape& term);

/// How far apart the elements of an array of a form are, 0 for what it lacks or has once for all.
struct FormStrides {
  std::int64_t cell = 0, field = 0, point = 0, row = 0, column = 0;
};

}  // namespace Impl
}  // namespace Kontract

#endif
