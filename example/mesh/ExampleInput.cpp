// SPDX-License-Identifier: BSD-3-Clause
#include "ExampleInput.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "Teuchos_XMLParameterListCoreHelpers.hpp"

namespace Example {
namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& text,
                         const std::string& needed) {
  throw InputError("command line: --" + option + "='" + text + "' is not " + needed);
}

template <class Number>
std::string toText(Number number) {
  std::ostringstream out;
  out << number;
  return out.str();
}

/// All numbers in a text; none if there is something else in it.
template <class Number>
std::vector<Number> toNumbers(const std::string& text) {
  std::istringstream in(text);
  std::vector<Number> numbers;
  for (Number number; in >> number;) numbers.push_back(number);
  if (!in.eof()) numbers.clear();
  return numbers;
}

}  // namespace

CommandLine::CommandLine(const char* documentation) : _options(false) {
  _options.setDocString(documentation);
}

void CommandLine::text(const char* name, std::string* value, const char* documentation) {
  _options.setOption(name, value, documentation);
}

void CommandLine::flag(const char* name, bool* value, const char* documentation) {
  _options.setOption(name, ("no-" + std::string(name)).c_str(), value, documentation);
}

void CommandLine::parsed(const char* name, const std::string& default_text,
                         const char* documentation,
                         std::function<void(const std::string& text)> set) {
  std::string& text = _texts.emplace_back(default_text);
  _options.setOption(name, &text, documentation);
  _parsers.push_back([&text, default_text, set] {
    if (text != default_text) set(text);
  });
}

void CommandLine::oneOf(const char* name, std::string* value,
                        const std::vector<std::string>& choices, const char* documentation) {
  parsed(name, *value, documentation, [=](const std::string& text) {
    std::string all;
    for (const auto& choice : choices) all += (all.empty() ? "" : " or ") + choice;
    if (std::find(choices.begin(), choices.end(), text) == choices.end()) refuse(name, text, all);
    *value = text;
  });
}

void CommandLine::integer(const char* name, int* value, int low, int high,
                          const char* documentation) {
  parsed(name, toText(*value), documentation, [=](const std::string& text) {
    const auto numbers = toNumbers<int>(text);
    if (numbers.size() != 1 || numbers[0] < low || numbers[0] > high)
      refuse(name, text, "a number from " + toText(low) + " to " + toText(high));
    *value = numbers[0];
  });
}

void CommandLine::number(const char* name, double* value, double low, double high,
                         const char* documentation) {
  parsed(name, toText(*value), documentation, [=](const std::string& text) {
    const auto numbers = toNumbers<double>(text);
    if (numbers.size() != 1 || !(numbers[0] > low && numbers[0] < high))
      refuse(name, text, "a number between " + toText(low) + " and " + toText(high));
    *value = numbers[0];
  });
}

void CommandLine::vector(const char* name, double* components, const char* documentation) {
  std::string default_text;
  for (int d = 0; d < space_dim; ++d) default_text += (d > 0 ? " " : "") + toText(components[d]);
  parsed(name, default_text, documentation, [=](const std::string& text) {
    const auto numbers = toNumbers<double>(text);
    if (numbers.size() != space_dim) refuse(name, text, "three numbers");
    std::copy(numbers.begin(), numbers.end(), components);
  });
}

bool CommandLine::read(const Teuchos::Comm<int>& comm, const Arguments& arguments) {
  if (!parse(_options, comm, arguments)) return false;
  for (const auto& parse_option : _parsers) parse_option();
  return true;
}

void requireOutput(const Teuchos::Comm<int>& comm, const std::string& base,
                   const std::string& extension) {
  namespace fs = std::filesystem;
  std::string error;
  if (comm.getRank() == 0 && !base.empty()) {
    const std::string file = base + extension;
    std::error_code ignored;
    if (fs::is_directory(base, ignored) || !fs::path(base).has_filename()) {
      error = "the output '" + base + "' is a folder: it must be a path without extension, as " +
              (fs::path(base) / "field").string();
    } else {
      const bool was_there = fs::exists(file, ignored);
      if (!std::ofstream(file, std::ios::app))
        error = "cannot write '" + file + "'";
      else if (!was_there)
        fs::remove(file, ignored);
    }
  }
  throwTogether(comm, error);
}

Teuchos::ParameterList readList(const Teuchos::Comm<int>& comm, const std::string& file) {
  std::string text;
  std::string error;
  if (comm.getRank() == 0) {
    std::ifstream in(file);
    std::ostringstream buffer;
    buffer << in.rdbuf();
    text = buffer.str();
    if (!in) error = "cannot read the input list '" + file + "'";
  }
  throwTogether(comm, error);
  int length = static_cast<int>(text.size());
  Teuchos::broadcast(comm, 0, &length);
  text.resize(length);
  Teuchos::broadcast(comm, 0, length, text.data());
  try {
    return *Teuchos::getParametersFromXmlString(text);
  } catch (const std::exception& e) {
    throw InputError("'" + file + "' is not an XML parameter list: " + oneLine(e.what()));
  }
}

void checkNames(const Teuchos::ParameterList& list, const Teuchos::ParameterList& valid,
                const std::string& where) {
  for (auto entry = list.begin(); entry != list.end(); ++entry) {
    const std::string name = list.name(entry);
    if (!valid.isParameter(name)) {
      std::string names;
      for (auto v = valid.begin(); v != valid.end(); ++v)
        names += (names.empty() ? "" : ", ") + valid.name(v);
      throw InputError("unknown parameter '" + name + "' in " + where + "; valid are: " + names);
    }
    const bool has_names = valid.isSublist(name) && valid.sublist(name).numParams() > 0;
    if (list.isSublist(name) && has_names)
      checkNames(list.sublist(name), valid.sublist(name), "'" + name + "'");
  }
}

}  // namespace Example
