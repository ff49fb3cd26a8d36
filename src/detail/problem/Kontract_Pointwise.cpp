// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Pointwise.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "Kontract_IndexTable.hpp"

namespace Kontract {
namespace Impl {

bool PointwiseShape::isCellFastest() const {
  if (whole().cells < 2) return false;
  const auto slower = [&](std::int64_t extent, std::int64_t stride) {
    return extent > 1 && std::abs(stride) > std::abs(out.cell);
  };
  return slower(fields, out.field) || slower(points, out.point) || slower(rows, out.row) ||
         slower(columns, out.column);
}

Work PointwiseShape::work(const int (&scalar_bytes)[3]) const {
  const auto elements = [&](const Strides& s, std::int64_t SumLevel::*step) {
    double n = 1;
    const auto count = [&n](std::int64_t extent, std::int64_t stride) {
      if (stride != 0) n *= static_cast<double>(extent);
    };
    count(cells, s.cell);
    count(fields, s.field);
    count(points, s.point);
    count(rows, s.row);
    count(columns, s.column);
    for (const SumLevel& level : sum) count(level.extent, level.*step);
    return n;
  };
  const double out_elements =
      static_cast<double>(cells * fields * points) * static_cast<double>(rows * columns);
  const double terms_each = static_cast<double>(terms());
  Work work;
  switch (kind) {
    case PointwiseKind::Copy: work.flops = 0; break;
    case PointwiseKind::Cross2:
    case PointwiseKind::Cross3: work.flops = 3 * out_elements; break;
    case PointwiseKind::Inverse: work.flops = 6 * out_elements; break;
    case PointwiseKind::Cofactor: work.flops = 15 * out_elements; break;
    default: work.flops = out_elements * (2 * terms_each - 1);
  }
  work.bytes = out_elements * scalar_bytes[0] + elements(right, &SumLevel::right) * scalar_bytes[2];
  if (hasLeft(kind)) {
    work.bytes += elements(left, &SumLevel::left) * scalar_bytes[1];
  }
  work.box = box();
  work.cell_fastest = isCellFastest();
  work.terms = terms();
  std::copy(std::begin(scalar_bytes), std::end(scalar_bytes), work.scalar_bytes);
  return work;
}

namespace {

using Strides = PointwiseShape::Strides;

/// Makes one index of two where all arrays step through them as through one.
void merge(PointwiseShape& shape, std::int64_t& outer_extent, std::int64_t Strides::*outer,
           std::int64_t& inner_extent, std::int64_t Strides::*inner) {
  if (inner_extent == 1) return;
  Strides* const arrays[] = {&shape.out, &shape.left, &shape.right};
  for (const Strides* array : arrays) {
    if (outer_extent > 1 && array->*outer != array->*inner * inner_extent) return;
  }
  for (Strides* array : arrays) {
    array->*outer = array->*inner;
    array->*inner = 0;
  }
  outer_extent *= inner_extent;
  inner_extent = 1;
}

/// Where each output element needs one element of each input, an array is a longer run of points
/// than its shape says: (f,p,d) is one index for contiguous copies.
void flatten(PointwiseShape& shape) {
  merge(shape, shape.rows, &Strides::row, shape.columns, &Strides::column);
  // One point would take the rows of any tensor. Where rows and columns did not become one index,
  // each side has one of them (outer products), and they stay together.
  const bool has_one_index = shape.rows == 1 || shape.columns == 1;
  if (has_one_index || shape.points > 1) {
    merge(shape, shape.points, &Strides::point, shape.rows, &Strides::row);
  }
  merge(shape, shape.fields, &Strides::field, shape.points, &Strides::point);
  if (shape.points == 1) {
    std::swap(shape.points, shape.fields);
    for (Strides* array : {&shape.out, &shape.left, &shape.right}) {
      std::swap(array->point, array->field);
    }
  }
}

}  // namespace

PointwiseShape pointwiseOf(const IndexTable& indices, PointwiseKind kind, bool on_host) {
  PointwiseShape shape;
  shape.kind = kind;
  const auto take = [&](char letter, std::int64_t& extent,
                        std::int64_t PointwiseShape::Strides::*index) {
    const Index& from = indices[letter];
    extent = from.extent;
    shape.out.*index = from.out;
    shape.left.*index = from.left;
    shape.right.*index = from.right;
  };
  take('C', shape.cells, &PointwiseShape::Strides::cell);
  take('F', shape.fields, &PointwiseShape::Strides::field);
  take('P', shape.points, &PointwiseShape::Strides::point);
  // Dimensions of the output are rows and columns, in that order; the others are summed over.
  int rows = 0, sums = 0;
  for (const char letter : {'D', 'E', 'G', 'd', 'N'}) {
    const Index& index = indices[letter];
    if (index.extent == 1) continue;
    if (index.out == 0) {
      shape.sum[sums++] = {index.extent, index.left, index.right};
    } else if (rows++ == 0) {
      take(letter, shape.rows, &PointwiseShape::Strides::row);
    } else {
      take(letter, shape.columns, &PointwiseShape::Strides::column);
    }
  }
  if (isOfElements(kind) && shape.terms() == 1) flatten(shape);
  if (on_host) {
    shape.run = PointwiseShape::host_run;
    shape.runs_along_cells = shape.isCellFastest();
  }
  return shape;
}

}  // namespace Impl
}  // namespace Kontract
