// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers that a program prints, and compares with what another build of it has printed. Nothing of
// Kontract is here, because the programs that use this know Intrepid2 alone.
#ifndef KONTRACT_TEST_RESULTS_HPP
#define KONTRACT_TEST_RESULTS_HPP

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "KeepLargest.hpp"

namespace KontractTest {

/// Groups of numbers. Numbers of one group are of one magnitude.
class Results {
 public:
  void add(const std::string& group, double value) {
    if (_groups.empty() || _groups.back().first != group) _groups.push_back({group, {}});
    _groups.back().second.push_back(value);
  }

  /// A line for each number: its group, and 17 digits, which are all that a double has.
  void print() const {
    for (const auto& [group, values] : _groups) {
      for (double value : values) std::printf("%s %.17g\n", group.c_str(), value);
    }
  }

  /// \return the largest difference to what print() has written into a file, relative to the
  /// largest number of its group; infinity where the file has other groups, other lines, or what is
  /// no finite number
  double differenceFrom(const std::string& file) const {
    std::ifstream input(file);
    double difference = 0;
    for (const auto& [group, values] : _groups) {
      double largest = 0, here = 0;
      for (double value : values) {
        std::string read_group;
        double read = 0;
        if (!(input >> read_group >> read) || read_group != group) return HUGE_VAL;
        if (!std::isfinite(read) || !std::isfinite(value)) return HUGE_VAL;
        largest = std::max(largest, std::abs(read));
        keepLargest(here, std::abs(read - value));
      }
      if (largest == 0) return HUGE_VAL;  // nothing was computed
      keepLargest(difference, here / largest);
    }
    std::string more;
    return _groups.empty() || input >> more ? HUGE_VAL : difference;
  }

 private:
  std::vector<std::pair<std::string, std::vector<double>>> _groups;
};

/// Prints results, or, where the command line names a file of results, how much they differ from
/// those. \return the program's exit code
inline int report(const Results& results, int argc, char* argv[]) {
  if (argc < 2) {
    results.print();
    return 0;
  }
  const double difference = results.differenceFrom(argv[1]);
  std::printf("largest relative difference: %.1e\n", difference);
  return difference < 1e-12 ? 0 : 1;
}

}  // namespace KontractTest

#endif
