// SPDX-License-Identifier: BSD-3-Clause
#include "Types.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace KontractBench {

const std::vector<std::string>& scalarNames() {
  static const std::vector<std::string> names{"float", "double", "complex_float", "complex_double"};
  return names;
}

const std::vector<std::string>& layoutNames() {
  static const std::vector<std::string> names{"right", "left", "strided"};
  return names;
}

std::size_t placeOf(const std::string& name, const std::vector<std::string>& names,
                    const std::string& what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw UsageError{"there is no " + what + " '" + name + "'; valid are: " + join(names, ", ")};
  }
  return std::size_t(found - names.begin());
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    const auto first = part.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    parts.push_back(part.substr(first, part.find_last_not_of(' ') - first + 1));
  }
  return parts;
}

std::string join(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

std::string digits(double value, int count) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*g", count, value);
  return text;
}

}  // namespace KontractBench
