// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_ROW_HPP
#define KONTRACT_BENCH_ROW_HPP

#include <string>
#include <vector>

#include "Cases.hpp"
#include "Measure.hpp"

namespace KontractBench {

enum class Status { Ok, Refused, Wrong };

/// What one contestant did with one case.
struct Row {
  std::string contestant;
  bool is_peer = false;
  bool is_launch_only = false;     ///< the empty kernel, which does no work
  bool is_traffic_only = false;    ///< moves the arrays of the case, no more
  bool multiplies_output = false;  ///< by zero where it overwrites it
  Status status = Status::Ok;
  std::string reason;  ///< of a refusal, or what is wrong with the result
  std::string ran;     ///< the algorithm and settings that Kontract ran
  Timing timing;
  double gflops = 0;          ///< real additions and multiplications, 1e9 per second
  double gbytes = 0;          ///< that must move, 1e9 per second
  double roof = 0;            ///< least seconds that the machine allows over the seconds taken
  double over_intrepid2 = 0;  ///< speed-up; 0 where there is nothing to compare with
  double over_best_peer = 0;
  double of_limit = 0;  ///< time of arithmetic at its peak, or of the traffic alone if that is
                        ///< more, over the time taken; 0 where there is nothing to compare with
  double of_best = 0;   ///< time over that of Kontract's fastest contestant but Auto

  bool isTimed() const { return status == Status::Ok && timing.seconds > 0; }
  bool computes() const { return !is_launch_only && !is_traffic_only; }
};

/// One case in one scalar type and layout, by all contestants.
struct Result {
  Case one;
  ScalarKind scalar{};
  LayoutKind layout{};
  int copies = 1;
  double flops = 0;  ///< real additions and multiplications
  double bytes = 0;  ///< that must move
  double least_seconds = 0;
  double arithmetic_seconds = 0;  ///< at the machine's peak
  std::string best_peer;
  std::vector<Row> rows;

  /// Fills in what compares rows with each other.
  void compareRows();
  const Row* find(const std::string& contestant) const;
};

}  // namespace KontractBench

#endif
