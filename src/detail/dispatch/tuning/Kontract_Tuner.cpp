// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Tuner.hpp"

#include <filesystem>
#include <iostream>
#include <map>
#include <stdexcept>
#include <vector>

#include "Kontract_Tuning.hpp"

namespace Kontract {
namespace Impl {

Tuner::Tuner(const std::string& file) : _file(file) {}

Tuner::~Tuner() {
  for (const auto& bucket : _buckets) {
    for (const Entry* entry = bucket; entry != nullptr;) {
      const Entry* const next = entry->next;
      delete entry;
      entry = next;
    }
  }
}

const Tuner::Entry* Tuner::find(const TuningKey& key) const {
  const Entry* entry = _buckets[key.hash() % bucket_count].load(std::memory_order_acquire);
  while (entry != nullptr && !(entry->key == key)) entry = entry->next;
  return entry;
}

const Tuner::Entry& Tuner::entry(const TuningKey& key, bool measures) {
  if (const Entry* const known = find(key)) return *known;
  const std::lock_guard<std::mutex> lock(_mutex);
  if (const Entry* const known = find(key)) return *known;
  if (_table == nullptr) readFile(measures);
  return push(entryInFile(key));
}

Tuner::Entry Tuner::entryInFile(const TuningKey& key) const {
  Entry entry;
  entry.key = key;
  for (const std::string& text : {key.text(), key.textForAnyRight()}) {
    const TuningTable::Entry* const found = _table->find(text);
    if (found == nullptr || found->request == nullptr) continue;
    entry.request = *found->request;
    entry.seconds = found->seconds;
    entry.is_worth_measuring = text != key.text();
    break;
  }
  return entry;
}

void Tuner::remember(const TuningKey& key, const Request& request, double seconds) {
  const std::lock_guard<std::mutex> lock(_mutex);
  Entry fresh;
  fresh.key = key;
  fresh.request = request;
  fresh.seconds = seconds;
  fresh.is_worth_measuring = false;
  push(fresh);
  if (!_is_writable) return;
  try {
    TuningTable table;
    table.add(key.text(), request, seconds);
    table.mergeIntoFile(_file);
  } catch (const std::exception& error) {
    _is_writable = false;
    report(std::string("what was measured holds for this process only; ") + error.what());
  }
}

void Tuner::giveUp(const TuningKey& key, const std::string& why) {
  const std::lock_guard<std::mutex> lock(_mutex);
  Entry fresh;
  fresh.key = key;
  fresh.is_worth_measuring = false;
  push(fresh);
  report("nothing was measured for '" + key.text() + "': " + why);
}

const Tuner::Entry& Tuner::push(const Entry& entry) {
  auto& bucket = _buckets[entry.key.hash() % bucket_count];
  auto* const fresh = new Entry(entry);
  fresh->next = bucket.load(std::memory_order_relaxed);
  bucket.store(fresh, std::memory_order_release);
  return *fresh;
}

void Tuner::readFile(bool measures) {
  _table = std::make_unique<TuningTable>();
  try {
    if (!measures && !std::filesystem::exists(_file)) {
      report("there is no such file, so nothing is tuned");
      return;
    }
    std::vector<std::string> ignored;
    *_table = TuningTable::fromFile(_file, &ignored);
    if (!ignored.empty()) {
      report("entries that cannot be used here are ignored: " + std::to_string(ignored.size()) +
             "; the first is " + ignored.front());
    }
  } catch (const std::exception& error) {
    _is_writable = false;  // whatever it is, it is not ours
    report(std::string("it is ignored and left as it is; ") + error.what());
  }
}

void Tuner::report(const std::string& what) const {
  std::cerr << "Kontract: tuning table '" + _file + "': " + what + "\n" << std::flush;
}

Tuner& tunerOf(const std::string& file) {
  static std::mutex mutex;
  static std::map<std::string, Tuner> tuners;
  const std::filesystem::path given = file.empty() ? TuningTable::defaultFile() : file;
  const std::string name = std::filesystem::absolute(given).lexically_normal().string();
  const std::lock_guard<std::mutex> lock(mutex);
  return tuners.try_emplace(name, name).first->second;
}

void keepScatter(const Word& asked, const Work& work, LaunchSettings& of_plan) {
  if (work.form.shape.is_scattered && isGiven(asked)) of_plan.scatter = asked;
}

void takeFromTable(const TuningKey& key, Decision& decision) {
  Request& request = decision.request;
  const Tuner::Entry& entry = request.tuner->entry(key, request.measures);
  decision.is_worth_measuring = request.measures && entry.is_worth_measuring;
  if (entry.seconds == 0 || decision.is_worth_measuring) return;
  const Request& taken = entry.request;
  // Cells are rounded in the key, and tables may come from elsewhere.
  if (!whyNot(taken, decision.work, decision.machine, decision.applicable).empty()) return;
  decision.choice = {taken.algorithm, true, entry.seconds};
  request.settings = taken.settings;
  request.launch = taken.launch;
}

}  // namespace Impl
}  // namespace Kontract
