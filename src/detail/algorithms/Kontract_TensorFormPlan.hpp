// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORFORMPLAN_HPP
#define KONTRACT_TENSORFORMPLAN_HPP

#include <string>

#include "detail/kernels/portable/Kontract_FormPointMatrices.hpp"
#include "detail/kernels/portable/Kontract_FormTableProduct.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/problem/Kontract_FormProducts.hpp"
#include "detail/problem/Kontract_Work.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// How blocks of a device compute matrices of forms by matrix instructions: each a slice
/// of the entries of some cells, by warps of 32 cells and up to 32 entries.
struct TensorFormPlan {
  FormProducts products;
  int cells = 1;                    ///< of a block, a power of two
  int pass_cells = 1;               ///< whose sums are in shared memory at a time
  int entry_warps = 1;              ///< that share the entries of a slice
  int warp_tiles = 1;               ///< of eight entries, of a warp
  int entry_step = 8;               ///< between the sums of cells in shared memory
  int stage_steps = 1;              ///< of eight rows, that come into shared memory together
  std::int64_t pairs = 1;           ///< of components of fields
  std::int64_t slices_at_once = 1;  ///< whose tables are in memory
  std::int64_t blocks_at_once = 1;  ///< whose matrices of points are
  std::int64_t blocks = 0;          ///< of all cells

  static constexpr int point_threads = 128;  ///< of teams that compute the matrices of points

  // Odd multiples of four between rows keep threads apart in banks of memory.
  int cellStep() const { return cells + 4; }
  /// Numbers of a step of a stage.
  std::int64_t stepSize() const { return 8 * (cellStep() + products.slice_entries); }
  /// Numbers of shared memory.
  std::int64_t stagesSize() const { return FormTableSizes::stages * stage_steps * stepSize(); }
  std::int64_t sumsSize() const { return std::int64_t(pass_cells) * entry_step; }
  std::int64_t sharedBytes() const { return 8 * (stagesSize() + sumsSize()); }
  /// Pairs of numbers of the table of a slice.
  std::int64_t tableStep() const { return products.steps() * products.slice_entries * 4; }
  /// Elements of the list of outputs of a slice.
  int outputsStep() const { return 2 * products.slice_entries; }
  std::int64_t sliceBytes() const { return 16 * tableStep() + 4 * std::int64_t(outputsStep()); }
  /// Of the matrices of points of a block.
  std::int64_t blockBytes() const { return 64 * products.steps() * cells * pairs; }
  std::int64_t bytes() const {
    return slices_at_once * sliceBytes() + blocks_at_once * blockBytes();
  }
};

/// \param left_components, point_components  of the terms that are computed at a time
TensorFormPlan tensorFormPlan(const FormShape& shape, int left_components, int point_components);

/// That of all terms.
TensorFormPlan tensorFormPlan(const FormShape& shape);

/// What its blocks are told, but for what a launch sets.
FormTableSizes formTableSizes(const TensorFormPlan& plan);

/// How teams share the matrices of points of some cells, which are then to be set.
PointMatrixSizes pointMatrixSizes(const FormShape& shape, const TensorFormPlan& plan);
Teams teamsOfPointMatrices(const FormShape& shape, const PointMatrixSizes& sizes);

/// Why matrix instructions cannot compute a form; empty if they can.
std::string whyNotTensorForms(const Work& work, const Machine& machine);

/// Expected seconds.
double secondsOfTensorForms(const Work& work, const Machine& machine);

}  // namespace Impl
}  // namespace Kontract

#endif
