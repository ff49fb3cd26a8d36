// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FIELDOPERATORS_HPP
#define KONTRACT_FIELDOPERATORS_HPP

#include <cstdint>

namespace Kontract {
namespace Impl {

// Operators that stand between the fields of a cell and what it adds to, as addresses and numbers.
// Sources for one instruction set see this file, so it includes nothing else and has no functions.

/// A square matrix for a few fields of a cell, in compressed rows.
struct FieldBlock {
  std::int32_t count = 0;        ///< fields
  std::int32_t first_field = 0;  ///< where the block's fields begin
  std::int64_t first_row = 0;    ///< where its rows begin; count + 1 ends
};

/// A matrix of each cell in compressed rows, which devices read in one pass: the product of all
/// blocks of a cell, one for all cells that have the same blocks.
struct FieldMatrices {
  const std::int32_t* kinds = nullptr;   ///< which one a cell has; null: all are identities
  const std::int64_t* starts = nullptr;  ///< (kinds, rows + 1): where rows begin
  const std::int32_t* fields = nullptr;  ///< of entries
  const double* weights = nullptr;
  std::int64_t rows = 0;
  std::int64_t components = 1;  ///< of each field, which are transformed alike
};

/// Whether a cell adds to what its operators lead to, by T, or reads it, by T^T.
enum class FieldDirection { Out, In };

/// A matrix T for each cell: a product of blocks, the first one first, and the identity for fields
/// that no block has. Matrices of cells become T M T^T, vectors T v, and what cells read T^T u.
struct FieldOperators {
  const std::int64_t* starts = nullptr;       ///< of cells in cell_blocks; null: all are identities
  const std::int32_t* cell_blocks = nullptr;  ///< the blocks of cells
  const FieldBlock* blocks = nullptr;
  const std::int32_t* fields = nullptr;   ///< of blocks
  const std::int64_t* rows = nullptr;     ///< where the rows of blocks begin
  const std::int32_t* columns = nullptr;  ///< places among the fields of a block
  const double* weights = nullptr;
  std::int64_t most_fields = 0;  ///< of a block
  std::int64_t components = 1;   ///< of each field, which are transformed alike
  FieldMatrices matrices;        ///< T of what adds, T^T of what reads, where devices need them
};

}  // namespace Impl
}  // namespace Kontract

#endif
