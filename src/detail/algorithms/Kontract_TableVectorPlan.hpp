// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TABLEVECTORPLAN_HPP
#define KONTRACT_TABLEVECTORPLAN_HPP

#include <string>

#include "Kontract_FormArrays.hpp"
#include "detail/kernels/portable/Kontract_FormTableVectors.hpp"
#include "detail/problem/Kontract_Work.hpp"

namespace Kontract {
namespace Impl {

/// Components of values of some terms, on both sides.
struct VectorComponents {
  int left = 0, right = 0;
  /// How far values of the right side are behind fluxes, so that none is lost before it is taken.
  int right_at = 0;
};

/// How blocks of a device compute vectors of forms by matrix instructions.
struct TableVectorPlan {
  FormArrays arrays;
  VectorComponents components;
  bool is_load = false;  ///< nothing is on the right side
  int left_fields = 1, right_fields = 0;
  int left_blocks = 1, right_blocks = 1;
  int cells = 1;            ///< of a block, a power of two, and at least 16
  int part_points = 1;      ///< whose inputs are in shared memory at a time
  std::int64_t points = 0;  ///< of all
  int launch_points = 0;    ///< of a launch
  VectorOutputs outputs = VectorOutputs::Any;
  bool fits = false;

  int leftRows() const { return components.left * launch_points; }
  int rightRows() const { return is_load ? 0 : components.right * launch_points; }
  int rightAt() const { return components.right_at * launch_points; }
  /// Rows of values and of fluxes in shared memory.
  int rows() const;
  int rowStep() const;
  /// Between cells of sums in shared memory: of those that are not as they are in memory odd, so
  /// that threads find them in different banks.
  int sumStep() const;
  /// Numbers of shared memory, of vectors and later of sums.
  std::int64_t vectorsSize() const;
  std::int64_t sharedBytes() const;
  /// Of the tables of both sides.
  std::int64_t bytes() const;
};

/// The plan of terms that are computed at a time, for all points, or as many as a block has room
/// for.
/// \param are_known  there is a kernel for such terms
TableVectorPlan tableVectorPlan(const FormShape& shape, const VectorComponents& components,
                                const FormArrays& arrays, bool are_known, const Machine& machine);

/// What its blocks are told, from a point on.
FormVectorSizes formVectorSizes(const TableVectorPlan& plan, std::int64_t first_point);

/// Why matrix instructions cannot compute the vectors of a form; empty if they can.
std::string whyNotTableVectors(const Work& work, const Machine& machine);

/// Expected seconds.
double secondsOfTableVectors(const Work& work, const Machine& machine);

}  // namespace Impl
}  // namespace Kontract

#endif
