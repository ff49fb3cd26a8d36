// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Tuning.hpp"

#include <Teuchos_ParameterList.hpp>
#include <cmath>

#include "detail/dispatch/Kontract_TeuchosLock.hpp"
#include "detail/support/Kontract_Error.hpp"

namespace Kontract {
namespace {

using Teuchos::ParameterList;

constexpr const char* format_key = "Kontract Tuning Format";
constexpr int format = 1;
constexpr const char* seconds_key = "Seconds";

/// Of two entries for one key, whether the second one is better.
bool isBetter(const TuningTable::Entry& old, const TuningTable::Entry& given) {
  const bool is_usable = given.request != nullptr, was_usable = old.request != nullptr;
  return is_usable != was_usable ? is_usable : given.seconds < old.seconds;
}

/// \throws std::exception for a list that is no entry of a table
TuningTable::Entry entryOf(const ParameterList& list) {
  TuningTable::Entry entry;
  const double* const seconds = list.getPtr<double>(seconds_key);
  if (seconds == nullptr || !std::isfinite(*seconds) || *seconds <= 0) {
    Impl::refuse("TuningTable", std::string("it has no positive number '") + seconds_key + "'");
  }
  entry.seconds = *seconds;
  ParameterList options(list);
  options.remove(seconds_key);
  entry.options = std::make_shared<const ParameterList>(options);
  try {
    entry.request = std::make_shared<const Impl::Request>(Impl::requestOf(options));
  } catch (const std::invalid_argument& refusal) {
    entry.why_not = refusal.what();
  }
  return entry;
}

}  // namespace

TuningTable::TuningTable() = default;

TuningTable::TuningTable(const ParameterList& list, std::vector<std::string>* ignored) {
  const Impl::TeuchosLock lock;
  const ParameterList own = Impl::valuesOf(list);  // entries keep parts of it
  const auto ignore = [&](const std::string& key, const std::string& why) {
    if (ignored != nullptr) ignored->push_back("'" + key + "': " + why);
  };
  const int* const found = own.getPtr<int>(format_key);
  if (found == nullptr) Impl::refuse("TuningTable", "the list is no tuning table of Kontract");
  if (*found != format) {
    Impl::refuse("TuningTable", "the table has format " + std::to_string(*found) +
                                    ", but this version of Kontract reads format " +
                                    std::to_string(format));
  }
  for (auto i = own.begin(); i != own.end(); ++i) {
    const std::string& key = own.name(i);
    if (key == format_key) continue;
    if (!own.isSublist(key)) {
      ignore(key, "it is no entry of a tuning table");
      continue;
    }
    try {
      const Entry entry = entryOf(own.sublist(key));
      if (entry.request == nullptr) ignore(key, entry.why_not);
      add(key, entry);
    } catch (const std::exception& error) {
      ignore(key, error.what());
    }
  }
}

void TuningTable::parameters(ParameterList& list) const {
  const Impl::TeuchosLock lock;
  list = ParameterList("Kontract Tuning");
  list.set(format_key, format);
  for (const auto& [key, entry] : _entries) {
    ParameterList& sublist = list.sublist(key);
    sublist = *entry.options;
    sublist.setName(key);
    sublist.set(seconds_key, entry.seconds);
  }
}

void TuningTable::merge(const TuningTable& other) {
  for (const auto& [key, entry] : other._entries) add(key, entry);
}

void TuningTable::add(const std::string& key, const Impl::Request& request, double seconds) {
  const Impl::TeuchosLock lock;
  Entry entry;
  entry.seconds = seconds;
  ParameterList options;
  Impl::writeRequest(request, options);
  entry.options = std::make_shared<const ParameterList>(options);
  entry.request = std::make_shared<const Impl::Request>(request);
  add(key, entry);
}

void TuningTable::add(const std::string& key, const Entry& entry) {
  const auto [place, is_new] = _entries.emplace(key, entry);
  if (!is_new && isBetter(place->second, entry)) place->second = entry;
}

const TuningTable::Entry* TuningTable::find(const std::string& key) const {
  const auto found = _entries.find(key);
  return found == _entries.end() ? nullptr : &found->second;
}

}  // namespace Kontract
