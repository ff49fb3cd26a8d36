// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>
#include <vector>

#include "Kontract_ArgumentChecker.hpp"
#include "Kontract_FormDescription.hpp"
#include "Kontract_FormSignature.hpp"
#include "detail/view/Kontract_ArrayText.hpp"

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

bool isVector(const char* pattern) {
  const std::string letters = pattern;
  return !letters.empty() && letters.back() == 'D';
}

/// Whether two arrays whose extents agree are one, or neither is there.
bool isSame(const ArrayDescription& a, const ArrayDescription& b) {
  return a.address == b.address && a.unit_bytes == b.unit_bytes && a.is_fad == b.is_fad &&
         a.rank == b.rank && std::equal(a.strides, a.strides + a.rank, b.strides) &&
         a.derivative_stride == b.derivative_stride && a.value_at == b.value_at;
}
bool isSame(const ValuesDescription& a, const ValuesDescription& b) {
  if ((a.basis == nullptr) != (b.basis == nullptr)) return false;
  if (a.basis == nullptr) return isSame(a.array, b.array);
  bool is_same = a.basis->directions == b.basis->directions;
  for (int d = 0; d < a.basis->directions && is_same; ++d) {
    const auto& [count, values, derivatives] = *a.basis;
    const BasisDescription& other = *b.basis;
    is_same = std::equal(values[d].extents, values[d].extents + 2, other.values[d].extents) &&
              isSame(values[d], other.values[d]) && isSame(derivatives[d], other.derivatives[d]);
  }
  return is_same;
}

/// Flops of plain sums over points, of one term.
double flopsOf(const FormShape& s, const FormTermShape& term) {
  const double left = term.left_is_vector ? s.dimension : 1;
  const double right = term.right_is_vector ? s.dimension : 1;
  const double points = double(s.cells) * double(s.points);
  const double lefts = double(s.lefts) * s.left_blocks * left;
  if (s.kind == FormKind::Vectors) return 2 * points * lefts;
  const double rights = double(s.rights) * s.right_blocks;
  const double matrix = left * right * s.left_blocks * s.right_blocks;
  if (s.kind == FormKind::Products) return 2 * points * (rights * right + matrix + lefts);
  const double sums = lefts * rights / (s.is_symmetric ? 2 : 1);
  return 2 * points * (sums + rights * left * right * s.left_blocks);
}

/// What tells terms of other pullbacks and coefficients.
std::uint32_t codeOf(std::uint32_t before, const FormTermShape& term) {
  const unsigned numbers[] = {unsigned(term.left_pullback), unsigned(term.right_pullback),
                              unsigned(term.kind), unsigned(term.left_is_vector),
                              unsigned(term.right_is_vector)};
  for (const unsigned number : numbers) before = before * 7 + number + 1;
  return before;
}

/// Whether neighbours in memory are neighbouring cells.
bool isCellFastest(const ArrayDescription& out) {
  for (int i = 1; i < out.rank; ++i) {
    if (out.extents[0] > 1 && out.extents[i] > 1 && out.strides[i] > out.strides[0]) return true;
  }
  return false;
}

/// A call of Integration while it is checked: geometry, then term by term values, coefficients and
/// signs, then the vector and the output.
class FormChecker {
 public:
  FormChecker(const char* function, const FormDescription& call, CheckedTerm* terms)
      : _call(call), _terms(terms), _checker(function) {
    _shape.kind = call.kind;
    _shape.term_count = call.term_count;
    _shape.sum_into = call.sum_into;
    _shape.has_mapping = call.has_mapping;
    _shape.weights_are_measures = call.weights.rank == 2 || !call.has_mapping;
    _shape.has_tensor_bases_alone = true;
    reserve();
  }

  FormShape run() {
    takeGeometry();
    for (int t = 0; t < _call.term_count; ++t) takeTerm(_call.terms[t], _terms[t], t + 1);
    takeExtents();
    compareTerms();
    for (int t = 0; t < _call.term_count; ++t) {
      _shape.flops += flopsOf(_shape, _terms[t]);
      _shape.terms_code = codeOf(_shape.terms_code, _terms[t]);
    }
    if (_shape.kind == FormKind::Products) takeVector();
    checkOutput();
    return _shape;
  }

 private:
  void reserve() {
    std::size_t arguments = 4, bases = 0;  // geometry and vector
    for (int t = 0; t < _call.term_count; ++t) {
      arguments += 8;  // values, directions, coefficients, signs
      for (const ValuesDescription* values : {&_call.terms[t].left, &_call.terms[t].right}) {
        if (values->basis == nullptr) continue;
        arguments += 2 * std::size_t(values->basis->directions);
        ++bases;
      }
    }
    _arguments.reserve(arguments);
    _directions.reserve(bases);
  }

