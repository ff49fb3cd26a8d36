// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Progress on a terminal, for runs that last.
#ifndef POISSON_PROGRESS_HPP
#define POISSON_PROGRESS_HPP

#include <string>

namespace Poisson {

/// Shows phases and percentages on the standard error if that is a terminal, rank is 0 and the
/// program has run for a few seconds; wipes the line at its end.
class Progress {
 public:
  explicit Progress(int rank);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void phase(const std::string& name);
  void step(int done, int total);

 private:
  void show(const std::string& text);

  double _start;
  double _last = 0;
  bool _is_terminal;
  bool _is_shown = false;
  std::string _phase;
};

}  // namespace Poisson

#endif
