// SPDX-License-Identifier: BSD-3-Clause
//
// Calls with "Tuning": what is measured, remembered, read and explained, and what is left alone.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <Teuchos_XMLParameterListCoreHelpers.hpp>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include "Refusal.hpp"
#include "Threads.hpp"
#include "ToolsEvents.hpp"
#include "Tuning.hpp"

namespace KontractTest {
namespace {

using Kontract::Options;
using Kontract::TuningTable;
using Teuchos::ParameterList;
using Space = Kokkos::DefaultExecutionSpace;
using Tools = Kontract::ArrayTools<Space>;
using Cube = Kokkos::View<double***, Space>;

Options tuned(const std::string& mode, const TuningFile& file) {
  return Options(tuningList(mode, file.name()));
}

/// out(c,l,r) = 6 at every place, if it starts from anything; or 6 more.
struct Contraction {
  Cube out, left, right;
  explicit Contraction(int cells = 5)
      : out("out", cells, 3, 4), left("left", cells, 3, 6), right("right", cells, 4, 6) {
    Kokkos::deep_copy(left, 1.0);
    Kokkos::deep_copy(right, 1.0);
    Kokkos::deep_copy(out, std::numeric_limits<double>::quiet_NaN());
  }
  void run(const Options& options, bool sum_into = false) const {
    Tools::contractFieldFieldScalar(out, left, right, sum_into, options);
  }
  Kontract::Explanation explain(const Options& options) const {
    return Kontract::explain<Space>("contractFieldFieldScalar", out, left, right, options);
  }
  bool holds(double value) const {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
    for (std::size_t i = 0; i < host.size(); ++i) {
      if (host.data()[i] != value && !(std::isnan(value) && std::isnan(host.data()[i]))) {
        return false;
      }
    }
    return true;
  }
};

/// Measures one contraction into a file and returns the key of its entry.
std::string measuredKey(const TuningFile& file) {
  Contraction().run(tuned("Measure", file));
  return TuningTable::fromFile(file.name()).entries().begin()->first;
}

/// Another table for the same problem as measuredKey's.
TuningTable tableFor(const std::string& key, const std::string& algorithm) {
  return TuningTable(tableOf(key, algorithm, 1e-9));
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Trials by a clock of their own, which goes on while plans run and at no other time: what they
/// decide does not depend on the machine.
struct TrialsByClock {
  double now = 0;
  Kontract::Impl::Trials trials{[this] { return now; }};

  /// Times a plan that takes that long. \return how often it ran
  int time(int team_size, double seconds) {
    plans.push_back(std::make_unique<int>(0));
    int& runs = *plans.back();
    Kontract::Impl::Request request;
    request.launch.team_size = team_size;
    trials.time(request, [this, seconds, &runs](int n) {
      runs += n;
      now += n * seconds;
    });
    return runs;
  }
  int winner() const { return trials.winner().launch.team_size; }

  std::vector<std::unique_ptr<int>> plans;  ///< how often each ran: they may run again to the end
};

TEUCHOS_UNIT_TEST(Tuning, theFastestPlanWinsAndSlowOnesAreDropped) {
  TrialsByClock by;
  by.time(1, 2e-3);
  by.time(2, 2e-4);
  TEST_EQUALITY_CONST(by.time(3, 6e-2), 1);  // far worse, and long
  by.trials.confirm();
  TEST_EQUALITY_CONST(by.winner(), 2);
  TEST_FLOATING_EQUALITY(by.trials.seconds(), 2e-4, 1e-12);
}

TEUCHOS_UNIT_TEST(Tuning, gainsBelowTheNoiseLeaveTheHeuristicInCharge) {
  TrialsByClock by, faster;
  by.time(1, 1e-3);
  by.time(2, 0.98e-3);
  by.trials.confirm();
  TEST_EQUALITY_CONST(by.winner(), 1);
  faster.time(1, 1e-3);
  faster.time(2, 0.96e-3);
  faster.trials.confirm();
  TEST_EQUALITY_CONST(faster.winner(), 2);
}

/// One lucky sample among many plans must not decide.
TEUCHOS_UNIT_TEST(Tuning, aPlanThatWasFastOnceHasToConfirm) {
  double now = 0;
  Kontract::Impl::Trials trials([&] { return now; });
  Kontract::Impl::Request heuristic, lucky;
  heuristic.launch.team_size = 1;
  lucky.launch.team_size = 2;
  trials.time(heuristic, [&](int n) { now += n * 1e-3; });
  int samples = 0;
  trials.time(lucky, [&](int n) { now += n * (++samples == 4 ? 0.5e-3 : 1.1e-3); });
  TEST_EQUALITY_CONST(trials.winner().launch.team_size, 2);
  trials.confirm();
  TEST_EQUALITY_CONST(trials.winner().launch.team_size, 1);
}

TEUCHOS_UNIT_TEST(Tuning, timeIsUpAfterTwoSeconds) {
  TrialsByClock by;
  TEST_ASSERT(!by.trials.isOver());
  by.now = 1.9;
  TEST_ASSERT(!by.trials.isOver());
  by.now = 2.1;
  TEST_ASSERT(by.trials.isOver());
}

TEUCHOS_UNIT_TEST(Tuning, plansThatCannotWinAreNotRun) {
  using Kontract::Impl::Trials;
  TEST_ASSERT(Trials::isHopeless(10, 0.1));
  TEST_ASSERT(!Trials::isHopeless(1, 0.1));
  TEST_ASSERT(!Trials::isHopeless(1e-4, 1e-6));  // costs nothing to try
}

TEUCHOS_UNIT_TEST(Tuning, theMeasuredWinnerIsUsedAfterwards) {
  const TuningFile file("tstTuningWinner");
  const Complaints complaints;
  const Contraction c;
  const Options options = tuned("Measure", file);
  const Kontract::Explanation before = c.explain(options);
  TEST_ASSERT(has(before.why, "least expected time"));
  TEST_EQUALITY_CONST(before.measured_seconds, 0);
  TEST_ASSERT(!file.isThere());  // explain() of a call runs nothing
  c.run(options);
  const Kontract::Explanation last = Kontract::explain();
  TEST_ASSERT(c.holds(6));
  TEST_ASSERT(has(last.why, "tuning table"));
  TEST_ASSERT(has(last.why, file.name()));
  TEST_ASSERT(last.measured_seconds > 0);
  TEST_EQUALITY_CONST(file.entries(), 1);
  TEST_EQUALITY(c.explain(options).text(), last.text());
  const TuningTable table = TuningTable::fromFile(file.name());
  const auto& [key, entry] = *table.entries().begin();
  out << key << "\n";
  for (const char* part : {"double", "FieldField", "L=3", "R=4", "K=6", "4 to 7"}) {
    TEST_ASSERT(has(key, part));
  }
  TEST_ASSERT(has(key, Space::name()));
  TEST_EQUALITY(entry.options->get<std::string>("Algorithm"), last.algorithm);
  TEST_ASSERT(complaints.areNone());
}

TEUCHOS_UNIT_TEST(Tuning, aCallWithAnEntryMeasuresNothing) {
  const TuningFile file("tstTuningHit");
  const Options options = tuned("Measure", file);
  const Contraction c, more(7);  // of the same power of two
  c.run(options);
  for (const Contraction* contraction : {&c, &more}) {
    const ToolsEvents events;
    contraction->run(options);
    TEST_ASSERT(events.allocations().empty());
    TEST_ASSERT(events.fences().empty());
    TEST_EQUALITY_CONST(events.regions().size(), 1);
  }
  Contraction(8).run(options);
  TEST_EQUALITY_CONST(file.entries(), 2);
}

TEUCHOS_UNIT_TEST(Tuning, measuringLeavesTheCallAsItIs) {
  const TuningFile file("tstTuningCall");
  const Contraction c;
  const Options options = tuned("Measure", file);
  Kokkos::deep_copy(c.out, 10);
  c.run(options, true);
  TEST_ASSERT(c.holds(16));  // was added once
  c.run(options, true);
  TEST_ASSERT(c.holds(22));
}

TEUCHOS_UNIT_TEST(Tuning, measuringWritesNeitherOutputNorInputs) {
  const TuningFile file("tstTuningScratch");
  const Contraction c;
  // The measurement alone, without the call that follows it.
  using namespace Kontract::Impl;
  using Plain = PlainContraction<double>;
  ContractionShape shape;
  shape.cells = 5, shape.lefts = 3, shape.rights = 4;
  shape.out_cell = 12, shape.out_left = 4, shape.out_right = 1;
  shape.left_cell = 18, shape.left_field = 6, shape.right_cell = 24, shape.right_field = 6;
  shape.sum[2] = {6, 1, 1};
  const Plain problem{shape, {c.out.data()}, {c.left.data()}, {c.right.data()}};
  Decision decision = decide(Space(), {}, problem, tuned("Measure", file));
  TEST_ASSERT(decision.is_worth_measuring);
  autotune(Space(), problem, decision.request.launch.scatter, decision);
  Kokkos::fence();
  TEST_ASSERT(decision.choice.measured_seconds > 0);
  TEST_ASSERT(c.holds(std::numeric_limits<double>::quiet_NaN()));
  TEST_EQUALITY_CONST(file.entries(), 1);
}

TEUCHOS_UNIT_TEST(Tuning, inPlaceProductsAreRight) {
  const TuningFile file("tstTuningInPlace");
  const Cube fields("fields", 5, 3, 4);
  const Kokkos::View<double**, Space> data("data", 5, 4);
  Kokkos::deep_copy(fields, 3.0);
  Kokkos::deep_copy(data, 2.0);
  Tools::scalarMultiplyDataField(fields, data, fields, tuned("Measure", file));
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), fields);
  for (std::size_t i = 0; i < host.size(); ++i) TEST_EQUALITY_CONST(host.data()[i], 6.0);
  TEST_EQUALITY_CONST(file.entries(), 1);
}

TEUCHOS_UNIT_TEST(Tuning, subviewsAndScalarsHaveEntriesOfTheirOwn) {
  const TuningFile file("tstTuningKinds");
  const Options options = tuned("Measure", file);
  using Right = Kokkos::View<double***, Kokkos::LayoutRight, Space>;
  const Right od("od", 5, 3, 4), ld("ld", 5, 3, 6), rd("rd", 5, 4, 6);
  Tools::contractFieldFieldScalar(od, ld, rd, options);
  const Kokkos::View<float***, Space> of("of", 5, 3, 4), lf("lf", 5, 3, 6), rf("rf", 5, 4, 6);
  Tools::contractFieldFieldScalar(of, lf, rf, options);
  TEST_EQUALITY_CONST(file.entries(), 2);
  const Cube out_view("out", 5, 3, 4);
  const Right wide("wide", 5, 3, 12);
  const auto strided = Kokkos::subview(wide, Kokkos::ALL, Kokkos::ALL, std::pair<int, int>(0, 6));
  const Kokkos::View<double***, Kokkos::LayoutStride, Space> right(
      "right", Kokkos::LayoutStride(5, 1, 4, 30, 6, 5));
  Tools::contractFieldFieldScalar(out_view, strided, right, options);
  TEST_EQUALITY_CONST(file.entries(), 3);
  const Kokkos::View<int***, Space> oi("oi", 5, 3, 4), li("li", 5, 3, 6), ri("ri", 5, 4, 6);
  Tools::contractFieldFieldScalar(oi, li, ri, options);  // not tuned
  TEST_EQUALITY_CONST(file.entries(), 3);
}

/// out(c,f,p) = data(c,p) * fields, whose cells there may be none of.
struct Product {
  Cube out;
  Kokkos::View<double**, Space> data, fields_of_all;
  Cube fields_of_each;
  Product()
      : out("out", 5, 3, 4),
        data("data", 5, 4),
        fields_of_all("all", 3, 4),
        fields_of_each("each", 5, 3, 4) {}
  void run(const Options& options, bool has_cells) const {
    if (has_cells) {
      Tools::scalarMultiplyDataField(out, data, fields_of_each, options);
    } else {
      Tools::scalarMultiplyDataField(out, data, fields_of_all, options);
    }
  }
};

/// The one key of a table that says that of the right side.
std::string keyOfProduct(const TuningFile& file, bool has_cells) {
  const TuningTable table = TuningTable::fromFile(file.name());
  for (const auto& [key, entry] : table.entries()) {
    if (has(key, has_cells ? ", right with cells" : ", right without cells")) return key;
  }
  return "";
}

TEUCHOS_UNIT_TEST(Tuning, fieldsWithoutCellsHaveEntriesOfTheirOwn) {
  const TuningFile file("tstTuningCells"), flat("tstTuningCellsFlat");
  const Product product;
  for (const bool has_cells : {true, false}) product.run(tuned("Measure", file), has_cells);
  TEST_EQUALITY_CONST(file.entries(), 2);
  // Each takes its own.
  TuningTable table = tableFor(keyOfProduct(file, true), "Flat");
  table.merge(tableFor(keyOfProduct(file, false), "MDRange"));
  table.mergeIntoFile(flat.name());
  for (const bool has_cells : {true, false}) {
    product.run(tuned("Read", flat), has_cells);
    TEST_ASSERT(has(Kontract::explain().why, "tuning table"));
    TEST_EQUALITY(Kontract::explain().algorithm, has_cells ? "Flat" : "MDRange");
  }
}

/// Earlier versions had one key for both: whose plan it is nobody knows.
TEUCHOS_UNIT_TEST(Tuning, entriesForAnyRightSideAreReadButMeasuredAnew) {
  const TuningFile first("tstTuningAny0"), file("tstTuningAny1"), both("tstTuningAny2");
  const Product product;
  product.run(tuned("Measure", first), true);
  const std::string key = keyOfProduct(first, true), old_key = key.substr(0, key.rfind(','));
  tableFor(old_key, "MDRange").mergeIntoFile(file.name());
  const Options read = tuned("Read", file), measure = tuned("Measure", file);
  for (const bool has_cells : {true, false}) {
    product.run(read, has_cells);
    TEST_EQUALITY_CONST(Kontract::explain().algorithm, "MDRange");
    TEST_EQUALITY_CONST(Kontract::explain().measured_seconds, 1e-9);
  }
  for (const bool has_cells : {true, false}) {
    product.run(measure, has_cells);
    TEST_INEQUALITY_CONST(Kontract::explain().measured_seconds, 1e-9);
    TEST_ASSERT(has(Kontract::explain().why, "tuning table"));
    TEST_ASSERT(keyOfProduct(file, has_cells) != "");
  }
  TEST_EQUALITY_CONST(file.entries(), 3);  // the old one stays
  // An entry of the kind is better than one of any, however fast that was.
  TuningTable table(tableOf(key, "Flat", 1));
  table.merge(tableFor(old_key, "MDRange"));
  table.mergeIntoFile(both.name());
  product.run(tuned("Read", both), true);
  TEST_EQUALITY_CONST(Kontract::explain().algorithm, "Flat");
}

TEUCHOS_UNIT_TEST(Tuning, tablesAreReadAndExplained) {
  const TuningFile first("tstTuningFirst");
  const std::string key = measuredKey(first);
  for (const std::string& algorithm : Options::algorithmNames()) {
    const Options by_name = [&] {
      ParameterList list;
      list.set("Algorithm", algorithm);
      return Options(list);
    }();
    if (refusalOf([&] { Contraction().run(by_name); }).happened) {
      continue;  // does not serve this space
    }
    const TuningFile file("tstTuningRead" + algorithm);
    tableFor(key, algorithm).mergeIntoFile(file.name());
    const std::string text = file.text();
    for (const char* mode : {"Read", "Measure"}) {
      const Contraction c;
      c.run(tuned(mode, file));
      TEST_ASSERT(c.holds(6));
      TEST_EQUALITY(Kontract::explain().algorithm, algorithm);
      TEST_EQUALITY_CONST(Kontract::explain().measured_seconds, 1e-9);
      TEST_ASSERT(has(Kontract::explain().why, "1e-09 s"));
    }
    TEST_EQUALITY(file.text(), text);
  }
}

TEUCHOS_UNIT_TEST(Tuning, settingsOfAnEntryAreUsed) {
  const TuningFile first("tstTuningSettings1"), second("tstTuningSettings2");
  const std::string key = measuredKey(first);
  ParameterList list = tableOf(key, "MDRange", 1e-9);
  list.sublist(key).sublist("MDRange").set("Tile C", 2);
  TuningTable(list).mergeIntoFile(second.name());
  TEST_EQUALITY_CONST(Contraction().explain(tuned("Read", second)).settings,
                      "Tile C = 2, Tile L = 0, Tile R = 0");
}

TEUCHOS_UNIT_TEST(Tuning, readingMeasuresAndWritesNothing) {
  const TuningFile file("tstTuningOnlyRead");
  const Contraction c;
  const Complaints complaints;
  const Options options = tuned("Read", file);
  c.run(options);
  c.run(options);
  TEST_ASSERT(has(Kontract::explain().why, "least expected time"));
  TEST_ASSERT(!file.isThere());
  // That there is no table is said, once.
  TEST_ASSERT(complaints.say("there is no such file"));
  TEST_EQUALITY(complaints.text().find(file.name()), complaints.text().rfind(file.name()));
}

TEUCHOS_UNIT_TEST(Tuning, theModeOffReadsNothing) {
  const TuningFile file("tstTuningOff", "no table at all");
  const Complaints complaints;
  Contraction().run(tuned("Off", file));
  Contraction().run(Options());
  TEST_ASSERT(complaints.areNone());
  TEST_ASSERT(has(Kontract::explain().why, "least expected time"));
}

TEUCHOS_UNIT_TEST(Tuning, anAlgorithmByNameWins) {
  const TuningFile first("tstTuningName1"), second("tstTuningName2");
  tableFor(measuredKey(first), "Flat").mergeIntoFile(second.name());
  for (const char* mode : {"Read", "Measure"}) {
    ParameterList list = tuningList(mode, second.name());
    list.set("Algorithm", "MDRange");
    const Contraction c;
    c.run(Options(list));
    TEST_EQUALITY_CONST(Kontract::explain().algorithm, "MDRange");
    TEST_ASSERT(has(Kontract::explain().why, "name"));
    list.set("Algorithm", "Auto");
    list.sublist("contractFieldFieldScalar").set("Algorithm", "MDRange");
    c.run(Options(list));
    TEST_EQUALITY_CONST(Kontract::explain().algorithm, "MDRange");
    list.remove("contractFieldFieldScalar");
    c.run(Options(list));
    TEST_EQUALITY_CONST(Kontract::explain().algorithm, "Flat");
  }
}

TEUCHOS_UNIT_TEST(Tuning, wrongModesAreRefused) {
  const auto refusal = [](const std::string& mode) {
    return refusalOf([&] { Options{tuningList(mode, "")}; });
  };
  for (const char* part : {"Sometimes", "Off", "Read", "Measure"}) {
    TEST_ASSERT(refusal("Sometimes").says(part));
  }
  ParameterList list;
  list.sublist("Tuning").set("File", 3);
  TEST_ASSERT(refusalOf([&] { Options{list}; }).says("File"));
}

TEUCHOS_UNIT_TEST(Tuning, filesThatAreNoTableAreReportedOnceAndLeftAlone) {
  int number = 0;
  for (const char* text :
       {"<ParameterList name=\"Kontract Tuning\"><Parameter", "no XML at all",
        "<ParameterList name=\"Mesh\"><Parameter name=\"File\" type=\"string\" value=\"a\"/>"
        "</ParameterList>",
        "<ParameterList name=\"Kontract Tuning\"><Parameter name=\"Kontract Tuning Format\" "
        "type=\"int\" value=\"2\"/></ParameterList>"}) {
    for (const char* mode : {"Read", "Measure"}) {
      const TuningFile file("tstTuningForeign" + std::to_string(number++), text);
      const Complaints complaints;
      const Contraction c;
      c.run(tuned(mode, file));
      c.run(tuned(mode, file));
      TEST_ASSERT(c.holds(6));
      TEST_ASSERT(complaints.say(file.name()));
      TEST_EQUALITY(complaints.text().find("Kontract: tuning table"),
                    complaints.text().rfind("Kontract: tuning table"));
      TEST_EQUALITY(file.text(), text);
    }
  }
}

TEUCHOS_UNIT_TEST(Tuning, entriesThatDoNotFitAreIgnored) {
  const TuningFile first("tstTuningFit0");
  const std::string key = measuredKey(first);
  const auto why = [&](const std::string& name, ParameterList list, bool is_reported) {
    const TuningFile file(name);
    Teuchos::writeParameterListToXmlFile(list, file.name());
    const Complaints complaints;
    const Contraction c;
    c.run(tuned("Read", file));
    TEST_ASSERT(c.holds(6));
    TEST_EQUALITY(complaints.say("ignored"), is_reported);
    TEST_EQUALITY(complaints.say(file.name()), is_reported);
    return Kontract::explain().why;
  };
  TEST_ASSERT(has(why("tstTuningFit1", tableOf(key, "Magic", 1), true), "least expected time"));
  ParameterList range = tableOf(key, "MDRange", 1);
  range.sublist(key).sublist("MDRange").set("Tile C", -3);
  TEST_ASSERT(has(why("tstTuningFit2", range, true), "least expected time"));
  // Valid, but not for this problem: the algorithm does not heed it.
  ParameterList launch = tableOf(key, "Flat", 1);
  launch.sublist(key).sublist("Launch").set("Team Size", 7);
  TEST_ASSERT(has(why("tstTuningFit3", launch, false), "least expected time"));
  TEST_ASSERT(has(why("tstTuningFit4", tableOf(key, "Flat", 1), false), "tuning table"));
}

TEUCHOS_UNIT_TEST(Tuning, unusableEntriesAreMeasuredAgain) {
  const TuningFile first("tstTuningAgain1"), second("tstTuningAgain2");
  const std::string key = measuredKey(first);
  TuningTable(tableOf(key, "Magic", 1e-9)).mergeIntoFile(second.name());
  const Complaints complaints;
  Contraction().run(tuned("Measure", second));
  TEST_ASSERT(has(Kontract::explain().why, "tuning table"));
  TEST_ASSERT(TuningTable::fromFile(second.name()).find(key)->request != nullptr);
}

TEUCHOS_UNIT_TEST(Tuning, aFileThatCannotBeWrittenIsReportedOnce) {
  const Complaints complaints;
  const Options options(tuningList("Measure", "no/such/folder/table.xml"));
  for (const int cells : {5, 9, 17}) {
    const Contraction c(cells);
    c.run(options);
    TEST_ASSERT(c.holds(6));
    TEST_ASSERT(Kontract::explain().measured_seconds > 0);  // in memory
  }
  TEST_ASSERT(complaints.say("no/such/folder/table.xml"));
  TEST_ASSERT(complaints.say("this process only"));
  TEST_EQUALITY(complaints.text().find("cannot write"), complaints.text().rfind("cannot write"));
}

TEUCHOS_UNIT_TEST(Tuning, anEmptyCallMeasuresNothing) {
  const TuningFile file("tstTuningNothing");
  Contraction(0).run(tuned("Measure", file));
  TEST_ASSERT(!file.isThere());
}

TEUCHOS_UNIT_TEST(Tuning, threadsShareATable) {
  const TuningFile file("tstTuningThreads");
  const Options options = tuned("Measure", file);
  const Contraction a(2), b(4), c(8), d(16);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      for (const Contraction* contraction : {&a, &b, &c, &d}) contraction->explain(options);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Contraction* contraction : {&a, &b, &c, &d}) contraction->run(options);
  TEST_EQUALITY_CONST(file.entries(), 4);
}