  static std::string ofTerm(int term) { return " of term " + std::to_string(term); }

  /// Keeps an argument, whose extents are not compared.
  const Argument& keep(const char* name, const ArrayDescription& array, const char* pattern,
                       int term, bool is_shape = false) {
    _arguments.push_back(Argument{name, &array, pattern, term, is_shape});
    if (array.address != 0) _shape.bytes += double(array.size()) * double(array.unit_bytes);
    return _arguments.back();
  }

  /// Takes an argument that has one rank.
  void take(const char* name, const ArrayDescription& array, const char* pattern, int term = 0) {
    if (int(std::string(pattern).size()) != array.rank) {
      _checker.refuseRank(Argument{name, &array, {}, term}, {pattern});
    }
    const Argument& argument = keep(name, array, pattern, term);
    const std::size_t point = argument.pattern.find('p');
    if (point != std::string::npos && array.extents[point] > 1) _shape.is_affine = false;
    _checker.compareExtents(argument);
    _checker.requireElements(argument);
  }

  /// Takes what only has extents.
  void takeShape(const char* name, const ArrayDescription& array, const char* pattern, int term) {
    _checker.compareExtents(keep(name, array, pattern, term, true));
  }

  void takeGeometry() {
    if (_call.has_mapping) {
      take(_call.has_nodes ? "nodes" : "jacobians", _call.mapping,
           _call.has_nodes ? FormPatterns::nodes : FormPatterns::jacobians);
    }
    if (_call.has_nodes) take("gradients of nodes", _call.gradients, FormPatterns::gradients);
    if (_shape.weights_are_measures) {
      take("measures", _call.weights, FormPatterns::measures);
    } else {
      take("weights", _call.weights, FormPatterns::weights);
    }
  }

  void takeTerm(TermDescription& given, CheckedTerm& term, int number) {
    const bool is_load = _shape.kind == FormKind::Vectors;
    const bool has_second = !given.second.isOfNothing();
    if (given.form.is_elastic != has_second) {
      _checker.refuseCall("elasticity, and nothing else, has two coefficients: term " +
                          std::to_string(number));
    }
    term.left_pullback = resolved(given.form.left, number);
    term.left_pattern = choosePattern("left values", given.left, term.left_pullback, 0, number);
    term.left_is_vector = isVector(term.left_pattern);
    if (!is_load) {
      term.right_pullback = resolved(given.form.right, number);
      term.right_pattern =
          choosePattern("right values", given.right, term.right_pullback, 1, number);
      term.right_is_vector = isVector(term.right_pattern);
    }
    if (given.form.is_elastic) requireGradients(term, number);
    chooseCoefficient(given, term, number);
    takeValues("left values", "directions of left values", given.left, term.left_pattern, number);
    if (!is_load) {
      takeValues("right values", "directions of right values", given.right, term.right_pattern,
                 number);
    }
    if (term.kind != CoefficientKind::None) {
      take(coefficientName(_shape.kind), given.coefficient, term.coefficient_pattern, number);
    }
    if (has_second) take("second coefficient", given.second, FormPatterns::second, number);
    takeSigns("left signs", given.left_signs, FormPatterns::left_signs, number);
    takeSigns("right signs", given.right_signs, FormPatterns::right_signs, number);
  }

  void takeSigns(const char* name, const ArrayDescription& signs, const char* pattern, int term) {
    if (!signs.isOfNothing()) take(name, signs, pattern, term);
  }

  /// The pullback of a form on such cells.
  Pullback resolved(Pullback pullback, int term) const {
    const bool needs_mapping = pullback != Pullback::Scalar && pullback != Pullback::Physical;
    if (needs_mapping && !_call.has_mapping) {
      _checker.refuseCall("the form" + ofTerm(term) +
                          " transforms values, but the geometry has measures alone; give "
                          "Jacobians or nodes, or physical values");
    }
    if (pullback != Pullback::Curl) return pullback;
    switch (dimension()) {
      case 2: return Pullback::Density;
      case 3: return Pullback::Contravariant;
      default:
        _checker.refuseCall("the form" + ofTerm(term) + " is of curls, which cells of dimension " +
                            std::to_string(dimension()) + " do not have");
    }
  }

  std::int64_t dimension() const { return _checker.indices()['D'].extent; }

