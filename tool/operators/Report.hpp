// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_OPERATORS_REPORT_HPP
#define KONTRACT_OPERATORS_REPORT_HPP

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "Problem.hpp"
#include "Timing.hpp"

namespace KontractOperators {

/// What a contestant has done with a problem.
struct Row {
  std::string contestant, ran;
  std::string status = "ok";  ///< or refused, or wrong
  std::string reason;         ///< why it was refused
  Operation operation = Operation::Cells;
  Geometry geometry = Geometry::Factors;
  bool is_single = false;
  int order = 0, line_points = 0, cells = 0, unknowns = 0;
  Timing timing;
  double bytes = 0;
  double copy_rate = 0;    ///< bytes a second
  double difference = -1;  ///< from the first contestant's result, as a part of its largest number;
                           ///< negative: there is none

  double nanosecondsOfCell() const { return timing.seconds / cells * 1e9; }
  double gdofs() const { return timing.seconds > 0 ? unknowns / timing.seconds * 1e-9 : 0; }
  double share() const { return timing.seconds > 0 ? bytes / copy_rate / timing.seconds : 0; }
};

/// What results depend on besides the arguments, as names and values. Never the machine's name.
using Context = std::vector<std::pair<std::string, std::string>>;
Context machineContext();

void printContext(std::ostream& out, const Context& context);
/// What the rows that follow are of, and the names of columns.
void printHeader(std::ostream& out, Operation operation, bool is_single);
void printRow(std::ostream& out, const Row& row);
void writeCsv(std::ostream& out, const Context& context, const std::vector<Row>& rows);

}  // namespace KontractOperators

#endif
