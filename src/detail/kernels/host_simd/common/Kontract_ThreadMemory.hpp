// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_THREADMEMORY_HPP
#define KONTRACT_THREADMEMORY_HPP

#include <cstdint>

namespace Kontract {
namespace Impl {

/// Memory of this thread for kernels to work in, aligned to 64 bytes, valid until the next call on
/// this thread. It is kept between calls and grows with the largest of them, so that calls in an
/// assembly loop allocate nothing.
/// \return null if there is no such memory: work that runs in parallel must not throw
void* threadMemory(std::int64_t bytes);

/// Whether a call that touches so many bytes had better write past the caches: a good part of the
/// last of them, which others use, too, would hold outputs that nobody reads for a while.
bool exceedsCache(double bytes);

}  // namespace Impl
}  // namespace Kontract

#endif
