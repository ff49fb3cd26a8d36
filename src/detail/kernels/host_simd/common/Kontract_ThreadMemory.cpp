// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_ThreadMemory.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "detail/support/Kontract_LargePages.hpp"

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
    // Several large pages are worth their alignment.
    const std::int64_t alignment = bytes < (8 << 20) ? 64 : 2 << 20;
    const std::int64_t rounded = (bytes + alignment - 1) / alignment * alignment;
    own = Memory();
    own.memory.reset(
        std::aligned_alloc(static_cast<std::size_t>(alignment), static_cast<std::size_t>(rounded)));
    if (!own.memory) return nullptr;
    askForLargePages(own.memory.get(), rounded);
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
