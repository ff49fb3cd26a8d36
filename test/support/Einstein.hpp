// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_EINSTEIN_HPP
#define KONTRACT_TEST_EINSTEIN_HPP

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "Scalars.hpp"

namespace KontractTest {

/// Extents by letter; a small letter is one point for all.
struct Extents {
  int of[26] = {};
  int operator()(char letter) const { return letter >= 'a' ? 1 : of[letter - 'A']; }
  int& operator[](char letter) { return of[letter - 'A']; }
};

/// A dense array whose indices have letters, the last one fastest.
template <class Wide>
struct Lettered {
  std::string letters;
  Extents extents;
  std::vector<Wide> numbers;

  Lettered(const std::string& of, const Extents& sizes) : letters(of), extents(sizes) {
    std::size_t count = 1;
    for (const char letter : letters) count *= std::size_t(extents(letter));
    numbers.assign(count, Wide(0));
  }
  std::size_t at(const Extents& index) const {
    std::size_t n = 0;
    for (const char letter : letters) {
      const int i = letter >= 'a' ? 0 : index(letter);
      n = n * std::size_t(extents(letter)) + std::size_t(i);
    }
    return n;
  }
};

/// Calls f(index) for all values of all letters.
template <class F>
void forEachIndex(const std::string& letters, const Extents& extents, const F& f) {
  Extents index;
  const auto nest = [&](const auto& self, std::size_t i) -> void {
    if (i == letters.size()) return f(index);
    for (int n = 0; n < extents(letters[i]); ++n) {
      index[letters[i]] = n;
      self(self, i + 1);
    }
  };
  nest(nest, 0);
}

/// out += left right, summed over the letters that the output does not have: A. Einstein's
/// convention (1916).
template <class Wide>
void addProducts(Lettered<Wide>& out, const Lettered<Wide>& left, const Lettered<Wide>& right) {
  std::string letters;
  for (const char letter : out.letters + left.letters + right.letters) {
    if (letter < 'a' && letters.find(letter) == std::string::npos) letters += letter;
  }
  forEachIndex(letters, right.extents, [&](const Extents& index) {
    out.numbers[out.at(index)] += left.numbers[left.at(index)] * right.numbers[right.at(index)];
  });
}

}  // namespace KontractTest

#endif
