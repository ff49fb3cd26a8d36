// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_OFFSETS_HPP
#define KONTRACT_TEST_OFFSETS_HPP

#include <cstddef>
#include <vector>

namespace KontractTest {

/// Calls f(n, offset) for each element of an array, in the order of the last index fastest.
/// \param first  offset of the element with all indices zero
template <class F>
void forEachOffset(const std::vector<std::size_t>& extents, const std::vector<std::size_t>& strides,
                   std::size_t first, const F& f) {
  std::vector<std::size_t> index(extents.size(), 0);
  std::size_t size = 1;
  for (const std::size_t extent : extents) size *= extent;
  for (std::size_t n = 0; n < size; ++n) {
    std::size_t offset = first;
    for (std::size_t i = 0; i < index.size(); ++i) offset += index[i] * strides[i];
    f(n, offset);
    for (std::size_t i = index.size(); i-- > 0;) {
      if (++index[i] < extents[i]) break;
      index[i] = 0;
    }
  }
}

}  // namespace KontractTest

#endif
