// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_TensorProduct.hpp"

#include "detail/support/Kontract_Error.hpp"
#include "detail/view/Kontract_ArrayText.hpp"

namespace Kontract {
namespace Impl {
namespace {

std::string textOf(const ValuesOfTerm& of) {
  return std::string(of.name) + " of term " + std::to_string(of.term);
}

}  // namespace

void refuseBasisValues(int directions) {
  refuse("tensorBasis",
         "values of " + std::to_string(directions) +
             " directions were given with gradients that do not go with them: needed are values "
             "and gradients of one HGRAD basis that is a product of functions of one coordinate, "
             "at points of a tensor cubature");
}

void checkDirection(const Extents& extents, const ValuesOfTerm& of, int direction,
                    const ArrayDescription& values, const ArrayDescription& derivatives) {
  const std::string where =
      textOf(of) + ", a tensor-product basis: in direction " + std::to_string(direction + 1);
  if (values.rank != 2) {
    extents.refuseCall(where + " values are " + extentsText(values) + ", but they must be (N,Q)");
  }
  const bool fits =
      (derivatives.rank == 2 || (derivatives.rank == 3 && derivatives.extents[2] == 1)) &&
      derivatives.extents[0] == values.extents[0] && derivatives.extents[1] == values.extents[1];
  if (!fits) {
    extents.refuseCall(where + " derivatives are " + extentsText(derivatives) +
                       ", but values are " + extentsText(values) +
                       ": they must be (N,Q) or (N,Q,1) of the same N and Q");
  }
  if (values.lacksMemory() || derivatives.lacksMemory()) {
    extents.refuseCall(where + " an array's data() is null: it needs memory");
  }
  if (!values.is_reachable || !derivatives.is_reachable) {
    extents.refuseCall(where +
                       " arrays are in a memory space that the execution space cannot reach");
  }
}

NamedArray productShape(const ValuesOfTerm& of, int rank, int dimension,
                        const std::int64_t* functions, const std::int64_t* points) {
  NamedArray shape{of.name, of.term, {}};
  shape.array.rank = rank;
  shape.array.extents[0] = shape.array.extents[1] = 1;
  for (int d = 0; d < dimension; ++d) {
    shape.array.extents[0] *= functions[d];
    shape.array.extents[1] *= points[d];
  }
  if (rank == 3) shape.array.extents[2] = dimension;
  return shape;
}

NamedArray directionsShape(const ValuesOfTerm& of, int dimension) {
  NamedArray shape{of.directions, of.term, {}};
  shape.array.rank = 1;
  shape.array.extents[0] = dimension;
  return shape;
}

void requireTensorPullback(const Extents& extents, const ValuesOfTerm& of, Pullback pullback) {
  switch (pullback) {
    case Pullback::Scalar:
    case Pullback::Density:
    case Pullback::Covariant: return;
    default:
      extents.refuseCall(textOf(of) +
                         ": a tensor-product basis has values and gradients of HGRAD, and the "
                         "form needs others; give an array");
  }
}

}  // namespace Impl
}  // namespace Kontract
