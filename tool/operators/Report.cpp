// SPDX-License-Identifier: BSD-3-Clause
#include "Report.hpp"

#include <Kokkos_Core.hpp>
#include <Kontract_Version.hpp>
#include <detail/support/Kontract_DeviceApi.hpp>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <ostream>

#include "Peers.hpp"

namespace KontractOperators {
namespace {

using Space = Kokkos::DefaultExecutionSpace;

/// A number as printf writes it.
std::string text(const char* pattern, double number) {
  char written[64];
  std::snprintf(written, sizeof written, pattern, number);
  return written;
}

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const auto colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "unknown";
}

std::string now() {
  char written[32];
  const std::time_t time = std::time(nullptr);
  std::strftime(written, sizeof written, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return written;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : "; ") + part;
  return all.empty() ? "none" : all;
}

std::string quoted(const std::string& words) {
  std::string result = "\"";
  for (const char letter : words) {
    if (letter == '"') result += '"';
    result += letter == '\n' ? ' ' : letter;
  }
  return result + "\"";
}

const char* scalarOf(bool is_single) { return is_single ? "float" : "double"; }

}  // namespace

Context machineContext() {
  const auto version = [](int number) {
    return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
           std::to_string(number % 100);
  };
  Context context{{"date", now()},
                  {"processor", processor()},
                  {"kontract", KONTRACT_VERSION},
                  {"kokkos", version(KOKKOS_VERSION)},
                  {"space", Space::name()},
                  {"threads", std::to_string(Space().concurrency())},
                  {"peers", joined(foundPeers())},
                  {"without", joined(missingPeers())}};
#ifdef KONTRACT_DEVICE_API
  context.emplace_back("device", Kontract::Impl::propertiesOf(Space()).name);
#endif
  return context;
}

void printContext(std::ostream& out, const Context& context) {
  for (const auto& [name, value] : context) out << name << ": " << value << "\n";
}

void printHeader(std::ostream& out, Operation operation, bool is_single) {
  constexpr const char* what[] = {"products of the vectors of cells, (C,F)",
                                  "products of vectors of all unknowns, with gather and scatter",
                                  "element matrices"};
  char line[160];
  std::snprintf(line, sizeof line, "%-32s %-9s %1s %6s %8s %12s %8s %9s %10s %10s", "contestant",
                "geometry", "p", "points", "cells", "ns a cell", "GDoF/s", "MB", "of copying",
                "difference");
  out << "\n" << what[int(operation)] << ", " << scalarOf(is_single) << "\n" << line << "\n";
}

void printRow(std::ostream& out, const Row& row) {
  char line[200];
  int length = std::snprintf(line, sizeof line, "%-32s %-9s %d %6d %8d", row.contestant.c_str(),
                             nameOf(row.geometry), row.order, row.line_points, row.cells);
  if (row.status != "refused") {
    std::snprintf(line + length, sizeof line - length, " %12.5g %8.4g %9.4g %10.3f %10s",
                  row.nanosecondsOfCell(), row.gdofs(), row.bytes * 1e-6, row.share(),
                  row.difference < 0 ? "-" : text("%.1e", row.difference).c_str());
  }
  out << line << (row.status == "wrong" ? "  WRONG" : "")
      << (row.reason.empty() ? "" : "  " + row.reason) << std::endl;
}

void writeCsv(std::ostream& out, const Context& context, const std::vector<Row>& rows) {
  for (const auto& [name, value] : context) out << "# " << name << ": " << value << "\n";
  out << "contestant,operation,geometry,scalar,p,points,cells,unknowns,ran,status,reason,seconds,"
         "spread,ns_per_cell,gdofs,bytes,share,difference\n";
  for (const Row& row : rows) {
    out << quoted(row.contestant) << "," << nameOf(row.operation) << "," << nameOf(row.geometry)
        << "," << scalarOf(row.is_single) << "," << row.order << "," << row.line_points << ","
        << row.cells << "," << row.unknowns << "," << quoted(row.ran) << "," << row.status << ","
        << quoted(row.reason);
    for (const double number : {row.timing.seconds, row.timing.spread, row.nanosecondsOfCell(),
                                row.gdofs(), row.bytes, row.share()}) {
      out << "," << text("%.7g", number);
    }
    out << "," << (row.difference < 0 ? "" : text("%.3g", row.difference)) << "\n";
  }
}

}  // namespace KontractOperators
