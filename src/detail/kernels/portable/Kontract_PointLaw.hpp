// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_POINTLAW_HPP
#define KONTRACT_POINTLAW_HPP

#include "Kontract_CellBasis.hpp"
#include "Kontract_FormPoint.hpp"
#include "Kontract_PointState.hpp"
#include "Kontract_Unroll.hpp"

namespace Kontract {
namespace Impl {

/// Where what a law says at points goes, and its derivatives: each pair of components is an array
/// of its own, so that it is the coefficient of a term.
/// \tparam Layout  of these arrays
template <class Real, int K, int D, class Layout>
struct LawArrays {
  std::int64_t points;   ///< of a cell
  std::int64_t cells;    ///< of all
  Real* sources;         ///< (C,P) of each component
  Real* fluxes;          ///< (C,P,D) of each component
  Real* derivatives[4];  ///< in the order of Coupling, (C,P), (C,P,D) or (C,P,D,D) of each pair

  /// The place of (c,p,i,j) in one of several arrays (C,P,N,M).
  template <int N = 1, int M = 1>
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t at(int array, std::int64_t c, std::int64_t p, int i = 0,
                                              int j = 0) const {
    if constexpr (std::is_same_v<Layout, Kokkos::LayoutLeft>) {
      return (((array * M + j) * N + i) * points + p) * cells + c;
    } else {
      return (((array * cells + c) * points + p) * N + i) * M + j;
    }
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

/// A law at a point, and where what it says goes.
/// \tparam Problem  of the product of the form that the law has with a vector: its right sides are
///   gradients, then values
/// \tparam Number   PlainNumber, or MovingNumber: then derivatives are stored as well
template <class Problem, class Law, class Number, int K, int D, class Layout>
struct PointLaw {
  using Real = typename Problem::out_type::value_type;
  using Point = FormPoint<Problem, D>;
  using Scalar = typename Number::type;
  static constexpr bool has_derivatives = !std::is_same_v<Scalar, Real>;
  static constexpr int unknowns = K, dimensions = D;

  Problem problem;
  Law law;
  LawArrays<Real, K, D, Layout> to;
  std::int64_t component_step;  ///< in the memory of the vector

  /// What the vector has for a field of unknown k.
  KOKKOS_FORCEINLINE_FUNCTION Real coefficient(std::int64_t c, int f, int k) const {
    const auto& vector = problem.vector;
    if (k == 0 || vector.numbers != nullptr) return vector.at(c, f, 0);
    return vector.elements[c * vector.strides.cell + f * vector.strides.field + k * component_step];
  }

  KOKKOS_FORCEINLINE_FUNCTION const auto& gradientsOfBasis() const {
    return problem.terms.terms[0].right;
  }
  KOKKOS_FORCEINLINE_FUNCTION const auto& valuesOfBasis() const {
    return problem.terms.terms[1].right;
  }

  /// Asks the law. \param values, gradients  of the unknowns, gradients on the reference cell
  KOKKOS_INLINE_FUNCTION void ask(std::int64_t c, int p, const Real (&values)[K],
                                  const Real (&gradients)[K][D]) const {
    const auto geometry = Point::geometry(problem, c, p);
    PointState<Scalar, K, D> state;
    PointResult<Scalar, K, D> result;
    state.cell = c;
    state.point = p;
    KONTRACT_UNROLL
    for (int k = 0; k < K; ++k) {
      Real gradient[D];
      pullBack<D, false>(Pullback::Covariant, geometry, gradients[k], gradient);
      state.value[k] = Number::make(values[k], k * (1 + D));
      KONTRACT_UNROLL
      for (int d = 0; d < D; ++d) {
        state.gradient[k][d] = Number::make(gradient[d] * geometry.reciprocal, k * (1 + D) + 1 + d);
      }
    }
    KONTRACT_UNROLL
    for (int k = 0; k < K; ++k) {
      result.source[k] = Scalar(Real(0));
      KONTRACT_UNROLL
      for (int d = 0; d < D; ++d) result.flux[k][d] = Scalar(Real(0));
    }
    law(state, result);
    store(c, p, result);
  }

 private:
  KOKKOS_INLINE_FUNCTION void store(std::int64_t c, int p,
                                    const PointResult<Scalar, K, D>& result) const {
    for (int i = 0; i < K; ++i) {
      if constexpr (!has_derivatives) {
        to.sources[to.at(i, c, p)] = result.source[i];
        KONTRACT_UNROLL
        for (int d = 0; d < D; ++d) to.fluxes[to.template at<D>(i, c, p, d)] = result.flux[i][d];
      } else {
        for (int j = 0; j < K; ++j) storeDerivatives(c, p, result, i, j);
      }
    }
  }

  KOKKOS_INLINE_FUNCTION void storeDerivatives(std::int64_t c, int p,
                                               const PointResult<Scalar, K, D>& result, int i,
                                               int j) const {
    const int pair = i * K + j, first = j * (1 + D);
    const auto put = [&](Coupling coupling, std::int64_t place, const Scalar& x, int direction) {
      Real* const array = to.derivatives[static_cast<int>(coupling)];
      if (array != nullptr) array[place] = x.dx(direction);
    };
    put(Coupling::SourceOfValue, to.at(pair, c, p), result.source[i], first);
    KONTRACT_UNROLL
    for (int d = 0; d < D; ++d) {
      const std::int64_t at = to.template at<D>(pair, c, p, d);
      put(Coupling::SourceOfGradient, at, result.source[i], first + 1 + d);
      put(Coupling::FluxOfValue, at, result.flux[i][d], first);
      KONTRACT_UNROLL
      for (int e = 0; e < D; ++e) {
        put(Coupling::FluxOfGradient, to.template at<D, D>(pair, c, p, d, e), result.flux[i][d],
            first + 1 + e);
      }
    }
  }
};

/// A law at all points of a cell, by a team: values and gradients from the coefficients of the
/// cell's fields, in scratch memory.
template <class Law>
struct LawOfOneCell {
  using Real = typename Law::Real;
  static constexpr int K = Law::unknowns, D = Law::dimensions;

  Law law;

  /// Numbers in scratch memory.
  std::int64_t scratchExtent() const {
    const FormShape& s = law.problem.shape;
    const std::int64_t of_values = extentOf(law.valuesOfBasis());
    const std::int64_t of_gradients = extentOf(law.gradientsOfBasis());
    return K * s.rights + K * (1 + D) * s.points +
           (of_values > of_gradients ? of_values : of_gradients);
  }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, std::int64_t c) const {
    const FormShape& s = law.problem.shape;
    const int fields = static_cast<int>(s.rights), points = static_cast<int>(s.points);
    Real* const coefficients = static_cast<Real*>(team.scratch);
    Real* const values = coefficients + K * fields;
    Real* const gradients = values + K * points;
    Real* const scratch = gradients + K * D * points;
    for (int k = 0; k < K; ++k) {
      team.share(fields, [&](int f) { coefficients[k * fields + f] = law.coefficient(c, f, k); });
    }
    team.wait();
    for (int k = 0; k < K; ++k) {
      const CellArray<Accessor<const Real>> from{
          {coefficients + k * fields}, 1, {fields, 1, 1, 1}, {1}};
      evaluate(team, law.valuesOfBasis(), c, from,
               {{values + k * points}, 1, {points, 1, 1, 1}, {1}}, scratch);
      evaluate(team, law.gradientsOfBasis(), c, from,
               {{gradients + k * D * points}, 2, {points, D, 1, 1}, {D, 1}}, scratch);
    }
    team.wait();
    team.share(points, [&](int p) {
      Real value[K], gradient[K][D];
      for (int k = 0; k < K; ++k) {
        value[k] = values[k * points + p];
        for (int d = 0; d < D; ++d) gradient[k][d] = gradients[(k * points + p) * D + d];
      }
      law.ask(c, p, value, gradient);
    });
  }

 private:
  /// What evaluate() needs.
  template <class Values>
  static std::int64_t extentOf(const Values& of) {
    return of.array.isThere() ? 0 : CellBasis<Real, D>(of.basis, nullptr).scratch_extent;
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
          {law.problem.shape.rights, law.problem.shape.points, out.extents[1], 1},
          {strides.field, strides.point, strides.row, 0}};
      evaluateCell(team, out, coefficients, basis, false);
    } else {
      const CellBasis<Real, D> cell(of.basis, scratch);
      cell.begin(team, of.basis);
      cell.evaluate(team, out, coefficients, false);
    }
  }
};

/// The same of several cells by a team, point by point, where the basis is arrays: for devices.
/// Neighbouring workers have neighbouring cells.
template <class Law>
struct LawOfSeveralCells {
  using Real = typename Law::Real;
  static constexpr int K = Law::unknowns, D = Law::dimensions;

