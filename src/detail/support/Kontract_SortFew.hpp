// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SORTFEW_HPP
#define KONTRACT_SORTFEW_HPP

#include <utility>

namespace Kontract {
namespace Impl {

/// Sorts a few elements, and keeps the order of equal ones: in each call, where std::stable_sort
/// would allocate a buffer.
template <class T, int count, class Less>
void sortFew(T (&elements)[count], const Less& less) {
  for (int i = 1; i < count; ++i) {
    for (int j = i; j > 0 && less(elements[j], elements[j - 1]); --j) {
      std::swap(elements[j], elements[j - 1]);
    }
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
