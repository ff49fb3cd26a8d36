// SPDX-License-Identifier: BSD-3-Clause
#include "Replay.hpp"

#include <detail/support/Kontract_DeviceApi.hpp>

#include <algorithm>
#include <exception>
#include <vector>

#include "Measure.hpp"
#include "Types.hpp"

namespace KontractBench {
#ifdef KONTRACT_DEVICE_API

bool canReplay() { return true; }

double replayOf(const Runner& runner, int copies) {
  constexpr int calls = 100, samples = 11;
  const auto stream = Kontract::Impl::streamOf(Space());
  Space().fence();
  if (KONTRACT_DEVICE_API(StreamBeginCapture)(stream,
                                              KONTRACT_DEVICE_API(StreamCaptureModeThreadLocal)) !=
      KONTRACT_DEVICE_API(Success))
    return 0;
  bool is_recorded = true;
  try {
    for (int i = 0; i < calls; ++i) runner(i % copies);
  } catch (const std::exception&) {
    is_recorded = false;
  }
  KONTRACT_DEVICE_API(Graph_t) graph = nullptr;
  is_recorded =
      KONTRACT_DEVICE_API(StreamEndCapture)(stream, &graph) == KONTRACT_DEVICE_API(Success) &&
      is_recorded;
  KONTRACT_DEVICE_API(GraphExec_t) replay = nullptr;
  is_recorded = is_recorded && KONTRACT_DEVICE_API(GraphInstantiateWithFlags)(&replay, graph, 0) ==
                                   KONTRACT_DEVICE_API(Success);
  double seconds = 0;
  if (is_recorded) {
    const Runner run = [&](int) {
      static_cast<void>(KONTRACT_DEVICE_API(GraphLaunch)(replay, stream));
    };
    std::vector<double> times;
    for (int i = 0; i < samples; ++i) times.push_back(secondsOf(run, 0));
    std::sort(times.begin(), times.end());
    seconds = times[samples / 2] / calls;
    static_cast<void>(KONTRACT_DEVICE_API(GraphExecDestroy)(replay));
  }
  if (graph != nullptr) static_cast<void>(KONTRACT_DEVICE_API(GraphDestroy)(graph));
  static_cast<void>(
      KONTRACT_DEVICE_API(GetLastError)());  // a record that failed is no error of what follows
  return seconds;
}

#else

bool canReplay() { return false; }
double replayOf(const Runner&, int) { return 0; }

#endif
}  // namespace KontractBench
