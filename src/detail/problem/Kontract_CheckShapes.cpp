// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_CheckShapes.hpp"

#include <string>
#include <utility>

#include "Kontract_ArgumentChecker.hpp"

namespace Kontract {
namespace Impl {
namespace {

/// The arguments of one call while they are checked; extents are compared in the order left, right,
/// output.
class ShapeChecker {
 public:
  ShapeChecker(const Signature& signature, bool transposed, const ArrayDescription& out,
               const ArrayDescription& left, const ArrayDescription& right)
      : _signature(signature),
        _transposed(transposed),
        _checker(signature.name),
        _left{signature.left_name, &left},
        _right{signature.right_name, &right},
        _out{signature.out_name, &out} {}

  IndexTable run() {
    choosePattern();
    for (const Argument* argument : {&_left, &_right, &_out}) _checker.compareExtents(*argument);
    if (_ranks->dimension != 0) requireDimensions();
    for (const Argument* argument : {&_left, &_right, &_out}) _checker.requireElements(*argument);
    for (const Argument* input : {&_left, &_right}) _checker.compareDerivatives(*input, _out);
    fillStrides(_out, &Index::out);
    fillStrides(_left, &Index::left);
    fillStrides(_right, &Index::right);
    _checker.requireDistinct(_out);
    refuseOverlap(_left, &Index::left);
    refuseOverlap(_right, &Index::right);
    return _checker.indices();
  }

 private:
  std::string leftPattern(const RankPattern& ranks) const {
    std::string pattern = ranks.left;
    const bool is_full_tensor = pattern.size() == 4;
    if (_transposed && is_full_tensor) std::swap(pattern[2], pattern[3]);
    return pattern;
  }

  void choosePattern() {
    for (const RankPattern& ranks : _signature.patterns) {
      if (ranks.out == nullptr) break;
      if (!fits(ranks) || !_left.hasRankOf(ranks.left)) continue;
      _ranks = &ranks;
      _out.pattern = ranks.out;
      _left.pattern = leftPattern(ranks);
      _right.pattern = ranks.right;
      return;
    }
    refuseRanks();
  }

  /// Whether all arguments but the left one have the ranks of a pattern.
  bool fits(const RankPattern& ranks) const {
    return _out.hasRankOf(ranks.out) && _right.hasRankOf(ranks.right);
  }

  /// Names the argument whose rank no pattern has, or, if each rank alone would do, all of them.
  [[noreturn]] void refuseRanks() const {
    refuseRank(_left, &RankPattern::left);
    refuseRank(_right, &RankPattern::right);
    refuseRank(_out, &RankPattern::out);
    if (_left.isMissing()) refuseMissing();
    std::string why;
    for (const Argument* argument : {&_out, &_left, &_right}) {
      if (argument->isAbsent()) continue;
      if (!why.empty()) why += ", ";
      why += argument->text();
    }
    why += ": these ranks do not fit together; it needs one of";
    for (const RankPattern& ranks : _signature.patterns) {
      if (ranks.out == nullptr) break;
      why += " " + patternText(ranks.out) + " =";
      if (ranks.left[0] != '\0') why += " " + patternText(leftPattern(ranks)) + " x";
      why += " " + patternText(ranks.right) + ";";
    }
    why.pop_back();
    _checker.refuseCall(why);
  }

  /// Refuses a call without its left argument, if the others fit one that has it.
  void refuseMissing() const {
    std::string patterns;
    for (const RankPattern& ranks : _signature.patterns) {
      if (ranks.out == nullptr) break;
      if (!fits(ranks)) continue;
      patterns += (patterns.empty() ? "" : " or ") + patternText(leftPattern(ranks));
    }
    if (patterns.empty()) return;
    _checker.refuseCall(_left.text() + " but " + _out.text() + ": it must be " + patterns);
  }

  void refuseRank(const Argument& argument, const char* RankPattern::*pattern_of) const {
    std::string patterns[Signature::max_patterns];
    int count = 0;
    for (const RankPattern& ranks : _signature.patterns) {
      if (ranks.out == nullptr) break;
      patterns[count] = pattern_of == &RankPattern::left ? leftPattern(ranks) : ranks.*pattern_of;
      if (argument.hasRankOf(patterns[count++])) return;
    }
    _checker.refuseRank(argument, patterns, patterns + count);
  }

  void requireDimensions() const {
    requireDimension('D');
    if (_checker.firstWith('E') != nullptr) requireDimension('E');
  }

  void requireDimension(char letter) const {
    if (_checker.indices()[letter].extent == _ranks->dimension) return;
    const bool may_be_either = _ranks->dimension == 3 || _out.pattern.back() != 'D';
    _checker.refuseCall(
        _left.text() + " and " + _out.text() + ": the space dimension " +
        (letter == 'E' ? "D2" : "D") + " must be " +
        (may_be_either ? "3 for a vector-valued output and 2 for a scalar-valued one" : "2"));
  }

  void fillStrides(const Argument& argument, std::int64_t Index::*stride) {
    for (int i = 0; i < argument.array->rank; ++i) {
      _checker.indices()[argument.pattern[i]].*stride = argument.array->strides[i];
    }
  }

  /// Whether each output element sits where the element of that input with the same indices does,
  /// and needs no other element of it.
  bool isElementByElement(const Argument& input, std::int64_t Index::*stride) const {
    if (!_signature.in_place || input.array->address != _out.array->address) return false;
    for (const Index& index : _checker.indices()) {
      if (index.extent > 1 && index.out != index.*stride) return false;
    }
    return input.array->unit_bytes == _out.array->unit_bytes &&
           input.array->derivative_stride == _out.array->derivative_stride;
  }

  void refuseOverlap(const Argument& input, std::int64_t Index::*stride) const {
    if (isElementByElement(input, stride)) return;
    _checker.refuseOverlap(
        _out, input,
        _signature.in_place
            ? "the output may be an input only element by element, at the same position"
            : "the output of this operation must not overlap its inputs");
  }

  const Signature& _signature;
  bool _transposed;
  ArgumentChecker _checker;
  Argument _left, _right, _out;
  const RankPattern* _ranks = nullptr;
};

}  // namespace

IndexTable checkShapes(const Signature& signature, bool transposed, const ArrayDescription& out,
                       const ArrayDescription& left, const ArrayDescription& right) {
  return ShapeChecker(signature, transposed, out, left, right).run();
}

}  // namespace Impl
}  // namespace Kontract
