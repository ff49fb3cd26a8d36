// SPDX-License-Identifier: BSD-3-Clause
//
// Measures the fastest algorithms for given shapes and adds them to a tuning table.

#include <Kokkos_Core.hpp>
#include <Teuchos_CommandLineProcessor.hpp>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "Kontract_Tuning.hpp"
#include "TuneReport.hpp"
#include "TuneRequest.hpp"
#include "TuneRun.hpp"

namespace KontractTune {
namespace {

constexpr const char* documentation =
    "Measures which algorithm is the fastest for given shapes and adds it to a tuning table, "
    "which\n"
    "calls with the option \"Tuning\": \"Mode\" = Read use. Lists are separated by commas and "
    "taken\n"
    "each with each. Examples:\n\n"
    "  kontract_tune --operations=contractFieldFieldVector --cells=100,10000 --left=8 --points=8\n"
    "  kontract_tune --set=workloads --scalars=float,double --layouts=right,left\n"
    "  kontract_tune --list=shapes.xml --file=cluster.xml\n\n"
    "where shapes.xml holds a sublist for each request, its entries called as the options:\n\n"
    "  <ParameterList name=\"Shapes\">\n"
    "    <ParameterList name=\"stiffness\">\n"
    "      <Parameter name=\"Operations\" type=\"string\" value=\"contractFieldFieldVector\"/>\n"
    "      <Parameter name=\"Cells\" type=\"string\" value=\"100,2000\"/>\n"
    "      <Parameter name=\"Left\" type=\"int\" value=\"27\"/>\n"
    "    </ParameterList>\n"
    "  </ParameterList>\n";

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

int run(int argc, char* argv[]) {
  Request request;
  std::string list, set, file;
  double memory = on_host ? 2 : 16, fill = on_host ? 16 : 1000;
  Teuchos::CommandLineProcessor arguments(false);
  arguments.setDocString(documentation);
  arguments.setOption("operations", &request.operations,
                      ("functions of ArrayTools: " + joined(operationNames())).c_str());
  arguments.setOption("cells", &request.cells, "numbers of cells; 0: what fills --fill");
  arguments.setOption("left", &request.left, "numbers of left fields, or of the only fields");
  arguments.setOption("right", &request.right, "numbers of right fields; 0: as many as left");
  arguments.setOption("points", &request.points, "numbers of points");
  arguments.setOption("dims", &request.dims, "space dimensions");
  arguments.setOption("scalars", &request.scalars, joined(scalarNames()).c_str());
  arguments.setOption("layouts", &request.layouts, joined(layoutNames()).c_str());
  arguments.setOption("list", &list, "XML file of shapes; what it leaves open is taken from here");
  arguments.setOption("set", &set,
                      ("a set of shapes by name, with the cells, scalars and layouts given here: " +
                       joined(setNames()))
                          .c_str());
  arguments.setOption("file", &file,
                      "the tuning table; empty: $KONTRACT_TUNING or kontract_tuning.xml");
  arguments.setOption("memory", &memory, "GB that the arrays of a shape may take");
  arguments.setOption("fill", &fill, "MB of the arrays of a shape whose cells are 0");
  switch (arguments.parse(argc, argv, &std::cerr)) {
    case Teuchos::CommandLineProcessor::PARSE_SUCCESSFUL: break;
    case Teuchos::CommandLineProcessor::PARSE_HELP_PRINTED: return EXIT_SUCCESS;
    default: return EXIT_FAILURE;
  }
  if (!list.empty() && !set.empty()) throw std::invalid_argument("give --list or --set, not both");
  const std::vector<Shape> shapes = !list.empty()  ? shapesOfFile(list, request)
                                    : !set.empty() ? shapesOfSet(set, request)
                                                   : request.shapes();
  if (file.empty()) file = Kontract::TuningTable::defaultFile();
  Kontract::TuningTable().mergeIntoFile(file);  // fails now rather than after the work
  Progress progress(shapes.size());
  std::vector<Outcome> outcomes;
  for (const Shape& shape : shapes) {
    progress.starts(shape);
    outcomes.push_back(tune(shape, file, {memory * 1e9, fill * 1e6}));
    progress.ends(outcomes.back());
  }
  printSummary(std::cout, outcomes);
  std::cout << file << " has " << Kontract::TuningTable::fromFile(file).size() << " entries\n";
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace KontractTune

int main(int argc, char* argv[]) {
  // Kokkos takes what is called --kokkos-..., and does not see --help.
  std::vector<char*> for_kokkos{argv[0]}, own{argv[0]};
  for (int i = 1; i < argc; ++i) {
    (std::string(argv[i]).rfind("--kokkos-", 0) == 0 ? for_kokkos : own).push_back(argv[i]);
  }
  int kokkos_argc = static_cast<int>(for_kokkos.size());
  try {
    const Kokkos::ScopeGuard kokkos(kokkos_argc, for_kokkos.data());
    return KontractTune::run(static_cast<int>(own.size()), own.data());
  } catch (const std::exception& error) {
    std::cerr << "kontract_tune: " << error.what() << "\n";
    return EXIT_FAILURE;
  }
}
