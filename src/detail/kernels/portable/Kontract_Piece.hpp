// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_PIECE_HPP
#define KONTRACT_PIECE_HPP

#include "Kontract_SmallTensor.hpp"
#include "Kontract_SumOfProducts.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

template <class Problem>
inline constexpr bool is_contraction =
    std::is_same_v<typename Problem::shape_type, ContractionShape>;

/// Does one piece of a problem's box.
template <class Problem>
KOKKOS_FORCEINLINE_FUNCTION void compute(const Problem& problem, std::int64_t i, std::int64_t j,
                                         std::int64_t k) {
  if constexpr (is_contraction<Problem>) {
    contractOne(problem, i, j, k);
  } else {
    multiplyPiece(problem, i, j, k);
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
