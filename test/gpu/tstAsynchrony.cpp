// SPDX-License-Identifier: BSD-3-Clause
//
// A call is asynchronous: it waits for nothing, allocates nothing, and its work is ordered on the
// instance that it was given and on no other.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <chrono>
#include <thread>

#include "Constants.hpp"
#include "Refusal.hpp"
#include "Stream.hpp"
#include "ToolsEvents.hpp"

namespace KontractTest {
namespace {

constexpr int cells = 50, least_cases = 40;

TEUCHOS_UNIT_TEST(Asynchrony, callsNeitherFenceNorAllocateNorCopy) {
  const Stream stream;
  Tally tally(out);
  const int cases = forEachServed(
      cells, stream.space(), [&](const ConstantCall& call, const auto& options, const auto& name) {
        std::string seen;
        {
          const ToolsEvents events;
          call.run(stream.space(), options);
          for (const auto* list : {&events.fences(), &events.allocations(), &events.copies()}) {
            for (const std::string& event : *list) seen += event + "; ";
          }
          if (events.kernels().empty()) seen += "no kernel";
        }
        tally.add(name, seen);
      });
  TEST_ASSERT(cases > least_cases);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// Kokkos tells its tools of most waits, but not of all.
TEUCHOS_UNIT_TEST(Asynchrony, callsReturnBeforeTheirWorkIsDone) {
  Stream stream;
  Tally tally(out);
  forEachServed(cells, stream.space(),
                [&](const ConstantCall& call, const auto& options, const auto& name) {
                  stream.close();
                  call.run(stream.space(), options);
                  call.run(stream.space(), options);
                  const bool is_busy = stream.isBusy();
                  stream.open();
                  stream.space().fence();
                  tally.add(name, is_busy ? "" : "the call waited");
                });
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// What was launched on the instance before is done before.
TEUCHOS_UNIT_TEST(Asynchrony, workFollowsOnTheInstance) {
  Stream stream;
  Tally tally(out);
  forEachServed(cells, stream.space(),
                [&](const ConstantCall& call, const auto& options, const auto& name) {
                  call.fill(stream.space(), 5, 7);
                  call.poison(stream.space());
                  stream.space().fence();
                  stream.close();
                  call.fill(stream.space(), 2, 3);
                  call.run(stream.space(), options);
                  // Time for work on another instance to take the old inputs.
                  std::this_thread::sleep_for(std::chrono::milliseconds(1));
                  stream.open();
                  stream.space().fence();
                  const std::size_t wrong = call.wrongFor(2, 3);
                  tally.add(name, wrong == 0 ? "" : std::to_string(wrong) + " wrong outputs");
                });
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// Another instance that is held up does not hold up a call.
TEUCHOS_UNIT_TEST(Asynchrony, instancesAreIndependent) {
  Stream stream, other;
  Tally tally(out);
  forEachServed(cells, stream.space(),
                [&](const ConstantCall& call, const auto& options, const auto& name) {
                  call.fill(stream.space(), 2, 3);
                  call.poison(stream.space());
                  stream.space().fence();
                  other.close();
                  call.run(stream.space(), options);
                  stream.space().fence();
                  const bool is_busy = other.isBusy();
                  other.open();
                  other.space().fence();
                  std::string failure = is_busy ? "" : "the call waited for another instance; ";
                  const std::size_t wrong = call.wrongFor(2, 3);
                  if (wrong != 0) failure += std::to_string(wrong) + " wrong outputs";
                  tally.add(name, failure);
                });
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// Calls of several host threads, each with an instance of its own, do not disturb each other.
TEUCHOS_UNIT_TEST(Asynchrony, severalHostThreads) {
  constexpr std::size_t count = 4;
  std::vector<std::size_t> wrong(count, 1);
  std::vector<std::string> failures(count);
  const std::vector<NamedOptions> algorithms = allAlgorithms();
  const auto work = [&](std::size_t thread) {
    try {
      const Stream stream;
      std::size_t sum = 0;
      for (const ConstantCall& call : constantCalls(3)) {
        for (const NamedOptions& algorithm : algorithms) {
          const double number = 1.0 + double(thread);
          call.fill(stream.space(), number, 2);
          for (int i = 0; i < 5; ++i) {
            call.poison(stream.space());
            const Refusal refusal = refusalOf([&] { call.run(stream.space(), algorithm.options); });
            if (refusal.happened) break;
            stream.space().fence();
            sum += call.wrongFor(number, 2);
          }
        }
      }
      wrong[thread] = sum;
    } catch (const std::exception& error) {
      failures[thread] = error.what();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  for (const std::size_t number : wrong) TEST_EQUALITY_CONST(number, 0);
  for (const std::string& failure : failures) TEST_EQUALITY_CONST(failure, "");
}

TEUCHOS_UNIT_TEST(Asynchrony, arraysOfTheHostAreRefused) {
  using Tools = Kontract::ArrayTools<DeviceSpace>;
  const Kokkos::View<double*, Kokkos::HostSpace> sums("sums", 3);
  const Kokkos::View<double*, DeviceSpace> device_sums("sums", 3);
  const Kokkos::View<double**, Kokkos::HostSpace> data("data", 3, 4);
  const Kokkos::View<double**, DeviceSpace> device_data("data", 3, 4);
  const auto require = [&](const Refusal& refusal, const char* argument) {
    TEST_ASSERT(refusal.says("Kontract::contractDataDataScalar: "));
    TEST_ASSERT(refusal.says(argument));
    TEST_ASSERT(refusal.says("cannot reach"));
  };
  require(refusalOf([&] { Tools::contractDataDataScalar(sums, device_data, device_data); }),
          "outputData");
  require(refusalOf([&] { Tools::contractDataDataScalar(device_sums, data, device_data); }),
          "inputDataLeft");
  require(refusalOf([&] { Tools::contractDataDataScalar(device_sums, device_data, data); }),
          "inputDataRight");
}

}  // namespace
}  // namespace KontractTest