  /// The pattern that values of that pullback have.
  /// \param side  0 is left
  const char* choosePattern(const char* name, const ValuesDescription& values, Pullback pullback,
                            int side, int term) const {
    const auto& patterns = patternsOf(pullback).of[side];
    if (values.basis != nullptr) {
      requireBasisOf(name, pullback, term);
      return patterns[0];
    }
    const Argument argument{name, &values.array, {}, term};
    for (const char* pattern : patterns) {
      if (argument.hasRankOf(pattern)) return pattern;
    }
    _checker.refuseRank(argument, {patterns[0], patterns[1]});
  }

  void requireBasisOf(const char* name, Pullback pullback, int term) const {
    switch (pullback) {
      case Pullback::Scalar:
      case Pullback::Density:
      case Pullback::Covariant: return;
      default:
        _checker.refuseCall(name + ofTerm(term) +
                            ": a tensor-product basis has values and gradients of HGRAD, and the "
                            "form needs others; give an array");
    }
  }

  void requireGradients(const CheckedTerm& term, int number) const {
    const auto are = [&](Pullback pullback) {
      return term.left_pullback == pullback && term.right_pullback == pullback;
    };
    const bool are_gradients = term.left_is_vector && term.right_is_vector;
    if (are_gradients && (are(Pullback::Covariant) || are(Pullback::Physical))) return;
    _checker.refuseCall("elasticity" + ofTerm(number) +
                        " needs gradients of HGRAD on both sides: (F,P,D) or (C,F,P,D) on the "
                        "reference cell, or with ofPhysicalValues() transformed ones (C,F,P,D)");
  }

  CoefficientRole roleOf(const TermDescription& given, const CheckedTerm& term) const {
    if (given.form.is_elastic) return CoefficientRole::Elasticity;
    if (_shape.kind == FormKind::Vectors) {
      return term.left_is_vector ? CoefficientRole::VectorSource : CoefficientRole::ScalarSource;
    }
    if (term.left_is_vector != term.right_is_vector) return CoefficientRole::Mixed;
    return term.left_is_vector ? CoefficientRole::Vectors : CoefficientRole::Scalars;
  }

  void chooseCoefficient(const TermDescription& given, CheckedTerm& term, int number) const {
    const Argument argument{coefficientName(_shape.kind), &given.coefficient, {}, number};
    const CoefficientPatterns& patterns = patternsOf(roleOf(given, term));
    std::string texts;
    for (const CoefficientPattern& one : patterns.of) {
      if (one.pattern == nullptr) break;
      if (argument.hasRankOf(one.pattern)) {
        term.kind = one.kind;
        term.coefficient_pattern = one.pattern;
        term.coefficient_is_vector_of_blocks = one.is_vector_of_blocks;
        return;
      }
      if (one.pattern[0] != '\0') texts += (texts.empty() ? "" : " or ") + patternText(one.pattern);
    }
    const std::string rank =
        argument.isMissing() ? "" : ", of rank " + std::to_string(given.coefficient.rank);
    _checker.refuseCall(argument.text() + rank + ", but " + patterns.where + " it must be " +
                        texts);
  }

  /// Takes the values of a side.
  void takeValues(const char* name, const char* name_of_directions, ValuesDescription& values,
                  const char* pattern, int term) {
    const bool is_of_reference = pattern[0] != 'C';
    if (values.basis == nullptr) {
      take(name, values.array, pattern, term);
      _shape.has_tensor_bases_alone = false;
      // Cells may share values by a stride, too.
      if (!is_of_reference && values.array.strides[0] != 0) _shape.has_values_of_reference = false;
      return;
    }
    const BasisDescription& basis = *values.basis;
    ArrayDescription& product = values.array;  // the shape that all directions have together
    product = ArrayDescription();
    product.rank = isVector(pattern) ? 3 : 2;
    product.extents[0] = product.extents[1] = 1;
    product.extents[2] = basis.directions;
    for (int d = 0; d < basis.directions; ++d) {
      checkDirection(name, basis, d, term);
      product.extents[0] *= basis.values[d].extents[0];
      product.extents[1] *= basis.values[d].extents[1];
    }
    _directions.emplace_back();
    _directions.back().rank = 1;
    _directions.back().extents[0] = basis.directions;
    takeShape(name_of_directions, _directions.back(), "D", term);
    takeShape(name, product, pattern, term);
    for (int d = 0; d < basis.directions; ++d) {
      keep(name, basis.values[d], FormPatterns::table, term);
      keep(name, basis.derivatives[d], FormPatterns::table, term);
    }
  }

