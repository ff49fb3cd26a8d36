// SPDX-License-Identifier: BSD-3-Clause
#include "CommandLine.hpp"

#include <Teuchos_CommandLineProcessor.hpp>
#include <algorithm>
#include <sstream>

#include "RandomSuite.hpp"
#include "Replay.hpp"

namespace KontractBench {
namespace {

constexpr const char* examples =
    "Times Kontract's algorithms and other libraries on the same arrays, and sets each time "
    "against "
    "what the machine can do.\n\n"
    "Examples:\n"
    "  kontract_bench --suite=table --csv=table.csv\n"
    "  kontract_bench --suite=small --peers=Intrepid2\n"
    "  kontract_bench --suite=random --shapes=100 --scalar=float --layout=left --algorithms=Auto\n"
    "  kontract_bench --suite=seeds --peers=none --csv=seeds.csv --json=seeds.json\n"
    "  kontract_bench --function=contractFieldFieldVector --sizes=L=8,R=8,P=27,D=3 "
    "--scalar=float,double\n"
    "  kontract_bench --function=matvecProductDataField --shape=\"CFPD=CpDE*FPE\" --transpose \\\n"
    "                 --sizes=C=4000,F=8,P=8,D=3 --layout=right,left,strided\n"
    "  kontract_bench --suite=table --algorithms=\"Auto,MDRange:Tile C=4:Tile L=8\" "
    "--options=mine.xml\n\n"
    "Roof is the larger of flops / peak and bytes / copy bandwidth, both measured first, over the "
    "time: 1 "
    "is the best there can be. Copies of the arrays are used in turn, so that data come from "
    "memory.\n";

/// Text in lines of the width that Teuchos leaves for it.
std::string wrapped(const std::string& text) {
  constexpr std::size_t width = 80;
  const std::string indent = "\n" + std::string(39, ' ');
  std::string result;
  std::size_t column = 0;
  for (const std::string& word : split(text, ' ')) {
    if (column > 0 && column + 1 + word.size() > width) {
      result += indent;
      column = 0;
    }
    if (column > 0) result += ' ', ++column;
    result += word;
    column += word.size();
  }
  return result;
}

std::string listed(const std::vector<std::string>& names) { return join(names, ", "); }

std::vector<std::string> suiteNames() {
  std::vector<std::string> names;
  for (const Suite& suite : suites()) names.push_back(suite.name);
  return names;
}

/// Names of an enumeration, separated by commas.
template <class Kind>
std::vector<Kind> kindsFrom(const std::string& text, const std::vector<std::string>& names,
                            const char* what) {
  std::vector<Kind> kinds;
  for (const std::string& name : split(text, ','))
    kinds.push_back(Kind(placeOf(name, names, what)));
  return kinds;
}

std::vector<Contestant> contestantsFrom(const std::string& algorithms, const std::string& file) {
  std::vector<Contestant> contestants;
  for (const std::string& name : algorithms == "all" ? algorithmNames() : split(algorithms, ',')) {
    contestants.push_back(contestantFrom(name));
  }
  if (!file.empty()) contestants.push_back(contestantFromFile(file));
  if (contestants.empty()) throw UsageError{"there is no algorithm in --algorithms"};
  return contestants;
}

std::vector<Peer> peersFrom(const std::string& text) {
  const std::vector<Peer> available = availablePeers();
  if (text == "all") return available;
  if (text == "none") return {};
  std::vector<Peer> peers = kindsFrom<Peer>(text, peerNames(), "peer");
  for (const Peer peer : peers) {
    if (std::find(available.begin(), available.end(), peer) == available.end()) {
      throw UsageError{"the peer '" + nameOf(peer) + "' was not found when this was built"};
    }
  }
  return peers;
}

}  // namespace

Wishes wishesFrom(int argc, char* argv[]) {
  Wishes wishes;
  std::string suite, function, shape, sizes, algorithms = "all", options, peers = "all", scalars,
                                             layouts = "right";
  bool transpose = false, reciprocal = false, sum_into = false, one_point = false, hot = false;
  double memory = on_host ? 16 : 2000, rotate = -1, limit = 0;
  int seed = 0;
  wishes.draw.shapes = 40;
  std::string suite_doc = "What to time:";
  for (const Suite& one : suites()) suite_doc += " " + one.name + " (" + one.doc + ");";
  suite_doc += " or --function";
  const std::string function_doc = "One function of ArrayTools: " + listed(functionNames());
  const std::string algorithm_doc =
      "Names separated by commas, or all: " + listed(algorithmNames()) +
      "; settings follow as Name:Setting=value, those of another group as "
      "Name:Launch/Setting=value";
  std::vector<std::string> peer_names;
  for (const Peer peer : availablePeers()) peer_names.push_back(nameOf(peer));
  const std::string peer_doc = "Names separated by commas, all or none: " + listed(peer_names);
  const std::string scalar_doc = "Separated by commas: " + listed(scalarNames()) +
                                 "; without it double, and float for what is about it";
  const std::string layout_doc = "Separated by commas: " + listed(layoutNames());

  Teuchos::CommandLineProcessor processor(false, true, false);
  processor.setDocString(examples);
  processor.setOption("suite", &suite, wrapped(suite_doc).c_str());
  processor.setOption("function", &function, wrapped(function_doc).c_str());
  processor.setOption(
      "shape", &shape,
      wrapped("Shape for --function, as the error for a wrong one lists them; the first if "
              "empty")
          .c_str());
  processor.setOption(
      "sizes", &sizes,
      wrapped("Sizes for --function: C cells, L, R or F fields, P points, D, E, G dimensions; C "
              "is chosen by --memory if it is not given")
          .c_str());
  processor.setOption("seed", &seed,
                      "Seed of --suite=random, whose shapes follow from it; 0: today's date");
  processor.setOption("shapes", &wishes.draw.shapes, "How many shapes --suite=random draws");
  processor.setOption("sum-into", "overwrite", &sum_into, "Add to the output of a contraction");
  processor.setOption("reciprocal", "direct", &reciprocal, "Divide, in scalar multiples");
  processor.setOption("transpose", "no-transpose", &transpose, "Transpose the matrix");
  processor.setOption("one-point", "all-points", &one_point, "Data with one point for all");
  processor.setOption("algorithms", &algorithms, wrapped(algorithm_doc).c_str());
  processor.setOption("options", &options,
                      "A file of options, XML or YAML, as one more contestant");
  processor.setOption("peers", &peers, wrapped(peer_doc).c_str());
  processor.setOption("scalar", &scalars, wrapped(scalar_doc).c_str());
  processor.setOption("layout", &layouts, wrapped(layout_doc).c_str());
  processor.setOption("memory", &memory, "MB of the arrays of a case whose cells are open");
  wishes.patience.once = on_host ? 0 : 0.2;
  processor.setOption("once", &wishes.patience.once,
                      wrapped("Who takes more seconds for the first call is not called again; 0: "
                              "everybody is")
                          .c_str());
  processor.setOption(
      "rotate", &rotate,
      wrapped("MB of all copies of the arrays, used in turn; negative: four times the largest "
              "cache; 0: one copy")
          .c_str());
  processor.setOption("hot", "cold", &hot, "One copy, so that small cases stay in cache");
  processor.setOption("limit", &limit, "Leave out cases whose arrays take more MB; 0: no limit");
  processor.setOption("min-time", &wishes.patience.seconds, "Seconds of each repetition at least");
  processor.setOption("repetitions", &wishes.patience.repetitions,
                      "How often to measure; the median counts");
  processor.setOption("roofline-time", &wishes.roofline_seconds,
                      "Seconds to measure each rate of the machine for");
  if (canReplay()) {
    processor.setOption("replay", "no-replay", &wishes.patience.replays,
                        "Time calls within a replayed graph too");
  }
  processor.setOption("csv", &wishes.csv_file, "File for all rows");
  processor.setOption("json", &wishes.json_file, "File for all rows");
  std::ostringstream errors;
  switch (processor.parse(argc, argv, &errors)) {
    case Teuchos::CommandLineProcessor::PARSE_SUCCESSFUL: break;
    case Teuchos::CommandLineProcessor::PARSE_HELP_PRINTED:
      processor.printHelpMessage("kontract_bench", std::cout);
      wishes.has_help = true;
      return wishes;
    default: throw UsageError{errors.str() + "kontract_bench --help lists what there is"};
  }

  if (seed < 0 || wishes.draw.shapes < 1) {
    throw UsageError{"--shapes must be positive, and --seed not negative"};
  }
  wishes.draw.seed = seed == 0 ? seedOfTheDay() : std::uint64_t(seed);
  if (suite.empty() == function.empty()) {
    throw UsageError{"give either --suite or --function; kontract_bench --help has examples"};
  }
  if (!suite.empty()) {
    for (const std::string& name : split(suite, ',')) {
      const Suite& found = suites()[placeOf(name, suiteNames(), "suite")];
      wishes.is_drawn = wishes.is_drawn || name.rfind("random", 0) == 0;
      for (Case& one : found.cases(wishes.draw)) {
        one.suite = name;
        wishes.cases.push_back(one);
      }
    }
    if (!shape.empty() || !sizes.empty())
      throw UsageError{"--shape and --sizes go with --function"};
  } else {
    Case one = makeCase(function, function, shape, sizesFrom(sizes));
    one.suite = "own";
    one.one_point = one_point;
    one.yes = sum_into || reciprocal;
    one.is_transposed = transpose;
    if (one.yes && !one.takesYes()) throw UsageError{function + " neither sums nor divides"};
    if (one.is_transposed && !one.takesTranspose()) {
      throw UsageError{function + " has no transpose"};
    }
    wishes.cases.push_back(one);
  }
  if (hot) rotate = 0;
  wishes.contestants = contestantsFrom(algorithms, options);
  wishes.peers = peersFrom(peers);
  wishes.scalars = kindsFrom<ScalarKind>(scalars, scalarNames(), "scalar");
  wishes.layouts = kindsFrom<LayoutKind>(layouts, layoutNames(), "layout");
  if (wishes.patience.repetitions < 1 || !(wishes.patience.seconds > 0) || !(memory > 0)) {
    throw UsageError{"--repetitions, --min-time and --memory must be positive"};
  }
  wishes.case_bytes = memory * 1e6;
  wishes.rotate_bytes = rotate * 1e6;
  wishes.most_bytes = limit * 1e6;
  return wishes;
}

}  // namespace KontractBench
