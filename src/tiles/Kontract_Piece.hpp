// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_PIECE_HPP
#define KONTRACT_PIECE_HPP

#include "Kontract_SmallTensor.hpp"
#include "Kontract_SumOfProducts.hpp"

namespace Kontract {
namespace Impl {

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
