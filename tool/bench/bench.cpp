// SPDX-License-Identifier: BSD-3-Clause
//
// kontract_bench: times Kontract, and peers, on the same arrays in one process.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <set>
#include <stdexcept>

#include "Arena.hpp"
#include "CommandLine.hpp"
#include "Report.hpp"

namespace KontractBench {
namespace {

constexpr int failed = 1, misused = 2;

/// The rows of a case and what is to be timed for them.
struct Contest {
  std::vector<Row> rows;
  std::vector<Runner> runners;
  std::vector<std::size_t> row_of;  ///< for each runner

  /// Runs once and compares with what is right; only what is right is timed.
  void enter(Arena& arena, const Runner& runner, Row row, const Patience& patience) {
    row.multiplies_output ? arena.spoilOutputByNumbers() : arena.spoilOutput();
    const double first = secondsOf(runner, 0);
    if (row.computes()) row.reason = arena.difference();
    if (row.reason.empty() && patience.once > 0 && first > patience.once) {
      row.timing = {first, 0, 1, first};
    } else if (row.reason.empty()) {
      runners.push_back(runner);
      row_of.push_back(rows.size());
    } else {
      row.status = Status::Wrong;
    }
    rows.push_back(row);
  }

  void time(int copies, const Patience& patience) {
    if (runners.empty()) return;
    const std::vector<Timing> timings = measure(runners, copies, patience);
    for (std::size_t i = 0; i < timings.size(); ++i) rows[row_of[i]].timing = timings[i];
  }
};

Row refused(Row row, const std::string& reason) {
  row.status = Status::Refused;
  row.reason = reason;
  return row;
}

/// The algorithm and the settings that were given: those that are 0 are the algorithm's choice.
std::string whatRuns(const Kontract::Explanation& plan) {
  std::vector<std::string> given;
  for (const std::string& setting : split(plan.settings, ',')) {
    const std::string open = " = 0";
    const bool is_open = setting.size() > open.size() &&
                         setting.compare(setting.size() - open.size(), open.size(), open) == 0;
    if (!is_open) given.push_back(setting);
  }
  return plan.algorithm + (given.empty() ? "" : ": " + join(given, ", "));
}

/// What Serial computes is right, or on devices Flat; Auto where neither can run.
void keepReference(Arena& arena) {
  for (const char* name : {"Serial", "Flat", automatic_name}) {
    try {
      const Runner runner = arena.kontract(contestantFrom(name).options);
      arena.spoilOutput();
      runner(0);
      arena.keepOutput();
      return;
    } catch (const UsageError&) {
    } catch (const std::invalid_argument&) {
      if (name == std::string(automatic_name)) throw;
    }
  }
}

Result run(const Case& one, ScalarKind scalar, LayoutKind layout, const Wishes& wishes,
           const Roofline& roofline) {
  Result result;
  result.one = one;
  result.scalar = scalar;
  result.layout = layout;
  const std::unique_ptr<Arena> arena =
      makeArena(one, scalar, layout, one.is_hot ? 0 : wishes.rotate_bytes);
  result.copies = arena->copies();
  const Kontract::Explanation work = arena->explain(Kontract::Options());
  result.flops = work.flops * realFlopsOf(scalar);
  result.bytes = work.bytes;
  result.least_seconds = roofline.leastSeconds(scalar, result.flops, result.bytes);
  result.arithmetic_seconds = roofline.leastSeconds(scalar, result.flops, 0);
  keepReference(*arena);
  Contest contest;
  for (const Peer peer : wishes.peers) {
    Row row;
    row.contestant = nameOf(peer);
    row.is_peer = true;
    row.is_launch_only = peer == Peer::EmptyKernel;
    row.is_traffic_only = peer == Peer::Traffic;
    row.multiplies_output = multipliesOutput(peer);
    if (row.is_launch_only && !one.is_hot) continue;
    if (row.is_traffic_only && one.is_hot) continue;
    const Offer offer = arena->peer(peer);
    if (offer.run) {
      contest.enter(*arena, offer.run, row, wishes.patience);
    } else {
      contest.rows.push_back(refused(row, offer.refusal));
    }
  }
  for (const Contestant& contestant : wishes.contestants) {
    Row row;
    row.contestant = contestant.name;
    try {
      const Kontract::Explanation plan = arena->explain(contestant.options);
      row.ran = whatRuns(plan);
      contest.enter(*arena, arena->kontract(contestant.options), row, wishes.patience);
    } catch (const std::invalid_argument& refusal) {
      contest.rows.push_back(refused(row, refusal.what()));
    }
  }
  contest.time(result.copies, wishes.patience);
  result.rows = contest.rows;
  result.compareRows();
  return result;
}

double bytesOf(const Case& one, ScalarKind scalar) {
  double scalars = 0;
  for (const std::string& letters : {one.outLetters(), one.leftLetters(), one.rightLetters()}) {
    if (!letters.empty()) scalars += double(one.sizeOf(letters));
  }
  return scalars * double(bytesOf(scalar));
}

/// A file of results, opened before there are any so that nobody waits for a name that fails.
class File {
 public:
  explicit File(const std::string& name) : _name(name) {
    if (!name.empty()) _stream.open(name);
    check();
  }
  template <class Write>
  void write(const Write& write, const Context& context, const std::vector<Result>& results) {
    if (_name.empty()) return;
    write(_stream, context, results);
    _stream.close();
    check();
  }