  Law law;
  int cells;   ///< of a team
  int points;  ///< of a team, at most
  int parts;   ///< that the points of a cell are cut into

  /// Numbers in scratch memory.
  std::int64_t scratchExtent() const { return K * cellStep() * law.problem.shape.rights; }

  /// Of work, for a team each.
  std::int64_t pieces() const { return (law.problem.shape.cells + cells - 1) / cells * parts; }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, std::int64_t piece) const {
    const FormShape& s = law.problem.shape;
    const std::int64_t group = piece / parts, first = group * cells, left = s.cells - first;
    const int here = left < cells ? static_cast<int>(left) : cells;
    const int first_point = static_cast<int>(piece - group * parts) * points;
    const int open = static_cast<int>(s.points) - first_point, fields = static_cast<int>(s.rights);
    Real* const coefficients = static_cast<Real*>(team.scratch);
    const bool cell_fastest = law.problem.vector.strides.cell == 1;
    const int fastest = cell_fastest ? here : fields;
    team.share(fields * here, [&](int n) {
      const int slow = n / fastest, fast = n - slow * fastest;
      const int cell = cell_fastest ? fast : slow, f = cell_fastest ? slow : fast;
      for (int k = 0; k < K; ++k) {
        coefficients[(f * K + k) * cellStep() + cell] = law.coefficient(first + cell, f, k);
      }
    });
    team.wait();
    team.share((open < points ? open : points) * here, [&](int n) {
      const int p = n / here, cell = n - p * here;
      evaluate(first + cell, first_point + p, coefficients + cell);
    });
  }

