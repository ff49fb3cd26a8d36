// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLFORMPLAN_HPP
#define KONTRACT_CELLFORMPLAN_HPP

#include <string>

#include "detail/kernels/portable/Kontract_FormCells.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/problem/Kontract_Work.hpp"

namespace Kontract {
namespace Impl {

/// Terms that the arguments of a kernel have room for.
inline constexpr int most_cell_terms = 3;

/// How teams of a device take cells whose matrices threads have in registers.
struct CellFormPlan {
  CellFormLayout layout;
  std::int64_t many_teams = 1;  ///< that keep a device busy
  std::int64_t pairs = 1;       ///< of components, which are pieces of work of their own
  Teams teams;                  ///< without a number of pieces
  bool fits = false;  ///< the form is one of those, and scratch memory holds a team's part
};

CellFormPlan cellFormPlan(const FormShape& shape, int number_bytes, const Machine& machine);

/// Why threads of a device cannot have the matrices of cells in registers; empty if they can.
std::string whyNotFormCells(const Work& work, const Machine& machine);

/// Expected seconds.
double secondsOfFormCells(const Work& work, const Machine& machine);

}  // namespace Impl
}  // namespace Kontract

#endif
