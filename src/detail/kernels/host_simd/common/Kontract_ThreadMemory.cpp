// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_ThreadMemory.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace Kontract {
namespace Impl {
namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
struct Memory {
  std::unique_ptr<void, Free> memory;
  std::int64_t bytes = 0;
};
thread_local Memory own;

}  // namespace

void* threadMemory(std::int64_t bytes) {
  if (bytes > own.bytes) {
    constexpr std::int64_t line = 64;
    const std::int64_t rounded = (bytes + line - 1) / line * line;
    own = Memory();
    own.memory.reset(std::aligned_alloc(line, static_cast<std::size_t>(rounded)));
    if (!own.memory) return nullptr;
    own.bytes = rounded;
  }
  return own.memory.get();
}

bool exceedsCache(double bytes) {
  static const std::int64_t last_cache = [] {
    std::int64_t most = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
    for (const int level : {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE}) {
      most = std::max<std::int64_t>(most, sysconf(level));
    }
#endif
    // Where nothing is told, and where many cores share much, a core's part is about this.
    constexpr std::int64_t usual = 32 << 20;
    return most > 0 ? std::min(most, usual) : usual;
  }();
  return bytes > 0.25 * static_cast<double>(last_cache);
}

}  // namespace Impl
}  // namespace Kontract
