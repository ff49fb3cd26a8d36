// SPDX-License-Identifier: BSD-3-Clause
//
// Streaming: limits, memory that is refused, reports, and calls that cannot run.

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <cstring>
#include <new>
#include <sstream>
#include <string>

#include "Kontract.hpp"
#include "Refusal.hpp"

namespace KontractTest {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Device = Space::device_type;
using Host = Kokkos::HostSpace;
using Streaming = Kontract::StreamingArrayTools<Device>;
using Kontract::StreamReport;
using Kontract::StreamSettings;
using View = Kokkos::View<double***, Kokkos::LayoutRight, Host>;

StreamSettings copying(std::int64_t cells_per_chunk) {
  StreamSettings settings;
  settings.cells_per_chunk = cells_per_chunk;
  settings.always_copies = true;
  settings.warnings = nullptr;
  return settings;
}

/// Cells of 4 x 5 fields and 6 points of ones.
struct Ones {
  static constexpr std::int64_t in_bytes = 8 * 9 * 6, out_bytes = 8 * 4 * 5;
  View out, left, right;
  explicit Ones(int cells)
      : out("out", cells, 4, 5), left("left", cells, 4, 6), right("right", cells, 5, 6) {
    Kokkos::deep_copy(out, 100.0);
    Kokkos::deep_copy(left, 1.0);
    Kokkos::deep_copy(right, 1.0);
  }
  /// Whether all of the output is this.
  bool is(double value) const {
    bool all = true;
    for (std::size_t i = 0; i < out.size(); ++i) all = all && out.data()[i] == value;
    return all;
  }
};

/// Refuses memory for streams above some bytes, through Kokkos' own report of allocations, and
/// remembers what was granted.
class Stingy {
 public:
  explicit Stingy(std::uint64_t most) {
    limit() = most;
    granted() = 0;
    Kokkos::Tools::Experimental::set_allocate_data_callback(
        [](const Kokkos::Tools::SpaceHandle, const char* name, const void*, std::uint64_t bytes) {
          if (std::strcmp(name, "Kontract::stream") != 0) return;
          if (granted() + bytes > limit()) throw std::bad_alloc();
          granted() += bytes;
        });
    Kokkos::Tools::Experimental::set_deallocate_data_callback(
        [](const Kokkos::Tools::SpaceHandle, const char* name, const void*, std::uint64_t bytes) {
          if (std::strcmp(name, "Kontract::stream") == 0) granted() -= bytes;
        });
  }
  ~Stingy() {
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(nullptr);
  }
  Stingy(const Stingy&) = delete;
  Stingy& operator=(const Stingy&) = delete;

  static std::uint64_t& granted() {
    static std::uint64_t bytes = 0;
    return bytes;
  }

