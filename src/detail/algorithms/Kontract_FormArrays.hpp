// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMARRAYS_HPP
#define KONTRACT_FORMARRAYS_HPP

#include "detail/kernels/portable/Kontract_FormPointInputs.hpp"
#include "detail/kernels/portable/Kontract_PlainFormKernel.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// What arrays of a form blocks of a device have in shared memory: scalars that a cell has for what
/// is computed at its points.
struct FormArrays {
  int shared = 0;    ///< at a point, of all cells: gradients of nodes' functions, a weight
  int of_cell = 0;   ///< nodes, or one Jacobian
  int of_point = 0;  ///< Jacobians and coefficients
  int scalar_bytes = 8;
  bool have_whole_outputs = false;  ///< those of cells are one after another in memory
  bool need_inverses = true;        ///< of Jacobians

  /// Scalars that cells share, of some points.
  int sharedScalars(int points) const { return 8 / scalar_bytes + points * shared; }
  /// Scalars between cells: odd, for threads that have neighbouring cells.
  int step(int points) const { return (of_cell + points * of_point) | 1; }
  /// Numbers of shared memory for some points of some cells.
  std::int64_t numbers(int cells, int points) const {
    const std::int64_t scalars = sharedScalars(points) + std::int64_t(cells) * step(points);
    return (scalars * scalar_bytes + 15) / 16 * 2;
  }
};

/// Arrays of a form but for coefficients and outputs.
FormArrays arraysOfForm(const FormShape& shape, int scalar_bytes);

/// Adds what some terms of a form need.
template <class T>
void addTerms(const PlainForm<T>& form, const FormTerms& terms, FormArrays& arrays) {
  arrays.need_inverses = false;
  for (int t = 0; t < terms.count; ++t) {
    const PlainTerm<T>& term = form.terms[terms.first + t];
    arrays.need_inverses = arrays.need_inverses || isOverDeterminant(term.left_pullback) ||
                           isOverDeterminant(term.right_pullback);
    for (const PlainArray<T>* array : {&term.coefficient, &term.second}) {
      if (array->is_there) arrays.of_point += coefficientNumbers(term, form.dimension);
    }
  }
}

/// How blocks have those of some points of so many cells, a power of two.
PointInputSizes pointInputSizes(const FormArrays& arrays, int cells, int points);

/// Bytes of shared memory for each of some blocks of a multiprocessor.
std::int64_t sharedMemoryOf(const Machine& machine, int blocks);

}  // namespace Impl
}  // namespace Kontract

#endif
