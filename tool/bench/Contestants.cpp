// SPDX-License-Identifier: BSD-3-Clause
#include "Contestants.hpp"

#include <Teuchos_ParameterList.hpp>
#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "Types.hpp"

namespace KontractBench {
namespace {

bool isNumber(const std::string& text) {
  return !text.empty() && text.size() < 10 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

}  // namespace

std::vector<std::string> algorithmNames() {
  std::vector<std::string> names = Kontract::Options::algorithmNames();
  names.push_back(automatic_name);
  return names;
}

Contestant contestantFrom(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.empty()) throw UsageError{"an algorithm without a name"};
  placeOf(parts[0], algorithmNames(), "algorithm");
  Teuchos::ParameterList list;
  list.set("Algorithm", parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto equals = parts[i].find('=');
    if (equals == std::string::npos) {
      throw UsageError{"'" + parts[i] + "' in '" + text + "' is not of the form Setting=value"};
    }
    std::string group = parts[0], name = parts[i].substr(0, equals);
    const std::string value = parts[i].substr(equals + 1);
    const auto slash = name.find('/');
    if (slash != std::string::npos) {
      group = name.substr(0, slash);
      name = name.substr(slash + 1);
    }
    Teuchos::ParameterList& settings = list.sublist(group);
    if (isNumber(value)) {
      settings.set(name, std::stoi(value));
    } else {
      settings.set(name, value);
    }
  }
  try {
    return {text, Kontract::Options(list)};
  } catch (const std::invalid_argument& error) {
    throw UsageError{error.what()};
  }
}

Contestant contestantFromFile(const std::string& file) {
  try {
    return {file.substr(file.find_last_of('/') + 1), Kontract::Options::fromFile(file)};
  } catch (const std::invalid_argument& error) {
    throw UsageError{error.what()};
  }
}

}  // namespace KontractBench
