// SPDX-License-Identifier: BSD-3-Clause
#include "Measure.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "Replay.hpp"
#include "Types.hpp"

namespace KontractBench {
namespace {

constexpr double seconds_of_batch = 4e-3;  // what a fence does not disturb

/// Median and spread of the times of repetitions.
void summarize(std::vector<double> times, Timing& timing) {
  if (times.empty()) return;
  std::sort(times.begin(), times.end());
  const std::size_t count = times.size(), half = count / 2, skipped = count > 4 ? 1 : 0;
  timing.seconds = count % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
  timing.spread = (times[count - 1 - skipped] - times[skipped]) / 2 / timing.seconds;
}

/// Takes what Google Benchmark found instead of printing it; calls are named by their place.
class Collector : public benchmark::BenchmarkReporter {
 public:
  explicit Collector(std::size_t count) : _times(count), _timings(count) {}

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Aggregate || run.iterations == 0) continue;
      const std::size_t place = std::stoul(run.run_name.function_name);
      _times[place].push_back(run.real_accumulated_time / double(run.iterations));
      _timings[place].calls += run.iterations;
    }
  }
  std::vector<Timing> timings() {
    for (std::size_t i = 0; i < _times.size(); ++i) summarize(_times[i], _timings[i]);
    return _timings;
  }

 private:
  std::vector<std::vector<double>> _times;
  std::vector<Timing> _timings;
};

/// The median of a few times of single calls, in not much more than the time of a batch.
double latencyOf(const Runner& runner, int copies) {
  constexpr int most = 11;
  std::vector<double> times;
  double total = 0;
  for (int i = 0; i < most && total < seconds_of_batch; ++i) {
    times.push_back(secondsOf(runner, i % copies));
    total += times.back();
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int batchOf(double latency) {
  constexpr double most = 256;
  return int(std::clamp(seconds_of_batch / latency, 1.0, most));
}

void mixRepetitions() {
  static bool is_done = false;
  if (is_done) return;
  char name[] = "kontract_bench", flag[] = "--benchmark_enable_random_interleaving=true";
  char* arguments[] = {name, flag, nullptr};
  int count = 2;
  benchmark::Initialize(&count, arguments);
  is_done = true;
}

}  // namespace

double secondsOf(const Runner& runner, int copy) {
  Space().fence();
  const Kokkos::Timer timer;
  runner(copy);
  Space().fence();
  return timer.seconds();
}

std::vector<Timing> measure(const std::vector<Runner>& runners, int copies,
                            const Patience& patience) {
  mixRepetitions();
  std::vector<double> latencies;
  int copy = 0;
  for (std::size_t i = 0; i < runners.size(); ++i) {
    const Runner& runner = runners[i];
    if (!on_host) latencies.push_back(latencyOf(runner, copies));
    const int batch = on_host ? 1 : batchOf(latencies.back());
    const auto repeat = [=, &copy, &runner](benchmark::State& state) {
      while (state.KeepRunningBatch(batch)) {
        for (int n = 0; n < batch; ++n) {
          runner(copy);
          if (++copy == copies) copy = 0;
        }
        Space().fence();
      }
    };
    benchmark::RegisterBenchmark(std::to_string(i).c_str(), repeat)
        ->UseRealTime()
        ->MinTime(patience.seconds)
        ->Repetitions(patience.repetitions);
  }
  Collector collector(runners.size());
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();
  std::vector<Timing> timings = collector.timings();
  for (std::size_t i = 0; i < timings.size(); ++i) {
    timings[i].latency = on_host ? timings[i].seconds : latencies[i];
    if (patience.replays) timings[i].replay = replayOf(runners[i], copies);
  }
  return timings;
}

}  // namespace KontractBench
