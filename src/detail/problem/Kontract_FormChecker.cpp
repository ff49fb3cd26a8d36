// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FormChecker.hpp"

#include <algorithm>
#include <string>

#include "Kontract_CheckScatter.hpp"
#include "Kontract_TermChecker.hpp"

namespace Kontract {
namespace Impl {
namespace {

/// Whether neighbours in memory are neighbouring cells.
bool isCellFastest(const ArrayDescription& out) {
  for (int i = 1; i < out.rank; ++i) {
    if (out.extents[0] > 1 && out.extents[i] > 1 && out.strides[i] > out.strides[0]) return true;
  }
  return false;
}

/// Whether an input has one element for all points.
bool isAffine(const Argument& input) {
  const std::size_t point = input.pattern.find('p');
  return point == std::string::npos || input.array->strides[point] == 0;
}

/// Whether tensor-product bases have the same points in each direction, and the same families of as
/// many functions.
bool isLikeBasis(const BasisDescription& a, const BasisDescription& b, bool has_like_functions) {
  if (a.directions != b.directions) return false;
  const bool are_like = a.is_of_vectors == b.is_of_vectors && a.space == b.space &&
                        std::equal(a.components, a.components + 3, b.components);
  if (has_like_functions && !are_like) return false;
  for (int d = 0; d < a.directions; ++d) {
    const std::int64_t *one = a.values[d].extents, *other = b.values[d].extents;
    if (one[1] != other[1]) return false;
    if (!has_like_functions) continue;
    if (one[0] != other[0]) return false;
    if (a.is_of_vectors && a.open[d].extents[0] != b.open[d].extents[0]) return false;
  }
  return true;
}
bool isLikeBasis(const ValuesDescription& a, const ValuesDescription& b, bool has_like_functions) {
  return a.basis != nullptr && b.basis != nullptr &&
         isLikeBasis(*a.basis, *b.basis, has_like_functions);
}

/// Whether values are those of the reference cell, or of one that all cells share by a stride.
bool isOfReference(const ValuesDescription& values, const FormArgument& argument) {
  return values.basis != nullptr || argument.pattern[0] != 'C' || values.array.strides[0] == 0;
}

/// Adds what a term has of its own.
void addTerm(const TermDescription& given, const TermDescription& first, const CheckedTerm& term,
             FormShape& shape) {
  const bool has_right = shape.kind != FormKind::Vectors;
  shape.has_tensor_bases_alone = shape.has_tensor_bases_alone && given.left.basis != nullptr &&
                                 (!has_right || given.right.basis != nullptr);
  shape.has_values_of_reference = shape.has_values_of_reference &&
                                  isOfReference(given.left, term.left) &&
                                  (!has_right || isOfReference(given.right, term.right));
  shape.has_like_tensor_bases =
      shape.has_like_tensor_bases && isLikeBasis(given.left, first.left, true) &&
      isLikeBasis(given.left, given.right, false) && isLikeBasis(given.right, first.right, true);
  shape.has_square_tensor_bases =
      shape.has_square_tensor_bases && isLikeBasis(given.left, given.right, true);
  shape.flops += flopsOf(shape, term);
  const int lefts = term.left_is_vector ? shape.dimension : 1;
  const int rights = term.right_is_vector ? shape.dimension : 1;
  shape.left_components += lefts;
  if (has_right) shape.right_components += rights;
  shape.point_components += lefts * rights;
  shape.terms_code = codeOf(shape.terms_code, term);
  for (const ValuesDescription* values : {&given.left, &given.right}) {
    if (values->basis == nullptr || !values->basis->is_of_vectors) continue;
    shape.terms_code =
        shape.terms_code * 31 + 1 + 4 * unsigned(values->basis->space) + unsigned(values->of_basis);
  }
}

/// A call of Integration while it is checked: geometry, then term by term values, coefficients and
/// signs, then the vector and the output.
class FormChecker {
 public:
  FormChecker(const char* function, const FormDescription& call, CheckedTerm* terms)
      : _call(call), _terms(terms), _checker(function, call) {
    _shape.kind = call.kind;
    _shape.term_count = call.term_count;
    _shape.sum_into = call.sum_into;
    _shape.has_mapping = call.has_mapping;
    _shape.weights_are_measures = call.hasMeasures();
    _shape.is_side = call.has_normals;
    _shape.has_tensor_bases_alone = true;
    _shape.has_like_tensor_bases = call.kind != FormKind::Vectors;
    _shape.has_square_tensor_bases = call.kind != FormKind::Vectors;
  }

