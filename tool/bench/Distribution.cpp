// SPDX-License-Identifier: BSD-3-Clause
//
// What many cases come to: how near to the roofline Auto is in the middle and at the bottom, and
// where somebody else is faster.

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "Contestants.hpp"
#include "Report.hpp"
#include "Text.hpp"

namespace KontractBench {
namespace {

constexpr std::size_t least_cases = 10, most_listed = 10;

/// Auto's row of a case.
struct Place {
  const Result* result;
  const Row* row;

  bool isOfFields() const {
    return std::string(result->one.function()).rfind("contractFieldField", 0) == 0;
  }
  /// Auto's time over that of the best peer; 0 if there is none.
  double behind() const { return row->over_best_peer > 0 ? 1 / row->over_best_peer : 0; }
};
using Places = std::vector<Place>;

void sortByRoof(Places& places) {
  std::stable_sort(places.begin(), places.end(),
                   [](const Place& a, const Place& b) { return a.row->roof < b.row->roof; });
}

/// The same as shares of what arithmetic and the traffic alone take.
void printLimits(std::ostream& out, const Places& places) {
  std::vector<double> shares;
  for (const Place& place : places) {
    if (place.row->of_limit > 0) shares.push_back(place.row->of_limit);
  }
  if (shares.empty()) return;
  std::sort(shares.begin(), shares.end());
  const std::size_t count = shares.size();
  out << format("  %-44s %4zu   median %.2f   tenth percentile %.2f   least %.2f\n",
                "    of arithmetic at peak or the traffic alone", count, shares[count / 2],
                shares[count / 10], shares[0]);
}

/// \param places  by roof
void printShares(std::ostream& out, const std::string& what, const Places& places) {
  if (places.empty()) return;
  const std::size_t count = places.size();
  out << format("  %-44s %4zu   median %.2f   tenth percentile %.2f   least %.2f\n", what.c_str(),
                count, places[count / 2].row->roof, places[count / 10].row->roof,
                places[0].row->roof);
  printLimits(out, places);
}

void printBehind(std::ostream& out, const Places& places) {
  struct Behind {
    int cases = 0;
    double most = 0;
  };
  std::map<std::string, Behind> peers;
  int compared = 0, all = 0;
  for (const Place& place : places) {
    if (place.row->over_best_peer <= 0) continue;
    ++compared;
    if (place.behind() <= 1) continue;
    ++all;
    Behind& behind = peers[place.result->best_peer];
    ++behind.cases;
    behind.most = std::max(behind.most, place.behind());
  }
  if (compared == 0) return;
  out << format("  behind the best peer on %d of %d", all, compared);
  for (const auto& [name, behind] : peers) {
    out << format("; %s on %d, by up to %.2f times", name.c_str(), behind.cases, behind.most);
  }
  out << "\n";
}

void printWorst(std::ostream& out, const Places& places) {
  out << "  the farthest from the roofline:\n";
  for (std::size_t i = 0; i < places.size() && i < most_listed; ++i) {
    const Result& result = *places[i].result;
    out << format("    %.2f  ", places[i].row->roof) << result.one.label
        << ", C=" << result.one.sizes.cells << ": ran " << places[i].row->ran;
    if (places[i].behind() > 1) {
      out << format("; %.2f times the time of ", places[i].behind()) << result.best_peer;
    }
    out << "\n";
  }
}

}  // namespace

void printDistributions(std::ostream& out, const std::vector<Result>& results) {
  std::map<std::tuple<std::string, ScalarKind, LayoutKind>, Places> groups;
  for (const Result& result : results) {
    const Row* const row = result.find(automatic_name);
    if (row == nullptr || !row->isTimed() || result.one.is_hot) continue;
    groups[{result.one.suite, result.scalar, result.layout}].push_back({&result, row});
  }
  for (auto& [key, places] : groups) {
    if (places.size() < least_cases) continue;
    const auto& [suite, scalar, layout] = key;
    out << "\nRoof of Auto over the cases of " << suite << ", " << nameOf(scalar) << ", "
        << nameOf(layout) << ":\n";
    sortByRoof(places);
    Places of_fields, others;
    for (const Place& place : places) (place.isOfFields() ? of_fields : others).push_back(place);
    printShares(out, "all", places);
    printShares(out, "contractions of fields with fields", of_fields);
    printShares(out, "other contractions and pointwise functions", others);
    printBehind(out, places);
    printWorst(out, places);
  }
}

}  // namespace KontractBench
