// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_CheckShapes.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "detail/support/Kontract_Error.hpp"
#include "detail/view/Kontract_ArrayText.hpp"
#include "detail/view/Kontract_Overlap.hpp"

namespace Kontract {
namespace Impl {
namespace {

/// The letter whose extent an index must have: "same at every point" is a P, d is as long as D.
char extentLetter(char letter) { return letter == 'p' ? 'P' : letter == 'd' ? 'D' : letter; }

/// How messages call an index.
std::string nameOf(char letter) {
  switch (extentLetter(letter)) {
    case 'E': return "D2";
    case 'G': return "D3";
    default: return std::string(1, extentLetter(letter));
  }
}

std::string describeExtent(char letter) {
  switch (extentLetter(letter)) {
    case 'C': return "the numbers of cells C";
    case 'F': return "the numbers of fields F";
    case 'L': return "the numbers of left fields L";
    case 'R': return "the numbers of right fields R";
    case 'P': return "the numbers of points P";
    case 'E': return "the second space dimensions D2";
    case 'G': return "the third space dimensions D3";
    default: return "the space dimensions D";
  }
}

/// One argument of the call, with the indices that the chosen pattern gives it.
struct Argument {
  const char* name;
  const ArrayDescription* array;
  std::string pattern;

  /// Whether the operation has no such argument.
  bool isAbsent() const { return name[0] == '\0'; }
  /// Whether the operation has it, but the call does not give it.
  bool isMissing() const { return !isAbsent() && array->isOfNothing(); }

  /// Whether it has the rank of a pattern; an empty one is for what is not there.
  bool hasRankOf(const std::string& of) const {
    return of.empty() ? array->isOfNothing() : int(of.size()) == array->rank;
  }

  /// "leftFields is (C=100, L=8, P=27, D=3)"
  std::string withExtents() const {
    if (isMissing()) return std::string(name) + " is missing";
    std::string text = std::string(name) + " is (";
    for (int i = 0; i < array->rank; ++i) {
      if (i > 0) text += ", ";
      if (!pattern.empty()) text += nameOf(pattern[i]) + "=";
      text += std::to_string(array->extents[i]);
    }
    return text + ")";
  }
};

/// "(C,F,P,D)"
std::string patternText(const std::string& pattern) {
  std::string text = "(";
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (i > 0) text += ",";
    text += nameOf(pattern[i]);
    if (pattern[i] == 'p') text += " or 1";
  }
  return text + ")";
}

/// The arguments of one call while they are checked; extents are compared in the order left, right,
/// output, and the later one is the one complained about.
class ShapeChecker {
 public:
  ShapeChecker(const Signature& signature, bool transposed, const ArrayDescription& out,
               const ArrayDescription& left, const ArrayDescription& right)
      : _signature(signature),
        _transposed(transposed),
        _left{signature.left_name, &left, {}},
        _right{signature.right_name, &right, {}},
        _out{signature.out_name, &out, {}} {}

  IndexTable run() {
    choosePattern();
    compareExtents();
    requireElements();
    compareDerivatives();
    fillStrides();
    refuseRepeatedOutput();
    refuseOverlap(_left, &Index::left);
    refuseOverlap(_right, &Index::right);
    return _indices;
  }

 private:
  [[noreturn]] void refuseCall(const std::string& why) const { refuse(_signature.name, why); }

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
      why += argument->withExtents();
    }
    why += ": these ranks do not fit together; it needs one of";
    for (const RankPattern& ranks : _signature.patterns) {
      if (ranks.out == nullptr) break;
      why += " " + patternText(ranks.out) + " =";
      if (ranks.left[0] != '\0') why += " " + patternText(leftPattern(ranks)) + " x";
      why += " " + patternText(ranks.right) + ";";
    }
    why.pop_back();
    refuseCall(why);
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
    refuseCall(_left.withExtents() + " but " + _out.withExtents() + ": it must be " + patterns);
  }

  void refuseRank(const Argument& argument, const char* RankPattern::*pattern_of) const {
    std::string ranks_text, patterns;
    for (const RankPattern& ranks : _signature.patterns) {
      if (ranks.out == nullptr) break;
      const std::string pattern =
          pattern_of == &RankPattern::left ? leftPattern(ranks) : ranks.*pattern_of;
      if (argument.hasRankOf(pattern)) return;
      if (pattern.empty()) continue;
      const std::string text = patternText(pattern);
      if (patterns.find(text) != std::string::npos) continue;
      const std::string rank = std::to_string(pattern.size());
      if (ranks_text.find(rank) == std::string::npos)
        ranks_text += (ranks_text.empty() ? "" : " or ") + rank;
      patterns += (patterns.empty() ? "" : " or ") + text;
    }
    refuseCall(argument.withExtents() + ", of rank " + std::to_string(argument.array->rank) +
               ", but it must have rank " + ranks_text + ": " + patterns);
  }

  void compareExtents() {
    for (const Argument* argument : {&_left, &_right, &_out}) {
      for (int i = 0; i < argument->array->rank; ++i) compareExtent(*argument, i);
    }
    if (_ranks->dimension == 0) return;
    requireDimension('D');
    if (_first[slotOf('E')] != nullptr) requireDimension('E');
  }

