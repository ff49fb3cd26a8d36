// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORCOLUMNPLAN_HPP
#define KONTRACT_TENSORCOLUMNPLAN_HPP

#include <cstdint>
#include <string>

#include "detail/kernels/portable/Kontract_ColumnExtents.hpp"
#include "detail/problem/Kontract_FormWork.hpp"
#include "detail/problem/Kontract_Work.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// Steps of four that numbers of functions, and of points, in a direction fill: what kernels of
/// TensorColumns are compiled for.
struct TensorColumnSteps {
  int functions = 0, points = 0;

  static constexpr int most_functions = 3;  ///< steps; of points there may be one more

  /// Threads that have as many registers as columns of this size need, by steps of functions: of
  /// the plan of a term, and of the kernels that serve it, which have no fewer.
  /// \param has_families  fields are not those of HGRAD alone, or components are coupled
  /// \param paths         of a side, at most
  static constexpr int mostThreads(int function_steps, bool has_families, int paths) {
    // Each of a multiprocessor's four parts has registers for so many warps.
    constexpr int of_one_family[] = {512, 512, 384}, of_values[] = {512, 384, 384},
                  of_curls[] = {384, 384, 256}, of_coupled[] = {384, 256, 256};
    const int place = function_steps - 1;
    if (!has_families) return of_one_family[place];
    if (paths <= 3) return of_values[place];
    return paths <= max_column_paths ? of_curls[place] : of_coupled[place];
  }
};

/// How blocks compute vectors and products with columns of cells by matrix instructions.
struct TensorColumnPlan {
  TensorColumnSizes sizes;
  TensorColumnSteps steps;
  std::int64_t shared_bytes = 0;  ///< of a block
  bool fits = false;              ///< there is a kernel for the form, and shared memory has room
};

/// The same functions in any layout take as much shared memory.
/// \param form_cells    that there are; of few a block has fewer
/// \param number_bytes  of a scalar of the form
/// \param cells_first   neighbours in memory are neighbouring cells
TensorColumnPlan tensorColumnPlan(const ColumnSizes& columns, bool is_load, std::int64_t form_cells,
                                  int number_bytes, bool cells_first, const Machine& machine);

/// The same of a form, before it is known what neighbours are in the array that it reads most of.
TensorColumnPlan tensorColumnPlan(const Work& work, const Machine& machine);

/// Whether there is a kernel for a form: vectors, and products with vectors, inside of hexahedra of
/// tensor-product bases that have the same points on both sides, and in a direction at most
/// max_tensor_column_functions functions and so many points that a cell has room in shared memory;
/// of elasticity as many functions in each direction, at least 2.
bool hasTensorColumns(const Work& work, const Machine& machine);

/// Expected seconds.
double secondsOfTensorColumns(const Work& work, const Machine& machine);

}  // namespace Impl
}  // namespace Kontract

#endif
