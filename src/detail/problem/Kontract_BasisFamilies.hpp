// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BASISFAMILIES_HPP
#define KONTRACT_BASISFAMILIES_HPP

namespace Kontract {
namespace Impl {

// Sources for one instruction set see this file, so it has no functions.

/// What fields of a tensor-product basis are products of, family by family, and what their values
/// are at a point: a component of values is such a product, with the derivative of the function of
/// one direction or of none, or is zero. Functions of HGRAD and HVOL are one family.
struct BasisFamilies {
  int count = 1;
  bool is_open[3][3] = {};            ///< by family and direction: the functions of HVOL
  signed char derivative[3][3] = {};  ///< by family and component: a direction, or none
  signed char sign[3][3] = {};        ///< by family and component; 0: the component is zero
  static constexpr int no_derivative = -1;
};

}  // namespace Impl
}  // namespace Kontract

#endif
