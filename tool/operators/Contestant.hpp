// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_OPERATORS_CONTESTANT_HPP
#define KONTRACT_OPERATORS_CONTESTANT_HPP

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "Problem.hpp"

namespace KontractOperators {

/// What a contestant has computed.
struct Result {
  std::vector<double> entries;  ///< in the order of the problem; none: in an order of its own
  double figure = 0;            ///< that no order changes: of products x^T A x, of matrices their
                                ///< norm of Frobenius
};

/// One who computes an operation of a problem. It has all arrays that a call needs, on the default
/// execution space.
class Contestant {
 public:
  virtual ~Contestant() = default;
  /// One product or all matrices; need not wait.
  virtual void run() = 0;
  /// Of the last run, on the host.
  virtual Result result() = 0;
  /// What runs, where the library tells.
  virtual std::string ran() { return ""; }
};

/// A contestant that is made when its turn has come, so that the arrays of one are there at a time.
struct Offer {
  std::string name;
  Geometry geometry = Geometry::Factors;
  std::function<std::unique_ptr<Contestant>()> make;  ///< throws std::exception for what it cannot
};

}  // namespace KontractOperators

#endif
