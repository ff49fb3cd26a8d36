// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_POINTLAW_HPP
#define KONTRACT_POINTLAW_HPP

#include "Kontract_CellBasis.hpp"
#include "Kontract_FormPoint.hpp"
#include "Kontract_PointState.hpp"

namespace Kontract {
namespace Impl {

/// Where what a law says at points goes, and its derivatives: each pair of components is an array
/// of its own, so that it is the coefficient of a term.
template <class Real, int K, int D>
struct LawArrays {
  std::int64_t points;   ///< of a cell
  std::int64_t cells;    ///< of all
  Real* sources;         ///< [k][c][p]
  Real* fluxes;          ///< [k][c][p][d]
  Real* derivatives[4];  ///< in the order of Coupling, [i][j][c][p] of each, then [d], or [d][e]

  /// The place of a cell's point in an array of so many components.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t at(int component, std::int64_t c, std::int64_t p) const {
    return (component * cells + c) * points + p;
  }
};

/// A number without derivatives, as the law sees it in a residual.
template <class Real>
struct PlainNumber {
  using type = Real;
  static KOKKOS_FORCEINLINE_FUNCTION Real make(Real x, int) { return x; }
};
/// A number that is an unknown of the law.
template <class Real, int directions>
struct MovingNumber {
  using type = typename DerivativeNumber<Real, directions>::type;
  static KOKKOS_FORCEINLINE_FUNCTION type make(Real x, int direction) {
    return type(directions, direction, x);
  }
};

/// The law at all points of a cell, by a team: values and gradients from the coefficients of the
/// cell's fields, in scratch memory.
/// \tparam Problem  of the product of the form that the law has with a vector: its right sides are
///   gradients, then values
/// \tparam Number   PlainNumber, or MovingNumber: then derivatives are stored as well
template <class Problem, class Law, class Number, int K, int D>
struct PointLaw {
  using Real = typename Problem::out_type::value_type;
  using Point = FormPoint<Problem, D>;
  using Scalar = typename Number::type;
  static constexpr bool has_derivatives = !std::is_same_v<Scalar, Real>;

  Problem problem;
  Law law;
  LawArrays<Real, K, D> to;
  std::int64_t component_step;  ///< in the memory of the vector

  /// Numbers in scratch memory.
  std::int64_t scratchExtent() const {
    const FormShape& s = problem.shape;
    const auto& gradients = problem.terms.terms[0].right;
    const std::int64_t of_basis =
        gradients.array.isThere() ? 0 : CellBasis<Real, D>(gradients.basis, nullptr).scratch_extent;
    return K * s.rights + K * (1 + D) * s.points + of_basis;
  }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, std::int64_t c) const {
    const FormShape& s = problem.shape;
    const int fields = static_cast<int>(s.rights), points = static_cast<int>(s.points);
    Real* const coefficients = static_cast<Real*>(team.scratch);
    Real* const values = coefficients + K * fields;
    Real* const gradients = values + K * points;
    Real* const scratch = gradients + K * D * points;
    for (int k = 0; k < K; ++k) {
      team.share(fields, [&](int f) { coefficients[k * fields + f] = coefficient(c, f, k); });
    }
    team.wait();
    const auto& of_gradients = problem.terms.terms[0].right;
    const auto& of_values = problem.terms.terms[1].right;
    for (int k = 0; k < K; ++k) {
      const CellArray<Accessor<const Real>> from{
          {coefficients + k * fields}, 1, {fields, 1, 1, 1}, {1}};
      evaluate(team, of_values, c, from, {{values + k * points}, 1, {points, 1, 1, 1}, {1}},
               scratch);
      evaluate(team, of_gradients, c, from,
               {{gradients + k * D * points}, 2, {points, D, 1, 1}, {D, 1}}, scratch);
    }
    team.wait();
    team.share(points, [&](int p) { apply(c, p, points, values, gradients); });
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Real coefficient(std::int64_t c, int f, int k) const {
    const auto& vector = problem.vector;
    if (k == 0 || vector.numbers != nullptr) return vector.at(c, f, 0);
    return vector.elements[c * vector.strides.cell + f * vector.strides.field + k * component_step];
  }

  template <class Team, class Values>
  KOKKOS_INLINE_FUNCTION void evaluate(const Team& team, const Values& of, std::int64_t c,
                                       const CellArray<Accessor<const Real>>& coefficients,
                                       const CellArray<Accessor<Real>>& out, Real* scratch) const {
    if (of.array.isThere()) {
      const FormStrides& strides = of.array.strides;
      const CellArray<Accessor<const Real>> basis{
          {of.array.elements.data + c * strides.cell},
          out.rank + 1,
          {problem.shape.rights, problem.shape.points, out.extents[1], 1},
          {strides.field, strides.point, strides.row, 0}};
      evaluateCell(team, out, coefficients, basis, false);
    } else {
      const CellBasis<Real, D> cell(of.basis, scratch);
      cell.begin(team, of.basis);
      cell.evaluate(team, out, coefficients, false);
    }
  }

  KOKKOS_INLINE_FUNCTION void apply(std::int64_t c, int p, int points, const Real* values,
                                    const Real* gradients) const {
    const auto geometry = Point::geometry(problem, c, p);
    PointState<Scalar, K, D> state;
    PointResult<Scalar, K, D> result;
    state.cell = c;
    state.point = p;
    for (int k = 0; k < K; ++k) {
      Real reference[D], gradient[D];
      for (int d = 0; d < D; ++d) reference[d] = gradients[(k * points + p) * D + d];
      pullBack<D, false>(Pullback::Covariant, geometry, reference, gradient);
      state.value[k] = Number::make(values[k * points + p], k * (1 + D));
      for (int d = 0; d < D; ++d) {
        state.gradient[k][d] = Number::make(gradient[d] * geometry.reciprocal, k * (1 + D) + 1 + d);
      }
    }
    for (int k = 0; k < K; ++k) {
      result.source[k] = Scalar(Real(0));
      for (int d = 0; d < D; ++d) result.flux[k][d] = Scalar(Real(0));
    }
    law(state, result);
    store(c, p, result);
  }

  KOKKOS_INLINE_FUNCTION void store(std::int64_t c, int p,
                                    const PointResult<Scalar, K, D>& result) const {
    for (int i = 0; i < K; ++i) {
      const std::int64_t at = to.at(i, c, p);
      if constexpr (!has_derivatives) {
        to.sources[at] = result.source[i];
        for (int d = 0; d < D; ++d) to.fluxes[at * D + d] = result.flux[i][d];
      } else {
        for (int j = 0; j < K; ++j) storeDerivatives(c, p, result, i, j);
      }
    }
  }

  KOKKOS_INLINE_FUNCTION void storeDerivatives(std::int64_t c, int p,
                                               const PointResult<Scalar, K, D>& result, int i,
                                               int j) const {
    const std::int64_t at = to.at(i * K + j, c, p);
    const int first = j * (1 + D);
    const auto put = [&](Coupling coupling, std::int64_t place, const Scalar& x, int direction) {
      Real* const array = to.derivatives[static_cast<int>(coupling)];
      if (array != nullptr) array[place] = x.dx(direction);
    };
    put(Coupling::SourceOfValue, at, result.source[i], first);
    for (int d = 0; d < D; ++d) {
      put(Coupling::SourceOfGradient, at * D + d, result.source[i], first + 1 + d);
      put(Coupling::FluxOfValue, at * D + d, result.flux[i][d], first);
      for (int e = 0; e < D; ++e) {
        put(Coupling::FluxOfGradient, (at * D + d) * D + e, result.flux[i][d], first + 1 + e);
      }
    }
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
