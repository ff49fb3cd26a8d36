// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Options.hpp"

#include <Teuchos_ParameterList.hpp>
#include <Teuchos_StandardParameterEntryValidators.hpp>
#include <Teuchos_YamlParameterListCoreHelpers.hpp>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <limits>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include "Kontract_ParameterFile.hpp"
#include "Kontract_TeuchosLock.hpp"
#include "detail/dispatch/tuning/Kontract_Tuner.hpp"
#include "detail/support/Kontract_Error.hpp"

namespace Kontract {
namespace {

using Teuchos::ParameterEntry;
using Teuchos::ParameterList;

constexpr const char* algorithm_key = "Algorithm";
constexpr const char* automatic_name = "Auto";
constexpr const char* inherit_name = "Inherit";
constexpr const char* launch_key = "Launch";
constexpr const char* tuning_key = "Tuning";
constexpr const char* mode_key = "Mode";
constexpr const char* file_key = "File";
constexpr const char* tuning_off = "Off";
constexpr const char* tuning_read = "Read";
constexpr const char* tuning_measure = "Measure";

/// Visits the groups of settings: one for each algorithm that has any, and the launch.
template <class Visitor>
void forEachGroup(Impl::Request& request, Visitor&& visitor) {
  Impl::forEachAlgorithm([&](auto algorithm, auto index) {
    bool has_settings = false;
    auto& settings = std::get<decltype(index)::value>(request.settings);
    settings.visit([&](const char*, auto&, const char*) { has_settings = true; });
    if (has_settings) visitor(algorithm.name, settings);
  });
  visitor(launch_key, request.launch);
}

using ValidatorPointer = Teuchos::RCP<const Teuchos::ParameterEntryValidator>;

/// A validator that lives to the end of the process and is not counted, so that lists which have it
/// may be copied, and die, in any thread.
ValidatorPointer uncounted(const Teuchos::ParameterEntryValidator* validator) {
  return {validator, Teuchos::RCPNodeHandle()};
}

ValidatorPointer algorithmValidator(bool for_one_operation) {
  const std::vector<std::string> names = Options::algorithmNames();
  Teuchos::Array<std::string> valid(1, automatic_name);
  if (for_one_operation) valid.push_back(inherit_name);
  valid.insert(valid.end(), names.begin(), names.end());
  return uncounted(new Teuchos::StringValidator(valid));
}

ValidatorPointer validatorOf(const Impl::Word& word) {
  return uncounted(new Teuchos::StringValidator(
      Teuchos::Array<std::string>(word.words, word.words + word.count)));
}

ValidatorPointer notNegative() {
  return uncounted(new Teuchos::EnhancedNumberValidator<int>(0, std::numeric_limits<int>::max()));
}

/// The parameters that an operation can have, and that the whole list has too. The defaults of an
/// operation change nothing, so that a list with all of them means what it says at the top.
void addRequest(ParameterList& list, bool for_one_operation) {
  std::string doc = for_one_operation ? "Inherit takes what holds for all operations; " : "";
  doc += "Auto chooses by size, layout and machine;";
  Impl::forEachAlgorithm([&](auto algorithm, auto) {
    doc += std::string(" ") + algorithm.name + ": " + algorithm.summary + ";";
  });
  doc.back() = '.';
  list.set(algorithm_key, for_one_operation ? inherit_name : automatic_name, doc,
           algorithmValidator(for_one_operation));
  Impl::Request defaults;
  forEachGroup(defaults, [&](const char* group, auto& settings) {
    ParameterList& sublist = list.sublist(group, false, std::string("Settings of ") + group);
    settings.visit([&](const char* name, auto& value, const char* setting_doc) {
      if constexpr (std::is_same_v<decltype(value), int&>) {
        sublist.set(name, value, setting_doc, notNegative());
      } else {
        sublist.set(name, Impl::textOf(value), setting_doc, validatorOf(value));
      }
    });
  });
}

/// A list that is never destroyed: threads may outlive the statics of the program.
const ParameterList& makeValidParameters() {
  const Impl::TeuchosLock lock;
  ParameterList& list = *new ParameterList("Kontract");
  addRequest(list, false);
  ParameterList& tuning = list.sublist(tuning_key, false, "Measured choices");
  tuning.set(mode_key, tuning_off,
             "Where Algorithm is Auto: Off: nothing is measured, and no table is read; Read: takes "
             "the choice of a table of measured ones where it has one; Measure: also measures what "
             "the table lacks, and adds it.",
             uncounted(new Teuchos::StringValidator(
                 Teuchos::tuple<std::string>(tuning_off, tuning_read, tuning_measure))));
  tuning.set(file_key, "",
             "The table, in XML. Empty: the file that the environment variable KONTRACT_TUNING "
             "names, or kontract_tuning.xml in the working directory.");
  for (int i = 0; i < Impl::operation_count; ++i) {
    const char* name = Impl::signatureOf(static_cast<Impl::Operation>(i)).name;
    addRequest(list.sublist(name, false, std::string("Overrides for ") + name), true);
  }
  return list;
}

/// What lists are checked against and what is printed, both with the lock. Apart from the list that
/// users get, because reading a list and asking a validator may change counts and marks within.
const ParameterList& ownValidParameters() {
  static const ParameterList& list = makeValidParameters();
  return list;
}

void take(const ParameterList& list, const char* name, int& value) { value = list.get<int>(name); }
void take(const ParameterList& list, const char* name, Impl::Word& value) {
  const std::string& text = list.get<std::string>(name);
  for (value.place = 0; text != value.words[value.place];) ++value.place;
}

/// Words that look like numbers may be given as numbers: Depth 2. The other way round, Teuchos'
/// validators would take any text that begins with a number.
void numbersToWords(ParameterList& list) {
  Impl::Request defaults;
  forEachGroup(defaults, [&](const char* group, auto& settings) {
    if (!list.isSublist(group)) return;
    ParameterList& sublist = list.sublist(group);
    settings.visit([&](const char* name, auto& value, const char*) {
      constexpr bool is_number = std::is_same_v<decltype(value), int&>;
      if (!is_number && sublist.isType<int>(name)) {
        sublist.set(name, std::to_string(sublist.get<int>(name)));
      }
    });
  });
}

std::string givenText(const ParameterEntry& given) {
  if (given.isList()) return "a list";
  const Teuchos::any& value = given.getAny(false);
  if (given.isType<std::string>()) return "the text '" + Teuchos::toString(value) + "'";
  return Teuchos::toString(value) + " (of type " + value.typeName() + ")";
}

std::string neededText(const ParameterEntry& known) {
  if (known.isList()) return "a list";
  if (known.isType<int>()) return "a whole number (an int), 0 or more";
  if (known.validator().is_null()) return "a text";
  std::string words;
  for (const std::string& word : *known.validator()->validStringValues()) {
    words += (words.empty() ? "" : ", ") + word;
  }
  return "one of " + words;
}

bool isValid(const ParameterEntry& given, const ParameterEntry& known) {
  if (given.getAny(false).type() != known.getAny(false).type()) return false;
  if (known.validator().is_null()) return true;
  try {
    known.validator()->validate(given, "", "");
    return true;
  } catch (const std::exception&) {  // what Teuchos says takes many lines
    return false;
  }
}

std::string namesOf(const ParameterList& list) {
  std::string names;
  for (auto i = list.begin(); i != list.end(); ++i) {
    names += (names.empty() ? "'" : ", '") + list.name(i) + "'";
  }
  return names;
}

/// \param path  names of the sublists that lead to the list; empty for the whole one
/// \throws std::invalid_argument for a parameter that there is not, or that cannot be what it is
void requireValid(const ParameterList& list, const ParameterList& valid, const std::string& path) {
  const std::string where = path.empty() ? "the list '" + list.name() + "'" : "'" + path + "'";
  for (auto i = list.begin(); i != list.end(); ++i) {
    const std::string& name = list.name(i);
    const ParameterEntry& given = list.entry(i);
    const ParameterEntry* const known = valid.getEntryPtr(name);
    if (known == nullptr) {
      Impl::refuse("Options", "there is no parameter '" + name + "' in " + where + "; there are " +
                                  namesOf(valid));
    }
    if (!isValid(given, *known)) {
      Impl::refuse("Options", "the parameter '" + name + "' in " + where + " is " +
                                  givenText(given) + " but must be " + neededText(*known));
    }
    if (!given.isList()) continue;
    const std::string inner = path.empty() ? name : path + "->" + name;
    requireValid(list.sublist(name), valid.sublist(name), inner);
  }
}

int placeOf(const std::string& name) {
  int place = Impl::Request::automatic;
  Impl::forEachAlgorithm([&](auto algorithm, auto index) {
    if (name == algorithm.name) place = index;
  });
  return place;
}

/// Takes over what the list holds; the rest of the request stays.
void read(const ParameterList& list, Impl::Request& request) {
  if (list.isParameter(algorithm_key)) {
    const std::string& name = list.get<std::string>(algorithm_key);
    if (name != inherit_name) request.algorithm = placeOf(name);
  }
  forEachGroup(request, [&](const char* group, auto& settings) {
    if (!list.isSublist(group)) return;
    const ParameterList& sublist = list.sublist(group);
    settings.visit([&](const char* name, auto& value, const char*) {
      auto given = value;
      if (sublist.isParameter(name)) take(sublist, name, given);
      if (Impl::isGiven(given)) value = given;
    });
  });
}

/// Takes over where measured choices come from.
void readTuning(const ParameterList& list, Impl::Request& request) {
  if (!list.isSublist(tuning_key)) return;
  const ParameterList& tuning = list.sublist(tuning_key);
  const std::string mode =
      tuning.isParameter(mode_key) ? tuning.get<std::string>(mode_key) : tuning_off;
  if (mode == tuning_off) return;
  const bool has_file = tuning.isParameter(file_key);
  request.tuner = &Impl::tunerOf(has_file ? tuning.get<std::string>(file_key) : std::string());
  request.measures = mode == tuning_measure;
}

/// A user's main list may hold ours as its only entry.
const ParameterList& ownPart(const ParameterList& list) {
  if (!list.isSublist("Kontract")) return list;
  if (list.numParams() > 1) {
    Impl::refuse("Options",
                 "the list '" + list.name() +
                     "' has a sublist 'Kontract' among other entries; give that sublist");
  }
  return list.sublist("Kontract");
}

void printValidParameters(std::ostream& out) {
  const Impl::TeuchosLock lock;
  ParameterList brief = ownValidParameters();
  for (int i = 1; i < Impl::operation_count; ++i) {
    brief.remove(Impl::signatureOf(static_cast<Impl::Operation>(i)).name);
  }
  brief.print(out, ParameterList::PrintOptions().showDoc(true).showTypes(true).indent(2));
  out << "  ... and a sublist with the same entries as " << Impl::signatureOf({}).name
      << " for each of";
  for (int i = 1; i < Impl::operation_count; ++i) {
    out << (i % 4 == 1 ? "\n      " : " ")
        << Impl::signatureOf(static_cast<Impl::Operation>(i)).name;
  }
  out << "\n";
}

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// What Teuchos says of a file, in a line: without where in Teuchos it was found, and of YAML
/// without the text and the state of the parser.
std::string reasonOf(const std::string& what) {
  std::istringstream lines(what);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("error: ", 0) == 0) return line.substr(7);  // of YAML
    const auto end = line.find_last_not_of(" :");
    const bool is_place =
        text.empty() && end != std::string::npos && line.back() == ':' && std::isdigit(line[end]);
    if (end == std::string::npos || is_place || line.rfind("Throw ", 0) == 0) continue;
    text += (text.empty() ? "" : " ") + line;
  }
  return text;
}

}  // namespace

