// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_TermChecker.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace Kontract {
namespace Impl {
namespace {

const CoefficientPatterns& patternsOf(CoefficientRole role) {
  return *std::find_if(std::begin(coefficient_patterns), std::end(coefficient_patterns),
                       [&](const CoefficientPatterns& patterns) { return patterns.role == role; });
}

/// \param pullback  one of the table: never Curl
const ValuesPatterns& patternsOf(Pullback pullback) {
  // The last needs no look; so compilers see that what is found is in the table.
  return *std::find_if(
      std::begin(values_patterns), std::end(values_patterns) - 1,
      [&](const ValuesPatterns& patterns) { return patterns.pullback == pullback; });
}

}  // namespace

CheckedTerm TermChecker::run() {
  const bool has_second = !_given.second.isOfNothing();
  if (_given.form.is_factored) requireFactors();
  if (_given.form.is_elastic != has_second) {
    _checker.refuseCall("elasticity, and nothing else, has two coefficients: term " +
                        std::to_string(_number));
  }
  _term.left_pullback = resolvedPullback(_given.form.left);
  _term.left.pattern = patternOf(_term.left, _given.left, _given.form.left, _term.left_pullback, 0);
  _term.left_is_vector = _term.left.isOfVectors();
  if (!isLoad()) {
    _term.right_pullback = resolvedPullback(_given.form.right);
    _term.right.pattern =
        patternOf(_term.right, _given.right, _given.form.right, _term.right_pullback, 1);
    _term.right_is_vector = _term.right.isOfVectors();
  }
  if (_given.form.is_elastic) requireGradients();
  if (_call.isOfSurface()) requireFlatCells();
  if (_given.form.is_factored) {
    chooseFactors();
  } else {
    chooseCoefficient();
  }
  takeValues(_term.left, FormArguments::left_directions, _given.left);
  if (!isLoad()) takeValues(_term.right, FormArguments::right_directions, _given.right);
  takeIfThere(_term.coefficient, _given.coefficient);
  takeIfThere(FormArguments::second, _given.second);
  takeIfThere(FormArguments::left_signs, _given.left_signs);
  takeIfThere(FormArguments::right_signs, _given.right_signs);
  return _term;
}

void TermChecker::takeIfThere(const FormArgument& argument, const ArrayDescription& array) {
  if (!array.isOfNothing()) _checker.take(argument, array, _number);
}

/// The pullback of a form on such cells.
Pullback TermChecker::resolvedPullback(Pullback pullback) const {
  const bool needs_mapping =
      pullback != Pullback::Scalar && pullback != Pullback::Physical && !_given.form.is_factored;
  if (needs_mapping && !_call.has_mapping) {
    _checker.refuseCall("the form" + ofTerm(_number) +
                        " transforms values, but the geometry has measures alone; give "
                        "Jacobians or nodes, or physical values");
  }
  if (pullback != Pullback::Curl) return pullback;
  const std::int64_t dimension = dimensionOfCurls();
  switch (dimension) {
    case 2: return Pullback::Density;
    case 3: return Pullback::Contravariant;
    default:
      _checker.refuseCall("the form" + ofTerm(_number) + " is of curls, which cells of dimension " +
                          std::to_string(dimension) + " do not have");
  }
}

/// Refuses what is no array of factors, before these tell anything.
void TermChecker::requireFactors() const {
  const ArrayDescription& factors = _given.coefficient;
  const bool is_of_curls =
      _given.form.left == Pullback::Curl || _given.form.right == Pullback::Curl;
  const std::int64_t n = factors.rank == 3 ? factors.extents[1] : 0;
  // A scalar or a vector of the plane, or of space; a matrix of space, or half of it.
  const bool are_of_curls = n == 1 || n == 2 || n == 3 || n == 6 || n == 9;
  if (factors.rank == 3 && (!is_of_curls || are_of_curls)) return;
  const Argument argument{"factors", &factors, {}, _number};
  _checker.refuseCall(argument.text() + ", but it must be (C,n,P or 1)" +
                      (is_of_curls ? ", with n = 1 or 2 in the plane and 3, 6 or 9 in space" : ""));
}

/// The dimension of cells; where factors stand for the geometry, a basis of curls tells it, or
/// they.
std::int64_t TermChecker::dimensionOfCurls() const {
  if (!_given.form.is_factored) return _checker.indices()['D'].extent;
  if (_given.form.left == Pullback::Curl && _given.left.basis != nullptr) {
    return _given.left.basis->directions;
  }
  if (_given.form.right == Pullback::Curl && _given.right.basis != nullptr) {
    return _given.right.basis->directions;
  }
  return _given.coefficient.extents[1] < 3 ? 2 : 3;
}

/// The pattern that values of that pullback have.
/// \param given  the pullback before it was resolved
/// \param side   0 is left
const char* TermChecker::patternOf(const FormArgument& argument, ValuesDescription& values,
                                   Pullback given, Pullback pullback, int side) const {
  const auto& patterns = patternsOf(pullback).of[side];
  if (values.basis != nullptr) {
    values.of_basis = operatorOf(argument, *values.basis, given);
    return patterns[0];
  }
  const Argument array{argument.name, &values.array, {}, _number};
  for (const char* pattern : patterns) {
    if (array.hasRankOf(pattern)) return pattern;
  }
  _checker.refuseRank(array, {patterns[0], patterns[1]});
}

/// What a side with that pullback takes of a tensor-product basis.
BasisOperator TermChecker::operatorOf(const FormArgument& argument, const BasisDescription& basis,
                                      Pullback given) const {
  const char* has = "";
  switch (basis.space) {
    case FunctionSpace::HCURL:
      if (given == Pullback::Covariant) return BasisOperator::Value;
      if (given == Pullback::Curl) return BasisOperator::Curl;
      has = "values and curls of HCURL";
      break;
    case FunctionSpace::HDIV:
      if (given == Pullback::Contravariant) return BasisOperator::Value;
      if (given == Pullback::Density) return BasisOperator::Divergence;
      has = "values and divergences of HDIV";
      break;
    default:
      if (basis.is_of_vectors) {
        _checker.refuseCall(argument.name + ofTerm(_number) +
                            ", a tensor-product basis: its space is neither HCURL nor HDIV, but it "
                            "has open functions");
      }
      if (given == Pullback::Scalar || given == Pullback::Density) return BasisOperator::Value;
      if (given == Pullback::Covariant) return BasisOperator::Gradient;
      has = "values and gradients of HGRAD";
  }
  _checker.refuseCall(argument.name + ofTerm(_number) + ": a tensor-product basis has " + has +
                      ", and the form needs others; give an array, or a basis of another space");
}

void TermChecker::requireGradients() const {
  const auto are = [&](Pullback pullback) {
    return _term.left_pullback == pullback && _term.right_pullback == pullback;
  };
  const auto isOfHgrad = [](const ValuesDescription& values) {
    return values.basis == nullptr || !values.basis->is_of_vectors;
  };
  const bool are_gradients = _term.left_is_vector && _term.right_is_vector &&
                             isOfHgrad(_given.left) && isOfHgrad(_given.right);
  if (are_gradients && (are(Pullback::Covariant) || are(Pullback::Physical))) return;
  _checker.refuseCall("elasticity" + ofTerm(_number) +
                      " needs gradients of HGRAD on both sides: (F,P,D) or (C,F,P,D) on the "
                      "reference cell, or with ofPhysicalValues() transformed ones (C,F,P,D)");
}

/// Refuses what cells with fewer dimensions than space do not have.
void TermChecker::requireFlatCells() const {
  const std::string where = ofTerm(_number) + " on cells that have fewer dimensions than space";
  if (_given.form.is_elastic) _checker.refuseCall("elasticity" + where + " is not served");
  const bool is_left = _term.left_is_vector && _term.left_pullback == Pullback::Physical;
  const bool is_right = _term.right_is_vector && _term.right_pullback == Pullback::Physical;
  if (is_left || is_right) {
    _checker.refuseCall("physical vectors" + where + " need measures alone as their geometry");
  }
}

CoefficientRole TermChecker::role() const {
  if (_given.form.is_elastic) return CoefficientRole::Elasticity;
  if (isLoad()) {
    return _term.left_is_vector ? CoefficientRole::VectorSource : CoefficientRole::ScalarSource;
  }
  if (_term.left_is_vector != _term.right_is_vector) return CoefficientRole::Mixed;
  return _term.left_is_vector ? CoefficientRole::Vectors : CoefficientRole::Scalars;
}

void TermChecker::chooseCoefficient() {
  _term.coefficient.name = isLoad() ? "source" : "coefficient";
  const Argument argument{_term.coefficient.name, &_given.coefficient, {}, _number};
  const CoefficientPatterns& patterns = patternsOf(role());
  std::string texts;
  for (const CoefficientPattern& one : patterns.of) {
    if (one.pattern == nullptr) break;
    if (one.is_of_side && !_call.has_normals) continue;
    const bool is_of_space =
        _call.isOfSurface() || (one.is_vector_of_blocks && _call.sourcesTellSpace());
    const char* const pattern = one.patternOn(is_of_space);
    if (argument.hasRankOf(pattern)) {
      _term.kind = one.kind;
      _term.coefficient.pattern = pattern;
      _term.coefficient_is_vector_of_blocks = one.is_vector_of_blocks;
      return;
    }
    if (pattern[0] != '\0') texts += (texts.empty() ? "" : " or ") + patternText(pattern);
  }
  const std::string rank =
      argument.isMissing() ? "" : ", of rank " + std::to_string(_given.coefficient.rank);
  _checker.refuseCall(argument.text() + rank + ", but " + patterns.where + " it must be " + texts);
}

/// Of vectors.
std::int64_t TermChecker::dimensionOfValues() const {
  const ValuesDescription& values = _term.left_is_vector ? _given.left : _given.right;
  if (values.basis != nullptr) return values.basis->directions;
  return values.array.extents[values.array.rank - 1];
}

/// How many factors there are tells whether they are half of a matrix. Values of the reference cell
/// need no pullback then: those of run() said which of them are vectors.
void TermChecker::chooseFactors() {
  _term.coefficient = {"factors", FormArguments::scalar_factors};
  _term.kind = CoefficientKind::Scalar;
  const ArrayDescription& factors = _given.coefficient;
  const bool are_vectors = _term.left_is_vector && _term.right_is_vector;
  std::int64_t half = 1, all = 1;
  if (_term.left_is_vector || _term.right_is_vector) {
    const std::int64_t dimension = dimensionOfValues();
    half = are_vectors ? dimension * (dimension + 1) / 2 : dimension;
    all = are_vectors ? dimension * dimension : dimension;
    const bool are_half = factors.extents[1] == half;
    _term.coefficient.pattern = !are_vectors ? FormArguments::mixed_factors
                                : are_half   ? FormArguments::half_of_factors
                                             : FormArguments::all_factors;
    _term.kind = are_vectors && are_half ? CoefficientKind::Symmetric : CoefficientKind::Full;
  }
  const Argument argument{_term.coefficient.name, &factors, {}, _number};
  if (factors.extents[1] != half && factors.extents[1] != all) {
    const std::string more = half == all ? "" : " or (C," + std::to_string(all) + ",P or 1)";
    _checker.refuseCall(argument.text() + ", but between such values it must be (C," +
                        std::to_string(half) + ",P or 1)" + more);
  }
  _term.left_pullback = _term.left_is_vector ? Pullback::Physical : Pullback::Scalar;
  _term.right_pullback = _term.right_is_vector ? Pullback::Physical : Pullback::Scalar;
}

void TermChecker::takeValues(const FormArgument& argument, const FormArgument& directions,
                             ValuesDescription& values) {
  if (values.basis == nullptr) {
    _checker.take(argument, values.array, _number);
  } else {
    _checker.takeBasis(argument, directions, values, _number);
  }
}

}  // namespace Impl
}  // namespace Kontract
