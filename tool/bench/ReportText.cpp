// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <ostream>

#include "Contestants.hpp"
#include "Report.hpp"
#include "Text.hpp"

namespace KontractBench {
namespace {

std::string timeText(double seconds) {
  if (seconds < 1e-6) return format("%.1f ns", seconds * 1e9);
  if (seconds < 1e-3) return format("%.2f us", seconds * 1e6);
  if (seconds < 1) return format("%.2f ms", seconds * 1e3);
  return format("%.2f s ", seconds);
}

std::string ratioText(double ratio) { return ratio > 0 ? format("%.2f", ratio) : "-"; }

/// Of small work on a device: a call that is waited for, and one in a graph.
std::string waitingText(const Result& result, const Row& row) {
  if (on_host || !result.one.is_hot) return "";
  std::string text = "  waited for " + timeText(row.timing.latency);
  if (row.timing.replay > 0) text += ", in a graph " + timeText(row.timing.replay);
  return text;
}

std::string titleOf(const Result& result) {
  const Sizes& n = result.one.sizes;
  return result.one.label + "  [" + result.one.function() + " " + result.one.shape() +
         ", C=" + std::to_string(n.cells) + ", " + nameOf(result.scalar) + ", " +
         nameOf(result.layout) + ", " + digits(result.flops / result.bytes, 3) + " flops/byte, " +
         std::to_string(result.copies) + (result.copies == 1 ? " copy]" : " copies]");
}

/// Sums the times of a chain's calls for each contestant that made them all.
void printChains(std::ostream& out, const std::vector<Result>& results) {
  struct Sum {
    double seconds = 0, least = 0;
    int calls = 0;
  };
  std::map<std::string, std::map<std::string, Sum>> chains;
  std::map<std::string, int> lengths;
  for (const Result& result : results) {
    if (result.one.chain.empty()) continue;
    const std::string chain =
        result.one.chain + ", " + nameOf(result.scalar) + ", " + nameOf(result.layout);
    ++lengths[chain];
    for (const Row& row : result.rows) {
      if (!row.isTimed() || !row.computes()) continue;
      Sum& sum = chains[chain][row.contestant];
      sum.seconds += row.timing.seconds;
      sum.least += result.least_seconds;
      ++sum.calls;
    }
  }
  for (const auto& [chain, sums] : chains) {
    out << "\nAll " << lengths[chain] << " calls of " << chain << ":\n";
    for (const auto& [contestant, sum] : sums) {
      if (sum.calls != lengths[chain]) continue;
      out << format("  %-34s %12s  roof %.2f\n", contestant.c_str(), timeText(sum.seconds).c_str(),
                    sum.least / sum.seconds);
    }
  }
}

/// How far Auto is from the best of the algorithms listed with it.
void printAutomatic(std::ostream& out, const std::vector<Result>& results) {
  const Result* worst = nullptr;
  double most = 0;
  int count = 0, within = 0;
  std::vector<std::string> slow;
  for (const Result& result : results) {
    const Row* const row = result.find(automatic_name);
    if (row == nullptr || !row->isTimed() || row->of_best <= 0) continue;
    ++count;
    const double excess = row->of_best - 1;
    if (excess <= 0.05) {
      ++within;
    } else {
      slow.push_back(format("  %+6.1f %%  ", 100 * excess) + result.one.label +
                     ", C=" + std::to_string(result.one.sizes.cells) + ", " +
                     nameOf(result.scalar) + ", " + nameOf(result.layout) + ": ran " + row->ran);
    }
    if (worst == nullptr || excess > most) worst = &result, most = excess;
  }
  if (worst == nullptr) return;
  if (!slow.empty()) {
    out << "\nAuto took more than 5 % longer than the best algorithm listed on:\n";
    for (const std::string& line : slow) out << line << "\n";
  }
  out << format(
      "\nAuto is within 5 %% of the best algorithm listed on %d of %d rows; at most it is "
      "%+.1f %% (%s).\n",
      within, count, 100 * most, worst->one.label.c_str());
}

}  // namespace

void printContext(std::ostream& out, const Context& context) {
  for (const auto& [name, value] : context) out << format("%-14s ", name.c_str()) << value << "\n";
}

void printHeader(std::ostream& out) {
  out << format("\n%-34s %12s %8s %8s %8s %6s %9s %9s %7s\n", "contestant", "time", "spread",
                "GF/s", "GB/s", "roof", "/Intrep.2", "/peer", "/best");
}

void printResult(std::ostream& out, const Result& result) {
  out << titleOf(result) << "\n";
  // Peers that cannot do the case, by reason, in a line each.
  std::map<std::string, std::vector<std::string>> refusals;
  for (const Row& row : result.rows) {
    if (row.is_peer && row.status == Status::Refused) {
      refusals[row.reason].push_back(row.contestant);
      continue;
    }
    out << format("  %-32s ", row.contestant.c_str());
    if (row.status == Status::Refused) {
      out << "refused: " << row.reason << "\n";
    } else if (row.status == Status::Wrong) {
      out << "WRONG: " << row.reason << "\n";
    } else {
      out << format("%12s %6.1f %%", timeText(row.timing.seconds).c_str(), 100 * row.timing.spread);
      if (row.is_launch_only) {
        out << waitingText(result, row) << "\n";
        continue;
      }
      out << format(" %8.2f %8.2f %6.2f %9s %9s %7s", row.gflops, row.gbytes, row.roof,
                    ratioText(row.over_intrepid2).c_str(), ratioText(row.over_best_peer).c_str(),
                    ratioText(row.of_best).c_str());
      if (row.contestant == automatic_name) out << "  ran " << row.ran;
      out << waitingText(result, row) << "\n";
    }
  }
  for (const auto& [reason, names] : refusals) {
    out << "  refused by " << join(names, ", ") << ": " << reason << "\n";
  }
  out.flush();
}

void printSummary(std::ostream& out, const std::vector<Result>& results) {
  printChains(out, results);
  printDistributions(out, results);
  printAutomatic(out, results);
}

}  // namespace KontractBench