Options::Options() = default;

Options::Options(const ParameterList& list) {
  const Impl::TeuchosLock lock;
  ParameterList own = Impl::valuesOf(ownPart(list));
  numbersToWords(own);
  for (int i = 0; i < Impl::operation_count; ++i) {
    const char* name = Impl::signatureOf(static_cast<Impl::Operation>(i)).name;
    if (own.isSublist(name)) numbersToWords(own.sublist(name));
  }
  requireValid(own, ownValidParameters(), "");
  read(own, _general);
  readTuning(own, _general);
  for (int i = 0; i < Impl::operation_count; ++i) {
    const char* name = Impl::signatureOf(static_cast<Impl::Operation>(i)).name;
    if (!own.isSublist(name)) continue;
    if (_special.empty()) _special.assign(Impl::operation_count, _general);
    read(own.sublist(name), _special[i]);
  }
}

namespace Impl {

void writeRequest(const Request& request, ParameterList& list) {
  const TeuchosLock lock;
  const auto put = [](auto& settings, ParameterList& sublist) {
    settings.visit([&](const char* name, auto& value, const char*) {
      if (!isGiven(value)) return;
      if constexpr (std::is_same_v<decltype(value), int&>) {
        sublist.set(name, value);
      } else {
        sublist.set(name, textOf(value));
      }
    });
  };
  forEachAlgorithm([&](auto algorithm, auto index) {
    if (request.algorithm != index) return;
    list.set(algorithm_key, std::string(algorithm.name));
    auto settings = std::get<decltype(index)::value>(request.settings);
    ParameterList sublist(algorithm.name);
    put(settings, sublist);
    if (sublist.numParams() > 0) list.sublist(algorithm.name) = sublist;
  });
  LaunchSettings launch = request.launch;
  ParameterList sublist(launch_key);
  put(launch, sublist);
  if (sublist.numParams() > 0) list.sublist(launch_key) = sublist;
}

Request requestOf(const ParameterList& list) {
  const TeuchosLock lock;
  if (!list.isType<std::string>(algorithm_key)) {
    refuse("Options", std::string("there is no name of an '") + algorithm_key + "'");
  }
  const std::string& algorithm = list.get<std::string>(algorithm_key);
  for (auto i = list.begin(); i != list.end(); ++i) {
    const std::string& name = list.name(i);
    if (name != algorithm_key && name != algorithm && name != launch_key) {
      refuse("Options", "'" + name + "' is no setting of " + algorithm);
    }
  }
  const Request request = Options(list).of({});
  if (request.algorithm == Request::automatic) refuse("Options", algorithm + " is no algorithm");
  return request;
}

}  // namespace Impl