  FormShape run() {
    compareFactors();
    takeGeometry();
    for (int t = 0; t < _call.term_count; ++t)
      _terms[t] = TermChecker(_checker, _call, t + 1).run();
    takeExtents();
    compareTerms();
    for (int t = 0; t < _call.term_count; ++t)
      addTerm(_call.terms[t], _call.terms[0], _terms[t], _shape);
    if (_shape.kind == FormKind::Products) takeVector();
    if (_shape.kind == FormKind::Diagonals) requireDiagonal();
    checkOutput();
    takeOperators("left fields", _call.left_operators, _shape.lefts);
    takeOperators("right fields", _call.right_operators, _shape.rights);
    takeOperators("fields of the vector", _call.vector_operators, _shape.rights);
    for (const SharedDescription* shared : {&_call.shared_out, &_call.shared_vector}) {
      _shape.has_operators = _shape.has_operators || shared->expanded.count > 0;
    }
    _shape.has_constraints = _call.shared_out.expanded.count > 0;
    addInputs();
    return _shape;
  }

 private:
  /// Geometry and weights are in arrays, or in factors of all terms.
  void compareFactors() const {
    const bool needs_factors = !_call.has_weights;
    for (int t = 0; t < _call.term_count; ++t) {
      const Form& form = _call.terms[t].form;
      if (form.is_elastic && (form.is_factored || _call.kind == FormKind::Factors)) {
        _checker.refuseCall("elasticity" + ofTerm(t + 1) +
                            " couples components: it has no factors");
      }
      if (form.is_factored == needs_factors) continue;
      _checker.refuseCall(needs_factors
                              ? "the geometry has no arrays, but term " + std::to_string(t + 1) +
                                    " is not factored()"
                              : "term " + std::to_string(t + 1) +
                                    " is factored(), and its factors hold geometry and weights: "
                                    "the geometry must be geometry(), without arrays");
    }
  }

  void takeGeometry() {
    if (_call.shared_mapping.is_there) {
      _checker.takeShared("coordinates", _call.shared_mapping);
      _checker.takeShape(_call.mappingArgument(), _call.mapping);
    } else if (_call.has_mapping) {
      _checker.take(_call.mappingArgument(), _call.mapping);
    }
    if (_call.has_nodes) _checker.take(FormArguments::gradients, _call.gradients);
    if (_call.has_weights) _checker.take(_call.weightsArgument(), _call.weights);
    if (_call.has_normals) _checker.take(FormArguments::normals, _call.normals);
  }

  void takeExtents() {
    const IndexTable& indices = _checker.indices();
    // Where factors of scalars stand for the geometry, nothing tells the dimension, nor needs it;
    // in one dimension fewer kernels serve.
    const bool is_any = !_call.has_weights && _checker.firstWith('D') == nullptr;
    const std::int64_t d = is_any ? 2 : indices['D'].extent;
    if (d < 1 || d > 3) {
      _checker.refuseCall("cells have dimension " + std::to_string(d) +
                          ", but it must be 1, 2 or 3");
    }
    _shape.dimension = static_cast<int>(d);
    const Argument* const of_space = _checker.firstWith('S');
    const std::int64_t space = of_space != nullptr ? indices['S'].extent : d;
    if (space < d || space > 3) {
      _checker.refuseCall(of_space->text() + ", but on cells of dimension " + std::to_string(d) +
                          " displacements have " + std::to_string(d) +
                          (d < 3 ? " to 3 components" : " components"));
    }
    _shape.space_dimension = static_cast<int>(space);
    _shape.cells = indices['C'].extent;
    _shape.lefts = indices['L'].extent;
    _shape.rights = _shape.kind == FormKind::Vectors ? 1 : indices['R'].extent;
    _shape.points = indices['P'].extent;
    _shape.nodes = _call.has_nodes ? indices['N'].extent : 0;
  }

