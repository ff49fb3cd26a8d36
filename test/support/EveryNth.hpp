// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_EVERYNTH_HPP
#define KONTRACT_TEST_EVERYNTH_HPP

#include <algorithm>
#include <cstdlib>

namespace KontractTest {

/// Of how many cases one is run, for tools that make programs slow: KONTRACT_TEST_EVERY=50 runs
/// every 50th.
inline long everyNth() {
  static const char* const given = std::getenv("KONTRACT_TEST_EVERY");
  static const long n = given == nullptr ? 1 : std::max(1L, std::atol(given));
  return n;
}

}  // namespace KontractTest

#endif
