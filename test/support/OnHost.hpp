// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_FILLANYVIEW_HPP
#define KONTRACT_TEST_FILLANYVIEW_HPP

#include <cstddef>

#include "Scalars.hpp"

namespace KontractTest {

/// Random numbers in all the memory that a view on the host spans.
template <class View>
void fillRandomly(const View& view) {
  for (std::size_t i = 0; i < view.span(); ++i) view.data()[i] = random().real();
}

}  // namespace KontractTest

#endif