 private:
  void check() const {
    if (!_stream) throw std::runtime_error("cannot write the file '" + _name + "'");
  }
  std::string _name;
  std::ofstream _stream;
};

int runAll(const Wishes& wishes) {
  File csv(wishes.csv_file), json(wishes.json_file);
  const double roofline_bytes =
      on_host ? std::max(16e6, std::min(256e6, wishes.rotate_bytes)) : 8 * largestCache();
  const Roofline roofline = measureRoofline(wishes.roofline_seconds, roofline_bytes);
  Context context = machineContext();
  addTo(context, roofline);
  if (wishes.is_drawn) {
    context.emplace_back("random", std::to_string(wishes.draw.shapes) + " shapes of seed " +
                                       std::to_string(wishes.draw.seed));
  }
  printContext(std::cout, context);
  printHeader(std::cout);
  std::vector<Result> results;
  bool all_right = true;
  std::set<std::string> known;
  for (const Case& some : wishes.cases) {
    Case one = some;
    std::vector<ScalarKind> scalars = wishes.scalars.empty() ? one.scalars : wishes.scalars;
    if (scalars.empty()) scalars = {ScalarKind::Double};
    for (const ScalarKind scalar : scalars) {
      one.sizes.cells = some.sizes.cells;
      chooseCells(one, scalar, wishes.case_bytes);
      // Memory sizes below that of a few cells make the same case.
      const std::string name = one.suite + one.label + nameOf(scalar);
      if (!known.insert(name + std::to_string(one.sizes.cells)).second) continue;
      const double bytes = bytesOf(one, scalar);
      if (wishes.most_bytes > 0 && bytes > wishes.most_bytes) {
        std::cout << one.label << ": left out, its arrays take " << digits(bytes * 1e-6, 3)
                  << " MB\n";
        continue;
      }
      for (const LayoutKind layout : wishes.layouts) {
        results.push_back(run(one, scalar, layout, wishes, roofline));
        printResult(std::cout, results.back());
        for (const Row& row : results.back().rows) all_right &= row.status != Status::Wrong;
      }
    }
  }
  printSummary(std::cout, results);
  const std::string drift =
      addDriftTo(context, roofline, measureRoofline(wishes.roofline_seconds, roofline_bytes));
  if (!drift.empty()) std::cout << "\n" << drift << "\n";
  csv.write(writeCsv, context, results);
  json.write(writeJson, context, results);
  if (!all_right) std::cerr << "kontract_bench: results disagree; see the rows that are WRONG\n";
  return all_right ? 0 : failed;
}

}  // namespace
}  // namespace KontractBench

int main(int argc, char* argv[]) {
  using namespace KontractBench;
  try {
    // Kokkos has help of its own; ours needs no Kokkos.
    const auto isHelp = [](const char* argument) { return std::string(argument) == "--help"; };
    if (std::any_of(argv, argv + argc, isHelp)) {
      wishesFrom(argc, argv);
      return 0;
    }
    const Kokkos::ScopeGuard kokkos(argc, argv);
    Wishes wishes = wishesFrom(argc, argv);
    if (wishes.has_help) return 0;
    if (wishes.rotate_bytes < 0) wishes.rotate_bytes = 4 * largestCache();
    return runAll(wishes);
  } catch (const UsageError& error) {
    std::cerr << "kontract_bench: " << error.text << "\n";
    return misused;
  } catch (const std::exception& error) {
    std::cerr << "kontract_bench: " << error.what() << "\n";
    return failed;
  }
}