  /// What terms have in common.
  void compareTerms() {
    bool any_elastic = false, are_symmetric = _shape.kind != FormKind::Vectors;
    int loads_of_blocks = 0;
    for (int t = 0; t < _call.term_count; ++t) {
      const TermDescription& given = _call.terms[t];
      const CheckedTerm& term = _terms[t];
      any_elastic = any_elastic || given.form.is_elastic;
      const bool has_directions =
          term.kind == CoefficientKind::Diagonal || term.kind == CoefficientKind::Full;
      _shape.has_coefficients_of_space =
          _shape.has_coefficients_of_space || (has_directions && _call.isOfSurface());
      loads_of_blocks += term.coefficient_is_vector_of_blocks ? 1 : 0;
      are_symmetric = are_symmetric && term.left_pullback == term.right_pullback &&
                      term.kind != CoefficientKind::Full && !given.has_sign_functions &&
                      isSame(given.left, given.right) &&
                      isSame(given.left_signs, given.right_signs);
      _shape.have_same_signs = _shape.have_same_signs && !given.has_sign_functions &&
                               isSame(given.left_signs, _call.terms[0].left_signs) &&
                               isSame(given.right_signs, _call.terms[0].right_signs);
    }
    if (loads_of_blocks > 0 && loads_of_blocks < _call.term_count) {
      _checker.refuseCall("loads of D components and of one cannot be summed");
    }
    _shape.left_blocks = any_elastic || loads_of_blocks > 0 ? _shape.space_dimension : 1;
    _shape.right_blocks = any_elastic ? _shape.dimension : 1;
    _shape.is_symmetric = are_symmetric && _shape.lefts == _shape.rights;
    if (hasBlocks()) _shape.diagonal_columns = _shape.right_blocks;
  }

  void takeVector() {
    Argument vector{FormArguments::vector.name, &_call.vector};
    if (_call.shared_vector.is_there) {
      _checker.takeShared(vector.name, _call.shared_vector);
      vector.is_shape = true;
      vector.name = "numbers of the vector";
    }
    requireVectors(_checker.keep(vector), _shape.rights * _shape.right_blocks);
    _shape.vectors = _call.givenVectors();
    _shape.flops *= double(_shape.vectors);
    if (_shape.vectors != 1) _shape.terms_code = _shape.terms_code * 31 + unsigned(_shape.vectors);
  }

  /// (C,fields), or, of several vectors, (C,fields,V).
  void requireVectors(const Argument& argument, std::int64_t fields) const {
    if (_shape.kind == FormKind::Products && argument.array->rank == 3) {
      _checker.requireExtents(argument, {_shape.cells, fields, _call.givenVectors()});
    } else {
      _checker.requireExtents(argument, {_shape.cells, fields});
    }
  }

  /// A product is of as many vectors as it leaves.
  void compareVectors() const {
    if (_call.outVectors() == _shape.vectors) return;
    _checker.refuseCall("output is for " + std::to_string(_call.outVectors()) +
                        " vectors at once, but vector has " + std::to_string(_shape.vectors) +
                        ": both need as many");
  }

  /// Whether blocks of a diagonal are wanted, not single entries.
  bool hasBlocks() const { return _shape.kind == FormKind::Diagonals && _call.out.rank == 3; }

  /// A matrix has a diagonal where both sides are of the same unknowns, which are as they are.
  void requireDiagonal() const {
    if (_shape.lefts != _shape.rights || _shape.left_blocks != _shape.right_blocks) {
      _checker.refuseCall("there are " + std::to_string(_shape.lefts * _shape.left_blocks) +
                          " left and " + std::to_string(_shape.rights * _shape.right_blocks) +
                          " right fields, but a diagonal needs as many on both sides");
    }
    const OperatorsDescription& of = _call.left_operators;
    if (!(of.is_there && of.operators.starts != nullptr) && _call.shared_out.expanded.count == 0)
      return;
    _checker.refuseCall(
        "unknowns are oriented or constrained, and so their diagonal needs entries beside those of "
        "cells: take it from matrices(); signs of terms may stand for orientations where they "
        "suffice");
  }

