// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_BASISSEQUENCE_HPP
#define KONTRACT_TEST_BASISSEQUENCE_HPP

#include "ReferenceElement.hpp"

namespace KontractTest {

/// Values of the bases of HGRAD, HCURL, HDIV and HVOL of an order at points of the reference cell,
/// (F,P) or (F,P,D); empty where Intrepid2 has none.
struct BasisSequence {
  Numbers values, gradients, rotated_gradients;  ///< of HGRAD, the last in the plane alone
  Numbers edge_values, curls;
  Numbers face_values, divergences;
  Numbers volume_values;

  BasisSequence(CellShape shape, int order, const Numbers& points) {
    using Kontract::FunctionSpace;
    const auto fill = [&](Numbers& out, FunctionSpace space, Derivative derivative) {
      const ReferenceBasis basis{shape, space, space == FunctionSpace::HVOL ? order - 1 : order};
      if (basis.isThere()) out = valuesAt(points, basis, derivative);
    };
    fill(values, FunctionSpace::HGRAD, Derivative::None);
    fill(gradients, FunctionSpace::HGRAD, Derivative::Gradient);
    if (dimensionOf(shape) == 2) fill(rotated_gradients, FunctionSpace::HGRAD, Derivative::Curl);
    fill(edge_values, FunctionSpace::HCURL, Derivative::None);
    fill(curls, FunctionSpace::HCURL, Derivative::Curl);
    fill(face_values, FunctionSpace::HDIV, Derivative::None);
    fill(divergences, FunctionSpace::HDIV, Derivative::Divergence);
    fill(volume_values, FunctionSpace::HVOL, Derivative::None);
  }
};

}  // namespace KontractTest

#endif