  void requireDimension(char letter) const {
    if (_indices[letter].extent == _ranks->dimension) return;
    const bool may_be_either = _ranks->dimension == 3 || _out.pattern.back() != 'D';
    refuseCall(
        _left.withExtents() + " and " + _out.withExtents() + ": the space dimension " +
        nameOf(letter) + " must be " +
        (may_be_either ? "3 for a vector-valued output and 2 for a scalar-valued one" : "2"));
  }

  void compareExtent(const Argument& argument, int i) {
    const char letter = argument.pattern[i];
    const std::int64_t extent = argument.array->extents[i];
    if (letter == 'p' && extent == 1) return;
    const int slot = slotOf(extentLetter(letter));
    if (_first[slot] == nullptr) {
      _first[slot] = &argument;
      _indices[extentLetter(letter)].extent = extent;
    } else if (_indices[extentLetter(letter)].extent != extent) {
      refuseExtent(argument, *_first[slot], letter);
    }
    _indices[letter].extent = extent;
  }

  [[noreturn]] void refuseExtent(const Argument& one, const Argument& other, char letter) const {
    std::string why = one.withExtents() + " but " + other.withExtents() + ": " +
                      describeExtent(letter) + " must agree";
    for (const Argument* argument : {&_left, &_right}) {
      const bool may_have_one_point = argument->pattern.find('p') != std::string::npos;
      const bool concerned = argument == &one || argument == &other;
      if (extentLetter(letter) == 'P' && may_have_one_point && concerned) {
        why += std::string(" (") + argument->name + " may also have one point for all)";
        break;
      }
    }
    refuseCall(why);
  }

  void requireElements() const {
    for (const Argument* argument : {&_left, &_right, &_out}) {
      const std::string why = whyNoElements(*argument->array);
      if (!why.empty()) refuseCall(argument->withExtents() + why);
    }
  }

  void compareDerivatives() const {
    for (const Argument* argument : {&_left, &_right}) {
      if (!argument->array->is_fad || argument->array->size() == 0) continue;
      const std::int64_t given = argument->array->derivatives, has = _out.array->derivatives;
      // A Fad without derivatives is a constant and goes with any number of them.
      if (given == 0 || given == has || _out.array->size() == 0) continue;
      refuseCall(argument->withExtents() + " with " + std::to_string(given) + " derivatives but " +
                 _out.withExtents() + " with " + std::to_string(has) +
                 ": the numbers of derivatives must agree");
    }
  }

  void fillStrides() {
    fillStrides(_out, &Index::out);
    fillStrides(_left, &Index::left);
    fillStrides(_right, &Index::right);
  }

  void fillStrides(const Argument& argument, std::int64_t Index::*stride) {
    for (int i = 0; i < argument.array->rank; ++i) {
      _indices[argument.pattern[i]].*stride = argument.array->strides[i];
    }
  }

  void refuseRepeatedOutput() const {
    if (_out.array->size() == 0) return;  // strides of an empty array mean nothing
    for (int i = 0; i < _out.array->rank; ++i) {
      if (_out.array->extents[i] < 2 || _out.array->strides[i] != 0) continue;
      refuseCall(_out.withExtents() + " but has stride 0 in " + nameOf(_out.pattern[i]) +
                 ": its elements must be distinct");
    }
    if (!hasCoincidingElements(*_out.array)) return;
    refuseCall(_out.withExtents() + " but with " + stridesText(*_out.array) +
               " some of its elements coincide: its elements must be distinct");
  }

  /// Whether each output element sits where the element of that input with the same indices does,
  /// and needs no other element of it.
  bool isElementByElement(const Argument& input, std::int64_t Index::*stride) const {
    if (!_signature.in_place || input.array->address != _out.array->address) return false;
    for (const Index& index : _indices) {
      if (index.extent > 1 && index.out != index.*stride) return false;
    }
    return input.array->unit_bytes == _out.array->unit_bytes &&
           input.array->derivative_stride == _out.array->derivative_stride;
  }

  void refuseOverlap(const Argument& input, std::int64_t Index::*stride) const {
    if (input.array->isOfNothing() || !provenToOverlap(*_out.array, *input.array)) return;
    if (isElementByElement(input, stride)) return;
    refuseCall(_out.withExtents() + " and overlaps " + input.name +
               (_signature.in_place
                    ? ": the output may be an input only element by element, at the same position"
                    : ": the output of this operation must not overlap its inputs"));
  }

  const Signature& _signature;
  bool _transposed;
  Argument _left, _right, _out;
  const RankPattern* _ranks = nullptr;
  IndexTable _indices;
  const Argument* _first[slot_count] = {};  ///< the argument that fixed the extent of a letter
};

}  // namespace

IndexTable checkShapes(const Signature& signature, bool transposed, const ArrayDescription& out,
                       const ArrayDescription& left, const ArrayDescription& right) {
  return ShapeChecker(signature, transposed, out, left, right).run();
}

}  // namespace Impl
}  // namespace Kontract
