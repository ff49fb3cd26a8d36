// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Times of repeated work over the ranks.
#ifndef EXAMPLE_TIMES_HPP
#define EXAMPLE_TIMES_HPP

#include <algorithm>
#include <vector>

#include "ExampleTypes.hpp"

namespace Example {

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
