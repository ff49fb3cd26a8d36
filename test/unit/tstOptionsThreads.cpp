// SPDX-License-Identifier: BSD-3-Clause
//
// Lists and files of options, and tables of measured choices, in several host threads at once. Each
// test is a race: where the library gets it wrong the program may crash, or find something wrong,
// or only ThreadSanitizer may tell.

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_StandardParameterEntryValidators.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <chrono>
#include <sstream>
#include <thread>

#include "Refusal.hpp"
#include "Threads.hpp"
#include "Tuning.hpp"
#include "detail/dispatch/Kontract_TeuchosLock.hpp"

namespace KontractTest {
namespace {

using Kontract::Options;
using Kontract::TuningTable;
using Teuchos::ParameterList;
using Space = Kokkos::DefaultHostExecutionSpace;

constexpr int threads = 4;

const std::string data = KONTRACT_TEST_DATA;

std::string nameOf(const Kontract::Impl::Request& request) {
  return request.algorithm < 0 ? "Auto" : Options::algorithmNames()[std::size_t(request.algorithm)];
}

bool areForSerial(const Options& options) { return nameOf(options.general()) == "Serial"; }

bool isRefused(const ParameterList& list, const std::string& text) {
  return refusalOf([&] { Options{list}; }).says(text);
}

/// A list whose entries have validators and documentation of the caller's.
ParameterList listWithValidators() {
  ParameterList list("Kontract");
  const auto names = Teuchos::rcp(
      new Teuchos::StringValidator(Teuchos::tuple<std::string>("Serial", "Flat", "Auto")));
  list.set("Algorithm", "Serial", "One of three", names);
  list.sublist("MDRange").set("Tile C", 3, "Any number",
                              Teuchos::rcp(new Teuchos::EnhancedNumberValidator<int>(0, 100)));
  list.sublist("cloneData").set("Algorithm", "Flat", "One of three", names);
  return list;
}

/// Whether each of many turns finds all right.
template <class Turn>
bool holds(int turns, const Turn& turn) {
  for (int i = 0; i < turns; ++i) {
    if (!turn(i)) return false;
  }
  return true;
}

TEUCHOS_UNIT_TEST(OptionsThreads, allThreadsMayReadOneList) {
  const ParameterList good = listWithValidators();
  ParameterList bad = good;
  bad.sublist("MDRange").set("Tile Q", 2);
  const ParameterList& constant = bad;
  const int wrong = wrongThreads(threads, [&](int thread) {
    return holds(8000, [&](int) {
      return thread % 2 == 0 ? areForSerial(Options(good)) : isRefused(constant, "Tile Q");
    });
  });
  TEST_EQUALITY_CONST(wrong, 0);
}

TEUCHOS_UNIT_TEST(OptionsThreads, eachThreadMayReadAListOfItsOwn) {
  const int wrong = wrongThreads(threads, [&](int thread) {
    ParameterList good, bad;
    good.set("Algorithm", "Serial").sublist("MDRange").set("Tile C", 1 + thread);
    good.sublist("cloneData").set("Algorithm", "Inherit");
    bad.sublist("Launch").set("Team Size", -1 - thread);
    return holds(4000, [&](int) {
      const auto request = Options(good).of({});
      return nameOf(request) == "Serial" && isRefused(bad, "Team Size");
    });
  });
  TEST_EQUALITY_CONST(wrong, 0);
}

/// The threads of a caller may share validators among lists of their own, if one of them alone
/// changes who holds them: reading options of a list leaves the caller's counts as they are.
TEUCHOS_UNIT_TEST(OptionsThreads, listsAreReadWithoutHoldingTheirValidators) {
  const ParameterList list = listWithValidators();
  const int wrong = wrongThreads(threads, [&](int thread) {
    return holds(8000, [&](int) {
      if (thread > 0) return areForSerial(Options(list));
      const ParameterList copy(list);
      return copy.numParams() == 3;
    });
  });
  TEST_EQUALITY_CONST(wrong, 0);
}

TEUCHOS_UNIT_TEST(OptionsThreads, validParametersAreCopiedByEverybody) {
  const int wrong = wrongThreads(threads, [&](int thread) {
    return holds(80, [&](int) {
      ParameterList list(Options::validParameters());
      list.set("Algorithm", "Serial");
      if (thread % 2 == 0) return areForSerial(Options(list));
      list.sublist("Launch").set("Teams", 3);
      return isRefused(list, "Teams");
    });
  });
  TEST_EQUALITY_CONST(wrong, 0);
}

TEUCHOS_UNIT_TEST(OptionsThreads, documentationIsPrinted) {
  std::ostringstream expected;
  Options::printDocumentation(expected);
  const int wrong = wrongThreads(threads, [&](int thread) {
    const ParameterList list = tuningList("Off", "");
    return holds(150, [&](int) {
      if (thread == 0) Options{list};
      std::ostringstream text;
      Options::printDocumentation(text);
      return text.str() == expected.str();
    });
  });
  TEST_EQUALITY_CONST(wrong, 0);
}

TEUCHOS_UNIT_TEST(OptionsThreads, filesAreReadAndRefused) {
  const int wrong = wrongThreads(threads, [&](int thread) {
    return holds(500, [&](int turn) {
      const bool is_yaml = (thread + turn) % 2 == 0;
      const Options options =
          Options::fromFile(data + (is_yaml ? "/options.yaml" : "/options.xml"));
      return nameOf(options.general()) == "Flat" &&
             refusalOf([] { Options::fromFile(data + "/corrupt.xml"); }).says("corrupt.xml") &&
             refusalOf([] { Options::fromFile(data + "/unknown_name.xml"); }).says("Algorithms");
    });
  });
  TEST_EQUALITY_CONST(wrong, 0);
}

TEUCHOS_UNIT_TEST(OptionsThreads, tablesAreReadMergedAndWritten) {
  const TuningFile file("tstOptionsThreadsTable");
  ParameterList table = tableOf("first", "Serial", 1e-6);
  table.sublist("second") = listWithValidators();
  table.sublist("second").remove("cloneData");
  table.sublist("second").remove("MDRange");
  table.sublist("second").set("Seconds", 2e-6);
  table.sublist("theirs").set("Algorithm", "Of Another Build").set("Seconds", 1e-6);
  const ParameterList& shared = table;
  const int wrong = wrongThreads(threads, [&](int thread) {
    return holds(200, [&](int turn) {
      std::vector<std::string> ignored;
      TuningTable all(shared, &ignored);
      if (all.size() != 3 || ignored.size() != 1 || all.find("second")->request == nullptr)
        return false;
      all.add("mine " + std::to_string(thread), *all.find("first")->request, 1e-6);
      ParameterList list;
      all.parameters(list);
      TuningTable again(list);
      again.merge(all);
      if (again.size() != 4) return false;
      if (turn % 10 == 0) again.mergeIntoFile(file.name());
      if (TuningTable::fromFile(file.name()).find("theirs") == nullptr) return false;
      // Options at the same time, by the same parsers.
      const char* const end = thread % 2 == 0 ? "/options.yaml" : "/options.xml";
      return nameOf(Options::fromFile(data + end).general()) == "Flat";
    });
  });
  TEST_EQUALITY_CONST(wrong, 0);
  TEST_EQUALITY(int(file.entries()), 3 + threads);
}

/// Whoever lists entries of a table may do so while another thread lets go of them.
TEUCHOS_UNIT_TEST(OptionsThreads, tablesMayDieInAnyThread) {
  const ParameterList options = listWithValidators();
  const TuningTable table = [&] {
    ParameterList list = tableOf("key", "Serial", 1e-6);
    list.sublist("key") = options;
    list.sublist("key").set("Seconds", 1e-6);
    return TuningTable(list);
  }();
  const int wrong = wrongThreads(threads, [&](int thread) {
    return holds(20000, [&](int) {
      if (thread == 0) return ParameterList(options).numParams() == 3;
      TuningTable copy;
      copy.merge(table);
      ParameterList list;
      copy.parameters(list);
      return list.numParams() == 2;
    });
  });
  TEST_EQUALITY_CONST(wrong, 0);
}

TEUCHOS_UNIT_TEST(OptionsThreads, explainedCallsTakeOneList) {
  const ParameterList list = listWithValidators();
  const Kokkos::View<double**, Space> left("left", 3, 4), right("right", 3, 4);
  const Kokkos::View<double*, Space> sums("sums", 3);
  const int wrong = wrongThreads(threads, [&](int) {
    return holds(8000, [&](int) {
      return Kontract::explain<Space>("contractDataDataScalar", sums, left, right, list)
                 .algorithm == "Serial";
    });
  });
  TEST_EQUALITY_CONST(wrong, 0);
}

/// A table that waits for another process must not keep options waiting: if they came after it, it
/// would have given up.
TEUCHOS_UNIT_TEST(OptionsThreads, nobodyWaitsForATableThatIsLocked) {
  const TuningFile file("tstOptionsThreadsLocked");
  const TuningTable table(tableOf("key", "Serial", 1e-6));
  const int other_process = open((file.name() + ".lock").c_str(), O_RDWR | O_CREAT, 0666);
  TEST_EQUALITY_CONST(flock(other_process, LOCK_EX), 0);
  const int wrong = wrongThreads(2, [&](int thread) {
    if (thread == 0) {
      table.mergeIntoFile(file.name());
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // by now the other one waits
    const bool is_right = areForSerial(Options(listWithValidators())) && file.entries() == 0;
    close(other_process);
    return is_right;
  });
  TEST_EQUALITY_CONST(wrong, 0);
  TEST_EQUALITY_CONST(file.entries(), 1);
}

#ifdef KOKKOS_ENABLE_SERIAL
/// Calls with options that are parsed, or with the default ones, get on while somebody has the
/// lock.
TEUCHOS_UNIT_TEST(OptionsThreads, callsWithOptionsTakeNoLock) {
  const TuningFile file("tstOptionsThreadsNoLock");
  const Options tuned(tuningList("Measure", file.name()));
  const Kokkos::View<double***, Kokkos::Serial> sums("sums", 2, 3, 4), left("left", 2, 3, 6),
      right("right", 2, 4, 6);
  const auto call = [&] {
    using Tools = Kontract::ArrayTools<Kokkos::Serial>;
    Tools::contractFieldFieldScalar(sums, left, right);
    Tools::contractFieldFieldScalar(sums, left, right, tuned);
    return Kontract::explain().measured_seconds > 0;
  };
  TEST_ASSERT(call());
  const Kontract::Impl::TeuchosLock lock;
  TEST_EQUALITY_CONST(wrongThreads(1, [&](int) { return call(); }), 0);
}

/// Calls with a list each time: all measure into one table, all are right, and the file is whole
/// whenever it is read. It may be empty yet: what one thread measured is there for the others
/// before it is written.
TEUCHOS_UNIT_TEST(OptionsThreads, callsMeasureIntoOneTable) {
  using Tools = Kontract::ArrayTools<Kokkos::Serial>;
  const TuningFile file("tstOptionsThreadsCalls");
  const ParameterList tuned = tuningList("Measure", file.name());
  const int wrong = wrongThreads(threads, [&](int thread) {
    return holds(3, [&](int size) {
      const std::size_t cells = std::size_t(2) << size;
      const Kokkos::View<double***, Kokkos::Serial> sums("sums", cells, 3, 4),
          left("left", cells, 3, 6), right("right", cells, 4, 6);
      Kokkos::deep_copy(Kokkos::Serial(), left, 1.0 + thread);
      Kokkos::deep_copy(Kokkos::Serial(), right, 1.0);
      return holds(300, [&](int turn) {
        Kokkos::deep_copy(Kokkos::Serial(), sums, -1.0);
        Tools::contractFieldFieldScalar(sums, left, right, tuned);
        return sums(cells - 1, 2, 3) == 6.0 * (1 + thread) &&
               (turn % 100 != 0 || TuningTable::fromFile(file.name()).size() <= 3);
      });
    });
  });
  TEST_EQUALITY_CONST(wrong, 0);
  TEST_EQUALITY_CONST(file.entries(), 3);
}
#endif

}  // namespace
}  // namespace KontractTest
