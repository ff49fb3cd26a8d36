// SPDX-License-Identifier: BSD-3-Clause
#include "CommandLine.hpp"

#include <Teuchos_CommandLineProcessor.hpp>
#include <iostream>
#include <sstream>

#include "PeerSpace.hpp"
#include "Peers.hpp"

namespace KontractOperators {
namespace {

constexpr const char* examples =
    "Times products and element matrices of diffusion, grad-grad by tensor-product bases on the\n"
    "hexahedra of a deformed cube, by Kontract and by libCEED and MFEM where they were found.\n\n"
    "Examples:\n"
    "  kontract_operators --csv=operators.csv\n"
    "  kontract_operators --orders=2,4,8 --points=1 --scalar=double,float --operations=global\n"
    "  kontract_operators --ceed=/cpu/self/ref/serial,/cpu/self/opt/serial --no-mfem\n\n"
    "The share of copying is the time in which memory copies as many bytes as must move, over the\n"
    "time of a call. tool/plot_operators.py draws pictures of the file.\n";

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream all(text);
  for (std::string part; std::getline(all, part, ',');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

int orderFrom(const std::string& text) {
  constexpr int highest = 8;
  if (text.size() == 1 && text[0] >= '1' && text[0] <= '0' + highest) return text[0] - '0';
  throw UsageError{"there is no order '" + text + "' in --orders; valid are 1 to 8, as 1-8 or 2,4"};
}

/// From "1-3,8".
std::vector<int> ordersFrom(const std::string& text) {
  std::vector<int> orders;
  for (const std::string& part : split(text)) {
    const auto dash = part.find('-');
    const int first = orderFrom(part.substr(0, dash));
    const int last = dash == std::string::npos ? first : orderFrom(part.substr(dash + 1));
    for (int order = first; order <= last; ++order) orders.push_back(order);
  }
  return orders;
}

std::vector<Operation> operationsFrom(const std::string& text) {
  std::vector<Operation> operations;
  for (const std::string& part : split(text)) {
    bool is_known = false;
    for (const Operation one : {Operation::Cells, Operation::Global, Operation::Matrices}) {
      if (part != nameOf(one)) continue;
      operations.push_back(one);
      is_known = true;
    }
    if (!is_known) {
      throw UsageError{"there is no operation '" + part + "'; valid are: cells, global, matrices"};
    }
  }
  return operations;
}

std::vector<bool> scalarsFrom(const std::string& text) {
  std::vector<bool> scalars;
  for (const std::string& part : split(text)) {
    if (part != "float" && part != "double") {
      throw UsageError{"there is no scalar '" + part + "'; valid are: float, double"};
    }
    scalars.push_back(part == "float");
  }
  return scalars;
}

std::vector<std::string> resourcesFrom(const std::string& text) {
  if (text == "none") return {};
#ifdef KONTRACT_OPERATORS_HAVE_CEED
  return text == "default" ? ceedResources() : split(text);
#else
  if (text == "default") return {};
  throw UsageError{"--ceed: libCEED was not found when this was built"};
#endif
}

}  // namespace

Wishes wishesFrom(int argc, char* argv[]) {
  Wishes wishes;
  std::string orders = "1-8", operations = "cells,global,matrices", scalars = "double",
              ceed = "default";
  double memory = on_host ? 256 : 4000;
  Teuchos::CommandLineProcessor processor(false, true, false);
  processor.setDocString(examples);
  processor.setOption("orders", &orders, "orders of the basis, 1 to 8, as 1-8 or 2,4");
  processor.setOption("points", &wishes.more_points,
                      "points of a direction beyond the order: 1, 2 or 3");
  processor.setOption("operations", &operations,
                      "cells: products of the vectors of cells; global: of vectors of all "
                      "unknowns; matrices");
  processor.setOption("scalar", &scalars, "double, float; a peer has the one it was built for");
  processor.setOption("ceed", &ceed,
                      "resources of libCEED, separated by commas; default: the fastest that it "
                      "has; none");
  processor.setOption("mfem", "no-mfem", &wishes.has_mfem, "MFEM, where it was found");
  processor.setOption("memory", &memory, "MB of the largest array of a contestant, about");
  processor.setOption("min-time", &wishes.patience.seconds, "seconds to measure each for");
  processor.setOption("once", &wishes.patience.once,
                      "who takes more seconds for a call is not called again");
  processor.setOption("csv", &wishes.csv_file, "file for all rows");
  std::ostringstream errors;
  switch (processor.parse(argc, argv, &errors)) {
    case Teuchos::CommandLineProcessor::PARSE_SUCCESSFUL: break;
    case Teuchos::CommandLineProcessor::PARSE_HELP_PRINTED:
      processor.printHelpMessage("kontract_operators", std::cout);
      return wishes;
    default: throw UsageError{errors.str() + "kontract_operators --help lists what there is"};
  }
  if (wishes.more_points < 1 || wishes.more_points > 3) {
    throw UsageError{"--points must be 1, 2 or 3: points of a direction beyond the order"};
  }
  if (!(memory > 0) || !(wishes.patience.seconds > 0)) {
    throw UsageError{"--memory and --min-time must be positive"};
  }
  wishes.bytes = memory * 1e6;
  wishes.orders = ordersFrom(orders);
  wishes.operations = operationsFrom(operations);
  wishes.scalars = scalarsFrom(scalars);
  wishes.resources = resourcesFrom(ceed);
  return wishes;
}

}  // namespace KontractOperators
