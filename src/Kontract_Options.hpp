// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_OPTIONS_HPP
#define KONTRACT_OPTIONS_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include <iosfwd>
#include <string>
#include <vector>

#include "detail/algorithms/Kontract_AlgorithmList.hpp"
#include "detail/problem/Kontract_Signature.hpp"

namespace Teuchos {
class ParameterList;
}

namespace Kontract {

namespace Impl {

class Tuner;

/// What a caller wants of one operation.
struct Request {
  static constexpr int automatic = -1;
  int algorithm = automatic;  ///< place in the list of algorithms
  AlgorithmSettings settings;
  LaunchSettings launch;
  Tuner* tuner = nullptr;  ///< where to look for a measured choice; null: nowhere
  bool measures = false;   ///< and to measure one where there is none

  /// Whether a measured choice is wanted: an algorithm asked for by name needs none.
  bool isTuned() const { return tuner != nullptr && algorithm == automatic; }

  /// What algorithm i of the list is told.
  template <int i>
  auto plan() const {
    using Settings = std::tuple_element_t<i, AlgorithmSettings>;
    return Plan<Settings>{std::get<i>(settings), launch};
  }
};

/// Writes an algorithm and those of its settings, and of the launch's, that are given into a list,
/// in the form that Options takes.
void writeRequest(const Request& request, Teuchos::ParameterList& list);

/// The inverse of writeRequest().
/// \throws std::invalid_argument if the list holds anything else, or does not fit this build
Request requestOf(const Teuchos::ParameterList& list);

}  // namespace Impl

/// How operations are to run: the algorithm and its settings, for all operations or for one.
///
/// A ParameterList is parsed once into this plain object; give the object, not the list, to calls
/// in an assembly loop. The list (names, types, ranges, documentation) is validParameters().
///
/// All of this may be done in several threads at once, with lists of their own or with one that
/// none of them changes. Threads that parse wait for each other, because Teuchos is not made for
/// several.
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

  /// All parameters with their defaults, documentation and validators. Several threads may copy the
  /// list at once.
  static const Teuchos::ParameterList& validParameters();

  /// Prints all parameters with their types, defaults, valid values and documentation.
  static void printDocumentation(std::ostream& out);

  /// Names of the algorithms that "Algorithm" takes besides "Auto".
  static std::vector<std::string> algorithmNames();

  /// What holds for one function.
  const Impl::Request& of(Impl::Operation operation) const;
  /// What holds for all operations that have no sublist of their own.
  const Impl::Request& general() const { return _general; }

 private:
  Impl::Request _general;
  std::vector<Impl::Request> _special;  ///< one for each operation if any has a sublist of its own
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
