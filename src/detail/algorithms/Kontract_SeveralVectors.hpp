// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_SEVERALVECTORS_HPP
#define KONTRACT_SEVERALVECTORS_HPP

#include <algorithm>

#include "detail/problem/Kontract_PlainForm.hpp"
#include "detail/support/Kontract_Machine.hpp"

namespace Kontract {
namespace Impl {

/// Cells whose arrays stay in the second cache of a host's cores while they are multiplied by one
/// vector after another. A device computes all cells with a vector: that it reads geometry again
/// costs it less than launches of few cells do.
template <class Space, class T>
std::int64_t cellsForSeveralVectors(const Space& space, const PlainForm<T>& form) {
  // Colors are of cells all over the mesh: in a few cells there are not enough of one.
  if (!is_host_space<Space> || form.can_be_colored) return form.cells;
  constexpr double cache = 1 << 19;
  constexpr std::int64_t least = 256;
  const std::int64_t unknowns = form.lefts * form.left_blocks + form.rights * form.right_blocks;
  const double vectors = double(form.vectors) * double(unknowns) * sizeof(T);
  const double rest = form.bytes / double(std::max<std::int64_t>(1, form.cells)) - vectors;
  const double of_cell = std::max(rest, 0.0) + double(unknowns) * sizeof(T);
  const auto cells = static_cast<std::int64_t>(cache / std::max(1.0, of_cell));
  return std::max(least, cells) * space.concurrency();
}

/// Products of a form with several vectors by what knows one: some cells with each vector, then the
/// next ones, so that on hosts geometry, coefficients and numbers of cells come from a cache for
/// all vectors but the first.
/// \param compute  called with products of one vector
template <class Space, class T, class Compute>
void forEachVector(const Space& space, const PlainForm<T>& form, const Compute& compute) {
  const std::int64_t cells = cellsForSeveralVectors(space, form);
  std::int64_t first = 0;
  do {
    const std::int64_t count = std::min(cells, form.cells - first);
    PlainTerm<T> terms[max_form_terms];
    PlainForm<T> product = cellsOf(form, first, count, terms);
    product.vectors = 1;
    product.flops /= double(form.vectors);
    product.bytes /= double(form.vectors);
    // The first cells clear what all share.
    product.sum_into = form.sum_into || (form.is_scattered && first > 0);
    for (std::int64_t v = 0; v < form.vectors; ++v) {
      compute(product);
      if (product.out != nullptr) product.out += form.next_out;
      if (product.vector.data != nullptr) product.vector.data += form.next_vector;
    }
    first += count;
  } while (first < form.cells);
}

}  // namespace Impl
}  // namespace Kontract

#endif