  void checkOutput() {
    if (_call.out_is_of_integers && _shape.has_mapping) {
      _checker.refuseCall(
          std::string("output has elements of an integer type, but integrals on cells with ") +
          _call.mappingArgument().name + " divide by determinants: it needs a floating-point type");
    }
    const bool is_scattered = _call.shared_out.is_there;
    Argument out{"output", &_call.out};
    out.is_shape = is_scattered;
    if (is_scattered) {
      out.name = _shape.kind == FormKind::Matrices ? "plan of the output" : "numbers of the output";
    }
    const std::int64_t rows = _shape.lefts * _shape.left_blocks;
    if (_shape.kind == FormKind::Factors) {
      _shape.factors = factorsOf(out);
      _checker.requireExtents(out, {_shape.cells, _shape.factors, _shape.points});
    } else if (_shape.kind == FormKind::Matrices) {
      _checker.requireExtents(out, {_shape.cells, rows, _shape.rights * _shape.right_blocks});
    } else if (hasBlocks()) {
      _checker.requireExtents(out, {_shape.cells, rows, _shape.right_blocks});
    } else {
      if (_shape.kind == FormKind::Products) compareVectors();
      requireVectors(out, rows);
    }
    if (is_scattered) {
      out = {"output", &_call.shared_out.array};
      _checker.requireShared(out, _call.shared_out);
      takeScatter();
    }
    for (const Argument& input : _checker.inputs()) _checker.compareDerivatives(input, out);
    _checker.requireDistinct(out);
    for (const Argument& input : _checker.inputs()) {
      _checker.refuseOverlap(out, input, "the output must not overlap inputs");
    }
    _shape.cell_fastest = isCellFastest(_call.out);
    _shape.cell_fastest_mapping = _shape.has_mapping && isCellFastest(_call.mapping);
    _shape.has_one_jacobian =
        _shape.has_mapping && _shape.nodes == 0 && _call.mapping.strides[1] == 0;
    _shape.bytes += double(out.array->size()) * double(out.array->unit_bytes);
  }

  /// Entries of the matrix of a point: half of them where both sides are vectors with the same
  /// pullback, unless the output has room for all.
  int factorsOf(const Argument& out) const {
    const CheckedTerm& term = _terms[0];
    const int d = _shape.dimension;
    const int all = (term.left_is_vector ? d : 1) * (term.right_is_vector ? d : 1);
    const bool may_be_half =
        term.left_is_vector && term.right_is_vector && term.left_pullback == term.right_pullback;
    const int half = may_be_half ? d * (d + 1) / 2 : all;
    const std::int64_t given = out.array->rank == 3 ? out.array->extents[1] : 0;
    if (half < all && given != half && given != all) {
      const auto text = [&](int n) {
        return "(" + std::to_string(_shape.cells) + ", " + std::to_string(n) + ", " +
               std::to_string(_shape.points) + ")";
      };
      _checker.refuseCall(out.text() + " but it must be " + text(half) + " or " + text(all));
    }
    return given == all ? all : half;
  }

  /// Operators of a side are of its cells and fields.
  void takeOperators(const char* side, const OperatorsDescription& of, std::int64_t fields) {
    if (!of.is_there) return;
    if (of.cells != _shape.cells || of.fields != fields) {
      _checker.refuseCall(std::string("orientations of ") + side + " are of " +
                          std::to_string(of.cells) + " cells with " + std::to_string(of.fields) +
                          " fields, but there are " + std::to_string(_shape.cells) +
                          " cells with " + std::to_string(fields));
    }
    _shape.has_operators = _shape.has_operators || of.operators.starts != nullptr;
  }

  void takeScatter() {
    const SharedDescription& shared = _call.shared_out;
    takeScatteredOutput(shared, _shape);
    const double entries = double(_shape.outputs());
    _shape.bytes += entries * double(shared.scatter.offset_bytes) +
                    4 * double(_shape.cells) * double(shared.fields);
  }

  void addInputs() {
    for (const Argument& input : _checker.inputs()) {
      const ArrayDescription& array = *input.array;
      // Values and signs tell factors how many components there are, and are not read.
      const bool is_of_fields = input.pattern.find_first_of("LRF") != std::string::npos;
      if (_shape.kind == FormKind::Factors && is_of_fields) continue;
      if (array.address != 0) _shape.bytes += double(array.size()) * double(array.unit_bytes);
      _shape.is_affine = _shape.is_affine && isAffine(input);
    }
  }

  const FormDescription& _call;
  CheckedTerm* _terms;
  FormArgumentChecker _checker;
  FormShape _shape;
};

}  // namespace

FormShape checkForm(const char* function, const FormDescription& call, CheckedTerm* terms) {
  return FormChecker(function, call, terms).run();
}

}  // namespace Impl
}  // namespace Kontract
