// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_MATRIXPLAN_HPP
#define KONTRACT_MATRIXPLAN_HPP

#include "Kontract_ColumnPlan.hpp"
#include "detail/kernels/portable/Kontract_MatrixLayout.hpp"

namespace Kontract {
namespace Impl {

/// How teams of a device divide element matrices by sum factorization.
struct MatrixPlan {
  MatrixLayout layout;
  int cells = 1;                ///< that a team computes at a time
  std::int64_t many_teams = 1;  ///< that keep a device busy
  Teams teams;
  bool fits = false;  ///< it is for the form, and scratch memory holds the cells of a team
};

/// \param number_bytes  of a scalar
/// \param launch        Team Size and Cells Per Team are honoured
MatrixPlan matrixPlan(const FormWork& form, int number_bytes, const LaunchSettings& launch,
                      const Machine& machine);

}  // namespace Impl
}  // namespace Kontract

#endif
