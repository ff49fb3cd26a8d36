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

/// Left and right fields of a block of outputs: those of Fads share what they read.
inline constexpr std::int64_t block_lefts = 4, block_rights = 16;

/// The independent blocks of a problem as a box: larger pieces than those of its own box where that
/// saves time. Blocks are for hosts, where a thread has time for many outputs.
template <class Space, class Problem>
Box blocksOf(const Problem& problem) {
  Box box = problem.shape.box();
  if constexpr (is_contraction<Problem> && is_fad_problem<Problem> && is_host_space<Space>) {
    box.extents[1] = (box.extents[1] + block_lefts - 1) / block_lefts;
    box.extents[2] = (box.extents[2] + block_rights - 1) / block_rights;
  }
  return box;
}

/// Does one block of the box that blocksOf() gives.
template <class Space, class Problem>
KOKKOS_FORCEINLINE_FUNCTION void computeBlock(const Problem& problem, std::int64_t i,
                                              std::int64_t j, std::int64_t k) {
  if constexpr (is_contraction<Problem> && is_fad_problem<Problem> && is_host_space<Space>) {
    const std::int64_t l = j * block_lefts, r = k * block_rights;
    const std::int64_t lefts = problem.shape.lefts - l, rights = problem.shape.rights - r;
    contractOutputsOfFads(problem, {i, l, r, lefts < block_lefts ? lefts : block_lefts,
                                    rights < block_rights ? rights : block_rights});
  } else {
    compute(problem, i, j, k);
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
