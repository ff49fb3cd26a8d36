// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers by chance, the same in every run.
#ifndef KONTRACT_TEST_CHANCE_HPP
#define KONTRACT_TEST_CHANCE_HPP

#include <array>
#include <cstdint>
#include <random>

namespace KontractTest {

class Chance {
 public:
  explicit Chance(unsigned seed) : random(seed) {}
  std::int64_t draw(std::int64_t first, std::int64_t last) {
    return std::uniform_int_distribution<std::int64_t>(first, last)(random);
  }
  bool flip() { return draw(0, 1) == 0; }
  /// An output's number of derivatives, or of its factors': these may be constants.
  std::int64_t derivatives() {
    return draw(0, 2) == 0 ? draw(0, 70)
                           : std::array<std::int64_t, 5>{0, 1, 3, 8, 24}[std::size_t(draw(0, 4))];
  }
  std::mt19937 random;
};

}  // namespace KontractTest

#endif
