// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLMEASURE_HPP
#define KONTRACT_CELLMEASURE_HPP

#include "Kontract_Operate.hpp"
#include "detail/kernels/portable/Kontract_SumOfProducts.hpp"
#include "detail/launch/Kontract_Launch.hpp"

namespace Kontract {
namespace Impl {

/// |determinant| times weight at one place; and whether that determinant is negative.
template <class Problem>
struct MeasureAtPlace {
  Problem problem;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t place, int& any_negative) const {
    const PointwiseShape& s = problem.shape;
    const std::int64_t c = s.runs_along_cells ? place % s.cells : place / s.points;
    const std::int64_t p = s.runs_along_cells ? place / s.cells : place % s.points;
    const auto& determinant = problem.left[c * s.left.cell + p * s.left.point];
    AccumulatorOf<Problem> measure(0);
    multiplyAdd(measure, determinant, problem.right[c * s.right.cell + p * s.right.point]);
    const bool is_negative = determinant < 0.;
    if (is_negative) measure = -measure;
    if (is_negative) any_negative = 1;
    store<false>(problem.out[c * s.out.cell + p * s.out.point], measure);
  }
};

/// What becomes of the checked call of computeCellMeasure.
struct RunMeasure {
  bool& any_negative;

  template <class Memory>
  static constexpr bool moves_from = false;

  template <class CallType, class Problem>
  void operator()(const CallType& call, Operation, const Problem& problem,
                  const CallOptions&) const {
    static_assert(!IsComplex<typename Problem::left_type::value_type>::value,
                  "Kontract: determinants have a sign, complex numbers have none");
    requireReferences(signatureOf(Function::computeCellMeasure), problem);
    any_negative =
        launchForAny(call.space(), "Kontract::computeCellMeasure",
                     problem.shape.cells * problem.shape.points, MeasureAtPlace<Problem>{problem});
  }
  void nothingToDo(Operation) const {}
};

/// Measures of cells: (space,) output, determinants, weights (, options)
/// \return whether a determinant is negative
template <class DeviceType, class... Arguments>
bool measureCells(const Arguments&... arguments) {
  bool any_negative = false;
  const Called called(Operation::scalarMultiplyDataData, signatureOf(Function::computeCellMeasure));
  actOn(called, false, callOf<DeviceType, 3, NoFlag>(arguments...), RunMeasure{any_negative},
        [](const IndexTable& indices) {
          PointwiseShape shape;
          const Index &c = indices['C'], &p = indices['P'];
          shape.cells = c.extent;
          shape.points = p.extent;
          shape.out = {c.out, 0, p.out, 0, 0};
          shape.left = {c.left, 0, p.left, 0, 0};
          shape.right = {c.right, 0, p.right, 0, 0};
          shape.runs_along_cells = shape.isCellFastest();
          return shape;
        });
  return any_negative;
}

}  // namespace Impl
}  // namespace Kontract

#endif
