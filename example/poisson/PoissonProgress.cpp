// SPDX-License-Identifier: BSD-3-Clause
#include "PoissonProgress.hpp"

#include <unistd.h>

#include <iostream>

#include "Teuchos_Time.hpp"

namespace Poisson {
namespace {
constexpr double patience = 3;    // seconds
constexpr double interval = 0.2;  // seconds
}  // namespace

Progress::Progress(int rank)
    : _start(Teuchos::Time::wallTime()), _is_terminal(rank == 0 && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (_is_shown) std::cerr << "\r\033[K" << std::flush;
}

void Progress::phase(const std::string& name) {
  _phase = name;
  _last = 0;
  show(_phase);
}

void Progress::step(int done, int total) {
  if (_is_terminal) show(_phase + " " + std::to_string(100 * done / total) + " %");
}

void Progress::show(const std::string& text) {
  if (!_is_terminal) return;
  const double now = Teuchos::Time::wallTime();
  if (now - _start < patience || now - _last < interval) return;
  _last = now;
  _is_shown = true;
  std::cerr << "\r\033[K" << text << std::flush;
}

}  // namespace Poisson
