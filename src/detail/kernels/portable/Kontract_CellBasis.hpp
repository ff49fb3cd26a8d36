// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLBASIS_HPP
#define KONTRACT_CELLBASIS_HPP

#include "Kontract_BasisContraction.hpp"
#include "Kontract_CellCheck.hpp"
#include "Kontract_CellContraction.hpp"
#include "Kontract_TensorBasis.hpp"

namespace Kontract {
namespace Impl {

/// Values at points of a cell from those of its fields: out(p[,i]) (+)= sum over f of
/// coefficients(f) basis(f,p[,i]), a contraction for each component i whose fields are points.
template <class Team, class Out, class Coefficients, class Basis>
KOKKOS_INLINE_FUNCTION void evaluateCell(const Team& team, const CellArray<Out>& out,
                                         const CellArray<Coefficients>& coefficients,
                                         const CellArray<Basis>& basis, bool sum_into) {
  const std::int64_t points = out.extents[0], components = out.extents[1];
  Problem<ContractionShape, Out, Coefficients, Basis> problem{
      {}, out.elements, coefficients.elements, basis.elements};
  ContractionShape& s = problem.shape;
  s.sum_into = sum_into;
  s.rights = points;
  s.out_right = out.strides[0];
  s.right_field = basis.strides[1];
  s.sum[2] = {coefficients.extents[0], coefficients.strides[0], basis.strides[0]};
  const bool is_one = components == 1 || points == 1 ||
                      (out.strides[0] == components * out.strides[1] &&
                       basis.strides[1] == components * basis.strides[2]);
  if (is_one) {  // points and components, point by point
    s.rights = points * components;
    if (components > 1) {
      s.out_right = out.strides[1];
      s.right_field = basis.strides[2];
    }
    return contractCell(team, problem);
  }
  for (std::int64_t i = 0; i < components; ++i) {
    problem.out = from(out.elements, i * out.strides[1]);
    problem.right = from(basis.elements, i * basis.strides[2]);
    contractCell(team, problem);
  }
}

/// What a team works in, to contract one cell with a tensor-product basis.
template <class Real, int D>
struct CellBasis {
  using Tables = BasisTables<Real, D>;
  using Contraction = BasisContraction<Real, D>;

  Tables tables;
  Contraction contraction;
  int points;
  std::int64_t scratch_extent;  ///< numbers that it needs

  /// Tables come first, then buffers that hold an array for each component at every stage.
  template <class Basis>
  KOKKOS_INLINE_FUNCTION CellBasis(const Basis& basis, Real* scratch)
      : tables(basis, scratch), contraction{}, points(tables.intermediateSize(0, D)) {
    std::int64_t of_tables = 0, of_buffer = tables.components();
    for (int d = 0; d < D; ++d) {
      const int functions_of = tables.functions[d], points_of = tables.points[d];
      of_tables += 2 * functions_of * points_of;
      of_buffer *= functions_of < points_of ? points_of : functions_of;
    }
    scratch_extent = of_tables + 2 * of_buffer;
    if (scratch == nullptr) return;  // only the extent is asked for
    contraction.cells = 1;
    contraction.buffers[0] = scratch + of_tables;
    contraction.buffers[1] = scratch + of_tables + of_buffer;
  }

  /// In builds that check.
  template <class AtPoints, class OfFields, class Scratch>
  KOKKOS_INLINE_FUNCTION void check([[maybe_unused]] const char* function,
                                    [[maybe_unused]] int cell,
                                    [[maybe_unused]] const CellArray<AtPoints>& at_points,
                                    [[maybe_unused]] const CellArray<OfFields>& of_fields,
                                    [[maybe_unused]] const Scratch& scratch) const {
#ifdef KONTRACT_CHECKS_CELLS
    CellCheck check(function, cell);
    check.needs("points", at_points.extents[0], points);
    check.needs("components at points", at_points.extents[1], tables.components());
    check.needs("fields", of_fields.extents[0], tables.intermediateSize(0, 0));
    check.hasAtLeast("scratch", static_cast<std::int64_t>(scratch.extent(0)), scratch_extent);
#endif
  }

  /// Whoever reads what was computed before in the same memory has to be done.
  template <class Team, class Basis>
  KOKKOS_INLINE_FUNCTION void begin(const Team& team, const Basis& basis) const {
    team.wait();
    tables.fill(team, basis);
  }

  template <class Team, class Out, class Coefficients>
  KOKKOS_INLINE_FUNCTION void evaluate(const Team& team, const CellArray<Out>& out,
                                       const CellArray<Coefficients>& coefficients,
                                       bool sum_into) const {
    Real* const numbers = contraction.buffers[0];
    team.share(static_cast<int>(coefficients.extents[0]), [&](int f) {
      numbers[f] = Real(coefficients.elements[f * coefficients.strides[0]]);
    });
    team.wait();
    contraction.evaluate(team, tables);
    const Real* const values = contraction.buffers[Contraction::at_points];
    team.share(points * tables.components(), [&](int n) {
      const int component = n / points, p = n - component * points;
      put(out.elements[p * out.strides[0] + component * out.strides[1]], values[n], sum_into);
    });
  }

  template <class Team, class Out, class Values>
  KOKKOS_INLINE_FUNCTION void integrate(const Team& team, const CellArray<Out>& out,
                                        const CellArray<Values>& values, bool sum_into) const {
    Real* const numbers = contraction.buffers[Contraction::at_points];
    team.share(points * tables.components(), [&](int n) {
      const int component = n / points, p = n - component * points;
      numbers[n] = Real(values.elements[p * values.strides[0] + component * values.strides[1]]);
    });
    team.wait();
    contraction.integrate(team, tables, numbers, [&](int f, int, const Real& sum) {
      put(out.elements[f * out.strides[0]], sum, sum_into);
    });
  }

 private:
  template <class Reference>
  KOKKOS_FORCEINLINE_FUNCTION static void put(Reference&& to, const Real& x, bool adds) {
    if (adds) {
      store<true>(to, x);
    } else {
      store<false>(to, x);
    }
  }
};

/// A tensor-product basis of views as kernels have it.
template <class Values, class Derivatives>
KOKKOS_INLINE_FUNCTION auto cellTensorBasis(const TensorBasis<Values, Derivatives>& of,
                                            bool is_gradient) {
  using Access = Accessor<const typename Values::non_const_value_type>;
  using Slopes = Accessor<const typename Derivatives::non_const_value_type>;
  FormBasis<Access, Slopes> basis{};
  basis.dimension = of.dimension;
  basis.setOneFamily(is_gradient);
  for (int d = 0; d < of.dimension; ++d) {
    const auto values = cellArray<true>(of.values[d]);
    const auto derivatives = cellArray<true>(of.derivatives[d]);
    basis.functions[d] = static_cast<int>(values.extents[0]);
    basis.points[d] = static_cast<int>(values.extents[1]);
    basis.values[d] = {values.elements, values.strides[0], values.strides[1]};
    basis.derivatives[d] = {derivatives.elements, derivatives.strides[0], derivatives.strides[1]};
  }
  return basis;
}

/// Calls f(std::integral_constant<int, D>) for one, two or three directions.
template <class F>
KOKKOS_INLINE_FUNCTION void withDirections(int directions, const F& f) {
  if (directions == 1) return f(std::integral_constant<int, 1>());
  if (directions == 2) return f(std::integral_constant<int, 2>());
  f(std::integral_constant<int, 3>());
}

}  // namespace Impl
}  // namespace Kontract

#endif
