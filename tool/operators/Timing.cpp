// SPDX-License-Identifier: BSD-3-Clause
#include "Timing.hpp"

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <vector>

#include "PeerSpace.hpp"

namespace KontractOperators {
namespace {

constexpr double seconds_of_batch = 4e-3;  // what a fence does not disturb
constexpr int fewest_turns = 5, most_turns = 200;

Timing summary(std::vector<double>& times) {
  std::sort(times.begin(), times.end());
  const auto at = [&](int quarters) { return times[times.size() * quarters / 4]; };
  return {at(2), (at(3) - at(1)) / 2 / at(2)};
}

class Copy : public Contestant {
 public:
  explicit Copy(std::size_t n) : _from("from", n), _to("to", n) {}
  void run() override { Kokkos::deep_copy(Space(), _to, _from); }
  Result result() override { return {}; }

 private:
  using Space = Kokkos::DefaultExecutionSpace;
  Kokkos::View<double*, Space::memory_space> _from, _to;
};

}  // namespace

double secondsOf(Contestant& contestant, int calls) {
  // Peers may have streams of their own: all are fenced.
  Kokkos::fence();
  const Kokkos::Timer timer;
  for (int i = 0; i < calls; ++i) contestant.run();
  Kokkos::fence();
  return timer.seconds() / calls;
}

std::vector<Timing> measure(const std::vector<Contestant*>& contestants, const Patience& patience) {
  std::vector<int> batches;
  for (Contestant* const one : contestants) {
    batches.push_back(int(std::clamp(seconds_of_batch / secondsOf(*one), 1.0, 256.0)));
  }
  std::vector<std::vector<double>> times(contestants.size());
  const Kokkos::Timer total;
  const double seconds = patience.seconds * double(contestants.size());
  for (int turn = 0; turn < fewest_turns || (total.seconds() < seconds && turn < most_turns);
       ++turn) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      times[i].push_back(secondsOf(*contestants[i], batches[i]));
    }
  }
  std::vector<Timing> timings;
  for (std::vector<double>& of : times) timings.push_back(summary(of));
  return timings;
}

double copyRate(const Patience& patience) {
  const std::size_t n = std::size_t(1) << (on_host ? 25 : 28);
  Copy copy(n);
  return 16.0 * double(n) / measure({&copy}, patience)[0].seconds;
}

}  // namespace KontractOperators
