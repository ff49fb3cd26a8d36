// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <cstdlib>
#include <list>
#include <mutex>

#include "Kontract_Options.hpp"

namespace Kontract {
namespace {

/// Options that calls may still be reading are kept until the end of the process; there are as many
/// as calls of setDefaultOptions.
struct Defaults {
  std::mutex mutex;
  std::list<Options> all;
  std::atomic<const Options*> current{nullptr};
};

Defaults& defaults() {
  static Defaults instance;
  return instance;
}

Options initialOptions() {
  const char* const file = std::getenv("KONTRACT_OPTIONS");
  return file == nullptr || *file == '\0' ? Options() : Options::fromFile(file);
}

}  // namespace

void setDefaultOptions(const Options& options) {
  Defaults& state = defaults();
  const std::lock_guard<std::mutex> lock(state.mutex);
  state.all.push_back(options);
  state.current = &state.all.back();
}

const Options& defaultOptions() {
  Defaults& state = defaults();
  if (const Options* const options = state.current.load()) return *options;
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (state.current == nullptr) {  // the first of all threads reads the file
    state.all.push_back(initialOptions());
    state.current = &state.all.back();
  }
  return *state.current;
}

}  // namespace Kontract
