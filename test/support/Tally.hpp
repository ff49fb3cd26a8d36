// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_TALLY_HPP
#define KONTRACT_TEST_TALLY_HPP

#include <iostream>
#include <ostream>
#include <string>

#include "EveryNth.hpp"

namespace KontractTest {

/// Counts comparisons and tells of the first ones that fail.
class Tally {
 public:
  explicit Tally(std::ostream& out) : _out(out) {}
  ~Tally() { std::cout << "(" << _checks << " checks, " << _failures << " failed) "; }
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;
  /// \param wrong  empty if all is well
  void add(const std::string& what, const std::string& wrong) {
    ++_checks;
    if (wrong.empty()) return;
    if (++_failures <= 20) _out << "\ncomparison failed: " << what << ": " << wrong;
  }
  /// Whether the case that comes now is not to be run.
  bool leavesOut() {
    const bool leaves_out = _cases++ % everyNth() != 0;
    _left_out += leaves_out;
    return leaves_out;
  }
  /// Comparisons, with those that were left out.
  long checks() const { return _checks + _left_out; }
  long failures() const { return _failures; }

 private:
  std::ostream& _out;
  long _checks = 0, _failures = 0, _cases = 0, _left_out = 0;
};

}  // namespace KontractTest

#endif
