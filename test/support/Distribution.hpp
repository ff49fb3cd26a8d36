// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_DISTRIBUTION_HPP
#define KONTRACT_TEST_DISTRIBUTION_HPP

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace KontractTest {

/// Prints how numbers are distributed, if there are any.
inline void sayDistribution(const std::string& what, std::vector<double> numbers) {
  if (numbers.empty()) return;
  std::sort(numbers.begin(), numbers.end());
  std::printf("%s: least %.2f, a tenth is below %.2f, median %.2f, most %.2f\n", what.c_str(),
              numbers.front(), numbers[numbers.size() / 10], numbers[numbers.size() / 2],
              numbers.back());
}

}  // namespace KontractTest

#endif