  void checkDirection(const char* name, const BasisDescription& basis, int direction,
                      int term) const {
    const ArrayDescription &values = basis.values[direction],
                           &derivatives = basis.derivatives[direction];
    const std::string where = name + ofTerm(term) + ", a tensor-product basis: in direction " +
                              std::to_string(direction + 1);
    if (values.rank != 2) {
      _checker.refuseCall(where + " values are " + extentsText(values) +
                          ", but they must be (N,Q)");
    }
    const bool fits =
        (derivatives.rank == 2 || (derivatives.rank == 3 && derivatives.extents[2] == 1)) &&
        derivatives.extents[0] == values.extents[0] && derivatives.extents[1] == values.extents[1];
    if (!fits) {
      _checker.refuseCall(where + " derivatives are " + extentsText(derivatives) +
                          ", but values are " + extentsText(values) +
                          ": they must be (N,Q) or (N,Q,1) of the same N and Q");
    }
    for (const ArrayDescription* array : {&values, &derivatives}) {
      const std::string why = whyNoElements(*array);
      if (!why.empty()) {
        _checker.refuseCall(where + (array == &values ? " values are " : " derivatives are ") +
                            extentsText(*array) + why);
      }
    }
  }

  void takeExtents() {
    const IndexTable& indices = _checker.indices();
    const std::int64_t d = dimension();
    if (d < 1 || d > 3) {
      _checker.refuseCall("cells have dimension " + std::to_string(d) +
                          ", but it must be 1, 2 or 3");
    }
    _shape.dimension = static_cast<int>(d);
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
    _shape.left_blocks = any_elastic || loads_of_blocks > 0 ? _shape.dimension : 1;
    _shape.right_blocks = any_elastic ? _shape.dimension : 1;
    _shape.is_symmetric = are_symmetric && _shape.lefts == _shape.rights;
  }

  /// Refuses an array whose fields may be components of fields, and have other extents.
  void requireExtents(const Argument& argument, std::initializer_list<std::int64_t> needed) const {
    const ArrayDescription& array = *argument.array;
    const bool fits = array.rank == static_cast<int>(needed.size()) &&
                      std::equal(needed.begin(), needed.end(), array.extents);
    if (!fits) {
      std::string text;
      for (const std::int64_t extent : needed) {
        text += (text.empty() ? "(" : ", ") + std::to_string(extent);
      }
      _checker.refuseCall(argument.text() + " but it must be " + text + ")");
    }
    _checker.requireElements(argument);
  }

  void takeVector() {
    requireExtents(keep("vector", _call.vector, "", 0),
                   {_shape.cells, _shape.rights * _shape.right_blocks});
  }

  void checkOutput() {
    if (_call.out_is_of_integers && _shape.has_mapping) {
      _checker.refuseCall(
          std::string("output has elements of an integer type, but integrals on cells with ") +
          (_call.has_nodes ? "nodes" : "jacobians") +
          " divide by determinants: it needs a floating-point type");
    }
    const Argument out{"output", &_call.out};
    const std::int64_t rows = _shape.lefts * _shape.left_blocks;
    if (_shape.kind == FormKind::Matrices) {
      requireExtents(out, {_shape.cells, rows, _shape.rights * _shape.right_blocks});
    } else {
      requireExtents(out, {_shape.cells, rows});
    }
    for (const Argument& input : _arguments) _checker.compareDerivatives(input, out);
    _checker.requireDistinct(out);
    for (const Argument& input : _arguments) {
      _checker.refuseOverlap(out, input, "the output must not overlap inputs");
    }
    _shape.cell_fastest = isCellFastest(_call.out);
    _shape.bytes += double(_call.out.size()) * double(_call.out.unit_bytes);
  }

  const FormDescription& _call;
  CheckedTerm* _terms;
  ArgumentChecker _checker;
  FormShape _shape;
  // Both have all the room that they need from the start, because elements are referred to.
  std::vector<Argument> _arguments;
  std::vector<ArrayDescription> _directions;  ///< of tensor-product bases
};

}  // namespace

FormShape checkForm(const char* function, const FormDescription& call, CheckedTerm* terms) {
  return FormChecker(function, call, terms).run();
}

FormStrides stridesOf(const ArrayDescription& array, const char* pattern) {
  FormStrides strides;
  bool has_row = false;
  for (int i = 0; i < array.rank && pattern[i] != '\0'; ++i) {
    const std::int64_t stride = array.strides[i];
    switch (pattern[i]) {
      case 'C': strides.cell = stride; break;
      case 'P':
      case 'p': strides.point = stride; break;
      case '1': break;
      case 'D':
      case 'd':
        (has_row ? strides.column : strides.row) = stride;
        has_row = true;
        break;
      default: strides.field = stride;
    }
  }
  return strides;
}

}  // namespace Impl
}  // namespace Kontract