 private:
  /// Numbers between fields in scratch memory: an odd one, for neighbouring workers may have those.
  KOKKOS_FORCEINLINE_FUNCTION int cellStep() const { return cells | 1; }

  KOKKOS_INLINE_FUNCTION void evaluate(std::int64_t c, int p, const Real* coefficients) const {
    const auto& of_gradients = law.gradientsOfBasis().array;
    const auto& of_values = law.valuesOfBasis().array;
    const FormStrides& steps = of_gradients.strides;
    const Real* gradient = of_gradients.elements.data + c * steps.cell + p * steps.point;
    const Real* value =
        of_values.elements.data + c * of_values.strides.cell + p * of_values.strides.point;
    Real values[K] = {}, gradients[K][D] = {};
    for (int f = 0; f < static_cast<int>(law.problem.shape.rights); ++f) {
      Real of_field[D];
      KONTRACT_UNROLL
      for (int d = 0; d < D; ++d) of_field[d] = gradient[d * steps.row];
      KONTRACT_UNROLL
      for (int k = 0; k < K; ++k, coefficients += cellStep()) {
        values[k] += *coefficients * *value;
        KONTRACT_UNROLL
        for (int d = 0; d < D; ++d) gradients[k][d] += *coefficients * of_field[d];
      }
      value += of_values.strides.field;
      gradient += steps.field;
    }
    law.ask(c, p, values, gradients);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
