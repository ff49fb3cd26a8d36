// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Contraction.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <iterator>

#include "Kontract_IndexTable.hpp"
#include "detail/support/Kontract_SortFew.hpp"

namespace Kontract {
namespace Impl {
namespace {

/// Whether one step of outer is as far as all steps of inner, in both inputs.
bool continues(const SumLevel& outer, const SumLevel& inner) {
  return outer.left == inner.left * inner.extent && outer.right == inner.right * inner.extent;
}

/// Orders the levels from the largest stride to the smallest and merges those that continue each
/// other. Both inputs then walk k alike, in whatever order their memory suggests.
void flatten(SumLevel (&sum)[ContractionShape::sum_levels]) {
  sortFew(sum, [](const SumLevel& a, const SumLevel& b) {
    const auto step = [](const SumLevel& level) {
      return level.extent == 1
                 ? std::abs(level.left) + std::abs(level.right) + (std::int64_t(1) << 62)
                 : std::max(std::abs(level.left), std::abs(level.right));
    };
    return step(a) > step(b);
  });
  constexpr int last = ContractionShape::sum_levels - 1;
  for (int i = last; i > 0; --i) {
    while (sum[i - 1].extent > 1 && continues(sum[i - 1], sum[i])) {
      sum[i].extent *= sum[i - 1].extent;
      for (int j = i - 1; j > 0; --j) sum[j] = sum[j - 1];
      sum[0] = SumLevel();
    }
  }
}

/// An extent of an array and the step from one of its elements to the next.
struct Extent {
  std::int64_t count, step;
};

/// Whether an array has no gaps, if these are its extents, innermost first.
bool isWithoutGaps(std::initializer_list<Extent> extents) {
  std::int64_t next = 1;
  for (const Extent& extent : extents) {
    if (extent.count != 1 && extent.step != next) return false;
    next *= extent.count;
  }
  return next > 0;
}

}  // namespace

bool ContractionShape::isCellFastest() const {
  if (whole().cells < 2) return false;
  const auto slower = [&](std::int64_t extent, std::int64_t stride) {
    return extent > 1 && std::abs(stride) > std::abs(out_cell);
  };
  if (slower(lefts, out_left) || slower(rights, out_right)) return true;
  if (lefts > 1 || rights > 1) return false;
  return std::abs(left_cell) < std::abs(sum[ContractionShape::sum_levels - 1].left);
}

CellMatrices ContractionShape::matrices() const {
  const SumLevel& inner = sum[sum_levels - 1];
  CellMatrices m;
  m.terms = terms();
  m.has_one_step = m.terms == inner.extent || m.terms == 0;
  m.lefts = lefts;
  m.rights = rights;
  m.out_cell = out_cell;
  m.out_left = out_left;
  m.out_right = out_right;
  m.left_cell = left_cell;
  m.right_cell = right_cell;
  m.left_field = left_field;
  m.left_term = inner.left;
  m.right_field = right_field;
  m.right_term = inner.right;
  return m;
}

Work ContractionShape::work(const int (&scalar_bytes)[3]) const {
  Work work;
  const double k = static_cast<double>(terms());
  const double c = static_cast<double>(cells);
  const double l = static_cast<double>(lefts), r = static_cast<double>(rights);
  work.flops = 2 * c * l * r * k;
  double left_terms = 1, right_terms = 1;
  for (const SumLevel& level : sum) {
    if (level.left != 0) left_terms *= static_cast<double>(level.extent);
    if (level.right != 0) right_terms *= static_cast<double>(level.extent);
  }
  work.bytes = c * (l * r * scalar_bytes[0] * (sum_into ? 2 : 1) +
                    l * left_terms * scalar_bytes[1] + r * right_terms * scalar_bytes[2]);
  work.box = box();
  work.cell_fastest = isCellFastest();
  work.is_contraction = true;
  work.terms = terms();
  const SumLevel& inner = sum[sum_levels - 1];
  const bool is_one_level = work.terms == inner.extent;
  const auto hasUnitTerms = [&](std::int64_t term) {
    // A single term is a row of its own, unless its neighbour is a cell.
    return is_one_level && (work.terms == 1 ? !work.neighbour_cells : term == 1);
  };
  work.neighbour_cells =
      left_cell == 1 && right_cell == 1 && (work.terms == 1 || inner.left != 1 || inner.right != 1);
  // Of half a cache line or more, in arrays of one type: others are converted, or copied, into
  // order.
  constexpr std::int64_t row_bytes = 32;
  const auto areRows = [&](std::int64_t fields, std::int64_t field, std::int64_t out_field) {
    return fields * scalar_bytes[0] >= row_bytes && field == 1 && out_field == 1;
  };
  const bool is_of_one_type =
      scalar_bytes[1] == scalar_bytes[0] && scalar_bytes[2] == scalar_bytes[0];
  work.has_field_rows = is_of_one_type && (areRows(rights, right_field, out_right) ||
                                           areRows(lefts, left_field, out_left));
  work.unit_left = hasUnitTerms(inner.left);
  work.unit_right = hasUnitTerms(inner.right);
  work.cells_without_gaps =
      is_one_level &&
      isWithoutGaps({{work.terms, inner.left}, {lefts, left_field}, {cells, left_cell}}) &&
      isWithoutGaps({{work.terms, inner.right}, {rights, right_field}, {cells, right_cell}}) &&
      isWithoutGaps({{rights, out_right}, {lefts, out_left}, {cells, out_cell}});
  work.matrices = matrices();
  std::copy(std::begin(scalar_bytes), std::end(scalar_bytes), work.scalar_bytes);
  return work;
}

ContractionShape contractionOf(const IndexTable& indices, bool sum_into) {
  const Index& c = indices['C'];
  const Index& l = indices['L'];
  const Index& f = indices['F'];
  const Index& r = f.extent != 1 ? f : indices['R'];
  ContractionShape shape;
  shape.cells = c.extent;
  shape.out_cell = c.out;
  shape.left_cell = c.left;
  shape.right_cell = c.right;
  shape.lefts = l.extent;
  shape.out_left = l.out;
  shape.left_field = l.left;
  shape.rights = r.extent;
  shape.out_right = r.out;
  shape.right_field = r.right;
  int level = 0;
  for (const char letter : {'P', 'D', 'E'}) {
    const Index& k = indices[letter];
    shape.sum[level++] = {k.extent, k.left, k.right};
  }
  flatten(shape.sum);
  shape.sum_into = sum_into;
  return shape;
}

}  // namespace Impl
}  // namespace Kontract
