// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_PIECE_HPP
#define KONTRACT_PIECE_HPP

#include "Kontract_SmallTensor.hpp"
#include "Kontract_SumOfProducts.hpp"

namespace Kontract {
namespace Impl {

/// The independent pieces of a problem as a box of three extents, whichever family it is of:
/// (cell, left, right) outputs of a contraction, runs of (cell, field, point) places of a product.
struct Box {
  std::int64_t extents[3];
  std::int64_t size() const { return extents[0] * extents[1] * extents[2]; }
};

inline Box boxOf(const ContractionShape& s) { return {{s.cells, s.lefts, s.rights}}; }
inline Box boxOf(const PointwiseShape& s) {
  const auto runs = [&](std::int64_t extent) { return (extent + s.run - 1) / s.run; };
  if (s.runs_along_cells) return {{runs(s.cells), s.fields, s.points}};
  return {{s.cells, s.fields, runs(s.points)}};
}

/// Does one piece of a problem.
template <class Problem>
KOKKOS_FORCEINLINE_FUNCTION void compute(const Problem& problem, std::int64_t i, std::int64_t j,
                                         std::int64_t k) {
  if constexpr (std::is_same_v<typename Problem::shape_type, ContractionShape>) {
    contractOne(problem, i, j, k);
  } else {
    multiplyPiece(problem, i, j, k);
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
