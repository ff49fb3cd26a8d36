// SPDX-License-Identifier: BSD-3-Clause
//
// What differs between the releases of Intrepid2 in what tests write; what the library needs of that is in
// Kontract_Intrepid2Geometry.hpp.
#ifndef KONTRACT_TEST_INTREPID2RELEASES_HPP
#define KONTRACT_TEST_INTREPID2RELEASES_HPP

#include "Kontract_Intrepid2Geometry.hpp"

namespace KontractTest {

/// What getHGRADtransformGRAD takes: vectors in 13.2, values of any kind in 16.1.
#if __has_include(<Intrepid2_TransformedBasisValues.hpp>)
template <class Scalar, class Device>
using ReferenceGradients = Intrepid2::BasisValues<Scalar, Device>;
#else
template <class Scalar, class Device>
using ReferenceGradients = Intrepid2::VectorData<Scalar, Device>;
#endif

}  // namespace KontractTest

#endif
