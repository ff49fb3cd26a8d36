// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TRIALS_HPP
#define KONTRACT_TRIALS_HPP

#include <chrono>
#include <functional>

#include "Kontract_Options.hpp"

namespace Kontract {
namespace Impl {

/// Times plans one after the other and keeps the fastest.
class Trials {
 public:
  /// \param run  runs the plan that many times and waits for the end
  void time(const Wish& wish, const std::function<void(int)>& run);

  /// Whether time is up: plans that were not tried by now are not tried any more.
  bool isOver() const;

  /// Whether a plan is so unlikely to win that it is not worth a run, which cannot be stopped.
  /// \param expected  seconds by its estimate
  /// \param least     seconds by the estimate of the first plan
  static bool isHopeless(double expected, double least);

  bool hasWinner() const { return _seconds > 0; }
  const Wish& winner() const { return _winner; }
  double seconds() const { return _seconds; }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point _start = Clock::now();
  Wish _winner;
  double _seconds = 0;
};

}  // namespace Impl
}  // namespace Kontract

#endif
