// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Extents.hpp"

#include <cctype>
#include <cstring>

#include "detail/support/Kontract_Error.hpp"
#include "detail/view/Kontract_ArrayText.hpp"
#include "detail/view/Kontract_Overlap.hpp"

namespace Kontract {
namespace Impl {
namespace {

char upper(char letter) { return static_cast<char>(std::toupper(letter)); }

std::string patternOf(const char* letters) {
  std::string text = "(";
  for (; *letters != '\0'; ++letters) {
    if (text.size() > 1) text += ",";
    text += upper(*letters);
    if (*letters == 'p') text += " or 1";
  }
  return text + ")";
}

std::string nameOf(char letter) {
  switch (letter) {
    case 'C': return "the numbers of cells C";
    case 'L': return "the numbers of left fields L";
    case 'R': return "the numbers of right fields R";
    case 'P': return "the numbers of points P";
    case 'N': return "the numbers of nodes N";
    default: return "the space dimensions D";
  }
}

}  // namespace

std::string NamedArray::text() const {
  std::string text = name;
  if (term > 0) text += " of term " + std::to_string(term);
  return text + " is " + extentsText(array);
}

void Extents::refuseCall(const std::string& why) const { refuse(_function, why); }

int Extents::slotOf(char letter) {
  switch (letter) {
    case 'C': return 0;
    case 'L': return 1;
    case 'R': return 2;
    case 'P': return 3;
    case 'N': return 4;
    default: return 5;
  }
}

void Extents::take(const NamedArray& given, const char* letters) {
  const ArrayDescription& array = given.array;
  if (array.rank != static_cast<int>(std::strlen(letters))) {
    refuseCall(given.text() + ", of rank " + std::to_string(array.rank) + ", but it must be " +
               patternOf(letters));
  }
  for (int i = 0; i < array.rank; ++i) {
    if (letters[i] == 'p' && array.extents[i] == 1) continue;
    Known& known = _known[slotOf(upper(letters[i]))];
    if (known.by < 0) {
      known = {array.extents[i], static_cast<int>(_taken.size())};
    } else if (known.extent != array.extents[i]) {
      const std::string pattern = patternOf(letters);
      if (known.by == static_cast<int>(_taken.size())) {
        refuseCall(given.text() + " but it must be " + pattern);
      }
      refuseCall(given.text() + " as " + pattern + " but " + _taken[known.by].text() + ": " +
                 nameOf(upper(letters[i])) + " must agree");
    }
  }
  requireMemory(given);
  _taken.push_back(given);
}

void Extents::requireMemory(const NamedArray& given) const {
  const std::string why = whyNoElements(given.array);
  if (!why.empty()) refuseCall(given.text() + why);
}

double Extents::bytes() const {
  double bytes = 0;
  for (const NamedArray& given : _taken) bytes += given.bytes();
  return bytes;
}

void Extents::compareDerivatives(const NamedArray& out) const {
  for (const NamedArray& given : _taken) {
    const std::int64_t has = given.array.derivatives, needed = out.array.derivatives;
    // A Fad without derivatives is a constant and goes with any number of them.
    if (has == 0 || has == needed || given.array.size() == 0 || out.array.size() == 0) continue;
    refuseCall(given.text() + " with " + std::to_string(has) + " derivatives but " + out.text() +
               " with " + std::to_string(needed) + ": the numbers of derivatives must agree");
  }
}

void Extents::checkOutput(const NamedArray& out) const {
  compareDerivatives(out);
  for (int i = 0; i < out.array.rank && out.array.size() > 0; ++i) {
    if (out.array.extents[i] > 1 && out.array.strides[i] == 0) {
      refuseCall(out.text() + " but has stride 0: its elements must be distinct");
    }
  }
  if (hasCoincidingElements(out.array)) {
    refuseCall(out.text() + " but with " + stridesText(out.array) +
               " some of its elements coincide: its elements must be distinct");
  }
  for (const NamedArray& other : _taken) {
    if (!provenToOverlap(out.array, other.array)) continue;
    refuseCall(out.text() + " and overlaps " + other.text() +
               ": the output must not overlap inputs");
  }
}

}  // namespace Impl
}  // namespace Kontract
