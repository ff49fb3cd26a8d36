// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_OPTIONS_HPP
#define KONTRACT_OPTIONS_HPP

#include <iosfwd>
#include <string>
#include <vector>

#include "Kontract_AlgorithmList.hpp"
#include "Kontract_Signature.hpp"

namespace Teuchos {
class ParameterList;
}

namespace Kontract {

namespace Impl {

/// How teams and blocks are sized; 0 leaves the choice to the algorithm.
struct LaunchSettings {
  int team_size = 0, vector_length = 0, cells_per_team = 0, max_threads = 0, min_blocks = 0;
  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor("Team Size", team_size, "threads per team (0 = choose)");
    visitor("Vector Length", vector_length, "lanes per thread (0 = choose)");
    visitor("Cells Per Team", cells_per_team, "cells that a team works on (0 = choose)");
    visitor("Max Threads", max_threads, "launch bound: threads per block (0 = choose)");
    visitor("Min Blocks", min_blocks, "launch bound: blocks per multiprocessor (0 = choose)");
  }
};

/// What a caller wants of one operation.
struct Wish {
  static constexpr int automatic = -1;
  int algorithm = automatic;  ///< place in the list of algorithms
  AlgorithmSettings settings;
  LaunchSettings launch;
};

}  // namespace Impl

/// How operations are to run: the algorithm and its settings, for all operations or for one.
///
/// A ParameterList is parsed once into this plain object; give the object, not the list, to calls
/// in an assembly loop. The list (names, types, ranges, documentation) is validParameters().
class Options {
 public:
  /// Everything is chosen automatically.
  Options();

  /// \param list  a list as validParameters() describes it, or one whose only entry is a sublist
  ///   "Kontract" of that kind
  /// \throws std::invalid_argument for unknown names (the valid ones are listed), wrong types and
  ///   values out of range
  Options(const Teuchos::ParameterList& list);  // NOLINT: a list may stand wherever options do

  /// Reads a list from a file, in YAML if its name ends in .yaml or .yml and in XML otherwise.
  /// \throws std::invalid_argument when the file cannot be read, or as the constructor does
  static Options fromFile(const std::string& file);

  /// All parameters with their defaults, documentation and validators.
  static const Teuchos::ParameterList& validParameters();

  /// Prints all parameters with their types, defaults, valid values and documentation.
  static void printDocumentation(std::ostream& out);

  /// Names of the algorithms that "Algorithm" takes besides "Auto".
  static std::vector<std::string> algorithmNames();

  const Impl::Wish& of(Impl::Operation operation) const;

 private:
  Impl::Wish _general;
  std::vector<Impl::Wish> _special;  ///< one for each operation if any has a sublist of its own
};

/// Sets what calls without options use from now on, in this process. Safe to call while other
/// threads make calls; each call sees the old options or the new ones.
void setDefaultOptions(const Options& options);

/// What calls without options use: the last setDefaultOptions; else the file that the environment
/// variable KONTRACT_OPTIONS names; else Options().
/// \throws std::invalid_argument if that file cannot be used
const Options& defaultOptions();

}  // namespace Kontract

#endif
