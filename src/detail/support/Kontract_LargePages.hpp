// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_LARGEPAGES_HPP
#define KONTRACT_LARGEPAGES_HPP

#include <cstdint>

namespace Kontract {
namespace Impl {

/// Asks the system for large pages where memory of the host has whole ones that nothing was written
/// to. Where it has none, or offers none on request, nothing happens. Source: madvise(2) of Linux.
void askForLargePages(void* memory, std::int64_t bytes);

/// Whether memory of the host lies in small pages although the system offers large ones: as Linux
/// tells in /proc/self/smaps and /sys/kernel/mm/transparent_hugepage, which takes milliseconds.
/// False where nothing is told.
bool couldHaveLargePages(const void* memory);

}  // namespace Impl
}  // namespace Kontract

#endif
