// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FormWork.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {
namespace {

/// Multiply-adds of all contractions of a side, from functions to points or back.
double productsOf(const BasisExtents& basis) {
  double products = 0;
  for (int d = 0; d < basis.dimension; ++d) {
    products += double(basis.components()) * basis.intermediateSize(d + 1, basis.dimension) *
                basis.points[d];
  }
  return products;
}

}  // namespace

void addFactorization(const FormShape& shape, const BasisExtents& left, const BasisExtents* right,
                      FactorizationSizes& sizes) {
  const int D = left.dimension;
  const auto enlarge = [](int& size, int needed) { size = std::max(size, needed); };
  sizes.points = shape.points;
  sizes.cells = shape.cells;
  const int fluxes = left.components() * static_cast<int>(shape.points);
  enlarge(sizes.tables, left.tableSize());
  enlarge(sizes.buffers[D % 2], fluxes);
  for (int d = 1; d < D; ++d) {
    enlarge(sizes.buffers[d % 2], left.components() * left.intermediateSize(0, d));
  }
  double products = productsOf(left) * shape.left_blocks;
  if (right != nullptr) {
    enlarge(sizes.tables, right->tableSize());
    for (int d = 0; d <= D; ++d) {
      enlarge(sizes.buffers[(D - d) % 2], right->components() * right->intermediateSize(d, D));
    }
    if (shape.left_blocks * shape.right_blocks > 1) {
      enlarge(sizes.fluxes, shape.left_blocks * fluxes);
    }
    products += productsOf(*right) * shape.right_blocks;
  }
  sizes.flops += 2 * products * double(shape.cells);
}

}  // namespace Impl
}  // namespace Kontract