#ifdef KOKKOS_ENABLE_SERIAL
/// Counts measurements while an object of this class lives, whichever threads make them.
class Measurements {
 public:
  Measurements() {
    count() = 0;
    Kokkos::Tools::Experimental::set_push_region_callback([](const char* name) {
      if (std::string(name) == "Kontract::Tuning") ++count();
    });
  }
  ~Measurements() { Kokkos::Tools::Experimental::set_push_region_callback(nullptr); }
  Measurements(const Measurements&) = delete;
  Measurements& operator=(const Measurements&) = delete;

  static std::atomic<int>& count() {
    static std::atomic<int> instance{0};
    return instance;
  }
};

/// A call of so many right fields: whether it was right, and what the table said.
double measuredSeconds(const Options& options, int rights) {
  using Device = Kokkos::Serial;
  const Kokkos::View<double***, Device> sums("sums", 5, 3, rights), left("left", 5, 3, 6),
      right("right", 5, rights, 6);
  Kokkos::deep_copy(Device(), left, 1.0);
  Kokkos::deep_copy(Device(), right, 1.0);
  Kontract::ArrayTools<Device>::contractFieldFieldScalar(sums, left, right, options);
  const bool is_right = sums(4, 2, rights - 1) == 6 && sums(0, 0, 0) == 6;
  return is_right ? Kontract::explain().measured_seconds : -1;
}

