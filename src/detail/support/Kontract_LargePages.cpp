// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_LargePages.hpp"

#include <fstream>
#include <sstream>
#include <string>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace Kontract {
namespace Impl {
namespace {

constexpr std::uintptr_t large_page = 2 << 20;  ///< bytes, of most systems

/// The line of a mapping in /proc/self/smaps begins with its addresses, "7f00-7f08 rw-p ...".
bool isOfMapping(const std::string& line, std::uintptr_t address) {
  std::istringstream text(line);
  std::uintptr_t first = 0, last = 0;
  char dash = 0;
  return (text >> std::hex >> first >> dash >> last) && dash == '-' && first <= address &&
         address < last;
}

/// The kilobytes of a line like "AnonHugePages:   2048 kB".
std::int64_t kilobytesOf(const std::string& line) {
  return std::stoll(line.substr(line.find(':') + 1));
}

bool areOffered() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string choice;
  std::getline(file, choice);
  return choice.find("[madvise]") != std::string::npos ||
         choice.find("[always]") != std::string::npos;
}

bool isInSmallPages(std::uintptr_t address) {
  std::ifstream file("/proc/self/smaps");
  std::string line;
  while (std::getline(file, line)) {
    if (!isOfMapping(line, address)) continue;
    while (std::getline(file, line)) {
      if (line.rfind("KernelPageSize:", 0) == 0 && kilobytesOf(line) > 4) return false;
      if (line.rfind("AnonHugePages:", 0) == 0) return kilobytesOf(line) == 0;
    }
  }
  return false;
}

}  // namespace

void askForLargePages([[maybe_unused]] void* memory, [[maybe_unused]] std::int64_t bytes) {
#if defined(MADV_HUGEPAGE)
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (begin + large_page - 1) / large_page * large_page;
  const std::uintptr_t last =
      (begin + static_cast<std::uintptr_t>(bytes)) / large_page * large_page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

bool couldHaveLargePages(const void* memory) {
  return areOffered() && isInSmallPages(reinterpret_cast<std::uintptr_t>(memory));
}

}  // namespace Impl
}  // namespace Kontract
