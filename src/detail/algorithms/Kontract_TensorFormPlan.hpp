// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORFORMPLAN_HPP
#define KONTRACT_TENSORFORMPLAN_HPP

#include <string>

#include "Kontract_FormArrays.hpp"
#include "detail/kernels/portable/Kontract_FormTableProduct.hpp"
#include "detail/problem/Kontract_FormProducts.hpp"
#include "detail/problem/Kontract_Work.hpp"

namespace Kontract {
namespace Impl {

/// How blocks of a device compute matrices of forms by matrix instructions: slices of the entries
/// of some cells, by warps of 32 cells and up to 32 entries.
struct TensorFormPlan {
  FormProducts products;  ///< of as many points as are computed at a time
  FormArrays arrays;
  int cells = 1;                    ///< of a block, a power of two
  int part_points = 1;              ///< whose inputs are in shared memory at a time
  int pass_cells = 1;               ///< whose sums are in shared memory at a time
  int entry_warps = 1;              ///< that share the entries of a slice
  int warp_tiles = 1;               ///< of eight entries, of a warp
  int entry_step = 8;               ///< between the sums of cells in shared memory
  int slices_together = 1;          ///< for the same matrices of points
  std::int64_t pairs = 1;           ///< of components of fields
  std::int64_t slices_at_once = 1;  ///< whose tables are in memory
  std::int64_t points = 0;          ///< of all
  TableOutputs outputs = TableOutputs::Entries;
  bool fits = false;

  // Odd multiples of four between rows keep threads apart in banks of memory.
  int rowStep() const { return cells + 4; }
  /// Numbers of shared memory: of inputs, of the matrices of points and of sums.
  std::int64_t inputsSize() const { return arrays.numbers(cells, part_points); }
  std::int64_t matricesSize() const { return 8 * products.steps() * rowStep(); }
  /// With room for runs that begin within a multiple of 16 bytes.
  std::int64_t sumsSize() const {
    return outputs == TableOutputs::Cells ? 0 : std::int64_t(pass_cells) * entry_step + 2;
  }
  /// Sums come where matrices of points were, unless other slices need these.
  std::int64_t sumsAt() const { return inputsSize() + (slices_together > 1 ? matricesSize() : 0); }
  std::int64_t sharedBytes() const {
    const std::int64_t sums_end = sumsAt() + sumsSize(), end = inputsSize() + matricesSize();
    return 8 * (sums_end > end ? sums_end : end);
  }
  /// Pairs of numbers of the table of a slice.
  std::int64_t tableStep() const { return products.steps() * products.slice_entries * 4; }
  /// Elements of the list of outputs of a slice.
  int outputsStep() const { return 2 * products.slice_entries; }
  std::int64_t sliceBytes() const { return 16 * tableStep() + 4 * std::int64_t(outputsStep()); }
  /// Of a step of eight rows. Lanes read the table one ahead, and past its end.
  std::int64_t stepPairs() const { return std::int64_t(products.slice_entries) * 4; }
  std::int64_t bytes() const { return slices_at_once * sliceBytes() + 16 * stepPairs(); }
};

/// The plan of terms that are computed at a time, for all points, or as many as a block has room
/// for.
/// \param left_components, point_components  of those terms
/// \param arrays  as large as they are, or larger
TensorFormPlan tensorFormPlan(const FormShape& shape, int left_components, int point_components,
                              const FormArrays& arrays, const Machine& machine);

/// That of all terms at once, with as many inputs as they may have. It fits if all others do.
TensorFormPlan tensorFormPlan(const FormShape& shape, int scalar_bytes, const Machine& machine);

/// That of fewer points.
TensorFormPlan partOf(TensorFormPlan plan, std::int64_t first_point);

/// What its blocks are told, but for what a launch sets.
FormTableSizes formTableSizes(const TensorFormPlan& plan);

/// Why matrix instructions cannot compute a form; empty if they can.
std::string whyNotTensorForms(const Work& work, const Machine& machine);

/// Expected seconds.
double secondsOfTensorForms(const Work& work, const Machine& machine);

}  // namespace Impl
}  // namespace Kontract

#endif
