// SPDX-License-Identifier: BSD-3-Clause
//
// Calls that are recorded in a CUDA graph and run again, and what small calls cost either way.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "Constants.hpp"
#include "Stream.hpp"

namespace KontractTest {
namespace {

TEUCHOS_UNIT_TEST(Graphs, recordedCallsRunWithOtherInputs) {
  const Stream stream;
  Tally tally(out);
  const int cases = forEachServed(
      50, stream.space(), [&](const ConstantCall& call, const auto& options, const auto& name) {
        std::string failure;
        try {
          const Graph graph(stream, [&] { call.run(stream.space(), options); });
          for (const double number : {2.0, 3.0}) {
            call.fill(stream.space(), number, 5);
            call.poison(stream.space());
            graph.run();
            stream.space().fence();
            const std::size_t wrong = call.wrongFor(number, 5);
            if (wrong != 0) failure += std::to_string(wrong) + " wrong outputs; ";
          }
        } catch (const std::runtime_error& error) {
          failure = error.what();
        }
        tally.add(name, failure);
      });
  TEST_ASSERT(cases > 40);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

template <class F>
double secondsOf(const DeviceSpace& space, const F& f) {
  std::vector<double> seconds(7);
  for (double& once : seconds) {
    space.fence();
    const auto begin = std::chrono::steady_clock::now();
    f();
    space.fence();
    once = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

/// Few cells cost one launch, and one node of a graph, by the default choice. Prints what a call
/// costs: the host's time for a call alone, and the time from call to call on a stream and in a
/// graph.
template <class Layout>
void runSmall(const char* layout, Tally& tally) {
  using Tools = Kontract::ArrayTools<DeviceSpace>;
  const Stream stream;
  const DeviceSpace& space = stream.space();
  struct Cell {
    int fields, points;
  };
  for (const auto& [fields, points] : {Cell{8, 8}, Cell{27, 64}, Cell{64, 125}}) {
    for (const int cells : {1, 10, 100}) {
      const Kokkos::View<double***, Layout, DeviceSpace> sums("sums", cells, fields, fields),
          left("left", cells, fields, points), right("right", cells, fields, points);
      const auto call = [&] { Tools::contractFieldFieldScalar(space, sums, left, right); };
      constexpr int many = 200;
      const auto calls = [&] {
        for (int i = 0; i < many; ++i) call();
      };
      call();
      const std::size_t nodes = Graph(stream, call).nodes();
      const std::string what = std::string(layout) + ", " + std::to_string(cells) + " cells, " +
                               std::to_string(fields) + " fields";
      tally.add(what, nodes == 1 ? "" : std::to_string(nodes) + " launches");
      double host = 0;
      const double on_stream = secondsOf(space, [&] {
        const auto begin = std::chrono::steady_clock::now();
        calls();
        host = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      });
      const Graph graph(stream, calls);
      tally.add(what, graph.nodes() == many ? "" : "the graph has not one node for each call");
      const double in_graph = secondsOf(space, [&] { graph.run(); });
      std::printf(
          "\n%s: %3d cells, %2d x %2d x %3d, %-18s %6.2f us a call on a stream (host %.2f), "
          "%6.2f us in a graph",
          layout, cells, fields, fields, points, Kontract::explain().algorithm.c_str(),
          1e6 * on_stream / many, 1e6 * host / many, 1e6 * in_graph / many);
      std::fflush(stdout);
    }
  }
}

TEUCHOS_UNIT_TEST(Graphs, fewCellsCostOneLaunch) {
  Tally tally(out);
  runSmall<Kokkos::LayoutLeft>("LayoutLeft ", tally);
  runSmall<Kokkos::LayoutRight>("LayoutRight", tally);
  std::printf("\n");
  TEST_ASSERT(tally.checks() > 30);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

}  // namespace
}  // namespace KontractTest
