// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The same system assembled in several ways: times side by side, and differences.
#ifndef EXAMPLE_COMPARISON_HPP
#define EXAMPLE_COMPARISON_HPP

#include <functional>
#include <string>
#include <vector>

#include "ExampleReport.hpp"
#include "ExampleSystem.hpp"
#include "ExampleTimes.hpp"

namespace Example {

/// Assembles a system in several ways. Functions are collective.
class AssemblyComparison {
 public:
  /// Assembles into a system of zeros. \return times of this rank
  using Assemble = std::function<AssemblyTimes(const System&)>;

  AssemblyComparison(const Dofs& dofs, const RCP<const Graph>& graph)
      : _dofs(dofs), _graph(graph) {}

  /// Adds a way. The first one is what others are compared with.
  void add(const std::string& name, const Assemble& assemble) { _ways.push_back({name, assemble}); }
  int numWays() const { return static_cast<int>(_ways.size()); }

  /// Assembles several times in each way, in turn, after one assembly each that is not timed.
  void run(int repetitions);

  /// What a way has assembled.
  const System& system(const std::string& name) const;

  /// \throws InputError if matrices or loads differ from those of the first way by more than 1e-12,
  ///   relative
  void requireEqual() const;

  /// A row of times and differences for each way.
  /// \param workset_size  in cells
  /// \param plan_seconds  to find where direct forms add, once
  void print(const Report& report, int workset_size, double plan_seconds) const;

  /// Writes the times for plot_assembly.py: a title, and a line for each way.
  /// \param base  path of the file without its ending
  /// \return the file
  /// \throws InputError if it cannot be written
  std::string write(const std::string& base, const std::string& title) const;

 private:
  struct Way {
    std::string name;
    Assemble assemble;
    System system{};
    /// Medians over the repetitions of the slowest rank's times.
    AssemblyTimes times{};
    double matrix_difference = 0;
    double load_difference = 0;
  };

  Dofs _dofs;
  RCP<const Graph> _graph;
  std::vector<Way> _ways;
  int _repetitions = 0;
};

}  // namespace Example

#endif