/// All ask for the same keys at once, and each for one of its own: what one thread measures the
/// others wait for, so that it is measured once and all take the same plan.
TEUCHOS_UNIT_TEST(Tuning, threadsMeasureEachKeyOnce) {
  constexpr int threads = 4, shared_keys = 3;
  const TuningFile file("tstTuningThreadsMeasure");
  const Options options = tuned("Measure", file);
  double seconds[shared_keys][threads] = {};
  const Measurements measurements;
  const int wrong = wrongThreads(threads, [&](int thread) {
    for (int key = 0; key < shared_keys; ++key) {
      seconds[key][thread] = measuredSeconds(options, 2 + key);
    }
    return measuredSeconds(options, 20 + thread) > 0;
  });
  TEST_EQUALITY_CONST(wrong, 0);
  for (const auto& seconds_of_key : seconds) {
    TEST_ASSERT(seconds_of_key[0] > 0);
    for (const double each : seconds_of_key) TEST_EQUALITY(each, seconds_of_key[0]);
  }
  TEST_EQUALITY(Measurements::count().load(), shared_keys + threads);
  TEST_EQUALITY(int(file.entries()), shared_keys + threads);
}

/// Processes that share a file have a tuner each: what one writes, the others must not lose.
TEUCHOS_UNIT_TEST(Tuning, tunersOfOneFileLoseNothing) {
  constexpr int tuners = 4, keys = 25;
  const TuningFile file("tstTuningTuners");
  const std::string place = "some processor";
  const auto keyOf = [&](int number) {
    Kontract::Impl::TuningKey key;
    key.place = &place;
    key.extents[0] = number;
    return key;
  };
  const int wrong = wrongThreads(tuners, [&](int thread) {
    Kontract::Impl::Tuner tuner(file.name());
    Kontract::Impl::Request request;
    request.algorithm = 0;
    for (int i = 0; i < keys; ++i) {
      tuner.remember(keyOf(thread * keys + i), request, 1e-3);
      tuner.remember(keyOf(tuners * keys), request, 1e-3 / (1 + thread * keys + i));  // everybody's
    }
    return tuner.entry(keyOf(thread * keys), true).seconds == 1e-3;
  });
  TEST_EQUALITY_CONST(wrong, 0);
  const TuningTable table = TuningTable::fromFile(file.name());
  TEST_EQUALITY(int(table.size()), tuners * keys + 1);
  const TuningTable::Entry* const fastest = table.find(keyOf(tuners * keys).text());
  TEST_ASSERT(fastest != nullptr && fastest->seconds == 1e-3 / (tuners * keys));
}
#endif

}  // namespace
}  // namespace KontractTest
