// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TERMSHAPE_HPP
#define KONTRACT_TERMSHAPE_HPP

#include "Kontract_Extents.hpp"
#include "Kontract_Form.hpp"

namespace Kontract {
namespace Impl {

/// A side of a term: how its values are indexed and pulled back.
struct SideShape {
  Pullback pullback;  ///< never Curl
  bool is_vector;
  const char* letters;  ///< with L or R for the fields
};

/// \param rank  of the values
/// \param is_left  fields are L, else R
/// \throws std::invalid_argument if the geometry has no Jacobians and the form needs them
SideShape sideShape(const Extents& extents, Pullback pullback, int rank, bool is_left,
                    bool has_mapping, int term);

/// \throws std::invalid_argument if elasticity is asked of anything but gradients on both sides,
///   all on the reference cell or all transformed already
void requireGradients(const Extents& extents, const SideShape& left, const SideShape& right,
                      int term);

/// A coefficient: how it is indexed, and what it is.
struct CoefficientShape {
  CoefficientKind kind;
  const char* letters;
  bool is_vector_of_blocks;  ///< a load of D components
};

/// In the place of the rank of an array that is not there: an array may have the rank 0.
inline constexpr int absent = -1;

/// \param rank  of the coefficient, or absent
/// \throws std::invalid_argument if such a coefficient cannot stand between such values
CoefficientShape coefficientShape(const Extents& extents, bool left_is_vector, bool right_is_vector,
                                  bool is_load, bool is_elastic, int rank, int term);

}  // namespace Impl
}  // namespace Kontract

#endif