Options Options::fromFile(const std::string& file) {
  // Teuchos' parsers describe a missing file as a syntax error; say what it is.
  std::error_code error;
  if (std::filesystem::is_directory(file, error) || !std::ifstream(file)) {
    Impl::refuse("Options", "cannot read the file '" + file + "'");
  }
  if (std::filesystem::is_empty(file, error)) {
    Impl::refuse("Options", "the file '" + file + "' is empty");
  }
  const Impl::TeuchosLock lock;
  Teuchos::RCP<ParameterList> list;
  try {
    const bool is_yaml = endsWith(file, ".yaml") || endsWith(file, ".yml");
    list = is_yaml ? Teuchos::getParametersFromYamlFile(file) : Impl::listFromXmlFile(file);
  } catch (const std::exception& error) {
    Impl::refuse("Options",
                 "the file '" + file + "' is not a parameter list: " + reasonOf(error.what()));
  }
  try {
    return Options(*list);
  } catch (const std::invalid_argument& refusal) {
    Impl::refuse("Options", "the file '" + file + "' cannot be used; " + refusal.what());
  }
}

const ParameterList& Options::validParameters() {
  static const ParameterList& list = makeValidParameters();
  return list;
}

void Options::printDocumentation(std::ostream& out) {
  std::ostringstream text;  // what the caller's stream does needs no lock
  printValidParameters(text);
  out << text.str();
}

std::vector<std::string> Options::algorithmNames() {
  std::vector<std::string> names;
  Impl::forEachAlgorithm([&](auto algorithm, auto) { names.push_back(algorithm.name); });
  return names;
}

const Impl::Request& Options::of(Impl::Operation operation) const {
  return _special.empty() ? _general : _special[static_cast<int>(operation)];
}

}  // namespace Kontract
