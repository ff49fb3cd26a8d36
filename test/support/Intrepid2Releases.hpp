// SPDX-License-Identifier: BSD-3-Clause
//
// What differs between the releases of Intrepid2 in what tests write; what the library needs of
// that is in Kontract_Intrepid2Geometry.hpp.
#ifndef KONTRACT_TEST_INTREPID2RELEASES_HPP
#define KONTRACT_TEST_INTREPID2RELEASES_HPP

#include <Intrepid2_BasisValues.hpp>
#include <utility>

#include "detail/call/Kontract_Intrepid2Geometry.hpp"

namespace KontractTest {

/// Gradients of a basis as getHGRADtransformGRAD takes them: their vectors in 13.2, values of any
/// kind in 16.1.
template <class Values>
const auto& referenceGradients(const Values& gradients) {
#if __has_include(<Intrepid2_TransformedBasisValues.hpp>)
  return gradients;
#else
  return gradients.vectorData();
#endif
}
template <class Scalar, class Device>
using ReferenceGradients =
    decltype(referenceGradients(std::declval<Intrepid2::BasisValues<Scalar, Device>>()));

}  // namespace KontractTest

#endif
