// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SETTING_HPP
#define KONTRACT_SETTING_HPP

#include <string>

namespace Kontract {
namespace Impl {

/// A setting of an algorithm that is one of a few words. The first word leaves the choice to the
/// algorithm, as 0 does for a setting that is a number.
struct Word {
  const char* const* words;
  int count;
  int place = 0;

  template <int n>
  constexpr explicit Word(const char* const (&list)[n]) : words(list), count(n) {}

  bool operator==(const char* word) const { return std::string(words[place]) == word; }
};

inline bool isGiven(int value) { return value != 0; }
inline bool isGiven(const Word& word) { return word.place != 0; }

/// A setting of that kind that leaves the choice to the algorithm.
inline int notGiven(int) { return 0; }
inline Word notGiven(Word word) {
  word.place = 0;
  return word;
}

inline std::string textOf(int value) { return std::to_string(value); }
inline std::string textOf(const Word& word) { return word.words[word.place]; }

}  // namespace Impl
}  // namespace Kontract

#endif
