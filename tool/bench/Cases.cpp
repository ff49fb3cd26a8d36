// SPDX-License-Identifier: BSD-3-Clause
#include "Cases.hpp"

#include <algorithm>
#include <stdexcept>

namespace KontractBench {
namespace {

using Kontract::Impl::RankPattern;
using Kontract::Impl::Signature;

std::string textOf(const RankPattern& form) {
  const std::string left(form.left ? form.left : "");
  return std::string(form.out) + "=" + (left.empty() ? "" : left + "*") + form.right;
}

const RankPattern& formOf(const Case& one) {
  return Kontract::Impl::signatureOf(one.operation).patterns[one.form];
}

bool startsWith(const std::string& text, const char* beginning) {
  return text.rfind(beginning, 0) == 0;
}

}  // namespace

std::string Case::shape() const { return textOf(formOf(*this)); }
std::string Case::outLetters() const { return formOf(*this).out; }
std::string Case::rightLetters() const { return formOf(*this).right; }

std::string Case::leftLetters() const {
  const char* left = formOf(*this).left;
  std::string letters(left ? left : "");
  if (is_transposed && letters.size() == 4) std::swap(letters[2], letters[3]);
  return letters;
}

std::int64_t Case::extentOf(char letter) const {
  const auto otherwise = [](std::int64_t extent, std::int64_t other) {
    return extent > 0 ? extent : other;
  };
  switch (letter) {
    case 'C': return sizes.cells;
    case 'L': return sizes.lefts;
    case 'F':
    case 'R': return sizes.rights;
    case 'P': return sizes.points;
    case 'p': return one_point ? 1 : sizes.points;
    case 'E': return otherwise(sizes.e, sizes.d);
    case 'G': return otherwise(sizes.g, sizes.d);
    default: return sizes.d;
  }
}

std::int64_t Case::sizeOf(const std::string& letters) const {
  std::int64_t size = 1;
  for (const char letter : letters) size *= extentOf(letter);
  return size;
}

std::int64_t Case::terms() const {
  if (!Kontract::Impl::isContraction(operation)) return 1;
  std::int64_t terms = sizes.points;
  for (const char letter : rightLetters()) {
    if (letter == 'D' || letter == 'E') terms *= extentOf(letter);
  }
  return terms;
}

bool Case::takesYes() const {
  return Kontract::Impl::isContraction(operation) || startsWith(function(), "scalarMultiply");
}

bool Case::takesTranspose() const { return Kontract::Impl::signatureOf(operation).transposable; }

std::vector<std::string> shapesOf(Operation operation) {
  std::vector<std::string> shapes;
  for (const RankPattern& form : Kontract::Impl::signatureOf(operation).patterns) {
    if (form.out) shapes.push_back(textOf(form));
  }
  return shapes;
}

std::vector<std::string> functionNames() {
  std::vector<std::string> names;
  for (int i = 0; i < Kontract::Impl::operation_count; ++i) {
    const auto operation = Operation(i);
    if (!isOfForms(operation)) names.push_back(Kontract::Impl::signatureOf(operation).name);
  }
  return names;
}

Case makeCase(const std::string& label, const std::string& function, const std::string& shape,
              const Sizes& sizes) {
  Case one;
  one.label = label;
  one.operation = Operation(placeOf(function, functionNames(), "function"));
  if (!shape.empty()) {
    one.form = int(placeOf(shape, shapesOf(one.operation), "shape of " + function));
  }
  one.sizes = sizes;
  const int dimension = formOf(one).dimension;
  if (dimension > 0) one.sizes.d = dimension;
  return one;
}

/// Cells come in worksets: in LayoutLeft each row then begins where a line of cache does.
constexpr std::int64_t workset = 32;

void chooseCells(Case& one, ScalarKind scalar, double bytes) {
  if (one.sizes.cells > 0) return;
  one.sizes.cells = 1;
  double per_cell = 0;
  for (const std::string& letters : {one.outLetters(), one.leftLetters(), one.rightLetters()}) {
    if (letters.find('C') != std::string::npos) per_cell += double(one.sizeOf(letters));
  }
  const double wanted = one.bytes > 0 ? one.bytes : bytes;
  const auto cells = std::int64_t(wanted / (per_cell * double(bytesOf(scalar))));
  const std::int64_t whole = cells < workset ? cells : cells / workset * workset;
  one.sizes.cells = std::max<std::int64_t>(1, whole - one.fewer_cells);
}

Sizes sizesFrom(const std::string& text) {
  Sizes sizes;
  sizes.lefts = sizes.rights = sizes.points = 8;
  sizes.d = 3;
  for (const std::string& part : split(text, ',')) {
    const auto equals = part.find('=');
    const std::vector<std::string> letters{"C", "L", "R", "F", "P", "D", "E", "G"};
    std::int64_t* const places[] = {&sizes.cells,  &sizes.lefts, &sizes.rights, &sizes.rights,
                                    &sizes.points, &sizes.d,     &sizes.e,      &sizes.g};
    const std::size_t place = placeOf(part.substr(0, equals), letters, "size");
    try {
      if (equals == std::string::npos) throw std::invalid_argument("no value");
      std::size_t end = 0;
      *places[place] = std::stoll(part.substr(equals + 1), &end);
      if (*places[place] < 1 || equals + 1 + end != part.size()) throw std::out_of_range("size");
    } catch (const std::logic_error&) {
      throw UsageError{"the size '" + part + "' is not of the form " + letters[place] +
                       "=<positive number>"};
    }
  }
  return sizes;
}

}  // namespace KontractBench
