// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_INDEXTABLE_HPP
#define KONTRACT_INDEXTABLE_HPP

#include <cstdint>

namespace Kontract {
namespace Impl {

/// An index of a checked call: its extent, and its stride in each argument (0 where an argument
/// does not have it, or has one point for all).
struct Index {
  std::int64_t extent = 1;
  std::int64_t out = 0;
  std::int64_t left = 0;
  std::int64_t right = 0;
};

/// Place of an index letter in tables; a p is a P.
constexpr int slotOf(char letter) {
  switch (letter) {
    case 'C': return 0;
    case 'F': return 1;
    case 'L': return 2;
    case 'R': return 3;
    case 'D': return 5;
    case 'E': return 6;
    case 'G': return 7;
    case 'd': return 8;
    case 'N': return 9;
    case 'S': return 10;
    case 's': return 11;
    case 'H': return 12;
    case 'M': return 13;
    case '1': return 14;
    default: return 4;
  }
}
inline constexpr int slot_count = 15;

/// The indices of a checked call by letter: from here on no operation knows how its arguments were
/// ranked or laid out.
class IndexTable {
 public:
  /// The index of that letter; one with extent 1 and no strides if the arguments do not have it.
  const Index& operator[](char letter) const { return _indices[slotOf(letter)]; }
  Index& operator[](char letter) { return _indices[slotOf(letter)]; }

  const Index* begin() const { return _indices; }
  const Index* end() const { return _indices + slot_count; }

 private:
  Index _indices[slot_count];
};

}  // namespace Impl
}  // namespace Kontract

#endif
