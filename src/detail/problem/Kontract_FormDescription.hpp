// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMDESCRIPTION_HPP
#define KONTRACT_FORMDESCRIPTION_HPP

#include <initializer_list>

#include "Kontract_BasisFamilies.hpp"
#include "Kontract_ExpandedCells.hpp"
#include "Kontract_Form.hpp"
#include "Kontract_FormShape.hpp"
#include "Kontract_FormSignature.hpp"
#include "Kontract_Scatter.hpp"
#include "detail/view/Kontract_ArrayDescription.hpp"

namespace Kontract {
namespace Impl {

// The arguments of a call of Integration, described; what a call leaves out is a description of
// nothing.

/// A tensor-product basis: functions of one coordinate at points, (N,Q) in each direction, and open
/// ones, (M,Q), of HCURL and HDIV.
struct BasisDescription {
  int directions = 0;
  ArrayDescription values[3], derivatives[3], open[3];
  bool is_of_vectors = false;  ///< of HCURL or HDIV, with a family of fields for each direction
  FunctionSpace space = FunctionSpace::HGRAD;
  int components[3] = {0, 1, 2}, signs[3] = {1, 1, 1};  ///< of families
};

/// What a side takes of a tensor-product basis.
enum class BasisOperator { Value, Gradient, Curl, Divergence };

/// What fields of a basis are made of, and what an operator makes of them.
BasisFamilies familiesOf(const BasisDescription& basis, BasisOperator of);

/// Functions of a family in a direction.
const ArrayDescription& tableOf(const BasisDescription& basis, const BasisFamilies& families,
                                int family, int direction);

/// Values of a side: an array, or a tensor-product basis.
struct ValuesDescription {
  ArrayDescription array;
  const BasisDescription* basis = nullptr;
  BasisOperator of_basis = BasisOperator::Value;  ///< what a checked form takes of that
};

struct TermDescription {
  Form form;
  ValuesDescription left, right;
  ArrayDescription coefficient, second, left_signs, right_signs;
  bool has_sign_functions = false;  ///< signs are computed, and nothing is known of them
};

/// An array that cells share, and the numbers by which they do.
struct SharedDescription {
  ArrayDescription array;
  std::int64_t cells = 0, fields = 0;
  std::int64_t columns = 0;  ///< of element matrices
  std::int64_t count = 0;    ///< elements that the array needs in its first index
  NumberTable numbers;       ///< of what is gathered
  Scatter scatter;           ///< of an output
  ExpandedCells expanded;
  bool is_there = false;
  bool may_be_several = false;  ///< vectors, each a column

  /// As each cell sees it.
  /// \param trailing  extents after those of cells and fields
  ArrayDescription ofEachCell(std::initializer_list<std::int64_t> trailing) const;
};

/// Operators of the fields of an array.
struct OperatorsDescription {
  FieldOperators operators;
  std::int64_t cells = 0, fields = 0;
  bool is_there = false;
};

struct FormDescription {
  FormKind kind = FormKind::Matrices;
  ArrayDescription out, vector, mapping, gradients, weights, normals;
  // Where cells share those; out, vector and mapping are then as each cell sees them.
  SharedDescription shared_out, shared_vector, shared_mapping;
  // Of the output, by rows and by columns, and of the vector.
  OperatorsDescription left_operators, right_operators, vector_operators;
  TermDescription* terms = nullptr;
  int term_count = 0;
  bool sum_into = false;
  bool has_mapping = false;  ///< the geometry has Jacobians or nodes
  bool has_nodes = false;    ///< it has nodes
  bool has_weights = true;   ///< it has weights or measures; else all is in factors of terms
  bool has_normals = false;  ///< it is of a side of cells
  bool out_is_of_integers = false;

  // Of products, how many vectors an array has: of several they are its last index.
  std::int64_t outVectors() const { return vectorsOf(out, shared_out); }
  std::int64_t givenVectors() const { return vectorsOf(vector, shared_vector); }

  /// Whether weights are measures of each cell; else those of points of the reference cell.
  bool hasMeasures() const { return !has_normals && (weights.rank == 2 || !has_mapping); }
  /// Whether cells have fewer dimensions than space.
  bool isOfSurface() const;
  /// Whether sources for displacements tell the dimensions of space: measures do not, and those of
  /// cells are those of a tensor-product basis.
  bool sourcesTellSpace() const;
  const FormArgument& mappingArgument() const {
    if (isOfSurface()) {
      return has_nodes ? FormArguments::surface_nodes : FormArguments::surface_jacobians;
    }
    return has_nodes ? FormArguments::nodes : FormArguments::jacobians;
  }
  const FormArgument& weightsArgument() const {
    return hasMeasures() ? FormArguments::measures : FormArguments::weights;
  }

 private:
  static std::int64_t vectorsOf(const ArrayDescription& own, const SharedDescription& shared) {
    if (shared.is_there) return shared.array.rank == 2 ? shared.array.extents[1] : 1;
    return own.rank == 3 ? own.extents[2] : 1;
  }
};

/// A checked term: what it is, and the names and patterns of those of its arguments that may have
/// several.
struct CheckedTerm : FormTermShape {
  FormArgument left{"left values"}, right{"right values"}, coefficient;
};

/// Whether arrays whose extents agree, or tensor-product bases, are one; or neither is there.
bool isSame(const ArrayDescription& a, const ArrayDescription& b);
bool isSame(const ValuesDescription& a, const ValuesDescription& b);

/// The strides of an array whose indices have the letters of a pattern; of two dimensions the first
/// is a row.
FormStrides stridesOf(const ArrayDescription& array, const char* pattern);

}  // namespace Impl
}  // namespace Kontract

#endif
