// SPDX-License-Identifier: BSD-3-Clause
//
// Tables of measured choices: lists, files, merging, several writers at once.

#include <sys/wait.h>
#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <limits>
#include <thread>

#include "Refusal.hpp"
#include "Tuning.hpp"

namespace KontractTest {
namespace {

using Kontract::TuningTable;
using Teuchos::ParameterList;

std::string algorithmOf(const TuningTable& table, const std::string& key) {
  const TuningTable::Entry* const entry = table.find(key);
  return entry == nullptr ? "" : entry->options->get<std::string>("Algorithm");
}

TEUCHOS_UNIT_TEST(TuningTable, listsRoundTrip) {
  ParameterList list = tableOf("first", "MDRange", 2e-6);
  list.sublist("first").sublist("MDRange").set("Tile C", 4);
  list.sublist("second").set("Algorithm", "Serial").set("Seconds", 3e-7);
  const TuningTable table(list);
  TEST_EQUALITY_CONST(table.size(), 2);
  TEST_EQUALITY_CONST(table.find("first")->seconds, 2e-6);
  TEST_ASSERT(table.find("first")->request != nullptr);
  TEST_ASSERT(table.find("third") == nullptr);
  ParameterList once, twice;
  table.parameters(once);
  TuningTable(once).parameters(twice);
  TEST_ASSERT(Teuchos::haveSameValues(once, twice, true));
  TEST_EQUALITY_CONST(once.sublist("first").sublist("MDRange").get<int>("Tile C"), 4);
  TEST_EQUALITY_CONST(once.sublist("second").get<double>("Seconds"), 3e-7);
}

TEUCHOS_UNIT_TEST(TuningTable, requestsRoundTrip) {
  ParameterList options;
  options.set("Algorithm", "MDRange");
  options.sublist("MDRange").set("Tile C", 3).set("Tile R", 7);
  TuningTable table;
  table.add("key", Kontract::Impl::requestOf(options), 1e-3);
  TEST_ASSERT(Teuchos::haveSameValues(*table.find("key")->options, options, true));
}

/// Whatever an algorithm proposes can be written into a file and read again.
TEUCHOS_UNIT_TEST(TuningTable, everyCandidateRoundTrips) {
  using namespace Kontract::Impl;
  Work work;
  work.box = {{1000, 27, 27}};
  work.terms = 64;
  work.is_contraction = true;
  work.unit_left = work.unit_right = true;
  work.flops = 1e8;
  work.bytes = 1e7;
  for (int& bytes : work.scalar_bytes) bytes = 8;
  const Machine machine = machineOf(Kokkos::DefaultExecutionSpace());
  int candidates = 0;
  forEachAlgorithm([&](auto algorithm, auto index) {
    for (const auto& plan : algorithm.candidates(work, machine)) {
      Request request;
      request.algorithm = index;
      std::get<decltype(index)::value>(request.settings) = plan.settings;
      request.launch = plan.launch;
      ParameterList once, twice;
      writeRequest(request, once);
      writeRequest(requestOf(once), twice);
      TEST_EQUALITY(once.get<std::string>("Algorithm"), std::string(algorithm.name));
      TEST_ASSERT(Teuchos::haveSameValues(once, twice, true));
      ++candidates;
    }
  });
  TEST_ASSERT(candidates >= algorithm_count);
}

TEUCHOS_UNIT_TEST(TuningTable, mergingKeepsTheFasterEntry) {
  TuningTable table(tableOf("key", "Flat", 2e-6));
  table.merge(TuningTable(tableOf("key", "Serial", 3e-6)));
  TEST_EQUALITY_CONST(algorithmOf(table, "key"), "Flat");
  table.merge(TuningTable(tableOf("key", "Serial", 1e-6)));
  TEST_EQUALITY_CONST(algorithmOf(table, "key"), "Serial");
  table.merge(TuningTable(tableOf("other", "Flat", 1)));
  TEST_EQUALITY_CONST(table.size(), 2);
  // What this build can run beats what it cannot, however fast that was elsewhere.
  table.merge(TuningTable(tableOf("key", "Of Another Build", 1e-9)));
  TEST_EQUALITY_CONST(algorithmOf(table, "key"), "Serial");
  TuningTable foreign(tableOf("key", "Of Another Build", 1e-9));
  foreign.merge(table);
  TEST_EQUALITY_CONST(algorithmOf(foreign, "key"), "Serial");
}

TEUCHOS_UNIT_TEST(TuningTable, entriesThatMakeNoSenseAreIgnored) {
  const auto ignored = [&](const char* what, const auto& spoil, bool is_kept) {
    ParameterList list = tableOf("bad", "MDRange", 1e-6);
    list.sublist("good").set("Algorithm", "Flat").set("Seconds", 1e-6);
    spoil(list);
    std::vector<std::string> reasons;
    const TuningTable table(list, &reasons);
    const auto* const bad = table.find("bad");
    out << what << ": " << (reasons.empty() ? "" : reasons[0]) << "\n";
    return reasons.size() == 1 && reasons[0].find("bad") != std::string::npos &&
           table.find("good")->request != nullptr && (bad != nullptr) == is_kept &&
           (bad == nullptr || bad->request == nullptr);
  };
  const auto entry = [](ParameterList& list) -> ParameterList& { return list.sublist("bad"); };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double seconds : {0.0, -1.0, nan, infinity}) {
    TEST_ASSERT(ignored(
        "seconds", [&](auto& l) { entry(l).set("Seconds", seconds); }, false));
  }
  TEST_ASSERT(ignored(
      "no seconds", [&](auto& l) { entry(l).remove("Seconds"); }, false));
  TEST_ASSERT(ignored(
      "text", [&](auto& l) { entry(l).set("Seconds", "fast"); }, false));
  TEST_ASSERT(ignored(
      "no entry",
      [&](auto& l) {
        l.remove("bad");
        l.set("bad", 1);
      },
      false));
  // These may make sense in another build: they are not used, but not lost either.
  TEST_ASSERT(ignored(
      "algorithm", [&](auto& l) { entry(l).set("Algorithm", "Magic"); }, true));
  TEST_ASSERT(ignored(
      "auto", [&](auto& l) { entry(l).set("Algorithm", "Auto"); }, true));
  TEST_ASSERT(ignored(
      "type", [&](auto& l) { entry(l).set("Algorithm", 3); }, true));
  TEST_ASSERT(ignored(
      "no algorithm", [&](auto& l) { entry(l).remove("Algorithm"); }, true));
  TEST_ASSERT(ignored(
      "range", [&](auto& l) { entry(l).sublist("MDRange").set("Tile C", -1); }, true));
  TEST_ASSERT(ignored(
      "setting", [&](auto& l) { entry(l).sublist("MDRange").set("Tile Q", 1); }, true));
  TEST_ASSERT(ignored(
      "tuning", [&](auto& l) { entry(l).sublist("Tuning").set("Mode", "Read"); }, true));
}

TEUCHOS_UNIT_TEST(TuningTable, otherListsAreRefused) {
  TEST_ASSERT(refusalOf([] { TuningTable{ParameterList()}; }).says("no tuning table"));
  ParameterList other_version = tableOf("key", "Flat", 1);
  other_version.set("Kontract Tuning Format", 7);
  TEST_ASSERT(refusalOf([&] { TuningTable{other_version}; }).says("format 7"));
}

TEUCHOS_UNIT_TEST(TuningTable, filesRoundTripAndMerge) {
  const TuningFile file("tstTuningTableFile");
  TEST_EQUALITY_CONST(TuningTable::fromFile(file.name()).size(), 0);
  TuningTable(tableOf("key", "Flat", 1.25e-7)).mergeIntoFile(file.name());
  TuningTable(tableOf("other", "Serial", 2e-6)).mergeIntoFile(file.name());
  TuningTable(tableOf("key", "Serial", 3e-6)).mergeIntoFile(file.name());
  const TuningTable table = TuningTable::fromFile(file.name());
  TEST_EQUALITY_CONST(table.size(), 2);
  TEST_EQUALITY_CONST(algorithmOf(table, "key"), "Flat");
  TEST_EQUALITY_CONST(table.find("key")->seconds, 1.25e-7);
}

TEUCHOS_UNIT_TEST(TuningTable, entriesOfOtherBuildsStayInTheFile) {
  const TuningFile file("tstTuningTableBuilds");
  TuningTable(tableOf("theirs", "Of Another Build", 1e-6)).mergeIntoFile(file.name());
  TuningTable(tableOf("ours", "Flat", 1e-6)).mergeIntoFile(file.name());
  TEST_EQUALITY_CONST(algorithmOf(TuningTable::fromFile(file.name()), "theirs"),
                      "Of Another Build");
}

TEUCHOS_UNIT_TEST(TuningTable, filesThatAreNoTableAreRefusedAndLeftAlone) {
  const TuningTable table(tableOf("key", "Flat", 1e-6));
  for (const char* text :
       {"<ParameterList name=\"Kontract Tuning\"><Parameter", "no XML at all",
        "<ParameterList name=\"Mesh\"><Parameter name=\"File\" type=\"string\" value=\"a\"/>"
        "</ParameterList>",
        "<ParameterList name=\"Kontract Tuning\"><Parameter name=\"Kontract Tuning Format\" "
        "type=\"int\" value=\"2\"/></ParameterList>"}) {
    const TuningFile file("tstTuningTableForeign", text);
    const Refusal reading = refusalOf([&] { TuningTable::fromFile(file.name()); });
    out << reading.text << "\n";
    TEST_ASSERT(reading.says(file.name()));
    TEST_ASSERT(refusalOf([&] { table.mergeIntoFile(file.name()); }).says(file.name()));
    TEST_EQUALITY(file.text(), text);
  }
  TEST_ASSERT(refusalOf([] { TuningTable::fromFile("."); }).says("cannot read"));
  const TuningFile empty("tstTuningTableEmpty", "");
  TEST_NOTHROW(table.mergeIntoFile(empty.name()));
  TEST_EQUALITY_CONST(empty.entries(), 1);
}

TEUCHOS_UNIT_TEST(TuningTable, placesThatCannotBeWrittenAreNamed) {
  const TuningTable table(tableOf("key", "Flat", 1e-6));
  std::string text;
  try {
    table.mergeIntoFile("no/such/folder/table.xml");
  } catch (const std::runtime_error& error) {
    text = error.what();
  }
  TEST_ASSERT(text.find("no/such/folder/table.xml") != std::string::npos);
}

constexpr int writers = 4, entries_each = 8;

void writeEntries(const std::string& file, int writer) {
  for (int i = 0; i < entries_each; ++i) {
    const std::string key = std::to_string(writer) + "," + std::to_string(i);
    TuningTable(tableOf(key, "Flat", 1e-6)).mergeIntoFile(file);
    TuningTable(tableOf("everybody's", "Flat", 1.0 / (1 + writer * entries_each + i)))
        .mergeIntoFile(file);
  }
}

void checkEntries(const std::string& file, Teuchos::FancyOStream& out, bool& success) {
  const TuningTable table = TuningTable::fromFile(file);
  TEST_EQUALITY(int(table.size()), writers * entries_each + 1);
  TEST_FLOATING_EQUALITY(table.find("everybody's")->seconds, 1.0 / (writers * entries_each), 1e-12);
}

TEUCHOS_UNIT_TEST(TuningTable, threadsLoseNothing) {
  const TuningFile file("tstTuningTableThreads");
  std::vector<std::thread> threads;
  for (int w = 0; w < writers; ++w) threads.emplace_back(writeEntries, file.name(), w);
  for (std::thread& thread : threads) thread.join();
  checkEntries(file.name(), out, success);
}

TEUCHOS_UNIT_TEST(TuningTable, processesLoseNothing) {
  const TuningFile file("tstTuningTableProcesses");
  std::vector<pid_t> children;
  for (int w = 0; w < writers; ++w) {
    const pid_t child = fork();
    if (child == 0) {
      bool failed = false;
      try {
        writeEntries(file.name(), w);
      } catch (const std::exception&) {
        failed = true;
      }
      _exit(failed ? 1 : 0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    const bool has_ended = waitpid(child, &status, 0) == child;
    TEST_ASSERT(has_ended && status == 0);
  }
  checkEntries(file.name(), out, success);
}

}  // namespace
}  // namespace KontractTest
