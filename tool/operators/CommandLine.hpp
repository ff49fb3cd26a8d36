// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_OPERATORS_COMMANDLINE_HPP
#define KONTRACT_OPERATORS_COMMANDLINE_HPP

#include <string>
#include <vector>

#include "Problem.hpp"
#include "Timing.hpp"

namespace KontractOperators {

/// What the user wants to have measured.
struct Wishes {
  std::vector<int> orders;
  int more_points = 2;  ///< points of a direction beyond the order
  std::vector<Operation> operations;
  std::vector<bool> scalars;  ///< whether they are float
  std::vector<std::string> resources;
  bool has_mfem = true;
  double bytes = 0;  ///< of the largest array of a contestant, about
  Patience patience;
  std::string csv_file;
};

/// Wrong input of the user: what is wrong, and what would be right.
struct UsageError {
  std::string text;
};

/// Prints help where it is asked for.
/// \throws UsageError for what cannot be understood
Wishes wishesFrom(int argc, char* argv[]);

}  // namespace KontractOperators

#endif
