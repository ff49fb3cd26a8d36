// SPDX-License-Identifier: BSD-3-Clause
#include "ExampleComparison.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace Example {
namespace {

using Member = double AssemblyTimes::*;

constexpr Member members[] = {&AssemblyTimes::geometry,     &AssemblyTimes::integration,
                              &AssemblyTimes::contractions, &AssemblyTimes::scatter,
                              &AssemblyTimes::direct,       &AssemblyTimes::total};

/// The repetitions of one way.
struct Samples {
  Times of[std::size(members)];

  void add(const AssemblyTimes& times, const Teuchos::Comm<int>& comm) {
    for (std::size_t i = 0; i < std::size(members); ++i) of[i].add(times.*members[i], comm);
  }
  AssemblyTimes medians() const {
    AssemblyTimes times;
    for (std::size_t i = 0; i < std::size(members); ++i) times.*members[i] = of[i].median();
    return times;
  }
};

void printTime(const Report& report, double seconds) {
  if (seconds > 0)
    report(" %9.2f ms", 1e3 * seconds);
  else
    report(" %12s", "-");
}

}  // namespace

void AssemblyComparison::run(int repetitions) {
  _repetitions = repetitions;
  const auto& comm = *_dofs.owned->getComm();
  std::vector<Samples> samples(_ways.size());
  for (int i = 0; i <= repetitions; ++i)
    for (std::size_t w = 0; w < _ways.size(); ++w) {
      auto& way = _ways[w];
      way.system = makeSystem(_dofs, _graph);
      const auto times = way.assemble(way.system);
      if (i > 0) samples[w].add(times, comm);
    }
  const System& reference = _ways.front().system;
  for (std::size_t w = 0; w < _ways.size(); ++w) {
    auto& way = _ways[w];
    way.times = samples[w].medians();
    way.matrix_difference = relativeDifference(*way.system.matrix, *reference.matrix);
    way.load_difference = relativeDifference(*way.system.load, *reference.load);
  }
}

const System& AssemblyComparison::system(const std::string& name) const {
  for (const auto& way : _ways)
    if (way.name == name) return way.system;
  throw std::logic_error("there is no way '" + name + "' to assemble");
}

void AssemblyComparison::requireEqual() const {
  constexpr double max_difference = 1e-12;
  const System& reference = _ways.front().system;
  require(
      std::isfinite(reference.matrix->getFrobeniusNorm()) && std::isfinite(reference.load->norm2()),
      "the matrix or the load is not finite");
  for (const auto& way : _ways)
    require(way.matrix_difference < max_difference && way.load_difference < max_difference,
            "what '" + way.name + "' and '" + _ways.front().name +
                "' assemble differs by more than 1e-12");
}

void AssemblyComparison::print(const Report& report, int workset_size, double plan_seconds) const {
  report("assembly    worksets of up to %d cells; median of %d\n", workset_size, _repetitions);
  report("    %-12s %12s %12s %12s %12s %12s %12s %8s %8s %8s\n", "", "geometry", "integration",
         "(contract.)", "scatter", "rest", "whole", "faster", "matrix", "load");
  const double reference = _ways.front().times.total;
  for (const auto& way : _ways) {
    const auto& t = way.times;
    report("    %-12s", way.name.c_str());
    // One kernel does it all where forms are direct.
    for (const double seconds :
         {t.geometry, t.integration + t.direct, t.contractions, t.scatter, t.rest(), t.total})
      printTime(report, seconds);
    report(" %7.2fx", reference / t.total);
    if (&way != &_ways.front()) report(" %8.1e %8.1e", way.matrix_difference, way.load_difference);
    report("\n");
  }
  report("    direct: forms add to the matrix where a plan says, which took %.2f ms once\n",
         1e3 * plan_seconds);
}

std::string AssemblyComparison::write(const std::string& base, const std::string& title) const {
  const auto& comm = *_dofs.owned->getComm();
  const std::string file = base + "_times.csv";
  std::string error;
  if (comm.getRank() == 0) {
    std::ofstream out(file);
    out << "# " << title << ", " << comm.getSize() << (comm.getSize() == 1 ? " rank" : " ranks")
        << "\nway,geometry,integration,scatter,direct,rest\n";
    for (const auto& way : _ways) {
      const auto& t = way.times;
      out << way.name << ',' << t.geometry << ',' << t.integration << ',' << t.scatter << ','
          << t.direct << ',' << t.rest() << '\n';
    }
    out.close();
    if (!out) error = "cannot write '" + file + "'";
  }
  throwTogether(comm, error);
  return file;
}

}  // namespace Example
