// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FormWork.hpp"

#include <algorithm>

#include "Kontract_PlainForm.hpp"

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

template <class Real>
BasisExtents extentsOf(const PlainValues<Real>& values) {
  BasisExtents extents{values.directions, values.is_gradient, {}, {}};
  for (int d = 0; d < values.directions; ++d) {
    extents.functions[d] = static_cast<int>(values.direction[d].functions);
    extents.points[d] = static_cast<int>(values.direction[d].points);
  }
  return extents;
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

Work workOfPlainSums(const FormShape& shape, int scalar_bytes) {
  Work work;
  work.is_form = true;
  work.flops = shape.flops;
  work.bytes = shape.bytes;
  work.box = {{shape.cells, shape.lefts * shape.left_blocks,
               shape.kind == FormKind::Matrices ? shape.rights * shape.right_blocks : 1}};
  work.cell_fastest = shape.cell_fastest;
  work.terms = shape.points;
  for (int& bytes : work.scalar_bytes) bytes = scalar_bytes;
  work.form.shape = shape;
  return work;
}

template <class Real>
Work workOf(const PlainForm<Real>& form) {
  Work work = workOfPlainSums(form, int(sizeof(Real)));
  work.is_single = sizeof(Real) == sizeof(float);
  if (form.kind == FormKind::Matrices || !form.has_tensor_bases_alone) return work;
  for (int t = 0; t < form.term_count; ++t) {
    const BasisExtents left = extentsOf(form.terms[t].left);
    const BasisExtents right = extentsOf(form.terms[t].right);
    addFactorization(form, left, form.kind == FormKind::Products ? &right : nullptr,
                     work.form.sizes);
  }
  return work;
}

template Work workOf(const PlainForm<float>&);
template Work workOf(const PlainForm<double>&);

}  // namespace Impl
}  // namespace Kontract
