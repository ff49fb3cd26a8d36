// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TRIALS_HPP
#define KONTRACT_TRIALS_HPP

#include <functional>
#include <vector>

#include "detail/dispatch/Kontract_Decision.hpp"

namespace Kontract {
namespace Impl {

/// Times plans one after the other and keeps the fastest.
class Trials {
 public:
  /// Runs a plan that many times and waits for the end.
  using Run = std::function<void(int)>;
  /// Seconds since some moment.
  using Clock = std::function<double()>;

  Trials();
  /// \param clock  that tests may set
  explicit Trials(const Clock& clock) : _clock(clock), _start(clock()) {}

  /// Times a plan; the first one is the choice without a table.
  /// \param run  is kept until the end
  void time(const Request& request, const Run& run);

  /// Lets the fastest plan show once more, in turns with the first one, that it is faster: one
  /// lucky sample among many plans must not decide.
  void confirm();

  /// Whether time is up: plans that were not tried by now are not tried any more.
  bool isOver() const;

  /// Whether a plan is so unlikely to win that it is not worth a run, which cannot be stopped.
  /// \param expected  seconds by its estimate
  /// \param least     seconds by the estimate of the first plan
  static bool isHopeless(double expected, double least);

  bool hasWinner() const { return _winner.seconds > 0; }
  const Request& winner() const { return _winner.request; }
  double seconds() const { return _winner.seconds; }

 private:
  double since(double start) const { return _clock() - start; }
  double secondsOf(const Run& run, int runs) const;

  struct Trial {
    Request request;
    Run run;
    double seconds = 0;
    int runs = 1;  ///< of a sample
  };

  Clock _clock;
  double _start;
  Trial _first, _winner;
};

/// The algorithms that may turn out to be the fastest, by place in the list: the choice without a
/// table, then the others from the least expected time on.
std::vector<int> worthTrying(const Decision& decision);

}  // namespace Impl
}  // namespace Kontract

#endif
