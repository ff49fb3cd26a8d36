// SPDX-License-Identifier: BSD-3-Clause
//
// kontract_operators: times matrix-free products and element matrices of diffusion by Kontract, and
// by libCEED and MFEM where they were found, in one process.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <fstream>
#include <iostream>
#include <limits>
#include <stdexcept>

#include "CommandLine.hpp"
#include "Peers.hpp"
#include "Report.hpp"

namespace KontractOperators {
namespace {

constexpr int failed = 1, misused = 2;

/// The largest difference, as a part of the largest number; of results in another order, of their
/// figures.
double difference(const Result& of, const Result& from) {
  if (of.entries.empty() || from.entries.empty()) return std::abs(of.figure / from.figure - 1);
  if (of.entries.size() != from.entries.size()) return std::numeric_limits<double>::infinity();
  double largest = 0, distance = 0;
  for (std::size_t i = 0; i < of.entries.size(); ++i) {
    largest = std::max(largest, std::abs(from.entries[i]));
    const double here = std::abs(of.entries[i] - from.entries[i]);
    // Once there is a NaN, that.
    if (!std::isnan(distance) && !(here <= distance)) distance = here;
  }
  return distance / largest;
}

/// More than this is no rounding.
double tolerance(bool is_single) {
  constexpr double roundings = 3e4;
  return roundings * (is_single ? double(std::numeric_limits<float>::epsilon())
                                : std::numeric_limits<double>::epsilon());
}

class Contest {
 public:
  Contest(const Wishes& wishes, double copy_rate) : _wishes(wishes), _copy_rate(copy_rate) {}

  void run() {
    for (const bool is_single : _wishes.scalars) {
      for (const Operation operation : _wishes.operations) {
        printHeader(std::cout, operation, is_single);
        for (const int order : _wishes.orders) run(operation, order, is_single);
      }
    }
  }

  const std::vector<Row>& rows() const { return _rows; }
  bool allRight() const {
    return std::none_of(_rows.begin(), _rows.end(),
                        [](const Row& row) { return row.status == "wrong"; });
  }

 private:
  void run(Operation operation, int order, bool is_single) {
    const int points = order + _wishes.more_points;
    const int side = sideFor(_wishes.bytes, operation, order, points, is_single ? 4 : 8);
    const Problem problem(operation, order, points, side, is_single);
    std::vector<Row> rows;
    std::vector<std::unique_ptr<Contestant>> contestants;  // those that are timed
    std::vector<std::size_t> row_of;
    Result first;
    for (const Offer& offer : offersFor(problem)) {
      rows.push_back(rowOf(problem, offer));
      std::unique_ptr<Contestant> contestant = entered(offer, rows.back(), first);
      if (!contestant) continue;
      contestants.push_back(std::move(contestant));
      row_of.push_back(rows.size() - 1);
    }
    std::vector<Contestant*> all;
    for (const auto& contestant : contestants) all.push_back(contestant.get());
    const std::vector<Timing> timings = measure(all, _wishes.patience);
    for (std::size_t i = 0; i < all.size(); ++i) rows[row_of[i]].timing = timings[i];
    for (const Row& row : rows) printRow(std::cout, row);
    _rows.insert(_rows.end(), rows.begin(), rows.end());
  }

  /// Makes a contestant, runs it once and compares with the first one's result, or keeps that.
  /// \return it if it is to be timed
  std::unique_ptr<Contestant> entered(const Offer& offer, Row& row, Result& first) const {
    try {
      std::unique_ptr<Contestant> contestant = offer.make();
      row.timing.seconds = secondsOf(*contestant);
      row.ran = contestant->ran();
      Result result = contestant->result();
      if (first.entries.empty()) {
        first = std::move(result);
      } else {
        row.difference = difference(result, first);
        if (!(row.difference < tolerance(row.is_single))) row.status = "wrong";
      }
      if (row.timing.seconds < _wishes.patience.once) return contestant;
    } catch (const std::exception& error) {
      row.status = "refused";
      row.reason = error.what();
      row.timing = Timing();
    }
    return nullptr;
  }

  std::vector<Offer> offersFor(const Problem& problem) const {
    std::vector<Offer> offers = kontractOffers(problem);
    const auto add = [&](const std::vector<Offer>& more) {
      offers.insert(offers.end(), more.begin(), more.end());
    };
#ifdef KONTRACT_OPERATORS_HAVE_CEED
    add(ceedOffers(problem, _wishes.resources));
#endif
#ifdef KONTRACT_OPERATORS_HAVE_MFEM
    if (_wishes.has_mfem) add(mfemOffers(problem));
#endif
    static_cast<void>(add);
    return offers;
  }

  Row rowOf(const Problem& problem, const Offer& offer) const {
    Row row;
    row.contestant = offer.name;
    row.operation = problem.operation;
    row.geometry = offer.geometry;
    row.is_single = problem.is_single;
    row.order = problem.order;
    row.line_points = problem.line_points;
    row.cells = problem.cells();
    row.unknowns = problem.unknowns();
    row.bytes = problem.bytes(offer.geometry);
    row.copy_rate = _copy_rate;
    return row;
  }

  const Wishes& _wishes;
  double _copy_rate;
  std::vector<Row> _rows;
};

std::string gigabytes(double rate) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", rate * 1e-9);
  return text;
}

int runAll(const Wishes& wishes) {
  // Opened first, so that nobody waits for a name that fails.
  std::ofstream file;
  if (!wishes.csv_file.empty()) {
    file.open(wishes.csv_file);
    if (!file) throw std::runtime_error("cannot write the file '" + wishes.csv_file + "'");
  }
  Context context = machineContext();
  const double rate = copyRate(wishes.patience);
  context.emplace_back("copy_gbytes", gigabytes(rate));
  printContext(std::cout, context);
  Contest contest(wishes, rate);
  contest.run();
  context.emplace_back("copy_gbytes_after", gigabytes(copyRate(wishes.patience)));
  std::cout << "\ncopying at the end: " << context.back().second << " GB/s\n";
  if (file.is_open()) writeCsv(file, context, contest.rows());
  if (contest.allRight()) return 0;
  std::cerr << "kontract_operators: results disagree; see the rows that are WRONG\n";
  return failed;
}

}  // namespace
}  // namespace KontractOperators

int main(int argc, char* argv[]) {
  using namespace KontractOperators;
  try {
    // Kokkos has help of its own; ours needs no Kokkos.
    const auto isHelp = [](const char* argument) { return std::string(argument) == "--help"; };
    if (std::any_of(argv, argv + argc, isHelp)) {
      wishesFrom(argc, argv);
      return 0;
    }
    const Kokkos::ScopeGuard kokkos(argc, argv);
    return runAll(wishesFrom(argc, argv));
  } catch (const UsageError& error) {
    std::cerr << "kontract_operators: " << error.text << "\n";
    return misused;
  } catch (const std::exception& error) {
    std::cerr << "kontract_operators: " << error.what() << "\n";
    return failed;
  }
}