 private:
  static std::uint64_t& limit() {
    static std::uint64_t bytes = 0;
    return bytes;
  }
};

TEUCHOS_UNIT_TEST(StreamingErrors, reportTellsWhatWasDone) {
  const Ones ones(23);
  Streaming tools(copying(5));
  const StreamReport report = tools.contractFieldFieldScalar(ones.out, ones.left, ones.right);
  TEST_ASSERT(ones.is(6));
  TEST_EQUALITY_CONST(report.function, "contractFieldFieldScalar");
  TEST_EQUALITY_CONST(report.cells, 23);
  TEST_EQUALITY_CONST(report.cells_per_chunk, 5);
  TEST_EQUALITY_CONST(report.chunks, 5);
  TEST_EQUALITY_CONST(report.instances, 3);
  TEST_EQUALITY_CONST(report.bytes_in, 23 * Ones::in_bytes);
  TEST_EQUALITY_CONST(report.bytes_out, 23 * Ones::out_bytes);
  TEST_EQUALITY_CONST(report.bytes_touched, report.bytes_in + report.bytes_out);
  TEST_EQUALITY_CONST(report.times_shrunk, 0);
  std::ostringstream text;
  text << report;
  TEST_ASSERT(
      text.str().find("contractFieldFieldScalar: 23 cells in 5 chunks of 5 on 3 instances") == 0);
}

TEUCHOS_UNIT_TEST(StreamingErrors, sumIntoCopiesTheOutputIn) {
  const Ones ones(7);
  Streaming tools(copying(2));
  const StreamReport report =
      tools.contractFieldFieldScalar(Space(), ones.out, ones.left, ones.right, true);
  TEST_ASSERT(ones.is(106));
  TEST_EQUALITY_CONST(report.bytes_in, 7 * (Ones::in_bytes + Ones::out_bytes));
}

TEUCHOS_UNIT_TEST(StreamingErrors, theLastCallIsExplainedAsAWhole) {
  const Ones ones(40);
  Streaming tools(copying(3));
  tools.contractFieldFieldScalar(ones.out, ones.left, ones.right);
  TEST_EQUALITY_CONST(Kontract::explain().flops, 2.0 * 40 * 4 * 5 * 6);
}

TEUCHOS_UNIT_TEST(StreamingErrors, memoryLimitHolds) {
  const Ones ones(100);
  for (const std::int64_t limit : {4 * 1024, 10 * 1024, 30 * 1024}) {
    const Stingy stingy(limit + 4 * 256);  // Kokkos adds headers
    StreamSettings settings = copying(0);
    settings.memory_limit = limit;
    Streaming tools(settings);
    const StreamReport report = tools.contractFieldFieldScalar(ones.out, ones.left, ones.right);
    TEST_ASSERT(ones.is(6));
    TEST_EQUALITY_CONST(report.times_shrunk, 0);
    TEST_ASSERT(report.buffer_bytes <= limit);
    TEST_ASSERT(report.buffer_bytes > limit / 3);
    TEST_ASSERT(report.chunks > 1);
    Kokkos::deep_copy(ones.out, 100.0);
  }
}

TEUCHOS_UNIT_TEST(StreamingErrors, aSmallLimitCostsInstancesBeforeItIsAnError) {
  const Ones ones(10);
  StreamSettings settings = copying(0);
  settings.memory_limit = 1024;  // one instance with one cell: 256 + 256 + 256 bytes
  Streaming tools(settings);
  const StreamReport report = tools.contractFieldFieldScalar(ones.out, ones.left, ones.right);
  TEST_ASSERT(ones.is(6));
  TEST_EQUALITY_CONST(report.instances, 1);
  TEST_EQUALITY_CONST(report.cells_per_chunk, 1);

  settings.memory_limit = 700;
  Streaming too_small(settings);
  Kokkos::deep_copy(ones.out, 100.0);
  const Refusal refusal =
      refusalOf([&] { too_small.contractFieldFieldScalar(ones.out, ones.left, ones.right); });
  TEST_ASSERT(refusal.says("contractFieldFieldScalar"));
  TEST_ASSERT(refusal.says("memory_limit is 700 bytes but one cell at a time needs 768"));
  TEST_ASSERT(ones.is(100));
}

TEUCHOS_UNIT_TEST(StreamingErrors, aLimitWithoutCopiesIsOfTheArrays) {
  if (!Kontract::Impl::is_host_space<Space>) return;
  const Ones ones(100);
  StreamSettings settings;
  settings.memory_limit = 10 * (Ones::in_bytes + Ones::out_bytes);
  Streaming tools(settings);
  const StreamReport report = tools.contractFieldFieldScalar(ones.out, ones.left, ones.right);
  TEST_ASSERT(ones.is(6));
  TEST_EQUALITY_CONST(report.cells_per_chunk, 10);
  TEST_EQUALITY_CONST(report.bytes_in + report.bytes_out + report.buffer_bytes, 0);
  settings.memory_limit = 100;
  Streaming too_small(settings);
  TEST_ASSERT(refusalOf([&] {
                too_small.contractFieldFieldScalar(ones.out, ones.left, ones.right);
              }).says("one cell at a time needs 592"));
}

TEUCHOS_UNIT_TEST(StreamingErrors, refusedMemoryShrinksTheChunk) {
  const Ones ones(64);
  const Stingy stingy(3 * 8 * (Ones::in_bytes + Ones::out_bytes) + 5000);
  StreamSettings settings = copying(64);
  std::ostringstream warnings;
  settings.warnings = &warnings;
  Streaming tools(settings);
  const StreamReport report = tools.contractFieldFieldScalar(ones.out, ones.left, ones.right);
  TEST_ASSERT(ones.is(6));
  TEST_EQUALITY_CONST(report.cells_per_chunk, 8);
  TEST_EQUALITY_CONST(report.times_shrunk, 3);
  TEST_ASSERT(!report.why_shrunk.empty());
  TEST_ASSERT(report.text().find("the chunk was halved 3 times because memory was refused") !=
              std::string::npos);
  TEST_ASSERT(warnings.str().find("Kontract::contractFieldFieldScalar: chunks of 8 cells") == 0);
}

TEUCHOS_UNIT_TEST(StreamingErrors, noMemoryForOneCellIsAnError) {
  const Ones ones(64);
  const Stingy stingy(100);
  Streaming tools(copying(64));
  std::string text;
  try {
    tools.contractFieldFieldScalar(ones.out, ones.left, ones.right);
  } catch (const std::runtime_error& error) {
    text = error.what();
  }
  TEST_ASSERT(text.find("Kontract::contractFieldFieldScalar: there is no memory for 2304 bytes of "
                        "buffers, which chunks of 1 cell on 3 instances need") == 0);
  TEST_ASSERT(ones.is(100));
  TEST_EQUALITY_CONST(Stingy::granted(), 0);
}

TEUCHOS_UNIT_TEST(StreamingErrors, buffersAreKeptAndGivenBack) {
  const Ones ones(64);
  const Stingy stingy(1 << 20);
  Streaming tools(copying(8));
  tools.contractFieldFieldScalar(ones.out, ones.left, ones.right);
  const std::uint64_t taken = Stingy::granted();
  TEST_ASSERT(taken > 0);
  tools.contractFieldFieldScalar(ones.out, ones.left, ones.right);
  TEST_EQUALITY(Stingy::granted(), taken);
  tools.release();
  TEST_EQUALITY_CONST(Stingy::granted(), 0);
  tools.contractFieldFieldScalar(ones.out, ones.left, ones.right);
  TEST_EQUALITY(Stingy::granted(), taken);
}

TEUCHOS_UNIT_TEST(StreamingErrors, instancesWithoutAChunkHaveNoBuffers) {
  const Ones ones(64);
  constexpr std::int64_t bytes = 64 * (Ones::in_bytes + Ones::out_bytes);
  const Stingy stingy(1 << 20);
  for (const std::int64_t limit : {std::int64_t(0), bytes}) {
    StreamSettings settings = copying(64);
    settings.memory_limit = limit;
    Streaming tools(settings);
    const StreamReport report = tools.contractFieldFieldScalar(ones.out, ones.left, ones.right);
    TEST_ASSERT(ones.is(6));
    TEST_EQUALITY_CONST(report.chunks, 1);
    TEST_EQUALITY_CONST(report.instances, 1);
    TEST_EQUALITY_CONST(report.buffer_bytes, bytes);
    TEST_ASSERT(Stingy::granted() < 1.1 * bytes);
    Kokkos::deep_copy(ones.out, 100.0);
  }
  Streaming in_two(copying(32));
  TEST_EQUALITY_CONST(in_two.contractFieldFieldScalar(ones.out, ones.left, ones.right).buffer_bytes,
                      bytes);
}

TEUCHOS_UNIT_TEST(StreamingErrors, memoryLimitHoldsFromCallToCall) {
  const Ones ones(200);
  const Kokkos::View<double**, Kokkos::LayoutRight, Host> field("field", 10, 200),
      data("data", 20, 200);
  const Kokkos::View<double***, Kokkos::LayoutRight, Host> product("product", 20, 10, 200);
  Kokkos::deep_copy(data, 3.0);
  Kokkos::deep_copy(field, 5.0);
  constexpr std::int64_t limit = 80 * 1024;
  const Stingy stingy(limit + 4 * 256);
  StreamSettings settings = copying(0);
  settings.memory_limit = limit;
  Streaming tools(settings);
  for (int i = 0; i < 2; ++i) {
    // Buffers for chunks alone, and half of the limit for an input without cells.
    TEST_EQUALITY_CONST(
        tools.contractFieldFieldScalar(ones.out, ones.left, ones.right).times_shrunk, 0);
    TEST_EQUALITY_CONST(tools.scalarMultiplyDataField(product, data, field).times_shrunk, 0);
  }
  TEST_ASSERT(ones.is(6));
}

TEUCHOS_UNIT_TEST(StreamingErrors, moreInstancesThanCellsAreNoError) {
  const Ones ones(5);
  for (const std::int64_t limit : {0, 1000}) {
    StreamSettings settings = copying(1);
    settings.instances = 2000000000;
    settings.memory_limit = limit;
    Streaming tools(settings);
    const StreamReport report = tools.contractFieldFieldScalar(ones.out, ones.left, ones.right);
    TEST_ASSERT(ones.is(6));
    TEST_EQUALITY(report.instances, limit == 0 ? 5 : 1);
    Kokkos::deep_copy(ones.out, 100.0);
  }
}

TEUCHOS_UNIT_TEST(StreamingErrors, emptyExtentsAreNoError) {
  const Ones none(0);
  Streaming tools(copying(4));
  const StreamReport report = tools.contractFieldFieldScalar(none.out, none.left, none.right);
  TEST_EQUALITY_CONST(report.chunks, 0);
  const Kokkos::View<double**, Kokkos::LayoutRight, Host> no_points("no points", 5, 0);
  const Kokkos::View<double*, Host> sums("sums", 5);
  Kokkos::deep_copy(sums, 100.0);
  tools.contractDataDataScalar(sums, no_points, no_points);
  for (int c = 0; c < 5; ++c) TEST_EQUALITY_CONST(sums(c), 0.0);
}

TEUCHOS_UNIT_TEST(StreamingErrors, wrongCallsAreRefusedAndLeaveTheOutput) {
  const Ones ones(6);
  const View wrong("wrong", 6, 5, 7);
  Streaming tools(copying(4));
  TEST_ASSERT(refusalOf([&] {
                tools.contractFieldFieldScalar(ones.out, ones.left, wrong);
              }).says("contractFieldFieldScalar"));
  Teuchos::ParameterList list;
  list.set("Algorithm", "Flat").sublist("Launch").set("Team Size", 7);
  TEST_ASSERT(refusalOf([&] {
                tools.contractFieldFieldScalar(ones.out, ones.left, ones.right, list);
              }).says("has no launch setting 'Team Size'"));
  const auto with = [&](std::int64_t limit, std::int64_t cells, int instances) {
    StreamSettings settings = copying(cells);
    settings.memory_limit = limit;
    settings.instances = instances;
    Streaming bad(settings);
    return refusalOf([&] { bad.contractFieldFieldScalar(ones.out, ones.left, ones.right); });
  };
  TEST_ASSERT(with(-1, 0, 3).says("memory_limit is -1"));
  TEST_ASSERT(with(0, -2, 3).says("cells_per_chunk is -2"));
  TEST_ASSERT(with(0, 0, 0).says("instances is 0"));
  TEST_ASSERT(ones.is(100));
}

TEUCHOS_UNIT_TEST(StreamingErrors, arraysOfTheSpaceAreUsedWhereTheyAre) {
  using Own = Kokkos::View<double***, Kokkos::LayoutRight, Device>;
  const Ones ones(11);
  const Own left("left", 11, 4, 6), sums("sums", 11, 4, 5);
  Kokkos::deep_copy(left, 2.0);
  StreamSettings settings;
  settings.cells_per_chunk = 4;
  Streaming tools(settings);
  const StreamReport report = tools.contractFieldFieldScalar(sums, left, ones.right);
  const std::int64_t moved = Kontract::Impl::is_host_space<Space> ? 0 : 11 * 8 * 5 * 6;
  TEST_EQUALITY(report.bytes_in, moved);
  TEST_EQUALITY_CONST(report.bytes_out, 0);
  Kokkos::deep_copy(ones.out, sums);
  TEST_ASSERT(ones.is(12));
}

TEUCHOS_UNIT_TEST(StreamingErrors, anOutputMayBeItsInput) {
  const Ones ones(9);
  const Kokkos::View<double**, Kokkos::LayoutRight, Host> data("data", 9, 6);
  Kokkos::deep_copy(data, 3.0);
  Streaming tools(copying(2));
  tools.scalarMultiplyDataField(ones.left, data, ones.left);
  for (std::size_t i = 0; i < ones.left.size(); ++i) TEST_EQUALITY_CONST(ones.left.data()[i], 3.0);
}

TEUCHOS_UNIT_TEST(StreamingErrors, inputsWithoutCellsAreCopiedOnce) {
  const int cells = 10, fields = 4, points = 6;
  const Kokkos::View<double***, Kokkos::LayoutRight, Host> product("product", cells, fields,
                                                                   points);
  const Kokkos::View<double**, Kokkos::LayoutRight, Host> data("data", cells, points),
      field("field", fields, points);
  Kokkos::deep_copy(data, 3.0);
  Kokkos::deep_copy(field, 5.0);
  Streaming tools(copying(3));
  const StreamReport report = tools.scalarMultiplyDataField(product, data, field);
  TEST_EQUALITY_CONST(report.bytes_in, 8 * (cells * points + fields * points));
  for (std::size_t i = 0; i < product.size(); ++i) TEST_EQUALITY_CONST(product.data()[i], 15.0);
}

}  // namespace
}  // namespace KontractTest
