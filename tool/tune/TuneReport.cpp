// SPDX-License-Identifier: BSD-3-Clause
#include "TuneReport.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>

namespace KontractTune {
namespace {

std::string choiceText(const Timed& timed) {
  return timed.algorithm + (timed.settings.empty() ? "" : " (" + timed.settings + ")");
}

std::string timeText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g us", seconds * 1e6);
  return text;
}

std::string gainText(const Outcome& outcome) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", outcome.gain());
  return text;
}

}  // namespace

Progress::Progress(std::size_t total) : _total(total), _is_terminal(isatty(STDOUT_FILENO) != 0) {}

void Progress::starts(const Shape& shape) {
  if (_is_terminal) draw(shape.text());
}

void Progress::ends(const Outcome& outcome) {
  ++_done;
  if (_is_terminal) {
    if (_done == _total) std::cout << "\r\033[K" << std::flush;
    return;
  }
  std::cout << _done << "/" << _total << " " << outcome.shape.text() << ": ";
  if (outcome.left_out.empty()) {
    std::cout << choiceText(outcome.tuned) << ", " << timeText(outcome.tuned.seconds) << std::endl;
  } else {
    std::cout << "left out: " << outcome.left_out << std::endl;
  }
}

void Progress::draw(const std::string& what) const {
  constexpr std::size_t width = 30;
  const std::size_t filled = width * _done / _total;
  std::cout << "\r\033[K[" << std::string(filled, '#') << std::string(width - filled, '.') << "] "
            << _done << "/" << _total << " " << what << std::flush;
}

void printSummary(std::ostream& out, const std::vector<Outcome>& outcomes) {
  using Row = std::array<std::string, 6>;
  std::vector<Row> rows{{"shape", "heuristic", "time", "tuned", "time", "gain"}};
  for (const Outcome& outcome : outcomes) {
    if (!outcome.left_out.empty()) continue;
    rows.push_back({outcome.shape.text(), choiceText(outcome.heuristic),
                    timeText(outcome.heuristic.seconds),
                    choiceText(outcome.tuned) + (outcome.was_known ? " *" : ""),
                    timeText(outcome.tuned.seconds), gainText(outcome)});
  }
  std::array<std::size_t, 6> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  out << "\n";
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    }
    out << line.substr(0, line.find_last_not_of(' ') + 1) << "\n";
  }
  const bool any_known = std::any_of(outcomes.begin(), outcomes.end(),
                                     [](const Outcome& outcome) { return outcome.was_known; });
  if (any_known) out << "* was in the table already\n";
  for (const Outcome& outcome : outcomes) {
    if (!outcome.left_out.empty()) {
      out << "left out: " << outcome.shape.text() << ": " << outcome.left_out << "\n";
    }
  }
}

}  // namespace KontractTune
