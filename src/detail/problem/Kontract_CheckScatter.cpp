// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_CheckScatter.hpp"

#include <algorithm>

#include "Kontract_FormArgumentChecker.hpp"

namespace Kontract {
namespace Impl {

void takeScatteredOutput(const SharedDescription& output, FormShape& shape) {
  shape.is_scattered = true;
  shape.can_be_colored = output.scatter.colors.colors > 0;
  shape.shared_outputs = output.array.extents[0];
  shape.cell_with_repeat = output.scatter.colors.cell_with_repeat;
}

/// Numbers that a field has, one for each of its components, which are transformed alike.
static int blocksOf(const OperatorsDescription& of, std::int64_t numbers) {
  return of.is_there && of.fields > 0
             ? static_cast<int>(std::max<std::int64_t>(1, numbers / of.fields))
             : 1;
}

FormShape checkScatter(const char* function, const FormDescription& call) {
  const SharedDescription& shared = call.shared_out;
  const bool are_matrices = call.kind == FormKind::Matrices;
  FormShape shape;
  shape.kind = call.kind;
  shape.sum_into = call.sum_into;
  shape.cells = shared.cells;
  shape.left_blocks = blocksOf(call.left_operators, shared.fields);
  shape.lefts = shared.fields / shape.left_blocks;
  if (are_matrices) shape.right_blocks = blocksOf(call.right_operators, shared.columns);
  shape.rights = are_matrices ? shared.columns / shape.right_blocks : 1;
  FormArgumentChecker checker(function, call);
  const Argument& given = checker.keep({are_matrices ? "matrices" : "vectors", &call.vector});
  if (are_matrices) {
    checker.requireExtents(given, {shape.cells, shared.fields, shared.columns});
  } else {
    checker.requireExtents(given, {shape.cells, shared.fields});
  }
  const Argument out{"output", &shared.array};
  checker.requireShared(out, shared);
  checker.requireDistinct(out);
  checker.refuseOverlap(out, given, "the output must not overlap inputs");
  takeScatteredOutput(shared, shape);
  shape.has_constraints = shared.expanded.count > 0;
  shape.has_operators = shape.has_constraints;
  for (const OperatorsDescription* of : {&call.left_operators, &call.right_operators}) {
    shape.has_operators = shape.has_operators || (of->is_there && of->operators.starts != nullptr);
  }
  return shape;
}

}  // namespace Impl
}  // namespace Kontract
