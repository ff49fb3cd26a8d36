// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TUNEREPORT_HPP
#define KONTRACT_TUNEREPORT_HPP

#include <iosfwd>
#include <string>
#include <vector>

#include "TuneRun.hpp"

namespace KontractTune {

/// Shows how far the work is: a bar on a terminal, a line a shape elsewhere.
class Progress {
 public:
  explicit Progress(std::size_t total);
  void starts(const Shape& shape);
  void ends(const Outcome& outcome);

 private:
  void draw(const std::string& what) const;

  std::size_t _total, _done = 0;
  bool _is_terminal;
};

/// All outcomes as a table.
void printSummary(std::ostream& out, const std::vector<Outcome>& outcomes);

}  // namespace KontractTune

#endif
