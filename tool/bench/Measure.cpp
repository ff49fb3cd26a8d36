// SPDX-License-Identifier: BSD-3-Clause
#include "Measure.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "Types.hpp"

namespace KontractBench {
namespace {

/// Median and spread of the times of repetitions.
void summarize(std::vector<double> times, Timing& timing) {
  if (times.empty()) return;
  std::sort(times.begin(), times.end());
  const std::size_t count = times.size(), half = count / 2, skipped = count > 4 ? 1 : 0;
  timing.seconds = count % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
  timing.spread = (times[count - 1 - skipped] - times[skipped]) / 2 / timing.seconds;
}

/// Takes what Google Benchmark found instead of printing it.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Aggregate || run.iterations == 0) continue;
      _times.push_back(run.real_accumulated_time / double(run.iterations));
      _timing.calls += run.iterations;
    }
  }
  Timing timing() {
    summarize(_times, _timing);
    return _timing;
  }

 private:
  std::vector<double> _times;
  Timing _timing;
};

}  // namespace

Timing measure(const Runner& runner, int copies, const Patience& patience) {
  // A fence after each call costs a device its pipeline; a host waits anyway.
  const int batch = on_host ? 1 : std::max(copies, 8);
  int copy = 0;
  benchmark::RegisterBenchmark("call",
                               [&](benchmark::State& state) {
                                 while (state.KeepRunningBatch(batch)) {
                                   for (int i = 0; i < batch; ++i) {
                                     runner(copy);
                                     if (++copy == copies) copy = 0;
                                   }
                                   Space().fence();
                                 }
                               })
      ->UseRealTime()
      ->MinTime(patience.seconds)
      ->Repetitions(patience.repetitions);
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();
  return collector.timing();
}

}  // namespace KontractBench
