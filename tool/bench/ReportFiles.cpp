// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <ostream>

#include "Report.hpp"

namespace KontractBench {
namespace {

/// A column of the files: its name, and its value in words, or as a number if is_number.
struct Column {
  const char* name;
  bool is_number;
  std::function<std::string(const Result&, const Row&)> value;
};

std::string numberOf(double value) { return digits(value, 7); }
std::string numberOf(std::int64_t value) { return std::to_string(value); }

const std::vector<Column>& columns() {
  using R = const Result&;
  using W = const Row&;
  static const auto extent = [](const char* name, char letter) {
    return Column{name, true,
                  [letter](R result, W) { return numberOf(result.one.extentOf(letter)); }};
  };
  static const std::vector<Column> all{
      {"suite", false, [](R r, W) { return r.one.suite; }},
      {"case", false, [](R r, W) { return r.one.label; }},
      {"chain", false, [](R r, W) { return r.one.chain; }},
      {"function", false, [](R r, W) { return std::string(r.one.function()); }},
      {"shape", false, [](R r, W) { return r.one.shape(); }},
      {"scalar", false, [](R r, W) { return nameOf(r.scalar); }},
      {"layout", false, [](R r, W) { return nameOf(r.layout); }},
      extent("C", 'C'),
      extent("L", 'L'),
      extent("R", 'R'),
      extent("P", 'P'),
      extent("D", 'D'),
      extent("E", 'E'),
      {"terms", true, [](R r, W) { return numberOf(r.one.terms()); }},
      {"contestant", false, [](R, W w) { return w.contestant; }},
      {"kind", false,
       [](R, W w) {
         return std::string(w.is_launch_only    ? "launch"
                            : w.is_traffic_only ? "traffic"
                            : w.is_peer         ? "peer"
                                                : "kontract");
       }},
      {"ran", false, [](R, W w) { return w.ran; }},
      {"status", false,
       [](R, W w) {
         constexpr const char* names[] = {"ok", "refused", "wrong"};
         return std::string(names[int(w.status)]);
       }},
      {"reason", false, [](R, W w) { return w.reason; }},
      {"copies", true, [](R r, W) { return numberOf(std::int64_t(r.copies)); }},
      {"calls", true, [](R, W w) { return numberOf(w.timing.calls); }},
      {"flops", true, [](R r, W) { return numberOf(r.flops); }},
      {"bytes", true, [](R r, W) { return numberOf(r.bytes); }},
      {"seconds", true, [](R, W w) { return numberOf(w.timing.seconds); }},
      {"spread", true, [](R, W w) { return numberOf(w.timing.spread); }},
      {"latency", true, [](R, W w) { return numberOf(w.timing.latency); }},
      {"replay", true, [](R, W w) { return numberOf(w.timing.replay); }},
      {"gflops", true, [](R, W w) { return numberOf(w.gflops); }},
      {"gbytes", true, [](R, W w) { return numberOf(w.gbytes); }},
      {"roof", true, [](R, W w) { return numberOf(w.roof); }},
      {"roof_seconds", true, [](R r, W) { return numberOf(r.least_seconds); }},
      {"of_limit", true, [](R, W w) { return numberOf(w.of_limit); }},
      {"over_intrepid2", true, [](R, W w) { return numberOf(w.over_intrepid2); }},
      {"over_best_peer", true, [](R, W w) { return numberOf(w.over_best_peer); }},
      {"best_peer", false, [](R r, W) { return r.best_peer; }},
      {"of_best", true, [](R, W w) { return numberOf(w.of_best); }}};
  return all;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"') result += '"';
    result += letter == '\n' ? ' ' : letter;
  }
  return result + "\"";
}

std::string jsonText(const std::string& text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    if (static_cast<unsigned char>(letter) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", unsigned(letter));
      result += escape;
    } else {
      result += letter;
    }
  }
  return result + "\"";
}

}  // namespace

void addTo(Context& context, const Roofline& roofline) {
  context.emplace_back("peak_double_gflops", digits(roofline.double_flops * 1e-9, 5));
  context.emplace_back("peak_float_gflops", digits(roofline.float_flops * 1e-9, 5));
  context.emplace_back("peak_instructions", roofline.instructions);
  context.emplace_back("copy_gbytes", digits(roofline.copy_bytes * 1e-9));
  context.emplace_back("read_gbytes", digits(roofline.read_bytes * 1e-9));
}

std::string addDriftTo(Context& context, const Roofline& before, const Roofline& after) {
  const double peak = after.double_flops / before.double_flops - 1;
  const double copy = after.copy_bytes / before.copy_bytes - 1;
  const std::string text =
      "peak " + digits(100 * peak, 2) + " %, copy " + digits(100 * copy, 2) + " %";
  context.emplace_back("drift", text);
  if (std::max(std::abs(peak), std::abs(copy)) < 0.1) return "";
  return "The machine was not quiet: from the beginning to the end its rates changed by " + text +
         ".";
}

void writeCsv(std::ostream& out, const Context& context, const std::vector<Result>& results) {
  for (const auto& [name, value] : context) out << "# " << name << ": " << value << "\n";
  bool is_first = true;
  for (const Column& column : columns()) {
    out << (is_first ? "" : ",") << column.name;
    is_first = false;
  }
  out << "\n";
  for (const Result& result : results) {
    for (const Row& row : result.rows) {
      is_first = true;
      for (const Column& column : columns()) {
        const std::string value = column.value(result, row);
        out << (is_first ? "" : ",") << (column.is_number ? value : quoted(value));
        is_first = false;
      }
      out << "\n";
    }
  }
}

void writeJson(std::ostream& out, const Context& context, const std::vector<Result>& results) {
  out << "{\n  \"context\": {";
  const char* between = "\n    ";
  for (const auto& [name, value] : context) {
    out << between << jsonText(name) << ": " << jsonText(value);
    between = ",\n    ";
  }
  out << "\n  },\n  \"rows\": [";
  between = "\n    {";
  for (const Result& result : results) {
    for (const Row& row : result.rows) {
      out << between;
      const char* comma = "";
      for (const Column& column : columns()) {
        const std::string value = column.value(result, row);
        out << comma << "\"" << column.name
            << "\": " << (column.is_number ? value : jsonText(value));
        comma = ", ";
      }
      out << "}";
      between = ",\n    {";
    }
  }
  out << "\n  ]\n}\n";
}

}  // namespace KontractBench
