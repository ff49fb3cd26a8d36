// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Trials.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace Kontract {
namespace Impl {
namespace {

constexpr double seconds_in_all = 2;        // for one key
constexpr double seconds_each = 0.05;       // for one plan, but at least one run
constexpr double seconds_of_sample = 1e-4;  // what clocks and fences do not disturb
constexpr double most_runs_of_sample = 200;
constexpr int samples = 9;
constexpr double far_worse = 3;  // than the best so far: not worth more samples
constexpr double noise = 0.97;   // a gain below 3 % is none

double steadySeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Trials::Trials() : Trials(steadySeconds) {}

double Trials::secondsOf(const Run& run, int runs) const {
  const double start = _clock();
  run(runs);
  return std::max(since(start), 1e-9) / runs;
}

void Trials::time(const Request& request, const Run& run) {
  const double start = _clock();
  const auto is_far_worse = [&](double seconds) {
    return hasWinner() && seconds > far_worse * _winner.seconds;
  };
  // The first run pays for what is done once, so it judges only what takes long.
  const double first = secondsOf(run, 1);
  if (first > seconds_each && is_far_worse(first)) return;
  Trial trial{request, run, secondsOf(run, 1), 1};
  trial.runs =
      static_cast<int>(std::clamp(seconds_of_sample / trial.seconds, 1.0, most_runs_of_sample));
  for (int i = 0; i < samples && since(start) < seconds_each && !is_far_worse(trial.seconds); ++i) {
    trial.seconds = std::min(trial.seconds, secondsOf(run, trial.runs));
  }
  if (!hasWinner()) _first = trial;
  if (!hasWinner() || trial.seconds < _winner.seconds) _winner = trial;
}

void Trials::confirm() {
  const double start = _clock();
  for (int i = 0; i < samples && since(start) < 2 * seconds_each; ++i) {
    for (Trial* const trial : {&_first, &_winner}) {
      const double seconds = secondsOf(trial->run, trial->runs);
      trial->seconds = i == 0 ? seconds : std::min(trial->seconds, seconds);
    }
  }
  if (_winner.seconds > noise * _first.seconds) _winner = _first;
}

bool Trials::isOver() const { return since(_start) > seconds_in_all; }

bool Trials::isHopeless(double expected, double least) {
  constexpr double short_enough_to_try = 1e-2;  // estimates are rough
  return expected > short_enough_to_try && expected > 20 * least;
}

std::vector<int> worthTrying(const Decision& decision) {
  const auto expected = [&](int place) { return estimate(place, decision.work, decision.machine); };
  const int first = decision.choice.algorithm;
  std::vector<int> places;
  for (int i = 0; i < algorithm_count; ++i) {
    const bool is_served = decision.applicable[static_cast<std::size_t>(i)];
    if (is_served && i != first && !Trials::isHopeless(expected(i), expected(first))) {
      places.push_back(i);
    }
  }
  std::stable_sort(places.begin(), places.end(),
                   [&](int a, int b) { return expected(a) < expected(b); });
  places.insert(places.begin(), first);
  return places;
}

}  // namespace Impl
}  // namespace Kontract
