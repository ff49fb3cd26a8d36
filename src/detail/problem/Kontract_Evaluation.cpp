// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Evaluation.hpp"

#include "Kontract_IndexTable.hpp"
#include "detail/support/Kontract_SortFew.hpp"

namespace Kontract {
namespace Impl {

EvaluationShape evaluationOf(const IndexTable& indices) {
  EvaluationShape shape;
  ContractionShape& each = shape.contraction;
  const Index& c = indices['C'];
  each.cells = c.extent;
  each.out_cell = c.out;
  each.left_cell = c.left;
  each.right_cell = c.right;
  const Index& f = indices['F'];
  each.sum[ContractionShape::sum_levels - 1] = {f.extent, f.left, f.right};
  each.sum_into = true;

  // The index of the smallest stride is that of the contraction, with those that continue it.
  Index levels[] = {indices['P'], indices['D'], indices['E']};
  sortFew(levels, [](const Index& a, const Index& b) {
    return a.extent != 1 && (b.extent == 1 || a.right < b.right);
  });
  each.rights = levels[0].extent;
  each.out_right = levels[0].out;
  each.right_field = levels[0].right;
  for (int i = 0; i < 2; ++i) {
    const Index& level = levels[i + 1];
    const bool continues = shape.repeats[0].extent == 1 &&
                           level.out == each.out_right * each.rights &&
                           level.right == each.right_field * each.rights;
    if (level.extent == 1) continue;
    if (continues) {
      each.rights *= level.extent;
    } else {
      shape.repeats[i] = {level.extent, level.out, level.right};
    }
  }
  return shape;
}

}  // namespace Impl
}  // namespace Kontract
