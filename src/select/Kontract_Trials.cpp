// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Trials.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {
namespace {

constexpr double seconds_in_all = 2;        // for one key
constexpr double seconds_each = 0.05;       // for one plan, but at least one run
constexpr double seconds_of_sample = 5e-5;  // what clocks and fences do not disturb
constexpr int most_runs_of_sample = 100;
constexpr int samples = 9;
constexpr double far_worse = 3;  // than the best so far: not worth more samples
constexpr double noise = 0.98;   // a gain below 2 % is none

}  // namespace

void Trials::time(const Wish& wish, const std::function<void(int)>& run) {
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const auto seconds_of = [&](int runs) {
    const Clock::time_point start = Clock::now();
    run(runs);
    return std::max(since(start), 1e-9) / runs;
  };
  const Clock::time_point start = Clock::now();
  const auto is_far_worse = [&](double seconds) {
    return hasWinner() && seconds > far_worse * _seconds;
  };
  // The first run pays for what is done once, so it judges only what takes long.
  const double first = seconds_of(1);
  if (first > seconds_each && is_far_worse(first)) return;
  double least = seconds_of(1);
  const int runs = static_cast<int>(
      std::clamp(seconds_of_sample / least, 1.0, static_cast<double>(most_runs_of_sample)));
  for (int i = 0; i < samples && since(start) < seconds_each && !is_far_worse(least); ++i) {
    least = std::min(least, seconds_of(runs));
  }
  if (hasWinner() && least > noise * _seconds) return;
  _winner = wish;
  _seconds = least;
}

bool Trials::isOver() const {
  return std::chrono::duration<double>(Clock::now() - _start).count() > seconds_in_all;
}

bool Trials::isHopeless(double expected, double least) {
  constexpr double short_enough_to_try = 1e-2;  // estimates are rough
  return expected > short_enough_to_try && expected > 20 * least;
}

}  // namespace Impl
}  // namespace Kontract
