// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Times of the parts of an assembly, and of repeated work over the ranks.
#ifndef EXAMPLE_TIMES_HPP
#define EXAMPLE_TIMES_HPP

#include <algorithm>
#include <vector>

#include "ExampleTypes.hpp"

#include "Kokkos_Timer.hpp"

namespace Example {

/// Where an assembly spends its time, in seconds.
struct AssemblyTimes {
  double geometry = 0;      ///< from the nodes to places, Jacobians, inverses and determinants
  double integration = 0;   ///< from these and the basis to element matrices and loads
  double contractions = 0;  ///< of it, what sums over points
  double scatter = 0;       ///< adding them to the matrix and the load
  double direct = 0;        ///< forms that do all of this in one kernel
  double total = 0;         ///< with coefficients, zeros, and the exchange between ranks

  double rest() const { return std::max(0.0, total - geometry - integration - scatter - direct); }
};

/// Calls an action and adds its seconds to a sum.
template <class Action>
void addSeconds(double& sum, const Action& action) {
  ExecutionSpace().fence();
  const Kokkos::Timer timer;
  action();
  ExecutionSpace().fence();
  sum += timer.seconds();
}

/// Seconds of the slowest rank in each repetition.
class Times {
 public:
  /// Collective.
  void add(double seconds, const Teuchos::Comm<int>& comm) {
    double slowest = 0;
    Teuchos::reduceAll(comm, Teuchos::REDUCE_MAX, seconds, Teuchos::outArg(slowest));
    _values.push_back(slowest);
  }

  /// Of at least one repetition.
  double median() const {
    auto values = _values;
    const auto middle = values.begin() + values.size() / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }

 private:
  std::vector<double> _values;
};

}  // namespace Example

#endif
