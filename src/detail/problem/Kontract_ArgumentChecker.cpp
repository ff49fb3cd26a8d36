// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_ArgumentChecker.hpp"

#include "detail/support/Kontract_Error.hpp"
#include "detail/view/Kontract_ArrayText.hpp"
#include "detail/view/Kontract_Overlap.hpp"

namespace Kontract {
namespace Impl {
namespace {

/// The letter whose extent an index must have: "same at every point" is a P, d is as long as D.
char extentLetter(char letter) {
  switch (letter) {
    case 'p': return 'P';
    case 'd': return 'D';
    case 's': return 'S';
    default: return letter;
  }
}

/// How messages call an index.
std::string nameOf(char letter) {
  switch (extentLetter(letter)) {
    case 'E': return "D2";
    case 'G': return "D3";
    default: return std::string(1, extentLetter(letter));
  }
}

/// Numbers of factors have none.
bool hasName(char letter) { return letter != 'H' && letter != 'M' && letter != '1'; }

std::string describeExtent(char letter) {
  switch (extentLetter(letter)) {
    case 'C': return "the numbers of cells C";
    case 'F': return "the numbers of fields F";
    case 'L': return "the numbers of left fields L";
    case 'R': return "the numbers of right fields R";
    case 'N': return "the numbers of nodes N";
    case 'P': return "the numbers of points P";
    case 'S': return "the dimensions of space S";
    case 'E': return "the second space dimensions D2";
    case 'G': return "the third space dimensions D3";
    default: return "the space dimensions D";
  }
}

}  // namespace

std::string Argument::nameText() const {
  return term > 0 ? name + (" of term " + std::to_string(term)) : std::string(name);
}

std::string Argument::text() const {
  if (isMissing()) return nameText() + " is missing";
  std::string text = nameText() + " is (";
  for (int i = 0; i < array->rank; ++i) {
    if (i > 0) text += ", ";
    if (!pattern.empty() && hasName(pattern[i])) text += nameOf(pattern[i]) + "=";
    text += std::to_string(array->extents[i]);
  }
  return text + ")";
}

std::string patternText(const std::string& pattern) {
  std::string text = "(";
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (i > 0) text += ",";
    text += nameOf(pattern[i]);
    if (pattern[i] == 'p') text += " or 1";
  }
  return text + ")";
}

void ArgumentChecker::refuseCall(const std::string& why) const { refuse(_function, why); }

void ArgumentChecker::refuseRank(const Argument& argument,
                                 const std::initializer_list<std::string>& patterns) const {
  refuseRank(argument, patterns.begin(), patterns.end());
}

void ArgumentChecker::refuseRank(const Argument& argument, const std::string* first,
                                 const std::string* last) const {
  std::string ranks, texts;
  for (const std::string* pattern = first; pattern != last; ++pattern) {
    if (pattern->empty()) continue;
    const std::string text = patternText(*pattern);
    if (texts.find(text) != std::string::npos) continue;
    const std::string rank = std::to_string(pattern->size());
    if (ranks.find(rank) == std::string::npos) ranks += (ranks.empty() ? "" : " or ") + rank;
    texts += (texts.empty() ? "" : " or ") + text;
  }
  refuseCall(argument.text() +
             (argument.isMissing() ? "" : ", of rank " + std::to_string(argument.array->rank)) +
             ", but it must have rank " + ranks + ": " + texts);
}

void ArgumentChecker::compareExtents(const Argument& argument) {
  for (int i = 0; i < argument.array->rank; ++i) compareExtent(argument, i);
}

void ArgumentChecker::compareExtent(const Argument& argument, int i) {
  const char letter = argument.pattern[i];
  const std::int64_t extent = argument.array->extents[i];
  if (letter == 'p' && extent == 1) return;
  const Argument*& first = _first[slotOf(extentLetter(letter))];
  if (first == nullptr) {
    first = &argument;
    _indices[extentLetter(letter)].extent = extent;
  } else if (_indices[extentLetter(letter)].extent != extent) {
    refuseExtent(argument, *first, letter);
  }
  _indices[letter].extent = extent;
}

void ArgumentChecker::refuseExtent(const Argument& one, const Argument& other, char letter) const {
  std::string why = one.text();
  if (&one != &other) why += " but " + other.text();
  why += ": " + describeExtent(letter) + " must agree";
  for (const Argument* argument : {&other, &one}) {
    if (extentLetter(letter) != 'P' || argument->pattern.find('p') == std::string::npos) continue;
    why += " (" + argument->nameText() + " may also have one point for all)";
    break;
  }
  refuseCall(why);
}

void ArgumentChecker::requireElements(const Argument& argument) const {
  const std::string why = whyNoElements(*argument.array);
  if (!why.empty()) refuseCall(argument.text() + why);
}

void ArgumentChecker::compareDerivatives(const Argument& input, const Argument& out) const {
  if (!input.array->is_fad || input.array->size() == 0 || out.array->size() == 0) return;
  const std::int64_t given = input.array->derivatives, has = out.array->derivatives;
  // A Fad without derivatives is a constant and goes with any number of them, but for types of so
  // many, which read as many of each operand without looking.
  if (given == has || (given == 0 && !out.array->has_fixed_derivatives)) return;
  if (given == 0) {
    refuseCall(input.text() + " without derivatives but " + out.text() + " with " +
               std::to_string(has) + " by its type: constants for it are real numbers");
  }
  refuseCall(input.text() + " with " + std::to_string(given) + " derivatives but " + out.text() +
             " with " + std::to_string(has) + ": the numbers of derivatives must agree");
}

void ArgumentChecker::requireDistinct(const Argument& out) const {
  if (out.array->size() == 0) return;  // strides of an empty array mean nothing
  for (int i = 0; i < out.array->rank; ++i) {
    if (out.array->extents[i] < 2 || out.array->strides[i] != 0) continue;
    refuseCall(out.text() + " but has stride 0" +
               (out.pattern.empty() ? "" : " in " + nameOf(out.pattern[i])) +
               ": its elements must be distinct");
  }
  if (!hasCoincidingElements(*out.array)) return;
  refuseCall(out.text() + " but with " + stridesText(*out.array) +
             " some of its elements coincide: its elements must be distinct");
}

void ArgumentChecker::refuseOverlap(const Argument& out, const Argument& input,
                                    const char* rule) const {
  if (input.array->isOfNothing() || !provenToOverlap(*out.array, *input.array)) return;
  refuseCall(out.text() + " and overlaps " + input.nameText() + ": " + rule);
}

}  // namespace Impl
}  // namespace Kontract
